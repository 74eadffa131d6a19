//! A second look at a table that is not all numbers: every column that cannot be read is found at once, and what the
//! options say about it is done.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::cells::{Content, cells, text};
use super::header::Role;
use super::records::line_of;
use super::{Reader, TASK_BYTES};
use crate::error::{BadColumn, CellText, ColumnName, Holds, Place};
use crate::messy::{Categories, Missing, counted, listed};
use crate::{Error, Result};

/// The most values of a column that become features of their own.
const MOST_CATEGORIES: usize = 100;

/// What stands in a column.
#[derive(Default, Clone)]
struct Column {
    numbers: usize,
    truths: usize,
    missing: usize,
    infinite: usize,
    dates: usize,
    texts: usize,
    /// The first cell that is no number: its record and its text.
    first_text: Option<(usize, String)>,
    first_missing: Option<(usize, String)>,
    first_infinite: Option<(usize, String)>,
    /// How often each text stands there; no more are counted once there are too many.
    values: BTreeMap<String, usize>,
}

/// What becomes of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Treatment {
    /// Numbers, perhaps with gaps.
    Number,
    /// `yes` and `no`, `True` and `False`: 1 and 0.
    Truth,
    /// One feature for each of these values.
    OneHot(Vec<String>),
    /// Not read.
    Drop,
}

impl Column {
    fn add(&mut self, record: usize, cell: &[u8], content: Content) {
        let shown = || Some((record, text(cell)));
        match content {
            Content::Number(_) => self.numbers += 1,
            Content::Missing => {
                self.missing += 1;
                self.first_missing = self.first_missing.take().or_else(shown);
            }
            Content::Infinite => {
                self.infinite += 1;
                self.first_infinite = self.first_infinite.take().or_else(shown);
            }
            Content::Text => {
                let text = text(cell);
                self.truths += usize::from(truth(&text).is_some());
                self.dates += usize::from(is_date(&text));
                self.texts += 1;
                self.first_text = self.first_text.take().or_else(|| Some((record, text.clone())));
                if self.values.len() <= MOST_CATEGORIES || self.values.contains_key(&text) {
                    *self.values.entry(text).or_default() += 1;
                }
            }
        }
    }

    /// The same with what comes after.
    fn join(mut self, later: Column) -> Column {
        self.numbers += later.numbers;
        self.truths += later.truths;
        self.missing += later.missing;
        self.infinite += later.infinite;
        self.dates += later.dates;
        self.texts += later.texts;
        self.first_text = self.first_text.or(later.first_text);
        self.first_missing = self.first_missing.or(later.first_missing);
        self.first_infinite = self.first_infinite.or(later.first_infinite);
        for (text, count) in later.values {
            *self.values.entry(text).or_default() += count;
        }
        self
    }

    /// What the column is, as far as it is not numbers.
    fn holds(&self) -> Option<Holds> {
        match self.texts {
            0 => None,
            texts if texts == self.truths && self.numbers == 0 => None,
            texts if texts == self.dates && self.numbers == 0 => Some(Holds::Dates),
            // Some words among many numbers are slips, not a category.
            texts if texts < self.numbers => Some(Holds::Slips),
            _ => Some(Holds::Text { different: self.values.len() }),
        }
    }
}

impl Reader<'_> {
    /// What becomes of every column, or an error that names all that cannot be read.
    ///
    /// # Errors
    /// `first`, where one cell alone is bad; all bad columns otherwise.
    pub(super) fn survey(&self, records: &[Range<usize>], first: Error) -> Result<Vec<Treatment>> {
        let columns = self.look(records);
        let mut bad = Vec::new();
        let mut treatments = Vec::with_capacity(columns.len());
        for (position, column) in columns.iter().enumerate() {
            treatments.push(match self.roles[position] {
                Role::Number(_) => self.treat(position, column, records, &mut bad),
                _ => Treatment::Drop,
            });
        }
        let cells: usize = bad.iter().map(|b: &BadColumn| b.count).sum();
        match cells {
            0 => Ok(treatments),
            1 => Err(first),
            _ => Err(Error::Columns { file: self.file.to_owned(), rows: records.len(), columns: bad }),
        }
    }

    /// Counts what stands in every column, parts of the records in parallel.
    fn look(&self, records: &[Range<usize>]) -> Vec<Column> {
        let per_task = (TASK_BYTES * records.len() / self.bytes.len().max(1)).max(1);
        let part = |(task, part): (usize, &[Range<usize>])| {
            let mut columns = vec![Column::default(); self.roles.len()];
            for (at, record) in part.iter().enumerate() {
                let cells = cells(&self.bytes[record.clone()], self.dialect.delimiter);
                for ((column, role), cell) in columns.iter_mut().zip(&self.roles).zip(cells) {
                    if matches!(role, Role::Number(_)) {
                        column.add(task * per_task + at, &cell, self.dialect.notation.read(&cell));
                    }
                }
            }
            columns
        };
        let parts: Vec<Vec<Column>> = records.par_chunks(per_task).enumerate().map(part).collect();
        let join = |a: Vec<Column>, b: Vec<Column>| a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect();
        parts.into_iter().reduce(join).unwrap_or_default()
    }

    /// What becomes of a column; what the options do not allow is added to `bad`.
    fn treat(
        &self,
        position: usize,
        column: &Column,
        records: &[Range<usize>],
        bad: &mut Vec<BadColumn>,
    ) -> Treatment {
        let mut refuse = |holds: Holds, count: usize, example: &Option<(usize, String)>| {
            let (record, found) = example.clone().unwrap_or_default();
            let line = Place::Line(line_of(self.bytes, records[record].start));
            let column = ColumnName { position, name: self.header.name(position).map(str::to_owned) };
            bad.push(BadColumn { column, holds, count, example: CellText(found), place: line });
        };
        let holds = column.holds();
        let dropped = self.options.numeric_only
            || self.options.categories == Categories::Drop
                && matches!(holds, Some(Holds::Text { .. } | Holds::Dates));
        if holds.is_some() && dropped {
            return Treatment::Drop;
        }
        if column.infinite > 0 {
            refuse(Holds::Infinite, column.infinite, &column.first_infinite);
        }
        let one_hot = self.options.categories == Categories::OneHot;
        let treatment = match holds {
            None if column.texts > 0 => Treatment::Truth,
            None => Treatment::Number,
            Some(Holds::Text { different })
                if one_hot && different <= MOST_CATEGORIES && column.numbers == 0 =>
            {
                Treatment::OneHot(column.values.keys().cloned().collect())
            }
            Some(holds) => {
                refuse(holds, column.texts, &column.first_text);
                Treatment::Drop
            }
        };
        if column.missing > 0 && self.options.missing == Missing::Error {
            refuse(Holds::Gaps, column.missing, &column.first_missing);
        }
        treatment
    }

    /// Gives every column the role of its treatment, and tells what is done unlike the file says.
    pub(super) fn apply(&mut self, treatments: Vec<Treatment>, notes: &mut Vec<String>) {
        let (mut truths, mut dropped, mut split) = (Vec::new(), Vec::new(), Vec::new());
        let mut place = 0;
        for (position, treatment) in treatments.into_iter().enumerate() {
            if !matches!(self.roles[position], Role::Number(_)) {
                continue;
            }
            let name =
                self.header.name(position).map_or_else(|| format!("column {}", position + 1), str::to_owned);
            let width = match &treatment {
                Treatment::Number => {
                    self.roles[position] = Role::Number(place);
                    1
                }
                Treatment::Truth => {
                    truths.push(name);
                    self.roles[position] = Role::Truth(place);
                    1
                }
                Treatment::OneHot(values) => {
                    split.push(format!("{name} ({})", values.len()));
                    self.roles[position] = Role::OneHot(place);
                    values.len()
                }
                Treatment::Drop => {
                    dropped.push(name);
                    self.roles[position] = Role::Skip;
                    0
                }
            };
            if let Treatment::OneHot(values) = treatment {
                self.values.insert(position, values);
            }
            place += width;
        }
        let mut tell = |names: &[String], what: &str| {
            if !names.is_empty() {
                notes.push(format!("{} {what}: {}", counted(names.len(), "column"), listed(names)));
            }
        };
        tell(&truths, "of truth values read as 1 and 0");
        tell(&split, "of text made one feature for each value");
        tell(&dropped, "that hold no numbers left out");
    }
}

/// Words for yes and no.
pub(super) fn truth(text: &str) -> Option<bool> {
    let is = |words: [&str; 2]| words.iter().any(|w| text.eq_ignore_ascii_case(w));
    match text {
        _ if is(["true", "yes"]) => Some(true),
        _ if is(["false", "no"]) => Some(false),
        _ => None,
    }
}

/// Whether a text is a day, perhaps with a time behind it: 2020-01-31, 31.1.2020, 1/31/20, 2020/01/31 10:00.
fn is_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or("");
    let Some(mark) = day.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '-' | '/' | '.'))
    else {
        return false;
    };
    let parts: Vec<Option<u32>> = day.split(mark).map(|part| part.parse().ok()).collect();
    let &[Some(a), Some(b), Some(c)] = parts.as_slice() else { return false };
    let fits = |year: u32, x: u32, y: u32| {
        year < 10_000 && (1..=31).contains(&x) && (1..=31).contains(&y) && x.min(y) <= 12
    };
    fits(a, b, c) && a > 31 || fits(c, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_known() {
        for text in ["2020-01-31", "31.1.2020", "1/31/20", "2020/01/31 10:00:00", "2020-01-31T10:00Z"] {
            assert!(is_date(text), "{text}");
        }
        for text in
            ["1.2.3.4", "2020-13-32", "a-b-c", "2020", "10:00", "99-99-99", "--", "1-2", "192.168.0.1"]
        {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn truths_are_known() {
        for (text, expected) in [("True", true), ("yes", true), ("FALSE", false), ("No", false)] {
            assert_eq!(truth(text), Some(expected));
        }
        assert_eq!(truth("maybe"), None);
        assert_eq!(truth("t"), None);
    }
}
