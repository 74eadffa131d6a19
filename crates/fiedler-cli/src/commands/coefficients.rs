//! The linear model of a method as a file: 1b + XW.

use fiedler::{Cells, Detail, Findings};

use crate::args::ModelArgs;
use crate::failure::Outcome;
use crate::output::csv;

/// Writes the model, where it is asked for.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write(args: &ModelArgs, found: &Findings) -> Outcome {
    let Some(file) = &args.coefficients else { return Ok(()) };
    let details = found.rankings.first().map_or(&[][..], |ranking| &ranking.details);
    let Some(text) = text(found, details) else { return Ok(()) };
    Ok(fiedler_io::write_whole(file, |out| out.write_all(text.as_bytes()))?)
}

/// A line of titles, one of intercepts, and one a feature.
fn text(found: &Findings, details: &[Detail]) -> Option<String> {
    let detail = |key: &str| details.iter().find(|d| d.key == key);
    let (model, aims) = (detail("coefficients")?, detail("targets")?);
    let Some(Cells::Words(names)) = aims.values("target") else { return None };
    let Some(Cells::Features(features)) = model.values("feature") else { return None };
    let Some(Cells::NumberLists(weights)) = model.values("weights") else { return None };
    // The shortest text that gives the same number when it is read again.
    let numbers = |values: &[f64]| values.iter().map(|v| format!(",{v:?}")).collect::<String>();
    let titles: String = names.iter().map(|name| format!(",{}", csv::field(name))).collect();
    let mut out = format!("feature,index{titles}\n(intercept),{}\n", numbers(&aims.series("intercept")));
    for (&j, row) in features.iter().zip(weights) {
        out += &format!("{},{j}{}\n", csv::field(&found.features.of(j)), numbers(row));
    }
    Some(out)
}
