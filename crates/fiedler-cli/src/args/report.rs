//! The options of the report.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};

/// A report of features.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) file: ReportFile,
    /// The features are the pixels of images of that size, row by row: the report shows where the good ones are
    #[arg(long, value_name = "HxW")]
    pub(crate) image_shape: Option<ImageShape>,
}

/// The file of a report.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ReportFile {
    /// Write a report to look at as well: one HTML file with sentences, charts and tables, whole or not at all
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// Write what the report tells as JSON as well, for `fiedler report` and `fiedler plot`
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    pub(crate) findings: Option<PathBuf>,
    /// The command line as it was given.
    #[arg(skip)]
    pub(crate) command: String,
}

/// `fiedler report`.
#[derive(Debug, Args)]
pub(crate) struct ReportCommandArgs {
    /// What `--findings` wrote
    #[arg(value_name = "FINDINGS.json", value_hint = ValueHint::FilePath)]
    pub(crate) from: PathBuf,
    /// The report to write, whole or not at all
    #[arg(long, short, value_name = "FILE.html", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: PathBuf,
}

/// `fiedler plot`.
#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// The chart of the report to draw
    #[arg(value_name = "KIND", value_parser = fiedler_report::CHARTS)]
    pub(crate) kind: String,
    /// What `--findings` wrote
    #[arg(value_name = "FINDINGS.json", value_hint = ValueHint::FilePath)]
    pub(crate) from: PathBuf,
    /// The figure to write (.svg, .pdf or .png), whole or not at all
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: PathBuf,
    /// How wide the figure is, in millimeters; a column of most journals has 85, a page 170
    #[arg(long, value_name = "MM", default_value_t = 85.0, help_heading = "Output")]
    pub(crate) width: f64,
    /// Dots an inch of a .png [default: 300]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) dpi: Option<usize>,
    /// The typeface
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) font: Option<String>,
    /// Grays in place of colors
    #[arg(long, help_heading = "Output")]
    pub(crate) monochrome: bool,
}

/// Height and width of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageShape(pub(crate) usize, pub(crate) usize);

impl FromStr for ImageShape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |side: &str| side.trim().parse().ok().filter(|&n: &usize| n > 0);
        let sides = text.split_once(['x', 'X', '×']).and_then(|(h, w)| Some((side(h)?, side(w)?)));
        let (height, width) = sides.ok_or("it must be height x width, such as 8x8")?;
        Ok(ImageShape(height, width))
    }
}
