//! `fiedler evaluate`: what is judged, and how.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::values::{Counts, DataName, Format, MethodName, MetricName, SelectOn, Settings, Varied};
use super::{CommonArgs, DataArgs, GraphArgs, ReportArgs};

/// `fiedler evaluate`.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The methods to judge, separated by commas [default: laplacian,mrsf; none beside --rankings or --fuse]
    #[arg(long, short, visible_alias = "method", value_name = "NAME,…", value_delimiter = ',')]
    #[arg(help_heading = "Method", value_parser = MethodName, hide_possible_values = true)]
    pub(crate) methods: Vec<String>,
    /// A parameter of the methods that have it, repeatable; `fiedler methods NAME` lists them
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Method")]
    pub(crate) set: Vec<Settings>,
    /// Several values of a parameter of the method or of its graph (lambda=0.1,0.5 or k=3,5,10), each judged beside the
    /// others; repeatable, and then every combination is judged
    #[arg(long, value_name = "NAME=VALUE,…", help_heading = "Method")]
    pub(crate) vary: Vec<Varied>,
    #[command(flatten)]
    pub(crate) beside: BesideArgs,
    #[command(flatten)]
    pub(crate) protocol: ProtocolArgs,
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
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

/// What is judged beside methods, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Candidates beside methods")]
pub(crate) struct BesideArgs {
    /// Files with rankings, as `rank` and `fuse` write them, separated by commas: each is judged as it is, on the same
    /// parts and counts; what it saw when it was made is not known here
    #[arg(long, value_name = "FILE,…", value_delimiter = ',', value_hint = ValueHint::FilePath)]
    pub(crate) rankings: Vec<PathBuf>,
    /// Configurations of `fuse`, separated by commas. Where [target] is DATA, every training part is fitted anew: graphs of
    /// measurements (target, data), scalings, widths and learned weights; knowledge of features and of samples stays as it
    /// is. Where it is another file, the fusion ranks once, on its own samples
    #[arg(long, value_name = "CONFIG.toml,…", value_delimiter = ',', value_hint = ValueHint::FilePath)]
    pub(crate) fuse: Vec<PathBuf>,
    /// Give the first of two sources of --fuse coefficients from 0 to 1 and the other the rest, a candidate each; further
    /// sources take no part
    #[arg(long, value_name = "SOURCE,SOURCE", value_delimiter = ',', requires = "fuse")]
    pub(crate) sweep: Vec<String>,
    /// How many coefficients, 0 and 1 included
    #[arg(long, value_name = "N", default_value_t = 11, requires = "sweep")]
    pub(crate) steps: usize,
    /// Judge on this file what is selected on all samples of DATA; read as DATA is, its features matched by name
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) judge_on: Option<DataName>,
}

/// How selections are judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Protocol")]
pub(crate) struct ProtocolArgs {
    /// What is measured: accuracy of a classifier (1nn, svm), R² of nearest neighbors (knn), clusters against classes
    /// (kmeans), neighborhoods kept (jaccard), correlation of the selected (redundancy), share of known features (hits)
    /// [default: 1nn; knn with --target]
    #[arg(long, value_enum)]
    pub(crate) protocol: Option<MetricName>,
    /// How many features to keep, separated by commas; FROM-TO/STEP for many [default: 1,2,5,10,… up to 200]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub(crate) counts: Vec<Counts>,
    /// How often samples are parted anew [default: 10; 20 for svm; 1 with --folds]
    #[arg(long, value_name = "N")]
    pub(crate) repeats: Option<usize>,
    /// Cross-validation with that many parts, in place of halves
    #[arg(long, value_name = "N")]
    pub(crate) folds: Option<usize>,
    /// Draw that many classes at random, select and judge on their samples, and begin anew; for kmeans, jaccard,
    /// redundancy and hits [20 times unless --repeats says otherwise]
    #[arg(long, value_name = "N", conflicts_with = "folds")]
    pub(crate) classes: Option<usize>,
    /// Selection knows the labels of N samples of every class and no others; the judge knows all. Several numbers,
    /// separated by commas, have a table each
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub(crate) labeled: Vec<usize>,
    /// Which samples selection sees; `all` leaks what judges it, and the output says so
    #[arg(long, value_enum, default_value_t = SelectOn::Training)]
    pub(crate) select_on: SelectOn,
    /// Random rankings a partition, to compare with
    #[arg(long, value_name = "N", default_value_t = fiedler::eval::Protocol::DRAWS)]
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
    /// Size of a neighborhood of jaccard, or how many samples knn averages [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) neighbors: Option<usize>,
    /// Features that are known to matter, for hits, and beside any other protocol for a second table with the hit ratio
    /// at every count: a file with one name per line, or names
    #[arg(long, value_name = "FILE|NAME,…", value_hint = ValueHint::FilePath)]
    pub(crate) known: Option<PathBuf>,
}
