//! Exact k-means on the line.
//!
//! Optimal groups of sorted numbers are intervals, so the best cost of the first `end` numbers in
//! `g` groups is min over `start` of (best cost of the first `start` in g-1) + (cost of one group
//! start..end). The best `start` grows with `end`, so the middle `end` is solved first and
//! splits the search for the others: O(k n log n) after sorting (Grønlund et al. 2017).
//! Equal numbers are one number with a weight: they never part.

/// The smallest value of each of at most `groups` optimal groups, ascending. The first is the
/// smallest value of all.
pub(super) fn group_starts(mut values: Vec<f64>, groups: usize) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let sums = Sums::of(&values);
    let n = sums.values.len();
    let groups = groups.min(n);
    let mut best: Vec<f64> = (0..=n).map(|end| sums.cost(0, end)).collect();
    let mut splits: Vec<Vec<usize>> = Vec::with_capacity(groups);
    for group in 1..groups {
        let mut layer =
            Layer { sums: &sums, before: &best, cost: vec![f64::INFINITY; n + 1], start: vec![0; n + 1] };
        layer.solve(group + 1, n, group, n);
        let Layer { cost, start, .. } = layer;
        best = cost;
        splits.push(start);
    }
    let mut starts = Vec::with_capacity(groups);
    let mut end = n;
    for split in splits.iter().rev() {
        end = split[end];
        starts.push(sums.values[end]);
    }
    starts.push(sums.values[0]);
    starts.reverse();
    starts
}

/// Distinct values with prefix sums of weight, value and square.
struct Sums {
    values: Vec<f64>,
    prefix: Vec<[f64; 3]>,
}

impl Sums {
    /// Of sorted values.
    fn of(sorted: &[f64]) -> Self {
        let (mut values, mut prefix) = (Vec::new(), vec![[0.0; 3]]);
        let mut sum = [0.0; 3];
        for run in sorted.chunk_by(|a, b| a == b) {
            let (value, weight) = (run[0], run.len() as f64);
            let added = [weight, weight * value, weight * value * value];
            sum.iter_mut().zip(added).for_each(|(s, a)| *s += a);
            values.push(value);
            prefix.push(sum);
        }
        Sums { values, prefix }
    }

    /// Σ (x - mean)² of the distinct values `start..end`.
    fn cost(&self, start: usize, end: usize) -> f64 {
        let [weight, sum, square] = [0, 1, 2].map(|k| self.prefix[end][k] - self.prefix[start][k]);
        if weight > 0.0 { (square - sum * sum / weight).max(0.0) } else { 0.0 }
    }
}

/// One more group than `before` has.
struct Layer<'a> {
    sums: &'a Sums,
    before: &'a [f64],
    cost: Vec<f64>,
    start: Vec<usize>,
}

impl Layer<'_> {
    /// Solves the ends `first..=last`, whose best starts lie in `low..=high`.
    fn solve(&mut self, first: usize, last: usize, low: usize, high: usize) {
        if first > last {
            return;
        }
        let end = first.midpoint(last);
        for start in low..=high.min(end - 1) {
            let cost = self.before[start] + self.sums.cost(start, end);
            if cost < self.cost[end] {
                (self.cost[end], self.start[end]) = (cost, start);
            }
        }
        let start = self.start[end];
        self.solve(first, end - 1, low, start);
        self.solve(end + 1, last, start, high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best cost over all ways to cut sorted values into at most `groups` intervals.
    fn by_trying_all(sorted: &[f64], groups: usize) -> f64 {
        let cost = |part: &[f64]| {
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            part.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>()
        };
        if groups == 1 {
            return cost(sorted);
        }
        let cut = |at: usize| cost(&sorted[at..]) + by_trying_all(&sorted[..at], groups - 1);
        (1..sorted.len()).map(cut).fold(cost(sorted), f64::min)
    }

    #[test]
    fn optimal_on_small_lists() {
        for seed in 0..40u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut next = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 40) % 50) as f64 / 7.0
            };
            let mut values: Vec<f64> = (0..9).map(|_| next()).collect();
            for groups in 1..5 {
                let starts = group_starts(values.clone(), groups);
                values.sort_by(f64::total_cmp);
                let group = |v: &f64| starts.partition_point(|s| s <= v);
                let found: f64 =
                    values.chunk_by(|a, b| group(a) == group(b)).map(|part| by_trying_all(part, 1)).sum();
                let best = by_trying_all(&values, groups);
                assert!((found - best).abs() < 1e-9, "{values:?} in {groups}: {found}, best {best}");
                assert!(starts.len() <= groups && starts.is_sorted());
            }
        }
    }

    #[test]
    fn equal_values_stay_together_and_few_values_make_few_groups() {
        assert_eq!(group_starts(vec![2.0, 1.0, 2.0, 1.0, 1.0], 4), [1.0, 2.0]);
        assert_eq!(group_starts(vec![5.0; 3], 3), [5.0]);
        assert_eq!(group_starts(vec![0.0, 0.1, 5.0, 5.1, 9.0], 3), [0.0, 5.0, 9.0]);
    }
}
