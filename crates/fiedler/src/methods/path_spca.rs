//! PathSPCA: greedy sparse principal components (d'Aspremont et al.).
//!
//! # What it measures
//! Which few features together carry the most variance in one direction. Features are added one after the other, each
//! time the one that follows the leading component of the chosen ones most closely.
//!
//! # Formula
//! ```text
//! u = leading left singular vector of the chosen columns
//! next feature = the largest (uᵀf)²
//! ```
//! over centered columns. The first feature is the one of the largest variance. `count` features are chosen; the others follow by
//! their last (uᵀf)². What is maximized is the variance of the leading component, λ_max of the chosen columns' covariance, and
//! adding f raises it by at least (uᵀf)²/n. That is the score, measured when the feature was chosen (of the first feature, its
//! variance); the order is that of choice, along which it may rise and fall. The variances are told as a [`Detail`].
//!
//! # Symbols → code
//! With A the chosen columns, AᵀA is kept and grows by one row a step; its leading vector v (`leading`, from a start that is one
//! power step away) gives u = Av/‖Av‖. (uᵀf)² of all features: `Dataset::product_norms`.
//!
//! # Cost
//! Samples × features for every chosen feature, and for k chosen ones a few products with a k × k matrix.
//! Standardized data: some tens of passes over the data more, for the first feature.
//!
//! # When it fails
//! It looks for one component and takes the features that follow it: copies of a good feature all rank high, and structure
//! in other directions is not seen. Where the two largest eigenvalues are equal the component is not defined.
//! Without scaling, the largest unit wins.
//!
//! # Differences from the paper
//! Features of the same variance (all of them, on standardized data) leave the first choice open; it is then
//! the one of them with the largest (uᵀf)² for u the leading component of all features. Values that agree to nine digits count as
//! equal, and the first column wins, so that rounding does not choose.
//!
//! # References
//! d'Aspremont, Bach, El Ghaoui: Optimal Solutions for Sparse Principal Component Analysis, JMLR 9, 2008, algorithm 2
//! (approximate greedy search); DIS 5.6.

mod leading;

use std::ops::Range;

use crate::dataset::products::center;
use crate::dataset::{Center, Dataset, ScaledBlock, Scaling};
use crate::detail::Detail;
use crate::graph::GraphRecipe;
use crate::limits::announce;
use crate::monitor::{Monitor, Stage};
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Selector, Supervision};
use crate::{Error, Result};

/// Values closer than this share of the larger one are equal.
const EQUAL: f64 = 1e-9;

/// Greedy sparse principal components.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::PathSpca};
///
/// let ranking = PathSpca { count: 3 }.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order(), [2, 3, 0, 1]); // sepal width goes another way than the others
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathSpca {
    /// How many features are chosen one after the other.
    pub count: usize,
}

impl Default for PathSpca {
    fn default() -> Self {
        Self::usual()
    }
}

/// Passes over the data until the first feature is chosen, mostly, and values that a thread reads in a second.
const PASSES: usize = 100;
const VALUES_PER_SECOND: f64 = 2.5e8;

impl Method for PathSpca {
    const INFO: MethodInfo = MethodInfo {
        name: "path-spca",
        title: "PathSPCA",
        measures: "Which few features together carry the most variance in one direction: adds the feature that \
                   follows the leading component of the chosen ones most closely.",
        formula: "(uᵀf)²/n at entry;  next = largest (uᵀf)²,  u the leading left vector of the chosen columns",
        goal: Goal::Maximize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::Together,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[ParameterInfo {
            name: "count",
            kind: Kind::Integer { min: 1, max: usize::MAX },
            default: ParameterValue::Integer(50),
            role: Role::Count,
            only_with: None,
            help: "how many features to choose one after the other; the rest follow by their last (uᵀf)²",
        }],
        cost: "samples x features for every chosen feature",
        fails: "Looks for one component: copies of a good feature all rank high, other directions are not seen. \
                Without scaling, the largest unit wins.",
        reference: "d'Aspremont, Bach, El Ghaoui: Optimal Solutions for Sparse Principal Component Analysis, \
                    JMLR 9, 2008",
    };

    fn build(parameters: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(PathSpca { count: parameters.whole("count") })
    }
}

impl Selector for PathSpca {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        if self.count == 0 {
            return Err(Error::parameter("count", "at least 1", 0));
        }
        let greedy = Greedy::new(data);
        let count = self.count.min(greedy.varying.len());
        let values = (count + PASSES) as f64 * data.n_samples() as f64 * data.n_features() as f64;
        announce(
            monitor,
            "path-spca",
            values / VALUES_PER_SECOND,
            "set `count` to less, or use fewer samples",
        );
        let (chosen, variances) = greedy.choose(count, monitor)?;
        let (name, m) = (Self::INFO.name, data.n_features());
        let measured = "variance along the component of those before it";
        let mut ranking = Ranking::of_choices(name, Goal::Maximize, m, &chosen, measured);
        ranking.parameters.set("count", count);
        let sentence = "variance of the leading component of the first features together";
        ranking.details = vec![Detail::curve("Variance explained", sentence, variances)];
        Ok(ranking)
    }
}

/// Features in the order of choice, each with what was measured.
type Choices = Vec<(usize, f64)>;

/// The data and the norms of its centered columns.
struct Greedy<'a> {
    data: &'a Dataset,
    norms: Vec<f64>,
    varying: Vec<usize>,
}

/// The chosen columns A, one after the other, and AᵀA.
struct Chosen {
    columns: Vec<Vec<f64>>,
    gram: Vec<Vec<f64>>,
}

impl<'a> Greedy<'a> {
    fn new(data: &'a Dataset) -> Self {
        let norms = (0..data.n_features()).map(|j| data.centered_norm(j)).collect();
        let varying = (0..data.n_features()).filter(|&j| !data.constant(j)).collect();
        Greedy { data, norms, varying }
    }

    /// All features that vary, best first, each with its variance along the component of those before it, and λ_max/n
    /// of the first 1, 2, … `count`.
    fn choose(&self, count: usize, monitor: &dyn Monitor) -> Result<(Choices, Vec<f64>)> {
        let n = self.data.n_samples();
        let stage = Stage::new(monitor, "choosing", count)?;
        let mut left = self.varying.clone();
        let (mut order, mut variances) = (Vec::with_capacity(left.len()), Vec::with_capacity(count));
        let mut chosen = Chosen { columns: Vec::new(), gram: Vec::new() };
        let mut values = if count > 0 { self.start(&stage)? } else { Vec::new() };
        let mut u = vec![0.0; n];
        while order.len() < count {
            let best = left.remove(first_of_largest(&left, &values));
            let along = if order.is_empty() { self.norms[best].powi(2) } else { values[best] };
            order.push((best, along / n as f64));
            chosen.add(self.column(best)?);
            let (variance, next) = chosen.leading(&u)?;
            variances.push(variance / n as f64);
            u = next;
            values = self.squares(&u, &stage.within())?;
            stage.advance(1)?;
        }
        left.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
        order.extend(left.into_iter().map(|j| (j, values[j] / n as f64)));
        Ok((order, variances))
    }

    /// What the first feature is chosen by: its variance or, where several share the largest, the component
    /// of all features for those.
    fn start(&self, stage: &Stage<'_>) -> Result<Vec<f64>> {
        let largest = self.norms.iter().copied().fold(0.0, f64::max);
        let among = |j: usize| self.norms[j] >= (1.0 - EQUAL) * largest;
        if self.varying.iter().filter(|&&j| among(j)).count() == 1 {
            return Ok(self.norms.clone());
        }
        let start = leading::generic(self.data.n_samples());
        let within = stage.within();
        let (_, u) = leading::leading(self.spread(&start, &within)?, |v| self.spread(v, &within))?;
        let squares = self.squares(&u, &within)?;
        Ok(squares.into_iter().enumerate().map(|(j, s)| if among(j) { s } else { -1.0 }).collect())
    }

    /// Feature `j` as scaled, about its mean.
    fn column(&self, j: usize) -> Result<Vec<f64>> {
        let mut column = vec![0.0; self.data.n_samples()];
        self.data.each_column(&[j], |_, block, at| block.pack(at..at + 1, 1, Center::Mean, &mut column))?;
        Ok(column)
    }

    /// (uᵀf)² of every feature.
    fn squares(&self, u: &[f64], monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let mut centered = u.to_vec();
        center(&mut centered, 1);
        let products = self.data.product_norms(&centered, 1, monitor)?;
        Ok(products.iter().zip(&self.norms).map(|(p, norm)| (p * norm) * (p * norm)).collect())
    }

    /// XXᵀv over all centered columns; blocks of columns are added in order.
    fn spread(&self, v: &[f64], monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let block_sum = |block: &ScaledBlock<'_>, range: Range<usize>| {
            let (mut sum, mut column) = (vec![0.0; v.len()], vec![0.0; v.len()]);
            for (at, j) in range.enumerate() {
                block.unit_column(at, &mut column);
                let factor = self.norms[j].powi(2) * leading::dot(&column, v);
                sum.iter_mut().zip(&column).for_each(|(s, c)| *s += factor * c);
            }
            Ok(sum)
        };
        let mut total = vec![0.0; v.len()];
        self.data.fold_blocks("components", monitor, block_sum, |part| {
            total.iter_mut().zip(part).for_each(|(t, p)| *t += p);
        })?;
        Ok(total)
    }
}

impl Chosen {
    fn add(&mut self, column: Vec<f64>) {
        let mut row: Vec<f64> = self.columns.iter().map(|c| leading::dot(c, &column)).collect();
        self.gram.iter_mut().zip(&row).for_each(|(above, &product)| above.push(product));
        row.push(leading::dot(&column, &column));
        self.gram.push(row);
        self.columns.push(column);
    }

    /// λ_max of AAᵀ and its unit vector; the search starts near `u`, the one before the last column came.
    fn leading(&self, u: &[f64]) -> Result<(f64, Vec<f64>)> {
        let mut start: Vec<f64> = self.columns.iter().map(|c| leading::dot(c, u)).collect();
        if self.columns.len() == 1 {
            start[0] = 1.0;
        }
        let (value, weights) =
            leading::leading(start, |v| Ok(self.gram.iter().map(|row| leading::dot(row, v)).collect()))?;
        let mut u = vec![0.0; u.len()];
        for (column, w) in self.columns.iter().zip(&weights) {
            u.iter_mut().zip(column).for_each(|(u, c)| *u += w * c);
        }
        let norm = leading::dot(&u, &u).sqrt();
        u.iter_mut().for_each(|v| *v /= norm);
        Ok((value, u))
    }
}

/// The place of the first feature whose value is the largest, to nine digits.
fn first_of_largest(features: &[usize], values: &[f64]) -> usize {
    let largest = features.iter().map(|&j| values[j]).fold(0.0, f64::max);
    features.iter().position(|&j| values[j] >= (1.0 - EQUAL) * largest).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scaling;

    #[test]
    fn the_feature_that_follows_the_component_comes_next() {
        // Column 1 has the largest variance, column 2 follows it, column 0 is orthogonal to both but larger than
        // column 2, column 3 is constant.
        let rows =
            [[2.0, 3.0, 1.0, 5.0], [-2.0, 3.0, 1.0, 5.0], [2.0, -3.0, -1.0, 5.0], [-2.0, -3.0, -1.0, 5.0]];
        let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
        let ranking = PathSpca { count: 2 }.rank(&data).expect("a ranking");
        assert_eq!(ranking.order(), [1, 2, 0, 3]);
        let values = ranking.details[0].series("value");
        // Variances 9, and 9 + 1 in the direction that both share.
        assert!((values[0] - 9.0).abs() < 1e-12 && (values[1] - 10.0).abs() < 1e-9, "{values:?}");
        // The first has its own variance; column 2 lies wholly along column 1, column 0 not at all.
        let scores: Vec<f64> = ranking.scores()[..3].to_vec();
        assert!(
            (scores[1] - 9.0).abs() < 1e-12 && (scores[2] - 1.0).abs() < 1e-12 && scores[0].abs() < 1e-12
        );
        assert!(PathSpca { count: 0 }.rank(&data).is_err());
    }

    #[test]
    fn among_equal_variances_the_component_of_all_decides() {
        // Columns 1 to 3 go together, column 0 its own way: with one variance for all, it must not be the first.
        let rows =
            [[1.0, 1.0, 1.1, 0.9], [-1.0, 1.0, 0.9, 1.1], [1.0, -1.0, -1.2, -0.8], [-1.0, -1.0, -0.8, -1.2]];
        let data = Dataset::from_rows(&rows).expect("finite");
        let ranking = PathSpca::default().rank(&data).expect("a ranking");
        assert_eq!(ranking.order()[3], 0);
    }
}
