//! The squared distances of all pairs of samples.
//!
//! ‖x‖² + ‖y‖² - 2x·y about the means, as matrix products in double precision. Where the samples
//! lie much closer to each other than to the mean, that difference has lost digits, and the pair
//! is measured again, feature by feature. The upper triangle is computed and mirrored, so the
//! result is symmetric to the bit.
//!
//! Cost: n²m for half of n² pairs; memory for the result and 512 features at a time.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::exact;
use super::geometry::{Geometry, read_tiles};
use super::sparse::{SparseRows, too_many};
use crate::afar::What;
use crate::dataset::{BLOCK, Center, Dataset};
use crate::graph::Metric;
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Features that are read at a time.
const WIDTH: usize = 8 * BLOCK;
/// Rows and columns of one matrix product.
const TILE: usize = 256;
/// Below this share of ‖x‖² + ‖y‖² a difference has lost more than three digits.
const CANCELLED: f64 = 1e-3;
/// Pairs that are measured again at a time.
const PAIRS_AT_A_TIME: usize = 4 << 20;

/// ‖xᵢ - xⱼ‖² of all pairs: symmetric to the bit, 0 on the diagonal and between duplicates.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(crate) fn squared_distances(data: &Dataset, monitor: &dyn Monitor) -> Result<Mat<f64>> {
    let geometry = Geometry::new(data, Metric::Euclidean, monitor)?;
    let mut matrix = match &geometry.rows {
        None if geometry.afar => gram_from_afar(data, geometry.scale, monitor)?,
        Some(rows) => sparse_products(rows, data.n_samples(), monitor)?,
        // Sums in another order have other last digits, and memory must change none.
        None if data.is_sparse() => return Err(too_many(data, monitor)),
        None => products(data, geometry.scale, monitor)?,
    };
    let norms: Vec<f64> = (0..matrix.nrows()).map(|i| matrix[(i, i)]).collect();
    let close = |j: usize, column: &mut [f64]| -> Vec<u32> {
        let mut close = Vec::new();
        for (i, value) in column[..j].iter_mut().enumerate() {
            let scale = norms[i] + norms[j];
            *value = (scale - 2.0 * *value).max(0.0);
            if *value < CANCELLED * scale {
                close.push(i as u32);
            }
        }
        column[j] = 0.0;
        close
    };
    let lists = map_columns(matrix.as_mut(), 0, &close);
    let pairs: Vec<(u32, Vec<u32>)> = (0..).zip(lists).filter(|p| !p.1.is_empty()).collect();
    measure_again(data, &geometry, &pairs, &mut matrix, monitor)?;
    each_column(matrix.as_mut(), &|v| geometry.unscaled(v));
    mirror(matrix.as_mut());
    Ok(matrix)
}

/// The upper triangle of XXᵀ over a share of the columns, n × n by columns. See [`afar`](crate::afar).
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(crate) fn share_gram(data: &Dataset, scale: f64, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let gram = products(data, scale, monitor)?;
    Ok((0..gram.ncols()).flat_map(|j| gram.col_as_slice(j)).copied().collect())
}

/// The same over all columns, wherever they lie.
fn gram_from_afar(data: &Dataset, scale: f64, monitor: &dyn Monitor) -> Result<Mat<f64>> {
    let n = data.n_samples();
    let Some(far) = data.far() else { return products(data, scale, monitor) };
    let gram = far.ask(What::Gram { scale }, "distances", monitor)?;
    if gram.len() != n * n {
        return Err(Error::Length { what: "sums over all pairs", expected: n * n, got: gram.len() });
    }
    Ok(MatRef::from_column_major_slice(&gram, n, n).to_owned())
}

/// Replaces every value of a column-major matrix by `f` of it, columns in parallel.
pub(crate) fn each_column(matrix: MatMut<'_, f64>, f: &(impl Fn(f64) -> f64 + Sync)) {
    map_columns(matrix, 0, &|_, column: &mut [f64]| column.iter_mut().for_each(|v| *v = f(*v)));
}

/// The upper triangle of XXᵀ, centered.
fn products(data: &Dataset, scale: f64, monitor: &dyn Monitor) -> Result<Mat<f64>> {
    let (n, m) = (data.n_samples(), data.n_features());
    let stage = Stage::new(monitor, "distances", m)?;
    let mut gram = Mat::<f64>::zeros(n, n);
    for start in (0..m).step_by(WIDTH) {
        let range = start..m.min(start + WIDTH);
        let mut tiles = read_tiles(data, range.clone(), Center::Mean)?;
        if scale != 1.0 {
            tiles.par_iter_mut().flatten_iter().for_each(|v| *v *= scale);
        }
        let tiles: Vec<MatRef<'_, f64>> =
            tiles.iter().map(|t| MatRef::from_row_major_slice(t, n, BLOCK)).collect();
        add_triangle(gram.as_mut(), 0, &tiles);
        stage.advance(range.len())?;
    }
    Ok(gram)
}

fn sparse_products(rows: &SparseRows, n: usize, monitor: &dyn Monitor) -> Result<Mat<f64>> {
    let stage = Stage::new(monitor, "distances", n)?;
    let mut gram = Mat::<f64>::zeros(n, n);
    let fill = |j: usize, column: &mut [f64]| {
        rows.product_row(Metric::Euclidean, j, column);
        stage.advance(1)
    };
    map_columns(gram.as_mut(), 0, &fill).into_iter().collect::<Result<()>>()?;
    Ok(gram)
}

/// Adds the upper triangle of the products of the samples from `first` on.
fn add_triangle(gram: MatMut<'_, f64>, first: usize, tiles: &[MatRef<'_, f64>]) {
    let n = gram.nrows();
    if n <= TILE {
        return add_rectangle(gram, (first, first), tiles);
    }
    let half = half(n);
    let (upper, corner, _, lower) = gram.split_at_mut(half, half);
    rayon::join(
        || add_rectangle(corner, (first, first + half), tiles),
        || rayon::join(|| add_triangle(upper, first, tiles), || add_triangle(lower, first + half, tiles)),
    );
}

fn add_rectangle(gram: MatMut<'_, f64>, first: (usize, usize), tiles: &[MatRef<'_, f64>]) {
    let (rows, columns) = (gram.nrows(), gram.ncols());
    if rows.max(columns) > TILE {
        let (left, right) = if rows > columns { halves_by_row(gram) } else { halves_by_column(gram) };
        let next = if rows > columns {
            (first.0 + left.nrows(), first.1)
        } else {
            (first.0, first.1 + left.ncols())
        };
        rayon::join(|| add_rectangle(left, first, tiles), || add_rectangle(right, next, tiles));
        return;
    }
    let mut gram = gram;
    for tile in tiles {
        let (x, y) = (tile.subrows(first.0, rows), tile.subrows(first.1, columns));
        matmul(gram.as_mut(), Accum::Add, x, y.transpose(), 1.0, Par::Seq);
    }
}

/// Half of `n`, in whole tiles.
fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(TILE)
}

fn halves_by_row(matrix: MatMut<'_, f64>) -> (MatMut<'_, f64>, MatMut<'_, f64>) {
    let at = half(matrix.nrows());
    matrix.split_at_row_mut(at)
}

fn halves_by_column(matrix: MatMut<'_, f64>) -> (MatMut<'_, f64>, MatMut<'_, f64>) {
    let at = half(matrix.ncols());
    matrix.split_at_col_mut(at)
}

/// Puts the sums of `pairs` (column, rows) in place of what the products gave.
fn measure_again(
    data: &Dataset,
    geometry: &Geometry,
    pairs: &[(u32, Vec<u32>)],
    matrix: &mut Mat<f64>,
    monitor: &dyn Monitor,
) -> Result<()> {
    let mut rest = pairs;
    while !rest.is_empty() {
        let mut count = 0;
        let fits = rest.iter().take_while(|p| {
            count += p.1.len();
            count <= PAIRS_AT_A_TIME
        });
        let (now, later) = rest.split_at(fits.count().max(1));
        for ((j, others), sums) in now.iter().zip(exact::pair_sums(data, geometry, now, monitor)?) {
            others.iter().zip(sums).for_each(|(&i, sum)| matrix[(i as usize, *j as usize)] = sum);
        }
        rest = later;
    }
    Ok(())
}

/// Calls `work` on every column of a column-major matrix, in parallel, and returns what it found
/// in order; `first` is the index of the first column.
fn map_columns<R: Send>(
    matrix: MatMut<'_, f64>,
    first: usize,
    work: &(impl Fn(usize, &mut [f64]) -> R + Sync),
) -> Vec<R> {
    let columns = matrix.ncols();
    if columns > 16 {
        let half = columns / 2;
        let (left, right) = matrix.split_at_col_mut(half);
        let (mut a, b) =
            rayon::join(|| map_columns(left, first, work), || map_columns(right, first + half, work));
        a.extend(b);
        return a;
    }
    let mut matrix = matrix;
    (0..columns)
        .filter_map(|j| {
            Some(work(first + j, matrix.as_mut().col_mut(j).try_as_col_major_mut()?.as_slice_mut()))
        })
        .collect()
}

/// Copies the upper triangle into the lower.
fn mirror(matrix: MatMut<'_, f64>) {
    let n = matrix.nrows();
    if n > TILE {
        let half = half(n);
        let (upper, corner, below, lower) = matrix.split_at_mut(half, half);
        rayon::join(
            || transpose_into(corner.as_ref(), below),
            || rayon::join(|| mirror(upper), || mirror(lower)),
        );
        return;
    }
    let mut matrix = matrix;
    for j in 0..n {
        for i in 0..j {
            matrix[(j, i)] = matrix[(i, j)];
        }
    }
}

/// `into` = `from` transposed, in tiles that stay in cache.
fn transpose_into(from: MatRef<'_, f64>, into: MatMut<'_, f64>) {
    let (rows, columns) = (into.nrows(), into.ncols());
    if rows.max(columns) <= 64 {
        let mut into = into;
        into.copy_from(from.transpose());
    } else if rows > columns {
        let (left, right) = from.split_at_col(rows / 2);
        let (upper, lower) = into.split_at_row_mut(rows / 2);
        rayon::join(|| transpose_into(left, upper), || transpose_into(right, lower));
    } else {
        let (upper, lower) = from.split_at_row(columns / 2);
        let (left, right) = into.split_at_col_mut(columns / 2);
        rayon::join(|| transpose_into(upper, left), || transpose_into(lower, right));
    }
}
