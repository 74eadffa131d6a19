//! Entropy of the pairwise similarities, leaving one feature out (SEPER; Dash et al.).
//!
//! # What it measures
//! Data with clusters are ordered: samples are either near or far, and few pairs lie in between. The entropy
//! of the similarities is low there and high where distances are all alike. A feature that makes clusters is
//! missed: without it the entropy is high. A noise feature is not: without it the entropy falls.
//!
//! # Formula
//! ```text
//! d_ij = distance over all features but t,   a = ln 2 / mean d_ij,   S_ij = exp(-a d_ij)
//! score of t = -Σ_{i<j} [S ln S + (1-S) ln(1-S)]
//! ```
//! Larger is better. S is ½, where the entropy of a pair is largest, at the mean distance. The entropy with all features is told as
//! the parameter `entropy`: a feature that scores above it is missed.
//!
//! # Symbols → code
//! d_ij² of all features `neighbors::squared_distances`; one feature's part is subtracted as it is
//! needed; exp and ln eight pairs at a time `kernel`. -S ln S is a·d·S, so a pair costs one root, one
//! exponential and one logarithm.
//!
//! # Cost
//! Samples² × features, twice (the mean, then the entropy), and one n × n matrix of squared distances:
//! 2,000 samples and 5,000 features are 10¹⁰ pairs, about two minutes of one processor. Refused above 32,768 samples.
//!
//! # When it fails
//! Slow: for many samples rank a part of them. One feature among thousands changes distances little, and the scores
//! then differ in late digits. Features are judged one by one: of two copies neither is missed much.
//!
//! # Differences from the paper
//! None. `a` belongs to the distances it is used with, so it is computed anew without the feature: otherwise leaving
//! out any feature would shrink all distances against a, and features would be judged by their variance. Where samples
//! that agree but for one feature leave only rounding of their distance (10⁻¹² of its square), that distance is 0.
//!
//! # References
//! Dash, Liu: Feature Selection for Clustering, PAKDD 2000; Dash, Choi, Scheuermann, Liu: Feature Selection for
//! Clustering, a Filter Solution, ICDM 2002; DIS 2.3.

mod kernel;

use faer::Mat;
use kernel::{LANES, Part};
use rayon::prelude::*;

use crate::Result;
use crate::dataset::{Center, Dataset, ScaledBlock, Scaling};
use crate::graph::{GraphRecipe, dense, neighbors};
use crate::limits::announce;
use crate::monitor::{Monitor, Stage};
use crate::parameters::Parameters;
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision};

/// Rows of the distances that one task looks at.
const ROWS: usize = 64;
/// Pairs that are looked at for one feature after the other while they are in the cache.
const PAIRS: usize = 64 * LANES;

/// The entropy of the data without a feature.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Entropy};
///
/// let ranking = Entropy.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order()[..2], [2, 3]); // the petals make the clusters
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Entropy;

/// Pairs of samples that a thread looks at in a second, for one feature.
const PAIRS_PER_SECOND: f64 = 4e7;

impl Method for Entropy {
    const INFO: MethodInfo = MethodInfo {
        name: "entropy",
        title: "Entropy (SEPER)",
        measures: "How much the order of the data suffers without a feature: the entropy of the similarities of \
                   all pairs when it is left out, high where a feature that makes clusters is missing.",
        formula: "-Σ_{i<j} S ln S + (1-S) ln(1-S),  S = exp(-ln 2 · d/mean d),  d without the feature",
        goal: Goal::Maximize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[],
        cost: "samples² x features, with a root, an exponential and a logarithm each; samples² memory",
        fails: "Slow. One feature among thousands changes distances little; of two copies neither is missed much.",
        reference: "Dash, Choi, Scheuermann, Liu: Feature Selection for Clustering, a Filter Solution, ICDM 2002",
    };

    fn build(_: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(Entropy)
    }
}

impl Selector for Entropy {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let (n, m) = (data.n_samples(), data.n_features());
        let advice = "use fewer samples, or another method without labels, such as laplacian";
        dense::check_size_or("the entropy of all pairs of samples", n, 1, (monitor, advice))?;
        let pairs_of_samples = 0.5 * (n as f64).powi(2);
        announce(monitor, "entropy", pairs_of_samples * m as f64 / PAIRS_PER_SECOND, advice);
        let pairs = Pairs { squares: neighbors::squared_distances(data, monitor)? };
        let all = pairs.entropies(&[vec![0.0; n]], &|| Ok(()))?[0];
        let mut parameters = Parameters::default();
        parameters.set("entropy", all);
        Ok(Scorer::free(Goal::Maximize, parameters, move |columns, monitor| pairs.scores(columns, monitor)))
    }
}

impl Pairs {
    /// The entropy without each feature.
    fn scores(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let m = data.n_features();
        let stage = Stage::new(monitor, "entropy", m)?;
        let mut scores = data.map_blocks("entropy", &stage.within(), |block, range| {
            let found = self.entropies(&columns(block, data.n_samples()), &|| stage.advance(0))?;
            stage.advance(range.len())?;
            Ok(found)
        })?;
        (0..m).filter(|&j| data.constant(j)).for_each(|j| scores[j] = f64::NAN);
        Ok(scores)
    }
}

/// The scaled columns of a block, about their means.
fn columns(block: &ScaledBlock<'_>, n: usize) -> Vec<Vec<f64>> {
    let column = |j: usize| {
        let mut column = vec![0.0; n];
        block.pack(j..j + 1, 1, Center::Mean, &mut column);
        column
    };
    (0..block.width()).map(column).collect()
}

/// The squared distances of all pairs.
struct Pairs {
    squares: Mat<f64>,
}

impl Pairs {
    /// The entropy without each of these columns. `check` is asked now and then whether to go on.
    fn entropies(&self, columns: &[Vec<f64>], check: &(dyn Fn() -> Result<()> + Sync)) -> Result<Vec<f64>> {
        let n = self.squares.nrows();
        let pairs = (n * n.saturating_sub(1) / 2) as f64;
        let sums = self.sums(columns, check, &|_, part| kernel::sum_of_distances(part))?;
        // Samples that do not differ at all are in perfect order: a distance of 0 has no entropy at any rate.
        let rate = |sum: &f64| if *sum > 0.0 { std::f64::consts::LN_2 * pairs / sum } else { 0.0 };
        let rates: Vec<f64> = sums.iter().map(rate).collect();
        self.sums(columns, check, &|f, part| kernel::sum_of_entropies(part, rates[f]))
    }

    /// Σ_{i<j} for every column, part by part. Rows are summed in groups of fixed size and the groups in
    /// order, so that threads do not change a bit.
    fn sums(
        &self,
        columns: &[Vec<f64>],
        check: &(dyn Fn() -> Result<()> + Sync),
        sum: &(impl Fn(usize, Part<'_>) -> f64 + Sync),
    ) -> Result<Vec<f64>> {
        let n = self.squares.nrows();
        let groups: Result<Vec<Vec<f64>>> = (0..n.div_ceil(ROWS))
            .into_par_iter()
            .map(|group| {
                check()?;
                let mut sums = vec![0.0; columns.len()];
                for i in group * ROWS..n.min((group + 1) * ROWS) {
                    self.add_row(i, columns, sum, &mut sums);
                }
                Ok(sums)
            })
            .collect();
        let mut total = vec![0.0; columns.len()];
        for sums in groups? {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        Ok(total)
    }

    fn add_row(
        &self,
        i: usize,
        columns: &[Vec<f64>],
        sum: &impl Fn(usize, Part<'_>) -> f64,
        sums: &mut [f64],
    ) {
        let n = self.squares.nrows();
        let squares = self.squares.col_as_slice(i);
        for start in (i + 1..n).step_by(PAIRS) {
            let range = start..n.min(start + PAIRS);
            for (f, (column, total)) in columns.iter().zip(sums.iter_mut()).enumerate() {
                let part =
                    Part { squares: &squares[range.clone()], values: &column[range.clone()], own: column[i] };
                *total += sum(f, part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_samples_by_hand() {
        // Without column 0 the samples lie at 0, 1, 3; without column 1 at 0, 0, 2.
        let data = Dataset::from_rows(&[[0.0, 0.0], [0.0, 1.0], [2.0, 3.0]]).expect("finite");
        let ranking = Entropy.rank(&data.scaled(crate::Scaling::None)).expect("a ranking");
        let entropy = |distances: [f64; 3]| -> f64 {
            let a = 2f64.ln() * 3.0 / distances.iter().sum::<f64>();
            let pair = |d: f64| {
                let s = (-a * d).exp();
                if d == 0.0 { 0.0 } else { -s * s.ln() - (1.0 - s) * (1.0 - s).ln() }
            };
            distances.map(pair).iter().sum()
        };
        let expected = [entropy([1.0, 3.0, 2.0]), entropy([0.0, 2.0, 2.0])];
        for (got, expected) in ranking.scores().iter().zip(expected) {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        let all = ranking.parameters.real("entropy");
        assert!((all - entropy([1.0, 13f64.sqrt(), 8f64.sqrt()])).abs() < 1e-12);
    }

    #[test]
    fn without_its_only_feature_nothing_is_left() {
        let data = Dataset::from_rows(&[[0.0], [1.0], [3.0]]).expect("finite");
        assert_eq!(Entropy.rank(&data).expect("a ranking").scores(), [0.0]);
    }
}
