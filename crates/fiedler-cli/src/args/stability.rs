//! The options of `fiedler stability`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use fiedler::stability::Stability;

use super::{CommonArgs, DataArgs, Format, GraphArgs, ReportArgs, Settings};

/// `fiedler stability`.
#[derive(Debug, Args)]
pub(crate) struct StabilityArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The method [default: mrsf, as for select]
    #[arg(long, short, value_name = "NAME", help_heading = "Method")]
    #[arg(value_parser = super::MethodName, hide_possible_values = true)]
    pub(crate) method: Option<String>,
    /// A parameter of the method, repeatable; `fiedler methods NAME` lists them
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Method")]
    pub(crate) set: Vec<Settings>,
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    /// How many features are selected [default: 10, or half of them where there are fewer than 20]
    #[arg(long, short = 'n', visible_alias = "count", value_name = "N", help_heading = "Stability")]
    pub(crate) top: Option<usize>,
    /// How many versions of the data are ranked, for subsamples and for noise each
    #[arg(long, value_name = "N", default_value_t = Stability::REPEATS, help_heading = "Stability")]
    pub(crate) repeats: usize,
    /// The part of the samples in a subsample, of every class alike where the method sees labels; 1: no subsamples
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "PART",
        default_value_t = Stability::FRACTION,
        help_heading = "Stability"
    )]
    pub(crate) fraction: f64,
    /// The noise on every value, in standard deviations of its feature; 0: no noise
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "LEVEL",
        default_value_t = Stability::NOISE,
        help_heading = "Stability"
    )]
    pub(crate) noise: f64,
    /// Which share of all versions must select a feature, with 95 % confidence, for it to be safe to report
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "SHARE",
        default_value_t = Stability::THRESHOLD,
        help_heading = "Stability"
    )]
    pub(crate) threshold: f64,
    /// Also tell what noise did to the spectrum and to φ1 of the best features, beside what theorems 5 and 6 of the dissertation
    /// let it do; needs a method with a graph and noise
    #[arg(long, help_heading = "Stability")]
    pub(crate) bounds: bool,
    /// A table for people, or csv or json for programs [default: by the extension of --output, or table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// Write to a file, whole or not at all, in place of standard output (`-`)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
