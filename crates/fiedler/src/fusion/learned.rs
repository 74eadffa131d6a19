//! Weights of rankings learned from features that are known to matter (DIS 5.5, aggregation in a supervised fashion).
//!
//! Let t_l(j) be what list l adds to the score of feature j: its rank (Borda) or 1/(k + rank) (reciprocal ranks), and
//! y_j = 1 for known features, 0 for all others. The weights are those of the sum Σ w_l t_l, w ≥ 0, that correlates
//! best with y, so that known features come out as far in front as the lists can put them:
//!
//! ```text
//! max corr(Σ w_l t_l, y) over w ≥ 0      ⇔      min vᵀMv - 2vᵀa over v ≥ 0,   M_kl = corr(t_k, t_l),  a_l = corr(t_l, y)
//! ```
//! the small quadratic problem by which the weights of [graphs](super::Coefficients::Aligned) are learned. A list that says
//! nothing of the known features gets nothing, and lists that repeat each other share one weight between them.
//!
//! **How well a list agrees** is the chance that it ranks a known feature before one that is not known (the area under the
//! ROC curve): 1/2 is chance, 1 is best. For Borda a_l is that area on another scale.
//!
//! **How good the learned weights are** cannot be told by the features that they were learned from. So the known features
//! are dealt into ten parts; the weights are learned without one part, and its features are looked up in that ranking.
//!
//! # When it fails
//! Few known features, or known for reasons that one list shares (the best studied genes): then the weights follow these
//! accidents. The features that are not known are taken for unimportant, though some of them matter: all lists lose
//! by that alike. Where all lists are equally good, equal weights are better than learned ones.

use std::cmp::Ordering;

use super::alignment::best_mixture;
use super::{Aggregation, Lists};
use crate::{Error, Result};

/// Weights are learned from so many known features at least.
pub const FEWEST_KNOWN: usize = 3;
/// Into how many parts known features are dealt, to be left out in turn.
const PARTS: usize = 10;

impl Lists {
    /// The same lists with the weights under which `aggregation` puts the features `known` as far in front as it can.
    ///
    /// ```
    /// use fiedler::fusion::{Aggregation, Lists};
    ///
    /// // Features 0, 1 and 2 matter; the first list knows, the second is upside down.
    /// let lists = Lists::from_orders(6, &[vec![0, 2, 1, 3, 4, 5], vec![5, 4, 3, 2, 1, 0]])?;
    /// let learned = lists.learned(Aggregation::Borda, &[0, 1, 2])?;
    /// assert_eq!(learned.weights(), [1.0, 0.0]);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when the aggregation takes no weights, a feature does not exist, fewer than
    /// [`FEWEST_KNOWN`] are known or none is not; [`Error::Source`] when no list agrees with them.
    pub fn learned(self, aggregation: Aggregation, known: &[usize]) -> Result<Self> {
        aggregation.check_takes_weights("learned ones")?;
        let is_known = self.marked(known)?;
        let weights = self.learn(aggregation, &is_known, &vec![true; self.n_features()]);
        let weights = weights.ok_or_else(|| self.nothing_agrees(&is_known))?;
        self.weighted(weights)
    }

    /// For every list, the chance that it ranks one of the features `known` before one that is not (ties count half).
    ///
    /// # Errors
    /// [`Error::Parameter`] as [`learned`](Self::learned).
    pub fn agreement(&self, known: &[usize]) -> Result<Vec<f64>> {
        Ok(self.areas(&self.marked(known)?))
    }

    /// For every feature of `known`, its place (from 1) in the ranking by weights that were learned without it; by equal
    /// weights where no list agrees with those that are left.
    ///
    /// # Errors
    /// As [`learned`](Self::learned), but for lists that do not agree.
    pub fn left_out(&self, aggregation: Aggregation, known: &[usize]) -> Result<Vec<usize>> {
        aggregation.check_takes_weights("learned ones")?;
        self.marked(known)?;
        let mut places = vec![0; known.len()];
        for part in 0..PARTS.min(known.len()) {
            let held: Vec<usize> = (part..known.len()).step_by(PARTS).collect();
            let mut looked_at = vec![true; self.n_features()];
            held.iter().for_each(|&at| looked_at[known[at]] = false);
            let mut is_known = vec![false; self.n_features()];
            known.iter().for_each(|&j| is_known[j] = looked_at[j]);
            let weights = self.learn(aggregation, &is_known, &looked_at);
            let weights = weights.unwrap_or_else(|| vec![1.0; self.len()]);
            let ranking = aggregation.aggregate(&self.clone().weighted(weights)?)?;
            let mut place = vec![0; self.n_features()];
            ranking.order().iter().zip(1..).for_each(|(&j, at)| place[j] = at);
            held.iter().for_each(|&at| places[at] = place[known[at]]);
        }
        Ok(places)
    }

    /// Which features are known.
    fn marked(&self, known: &[usize]) -> Result<Vec<bool>> {
        let mut is_known = vec![false; self.n_features()];
        for &j in known {
            let rule = || format!("made of feature indices below {}", self.n_features());
            *is_known.get_mut(j).ok_or_else(|| Error::parameter("known", rule(), j))? = true;
        }
        let count = is_known.iter().filter(|k| **k).count();
        if count < FEWEST_KNOWN || count == self.n_features() {
            let rule = format!(
                "at least {FEWEST_KNOWN} of the ranked features, and not all of them, for weights to be learned"
            );
            return Err(Error::parameter("known", rule, count));
        }
        Ok(is_known)
    }

    fn areas(&self, is_known: &[bool]) -> Vec<f64> {
        let count = is_known.iter().filter(|k| **k).count() as f64;
        let others = is_known.len() as f64 - count;
        // Ranks are shared by features that tie, so their sum counts every pair that is the wrong way round.
        let area = |ranks: &Vec<f64>| {
            let sum: f64 = ranks.iter().zip(is_known).filter(|(_, k)| **k).map(|(r, _)| r).sum();
            1.0 - (sum - count * (count + 1.0) / 2.0) / (count * others)
        };
        self.filled().iter().map(area).collect()
    }

    /// The best weights over the features that are looked at; `None` where no list agrees.
    fn learn(&self, aggregation: Aggregation, is_known: &[bool], looked_at: &[bool]) -> Option<Vec<f64>> {
        let terms = self.terms(aggregation);
        // Lists in an order of their own, so that the order in which they are given changes no bit.
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by(|&a, &b| lexicographic(&terms[a], &terms[b]));
        let aim: Vec<f64> = is_known.iter().map(|k| f64::from(u8::from(*k))).collect();
        let columns = order.iter().map(|&l| &terms[l]).chain([&aim]);
        let columns: Vec<Vec<f64>> = columns.map(|column| centered(column, looked_at)).collect();
        let norms: Vec<f64> = columns.iter().map(|c| dot(c, c).sqrt()).collect();
        let cosine = |a: usize, b: usize| match norms[a] * norms[b] {
            0.0 => 0.0,
            scale => dot(&columns[a], &columns[b]) / scale,
        };
        let learned = best_mixture(order.len(), &cosine, &|l| norms[l])?;
        let mut weights = vec![0.0; order.len()];
        order.iter().zip(learned).for_each(|(&l, weight)| weights[l] = weight);
        Some(weights)
    }

    /// What every list adds to the score of every feature, larger for better ones.
    fn terms(&self, aggregation: Aggregation) -> Vec<Vec<f64>> {
        let Aggregation::ReciprocalRank { k } = aggregation else {
            let better = |list: Vec<f64>| list.into_iter().map(|rank| -rank).collect();
            return self.filled().into_iter().map(better).collect();
        };
        let reciprocal = |rank: &f64| if rank.is_nan() { 0.0 } else { 1.0 / (k + rank) };
        self.ranks().iter().map(|list| list.iter().map(reciprocal).collect()).collect()
    }

    fn nothing_agrees(&self, is_known: &[bool]) -> Error {
        let best = self.areas(is_known).into_iter().fold(0.0, f64::max);
        let what = format!(
            "no list puts known features before others (at best in {:.0} % of all pairs), so no weights can be learned; \
             give weights or use equal ones",
            100.0 * best
        );
        Error::Source { source_name: "the lists together".to_owned(), what }
    }
}

/// The values that are looked at, less their mean.
fn centered(values: &[f64], looked_at: &[bool]) -> Vec<f64> {
    let kept: Vec<f64> = values.iter().zip(looked_at).filter(|(_, look)| **look).map(|(v, _)| *v).collect();
    let mean = kept.iter().sum::<f64>() / kept.len() as f64;
    kept.iter().map(|v| v - mean).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn lexicographic(a: &[f64], b: &[f64]) -> Ordering {
    let differ = a.iter().zip(b).map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne());
    differ.unwrap_or(Ordering::Equal)
}
