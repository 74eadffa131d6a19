//! How many neighbors count: a number of the user's, or one that suits the data.

use std::fmt;
use std::str::FromStr;

use crate::dataset::Dataset;
use crate::{Error, Result};

/// How many neighbors count.
///
/// ```
/// use fiedler::graph::Neighbors;
///
/// assert_eq!("auto".parse::<Neighbors>()?, Neighbors::Auto);
/// assert_eq!("7".parse::<Neighbors>()?, Neighbors::from(7));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Neighbors {
    /// The usual number, or fewer where there are few samples; a note then tells.
    #[default]
    Auto,
    /// So many, and an error where the data do not have them.
    Given(usize),
}

/// The number that suits the data, and a sentence where it is not the usual one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fitted {
    pub(crate) k: usize,
    pub(crate) note: Option<String>,
}

impl Neighbors {
    /// For a search among all samples; `name` is the parameter.
    pub(crate) fn among_all(self, name: &str, usual: usize, data: &Dataset) -> Fitted {
        let n = data.n_samples();
        match self {
            Neighbors::Given(k) => Fitted { k, note: None },
            Neighbors::Auto => fewer(name, usual, n, || format!("there are {}", samples(n))),
        }
    }

    /// For a search in every class.
    pub(crate) fn in_classes(self, name: &str, usual: usize, data: &Dataset) -> Fitted {
        match (self, smallest_class(data)) {
            (Neighbors::Auto, Some(size)) if usual >= data.n_samples() => {
                fewer(name, usual, size, || format!("the smallest class has {}", samples(size)))
            }
            _ => self.among_all(name, usual, data),
        }
    }
}

/// As many as there are others among `among` samples, at most the usual number.
fn fewer(name: &str, usual: usize, among: usize, why: impl Fn() -> String) -> Fitted {
    if usual < among {
        return Fitted { k: usual, note: None };
    }
    // Where there are no others one is too many: the search says what is missing.
    let k = among.saturating_sub(1).max(1);
    Fitted { k, note: Some(format!("`{name}` is {k} in place of {usual}: {}", why())) }
}

fn smallest_class(data: &Dataset) -> Option<usize> {
    let labels = data.labels()?;
    let mut sizes = vec![0_usize; labels.classes().len()];
    labels.codes().iter().flatten().for_each(|&class| sizes[class as usize] += 1);
    sizes.into_iter().min()
}

fn samples(count: usize) -> String {
    if count == 1 { "1 sample".to_owned() } else { format!("{count} samples") }
}

impl From<usize> for Neighbors {
    fn from(k: usize) -> Self {
        Neighbors::Given(k)
    }
}

impl From<Option<usize>> for Neighbors {
    fn from(k: Option<usize>) -> Self {
        k.map_or(Neighbors::Auto, Neighbors::Given)
    }
}

impl fmt::Display for Neighbors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Neighbors::Auto => f.write_str("auto"),
            Neighbors::Given(k) => write!(f, "{k}"),
        }
    }
}

impl FromStr for Neighbors {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" {
            return Ok(Neighbors::Auto);
        }
        let wrong = || Error::parameter("k", "`auto` or a whole number from 1", format!("`{text}`"));
        text.parse().ok().filter(|k| *k > 0).map(Neighbors::Given).ok_or_else(wrong)
    }
}
