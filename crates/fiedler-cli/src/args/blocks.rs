//! The options of `fiedler blocks`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CommonArgs, DataArgs};

/// `fiedler blocks`.
#[derive(Debug, Args)]
pub(crate) struct BlocksArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The directory to make, whole or not at all; it must not be there, or be empty
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
