//! Tables as they come: missing values, names in a file of their own, features that too few samples carry, and a part
//! of the samples. What is done is told in the notes; nothing is done unasked.

mod choices;

use std::path::Path;

use fiedler::Monitor;

pub use choices::{Categories, Dates, Missing, Sampling};

use crate::input::Input;
use crate::options::ReadOptions;
use crate::table::Raw;
use crate::{Error, Result};

/// The names of features in a file, one a line, and what the file is called.
pub(crate) fn feature_names(path: &Path, monitor: &dyn Monitor) -> Result<(String, Vec<String>)> {
    let input = Input::open(path, monitor.limits())?;
    let file = input.name.clone();
    let bytes = input.read_all(monitor)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut names: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    while names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    Ok((file, names))
}

/// Does what the options ask of a table that lies the right way round: draws samples, then fills or leaves out what
/// is missing, then leaves out features that too few samples carry.
pub(crate) fn settle(raw: &mut Raw, file: &str, options: &ReadOptions) -> Result<()> {
    if let Some(sampling) = options.sample {
        draw(raw, sampling);
    }
    if options.missing != Missing::Error {
        crate::gaps::fill(raw, file, options.missing)?;
    }
    if options.min_samples > 0 {
        drop_rare(raw, file, options.min_samples)?;
    }
    Ok(())
}

/// Keeps some of the samples, in the order of the file. Those without names are named after their place in it.
fn draw(raw: &mut Raw, sampling: Sampling) {
    let n = raw.body.rows();
    if sampling.count >= n {
        raw.notes.push(format!("all {n} samples were read, for no more were asked for"));
        return;
    }
    let mut rows: Vec<usize> = (0..n).collect();
    let mut state = sampling.seed;
    for i in 0..sampling.count {
        let rest = (n - i) as u64;
        rows.swap(i, i + below(&mut state, rest) as usize);
    }
    rows.truncate(sampling.count);
    rows.sort_unstable();
    if raw.row_names.is_none() {
        raw.row_names = Some((1..=n).map(|row| format!("row_{row}")).collect());
    }
    keep_rows(raw, &rows);
    let (count, seed) = (sampling.count, sampling.seed);
    let names = raw.row_names.as_deref().unwrap_or_default();
    raw.notes.push(format!(
        "{count} of {n} samples were drawn (seed {seed}): {}; the same seed draws the same, and a file of the selected \
         features names them all",
        listed(names)
    ));
}

/// A number below `limit`, each as likely as the others, by SplitMix64.
fn below(state: &mut u64, limit: u64) -> u64 {
    loop {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The last, incomplete run of numbers would favor the small ones.
        if z < u64::MAX - u64::MAX % limit {
            return z % limit;
        }
    }
}

/// Leaves out features that differ from their most common value in fewer samples.
fn drop_rare(raw: &mut Raw, file: &str, least: usize) -> Result<()> {
    let m = raw.body.columns();
    let carried = raw.body.map_columns(carriers)?;
    let kept: Vec<usize> = (0..m).filter(|&j| carried[j] >= least).collect();
    if kept.len() < m {
        let dropped = m - kept.len();
        raw.notes.push(format!(
            "{dropped} of {} left out: fewer than {} differ there from the most common value",
            counted(m, "feature"),
            counted(least, "sample")
        ));
        keep_columns(raw, file, &kept)?;
    }
    Ok(())
}

/// The samples that do not have the most common value.
fn carriers(mut column: Vec<f64>) -> usize {
    column.sort_by(f64::total_cmp);
    let longest = column.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
    column.len() - longest
}

pub(crate) fn keep_columns(raw: &mut Raw, file: &str, kept: &[usize]) -> Result<()> {
    if kept.is_empty() {
        let what = format!("none of the {} is left", counted(raw.body.columns(), "feature"));
        return Err(Error::Empty { file: file.to_owned(), what });
    }
    // Numbering follows the file, so that leaving a column out renames no other.
    let m = raw.body.columns();
    let names = raw.column_names.get_or_insert_with(|| (0..m).map(|j| format!("x{j}")).collect());
    *names = kept.iter().map(|&j| std::mem::take(&mut names[j])).collect();
    raw.body = std::mem::take(&mut raw.body).keep_columns(kept);
    Ok(())
}

pub(crate) fn keep_rows(raw: &mut Raw, kept: &[usize]) {
    raw.body = std::mem::take(&mut raw.body).keep_rows(kept);
    if let Some(names) = &mut raw.row_names {
        *names = kept.iter().map(|&i| std::mem::take(&mut names[i])).collect();
    }
    if let Some(label) = &mut raw.label {
        label.texts = kept.iter().map(|&i| label.texts[i].take()).collect();
    }
}

/// `3 features`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The first few of many names.
pub(crate) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::matrix::{Matrix, Numbers, Storage};
    use fiedler::dataset::Order;

    const NAN: f64 = f64::NAN;

    fn raw() -> Raw {
        let values = vec![1.0, NAN, 3.0, 2.0, 5.0, 3.0, NAN, 6.0, 3.0, 9.0, 10.0, 4.0];
        let mut raw = Raw::bare(Matrix::dense(Numbers::F64(values), 4, 3, Order::RowMajor));
        raw.column_names = Some(["a", "b", "c"].map(str::to_owned).to_vec());
        raw
    }

    fn columns(raw: &Raw) -> Vec<Vec<f64>> {
        (0..raw.body.columns()).map(|j| raw.body.column(j).expect("in memory")).collect()
    }

    fn settled(options: &ReadOptions) -> Raw {
        let mut raw = raw();
        settle(&mut raw, "f", options).expect("settled");
        raw
    }

    #[test]
    fn missing_values_are_filled_or_left_out() {
        let of = |missing| settled(&ReadOptions { missing, ..ReadOptions::default() });
        let mean = of(Missing::Mean);
        assert_eq!(columns(&mean)[0], [1.0, 2.0, 4.0, 9.0]);
        assert_eq!(columns(&mean)[1], [7.0, 5.0, 6.0, 10.0]);
        assert_eq!(mean.notes, ["2 missing values filled with the mean of the feature: a (1), b (1)"]);
        assert_eq!(columns(&of(Missing::Median))[0], [1.0, 2.0, 2.0, 9.0]);
        let rows = of(Missing::DropRows);
        assert_eq!(columns(&rows), [[2.0, 9.0], [5.0, 10.0], [3.0, 4.0]]);
        assert_eq!(rows.notes, ["2 of 4 samples with missing values were left out"]);
        let dropped = of(Missing::DropColumns);
        assert_eq!(columns(&dropped), [[3.0, 3.0, 3.0, 4.0]]);
        assert_eq!(dropped.column_names.expect("names"), ["c"]);
    }

    #[test]
    fn sparse_data_are_filled_too_and_stay_sparse() {
        let values = Numbers::F32(vec![4.0, f32::NAN, 1.0]);
        let storage = Storage::Sparse { offsets: vec![0, 2, 3], rows: vec![0, 2, 1], values };
        let mut raw = Raw::bare(Matrix { rows: 3, columns: 2, storage });
        let options = ReadOptions { missing: Missing::Mean, ..ReadOptions::default() };
        settle(&mut raw, "f", &options).expect("settled");
        assert_eq!(columns(&raw), [[4.0, 0.0, 2.0], [0.0, 1.0, 0.0]]);
        keep_rows(&mut raw, &[0, 2]);
        assert_eq!(columns(&raw), [[4.0, 2.0], [0.0, 0.0]]);
        assert!(matches!(raw.body, Body::Memory(Matrix { storage: Storage::Sparse { .. }, .. })));
    }

    #[test]
    fn features_that_few_samples_carry_are_left_out() {
        let options = ReadOptions { min_samples: 2, missing: Missing::Mean, ..ReadOptions::default() };
        let found = settled(&options);
        assert_eq!(found.column_names.as_deref().expect("names"), ["a", "b"]);
        assert!(
            found.notes[1].starts_with("1 of 3 features left out: fewer than 2 samples"),
            "{:?}",
            found.notes
        );
        let all = ReadOptions { min_samples: 9, missing: Missing::Mean, ..ReadOptions::default() };
        assert!(settle(&mut raw(), "f", &all).is_err());
    }

    #[test]
    fn the_same_seed_draws_the_same_samples() {
        let drawn = |seed| {
            let values = Numbers::F64((0..1000).map(f64::from).collect());
            let mut raw = Raw::bare(Matrix::dense(values, 1000, 1, Order::RowMajor));
            draw(&mut raw, Sampling { count: 10, seed });
            (columns(&raw).remove(0), raw.row_names.expect("names"))
        };
        let (rows, names) = drawn(1);
        assert!(rows.is_sorted() && rows.len() == 10);
        assert!(rows.iter().zip(&names).all(|(row, name)| *name == format!("row_{}", row + 1.0)));
        assert_eq!(drawn(1).0, rows);
        assert_ne!(drawn(2).0, rows);
    }

    #[test]
    fn every_sample_is_drawn_as_often() {
        let mut counts = [0; 5];
        for seed in 0..2000 {
            let values = Numbers::F64((0..5).map(f64::from).collect());
            let mut raw = Raw::bare(Matrix::dense(values, 5, 1, Order::RowMajor));
            draw(&mut raw, Sampling { count: 2, seed });
            columns(&raw)[0].iter().for_each(|&row| counts[row as usize] += 1);
        }
        assert!(counts.iter().all(|&c| (720..=880).contains(&c)), "{counts:?}");
    }
}
