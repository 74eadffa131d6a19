//! `fiedler rank`.

use fiedler::{Wanted, methods};

use super::keeping::Keeping;
use super::{asked, begin, coefficients, own_targets, tell};
use crate::args::{Format, RankArgs};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::table::Listed;
use crate::output::{self, csv, json, table};

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &RankArgs) -> Outcome {
    let usual = [methods::DEFAULT_RANKING.to_owned()];
    let named = if args.method.is_empty() { &usual[..] } else { &args.method };
    let mut analysis = asked(named, &args.settings.set, &args.graph, &args.data, &args.common)?;
    analysis.method_is_usual = args.method.is_empty();
    analysis.count = args.top.unwrap_or_default().into();
    analysis.portrait = args.report.file.is_wanted();
    analysis.coefficients = args.model.coefficients.is_some();
    args.model.check()?;
    let targets = own_targets::taken(&mut analysis)?;
    analysis.check().map_err(Failure::question)?;
    let format = Format::chosen(args.format, args.output.as_deref())?;
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    let shape = args.report.shape(&loaded)?;
    analysis.graph.given = args.graph.given(&loaded.data, &progress)?;
    if let Some(file) = targets {
        analysis.targets = Some(own_targets::read(&file, &loaded.data, &progress)?);
        analysis.check().map_err(Failure::question)?;
    }
    analysis.include = super::named(&args.settings.include, "--include", &loaded)?;
    let keeping = Keeping::open(args.checkpoint.as_deref(), &analysis, &loaded, &progress)?;
    let found = keeping.answered(&analysis, &loaded, &progress)?;
    args.report.file.write(&found, shape)?;
    coefficients::write(&args.model, &found)?;
    tell(&found, &args.common);
    let text = match format {
        Format::Table => {
            // Where the scores have no turning point, `--top auto` is no wish to see all of them.
            let auto = analysis.count == Wanted::Auto && found.rankings.iter().any(|r| r.elbow.is_none());
            let listed = if args.top.is_some() && !auto { Listed::All } else { Listed::First };
            table::rankings(&found, listed, args.common.verbose)
        }
        Format::Csv => csv::rankings(&found, usize::MAX),
        Format::Json => json::rankings(&found),
    };
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())?;
    keeping.finish()
}
