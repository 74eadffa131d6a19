//! Inner products of the samples over some features, each with a weight.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::Result;
use crate::dataset::{BLOCK, Center, Dataset};
use crate::monitor::{Monitor, Stage};

/// Columns of the answer that one task adds to.
const STRIPE: usize = 128;

/// Σ_j w_j² f_j f_jᵀ, n × n, over the features (j, w_j) given in ascending order, scaled and centered; block of features by
/// block. Tasks own columns of the answer, so the order of the sums does not depend on their number.
pub(crate) fn sample_gram(
    data: &Dataset,
    features: &[(usize, f64)],
    stage: &'static str,
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let n = data.n_samples();
    let stage = Stage::new(monitor, stage, features.len())?;
    let mut gram = vec![0.0; n * n];
    for part in features.chunks(BLOCK) {
        let columns = weighted_columns(data, part)?;
        let columns = MatRef::from_column_major_slice(&columns, n, part.len());
        gram.par_chunks_mut(STRIPE * n).enumerate().for_each(|(stripe, out)| {
            let width = out.len() / n;
            let right = columns.subrows(stripe * STRIPE, width).transpose();
            let out = MatMut::from_column_major_slice_mut(out, n, width);
            matmul(out, Accum::Add, columns, right, 1.0, Par::Seq);
        });
        stage.advance(part.len())?;
    }
    Ok(gram)
}

/// The centered columns, one after the other, times their weights.
fn weighted_columns(data: &Dataset, features: &[(usize, f64)]) -> Result<Vec<f64>> {
    let n = data.n_samples();
    let mut columns = vec![0.0; n * features.len()];
    let list: Vec<usize> = features.iter().map(|f| f.0).collect();
    data.each_column(&list, |place, block, at| {
        let out = &mut columns[place * n..(place + 1) * n];
        block.pack(at..at + 1, 1, Center::Mean, out);
        out.iter_mut().for_each(|v| *v *= features[place].1);
    })?;
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scaling, Silent};

    #[test]
    fn chosen_columns_with_their_weights() {
        let rows = [[1.0, 5.0, 0.0, 2.0], [3.0, 5.0, 1.0, -2.0]];
        let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
        // About their means the columns are (-1, 1), (0, 0), (-½, ½), (2, -2).
        let gram = sample_gram(&data, &[(0, 2.0), (2, 1.0), (3, 0.5)], "test", &Silent).expect("a matrix");
        assert_eq!(gram, [5.25, -5.25, -5.25, 5.25]);
    }
}
