//! `fiedler select`: the data with the best features alone.

use std::collections::HashMap;
use std::io::Write;

use fiedler::{Findings, Place, RankingFound, Wanted, methods};
use fiedler_io::Scores;

use super::keeping::Keeping;
use super::{asked, begin, coefficients, named, own_targets, tell};
use crate::args::{Format, SelectArgs};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::layout::{count, plural};
use crate::output::table::Listed;
use crate::output::{self, BOLD, Styling, csv, json, table};

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C; then no file is written.
pub(crate) fn run(args: &SelectArgs) -> Outcome {
    let to_stdout = output::is_stdout(&args.output);
    if !to_stdout {
        fiedler_io::check_output(&args.output).map_err(Failure::usage)?;
    }
    let method = args.method.clone().unwrap_or_else(|| methods::DEFAULT_SELECTION.to_owned());
    let mut analysis = asked(&[method], &args.settings.set, &args.graph, &args.data, &args.common)?;
    analysis.count = args.top.into();
    analysis.portrait = args.report.file.is_wanted();
    analysis.coefficients = args.model.coefficients.is_some();
    args.model.check()?;
    let targets = own_targets::taken(&mut analysis)?;
    analysis.check().map_err(Failure::question)?;
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    let shape = args.report.shape(&loaded)?;
    check_count(analysis.count, loaded.data.n_features())?;
    analysis.graph.given = args.graph.given(&loaded.data, &progress)?;
    if let Some(file) = targets {
        analysis.targets = Some(own_targets::read(&file, &loaded.data, &progress)?);
        analysis.check().map_err(Failure::question)?;
    }
    analysis.include = named(&args.settings.include, "--include", &loaded)?;
    let keeping = Keeping::open(args.checkpoint.as_deref(), &analysis, &loaded, &progress)?;
    let mut found = keeping.answered(&analysis, &loaded, &progress)?;
    if analysis.count == Wanted::Auto
        && let Some(why) = found.rankings.iter().find_map(|r| r.no_elbow.as_ref())
    {
        return Err(Failure::Data(format!(
            "--top auto: {why}; say how many to keep (--top 20), or ask how many are enough (fiedler evaluate)"
        )));
    }
    let notes = write(args, &loaded, &found)?;
    found.notes.extend(notes);
    args.report.file.write(&found, shape)?;
    coefficients::write(&args.model, &found)?;
    tell(&found, &args.common);
    let text = match args.format {
        Format::Table => for_people(args, &found),
        Format::Csv => csv::rankings(&found, usize::MAX),
        Format::Json => json::rankings(&found),
    };
    keeping.finish()?;
    if !to_stdout {
        return output::write(text.as_bytes(), args.format.styling(), None);
    }
    // The data have standard output to themselves; where standard error is closed nobody reads this.
    if !args.common.quiet {
        let _ = write!(anstream::stderr(), "{text}");
    }
    Ok(())
}

fn check_count(wanted: Wanted, n_features: usize) -> Outcome {
    match wanted {
        Wanted::Count(count) if count > n_features => Err(Failure::Data(format!(
            "--top must be at most the number of features ({n_features}), got {count}"
        ))),
        _ => Ok(()),
    }
}

/// Writes the chosen columns in the order of the data, in the user's units.
fn write(args: &SelectArgs, loaded: &Loaded, found: &Findings) -> Outcome<Vec<String>> {
    if crate::interrupt::requested() {
        return Err(Failure::Interrupted);
    }
    let mut columns: Vec<usize> = found.rankings.iter().flat_map(|r| &r.places).map(|p| p.index).collect();
    columns.sort_unstable();
    if output::is_stdout(&args.output) {
        let mut csv = Vec::new();
        let notes = fiedler_io::write_csv_to(&mut csv, "standard output", &loaded.table(), &columns)?;
        return output::write(&csv, Styling::None, None).map(|()| notes);
    }
    if output::is_terminal(&args.output) {
        let mut csv = Vec::new();
        let notes =
            fiedler_io::write_csv_to(&mut csv, &args.output.to_string_lossy(), &loaded.table(), &columns)?;
        return output::write(&csv, Styling::None, Some(&args.output)).map(|()| notes);
    }
    let scores = found.rankings.first().map(|ranking| scores(ranking, &columns));
    Ok(fiedler_io::write_scored(&args.output, &loaded.table(), &columns, scores.as_ref())?)
}

/// What the method says of these columns.
fn scores(ranking: &RankingFound, columns: &[usize]) -> Scores {
    let places: HashMap<usize, &Place> = ranking.places.iter().map(|p| (p.index, p)).collect();
    Scores {
        method: ranking.method.name.to_owned(),
        scores: columns.iter().map(|j| places.get(j).and_then(|p| p.score).unwrap_or(f64::NAN)).collect(),
        ranks: columns.iter().map(|j| places.get(j).map_or(0, |p| p.rank)).collect(),
    }
}

fn for_people(args: &SelectArgs, found: &Findings) -> String {
    let kept: usize = found.rankings.iter().map(|r| r.places.len()).sum();
    let all = plural(found.card.data.n_features, "feature");
    let mut text = table::rankings(found, Listed::FirstOfKept, args.common.verbose);
    let place = if output::is_stdout(&args.output) {
        "on standard output".to_owned()
    } else {
        format!("in {}", output::harmless(&args.output.to_string_lossy()))
    };
    text.push_str(&format!("\n{BOLD}{}{BOLD:#} of {all} kept {place}\n", count(kept)));
    text
}
