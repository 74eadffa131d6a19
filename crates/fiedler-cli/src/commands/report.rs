//! `fiedler report` and `fiedler plot`: an answer that was kept, to look at.

use std::path::Path;

use fiedler_io::shown;
use fiedler_report::{CHARTS, Look, Story};

use crate::args::{PlotArgs, ReportCommandArgs};
use crate::failure::{Failure, Outcome};

/// Millimeters that a figure may be wide.
const WIDTHS: std::ops::RangeInclusive<f64> = 10.0..=2000.0;

/// Writes the report of an answer that was kept.
///
/// # Errors
/// The file cannot be read, is no answer, or the report cannot be written.
pub(crate) fn report(args: &ReportCommandArgs) -> Outcome {
    if !has_extension(&args.output, &["html", "htm"]) {
        let sentence = format!("--output {}: name a file that ends in .html", shown(&args.output));
        return Err(Failure::usage(sentence));
    }
    let html = fiedler_report::html(&read(&args.from)?);
    Ok(fiedler_io::write_whole(&args.output, |out| out.write_all(html.as_bytes()))?)
}

/// Draws one chart.
///
/// # Errors
/// As [`report`]; the answer has nothing to show in that chart.
pub(crate) fn plot(args: &PlotArgs) -> Outcome {
    if !has_extension(&args.output, &["svg"]) {
        let sentence = format!("--output {}: figures are written as .svg", shown(&args.output));
        return Err(Failure::usage(sentence));
    }
    if !WIDTHS.contains(&args.width) {
        let sentence = format!("--width must be from 10 to 2000 millimeters, got {}", args.width);
        return Err(Failure::usage(sentence));
    }
    let story = read(&args.from)?;
    let Some(chart) = fiedler_report::chart(&story, &args.kind) else {
        let there = CHARTS.iter().filter(|c| fiedler_report::chart(&story, c).is_some());
        let there: Vec<&str> = there.copied().collect();
        return Err(Failure::Data(format!(
            "{}: there is nothing to show in `{}`; what there is: {}",
            shown(&args.from),
            args.kind,
            there.join(", ")
        )));
    };
    let usual = Look::default();
    let look = Look {
        width_mm: args.width,
        font: args.font.clone().unwrap_or(usual.font),
        monochrome: args.monochrome,
    };
    Ok(fiedler_io::write_whole(&args.output, |out| out.write_all(chart.figure(&look).as_bytes()))?)
}

fn read(path: &Path) -> Outcome<Story> {
    let text =
        crate::text_file::read_answer(path).map_err(|e| Failure::Data(format!("{}: {e}", shown(path))))?;
    Story::from_json(&text).map_err(|sentence| Failure::Data(format!("{}: {sentence}", shown(path))))
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|e| known.iter().any(|k| e.eq_ignore_ascii_case(k)))
}
