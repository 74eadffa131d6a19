//! The values of the best features: at the samples that are drawn, and how they are distributed.

use super::Drawn;
use crate::Result;
use crate::dataset::{Dataset, Labels, Scaling};

/// Features whose values are told.
const TOLD: usize = 60;
/// Features whose distribution is told.
const DISTRIBUTIONS: usize = 24;
/// Classes that are told apart in a distribution at most.
const CLASSES: usize = 12;
/// Bins of a histogram, unless the values are whole numbers in so short a range that each has a bin of its own.
const BINS: usize = 24;
/// Whole numbers that have a bin each at most.
const WHOLE: f64 = 40.0;

/// The values of a feature at the samples that are drawn, in the user's units.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Values {
    /// The feature, by its column.
    pub index: usize,
    /// Its values.
    pub values: Vec<f64>,
}

/// How the values of a feature are distributed over all samples, in the user's units.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distribution {
    /// The feature, by its column.
    pub index: usize,
    /// Where the first bin begins: the smallest value.
    pub low: f64,
    /// Where the last bin ends: the largest value.
    pub high: f64,
    /// The groups: one a class, or a single one of all samples without a name.
    pub groups: Vec<Group>,
}

/// The samples of a class.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Group {
    /// The class; none for all samples.
    pub class: Option<u32>,
    /// How many of its samples are in each bin.
    pub counts: Vec<usize>,
    /// The smallest value, the quartiles and the largest value.
    pub quartiles: [f64; 5],
    /// The mean.
    pub mean: f64,
}

/// The best features that vary.
fn best(data: &Dataset, order: &[usize], count: usize) -> Vec<usize> {
    order.iter().copied().filter(|&j| !data.constant(j)).take(count).collect()
}

pub(super) fn values(data: &Dataset, order: &[usize], samples: &Drawn) -> Result<Vec<Values>> {
    let data = data.clone().scaled(Scaling::None);
    let mut told = Vec::new();
    let list = best(&data, order, TOLD);
    data.each_column(&list, |place, block, at| {
        let all = block.column(at);
        told.push(Values { index: list[place], values: samples.indices.iter().map(|&i| all[i]).collect() });
    })?;
    Ok(told)
}

pub(super) fn distributions(data: &Dataset, order: &[usize]) -> Result<Vec<Distribution>> {
    let data = data.clone().scaled(Scaling::None);
    let labels = data.labels().filter(|l| (2..=CLASSES).contains(&l.classes().len()));
    let mut told = Vec::new();
    let list = best(&data, order, DISTRIBUTIONS);
    data.each_column(&list, |place, block, at| {
        told.push(Distribution::of(list[place], &block.column(at), labels));
    })?;
    Ok(told)
}

impl Distribution {
    fn of(index: usize, values: &[f64], labels: Option<&Labels>) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let of_class = |class: u32, labels: &Labels| -> Vec<f64> {
            let pairs = values.iter().zip(labels.codes());
            pairs.filter(|(_, code)| **code == Some(class)).map(|(v, _)| *v).collect()
        };
        let groups: Vec<(Option<u32>, Vec<f64>)> = match labels {
            None => vec![(None, values.to_vec())],
            Some(labels) => {
                (0..labels.classes().len() as u32).map(|c| (Some(c), of_class(c, labels))).collect()
            }
        };
        let bins = bins(values, low, high);
        let filled = groups.into_iter().filter(|(_, values)| !values.is_empty());
        let groups = filled.map(|(class, values)| Group::of(class, values, (low, high), bins)).collect();
        Distribution { index, low, high, groups }
    }
}

impl Group {
    fn of(class: Option<u32>, mut values: Vec<f64>, (low, high): (f64, f64), bins: usize) -> Self {
        let mut counts = vec![0; bins];
        let bin = |v: f64| if high > low { ((v - low) / (high - low) * bins as f64) as usize } else { 0 };
        values.iter().for_each(|&v| counts[bin(v).min(bins - 1)] += 1);
        values.sort_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Group { class, counts, quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| quantile(&values, q)), mean }
    }
}

/// As many bins as suit the values: other numbers of them would show gaps between whole numbers that are not in the data.
fn bins(values: &[f64], low: f64, high: f64) -> usize {
    let whole = high > low && high - low < WHOLE && values.iter().all(|v| v.fract() == 0.0);
    if whole { (high - low) as usize + 1 } else { BINS }
}

/// The quantile of sorted values, by the line between the two nearest.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let (low, part) = (at.floor() as usize, at.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + part * (sorted[high] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_bins_are_those_of_the_class() {
        let labels = Labels::new([Some("a"), Some("b"), Some("a"), None, Some("a"), Some("a"), Some("a")]);
        let found = Distribution::of(3, &[1.0, 9.0, 2.0, 0.0, 3.0, 4.0, 5.0], Some(&labels));
        assert_eq!((found.low, found.high, found.groups.len()), (0.0, 9.0, 2));
        assert_eq!((found.groups[0].quartiles, found.groups[0].mean), ([1.0, 2.0, 3.0, 4.0, 5.0], 3.0));
        assert_eq!(found.groups[0].counts.iter().sum::<usize>(), 5);
        assert_eq!(found.groups[1].counts, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn whole_numbers_have_a_bin_each_and_others_the_usual_bins() {
        let whole: Vec<f64> = (0..34).map(|i| f64::from(i % 17)).collect();
        assert_eq!(Distribution::of(0, &whole, None).groups[0].counts, [2; 17]);
        let halves: Vec<f64> = whole.iter().map(|v| v / 2.0).collect();
        assert_eq!(Distribution::of(0, &halves, None).groups[0].counts.len(), BINS);
        let wide = Distribution::of(0, &[0.0, 1.0, 4_000_000.0], None);
        assert_eq!(wide.groups[0].counts.len(), BINS);
    }
}
