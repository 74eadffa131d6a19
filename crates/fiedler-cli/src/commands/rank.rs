//! `fiedler rank`.

use super::{answered, asked, begin, named, tell};
use crate::args::{Format, RankArgs};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::{self, csv, json, table};

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &RankArgs) -> Outcome {
    let mut analysis = asked(&args.method, &args.settings.set, &args.graph, &args.data, &args.common)?;
    analysis.count = args.top.unwrap_or_default().into();
    analysis.portrait = args.report.file.is_wanted();
    analysis.check().map_err(Failure::question)?;
    let format = Format::chosen(args.format, args.output.as_deref())?;
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    let shape = args.report.shape(&loaded)?;
    analysis.graph.given = args.graph.given(&loaded.data)?;
    analysis.include = named(&args.settings.include, "--include", &loaded)?;
    let found = answered(&analysis, &loaded, &progress)?;
    args.report.file.write(&found, shape)?;
    tell(&found, &args.common);
    let text = match format {
        Format::Table => {
            let most = if args.top.is_some() { usize::MAX } else { table::SHOWN };
            table::rankings(&found, most, args.common.verbose)
        }
        Format::Csv => csv::rankings(&found),
        Format::Json => json::rankings(&found),
    };
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}
