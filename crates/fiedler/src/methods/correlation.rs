//! The correlation of a feature with what is to be predicted.
//!
//! # What it measures
//! How well a straight line through the feature predicts the target. With classes it is the multiple correlation with
//! the indicators of the classes: how much of the feature its class means explain.
//!
//! # Formula
//! ```text
//! number:   score = |r| = |Σ (f_i - μ)(y_i - ȳ)| / (‖f - μ‖ ‖y - ȳ‖)
//! classes:  score = η = √(Σ_l n_l (μ_l - μ)² / Σ_i (f_i - μ)²)
//! ```
//! Larger is better; both lie in 0..1. The F statistics grow with them, F = r²/(1-r²) · (n-2) for a number and
//! F = η²/(1-η²) · (n-c)/(c-1) for c classes, so they give the same order. Of two classes written as 0 and 1, both are
//! the same. The Fisher score is η²/(1-η²). With ranks in place of values (`--transform ranks`) it is the
//! correlation of the ranks of the feature.
//!
//! # Symbols → code
//! y about its mean, divided by its norm `Target::unit`; what a feature is compared with `Coding`.
//!
//! # Cost
//! Samples × features; zeros of sparse data are skipped.
//!
//! # When it fails
//! Sees straight lines only: y = f² over a symmetric range scores 0. Judges features one by one: copies of a good feature
//! all rank high, and features that count only together score low. A few far-out samples can make or hide it.
//!
//! # Differences from the paper
//! None.
//!
//! # References
//! Guyon, Elisseeff: An Introduction to Variable and Feature Selection, JMLR 3, 2003, section 2.2.

use crate::afar::Remade;
use crate::dataset::products::dot;
use crate::dataset::{Dataset, ScaledBlock, Scaling};
use crate::graph::GraphRecipe;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision};
use crate::{Error, Result};

/// The correlation with the target.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Correlation};
///
/// let ranking = Correlation.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order(), [2, 3, 0, 1]); // as the Fisher score
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Correlation;

impl Method for Correlation {
    const INFO: MethodInfo = MethodInfo {
        name: "correlation",
        title: "Correlation with the target",
        measures: "How well a straight line through a feature predicts the target; with classes, how much of the \
                   feature the class means explain.",
        formula: "|r| = |Σ (f-μ)(y-ȳ)| / (‖f-μ‖ ‖y-ȳ‖);  classes: √(Σ n_l (μ_l-μ)² / Σ (f-μ)²)",
        goal: Goal::Maximize,
        supervision: Supervision::Supervised,
        takes_number: true,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[],
        cost: "samples x features",
        fails: "Sees straight lines only, and each feature alone: copies of a good feature all rank high, and features \
                that count only together score low.",
        reference: "Guyon, Elisseeff: An Introduction to Variable and Feature Selection, JMLR 3, 2003",
    };

    fn build(_: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(Correlation)
    }
}

impl Selector for Correlation {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, data: &Dataset, _: &dyn Monitor) -> Result<Scorer> {
        let coding = Coding::of(data)?;
        let scorer = Scorer::free(Goal::Maximize, Parameters::default(), move |columns, monitor| {
            coding.scores(columns, monitor)
        });
        Ok(scorer.remade_as(Remade::method(Self::INFO.name, Vec::new())))
    }
}

/// What a feature is compared with.
enum Coding {
    /// The target about its mean, divided by its norm.
    Number(Vec<f64>),
    /// The class of every sample, and the size of every class.
    Classes { codes: Vec<u32>, sizes: Vec<f64> },
}

impl Coding {
    fn of(data: &Dataset) -> Result<Self> {
        if data.target().is_some() {
            return Ok(Coding::Number(data.number(Correlation::INFO.name)?.unit()));
        }
        let (codes, count) = data.classes(Correlation::INFO.name)?;
        let mut sizes = vec![0.0; count];
        codes.iter().for_each(|&code| sizes[code as usize] += 1.0);
        Ok(Coding::Classes { codes, sizes })
    }

    fn n_samples(&self) -> usize {
        match self {
            Coding::Number(y) => y.len(),
            Coding::Classes { codes, .. } => codes.len(),
        }
    }

    fn scores(&self, columns: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let (expected, got) = (self.n_samples(), columns.n_samples());
        if expected != got {
            return Err(Error::Length { what: "samples of the columns to score", expected, got });
        }
        columns.map_blocks("correlations", monitor, |block, range| {
            let mut unit = vec![0.0; got];
            let mut score = |(j, feature): (usize, usize)| {
                if columns.constant(feature) {
                    return f64::NAN;
                }
                let found = if block.is_sparse() {
                    self.by_entries(block, j)
                } else {
                    block.unit_column(j, &mut unit);
                    self.of_column(&unit) / block.length(j)
                };
                // Rounding alone can lead beyond 1.
                found.min(1.0)
            };
            Ok(range.enumerate().map(&mut score).collect())
        })
    }

    /// The correlation of a column about its mean, times its norm.
    fn of_column(&self, column: &[f64]) -> f64 {
        match self {
            Coding::Number(y) => dot(column, y).abs(),
            Coding::Classes { codes, sizes } => {
                let mut sums = vec![0.0; sizes.len()];
                codes.iter().zip(column).for_each(|(&code, v)| sums[code as usize] += v);
                explained(&sums, sizes)
            }
        }
    }

    /// The correlation of a sparse column by what is not 0. The mean drops out where the target is a number, for that is
    /// about its own.
    fn by_entries(&self, block: &ScaledBlock<'_>, j: usize) -> f64 {
        let (zero, mean) = (block.zero(j), block.mean(j));
        let entries = block.entries(j).into_iter().flatten();
        let found = match self {
            Coding::Number(y) => entries.map(|(i, v)| (v - zero) * y[i]).sum::<f64>().abs(),
            Coding::Classes { codes, sizes } => {
                let mut sums: Vec<f64> = sizes.iter().map(|size| size * (zero - mean)).collect();
                entries.for_each(|(i, v)| sums[codes[i] as usize] += v - zero);
                explained(&sums, sizes)
            }
        };
        found / block.centered_norm(j)
    }
}

/// √(Σ s_l²/n_l), from the sums of the classes about the mean of all.
fn explained(sums: &[f64], sizes: &[f64]) -> f64 {
    sums.iter().zip(sizes).map(|(sum, size)| sum * sum / size).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Labels, Target};

    fn data() -> Dataset {
        Dataset::from_rows(&[[1.0, 4.0, 0.0], [2.0, 4.0, 1.0], [3.0, 4.0, 1.0], [6.0, 4.0, 0.0]])
            .expect("finite")
    }

    #[test]
    fn scores_are_those_by_hand() {
        let target = Target::new(vec![0.0, 0.0, 2.0, 2.0]).expect("finite");
        let ranking = Correlation.rank(&data().targeted(target).expect("four")).expect("a ranking");
        // About its mean the first column is (-2, -1, 0, 3), the target (-1, -1, 1, 1).
        let expected = 6.0 / (14f64.sqrt() * 2.0);
        assert!((ranking.scores()[0] - expected).abs() < 1e-15, "{:?}", ranking.scores());
        assert!(ranking.scores()[1].is_nan() && ranking.scores()[2].abs() < 1e-15);
        assert_eq!(ranking.target.as_deref(), Some("target"));
    }

    #[test]
    fn two_classes_are_the_number_0_or_1() {
        let labels = Labels::from_codes(&[0, 1, 0, 1]);
        let target = Target::new(vec![0.0, 1.0, 0.0, 1.0]).expect("finite");
        let classes = Correlation.rank(&data().labeled(labels).expect("four")).expect("a ranking");
        let number = Correlation.rank(&data().targeted(target).expect("four")).expect("a ranking");
        for j in [0, 2] {
            assert!((classes.scores()[j] - number.scores()[j]).abs() < 1e-15);
        }
        assert!(matches!(Correlation.rank(&data()), Err(Error::LabelsMissing { .. })));
    }
}
