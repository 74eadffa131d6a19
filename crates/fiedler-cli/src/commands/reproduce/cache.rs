//! Results by content: the key is a hash of the data, of what was asked of them and of the program that computes
//! them, so that a result is taken again only where nothing that made it changed.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::failure::{Failure, Outcome};

/// A folder of results.
pub(super) struct Cache {
    folder: PathBuf,
    /// Whether results that are there are computed again.
    fresh: bool,
    /// The hash of the running program.
    program: String,
}

impl Cache {
    /// The folder of the option, or of the user's cache.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn new(folder: Option<&Path>, fresh: bool) -> Outcome<Self> {
        let folder = folder.map(Path::to_path_buf).or_else(users).ok_or_else(|| {
            Failure::usage("--cache DIR must be given: neither XDG_CACHE_HOME nor HOME says where results go")
        })?;
        Ok(Cache { folder, fresh, program: program() })
    }

    /// The result of `question` about data with this hash: from the folder, or from `compute`.
    ///
    /// # Errors
    /// What `compute` reports, or the folder cannot be written.
    pub(super) fn get(
        &self,
        data: &str,
        question: &Value,
        compute: impl FnOnce() -> Outcome<Value>,
    ) -> Outcome<Value> {
        let asked = json!({"program": self.program, "data": data, "question": question});
        let path = self.folder.join(format!("{}.json", hash(asked.to_string().as_bytes())));
        if !self.fresh
            && let Some(found) = read(&path, &asked)
        {
            return Ok(found);
        }
        let found = compute()?;
        std::fs::create_dir_all(&self.folder)
            .map_err(|e| Failure::Data(format!("{}: {e}", self.folder.display())))?;
        let text = json!({"asked": asked, "found": found}).to_string();
        fiedler_io::write_whole(&path, |out| out.write_all(text.as_bytes()))?;
        Ok(found)
    }
}

/// The hash of the running program; its version, where the program cannot be read.
fn program() -> String {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    bytes.map_or_else(|_| env!("CARGO_PKG_VERSION").to_owned(), |bytes| hash(&bytes))
}

/// What is there, if it is whole and answers this very question: hashes may collide.
fn read(path: &Path, asked: &Value) -> Option<Value> {
    let mut entry: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    (entry["asked"] == *asked).then(|| entry["found"].take())
}

/// `$XDG_CACHE_HOME/fiedler`, `~/.cache/fiedler` or, on Windows, `%LOCALAPPDATA%\fiedler`.
fn users() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("fiedler"))
}

/// FNV-1a in 128 bits, as hexadecimal digits.
pub(super) fn hash(bytes: &[u8]) -> String {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    let hashed = bytes.iter().fold(start, |h, &b| (h ^ u128::from(b)).wrapping_mul(prime));
    format!("{hashed:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(b""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(hash(b"a"), "d228cb696f1a8caf78912b704e4a8964");
    }
}
