//! The command line: options in groups that the subcommands share.
//!
//! Options that a method or a graph may ignore are `Option`s without a default here: `None`
//! means that the user said nothing and the library's own default holds.

mod blocks;
mod demo;
mod environment;
mod evaluate;
mod model;
mod report;
mod reproduce;
mod shared;
mod stability;
mod values;

use std::path::PathBuf;

use clap::builder::ArgPredicate;
use clap::{Args, Parser, Subcommand, ValueHint};

pub(crate) use blocks::BlocksArgs;
pub(crate) use demo::{DemoArgs, DemoName};
pub(crate) use environment::{VARIABLES, command, names, variable};
pub(crate) use evaluate::{BesideArgs, EvaluateArgs, ProtocolArgs};
pub(crate) use model::ModelArgs;
pub(crate) use report::{ImageShape, PlotArgs, ReportArgs, ReportCommandArgs, ReportFile};
pub(crate) use reproduce::ReproduceArgs;
pub(crate) use shared::{CommonArgs, DataArgs, GraphArgs, SettingArgs};
pub(crate) use stability::StabilityArgs;
use values::MethodName;
pub(crate) use values::is_csv;
pub(crate) use values::{Features, Format, Header, MetricName, SelectOn, Settings, TableOrJson, Top, Varied};

const ABOUT: &str = "Spectral feature selection: which features carry the structure of the data";

const AFTER_HELP: &str = "\
Start here:
  fiedler rank demo:iris                        rank the features of an embedded data set
  fiedler rank my.csv --label species           your own file; the label column is not ranked
  fiedler methods                               what there is to choose from

Every option can also be set by an environment variable (FIEDLER_TOP=10 for --top 10) or in a
TOML file (--config FILE); the command line wins, then the environment, then the file.
Exit code: 0 done, 1 the data or the question is at fault, 2 wrong usage, 130 stopped by Ctrl-C.";

const RANK_EXAMPLES: &str = "\
Examples:
  fiedler rank demo:digits --top 10
  fiedler rank my.csv --label species --method laplacian,fisher
  fiedler rank my.csv --target price --method correlation,relieff
  fiedler rank my.csv --method spec --set phi=3 --k 10 -o ranking.json";

const SELECT_EXAMPLES: &str = "\
Examples:
  fiedler select my.csv --label species --top 20 -o reduced.csv
  fiedler select my.mat --top auto -o reduced.parquet";

const EVALUATE_EXAMPLES: &str = "\
Examples:
  fiedler evaluate demo:digits --methods laplacian,fisher --counts 5,10,20
  fiedler evaluate my.csv --label species --methods fisher,mrsf --counts 10-200/10 --protocol svm
  fiedler evaluate my.csv --target price --methods correlation,mrsf
  fiedler evaluate my.csv --methods laplacian,mrsf --protocol redundancy -o judged.csv
  fiedler evaluate my.csv --label species --rankings mine.csv,theirs.txt --fuse sources.toml -m fisher
  fiedler evaluate my.csv --label species -m fisher --judge-on other.csv";

const FUSE_EXAMPLES: &str = "\
Examples (in the repository, with a comment on every key):
  fiedler fuse examples/fuse/sources.toml        many sources of knowledge and one ranking
  fiedler fuse examples/fuse/each.toml           a ranking by every source, and one of all
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
  fiedler reproduce mine/run.toml                a table of your own; crates/fiedler-cli/papers in the repository has examples";

const DEMO_EXAMPLES: &str = "\
Examples:
  fiedler demo study trial                       its README.txt has commands to try
  fiedler demo study small --genes 1000 --seed 7";

const REPORT_EXAMPLES: &str = "\
Examples:
  fiedler rank demo:digits --report digits.html                 a report at once
  fiedler rank demo:digits --findings digits.json               the answer, kept
  fiedler report digits.json -o digits.html                     its report, later";

const PLOT_EXAMPLES: &str = "\
Examples:
  fiedler stability demo:planted --findings sure.json
  fiedler plot stability sure.json -o figure.pdf --width 85 --monochrome
  fiedler plot stability sure.json -o slide.png --width 170 --dpi 150";

const BLOCKS_EXAMPLES: &str = "\
Examples:
  fiedler blocks my.parquet my.blocks
  fiedler blocks my.csv my.blocks --label species --missing median
  fiedler rank my.blocks --memory 1GB

Text that is too large to be held becomes an array, a line at a time, by these lines of Python:
  import csv, gzip, itertools, numpy as np
  file, label, text = \"big.csv\", \"species\", [\"id\", \"species\"]
  opened = gzip.open if file.endswith(\".gz\") else open
  rows = lambda: csv.reader(opened(file, \"rt\", newline=\"\"))
  lines = lambda: itertools.islice(rows(), 1, None)
  names, count = next(rows()), sum(1 for _ in lines())
  kept = [j for j, name in enumerate(names) if name not in text]
  shape = (count, len(kept))
  X = np.lib.format.open_memmap(\"big.npy\", \"w+\", np.float32, shape)
  for i, row in enumerate(lines()):
      X[i] = [\"nan\" if row[j] in (\"\", \"NA\") else row[j] for j in kept]
  open(\"names.txt\", \"w\").writelines(names[j] + \"\\n\" for j in kept)
  at = names.index(label)
  open(\"labels.txt\", \"w\").writelines(row[at] + \"\\n\" for row in lines())
`label` is the column of the classes (leave out the last two lines
where there is none), and `text` lists all columns that hold no
numbers. Single precision keeps seven digits of a number;
np.float64 keeps them all. The array may be larger than memory:
  fiedler rank big.npy --feature-names names.txt --labels labels.txt --memory 1GB";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "fiedler", version, about = ABOUT, after_help = AFTER_HELP)]
#[command(arg_required_else_help = true)]
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
    /// Write the data as a directory of blocks, which is read a part at a time where it is larger than memory
    #[command(after_help = BLOCKS_EXAMPLES)]
    Blocks(BlocksArgs),
    /// Look at the graph of the samples: components, degrees, spectrum
    Graph(GraphCommandArgs),
    /// How sure a selection is: what changes when samples are left out or noise is added
    #[command(after_help = STABILITY_EXAMPLES)]
    Stability(StabilityArgs),
    /// Judge selections: accuracy, clusters, redundancy against the number of features
    #[command(after_help = EVALUATE_EXAMPLES)]
    Evaluate(Box<EvaluateArgs>),
    /// Compute a table of a paper again, beside what was printed
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(ReproduceArgs),
    /// Many sources of knowledge, or many rankings, into one ranking
    #[command(after_help = FUSE_EXAMPLES)]
    Fuse(FuseArgs),
    /// Write generated data with a known truth as files, with configurations that read them
    #[command(after_help = DEMO_EXAMPLES)]
    Demo(DemoArgs),
    /// Write the report of an answer that was kept with --findings
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportCommandArgs),
    /// Draw one chart of the report as a figure for a paper
    #[command(after_help = PLOT_EXAMPLES)]
    Plot(PlotArgs),
    /// List the methods, or tell everything about one
    Methods(MethodsArgs),
    /// Print a shell completion script, or write it into a directory
    Completions {
        /// The shell
        shell: clap_complete::Shell,
        /// Write the script here, under the name that the shell looks for; made where it is missing
        #[arg(value_hint = ValueHint::DirPath)]
        directory: Option<PathBuf>,
    },
    /// Write the manual pages into a directory
    Man {
        /// The directory; made where it is missing
        #[arg(value_hint = ValueHint::DirPath)]
        directory: PathBuf,
    },
}

impl Command {
    /// Tells the groups of options what they need of one another: a graph that the data file holds is in that
    /// file, and samples are drawn with the seed of the command.
    pub(crate) fn connect(&mut self) {
        if let Command::Blocks(args) = self {
            args.data.seed = args.common.seed;
        }
        let (data, graph, common) = match self {
            Command::Rank(args) => (&mut args.data, &mut args.graph, &args.common),
            Command::Select(args) => (&mut args.data, &mut args.graph, &args.common),
            Command::Graph(args) => (&mut args.data, &mut args.graph, &args.common),
            Command::Stability(args) => (&mut args.data, &mut args.graph, &args.common),
            Command::Evaluate(args) => (&mut args.data, &mut args.graph, &args.common),
            _ => return,
        };
        graph.data = data.data.path().to_owned();
        data.seed = common.seed;
    }

    /// The report, for the commands that write one.
    pub(crate) fn report_mut(&mut self) -> Option<&mut ReportFile> {
        match self {
            Command::Rank(args) => Some(&mut args.report.file),
            Command::Select(args) => Some(&mut args.report.file),
            Command::Graph(args) => Some(&mut args.report),
            Command::Stability(args) => Some(&mut args.report.file),
            Command::Evaluate(args) => Some(&mut args.report.file),
            Command::Fuse(args) => Some(&mut args.report),
            _ => None,
        }
    }

    /// Which data, for the commands that take some.
    pub(crate) fn data_mut(&mut self) -> Option<&mut DataArgs> {
        match self {
            Command::Rank(args) => Some(&mut args.data),
            Command::Select(args) => Some(&mut args.data),
            Command::Graph(args) => Some(&mut args.data),
            Command::Stability(args) => Some(&mut args.data),
            Command::Evaluate(args) => Some(&mut args.data),
            Command::Blocks(args) => Some(&mut args.data),
            _ => None,
        }
    }
}

/// `fiedler rank`.
#[derive(Debug, Args)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The method, or several separated by commas: side by side, from one graph [default: laplacian]
    #[arg(long, short, value_name = "NAME", value_delimiter = ',')]
    #[arg(help_heading = "Method", value_parser = MethodName, hide_possible_values = true)]
    pub(crate) method: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    /// List the best N only; `auto`: up to the turning point of the scores [default: all, 20 in a table]
    #[arg(long, short = 'n', value_name = "N|auto", help_heading = "Output")]
    pub(crate) top: Option<Top>,
    /// A table for people, or csv or json for programs [default: by the extension of --output, or table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// Write to a file, whole or not at all, in place of standard output (`-`)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    /// Keep unfinished work in this folder: the same command, run again after it was killed, goes on from there
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Common")]
    pub(crate) checkpoint: Option<PathBuf>,
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
    #[arg(value_parser = MethodName, hide_possible_values = true)]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    /// How many features to keep; `auto`: up to the turning point of the scores
    #[arg(long, short = 'n', value_name = "N|auto", required = true, help_heading = "Output")]
    pub(crate) top: Top,
    /// The file to write, whole or not at all; the extension tells the format, `-` is CSV on standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    #[arg(required = true)]
    pub(crate) output: PathBuf,
    /// How to tell which features were kept: a table for people, or csv or json for programs
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    /// Keep unfinished work in this folder: the same command, run again after it was killed, goes on from there
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Common")]
    pub(crate) checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler graph`. A list needs no data; the name of standard input stands where nothing is read.
#[derive(Debug, Args)]
#[command(mut_arg("data", |data| data.required(false).required_unless_present("list").default_value_if("list", ArgPredicate::IsPresent, "-")))]
pub(crate) struct GraphCommandArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    /// List the kinds of graph and the metrics, with their options; no data are needed
    #[arg(long, help_heading = "Graph")]
    pub(crate) list: bool,
    /// How many of the smallest eigenvalues to compute; 0: none
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Graph")]
    pub(crate) eigenvalues: usize,
    /// Write the eigenvectors to a CSV file: a line a sample, with its name and label where it has them
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) embedding: Option<PathBuf>,
    /// Put the eigenvectors into the JSON too
    #[arg(long, help_heading = "Output")]
    pub(crate) vectors: bool,
    /// A table for people or json for programs [default: by the extension of --output, or table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<TableOrJson>,
    /// Write to a file, whole or not at all, in place of standard output (`-`)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportFile,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler fuse`.
#[derive(Debug, Args)]
pub(crate) struct FuseArgs {
    /// What to fuse: `[target]` and `[[source]]`, the same with `aggregate`, or `[[ranking]]`; paths in it are relative to it
    #[arg(value_name = "CONFIG.toml", value_hint = ValueHint::FilePath)]
    pub(crate) recipe: PathBuf,
    /// List the best N only [default: all, 20 in a table]
    #[arg(long, short = 'n', value_name = "N", help_heading = "Output")]
    pub(crate) top: Option<usize>,
    /// A table for people, or csv or json for programs [default: by the extension of --output, or table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// Write to a file, whole or not at all, in place of standard output (`-`)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportFile,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// `fiedler methods`.
#[derive(Debug, Args)]
pub(crate) struct MethodsArgs {
    /// The method to tell everything about
    #[arg(value_parser = MethodName, hide_possible_values = true)]
    pub(crate) name: Option<String>,
    /// A table for people or json for programs
    #[arg(long, value_enum, default_value_t = TableOrJson::Table)]
    pub(crate) format: TableOrJson,
}
