//! What a clustering has to do with classes: accuracy under the best naming of the clusters, and
//! normalized mutual information.

use crate::{Error, Result};

/// The assignment of rows to columns with the smallest total cost, by the Hungarian method with
/// potentials, O(k³). `cost` is k × k, row after row; the answer is the column of every row.
///
/// ```
/// use fiedler::eval::assign;
///
/// assert_eq!(assign(&[4.0, 1.0, 3.0, 2.0, 0.0, 5.0, 3.0, 2.0, 2.0], 3)?, [1, 0, 2]);
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::Length`] when the costs are not k × k, [`Error::Parameter`] when one is not finite.
pub fn assign(cost: &[f64], k: usize) -> Result<Vec<usize>> {
    if cost.len() != k * k {
        return Err(Error::Length { what: "costs of an assignment", expected: k * k, got: cost.len() });
    }
    if let Some(bad) = cost.iter().find(|c| !c.is_finite()) {
        return Err(Error::parameter("cost", "finite numbers", bad));
    }
    // Rows and columns count from 1; row 0 is the row that looks for a column.
    let (mut row_potential, mut column_potential) = (vec![0.0; k + 1], vec![0.0; k + 1]);
    let mut row_of = vec![0; k + 1];
    for row in 1..=k {
        row_of[0] = row;
        let (mut column, mut slack) = (0, vec![f64::INFINITY; k + 1]);
        let (mut from, mut done) = (vec![0; k + 1], vec![false; k + 1]);
        while row_of[column] != 0 {
            done[column] = true;
            let (i, mut step, mut next) = (row_of[column], f64::INFINITY, 0);
            for j in (1..=k).filter(|&j| !done[j]) {
                let reduced = cost[(i - 1) * k + j - 1] - row_potential[i] - column_potential[j];
                if reduced < slack[j] {
                    (slack[j], from[j]) = (reduced, column);
                }
                if slack[j] < step {
                    (step, next) = (slack[j], j);
                }
            }
            for j in 0..=k {
                if done[j] {
                    row_potential[row_of[j]] += step;
                    column_potential[j] -= step;
                } else {
                    slack[j] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[from[column]];
            column = from[column];
        }
    }
    let mut columns = vec![0; k];
    (1..=k).for_each(|j| columns[row_of[j] - 1] = j - 1);
    Ok(columns)
}

/// The share of samples whose cluster is their class, under the one-to-one naming of clusters by
/// classes that makes it largest. Clusters beyond the number of classes have no name.
///
/// # Errors
/// [`Error::Length`] when the lists differ in length.
pub fn clustering_accuracy(clusters: &[u32], classes: &[u32]) -> Result<f64> {
    let table = Contingency::new(clusters, classes)?;
    let k = table.rows.max(table.columns);
    let mut cost = vec![0.0; k * k];
    for (at, &count) in table.counts.iter().enumerate() {
        cost[at / table.columns * k + at % table.columns] = -(count as f64);
    }
    let named = assign(&cost, k)?;
    let hits: f64 = named.iter().enumerate().map(|(row, &column)| -cost[row * k + column]).sum();
    Ok(hits / clusters.len() as f64)
}

/// Mutual information of clusters and classes over the larger of their entropies: 1 where each
/// tells the other, also where both are a single group; 0 where they are independent.
///
/// # Errors
/// [`Error::Length`] when the lists differ in length.
pub fn normalized_mutual_information(clusters: &[u32], classes: &[u32]) -> Result<f64> {
    let table = Contingency::new(clusters, classes)?;
    let n = clusters.len() as f64;
    let row =
        |r: usize| table.counts[r * table.columns..(r + 1) * table.columns].iter().sum::<usize>() as f64;
    let column = |c: usize| table.counts.iter().skip(c).step_by(table.columns).sum::<usize>() as f64;
    let entropy = |sizes: Vec<f64>| -> f64 {
        sizes.iter().filter(|&&s| s > 0.0).map(|s| -(s / n) * (s / n).ln()).sum()
    };
    let larger =
        entropy((0..table.rows).map(row).collect()).max(entropy((0..table.columns).map(column).collect()));
    if larger == 0.0 {
        return Ok(1.0);
    }
    let mut information = 0.0;
    for (at, &count) in table.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let joint = count as f64;
        let apart = row(at / table.columns) * column(at % table.columns);
        information += joint / n * (joint * n / apart).ln();
    }
    Ok((information / larger).clamp(0.0, 1.0))
}

/// How many samples of every cluster are of every class.
struct Contingency {
    counts: Vec<usize>,
    rows: usize,
    columns: usize,
}

impl Contingency {
    fn new(clusters: &[u32], classes: &[u32]) -> Result<Self> {
        if clusters.len() != classes.len() || clusters.is_empty() {
            let expected = clusters.len().max(1);
            return Err(Error::Length {
                what: "classes of the clustered samples",
                expected,
                got: classes.len(),
            });
        }
        let size = |list: &[u32]| list.iter().max().map_or(0, |&largest| largest as usize + 1);
        let (rows, columns) = (size(clusters), size(classes));
        let mut counts = vec![0; rows * columns];
        clusters.iter().zip(classes).for_each(|(&r, &c)| counts[r as usize * columns + c as usize] += 1);
        Ok(Contingency { counts, rows, columns })
    }
}
