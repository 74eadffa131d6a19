//! What stands in a column that is not all numbers, and what the options say about it: one rule for every format that can
//! hold text.

use std::collections::BTreeMap;

use crate::csv::Content;
use crate::dates::Orders;
use crate::error::{BadColumn, CellText, ColumnName, Holds, Location};
use crate::messy::{Categories, Dates, Missing, counted, listed};
use crate::options::ReadOptions;

/// The most values of a column that become features of their own.
pub(crate) const MOST_CATEGORIES: usize = 100;

/// What stands in a column.
#[derive(Clone)]
pub(crate) struct Column {
    numbers: usize,
    truths: usize,
    missing: usize,
    infinite: usize,
    dates: usize,
    texts: usize,
    /// How all dates can be written.
    orders: Orders,
    /// The first cell that is no number: its record and its text.
    first_text: Option<FirstCell>,
    first_missing: Option<FirstCell>,
    first_infinite: Option<FirstCell>,
    /// How often each text stands there; no more are counted once there are too many.
    values: BTreeMap<String, usize>,
}

/// A cell: its record and its text.
type FirstCell = (usize, String);

/// What becomes of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Numbers, perhaps with gaps.
    Number,
    /// `yes` and `no`, `True` and `False`: 1 and 0.
    Truth,
    /// Days since 1970-01-01, written in this order.
    Days(Orders),
    /// One feature for each of these values.
    OneHot(Vec<String>),
    /// Not read.
    Drop,
}

/// Something in a column that the options do not allow.
pub(crate) struct Refused {
    holds: Holds,
    count: usize,
    /// The record of the first.
    pub(crate) record: usize,
    found: String,
}

impl Refused {
    pub(crate) fn new(holds: Holds, count: usize, first: Option<FirstCell>) -> Self {
        let (record, found) = first.unwrap_or_default();
        Refused { holds, count, record, found }
    }

    /// The same as an error tells it.
    pub(crate) fn told(self, column: ColumnName, place: Location) -> BadColumn {
        let Refused { holds, count, found, .. } = self;
        BadColumn { column, holds, count, example: CellText(found), place }
    }
}

impl Default for Column {
    fn default() -> Self {
        Column {
            numbers: 0,
            truths: 0,
            missing: 0,
            infinite: 0,
            dates: 0,
            texts: 0,
            orders: Orders::ANY,
            first_text: None,
            first_missing: None,
            first_infinite: None,
            values: BTreeMap::new(),
        }
    }
}

impl Column {
    /// Counts a cell, whose text is asked for where it is told.
    pub(crate) fn add(&mut self, record: usize, content: Content, text: impl Fn() -> String) {
        let shown = || Some((record, text()));
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
            Content::Text => self.add_text(record, text()),
        }
    }

    fn add_text(&mut self, record: usize, text: String) {
        let orders = Orders::of(&text);
        self.truths += usize::from(truth(&text).is_some());
        self.dates += usize::from(!orders.is_empty());
        self.orders = self.orders.and(orders);
        self.texts += 1;
        self.first_text = self.first_text.take().or_else(|| Some((record, text.clone())));
        if self.values.len() <= MOST_CATEGORIES || self.values.contains_key(&text) {
            *self.values.entry(text).or_default() += 1;
        }
    }

    /// The same with what comes after.
    pub(crate) fn join(mut self, later: Column) -> Column {
        self.numbers += later.numbers;
        self.truths += later.truths;
        self.missing += later.missing;
        self.infinite += later.infinite;
        self.dates += later.dates;
        self.texts += later.texts;
        self.orders = self.orders.and(later.orders);
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
            texts if texts == self.dates && self.numbers == 0 && !self.orders.is_empty() => {
                Some(Holds::Dates)
            }
            // Words among numbers are slips, not a category.
            _ if self.numbers > 0 => Some(Holds::Slips),
            _ => Some(Holds::Text { different: self.values.len() }),
        }
    }

    /// What becomes of the column, and what the options do not allow.
    pub(crate) fn treat(&self, options: &ReadOptions) -> (Treatment, Vec<Refused>) {
        let holds = self.holds();
        let is_text = match holds {
            Some(Holds::Text { .. } | Holds::Dates) => true,
            Some(Holds::Slips) => self.texts >= self.numbers,
            _ => false,
        };
        let ordinal = holds == Some(Holds::Dates) && options.dates == Dates::Ordinal;
        let dropped = options.numeric_only || options.categories == Categories::Drop && is_text;
        if holds.is_some() && dropped && !ordinal {
            return (Treatment::Drop, Vec::new());
        }
        let mut refused = Vec::new();
        if self.infinite > 0 {
            refused.push(Refused::new(Holds::Infinite, self.infinite, self.first_infinite.clone()));
        }
        let one_hot = options.categories == Categories::OneHot;
        let treatment = match holds {
            None if self.texts > 0 => Treatment::Truth,
            None => Treatment::Number,
            Some(_) if ordinal => Treatment::Days(self.orders.settled()),
            Some(Holds::Text { different }) if one_hot && different <= MOST_CATEGORIES => {
                Treatment::OneHot(self.values.keys().cloned().collect())
            }
            Some(holds) => {
                refused.push(Refused::new(holds, self.texts, self.first_text.clone()));
                Treatment::Drop
            }
        };
        if self.missing > 0 && options.missing == Missing::Error {
            refused.push(Refused::new(Holds::Gaps, self.missing, self.first_missing.clone()));
        }
        (treatment, refused)
    }
}

/// What was done with columns that are not numbers, by name.
#[derive(Default)]
pub(crate) struct Treated {
    truths: Vec<String>,
    days: Vec<String>,
    split: Vec<String>,
    dropped: Vec<String>,
}

impl Treated {
    pub(crate) fn add(&mut self, name: String, treatment: &Treatment) {
        match treatment {
            Treatment::Number => {}
            Treatment::Truth => self.truths.push(name),
            Treatment::Days(order) => self.days.push(format!("{name} ({})", order.name())),
            Treatment::OneHot(values) => self.split.push(format!("{name} ({})", values.len())),
            Treatment::Drop => self.dropped.push(name),
        }
    }

    /// A note on each kind.
    pub(crate) fn notes(self) -> impl Iterator<Item = String> {
        let note = |names: &[String], what: &str| {
            let told = || format!("{} {what}: {}", counted(names.len(), "column"), listed(names));
            (!names.is_empty()).then(told)
        };
        let left_out = match self.dropped.len() {
            1 => "that holds no numbers left out",
            _ => "that hold no numbers left out",
        };
        [
            note(&self.truths, "of truth values read as 1 and 0"),
            note(&self.days, "of dates read as days since 1970-01-01"),
            note(&self.split, "of text made one feature for each value"),
            note(&self.dropped, left_out),
        ]
        .into_iter()
        .flatten()
    }
}

/// The error for columns that cannot be read: the cell, where one alone is bad.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(crate) fn refusal(file: &str, rows: usize, mut columns: Vec<BadColumn>) -> crate::Error {
    let file = file.to_owned();
    match columns.pop() {
        Some(BadColumn { column, holds, count: 1, example: found, place })
            if columns.is_empty() && holds != Holds::Typed =>
        {
            match holds {
                Holds::Gaps => crate::Error::Missing { file, place, column, found },
                Holds::Infinite => crate::Error::NotFinite { file, place, column, found },
                _ => crate::Error::NotANumber { file, place, column, found },
            }
        }
        last => {
            columns.extend(last);
            crate::Error::Columns { file, rows, columns }
        }
    }
}

/// Words for yes and no.
pub(crate) fn truth(text: &str) -> Option<bool> {
    let is = |words: [&str; 2]| words.iter().any(|w| text.eq_ignore_ascii_case(w));
    match text {
        _ if is(["true", "yes"]) => Some(true),
        _ if is(["false", "no"]) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_are_known() {
        for (text, expected) in [("True", true), ("yes", true), ("FALSE", false), ("No", false)] {
            assert_eq!(truth(text), Some(expected));
        }
        assert_eq!(truth("maybe"), None);
        assert_eq!(truth("t"), None);
    }
}
