//! DATA: a file, standard input or an embedded data set.

use fiedler::dataset::demo::{self, Planted};
use fiedler::dataset::{Dense, Order};
use fiedler::{Dataset, Labels, Monitor, Scaling};

use crate::args::{DataArgs, Features};
use crate::failure::{Failure, Outcome};
use crate::lists;

/// The column that `--label` names in embedded data.
const DEMO_LABEL: &str = "class";

/// A data set as the commands see it.
pub(crate) struct Loaded {
    /// The numbers, names and labels, scaled as asked.
    pub(crate) data: Dataset,
    /// What the user called it.
    pub(crate) name: String,
    /// Whether the user named the labels.
    labels_named: bool,
}

impl Loaded {
    /// Reads DATA.
    ///
    /// # Errors
    /// The data cannot be read or are not what the options say.
    pub(crate) fn read(args: &DataArgs, monitor: &dyn Monitor) -> Outcome<Self> {
        if args.label.is_some() && args.labels.is_some() {
            return Err(Failure::usage("--label and --labels cannot both be given"));
        }
        let data = match args.data.strip_prefix("demo:") {
            Some(name) => embedded(name, args)?,
            None => file(args, monitor)?,
        };
        let labels_named = args.label.is_some() || args.labels.is_some();
        Ok(Loaded { data: data.scaled(args.scale), name: args.data.clone(), labels_named })
    }

    /// The data with labels, for whom needs them, or without.
    ///
    /// Embedded data carry labels that the user did not name: they are for those that cannot
    /// work without, so that an unsupervised answer never depends on them.
    pub(crate) fn seen_by(&self, labels: LabelUse) -> Dataset {
        match labels {
            LabelUse::Needed => self.data.clone(),
            LabelUse::IfNamed if self.labels_named => self.data.clone(),
            LabelUse::IfNamed | LabelUse::Never => self.data.clone().unlabeled(),
        }
    }
}

/// What a method or a graph does with labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelUse {
    /// Cannot work without.
    Needed,
    /// Uses them where the user named them.
    IfNamed,
    /// Must not see them.
    Never,
}

fn file(args: &DataArgs, _monitor: &dyn Monitor) -> Outcome<Dataset> {
    Err(Failure::Data(format!("`{}`: only demo:NAME can be read so far", args.data)))
}

fn embedded(name: &str, args: &DataArgs) -> Outcome<Dataset> {
    if args.features == Features::Rows {
        return Err(Failure::usage("--features rows: embedded data have their features in columns"));
    }
    if args.labels.is_some() {
        return Err(Failure::usage(format!(
            "--labels: embedded data bring their labels; name them with --label {DEMO_LABEL}"
        )));
    }
    if let Some(label) = args.label.as_ref().filter(|l| *l != DEMO_LABEL) {
        return Err(Failure::Data(format!(
            "demo:{name}: no column is called `{label}`; the labels of embedded data are called `{DEMO_LABEL}`"
        )));
    }
    let data = match name.split_once('?') {
        Some(("planted", query)) => planted(query)?.generate()?.data,
        _ => demo::load(name)?,
    };
    match &args.exclude {
        Some(list) => without(&data, &lists::read(list, "--exclude")?.find(&data)?),
        None => Ok(data),
    }
}

/// `seed=1&noise=1000`: the fields of [`Planted`].
fn planted(query: &str) -> Outcome<Planted> {
    let mut planted = Planted::default();
    for pair in query.split('&') {
        let wrong = || {
            Failure::usage(format!(
                "demo:planted: `{pair}` must be one of samples, clusters, informative, redundant, noise, seed \
                 or separation, `=` and a number"
            ))
        };
        let (name, text) = pair.split_once('=').ok_or_else(wrong)?;
        let count = || text.parse::<usize>().map_err(|_| wrong());
        match name {
            "samples" => planted.n_samples = count()?,
            "clusters" => planted.clusters = count()?,
            "informative" => planted.informative = count()?,
            "redundant" => planted.redundant = count()?,
            "noise" => planted.noise = count()?,
            "seed" => planted.seed = text.parse().map_err(|_| wrong())?,
            "separation" => planted.separation = text.parse().map_err(|_| wrong())?,
            _ => return Err(wrong()),
        }
    }
    Ok(planted)
}

/// The data without some features.
fn without(data: &Dataset, excluded: &[usize]) -> Outcome<Dataset> {
    let kept: Vec<usize> = (0..data.n_features()).filter(|j| excluded.binary_search(j).is_err()).collect();
    let raw = data.clone().scaled(Scaling::None);
    let columns: Vec<Vec<f64>> = kept.iter().map(|&j| raw.column(j)).collect::<Result<_, _>>()?;
    let names = kept.iter().map(|&j| data.feature_name(j).into_owned()).collect();
    let dense = Dense::new(columns.concat(), data.n_samples(), kept.len(), Order::ColumnMajor)?;
    let smaller = Dataset::named(dense, Some(names), &fiedler::Silent)?;
    match data.labels() {
        Some(labels) => Ok(smaller.labeled(Labels::clone(labels))?),
        None => Ok(smaller),
    }
}
