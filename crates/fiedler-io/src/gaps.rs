//! Missing values: where they are, and what is done about them.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::Body;
use crate::messy::{Missing, counted, keep_columns, keep_rows, listed};
use crate::table::Raw;
use crate::{Error, Result};

/// Fills or leaves out what is missing.
pub(crate) fn fill(raw: &mut Raw, file: &str, policy: Missing) -> Result<()> {
    let gaps = Gaps::find(&raw.body, policy)?;
    if gaps.columns.is_empty() {
        return Ok(());
    }
    match policy {
        Missing::Error => Ok(()),
        Missing::DropRows => drop_rows(raw, file, &gaps),
        Missing::DropColumns => {
            let bad: Vec<usize> = gaps.columns.iter().map(|gap| gap.column).collect();
            if bad.len() == raw.body.columns() {
                let what = "every feature has a missing value";
                return Err(Error::unsupported(file, what, "fill the values (mean, median)"));
            }
            drop_columns(raw, file, &bad, "with missing values")
        }
        Missing::Mean | Missing::Median => {
            let name = |gap: &Gap| format!("{} ({})", name(raw, gap.column), gap.count);
            let names: Vec<String> = gaps.columns.iter().map(name).collect();
            let cells = gaps.columns.iter().map(|gap| gap.count).sum();
            raw.notes.push(format!(
                "{} filled with the {policy} of the feature: {}",
                counted(cells, "missing value"),
                listed(&names)
            ));
            for gap in &gaps.columns {
                if let Some(value) = gap.typical {
                    raw.body.fill(gap.column, value);
                }
            }
            let empty: Vec<usize> =
                gaps.columns.iter().filter(|gap| gap.typical.is_none()).map(|gap| gap.column).collect();
            if empty.is_empty() { Ok(()) } else { drop_columns(raw, file, &empty, "without any value") }
        }
    }
}

/// Leaves out the samples that lack a value.
fn drop_rows(raw: &mut Raw, file: &str, gaps: &Gaps) -> Result<()> {
    let n = raw.body.rows();
    let kept: Vec<usize> = (0..n).filter(|&i| !gaps.rows[i]).collect();
    if kept.is_empty() {
        let widest = gaps.columns.iter().max_by_key(|gap| gap.count).map_or(0, |gap| gap.column);
        let what = format!("every sample has a missing value, most of them in `{}`", name(raw, widest));
        return Err(match gaps.columns.len() {
            1 => Error::unsupported(file, what, "leave that feature out, or fill the values (mean, median)"),
            several => {
                let others = counted(several - 1, "other feature");
                Error::unsupported(
                    file,
                    format!("{what} and some in {others}"),
                    "fill the values (mean, median)",
                )
            }
        });
    }
    raw.notes.push(format!("{} of {n} samples with missing values were left out", n - kept.len()));
    keep_rows(raw, &kept);
    Ok(())
}

/// Leaves out features, which ascend.
fn drop_columns(raw: &mut Raw, file: &str, bad: &[usize], why: &str) -> Result<()> {
    let names: Vec<String> = bad.iter().map(|&j| name(raw, j)).collect();
    raw.notes.push(format!("{} {why} left out: {}", counted(bad.len(), "feature"), listed(&names)));
    let kept: Vec<usize> = (0..raw.body.columns()).filter(|j| bad.binary_search(j).is_err()).collect();
    keep_columns(raw, file, &kept)
}

fn name(raw: &Raw, j: usize) -> String {
    raw.column_names.as_ref().map_or(format!("x{j}"), |names| names[j].clone())
}

/// Where values are missing.
struct Gaps {
    /// The features that lack any.
    columns: Vec<Gap>,
    /// Whether a sample does.
    rows: Vec<bool>,
}

/// A feature that lacks values.
struct Gap {
    column: usize,
    count: usize,
    /// What may stand for them; `None` where the feature has no value at all, or nothing is to stand for them.
    typical: Option<f64>,
}

impl Gaps {
    fn find(body: &Body, policy: Missing) -> Result<Self> {
        let rows: Vec<AtomicBool> = (0..body.rows()).map(|_| AtomicBool::new(false)).collect();
        let look = |column: Vec<f64>| {
            let missing = column.iter().zip(&rows).filter(|(v, _)| v.is_nan());
            let count = missing.map(|(_, row)| row.store(true, Ordering::Relaxed)).count();
            let fills = count > 0 && matches!(policy, Missing::Mean | Missing::Median);
            (count, if fills { typical(&column, policy) } else { None })
        };
        let found = if body.may_have_gaps() { body.map_columns(look)? } else { Vec::new() };
        let gap = |(column, (count, typical))| Gap { column, count, typical };
        let columns = found.into_iter().enumerate().map(gap).filter(|gap| gap.count > 0).collect();
        Ok(Gaps { columns, rows: rows.into_iter().map(AtomicBool::into_inner).collect() })
    }
}

/// The mean or median of what is not missing.
fn typical(column: &[f64], policy: Missing) -> Option<f64> {
    let mut known: Vec<f64> = column.iter().copied().filter(|v| !v.is_nan()).collect();
    if known.is_empty() {
        return None;
    }
    if policy == Missing::Mean {
        return Some(known.iter().sum::<f64>() / known.len() as f64);
    }
    known.sort_by(f64::total_cmp);
    let middle = known.len() / 2;
    Some(if known.len() % 2 == 1 { known[middle] } else { 0.5 * (known[middle - 1] + known[middle]) })
}
