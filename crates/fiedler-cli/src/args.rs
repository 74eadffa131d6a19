//! The command line: options in groups that the subcommands share.
//!
//! Options that a method or a graph may ignore are `Option`s without a default here: `None`
//! means that the user said nothing and the library's own default holds.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::BoolishValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use fiedler::Scaling;

const ABOUT: &str = "Spectral feature selection: which features carry the structure of the data";

const AFTER_HELP: &str = "\
Start here:
  fiedler rank demo:iris                        rank the features of an embedded data set
  fiedler rank my.csv --label species           your own file; the label column is no feature
  fiedler methods                               what there is to choose from

Every option can also be set by an environment variable (FIEDLER_TOP=10 for --top 10) or in a
TOML file (--config FILE); the command line wins, then the environment, then the file.
Exit code: 0 done, 1 the data or the question is at fault, 2 wrong usage, 130 stopped by Ctrl-C.";

const RANK_EXAMPLES: &str = "\
Examples:
  fiedler rank demo:digits --top 10
  fiedler rank my.csv --label species --method laplacian,fisher
  fiedler rank my.csv --method spec --set phi=3 --k 10 --format json -o ranking.json";

const SELECT_EXAMPLES: &str = "\
Examples:
  fiedler select my.csv --label species --top 20 -o reduced.csv
  fiedler select my.mat --top auto -o reduced.parquet";

const FUSE_EXAMPLES: &str = "\
Examples (in the repository, with a comment on every key):
  fiedler fuse examples/fuse/sources.toml        many sources of knowledge and one ranking
  fiedler fuse examples/fuse/rankings.toml       several rankings into one";

const DATA_HELP: &str = "A file, `-` (CSV on standard input) or `demo:NAME` (iris, digits, planted)";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "fiedler", version, about = ABOUT, after_help = AFTER_HELP)]
#[command(disable_help_subcommand = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rank the features, best first
    #[command(after_help = RANK_EXAMPLES)]
    Rank(RankArgs),
    /// Write the data with the best features alone
    #[command(after_help = SELECT_EXAMPLES)]
    Select(SelectArgs),
    /// Look at the graph of the samples: components, degrees, spectrum
    Graph(GraphArgs),
    /// Many sources of knowledge, or many rankings, into one ranking
    #[command(after_help = FUSE_EXAMPLES)]
    Fuse(FuseArgs),
    /// List the methods, or tell everything about one
    Methods(MethodsArgs),
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a directory
    #[command(hide = true)]
    Man {
        /// The directory
        directory: PathBuf,
    },
}

/// `fiedler rank`.
#[derive(Debug, Args)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The method, or several separated by commas: side by side, from one graph
    #[arg(long, short, value_name = "NAME", value_delimiter = ',', default_value = "laplacian")]
    #[arg(help_heading = "Method")]
    pub(crate) method: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) graph: GraphOptions,
    /// List the best N only; `auto`: up to the turning point of the scores [default: all, 20 in a table]
    #[arg(long, short = 'n', value_name = "N|auto", help_heading = "Output")]
    pub(crate) top: Option<Top>,
    /// A table for people, or csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
    /// Write to a file, whole or not at all, in place of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler select`.
#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The method [default: mrsf, which does not pick the same thing twice]
    #[arg(long, short, value_name = "NAME", help_heading = "Method")]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) graph: GraphOptions,
    /// How many features to keep; `auto`: up to the turning point of the scores
    #[arg(long, short = 'n', value_name = "N|auto", required = true, help_heading = "Output")]
    pub(crate) top: Top,
    /// The file to write, whole or not at all; the extension tells the format
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    #[arg(required = true)]
    pub(crate) output: PathBuf,
    /// How to tell which features were kept: a table for people, or csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler graph`.
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) graph: GraphOptions,
    /// How many of the smallest eigenvalues to compute; 0: none
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Graph")]
    pub(crate) eigenvalues: usize,
    /// A table for people or json for programs
    #[arg(long, value_enum, default_value_t = TableOrJson::Table, help_heading = "Output")]
    pub(crate) format: TableOrJson,
    /// Write to a file, whole or not at all, in place of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler fuse`.
#[derive(Debug, Args)]
pub(crate) struct FuseArgs {
    /// What to fuse: `[target]` and `[[source]]`, or `[[ranking]]`; paths in it are relative to it
    #[arg(value_name = "CONFIG.toml", value_hint = ValueHint::FilePath)]
    pub(crate) recipe: PathBuf,
    /// List the best N only [default: all, 20 in a table]
    #[arg(long, short = 'n', value_name = "N", help_heading = "Output")]
    pub(crate) top: Option<usize>,
    /// A table for people, or csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
    /// Write to a file, whole or not at all, in place of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler methods`.
#[derive(Debug, Args)]
pub(crate) struct MethodsArgs {
    /// The method to tell everything about
    pub(crate) name: Option<String>,
    /// A table for people or json for programs
    #[arg(long, value_enum, default_value_t = TableOrJson::Table)]
    pub(crate) format: TableOrJson,
}

/// Which data, and what of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct DataArgs {
    #[arg(value_name = "DATA", help = DATA_HELP, value_hint = ValueHint::FilePath, help_heading = None)]
    pub(crate) data: String,
    /// The column that holds the labels, by name or position from 1; it is no feature
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: Option<String>,
    /// A file with one label per line, or sample and label; empty: unlabeled
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) labels: Option<PathBuf>,
    /// Where the features are: `rows` for one feature a line, as expression matrices come
    #[arg(long, value_enum, default_value_t = Features::Columns)]
    pub(crate) features: Features,
    /// What is done to every feature first: `standard` (mean 0, deviation 1), `range` (0 to 1) or `none`
    #[arg(long, value_name = "HOW", default_value = "standard", value_parser = scaling())]
    pub(crate) scale: Scaling,
    /// Features to leave out as if they were not in the data: a file with one name per line, or names
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) exclude: Option<PathBuf>,
}

/// What is said to the methods.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct SettingArgs {
    /// A parameter of the method, repeatable; `fiedler methods NAME` lists them
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    pub(crate) set: Vec<Setting>,
    /// Features that come first whatever their score: a file with one name per line, or names
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) include: Option<PathBuf>,
}

/// Which graph. Without any of these, every method takes its own default.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Graph")]
pub(crate) struct GraphOptions {
    /// Who is similar to whom: knn, rbf, labels, relief, diffusion, geodesic, file:PATH (similarities,
    /// n × n or edges i,j,weight from 0) or distances:PATH [default: that of the method, mostly knn]
    #[arg(long, value_name = "KIND")]
    pub(crate) graph: Option<GraphKind>,
    /// Neighbors of a sample [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) k: Option<usize>,
    /// The weight of an edge: heat, rbf, binary, cosine or self-tuning [default: heat]
    #[arg(long, value_name = "WEIGHT")]
    pub(crate) weight: Option<fiedler::graph::Weight>,
    /// The width of the kernel: t for heat, σ for the others, or `auto` [default: auto]
    #[arg(long, value_name = "WIDTH")]
    pub(crate) bandwidth: Option<fiedler::graph::Bandwidth>,
    /// The distance of samples: euclidean, cosine or manhattan [default: euclidean]
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<fiedler::graph::Metric>,
    /// Keep an edge only where each is a neighbor of the other
    #[arg(long)]
    pub(crate) mutual: bool,
    /// How long heat flows in the diffusion graph [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) beta: Option<f64>,
}

/// What every subcommand that computes takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common")]
pub(crate) struct CommonArgs {
    /// How many threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Seed of the methods that draw random numbers [default: that of the method]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// No progress, no warnings
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Tell what is done and how long it takes
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// A TOML file with options by their names (top = 10)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// How a ranking is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Csv,
    Json,
}

/// How a description is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableOrJson {
    Table,
    Json,
}

/// Where the features are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Features {
    Columns,
    Rows,
}

/// How many features are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Top {
    /// This many.
    Count(usize),
    /// Up to the turning point of the sorted scores.
    Auto,
}

impl FromStr for Top {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(count @ 1..) => Ok(Top::Count(count)),
            _ if text == "auto" => Ok(Top::Auto),
            _ => Err("it must be a whole number from 1, or `auto`".to_owned()),
        }
    }
}

/// `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The parameter.
    pub(crate) name: String,
    /// Its value, as written.
    pub(crate) value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("it must be written name=value")?;
        Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// The kinds of graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GraphKind {
    /// Nearest neighbors.
    Knn,
    /// All pairs, Gaussian weights.
    Rbf,
    /// Classes.
    Labels,
    /// Near hits and near misses.
    Relief,
    /// Heat that flows on the kNN graph.
    Diffusion,
    /// Shortest paths over the kNN graph.
    Geodesic,
    /// Similarities in a file.
    File(PathBuf),
    /// Distances in a file.
    Distances(PathBuf),
}

impl FromStr for GraphKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.split_once(':')) {
            ("knn", _) => Ok(GraphKind::Knn),
            ("rbf", _) => Ok(GraphKind::Rbf),
            ("labels", _) => Ok(GraphKind::Labels),
            ("relief", _) => Ok(GraphKind::Relief),
            ("diffusion", _) => Ok(GraphKind::Diffusion),
            ("geodesic", _) => Ok(GraphKind::Geodesic),
            (_, Some(("file", path))) if !path.is_empty() => Ok(GraphKind::File(path.into())),
            (_, Some(("distances", path))) if !path.is_empty() => Ok(GraphKind::Distances(path.into())),
            _ => Err("it must be knn, rbf, labels, relief, diffusion, geodesic, file:PATH or distances:PATH"
                .to_owned()),
        }
    }
}

fn scaling() -> impl clap::builder::TypedValueParser<Value = Scaling> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(["standard", "range", "none"])
        .try_map(|text| text.parse::<Scaling>())
}

/// The command line with an environment variable behind every option.
pub(crate) fn command() -> clap::Command {
    Cli::command().mut_subcommands(|subcommand| {
        subcommand.mut_args(|arg| {
            let Some(long) = arg.get_long() else { return arg };
            let variable = format!("FIEDLER_{}", long.to_uppercase().replace('-', "_"));
            let arg = match arg.get_action() {
                clap::ArgAction::SetTrue => arg.value_parser(BoolishValueParser::new()),
                _ => arg,
            };
            arg.env(variable).hide_env(true)
        })
    })
}
