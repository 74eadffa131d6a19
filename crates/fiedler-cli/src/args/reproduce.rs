//! The options of `fiedler reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CommonArgs, TableOrJson};

/// `fiedler reproduce`.
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// A key, `all`, or the path of a recipe of your own (TOML; papers/RECIPES.md has its keys and an example)
    #[arg(value_name = "KEY|all|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) what: Option<String>,
    /// List the keys
    #[arg(long, conflicts_with = "what")]
    pub(crate) list: bool,
    /// The directory of the data sets
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,
    /// Few partitions and counts: a look in minutes, not the paper's protocol
    #[arg(long)]
    pub(crate) quick: bool,
    /// Where results are kept by content [default: the user's cache folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cache: Option<PathBuf>,
    /// Compute again what the cache holds
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Write papers/KEY/README.md (for `all`, papers/README.md too); for a recipe of your own, MINE.toml, MINE.md beside it
    #[arg(long, help_heading = "Output")]
    pub(crate) write: bool,
    /// A table for people or json for programs [default: by the extension of --output, or table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<TableOrJson>,
    /// Write to a file, whole or not at all, in place of standard output (`-`)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
