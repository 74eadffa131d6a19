//! How wide the place is where people read, and lines that fit into it.

use std::borrow::Cow;
use std::io::IsTerminal;

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

/// The width of a page where nobody says how wide it is.
const USUAL: usize = 80;

/// Below this nothing is folded any further.
const NARROWEST: usize = 30;

/// Where the text of lines with a label (`data   …`) begins.
const LABEL: usize = 7;

/// Columns that there are: of `COLUMNS`, of the terminal, or of a usual page.
pub(crate) fn width() -> usize {
    known().unwrap_or(USUAL)
}

/// Columns of the place where people read; none are missing where nobody says how wide that is.
pub(crate) fn page() -> usize {
    known().unwrap_or(usize::MAX / 2)
}

/// What `COLUMNS` or the terminal says.
fn known() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(columns, _)| usize::from(columns.0));
    let found = said.or_else(|| terminal().filter(|_| std::io::stdout().is_terminal()));
    found.filter(|&columns| columns > 0).map(|columns: usize| columns.max(NARROWEST))
}

/// Lines that are too long for the terminal, broken between words. Where there is none they stay whole, for whoever
/// reads them next.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    match known() {
        Some(width) if text.lines().any(|line| shown(line) > width) => {
            Cow::Owned(text.split_inclusive('\n').map(|line| fold(line, width)).collect())
        }
        _ => Cow::Borrowed(text),
    }
}

/// Columns that a text with styles takes.
fn shown(text: &str) -> usize {
    strip_str(text).to_string().trim_end_matches('\n').width()
}

fn fold(line: &str, width: usize) -> String {
    if shown(line) <= width {
        return line.to_owned();
    }
    let margin = " ".repeat(margin(line).min(width / 3));
    let mut out = String::new();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let needed = shown(word.trim_end());
        if used + needed > width && used > margin.len() {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&margin);
            used = margin.len();
        }
        out.push_str(word);
        used += shown(word);
    }
    out
}

/// Where the following lines begin: under the text behind a label, which has a style of its own, or a little further in
/// than a first line that is moved in.
fn margin(line: &str) -> usize {
    let space = line.find(' ').unwrap_or(line.len());
    let labeled = line[..space].ends_with(&format!("{:#}", super::DIM));
    let plain = strip_str(line).to_string();
    match plain.len() - plain.trim_start().len() {
        0 if labeled => LABEL,
        0 => 0,
        moved => moved + 2,
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::fold;
    use crate::output::DIM;

    #[test]
    fn a_line_is_folded_under_its_text() {
        let folded = fold(&format!("{DIM}data{DIM:#}   one two three four five\n"), 21);
        assert_eq!(strip_str(&folded).to_string(), "data   one two three\n       four five\n");
        assert_eq!(fold("  one two three four\n", 15), "  one two three\n    four\n");
        assert_eq!(fold("short\n", 16), "short\n");
        assert_eq!(fold("a sentence that is long\n", 10), "a sentence\nthat is\nlong\n");
        assert_eq!(fold("incomprehensibilities\n", 10), "incomprehensibilities\n");
    }
}
