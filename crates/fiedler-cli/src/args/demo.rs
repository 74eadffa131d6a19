//! `fiedler demo`: what is written, and where.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::CommonArgs;

/// `fiedler demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// What to write
    #[arg(value_enum)]
    pub(crate) what: DemoName,
    /// The directory; made where it is missing, refused where it holds something
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
    /// Number of genes; the sizes of the sources about genes are in proportion
    #[arg(long, value_name = "N", default_value_t = 16_063)]
    pub(crate) genes: usize,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DemoName {
    /// Genes of tumors from five sources with noise in each, and the truth
    Study,
}
