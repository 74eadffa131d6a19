//! A column of numbers to be predicted.

use fiedler::Target;

use crate::csv::{Content, Notation};
use crate::messy::{Missing, keep_rows};
use crate::options::ReadOptions;
use crate::table::{Raw, RawLabel};
use crate::{Error, Remedy, Result};

/// Checks that the named column holds a number for every sample; leaves out samples without one where the options ask
/// for that. The rows of the file are still all there, so a message can name one.
pub(crate) fn check(raw: &mut Raw, file: &str, options: &ReadOptions) -> Result<()> {
    let Some(label) = &raw.label else { return Ok(()) };
    let name = &label.column.name;
    let notation = notation(raw, options);
    let contents: Vec<Content> = label.texts.iter().map(|text| content(text.as_deref(), &notation)).collect();
    let wrong = |what: String, advice: &str, remedy: Option<Remedy>| {
        Err(Error::Target { file: file.to_owned(), what, advice: advice.to_owned(), remedy })
    };
    if let Some(row) = contents.iter().position(|c| matches!(c, Content::Text | Content::Infinite)) {
        let found = label.texts[row].as_deref().unwrap_or("");
        let shown: String = found.chars().take(40).collect();
        let what = format!(
            "the target `{name}` must be a number for every sample, and row {} has `{shown}`",
            row + 1
        );
        return match contents[row] {
            Content::Infinite => wrong(what, "correct it", None),
            _ => wrong(what, "if it holds classes, name it as the label", Some(Remedy::Label)),
        };
    }
    let is_missing = |i: &usize| contents[*i] == Content::Missing;
    let missing: Vec<usize> = (0..contents.len()).filter(is_missing).collect();
    match (missing.first(), options.missing) {
        (None, _) => Ok(()),
        (Some(first), _) if missing.len() == contents.len() => {
            let what =
                format!("the target `{name}` has no number in any row, the first is row {}", first + 1);
            wrong(what, "name another column", None)
        }
        (Some(_), Missing::DropRows) => {
            let (left_out, all) = (missing.len(), contents.len());
            let kept: Vec<usize> = (0..all).filter(|i| !is_missing(i)).collect();
            raw.notes.push(format!("{left_out} of {all} samples without a number in `{name}` were left out"));
            keep_rows(raw, &kept);
            Ok(())
        }
        (Some(first), _) => {
            let more = match missing.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let what = format!(
                "the target `{name}` must be a number for every sample, and row {} has none{more}",
                first + 1
            );
            wrong(what, "leave such samples out, or fill them in", Some(Remedy::DropRows))
        }
    }
}

/// The numbers of a column that was checked.
pub(crate) fn numbers(label: RawLabel, notation: &Notation) -> fiedler::Result<Target> {
    let number = |text: Option<String>| match content(text.as_deref(), notation) {
        Content::Number(value) => value,
        _ => f64::NAN,
    };
    Ok(Target::new(label.texts.into_iter().map(number).collect())?.called(label.column.name))
}

/// How the numbers of a file are written.
pub(crate) fn notation(raw: &Raw, options: &ReadOptions) -> Notation {
    Notation { decimal: raw.marks.1, missing: options.text.missing.clone() }
}

fn content(text: Option<&str>, notation: &Notation) -> Content {
    text.map_or(Content::Missing, |text| notation.read(text.as_bytes()))
}
