//! Scaling of features, lazily: two numbers per column, applied as a block is read.

use std::str::FromStr;

use super::stats::ColumnStats;
use super::transform::Transform;
use crate::{Error, Result};

/// What is done to every feature before graph and scores see it.
///
/// Features come in different units, and without scaling the feature with the largest unit decides
/// who is near whom; hence the default. Sparse data are divided only: subtracting would fill in the zeros, and distances
/// do not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Scaling {
    /// What suits the method, mostly `Standard`; a graph or a spectrum by itself sees `Standard`.
    #[default]
    Auto,
    /// Mean 0, standard deviation 1.
    Standard,
    /// Smallest value 0, largest 1.
    Range,
    /// As the user gave them.
    None,
}

impl Scaling {
    /// The scaling that is seen where this one was asked for: `suits` where nothing was, and the user's own units
    /// where these suit, whatever was asked. Ranks are one scale for all features, and their spread means something.
    pub(crate) fn seen(self, suits: Scaling, transform: Transform) -> Scaling {
        match (transform, suits, self) {
            (Transform::Ranks, ..) | (_, Scaling::None, _) => Scaling::None,
            (_, suits, Scaling::Auto) => suits,
            (_, _, asked) => asked,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scaling::Auto => "auto",
            Scaling::Standard => "standard",
            Scaling::Range => "range",
            Scaling::None => "none",
        }
    }
}

impl FromStr for Scaling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Scaling::Auto),
            "standard" => Ok(Scaling::Standard),
            "range" => Ok(Scaling::Range),
            "none" => Ok(Scaling::None),
            _ => Err(Error::parameter("scale", "auto, standard, range or none", format!("`{text}`"))),
        }
    }
}

impl ColumnStats {
    /// `(shift, factor)` with scaled value = (value - shift)·factor.
    pub(crate) fn affine(&self, scaling: Scaling, sparse: bool) -> (f64, f64) {
        let (shift, spread) = match scaling {
            Scaling::Auto | Scaling::Standard => (self.mean, self.variance.sqrt()),
            Scaling::Range => (self.min, self.max - self.min),
            Scaling::None => (0.0, 1.0),
        };
        // A constant feature has no spread: it is left as it is and contributes nothing.
        let factor = 1.0 / spread;
        let factor = if self.is_constant() || !factor.is_finite() { 1.0 } else { factor };
        (if sparse { 0.0 } else { shift }, factor)
    }
}
