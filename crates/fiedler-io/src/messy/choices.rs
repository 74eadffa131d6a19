//! What the user may want done about cells and columns that are not numbers.

use std::fmt;
use std::str::FromStr;

/// What is done about cells without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// They are an error.
    #[default]
    Error,
    /// Samples that have any are left out.
    DropRows,
    /// Features that have any are left out.
    DropColumns,
    /// They get the mean of the feature.
    Mean,
    /// They get the median of the feature.
    Median,
}

/// What is done about columns of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Categories {
    /// They are an error.
    #[default]
    Error,
    /// They are left out.
    Drop,
    /// Each of their values becomes a feature that is 1 where a sample has it and 0 elsewhere.
    OneHot,
}

/// What is done about columns of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dates {
    /// They are an error.
    #[default]
    Error,
    /// They become days since 1970-01-01.
    Ordinal,
}

/// How many samples are read, and which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// The number of samples.
    pub count: usize,
    /// The same seed draws the same samples.
    pub seed: u64,
}

impl Missing {
    /// All of them, by name.
    pub const ALL: [(&'static str, Missing); 5] = [
        ("error", Missing::Error),
        ("drop-rows", Missing::DropRows),
        ("drop-columns", Missing::DropColumns),
        ("mean", Missing::Mean),
        ("median", Missing::Median),
    ];
}

impl Categories {
    /// All of them, by name.
    pub const ALL: [(&'static str, Categories); 3] =
        [("error", Categories::Error), ("drop", Categories::Drop), ("onehot", Categories::OneHot)];
}

impl Dates {
    /// All of them, by name.
    pub const ALL: [(&'static str, Dates); 2] = [("error", Dates::Error), ("ordinal", Dates::Ordinal)];
}

impl FromStr for Dates {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named("dates", &Dates::ALL, text)
    }
}

impl FromStr for Missing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named("missing", &Missing::ALL, text)
    }
}

impl FromStr for Categories {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named("categories", &Categories::ALL, text)
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(&Missing::ALL, self))
    }
}

impl fmt::Display for Categories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(&Categories::ALL, self))
    }
}

impl fmt::Display for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(&Dates::ALL, self))
    }
}

fn name<T: PartialEq>(all: &[(&'static str, T)], one: &T) -> &'static str {
    all.iter().find(|(_, value)| value == one).map_or("", |(name, _)| name)
}

fn named<T: Copy>(what: &str, all: &[(&str, T)], text: &str) -> Result<T, String> {
    all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        format!("`{what}` must be one of {}, got `{text}`", names.join(", "))
    })
}
