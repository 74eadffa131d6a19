//! `fiedler select`: the data with the best features alone.

use std::io::Write;

use fiedler::methods;

use crate::args::{Format, SelectArgs, Top};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::layout::{count, plural};
use crate::output::{self, BOLD, csv, json, table};
use crate::plan::Plan;
use crate::rank::{self, Listing};

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C; then no file is written.
pub(crate) fn run(args: &SelectArgs) -> Outcome {
    let to_stdout = output::is_stdout(&args.output);
    if !to_stdout {
        fiedler_io::check_output(&args.output).map_err(Failure::usage)?;
    }
    let method = args.method.clone().unwrap_or_else(|| default_method().to_owned());
    let mut plan = Plan::new(&[method], &args.settings.set, &args.graph, args.common.seed)?;
    if let Top::Count(count) = args.top {
        plan.prefer_count(count);
    }
    let progress = rank::begin(&args.common)?;
    let mut loaded = Loaded::read(&args.data, &progress)?;
    let n_samples = loaded.data.n_samples();
    plan.fit(&mut loaded, n_samples)?;
    rank::tell_notes(&loaded, &args.common);
    check_count(args.top, loaded.data.n_features())?;
    let include = rank::named(&args.settings.include, "--include", &loaded)?;
    let answers = plan.run(&loaded, &progress)?;
    progress.finish();
    let listings = rank::listings(answers, Some(args.top), &include)?;
    if args.top == Top::Auto && listings.iter().any(|l| l.elbow.is_none()) {
        let sentence = "--top auto: the scores have no turning point; say how many features to keep";
        return Err(Failure::Data(sentence.to_owned()));
    }
    if !args.common.quiet {
        rank::warn(&listings);
    }
    let notes = write(args, &loaded, &listings)?;
    if !args.common.quiet {
        notes.iter().for_each(|note| output::report("note", BOLD, note));
    }
    let text = match args.format {
        Format::Table => for_people(args, &listings, &loaded),
        Format::Csv => csv::rankings(&listings, &loaded.data),
        Format::Json => json::rankings(&listings, &loaded.data, &loaded.notes),
    };
    if !to_stdout {
        return output::write(text.as_bytes(), None);
    }
    // The data have standard output to themselves; where standard error is closed nobody reads this.
    if !args.common.quiet {
        let _ = write!(anstream::stderr(), "{text}");
    }
    Ok(())
}

/// MRSF weighs features together; a ranking alone piles up features that say the same.
pub(crate) fn default_method() -> &'static str {
    methods::find("mrsf").map_or("laplacian", |entry| entry.info.name)
}

fn check_count(top: Top, n_features: usize) -> Outcome {
    match top {
        Top::Count(count) if count > n_features => Err(Failure::Data(format!(
            "--top must be at most the number of features ({n_features}), got {count}"
        ))),
        _ => Ok(()),
    }
}

/// Writes the chosen columns in the order of the data, in the user's units.
fn write(args: &SelectArgs, loaded: &Loaded, listings: &[Listing]) -> Outcome<Vec<String>> {
    if crate::interrupt::requested() {
        return Err(Failure::Interrupted);
    }
    let mut columns: Vec<usize> = listings.iter().flat_map(|l| &l.listed).copied().collect();
    columns.sort_unstable();
    if output::is_stdout(&args.output) {
        let mut csv = Vec::new();
        fiedler_io::write_csv_to(&mut csv, "standard output", &loaded.table(), &columns)?;
        return output::write(&csv, None).map(|()| Vec::new());
    }
    Ok(fiedler_io::write(&args.output, &loaded.table(), &columns)?)
}

fn for_people(args: &SelectArgs, listings: &[Listing], loaded: &Loaded) -> String {
    let kept: usize = listings.iter().map(|l| l.listed.len()).sum();
    let all = plural(loaded.data.n_features(), "feature");
    let mut text = table::rankings(listings, &loaded.data, &loaded.name, args.common.verbose);
    let place = match output::is_stdout(&args.output) {
        true => "on standard output".to_owned(),
        false => format!("in {}", args.output.display()),
    };
    text.push_str(&format!("\n{BOLD}{}{BOLD:#} of {all} kept {place}\n", count(kept)));
    text
}
