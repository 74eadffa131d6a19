//! Parameters: what a method, a graph or a metric can be asked with.
//!
//! A [`ParameterInfo`] is the one description of a parameter: its name, the values it takes, its
//! default and its help. The options of the command, the keys of TOML files, the keywords of the
//! Python classes and the pages of the documentation are all made from it. [`Parameters`] are checked
//! values by name: whoever reads them need not check again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::{Error, Result};

/// The description of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterInfo {
    /// Name, as in `--set name=value`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value where none is given.
    pub default: ParameterValue,
    /// What it is to those who ask the same of every method.
    pub role: Role,
    /// Another parameter and the value that it must have for this one to be read; `None`: it always is.
    pub only_with: Option<(&'static str, &'static str)>,
    /// What it does.
    pub help: &'static str,
}

/// What a parameter means beyond its own method. Whoever wants twenty features, or another seed, says
/// so once, and every method that has such a parameter hears it under its own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Role {
    /// Nothing: it is the method's own.
    #[default]
    Own,
    /// How many features are wanted.
    Count,
    /// How many neighbors a sample has.
    Neighbors,
    /// The seed of random numbers.
    Seed,
}

/// The values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number in a range, both ends included.
    Integer {
        /// Smallest value.
        min: usize,
        /// Largest value.
        max: usize,
    },
    /// As `Integer`, or one of some words.
    IntegerOr {
        /// Smallest value.
        min: usize,
        /// Largest value.
        max: usize,
        /// The words.
        words: &'static [&'static str],
    },
    /// A number in a range, both ends included.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// As `Real`, or one of some words.
    RealOr {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// The words.
        words: &'static [&'static str],
    },
    /// Yes or no.
    Bool,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A text with a grammar of its own, which its reader checks.
    Text {
        /// What the text looks like, for people.
        syntax: &'static str,
    },
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |w: &[&str]| w.iter().map(|w| format!(", or {w}")).collect::<String>();
        match *self {
            Kind::Integer { min, max } => write_whole(f, min, max),
            Kind::IntegerOr { min, max, words: w } => write_whole(f, min, max).and(f.write_str(&words(w))),
            Kind::Real { min, max } => write_real(f, min, max),
            Kind::RealOr { min, max, words: w } => write_real(f, min, max).and(f.write_str(&words(w))),
            Kind::Bool => f.write_str("true or false"),
            Kind::Choice(w) => write!(f, "one of {}", w.join(", ")),
            Kind::Text { syntax } => f.write_str(syntax),
        }
    }
}

fn write_whole(f: &mut fmt::Formatter<'_>, min: usize, max: usize) -> fmt::Result {
    match max {
        usize::MAX => write!(f, "a whole number from {min}"),
        _ => write!(f, "a whole number from {min} to {max}"),
    }
}

fn write_real(f: &mut fmt::Formatter<'_>, min: f64, max: f64) -> fmt::Result {
    match (min.is_finite(), max < f64::MAX) {
        (true, true) => write!(f, "a number from {min} to {max}"),
        (true, false) if min == f64::MIN_POSITIVE => write!(f, "a number above 0"),
        (true, false) => write!(f, "a number from {min}"),
        _ => write!(f, "a number"),
    }
}

/// A parameter's value.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
#[non_exhaustive]
pub enum ParameterValue {
    /// A whole number.
    Integer(usize),
    /// A number.
    Real(f64),
    /// A word, or, on its way to a parameter, any value as the user wrote it.
    Text(Cow<'static, str>),
    /// Yes or no.
    Bool(bool),
}

impl ParameterValue {
    /// A word that is known when the program is written.
    pub const fn word(word: &'static str) -> Self {
        ParameterValue::Text(Cow::Borrowed(word))
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterValue::Integer(v) => write!(f, "{v}"),
            ParameterValue::Real(v) => write!(f, "{v}"),
            ParameterValue::Text(v) => write!(f, "{v}"),
            ParameterValue::Bool(v) => write!(f, "{v}"),
        }
    }
}

impl From<usize> for ParameterValue {
    fn from(v: usize) -> Self {
        ParameterValue::Integer(v)
    }
}

impl From<f64> for ParameterValue {
    fn from(v: f64) -> Self {
        ParameterValue::Real(v)
    }
}

impl From<&str> for ParameterValue {
    fn from(v: &str) -> Self {
        ParameterValue::Text(v.to_owned().into())
    }
}

impl From<String> for ParameterValue {
    fn from(v: String) -> Self {
        ParameterValue::Text(v.into())
    }
}

impl From<bool> for ParameterValue {
    fn from(v: bool) -> Self {
        ParameterValue::Bool(v)
    }
}

impl ParameterInfo {
    /// Checks a value, and reads it where it is a text of the user's.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the rule.
    pub fn check(&self, value: &ParameterValue) -> Result<ParameterValue> {
        let found = match (self.kind, value) {
            (Kind::Bool, ParameterValue::Bool(v)) => Some(ParameterValue::Bool(*v)),
            (Kind::Bool, ParameterValue::Text(t)) => t.parse().ok().map(ParameterValue::Bool),
            (
                Kind::IntegerOr { words, .. } | Kind::RealOr { words, .. } | Kind::Choice(words),
                ParameterValue::Text(t),
            ) if words.contains(&&**t) => Some(value.clone()),
            // A word that looks like something else, as in `phi = 2`.
            (Kind::Choice(words), ParameterValue::Integer(_) | ParameterValue::Bool(_)) => {
                words.iter().find(|w| **w == value.to_string()).map(|w| ParameterValue::word(w))
            }
            (Kind::Integer { min, max } | Kind::IntegerOr { min, max, .. }, value) => {
                whole(value).filter(|v| (min..=max).contains(v)).map(ParameterValue::Integer)
            }
            (Kind::Real { min, max } | Kind::RealOr { min, max, .. }, value) => {
                number(value).filter(|v| v.is_finite() && (min..=max).contains(v)).map(ParameterValue::Real)
            }
            (Kind::Text { .. }, value) => Some(ParameterValue::from(value.to_string())),
            _ => None,
        };
        found.ok_or_else(|| {
            let got = match value {
                ParameterValue::Text(text) => format!("`{text}`"),
                other => other.to_string(),
            };
            Error::parameter(self.name, self.kind.to_string(), got)
        })
    }
}

fn whole(value: &ParameterValue) -> Option<usize> {
    match value {
        ParameterValue::Integer(v) => Some(*v),
        ParameterValue::Text(text) => text.parse().ok(),
        _ => None,
    }
}

fn number(value: &ParameterValue) -> Option<f64> {
    match value {
        ParameterValue::Integer(v) => Some(*v as f64),
        ParameterValue::Real(v) => Some(*v),
        ParameterValue::Text(text) => text.parse().ok(),
        ParameterValue::Bool(_) => None,
    }
}

/// Parameters by name, in alphabetical order: what something was asked with, and what it chose by itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(BTreeMap<&'static str, ParameterValue>);

impl Parameters {
    /// The defaults of `described`.
    pub fn defaults(described: &[ParameterInfo]) -> Self {
        Parameters(described.iter().map(|p| (p.name, p.default.clone())).collect())
    }

    /// The defaults of `described`, with the values that are `given` for `owner`, checked.
    ///
    /// # Errors
    /// [`Error::UnknownParameter`] or [`Error::Parameter`].
    pub fn read<'a, V: Into<ParameterValue>>(
        owner: &'static str,
        described: &'static [ParameterInfo],
        given: impl IntoIterator<Item = (&'a str, V)>,
    ) -> Result<Self> {
        let mut parameters = Self::defaults(described);
        for (name, value) in given {
            let known = || match described {
                [] => "none".to_owned(),
                all => all.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
            };
            let info = described.iter().find(|p| p.name == name).ok_or_else(|| Error::UnknownParameter {
                owner,
                name: name.to_owned(),
                known: known(),
            })?;
            parameters.0.insert(info.name, info.check(&value.into())?);
        }
        Ok(parameters)
    }

    /// Sets a value; used to tell what was chosen.
    pub fn set(&mut self, name: &'static str, value: impl Into<ParameterValue>) {
        self.0.insert(name, value.into());
    }

    /// The value of a parameter, if there is one of that name.
    pub fn value(&self, name: &str) -> Option<&ParameterValue> {
        self.0.get(name)
    }

    /// All parameters, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &ParameterValue)> {
        self.0.iter().map(|(&name, value)| (name, value))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole number of a parameter that takes nothing else.
    pub fn whole(&self, name: &str) -> usize {
        self.whole_or_word(name).unwrap_or_else(|| self.not_described(name, "a whole number"))
    }

    /// A whole number; `None` where the value is a word.
    pub fn whole_or_word(&self, name: &str) -> Option<usize> {
        match self.0.get(name)? {
            ParameterValue::Integer(v) => Some(*v),
            _ => None,
        }
    }

    /// The number of a parameter that takes nothing else.
    pub fn real(&self, name: &str) -> f64 {
        self.real_or_word(name).unwrap_or_else(|| self.not_described(name, "a number"))
    }

    /// A number; `None` where the value is a word.
    pub fn real_or_word(&self, name: &str) -> Option<f64> {
        number(self.0.get(name)?).filter(|_| !matches!(self.0.get(name), Some(ParameterValue::Text(_))))
    }

    /// Yes or no.
    pub fn flag(&self, name: &str) -> bool {
        match self.0.get(name) {
            Some(ParameterValue::Bool(v)) => *v,
            _ => self.not_described(name, "true or false"),
        }
    }

    /// A word; the empty text where the value is a number.
    pub fn text(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(ParameterValue::Text(v)) => v,
            _ => "",
        }
    }

    /// A defect of the program, not of what the user said: a method asks for a parameter that its
    /// description does not have, or has otherwise.
    fn not_described<T>(&self, name: &str, what: &str) -> T {
        unreachable!("`{name}` is not described as {what}: {:?}", self.0.get(name))
    }
}

/// An enum whose variants have names that users write: the list of names, the name of a variant, and
/// the variant of a name. A word that is none of them is an error, never a default.
macro_rules! words {
    ($type:ident, $parameter:literal, $($variant:ident = $word:literal),+ $(,)?) => {
        impl $type {
            /// The names that users write.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The name that users write.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::Error;

            fn from_str(text: &str) -> $crate::Result<Self> {
                match text {
                    $($word => Ok($type::$variant),)+
                    _ => {
                        let rule = format!("one of {}", Self::NAMES.join(", "));
                        Err($crate::Error::parameter($parameter, rule, format!("`{text}`")))
                    }
                }
            }
        }
    };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
    use super::*;

    const DESCRIBED: &[ParameterInfo] = &[
        ParameterInfo {
            name: "count",
            kind: Kind::Integer { min: 1, max: 9 },
            default: ParameterValue::Integer(5),
            role: Role::Count,
            only_with: None,
            help: "",
        },
        ParameterInfo {
            name: "width",
            kind: Kind::RealOr { min: 0.0, max: f64::INFINITY, words: &["auto"] },
            default: ParameterValue::word("auto"),
            role: Role::Own,
            only_with: None,
            help: "",
        },
        ParameterInfo {
            name: "phi",
            kind: Kind::Choice(&["1", "2"]),
            default: ParameterValue::word("2"),
            role: Role::Own,
            only_with: None,
            help: "",
        },
        ParameterInfo {
            name: "mutual",
            kind: Kind::Bool,
            default: ParameterValue::Bool(false),
            role: Role::Own,
            only_with: None,
            help: "",
        },
    ];

    fn read(name: &str, value: impl Into<ParameterValue>) -> Result<Parameters> {
        Parameters::read("demo", DESCRIBED, [(name, value)])
    }

    #[test]
    fn texts_and_values_say_the_same() {
        for (name, text, value) in [
            ("count", "7", ParameterValue::Integer(7)),
            ("width", "0.5", ParameterValue::Real(0.5)),
            ("width", "2", ParameterValue::Integer(2)),
            ("width", "auto", ParameterValue::word("auto")),
            ("phi", "1", ParameterValue::Integer(1)),
            ("mutual", "true", ParameterValue::Bool(true)),
        ] {
            assert_eq!(read(name, text).ok(), read(name, value.clone()).ok(), "{name} {text}");
            assert!(read(name, value).is_ok(), "{name} {text}");
        }
    }

    #[test]
    fn what_breaks_the_rule_is_named() {
        for (name, value) in [
            ("count", ParameterValue::Integer(10)),
            ("count", ParameterValue::Real(2.0)),
            ("count", ParameterValue::word("many")),
            ("width", ParameterValue::Real(-1.0)),
            ("width", ParameterValue::Real(f64::INFINITY)),
            ("phi", ParameterValue::Integer(3)),
            ("mutual", ParameterValue::Integer(1)),
        ] {
            let error = read(name, value.clone()).err().map(|e| e.to_string()).unwrap_or_default();
            assert!(error.starts_with(&format!("`{name}` must be ")), "{name} {value}: {error}");
        }
        let unknown = read("gamma", "r").err().map(|e| e.to_string());
        assert_eq!(
            unknown.as_deref(),
            Some("demo has no parameter `gamma`; it has: count, width, phi, mutual")
        );
    }
}
