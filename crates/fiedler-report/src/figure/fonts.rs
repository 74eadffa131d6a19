//! The fonts of this machine.

use fontdb::Database;

use crate::Look;

/// Typefaces that most machines have one of, by kind.
const SANS: &[&str] = &["Helvetica", "Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Segoe UI"];
const SERIF: &[&str] = &["Times New Roman", "Liberation Serif", "DejaVu Serif", "Noto Serif"];
const MONO: &[&str] = &["Courier New", "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono"];
/// Names that stand for a kind of typeface.
const KINDS: [&str; 3] = ["sans-serif", "serif", "monospace"];
/// Typefaces that are named where another one is asked for.
const NAMED: usize = 6;

/// The fonts that are installed, and the typeface to take where nothing else is said.
pub(super) fn installed(asked: &str) -> Result<(Database, String), String> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    checked(fonts, asked)
}

fn checked(mut fonts: Database, asked: &str) -> Result<(Database, String), String> {
    let mut families: Vec<String> =
        fonts.faces().flat_map(|face| &face.families).map(|(name, _)| name.clone()).collect();
    families.sort_unstable();
    families.dedup();
    let has = |name: &str| families.iter().any(|f| f == name);
    let Some(first) = families.first() else {
        return Err("no font is installed on this machine, so words cannot be drawn; install one (on Debian and Ubuntu \
                    `apt install fonts-dejavu-core`), or write .svg, which needs none"
            .to_owned());
    };
    let mut names = asked.split(',').map(|name| name.trim().trim_matches(['\'', '"']));
    if asked != Look::default().font && !names.any(|name| KINDS.contains(&name) || has(name)) {
        let some: Vec<&str> = families.iter().take(NAMED).map(String::as_str).collect();
        let more = if families.len() > NAMED { ", …" } else { "" };
        return Err(format!(
            "the typeface `{asked}` is not installed on this machine; take one that is (--font with {}{more}), or write \
             .svg, which leaves it to the program that shows the figure",
            some.join(", ")
        ));
    }
    let usual = |kind: &[&str]| kind.iter().find(|name| has(name)).map_or(first.clone(), ToString::to_string);
    let (sans, serif, mono) = (usual(SANS), usual(SERIF), usual(MONO));
    fonts.set_sans_serif_family(&sans);
    fonts.set_serif_family(serif);
    fonts.set_monospace_family(mono);
    Ok((fonts, sans))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_font_it_is_said_what_to_do() {
        let sentence = checked(Database::new(), &Look::default().font).expect_err("no font");
        assert!(sentence.starts_with("no font is installed on this machine"), "{sentence}");
        assert!(sentence.contains("fonts-dejavu-core") && sentence.contains(".svg"), "{sentence}");
    }
}
