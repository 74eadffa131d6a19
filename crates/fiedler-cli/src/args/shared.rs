//! Options that many subcommands share: the data, what is said to methods, the graph, and how to work.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use fiedler::Scaling;

use super::values::{DataName, Features, Header, Settings, TransformChoice, scaling, transform};
use crate::graph_options::{kinds_help, option_help};

const DATA_HELP: &str = "A file, a 10x folder, a directory of blocks, `-` (CSV on standard input) or `demo:NAME` (iris, digits, planted)";

/// Which data, and what of them.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct DataArgs {
    #[arg(value_name = "DATA", help = DATA_HELP, value_hint = ValueHint::FilePath, help_heading = None)]
    pub(crate) data: DataName,
    /// The column (in a MAT file: the variable, in AnnData: the column of obs, beside --labels: the column of that
    /// file) that holds the labels, which is then not a feature: by its name, or its position from 0 (-1 is the
    /// last); columns without names are called x0, x1, … by their position in the file, whatever is taken out
    #[arg(long, value_name = "COLUMN", allow_negative_numbers = true)]
    pub(crate) label: Option<String>,
    /// The same for a number to be predicted in place of classes; `fiedler methods` tells which methods use one
    #[arg(long, value_name = "COLUMN", allow_negative_numbers = true)]
    pub(crate) target: Option<String>,
    /// A file with one label per line, or sample and label (of several columns --label names one); empty: unlabeled
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) labels: Option<PathBuf>,
    /// The variable of a MAT file (the array of an NPZ or HDF5 file) that holds the data [default: X, or fea]
    #[arg(long, value_name = "NAME")]
    pub(crate) variable: Option<String>,
    /// The layer of an AnnData file to read in place of X; `raw` is what its raw holds
    #[arg(long, value_name = "NAME")]
    pub(crate) layer: Option<String>,
    /// Cells without a value: error, drop-rows, drop-columns, mean or median (of the feature)
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub(crate) missing: fiedler_io::Missing,
    /// Columns of text: error, drop or onehot (one feature for each value)
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub(crate) categories: fiedler_io::Categories,
    /// Columns of dates: error or ordinal (days since 1970-01-01)
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub(crate) dates: fiedler_io::Dates,
    /// Leave out every column that holds anything but numbers, yes/no and gaps
    #[arg(long)]
    pub(crate) numeric_only: bool,
    /// A file with the names of the features, one per line, for files without names, whose features are otherwise
    /// called x0, x1, …
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) feature_names: Option<PathBuf>,
    /// Leave out features that differ from their most common value in fewer samples
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) min_samples: usize,
    /// Read that many samples only, drawn at random with the seed of --seed [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,
    /// The seed of that draw, which is the one of the command.
    #[arg(skip)]
    pub(crate) seed: Option<u64>,
    /// Whether the first line of a text file holds names [default: found by looking]
    #[arg(long, value_enum, value_name = "YES|NO", hide_possible_values = true)]
    pub(crate) header: Option<Header>,
    /// Where the features are: `rows` for one feature a line, as expression matrices come
    #[arg(long, value_enum, default_value_t = Features::Columns)]
    pub(crate) features: Features,
    /// What is done to every value first: `ranks` (its place among the values of its feature), `log` (log(1+value), for
    /// counts), `none`; `auto` takes ranks where many features vary in few samples only, and says so
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = transform())]
    pub(crate) transform: TransformChoice,
    /// What is done to every feature after that: `standard` (mean 0, deviation 1), `range` (0 to 1) or `none`
    /// [default: what suits the method, mostly standard]
    #[arg(long, value_name = "HOW", value_parser = scaling())]
    pub(crate) scale: Option<Scaling>,
    /// Features to leave out as if they were not in the data, repeatable: a file with one name per line, or names
    /// (x0, x1, … where the file has none)
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) exclude: Vec<PathBuf>,
}

/// What is said to the methods.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct SettingArgs {
    /// A parameter of the method, repeatable; `fiedler methods NAME` lists them
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<Settings>,
    /// Features that come first whatever their score, repeatable: a file with one name per line, or names
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) include: Vec<PathBuf>,
}

/// Which graph. Without any of these, every method takes its own default.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Graph")]
pub(crate) struct GraphArgs {
    #[arg(long, value_name = "KIND", help = kinds_help())]
    pub(crate) graph: Option<String>,
    /// The file of the data, which may hold a graph of its own.
    #[arg(skip)]
    pub(crate) data: PathBuf,
    #[arg(long, value_name = "N", help = option_help("k"))]
    pub(crate) k: Option<String>,
    #[arg(long, value_name = "N", help = option_help("landmarks"))]
    pub(crate) landmarks: Option<String>,
    #[arg(long, value_name = "WEIGHT", help = option_help("weight"))]
    pub(crate) weight: Option<String>,
    #[arg(long, value_name = "WIDTH", help = option_help("bandwidth"))]
    pub(crate) bandwidth: Option<String>,
    #[arg(long, value_name = "METRIC", help = option_help("metric"))]
    pub(crate) metric: Option<String>,
    #[arg(long, help = option_help("mutual"))]
    pub(crate) mutual: bool,
    /// Find most of the neighbors, not all, and tell how many were found [default: from 50,000 samples on, where the data
    /// have so few dimensions of their own that it pays]
    #[arg(long)]
    pub(crate) approximate: bool,
    /// Find all neighbors, however many samples there are
    #[arg(long, conflicts_with_all = ["approximate", "recall"])]
    pub(crate) exact: bool,
    #[arg(long, value_name = "SHARE", help = option_help("recall"))]
    pub(crate) recall: Option<String>,
    #[arg(long, value_name = "NUMBER", help = option_help("beta"))]
    pub(crate) beta: Option<String>,
}

/// What every subcommand that computes takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common")]
pub(crate) struct CommonArgs {
    /// How many threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// How much memory data and large pieces of work may take, such as 2GB [default: half of what is available]
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) memory: Option<fiedler::limits::Bytes>,
    /// Seed of the methods that draw random numbers [default: that of the method]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// No progress, no warnings
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Tell what is done, how long it takes, and the numbers behind the graph
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// A TOML file with options by their names (top = 10)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}
