//! The command line: options in groups that the subcommands share.
//!
//! Options that a method or a graph may ignore are `Option`s without a default here: `None`
//! means that the user said nothing and the library's own default holds.

mod reproduce;
mod stability;

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::BoolishValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use fiedler::Scaling;

pub(crate) use reproduce::ReproduceArgs;
pub(crate) use stability::StabilityArgs;

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

const EVALUATE_EXAMPLES: &str = "\
Examples:
  fiedler evaluate demo:digits --methods laplacian,fisher --counts 5,10,20
  fiedler evaluate my.csv --label species --methods fisher,mrsf --counts 10-200/10 --protocol svm
  fiedler evaluate my.csv --methods laplacian,mrsf --protocol redundancy --format csv -o judged.csv";

const FUSE_EXAMPLES: &str = "\
Examples (in the repository, with a comment on every key):
  fiedler fuse examples/fuse/sources.toml        many sources of knowledge and one ranking
  fiedler fuse examples/fuse/rankings.toml       several rankings into one";

const STABILITY_EXAMPLES: &str = "\
Examples:
  fiedler stability demo:planted --top 12
  fiedler stability my.csv --label species --method fisher --top 20 --repeats 100
  fiedler stability my.csv --fraction 0.5                  halves, for which false reports are bounded
  fiedler stability my.csv --fraction 1 --noise 0.2        noise alone";

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  fiedler reproduce --list                       the tables, and the files each needs
  fiedler reproduce ls-iris                      needs no files
  fiedler reproduce evsc-3 --data DIR            DIR holds pixraw10P.mat and the others
  fiedler reproduce mine/run.toml                a table of your own; papers/*/run.toml in the repository are examples";

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
    /// How sure a selection is: what changes when samples are left out or noise is added
    #[command(after_help = STABILITY_EXAMPLES)]
    Stability(StabilityArgs),
    /// Judge selections: accuracy, clusters, redundancy against the number of features
    #[command(after_help = EVALUATE_EXAMPLES)]
    Evaluate(EvaluateArgs),
    /// Compute a table of a paper again, beside what was printed
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(ReproduceArgs),
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

/// `fiedler evaluate`.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The methods to judge, separated by commas
    #[arg(long, short, visible_alias = "method", value_name = "NAME,…", value_delimiter = ',')]
    #[arg(default_value = "laplacian,mrsf", help_heading = "Method")]
    pub(crate) methods: Vec<String>,
    /// A parameter of the methods that have it, repeatable; `fiedler methods NAME` lists them
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Method")]
    pub(crate) set: Vec<Settings>,
    #[command(flatten)]
    pub(crate) protocol: ProtocolArgs,
    #[command(flatten)]
    pub(crate) graph: GraphOptions,
    /// A table for people, or csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
    /// Write to a file, whole or not at all, in place of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// How selections are judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Protocol")]
pub(crate) struct ProtocolArgs {
    /// What is measured: accuracy of a classifier (1nn, svm), clusters against classes (kmeans), neighborhoods kept
    /// (jaccard), correlation of the selected (redundancy), share of known features (hits)
    #[arg(long, value_enum, default_value_t = MetricName::Nearest)]
    pub(crate) protocol: MetricName,
    /// How many features to keep, separated by commas; FROM-TO/STEP for many [default: 1,2,5,10,… up to 200]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub(crate) counts: Vec<Counts>,
    /// How often samples are parted anew [default: 10; 20 for svm; 1 with --folds]
    #[arg(long, value_name = "N")]
    pub(crate) repeats: Option<usize>,
    /// Cross-validation with that many parts, in place of halves
    #[arg(long, value_name = "N")]
    pub(crate) folds: Option<usize>,
    /// Which samples selection sees; `all` leaks what judges it, and the output says so
    #[arg(long, value_enum, default_value_t = SelectOn::Training)]
    pub(crate) select_on: SelectOn,
    /// Random rankings a partition, to compare with
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) draws: usize,
    /// Judge the last features of every ranking too
    #[arg(long)]
    pub(crate) worst: bool,
    /// A p-value below this is a difference
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) significance: f64,
    /// Costs C that svm chooses from inside the training part [default: 0.001,0.01,0.1,1,10]
    #[arg(long, value_name = "C,…", value_delimiter = ',')]
    pub(crate) costs: Vec<f64>,
    /// Clusters of kmeans [default: as many as classes]
    #[arg(long, value_name = "N")]
    pub(crate) clusters: Option<usize>,
    /// Size of a neighborhood of jaccard [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) neighbors: Option<usize>,
    /// Features that are known to matter, for hits: a file with one name per line, or names
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) known: Option<PathBuf>,
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
    /// [default: what suits the method, mostly standard]
    #[arg(long, value_name = "HOW", value_parser = scaling())]
    pub(crate) scale: Option<Scaling>,
    /// Features to leave out as if they were not in the data: a file with one name per line, or names
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) exclude: Option<PathBuf>,
}

/// What is said to the methods.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct SettingArgs {
    /// A parameter of the method, repeatable; `fiedler methods NAME` lists them
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<Settings>,
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
    /// For very many samples: find most of the neighbors, not all, and tell how many were found
    #[arg(long)]
    pub(crate) approximate: bool,
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

/// What `fiedler evaluate` measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricName {
    #[value(name = "1nn")]
    Nearest,
    Svm,
    Kmeans,
    Jaccard,
    Redundancy,
    Hits,
}

/// Which samples selection sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectOn {
    Training,
    All,
}

/// Numbers of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counts(pub(crate) Vec<usize>);

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it must be whole numbers from 1, or FROM-TO/STEP such as 10-200/10".to_owned();
        let number = |t: &str| t.trim().parse().ok().filter(|&n: &usize| n > 0).ok_or_else(wrong);
        let Some((from, rest)) = text.split_once('-') else { return Ok(Counts(vec![number(text)?])) };
        let (to, step) = rest.split_once('/').unwrap_or((rest, "1"));
        let (from, to, step) = (number(from)?, number(to)?, number(step)?);
        match from <= to {
            true => Ok(Counts((from..=to).step_by(step).collect())),
            false => Err(wrong()),
        }
    }
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

/// `name=value`, or several separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings(pub(crate) Vec<Setting>);

impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A comma is part of a value (a list of numbers) unless the next setting begins there.
        let mut parts: Vec<String> = Vec::new();
        for part in text.split(',') {
            match parts.last_mut() {
                Some(last) if !part.contains('=') => *last = format!("{last},{part}"),
                _ => parts.push(part.to_owned()),
            }
        }
        Ok(Settings(parts.iter().map(|part| part.parse()).collect::<Result<_, _>>()?))
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
