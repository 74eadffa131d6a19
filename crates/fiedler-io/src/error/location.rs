//! Where in a file, and in which column, something was found, in the words of an editor or a spreadsheet.

use std::fmt;

use crate::survey::MOST_CATEGORIES;

/// `1 name`, `2 names`.
pub(super) fn counted(count: &usize, noun: &str) -> String {
    if *count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Where in a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// A line of a text file; a quoted line break counts as one.
    Line(usize),
    /// A row of a table without lines; the first sample is row 1.
    Row(usize),
}

impl Location {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Location::Line(_) => "line",
            Location::Row(_) => "row",
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Line(n) => write!(f, "line {n}"),
            Location::Row(n) => write!(f, "row {n}"),
        }
    }
}

/// A column of a file: its position, and its name where it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnName {
    /// Counted from 0, all columns of the file included.
    pub position: usize,
    /// The name in the header.
    pub name: Option<String>,
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "column {} (`{name}`)", self.position + 1),
            None => write!(f, "column {} (`x{}`)", self.position + 1, self.position),
        }
    }
}

/// A column that cannot be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadColumn {
    /// The column.
    pub column: ColumnName,
    /// What it holds in place of numbers.
    pub holds: Holds,
    /// In how many cells.
    pub count: usize,
    /// One of them.
    pub example: CellText,
    /// Where that one is.
    pub place: Location,
}

/// What a column holds in place of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Text, of so many different values.
    Text {
        /// How many.
        different: usize,
    },
    /// Days.
    Dates,
    /// Values of a type that is not read; the example names it.
    Typed,
    /// Numbers, and a few cells that are none.
    Slips,
    /// No value.
    Gaps,
    /// Values beyond double precision.
    Infinite,
}

impl BadColumn {
    /// What it holds, without its name.
    fn content(&self) -> String {
        let Self { count, example, place, .. } = self;
        let cells = if *count == 1 { "cell" } else { "cells" };
        match self.holds {
            Holds::Text { different } if different > MOST_CATEGORIES => format!(
                "{count} {cells} of text, more than {MOST_CATEGORIES} different (too many for one feature each), \
                 such as {example} in {place}"
            ),
            Holds::Text { different } => {
                format!("{count} {cells} of text, {different} different, such as {example} in {place}")
            }
            Holds::Typed => format!("values of type {}", example.0),
            Holds::Dates => format!("{count} dates, such as {example} in {place}"),
            Holds::Slips => format!("{count} {cells} not a number, such as {example} in {place}"),
            Holds::Gaps if example.0.is_empty() => {
                format!("{count} {cells} missing, the first in {place} (empty)")
            }
            Holds::Gaps => format!("{count} {cells} missing, the first in {place} ({example})"),
            Holds::Infinite => format!("{count} {cells} not finite, such as {example} in {place}"),
        }
    }
}

impl fmt::Display for BadColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.column, self.content())
    }
}

/// All of them, as far as they fit; a column of text that has gaps too is one column.
pub(super) fn bad_columns(columns: &[BadColumn], rows: usize) -> String {
    const SHOWN: usize = 20;
    let each: Vec<&[BadColumn]> = columns.chunk_by(|a, b| a.column == b.column).collect();
    let words = |same: &&[BadColumn]| {
        let rest: String = same[1..].iter().map(|more| format!(" and {}", more.content())).collect();
        format!("{}{rest}", same[0])
    };
    let shown: Vec<String> = each.iter().take(SHOWN).map(words).collect();
    let more = match each.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let noun = if each.len() == 1 { "column" } else { "columns" };
    format!("{} {noun} of {rows} cells cannot be read as numbers: {}{more}", each.len(), shown.join("; "))
}

/// The text of a cell, shortened when long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellText(pub String);

impl fmt::Display for CellText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        match self.0.chars().nth(LONGEST) {
            _ if self.0.is_empty() => f.write_str("nothing"),
            None => write!(f, "`{}`", self.0),
            Some(_) => write!(f, "`{}…`", self.0.chars().take(LONGEST).collect::<String>()),
        }
    }
}
