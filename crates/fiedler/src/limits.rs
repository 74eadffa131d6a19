//! What the work may take of the machine: memory, asked for before it is taken, and time, told before it is spent.
//!
//! Everything n × n or n × m asks [`Limits::check`] first, with the limits that its [`Monitor`] gives. Unless
//! somebody says otherwise the budget is half of what the machine has available at that moment: the smallest of the free memory
//! that the system reports, what is left of the limit of the container (control group), and what is left of the address
//! space of the process (`ulimit -v`). Where the system tells none of them, the budget is 2 GB.
//!
//! The budget is one account. What is held while the work goes on (the data in memory, or the part of a file that is) is taken from it
//! first ([`Limits::beside`]), and every large piece of work draws from what is left. Numbers that belong to somebody else, as an array of
//! Python does, are not counted, nor are small things: the program itself, names, and a few numbers of every feature and every sample.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::monitor::Monitor;
use crate::{Error, Result};

/// The budget where nothing is known of the machine.
const UNKNOWN: Bytes = Bytes(2_000_000_000);

/// Work that takes longer is announced.
const LONG_SECONDS: f64 = 60.0;

/// Memory that is announced where it is allowed: 1 GB.
pub(crate) const LARGE: u64 = 1_000_000_000;

/// What the work may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Memory for the data, for matrices of all pairs of samples, and for copies of the data.
    pub memory: Bytes,
    /// What of it is held already.
    held: Held,
    /// Whether it is what the machine has left now: then what is held is gone from it.
    left_now: bool,
}

impl Default for Limits {
    /// Half of the memory that the machine has available now.
    fn default() -> Self {
        Limits {
            memory: available().map_or(UNKNOWN, |free| Bytes(free.0 / 2)),
            held: Held::default(),
            left_now: true,
        }
    }
}

impl Limits {
    /// No more than this much memory.
    ///
    /// ```
    /// use fiedler::Limits;
    ///
    /// let limits = Limits::of("2GB".parse()?);
    /// let error = limits.check("a table", 3_000_000_000, "use fewer samples").unwrap_err();
    /// assert!(error.to_string().starts_with("a table needs 3 GB of memory, and the limit is 2 GB; use fewer samples"));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    pub fn of(memory: Bytes) -> Self {
        Limits { memory, held: Held::default(), left_now: false }
    }

    /// The same, while this is held.
    ///
    /// ```
    /// use fiedler::{Limits, limits::{Bytes, Held}};
    ///
    /// let limits = Limits::of(Bytes(1000)).beside(Held { now: 300, whole: 300 });
    /// assert_eq!(limits.left(), 700);
    /// let error = limits.check("a table", 800, "use fewer samples").unwrap_err();
    /// assert!(error.to_string().starts_with("a table needs 1.1 kB of memory, and the limit is 1 kB"));
    /// ```
    #[must_use]
    pub fn beside(mut self, held: Held) -> Self {
        if !self.left_now {
            self.held = held;
        }
        self
    }

    /// What may still be taken.
    pub fn left(&self) -> u64 {
        self.memory.0.saturating_sub(self.held.now)
    }

    /// An error when `what` needs more than is left of the budget; the need it tells is that of all that is held then.
    /// `advice` says what to do instead, as the end of a sentence.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn check(&self, what: impl Display, bytes: u64, advice: &str) -> Result<()> {
        if bytes <= self.left() {
            return Ok(());
        }
        // With more memory more of the data is held, and never more than half of it.
        let beside = self.held.now.max(self.held.whole.min(bytes));
        let bytes = bytes.saturating_add(beside);
        // More than the machine has is no advice.
        let more = available().is_none_or(|free| bytes < free.0);
        let more = if more { ", or allow more memory (`memory`)" } else { "" };
        let advice = format!("{advice}{more}");
        Err(Error::TooLarge { what: what.to_string(), needed: Bytes(bytes), allowed: self.memory, advice })
    }
}

/// Bytes that a source of columns holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Held {
    /// With the memory that it may take now.
    pub now: u64,
    /// With as much as it likes.
    pub whole: u64,
}

/// The bytes of so many numbers of double precision in rows × columns.
pub(crate) fn matrices(count: usize, rows: usize, columns: usize) -> u64 {
    (rows as u64).saturating_mul(columns as u64).saturating_mul(8 * count as u64)
}

/// Tells the monitor where `what` will take more than about a minute: `seconds` of one thread, shared by all. `advice` says what
/// to do instead, as the end of a sentence.
///
/// The library reads no clock: the speeds from which methods reckon are those of one machine, and the answer is right to a
/// factor of two or three.
pub(crate) fn announce(monitor: &dyn Monitor, what: impl Display, seconds: f64, advice: &str) {
    let seconds = seconds / rayon::current_num_threads() as f64;
    if seconds > LONG_SECONDS {
        monitor.note(&format!("{what} takes about {}; {advice}", duration(seconds)));
    }
}

fn duration(seconds: f64) -> String {
    match seconds / 60.0 {
        minutes if minutes < 1.5 => "a minute".to_owned(),
        minutes if minutes < 90.0 => format!("{minutes:.0} minutes"),
        minutes if minutes < 60.0 * 36.0 => format!("{:.0} hours", minutes / 60.0),
        minutes => format!("{:.0} days", minutes / 60.0 / 24.0),
    }
}

/// A number with commas between thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An amount of memory. Prints as a person writes it, `3.2 GB`, and is read from `2GB`, `512 MiB`, `1.5g` or a plain number of
/// bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];

impl Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1000 {
            return write!(f, "{} byte{}", self.0, if self.0 == 1 { "" } else { "s" });
        }
        let (mut size, mut unit) = (self.0 as f64, 0);
        while size >= 999.5 && unit < UNITS.len() - 1 {
            size /= 1000.0;
            unit += 1;
        }
        let text = if size < 9.95 { format!("{size:.1}") } else { format!("{size:.0}") };
        write!(f, "{} {}", text.trim_end_matches(".0"), UNITS[unit])
    }
}

impl FromStr for Bytes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            let rule = "an amount of memory above 0, such as 2GB, 512MiB or a number of bytes";
            Error::parameter("memory", rule, format!("`{text}`"))
        };
        let trimmed = text.trim();
        let end = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(trimmed.len());
        let number: f64 = trimmed[..end].parse().map_err(|_| wrong())?;
        let unit = trimmed[end..].trim().to_ascii_lowercase();
        let (letter, rest) = unit.split_at(unit.len().min(1));
        let power = match letter {
            "" | "b" => 0,
            "k" => 1,
            "m" => 2,
            "g" => 3,
            "t" => 4,
            _ => return Err(wrong()),
        };
        let base: f64 = match (letter, rest) {
            ("", _) | ("b", "" | "ytes" | "yte") | ("k" | "m" | "g" | "t", "" | "b") => 1000.0,
            ("k" | "m" | "g" | "t", "i" | "ib") => 1024.0,
            _ => return Err(wrong()),
        };
        let bytes = number * base.powi(power);
        if !(1.0..=1e18).contains(&bytes) {
            return Err(wrong());
        }
        Ok(Bytes(bytes as u64))
    }
}

/// What the machine has left for this process, where the system tells.
pub fn available() -> Option<Bytes> {
    let addresses = free_addresses().map(|free| free.0);
    [free_memory(), free_in_group(), addresses].into_iter().flatten().min().map(Bytes)
}

/// `MemAvailable` of `/proc/meminfo`: what can be taken without swapping.
fn free_memory() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// What is left of the address space of the process, where it is bounded (`ulimit -v`).
pub fn free_addresses() -> Option<Bytes> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let used = kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(Bytes(limit.saturating_sub(used)))
}

/// What is left of the memory of the control group that the process is in, or of a group around it.
fn free_in_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let free = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        // The second version has one tree for all, the first one a tree for every kind of limit.
        let (root, version) = match controllers {
            "" => ("/sys/fs/cgroup", &SECOND),
            some if some.split(',').any(|c| c == "memory") => ("/sys/fs/cgroup/memory", &FIRST),
            _ => return None,
        };
        version.least_free(Path::new(root), path)
    };
    groups.lines().filter_map(free).min()
}

/// Where a version of control groups keeps its figures.
struct Group {
    limit: &'static str,
    used: &'static str,
    cached: &'static str,
}

const SECOND: Group = Group { limit: "memory.max", used: "memory.current", cached: "inactive_file" };
const FIRST: Group =
    Group { limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", cached: "total_inactive_file" };

impl Group {
    /// The least that a group on the way to the root has left. Inside a container the path may be one of the world outside: the
    /// root is always asked too.
    fn least_free(&self, root: &Path, path: &str) -> Option<u64> {
        let inner: PathBuf = root.join(path);
        let folders = inner.ancestors().take_while(|folder| folder.starts_with(root));
        folders.filter_map(|folder| self.free(folder)).min()
    }

    fn free(&self, folder: &Path) -> Option<u64> {
        let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        let (limit, used) = (number(self.limit)?, number(self.used)?);
        // Pages of files that nobody reads any more are given back when memory runs short.
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().find_map(|l| l.strip_prefix(self.cached)?.strip_prefix(' ')?.parse().ok());
        Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
    }
}

/// The number behind a name in the files that count in units of 1,024 bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|k| k.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_printed_as_people_write_them() {
        let pairs = [
            ("2GB", 2_000_000_000, "2 GB"),
            ("512MiB", 512 << 20, "537 MB"),
            ("1.5g", 1_500_000_000, "1.5 GB"),
            (" 640 kib ", 640 << 10, "655 kB"),
            ("999", 999, "999 bytes"),
            ("3200000000", 3_200_000_000, "3.2 GB"),
            ("9.97 MB", 9_970_000, "10 MB"),
            ("999.6kB", 999_600, "1 MB"),
            ("7tb", 7_000_000_000_000, "7 TB"),
            ("1b", 1, "1 byte"),
        ];
        for (text, bytes, printed) in pairs {
            let found: Bytes = text.parse().expect(text);
            assert_eq!((found.0, found.to_string().as_str()), (bytes, printed), "{text}");
        }
        for wrong in
            ["", "GB", "2XB", "-1GB", "0", "1e9", "2 G B", "nan", "2gbb", "inf", "1e99GB", "9999999TB"]
        {
            let message = wrong.parse::<Bytes>().expect_err(wrong).to_string();
            assert!(message.contains("such as 2GB"), "{wrong}: {message}");
        }
    }

    #[test]
    fn what_does_not_fit_says_need_budget_and_what_to_do() {
        let limits = Limits::of(Bytes(1000));
        assert!(limits.check("a matrix", 1000, "").is_ok());
        let message =
            limits.check("a matrix", 1001, "use fewer samples").expect_err("one too many").to_string();
        let expected = "a matrix needs 1 kB of memory, and the limit is 1 kB; use fewer samples";
        assert!(message.starts_with(expected), "{message}");
        // More memory is advised only where the machine has it.
        let huge = limits.check("a matrix", u64::MAX, "use fewer samples").expect_err("too many").to_string();
        if available().is_some() {
            assert!(
                message.ends_with(", or allow more memory (`memory`)") && huge.ends_with("samples"),
                "{huge}"
            );
        }
        assert_eq!(matrices(3, 1000, 2), 48_000);
        assert_eq!(matrices(usize::MAX, usize::MAX, 2), u64::MAX);
    }

    #[test]
    fn the_default_is_half_of_what_is_there() {
        let Some(free) = available() else { return };
        let share = Limits::default().memory.0 as f64 / free.0 as f64;
        assert!((0.3..0.7).contains(&share), "{share}");
    }

    #[test]
    fn a_group_has_what_its_tightest_parent_has() {
        let root = std::env::temp_dir().join(format!("fiedler-groups-{}", std::process::id()));
        let inner = root.join("a/b");
        fs::create_dir_all(&inner).expect("a folder");
        let write =
            |folder: &Path, name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
        for (folder, limit, used) in
            [(&root, "max\n", "5000\n"), (&root.join("a"), "1000\n", "700\n"), (&inner, "5000\n", "600\n")]
        {
            write(folder, "memory.max", limit);
            write(folder, "memory.current", used);
        }
        assert_eq!(SECOND.least_free(&root, "a/b"), Some(300));
        write(&root.join("a"), "memory.stat", "active_file 9\ninactive_file 150\n");
        assert_eq!(SECOND.least_free(&root, "a/b"), Some(450));
        assert_eq!(SECOND.least_free(&root, "not/there"), None, "no limit at the root");
        fs::remove_dir_all(&root).expect("removed");
    }

    #[test]
    fn long_work_is_announced_and_short_work_is_not() {
        use std::ops::ControlFlow;
        use std::sync::Mutex;
        #[derive(Default)]
        struct Notes(Mutex<Vec<String>>);
        impl Monitor for Notes {
            fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
            fn note(&self, text: &str) {
                self.0.lock().expect("one thread").push(text.to_owned());
            }
        }
        let notes = Notes::default();
        let threads = rayon::current_num_threads() as f64;
        announce(&notes, "sorting", 59.0 * threads, "wait");
        announce(&notes, "sorting", 600.0 * threads, "take a walk");
        assert_eq!(*notes.0.lock().expect("one thread"), ["sorting takes about 10 minutes; take a walk"]);
        assert_eq!(
            (duration(70.0), duration(7200.0), duration(3e5)),
            ("a minute".into(), "2 hours".into(), "3 days".into())
        );
        assert_eq!(
            (grouped(7), grouped(1234), grouped(1_234_567)),
            ("7".into(), "1,234".into(), "1,234,567".into())
        );
    }
}
