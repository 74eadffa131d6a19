//! DATA: a file, standard input or an embedded data set.

use std::path::Path;

use fiedler::dataset::demo::{self, Planted};
use fiedler::{Dataset, Monitor, ParameterValue};
use fiedler_io::{
    Categories, Dates, LabelColumn, Layout, MatVariables, Missing, Orientation, ReadOptions, Sampling, Table,
    TextOptions,
};

use crate::args::{DataArgs, Features, Header};
use crate::failure::{Failure, Outcome};
use crate::lists::{self, Names};
use crate::orientation;

/// A data set as the commands see it.
pub(crate) struct Loaded {
    /// The numbers, names and labels.
    pub(crate) data: Dataset,
    /// What the user called it.
    pub(crate) name: String,
    /// What the reader decided on its own.
    pub(crate) notes: Vec<String>,
    /// The names of features that were left out.
    pub(crate) excluded: Vec<String>,
    /// How the user asked them to be read.
    pub(crate) asked: Vec<(String, ParameterValue)>,
    layout: Layout,
}

impl Loaded {
    /// Reads DATA.
    ///
    /// # Errors
    /// The data cannot be read or are not what the options say.
    pub(crate) fn read(args: &DataArgs, monitor: &dyn Monitor) -> Outcome<Self> {
        if args.target.is_some() && (args.label.is_some() || args.labels.is_some()) {
            return Err(Failure::usage(
                "--target is a number to be predicted and --label (or --labels) names classes: give one of them",
            ));
        }
        if args.data.path().as_os_str().is_empty() {
            return Err(Failure::usage(
                "DATA is an empty name; name a file, `-` for standard input, or embedded data such as demo:iris",
            ));
        }
        let labels_named = args.label.is_some() || args.labels.is_some();
        let name = args.data.to_string();
        let exclude = lists::read(&args.exclude, "--exclude")?;
        let excluded = exclude.texts();
        let asked = asked(args, &excluded);
        Ok(match args.data.demo() {
            Some(demo) => {
                let mut data = embedded(demo, args, &exclude, monitor)?;
                if let Some(labels) = data.labels().cloned() {
                    data = data.labeled(labels.called(demo::LABEL))?;
                }
                // Embedded data bring labels that are for methods that can do without only where the user names them.
                let data = if labels_named { data } else { data.with_labels_unnamed() };
                let label = data.labels().map(|_| LabelColumn { name: demo::LABEL.to_owned(), first: false });
                let layout = Layout { label, ..Layout::of(&data) };
                Loaded { data, name, notes: Vec::new(), excluded, asked, layout }
            }
            None => {
                let Table { data, mut notes, layout, .. } = file(args, &exclude, monitor)?;
                notes.extend(orientation::hint(&data, &layout));
                if labels_named && data.labels().is_some_and(|l| l.classes().is_empty()) {
                    return Err(no_labels(args));
                }
                Loaded { data, name, notes, excluded, asked, layout }
            }
        })
    }

    /// The data as a file holds them.
    pub(crate) fn table(&self) -> Table {
        Table {
            data: self.data.clone(),
            notes: Vec::new(),
            repeated: Vec::new(),
            layout: self.layout.clone(),
        }
    }
}

fn file(args: &DataArgs, exclude: &Names, monitor: &dyn Monitor) -> Outcome<Table> {
    let default = MatVariables::default();
    let options = ReadOptions {
        features: match args.features {
            Features::Columns => Orientation::Columns,
            Features::Rows => Orientation::Rows,
        },
        label: args.label.as_deref().map(Into::into),
        target: args.target.as_deref().map(Into::into),
        labels_file: args.labels.clone(),
        exclude: exclude.texts(),
        layer: args.layer.clone(),
        missing: args.missing,
        categories: args.categories,
        dates: args.dates,
        numeric_only: args.numeric_only,
        feature_names: args.feature_names.clone(),
        min_samples: args.min_samples,
        sample: args.sample.map(|count| Sampling { count, seed: args.seed.unwrap_or(0) }),
        variables: MatVariables { x: args.variable.clone().unwrap_or(default.x), y: default.y },
        text: TextOptions { header: args.header.map(|h| h == Header::Yes), ..TextOptions::default() },
        ..ReadOptions::default()
    };
    let table = if args.data.is_stdin() {
        fiedler_io::read_from(std::io::stdin().lock(), "standard input", &options, monitor)
    } else {
        fiedler_io::read(args.data.path(), &options, monitor)
    };
    table.map_err(|error| {
        // The reader does not know where an excluded name was written.
        let place = match &error {
            fiedler_io::Error::Unknown { name, .. } => exclude.place(name).map(str::to_owned),
            _ => None,
        };
        let failure = Failure::from(error);
        if let Some(place) = place { failure.at(&place) } else { failure }
    })
}

/// What the user said of reading, by option.
fn asked(args: &DataArgs, excluded: &[String]) -> Vec<(String, ParameterValue)> {
    let rows = (args.features == Features::Rows).then(|| ("features", "rows".to_owned()));
    let labels = args.labels.as_ref().map(|file| ("labels", file.display().to_string()));
    let excluded = (!excluded.is_empty()).then(|| ("exclude", excluded.join(",")));
    let said = rows.into_iter().chain(labels).chain(excluded).chain(for_files(args));
    said.map(|(option, value)| (option.to_owned(), value.into())).collect()
}

/// Those of them that embedded data cannot have.
fn for_files(args: &DataArgs) -> Vec<(&'static str, String)> {
    let path = |path: &Option<std::path::PathBuf>| path.as_ref().map(|p| p.display().to_string());
    let unless = |usual: bool, value: &dyn ToString| (!usual).then(|| value.to_string());
    let all = [
        ("variable", args.variable.clone()),
        ("layer", args.layer.clone()),
        ("missing", unless(args.missing == Missing::Error, &args.missing)),
        ("categories", unless(args.categories == Categories::Error, &args.categories)),
        ("dates", unless(args.dates == Dates::Error, &args.dates)),
        ("numeric-only", args.numeric_only.then(|| "yes".to_owned())),
        ("feature-names", path(&args.feature_names)),
        ("min-samples", unless(args.min_samples == 0, &args.min_samples)),
        ("sample", args.sample.map(|count| count.to_string())),
        ("header", args.header.map(|h| if h == Header::Yes { "yes" } else { "no" }.to_owned())),
    ];
    all.into_iter().filter_map(|(option, value)| Some((option, value?))).collect()
}

fn embedded(name: &str, args: &DataArgs, exclude: &Names, monitor: &dyn Monitor) -> Outcome<Dataset> {
    if args.features == Features::Rows {
        return Err(Failure::usage("--features rows: embedded data have their features in columns"));
    }
    if let Some((option, _)) = for_files(args).first() {
        return Err(Failure::usage(format!("--{option} works on files only, not on embedded data")));
    }
    if args.labels.is_some() {
        return Err(Failure::usage(format!(
            "--labels: embedded data bring their labels; name them with --label {}",
            demo::LABEL
        )));
    }
    if args.target.is_some() {
        return Err(Failure::usage(
            "--target: embedded data have classes and no number to be predicted; it is for your own files",
        ));
    }
    if let Some(label) = args.label.as_ref().filter(|l| *l != demo::LABEL) {
        return Err(Failure::Data(format!(
            "demo:{name}: no column is called `{label}`; the labels of embedded data are called `{}`",
            demo::LABEL
        )));
    }
    let data = match name.split_once('?') {
        Some(("planted", query)) => planted(query)?.generate_with(monitor)?.data,
        _ => demo::load(name)?,
    };
    if args.exclude.is_empty() {
        return Ok(data);
    }
    let excluded = exclude.find(&data)?;
    let kept: Vec<usize> = (0..data.n_features()).filter(|j| excluded.binary_search(j).is_err()).collect();
    Ok(data.subset(&kept)?)
}

/// The user named labels, and there are none.
fn no_labels(args: &DataArgs) -> Failure {
    Failure::Data(match (&args.label, &args.labels) {
        (Some(label), None) => format!(
            "{}: column `{label}` holds no labels, all its cells are empty; name another one, or leave it out \
             with --exclude",
            args.data
        ),
        (_, labels) => {
            let file = labels.as_deref().unwrap_or(Path::new("--labels")).display();
            format!("{file}: there is no label in it, all are empty")
        }
    })
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
    let features =
        [planted.informative, planted.redundant, planted.noise].into_iter().try_fold(0, usize::checked_add);
    let values = features.and_then(|m| m.checked_mul(planted.n_samples)).filter(|v| *v <= MOST_PLANTED);
    match values {
        Some(_) => Ok(planted),
        None => Err(Failure::usage(format!(
            "demo:planted: samples × features must be at most {MOST_PLANTED}, got {query}"
        ))),
    }
}

/// The most numbers that planted data have: 8 GB of them, where the budget of memory allows that.
const MOST_PLANTED: usize = 1_000_000_000;
