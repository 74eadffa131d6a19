//! How much rankings of the same features agree, as plain functions on numbers.

use crate::ranking::Ranking;

/// The Kuncheva index (Kuncheva 2007), mean over all pairs of selections of `count` features
/// out of m, of which feature j is in `times[j]` of `repeats`:
///
/// ```text
/// I(A, B) = (|A∩B| - k²/m) / (k - k²/m)
/// ```
///
/// 1 when all selections are the same, 0 when they share what chance alone would let them share.
/// The mean needs no pairs: Σ_pairs |A∩B| = Σ_j h_j(h_j - 1)/2. NaN where it is not defined, with fewer
/// than two selections or with none or all of the features selected.
pub fn kuncheva(times: &[usize], repeats: usize, count: usize) -> f64 {
    let (m, k) = (times.len() as f64, count as f64);
    let pairs = repeats as f64 * (repeats as f64 - 1.0) / 2.0;
    let shared: f64 = times.iter().map(|&h| h as f64 * (h as f64 - 1.0) / 2.0).sum();
    if pairs <= 0.0 || count == 0 || count >= times.len() {
        return f64::NAN;
    }
    (shared / pairs - k * k / m) / (k - k * k / m)
}

/// The rank of every feature, 1 the best; features that tie share their mean rank, and those
/// without a score tie with one another at the end.
pub fn mean_ranks(ranking: &Ranking) -> Vec<f64> {
    let order = ranking.order();
    let mut ranks = vec![0.0; order.len()];
    let mut start = 0;
    while start < order.len() {
        let score = ranking.score(order[start]);
        let end = start + order[start..].iter().take_while(|&&j| ranking.score(j) == score).count();
        // Places start + 1 to end share their mean.
        let rank = (start + 1 + end) as f64 / 2.0;
        order[start..end].iter().for_each(|&j| ranks[j] = rank);
        start = end;
    }
    ranks
}

/// Spearman's correlation of two rankings of the same features, by mean ranks; 0 where one of
/// them prefers nothing.
///
/// ```
/// use fiedler::{Goal, Ranking, stability::spearman};
///
/// let a = Ranking::new("a", Goal::Maximize, vec![3.0, 2.0, 1.0]);
/// let b = Ranking::new("b", Goal::Minimize, vec![3.0, 2.0, 1.0]);
/// assert!(spearman(&a, &a) > 1.0 - 1e-12 && spearman(&a, &b) < -1.0 + 1e-12);
/// ```
pub fn spearman(a: &Ranking, b: &Ranking) -> f64 {
    let product: f64 = standardized(a).iter().zip(standardized(b)).map(|(a, b)| a * b).sum();
    // Rounding must not lift a correlation above 1.
    product.clamp(-1.0, 1.0)
}

/// Mean ranks about their mean and divided by their norm: products of these are correlations.
pub(super) fn standardized(ranking: &Ranking) -> Vec<f64> {
    let mut ranks = mean_ranks(ranking);
    let mean = (ranks.len() as f64 + 1.0) / 2.0;
    ranks.iter_mut().for_each(|r| *r -= mean);
    let norm = ranks.iter().map(|r| r * r).sum::<f64>().sqrt();
    if norm > 0.0 {
        ranks.iter_mut().for_each(|r| *r /= norm);
    }
    ranks
}

/// The sum of standardized ranks of many rankings, from which the mean of all their pairs
/// follows: Σ_{a<b} zₐᵀz_b = (|Σ z|² - Σ|z|²)/2.
#[derive(Debug, Default)]
pub(super) struct RankSum {
    sum: Vec<f64>,
    squares: f64,
    rankings: usize,
}

impl RankSum {
    pub(super) fn add(&mut self, ranks: &[f64]) {
        self.sum.resize(ranks.len(), 0.0);
        self.sum.iter_mut().zip(ranks).for_each(|(s, r)| *s += r);
        self.squares += ranks.iter().map(|r| r * r).sum::<f64>();
        self.rankings += 1;
    }

    /// Spearman's correlation, mean over the pairs.
    pub(super) fn mean_spearman(&self) -> f64 {
        let pairs = self.rankings as f64 * (self.rankings as f64 - 1.0);
        let total: f64 = self.sum.iter().map(|s| s * s).sum();
        ((total - self.squares) / pairs).clamp(-1.0, 1.0)
    }
}

/// The lower end of Wilson's one-sided confidence interval for a probability of which `hits` of
/// `repeats` were seen; `z` is the normal quantile of the confidence.
pub(super) fn wilson_lower(hits: usize, repeats: usize, z: f64) -> f64 {
    let (n, z2) = (repeats as f64, z * z);
    let share = hits as f64 / n;
    let spread = z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ((share + z2 / (2.0 * n) - spread) / (1.0 + z2 / n)).max(0.0)
}

/// The upper end: what is not seen has the lower end of the rest.
pub(super) fn wilson_upper(hits: usize, repeats: usize, z: f64) -> f64 {
    1.0 - wilson_lower(repeats - hits, repeats, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    #[test]
    fn kuncheva_by_hand() {
        // {0,1} and {0,2} of five features: one shared, 4/5 expected, 2 at most.
        assert!((kuncheva(&[2, 1, 1, 0, 0], 2, 2) - 1.0 / 6.0).abs() < 1e-15);
        assert!((kuncheva(&[3, 3, 0, 0], 3, 2) - 1.0).abs() < 1e-15);
        // {0,1} and {2,3} of four: nothing shared, one expected.
        assert!((kuncheva(&[1, 1, 1, 1], 2, 2) + 1.0).abs() < 1e-15);
        assert!(kuncheva(&[2, 2], 2, 2).is_nan() && kuncheva(&[1, 0], 1, 1).is_nan());
    }

    #[test]
    fn ties_and_missing_scores_share_their_rank() {
        let ranking = Ranking::new("t", Goal::Maximize, vec![5.0, f64::NAN, 7.0, 5.0, f64::NAN]);
        assert_eq!(mean_ranks(&ranking), [2.5, 4.5, 1.0, 2.5, 4.5]);
        let flat = Ranking::new("t", Goal::Maximize, vec![1.0; 5]);
        assert_eq!(spearman(&ranking, &flat), 0.0);
    }

    #[test]
    fn spearman_by_hand() {
        let a = Ranking::new("a", Goal::Maximize, vec![4.0, 3.0, 2.0, 1.0]);
        let b = Ranking::new("b", Goal::Maximize, vec![3.0, 4.0, 2.0, 1.0]);
        // 1 - 6 Σd²/(n(n²-1)) = 1 - 12/60
        assert!((spearman(&a, &b) - 0.8).abs() < 1e-15);
        let mut sum = RankSum::default();
        [&a, &b, &a].iter().for_each(|r| sum.add(&standardized(r)));
        assert!((sum.mean_spearman() - (0.8 + 1.0 + 0.8) / 3.0).abs() < 1e-15);
    }

    #[test]
    fn wilson_as_in_tables() {
        // 45 of 50 at 95 %: 0.8083; all of 50: 50/(50 + z²).
        assert!((wilson_lower(45, 50, 1.644_853_6) - 0.808_4).abs() < 5e-4);
        assert!((wilson_lower(50, 50, 1.644_853_6) - 50.0 / 52.705_543).abs() < 1e-6);
        assert_eq!(wilson_lower(0, 50, 1.644_853_6), 0.0);
        // The other root of the same quadratic: 5 of 50 is at most 0.1916, none at most z²/(50 + z²).
        assert!((wilson_upper(5, 50, 1.644_853_6) - (1.0 - 0.808_4)).abs() < 5e-4);
        assert!((wilson_upper(0, 50, 1.644_853_6) - 2.705_543 / 52.705_543).abs() < 1e-6);
        assert_eq!(wilson_upper(50, 50, 1.644_853_6), 1.0);
    }
}
