//! `--set targets=file:PATH`: the user's own targets, a line a sample.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fiedler::fusion::{Names, SampleSource, join_samples};
use fiedler::methods::TargetMatrix;
use fiedler::{Analysis, Dataset, Monitor, ParameterValue, Scaling};
use fiedler_io::ReadOptions;

use crate::failure::{Failure, Outcome};

/// Takes `targets=file:PATH` out of what is asked of methods.
///
/// # Errors
/// There is no path.
pub(super) fn taken(analysis: &mut Analysis) -> Outcome<Option<PathBuf>> {
    let Some(at) =
        analysis.settings.iter().position(|(name, value)| name == TARGETS && file(value).is_some())
    else {
        return Ok(None);
    };
    match file(&analysis.settings.remove(at).1) {
        Some(path) if path.as_os_str().is_empty() => {
            Err(Failure::usage("--set targets=file: names no file; write its path behind the colon"))
        }
        path => Ok(path),
    }
}

/// Refuses `targets=file:PATH` where selections are judged on parts of the samples.
///
/// # Errors
/// It was asked for.
pub(super) fn refused(analysis: &Analysis) -> Outcome {
    let varied =
        analysis.vary.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
    let set = analysis.settings.iter().map(|(name, value)| (name, value));
    match set.chain(varied).find(|(name, value)| *name == TARGETS && file(value).is_some()) {
        Some((_, value)) => Err(Failure::usage(format!(
            "targets={value}: targets of a file are for all samples, and selection sees parts of them here; rank and select \
             take such targets"
        ))),
        None => Ok(()),
    }
}

/// The parameter that may name a file.
const TARGETS: &str = "targets";

fn file(value: &ParameterValue) -> Option<PathBuf> {
    value.to_string().strip_prefix("file:").map(PathBuf::from)
}

/// Reads the targets of `data`: by the names of the samples where both have names, else in the order of the data.
///
/// # Errors
/// The file cannot be read, or is of other samples.
pub(super) fn read(file: &Path, data: &Dataset, monitor: &dyn Monitor) -> Outcome<Arc<TargetMatrix>> {
    let table = fiedler_io::read(file, &ReadOptions::default(), monitor).map_err(wrong)?;
    let targets = table.data.scaled(Scaling::None);
    let rows = rows(file, &targets, data)?;
    let n_targets = targets.n_features();
    let mut values = vec![0.0; rows.len() * n_targets];
    for t in 0..n_targets {
        let column = targets.column(t)?;
        rows.iter().enumerate().for_each(|(i, &row)| values[i * n_targets + t] = column[row]);
    }
    let names = if targets.feature_names().are_given() {
        (0..n_targets).map(|t| targets.feature_name(t).into_owned()).collect()
    } else {
        Vec::new()
    };
    Ok(Arc::new(TargetMatrix { values, n_targets, names }))
}

/// What is wrong with a cell: the file is no data of which a column could be the label, or left out.
fn wrong(error: fiedler_io::Error) -> Failure {
    match error {
        fiedler_io::Error::NotANumber { file, place, column, found } => Failure::Data(format!(
            "{file}, {place}, {column}: {found} is not a number; every column is a target, a number for every sample (but for \
             the names of the samples)"
        )),
        fiedler_io::Error::Missing { file, place, column, found } => Failure::Data(format!(
            "{file}, {place}, {column}: the value is missing (found {found}); every target is a number for every sample: fill \
             it in, take the column out, or take the sample out here and of the data"
        )),
        other => Failure::from(other).worded(|_| None),
    }
}

/// Names that only one side has. Nothing is dropped here, for the ranking is of all samples.
fn other_samples(error: fiedler::Error, file: &str) -> Failure {
    let fiedler::Error::UnknownNames { source_name, other, count, examples, .. } = &error else {
        return error.into();
    };
    let (samples, have) = if *count == 1 { ("sample", "is") } else { ("samples", "are") };
    let advice = if source_name == file {
        "correct the names, or take these lines out"
    } else {
        "add a line for each, or take these samples out of the data"
    };
    Failure::Data(format!(
        "{source_name}: {count} {samples} {have} not in {other} ({examples}); targets are a line for every sample of the data \
         and for no other: {advice}"
    ))
}

/// The line of every sample.
fn rows(file: &Path, targets: &Dataset, data: &Dataset) -> Outcome<Vec<usize>> {
    let shown = fiedler_io::shown(file);
    if let (Some(theirs), Some(ours)) = (targets.sample_names(), data.sample_names()) {
        let own = Names { source: "the data", kind: "sample", names: ours };
        let joined = join_samples(own, &[SampleSource { source: &shown, names: theirs, drop: false }]);
        let joined = joined.map_err(|error| other_samples(error, &shown))?;
        return Ok(joined.sources.into_iter().next().unwrap_or_default());
    }
    let (lines, samples) = (targets.n_samples(), data.n_samples());
    if lines != samples {
        return Err(Failure::Data(format!(
            "{shown}: {lines} lines where the data have {samples} samples; give a line a sample, or names of samples in both"
        )));
    }
    Ok((0..samples).collect())
}
