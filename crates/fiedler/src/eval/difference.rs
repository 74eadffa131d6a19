//! How far two selections are apart, and how sure that is.

/// A difference of two means over the same partitions: this selection less another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The mean of the differences.
    pub mean: f64,
    /// Where the true difference lies, with a confidence of 1 - significance, by the paired t-test; `None` where partitions tell
    /// nothing of the spread, and where another test decides.
    pub interval: Option<(f64, f64)>,
    /// Of the test that decides, see [`Judge`](super::Judge); `None` where nothing can be tested, as with one partition.
    pub p_value: Option<f64>,
    /// What follows from it.
    pub standing: Standing,
}

/// How a selection compares with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Significantly better.
    Better,
    /// Significantly worse.
    Worse,
    /// The partitions cannot tell them apart.
    Level,
}

impl Standing {
    /// The name in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Better => "better",
            Standing::Worse => "worse",
            Standing::Level => "level",
        }
    }
}

impl Difference {
    /// The less sure of two judgments of one difference; one that tells nothing is none.
    pub(super) fn or_less(self, other: Difference) -> Difference {
        match (self.p_value, other.p_value) {
            (Some(own), Some(others)) if others > own => other,
            _ => self,
        }
    }

    /// How far the interval reaches: the smallest difference that these partitions would call significant.
    pub fn reach(&self) -> Option<f64> {
        // An end that no difference can reach is cut off, and the other one is as far from the mean as both were.
        self.interval.map(|(low, high)| (high - self.mean).max(self.mean - low))
    }
}
