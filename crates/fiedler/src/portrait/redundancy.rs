//! Which of the kept features say the same.

use super::features::{correlation, unit_columns};
use crate::Result;
use crate::dataset::Dataset;

/// Features that are compared with one another at most.
const MOST: usize = 40;

/// The correlations of the kept features, those that are alike side by side.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Redundancy {
    /// The features, by their columns, in an order that puts together what is alike.
    pub features: Vec<usize>,
    /// The correlations of the features in that order, row by row.
    pub correlations: Vec<f64>,
}

impl Redundancy {
    /// Of the first of the features `kept`; `None` where there are no two that vary.
    pub(super) fn of(view: &Dataset, kept: &[usize]) -> Result<Option<Self>> {
        let varying: Vec<usize> = kept.iter().copied().filter(|&j| !view.constant(j)).take(MOST).collect();
        let (n, k) = (view.n_samples(), varying.len());
        if k < 2 {
            return Ok(None);
        }
        let columns = unit_columns(view, &varying)?;
        let column = |a: usize| &columns[a * n..(a + 1) * n];
        let table: Vec<Vec<f64>> =
            (0..k).map(|a| (0..k).map(|b| correlation(column(a), column(b))).collect()).collect();
        let order = side_by_side(&table);
        Ok(Some(Redundancy {
            features: order.iter().map(|&a| varying[a]).collect(),
            correlations: order
                .iter()
                .flat_map(|&a| order.iter().map(move |&b| (a, b)))
                .map(|(a, b)| table[a][b])
                .collect(),
        }))
    }

    /// The correlation of the features at places `a` and `b`.
    pub fn at(&self, a: usize, b: usize) -> f64 {
        self.correlations[a * self.features.len() + b]
    }
}

/// An order that puts together what is alike: the leaves of average linkage on |correlation|. The two groups that are most
/// alike are joined, the first of them where several are, so that the better feature comes first.
fn side_by_side(table: &[Vec<f64>]) -> Vec<usize> {
    let mut groups: Vec<Vec<usize>> = (0..table.len()).map(|a| vec![a]).collect();
    while groups.len() > 1 {
        let mut most = (f64::NEG_INFINITY, 0, 1);
        for a in 0..groups.len() {
            for b in a + 1..groups.len() {
                let alike = mean_alike(table, &groups[a], &groups[b]);
                if alike > most.0 {
                    most = (alike, a, b);
                }
            }
        }
        let joined = groups.remove(most.2);
        groups[most.1].extend(joined);
    }
    groups.into_iter().flatten().collect()
}

fn mean_alike(table: &[Vec<f64>], a: &[usize], b: &[usize]) -> f64 {
    let sum: f64 =
        a.iter().flat_map(|&i| b.iter().map(move |&j| (i, j))).map(|(i, j)| table[i][j].abs()).sum();
    sum / (a.len() * b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_stands_together() {
        let mut table = vec![vec![0.1; 4]; 4];
        (0..4).for_each(|i| table[i][i] = 1.0);
        (table[0][3], table[3][0]) = (-0.9, -0.9);
        (table[1][2], table[2][1]) = (0.8, 0.8);
        assert_eq!(side_by_side(&table), [0, 3, 1, 2]);
    }
}
