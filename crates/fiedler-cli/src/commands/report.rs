//! `fiedler report` and `fiedler plot`: an answer that was kept, to look at.

use std::path::Path;

use fiedler_io::shown;
use fiedler_report::{CHARTS, Chart, Look, Story};

use crate::args::{PlotArgs, ReportCommandArgs};
use crate::failure::{Failure, Outcome};
use crate::output;

/// Millimeters that a figure may be wide.
const WIDTHS: std::ops::RangeInclusive<f64> = 10.0..=2000.0;
/// Dots an inch where nobody says how many.
#[cfg(feature = "figures")]
const USUAL_DOTS: usize = 300;
/// Dots an inch that a figure may have.
const DOTS: std::ops::RangeInclusive<usize> = 10..=2400;

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
    if !has_extension(&args.output, &["svg", "pdf", "png"]) {
        let sentence = format!("--output {}: figures are written as .svg, .pdf or .png", shown(&args.output));
        return Err(Failure::usage(sentence));
    }
    if let Some(dpi) = args.dpi {
        if !DOTS.contains(&dpi) {
            return Err(Failure::usage(format!("--dpi must be from 10 to 2400 dots an inch, got {dpi}")));
        }
        if !has_extension(&args.output, &["png"]) {
            let sentence = "--dpi: only a .png has dots; leave it out, or name a file that ends in .png";
            return Err(Failure::usage(sentence));
        }
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
    if let Some(note) = one_of_several(&story, &args.kind) {
        output::report("note", output::BOLD, &note);
    }
    let usual = Look::default();
    let look = Look {
        width_mm: args.width,
        font: args.font.clone().unwrap_or(usual.font),
        monochrome: args.monochrome,
    };
    let figure = figure(&chart, &look, args)
        .map_err(|sentence| Failure::Data(format!("--output {}: {sentence}", shown(&args.output))))?;
    Ok(fiedler_io::write_whole(&args.output, |out| out.write_all(&figure))?)
}

/// That a chart is of the first number of known labels, where the answer has several.
fn one_of_several(story: &Story, kind: &str) -> Option<String> {
    let first = story.evaluation.first().filter(|_| ["accuracy", "hits", "information"].contains(&kind))?;
    let same = story.evaluation.iter().filter(|measured| measured.measure == first.measure);
    let labeled: Vec<String> = same.filter_map(|m| m.labeled.map(|each| each.to_string())).collect();
    let (drawn, rest) = labeled.split_first().filter(|(_, rest)| !rest.is_empty())?;
    Some(format!(
        "`{kind}` is drawn where selection knows {drawn} labels a class, the first of {drawn}, {}; the chart `labels` has means \
         for all of them",
        rest.join(", ")
    ))
}

/// The bytes of a figure.
fn figure(chart: &Chart, look: &Look, args: &PlotArgs) -> Result<Vec<u8>, String> {
    if has_extension(&args.output, &["svg"]) {
        return Ok(chart.figure(look).into_bytes());
    }
    #[cfg(feature = "figures")]
    if has_extension(&args.output, &["pdf"]) {
        chart.pdf(look)
    } else {
        chart.png(look, args.dpi.unwrap_or(USUAL_DOTS))
    }
    #[cfg(not(feature = "figures"))]
    Err("this fiedler was built without its feature `figures`, which .pdf and .png need; write .svg, or build it with the feature".to_owned())
}

fn read(path: &Path) -> Outcome<Story> {
    let text =
        crate::text_file::read_answer(path).map_err(|e| Failure::Data(format!("{}: {e}", shown(path))))?;
    Story::from_json(&text).map_err(|sentence| Failure::Data(format!("{}: {sentence}", shown(path))))
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|e| known.iter().any(|k| e.eq_ignore_ascii_case(k)))
}
