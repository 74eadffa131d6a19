//! mRMR: minimum redundancy, maximum relevance (Ding & Peng).
//!
//! # What it measures
//! Features are chosen one after the other: each time the one that tells most about the classes, or about the number to
//! be predicted (relevance), and least of what the chosen ones tell already (redundancy).
//!
//! # Formula
//! ```text
//! V_j = relevance of feature j,   W_j = mean over the chosen features s of redundancy(j, s)
//! ```
//!
//! | criterion | relevance | redundancy | value of a candidate |
//! |---|---|---|---|
//! | `mid` | mutual information with the classes | mutual information | V - W |
//! | `miq` | the same | the same | V / (W + 0.01) |
//! | `fcd` | F statistic of the classes | \|Pearson correlation\| | V - W |
//! | `fcq` | the same | the same | V / (W + 0.01) |
//!
//! Where a number y is to be predicted, F is that of the straight line, F = r²/(1-r²) · (n-2) with r the correlation of
//! feature and y, and the criteria of mutual information, which are about classes, are refused. `auto` is `mid` for classes and
//! `fcq` for a number.
//!
//! The first feature is the most relevant one, then the candidate of the largest value comes next, `count` times; the
//! others follow by the value they would have if they came next. Mutual information is in nats and of features cut
//! into three levels, below, within and above mean ± σ/2; a feature of two values keeps its two values under that cut.
//! ```text
//! I = Σ p_gh ln(p_gh / (p_g p_h))        F = [Σ n_l (μ_l-μ)²/(c-1)] / [Σ n_l σ_l²/(n-c)]
//! ```
//! The order is that of choice. The score is the value of a feature when it was chosen, or would be if it came next; it
//! rises and falls as the set grows, so it is not what the order is sorted by.
//!
//! `mid` is the default for classes: it is the form that Peng, Long and Ding later derived from maximum dependency, and
//! it needs no constant against redundancies of 0. The quotients punish redundancy harder. In `fcd` the F statistic has no
//! upper bound and the correlation has one, so on well separated classes redundancy hardly counts; prefer `fcq`.
//!
//! # Symbols → code
//! Levels and I `levels::Levels`; F from the moments on the label graph ([`Criterion`], as the Fisher score); \|Pearson\|
//! `Dataset::product_norms` with the chosen column; ΣW kept as a running sum.
//!
//! # Cost
//! Two bits a value, then `count` × features pair evaluations, each a few operations for 64 samples
//! (mutual information) or one for every sample (correlation). No table of features × features.
//!
//! # When it fails
//! Redundancy is judged in pairs: features that only together repeat a third are not seen, nor are features
//! that are relevant only together (exclusive or). With many chosen features, W is a mean over many and hardly moves.
//!
//! # Differences from the paper
//! None in the criteria. The quotients add 0.01 to W, as the authors' program does, so that a redundancy of 0 does not
//! win by itself. Deviations are population ones. A value within rounding of a cut counts as on it, in the middle.
//!
//! # References
//! Ding, Peng: Minimum Redundancy Feature Selection from Microarray Gene Expression Data, J. Bioinformatics and
//! Computational Biology 3, 2005; Peng, Long, Ding: Feature Selection Based on Mutual Information, IEEE PAMI 27, 2005.

mod levels;

use levels::Levels;

use crate::criterion::{Criterion, Form};
use crate::dataset::products::center;
use crate::dataset::{Dataset, Scaling};
use crate::graph::GraphRecipe;
use crate::monitor::{Monitor, Stage};
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Selector, Supervision};
use crate::{Error, Result};

/// What the quotients add to the redundancy.
const FLOOR: f64 = 0.01;

/// How relevance and redundancy are measured and combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MrmrCriterion {
    /// `Mid` for classes, `Fcq` for a number to be predicted.
    #[default]
    Auto,
    /// Mutual information, difference.
    Mid,
    /// Mutual information, quotient.
    Miq,
    /// F statistic and correlation, difference.
    Fcd,
    /// F statistic and correlation, quotient.
    Fcq,
}

words!(MrmrCriterion, "criterion", Auto = "auto", Mid = "mid", Miq = "miq", Fcd = "fcd", Fcq = "fcq");

impl MrmrCriterion {
    /// What the value of a candidate is.
    fn measured(self) -> &'static str {
        match self {
            MrmrCriterion::Auto | MrmrCriterion::Mid | MrmrCriterion::Fcd => {
                "relevance minus redundancy at entry"
            }
            MrmrCriterion::Miq | MrmrCriterion::Fcq => "relevance over redundancy at entry",
        }
    }

    fn value(self, relevance: f64, redundancy: f64) -> f64 {
        match self {
            MrmrCriterion::Auto | MrmrCriterion::Mid | MrmrCriterion::Fcd => relevance - redundancy,
            MrmrCriterion::Miq | MrmrCriterion::Fcq => relevance / (redundancy + FLOOR),
        }
    }

    /// The criterion that is taken on `data`.
    fn resolved(self, data: &Dataset) -> Result<Self> {
        match (self, data.target()) {
            (MrmrCriterion::Auto, None) => Ok(MrmrCriterion::Mid),
            (MrmrCriterion::Auto, Some(_)) => Ok(MrmrCriterion::Fcq),
            (MrmrCriterion::Mid | MrmrCriterion::Miq, Some(_)) => Err(Error::parameter(
                "criterion",
                "auto, fcd or fcq where a number is to be predicted, for mid and miq are about classes",
                format!("`{}`", self.name()),
            )),
            (given, _) => Ok(given),
        }
    }
}

/// Minimum redundancy, maximum relevance.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Mrmr};
///
/// let ranking = Mrmr { count: 2, ..Mrmr::default() }.rank(&demo::iris()?)?;
/// // Petal length repeats much of petal width, but tells more of the species than that.
/// assert_eq!(ranking.order()[..2], [3, 2]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mrmr {
    /// How relevance and redundancy are measured and combined.
    pub criterion: MrmrCriterion,
    /// How many features are chosen one after the other.
    pub count: usize,
}

impl Default for Mrmr {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for Mrmr {
    const INFO: MethodInfo = MethodInfo {
        name: "mrmr",
        title: "mRMR",
        measures: "Chooses one feature after the other: what tells most about the classes (or a number to be predicted) \
                   and least of what the chosen ones tell already.",
        formula: "V - W or V/(W+0.01) at entry,  V = I(f, classes) or F,  W = mean I or |r| with the chosen",
        goal: Goal::Maximize,
        supervision: Supervision::Supervised,
        takes_number: true,
        judges: Judges::Together,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "count",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(50),
                role: Role::Count,
                only_with: None,
                help: "how many features to choose one after the other; the rest follow by what each would add",
            },
            ParameterInfo {
                name: "criterion",
                kind: Kind::Choice(MrmrCriterion::NAMES),
                default: ParameterValue::word("auto"),
                role: Role::Own,
                only_with: None,
                help: "mutual information (mi) or F statistic and correlation (fc), as difference or quotient; auto: mid \
                       for classes, fcq for a number",
            },
        ],
        cost: "samples x features once, then count x features pairs, 64 samples at a time",
        fails: "Judges redundancy in pairs and relevance one by one: features that count only together are not \
                seen. fcd hardly sees redundancy where classes are well separated.",
        reference: "Ding, Peng: Minimum Redundancy Feature Selection from Microarray Gene Expression Data, \
                    J. Bioinformatics and Computational Biology 3, 2005",
    };

    fn build(parameters: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(Mrmr { criterion: parameters.text("criterion").parse()?, count: parameters.whole("count") })
    }
}

impl Selector for Mrmr {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        if self.count == 0 {
            return Err(Error::parameter("count", "at least 1", 0));
        }
        let method = Mrmr { criterion: self.criterion.resolved(data)?, count: self.count };
        let chosen = match method.criterion {
            MrmrCriterion::Fcd | MrmrCriterion::Fcq => {
                let relevance = f_statistics(data, monitor)?;
                method.choose(data, relevance, monitor, |j, within| correlations(data, j, within))?
            }
            _ => {
                let (codes, classes) = data.classes(Self::INFO.name)?;
                let levels = Levels::new(data, &codes, classes, monitor)?;
                method.choose(data, levels.relevance(), monitor, |j, _| Ok(levels.redundancy(j)))?
            }
        };
        let (name, m) = (Self::INFO.name, data.n_features());
        let mut ranking = Ranking::of_choices(name, Goal::Maximize, m, &chosen, method.criterion.measured());
        ranking.parameters.set("count", self.count.min(chosen.len()));
        ranking.parameters.set("criterion", method.criterion.name());
        Ok(ranking)
    }
}

impl Mrmr {
    /// All features that vary, best first, each with its value when it was chosen, or if it came next. `redundancy` of a
    /// chosen feature with every feature is asked for once and added to a running sum.
    fn choose(
        &self,
        data: &Dataset,
        relevance: Vec<f64>,
        monitor: &dyn Monitor,
        redundancy: impl Fn(usize, &dyn Monitor) -> Result<Vec<f64>>,
    ) -> Result<Vec<(usize, f64)>> {
        let mut left: Vec<usize> = (0..data.n_features()).filter(|&j| !data.constant(j)).collect();
        let count = self.count.min(left.len());
        let stage = Stage::new(monitor, "choosing", count)?;
        let mut sums = vec![0.0; data.n_features()];
        let mut chosen: Vec<(usize, f64)> = Vec::with_capacity(left.len());
        while chosen.len() < count {
            let value = |j: usize| self.value(relevance[j], sums[j], chosen.len());
            // The first of several that are equally good.
            let Some(at) = (0..left.len()).reduce(|a, b| if value(left[b]) > value(left[a]) { b } else { a })
            else {
                break;
            };
            let best = left.remove(at);
            chosen.push((best, value(best)));
            sums.iter_mut().zip(redundancy(best, &stage.within())?).for_each(|(sum, added)| *sum += added);
            stage.advance(1)?;
        }
        let mut rest: Vec<(usize, f64)> =
            left.into_iter().map(|j| (j, self.value(relevance[j], sums[j], chosen.len()))).collect();
        rest.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        chosen.extend(rest);
        Ok(chosen)
    }

    /// The value of a candidate; of the first one, its relevance.
    fn value(&self, relevance: f64, sum: f64, chosen: usize) -> f64 {
        match chosen {
            0 => relevance,
            _ => self.criterion.value(relevance, sum / chosen as f64),
        }
    }
}

/// The F statistic of every feature: the Fisher score times (n-c)/(c-1), or that of the straight line to a number.
fn f_statistics(data: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let n = data.n_samples();
    if data.target().is_some() {
        return f_of_number(data, monitor);
    }
    let classes = data.classes(Mrmr::INFO.name)?.1;
    if n <= classes {
        return Err(Error::TooFewSamples { what: "the F statistic of mrmr", needed: classes + 1, got: n });
    }
    let graph = GraphRecipe::Labels.build(data, monitor)?;
    let fisher =
        Criterion { numerator: Form::CenteredSimilarity, denominator: Form::Laplacian, goal: Goal::Maximize };
    let factor = (n - classes) as f64 / (classes - 1) as f64;
    Ok(fisher.scores(data, &graph, monitor)?.into_iter().map(|score| score * factor).collect())
}

/// F = r²/(1-r²) · (n-2) of every feature. One that lies on the line itself has at most 1/ε, so that it can be compared.
fn f_of_number(data: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let (n, unit) = (data.n_samples(), data.number(Mrmr::INFO.name)?.unit());
    if n < 3 {
        return Err(Error::TooFewSamples { what: "the F statistic of mrmr", needed: 3, got: n });
    }
    let statistic = |r: f64| {
        let explained = (r * r).min(1.0);
        explained / (1.0 - explained).max(f64::EPSILON) * (n - 2) as f64
    };
    let products = data.product_norms(&unit, 1, monitor)?;
    Ok(products.into_iter().enumerate().map(|(j, product)| statistic(product / data.length(j))).collect())
}

/// |Pearson correlation| of feature `j` with every feature.
fn correlations(data: &Dataset, j: usize, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let mut unit = data.unit_columns(&[j])?;
    center(&mut unit, 1);
    data.product_norms(&unit, 1, monitor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Labels;

    fn data(rows: &[[f64; 4]], codes: &[usize]) -> Dataset {
        let data = Dataset::from_rows(rows).expect("finite");
        data.labeled(Labels::from_codes(codes)).expect("a label per sample")
    }

    /// Four classes, two samples each. Columns 0 and 2 tell one half from the other, each in its own way and with
    /// one error; column 1 is a copy of column 0, column 3 is constant.
    fn halves() -> Dataset {
        let (a, b) = ([1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
        let rows: Vec<[f64; 4]> = (0..8).map(|i| [a[i], a[i], b[i], 7.0]).collect();
        data(&rows, &[0, 0, 1, 1, 2, 2, 3, 3])
    }

    #[test]
    fn a_copy_is_redundant_and_a_constant_is_last() {
        for criterion in [MrmrCriterion::Mid, MrmrCriterion::Miq, MrmrCriterion::Fcd, MrmrCriterion::Fcq] {
            let ranking = Mrmr { criterion, count: 2 }.rank(&halves()).expect("a ranking");
            assert_eq!(ranking.order()[2..], [1, 3], "{criterion:?}");
            assert!(ranking.scores()[3].is_nan());
        }
    }

    /// Two classes that column 0 tells apart, column 1 its copy, column 2 with two errors, column 3 constant.
    fn small() -> Dataset {
        let (a, b) = ([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
        let rows: Vec<[f64; 4]> = (0..8).map(|i| [a[i], a[i], b[i], 7.0]).collect();
        data(&rows, &[0, 0, 0, 0, 1, 1, 1, 1])
    }

    #[test]
    fn values_are_those_by_hand() {
        let ranking = Mrmr { criterion: MrmrCriterion::Mid, count: 3 }.rank(&small()).expect("a ranking");
        let values: Vec<f64> = ranking.order().iter().filter_map(|&j| ranking.score(j)).collect();
        // I(f0, classes) = ln 2; I(f2, classes) = I(f2, f0) by the table 3 1 / 1 3.
        let part = 2.0 * (0.375 * (0.375f64 / 0.25).ln() + 0.125 * (0.125f64 / 0.25).ln());
        // A copy of the classes and a feature of its own both add V - W = 0: the first column wins.
        let expected = [2f64.ln(), 0.0, part - part];
        for (got, expected) in values.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        assert_eq!(ranking.order(), [0, 1, 2, 3]);
    }

    #[test]
    fn f_statistics_need_more_samples_than_classes() {
        let data = data(&[[0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 1.0, 0.0]], &[0, 1]);
        let result = Mrmr { criterion: MrmrCriterion::Fcd, count: 2 }.rank(&data);
        assert!(matches!(result, Err(Error::TooFewSamples { needed: 3, got: 2, .. })), "{result:?}");
        assert!(Mrmr { count: 0, ..Mrmr::default() }.rank(&data).is_err());
    }
}
