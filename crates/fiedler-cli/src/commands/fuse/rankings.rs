//! Rankings from files, joined by the names of features, into one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiedler::fusion::{Aggregation, Lists};
use fiedler::{Findings, Goal, Monitor, Ranking, SourceFound};
use fiedler_io::Ranked;

use super::config::{Config, plain};
use super::{folder, known};
use crate::failure::{Failure, Outcome};

/// An aggregation and where it came from.
pub(super) struct Aggregated<'a> {
    /// The configuration.
    pub(super) config: &'a Path,
    /// How.
    pub(super) aggregation: Aggregation,
    /// The lists.
    pub(super) lists: Vec<List>,
    /// What was found.
    pub(super) found: Findings,
    /// The file that names the known features, where there is one.
    pub(super) known: Option<PathBuf>,
}

/// One ranking that went in.
pub(super) struct List {
    /// Its name.
    pub(super) name: String,
    /// Its file.
    pub(super) file: PathBuf,
    /// Its weight.
    pub(super) weight: f64,
    /// Which scores are better, where the configuration says so.
    pub(super) goal: Option<&'static str>,
    /// How many features it ranks.
    pub(super) features: usize,
}

/// Reads the rankings and makes one of them.
///
/// # Errors
/// A file cannot be read, names a feature twice, or the aggregation refuses.
pub(super) fn aggregate<'a>(
    path: &'a Path,
    config: &Config,
    monitor: &dyn Monitor,
) -> Outcome<Aggregated<'a>> {
    let begun = monitor.now();
    let aggregation = aggregation(path, config)?;
    let files: Vec<PathBuf> = config.ranking.iter().map(|r| folder(path).join(&r.file)).collect();
    let goals = config.ranking.iter().map(|r| r.goal.map(Goal::from));
    let read = files.iter().zip(goals).map(|(file, goal)| fiedler_io::read_ranking(file, goal, monitor));
    let read: Vec<Vec<Ranked>> = read.collect::<Result<_, _>>()?;
    // Features in alphabetical order, so that neither the order of files nor that of lines matters.
    let mut index: BTreeMap<&str, usize> = read.iter().flatten().map(|r| (r.feature.as_str(), 0)).collect();
    index.values_mut().enumerate().for_each(|(next, at)| *at = next);
    let names: Vec<String> = index.keys().map(|n| (*n).to_owned()).collect();
    let total = config.features.unwrap_or(names.len());
    if total < names.len() {
        return Err(Failure::usage(format!(
            "{}: `features` must be at least the number of features in the lists ({}), got {total}",
            path.display(),
            names.len()
        )));
    }
    let mut rankings = Vec::with_capacity(read.len());
    for (file, list) in files.iter().zip(&read) {
        rankings.push(scored(file, list, &index, total)?);
    }
    let weights: Vec<f64> = config.ranking.iter().map(|r| r.weight.unwrap_or(1.0)).collect();
    let lists = Lists::from_rankings(&rankings.iter().collect::<Vec<_>>())?.weighted(weights.clone())?;
    let mut found = aggregation.answer(&lists, names, &path.display().to_string())?;
    let place = |list: &[Ranked]| {
        let mut ranks = vec![None; index.len()];
        list.iter().for_each(|r| ranks[index[r.feature.as_str()]] = Some(r.better + 1));
        ranks
    };
    let described = config.ranking.iter().zip(files).zip(&read).zip(weights);
    let lists = described.map(|(((r, file), list), weight)| List {
        name: r.name.clone().unwrap_or_else(|| stem(&file)),
        file,
        weight,
        goal: r.goal.map(|g| Goal::from(g).name()),
        features: list.len(),
    });
    let lists: Vec<List> = lists.collect();
    found.sources = lists
        .iter()
        .zip(&read)
        .map(|(list, read)| SourceFound {
            name: list.name.clone(),
            weight: list.weight,
            ranks: place(read),
            graph: None,
        })
        .collect();
    let known = known(path, config, &mut found, monitor)?;
    found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun);
    Ok(Aggregated { config: path, aggregation, lists, found, known })
}

fn aggregation(path: &Path, config: &Config) -> Outcome<Aggregation> {
    let name = config.aggregate.as_deref().unwrap_or("borda");
    let chosen = Aggregation::ALL.into_iter().find(|a| a.name() == name).ok_or_else(|| {
        let known = Aggregation::ALL.map(Aggregation::name).join(", ");
        Failure::usage(format!("{}: `aggregate` must be one of {known}, got `{name}`", path.display()))
    })?;
    let mut left = config.set.clone();
    let mut number = |key: &str, default: f64| match left.remove(key) {
        None => Ok(default),
        Some(value) => value.as_float().or_else(|| value.as_integer().map(|i| i as f64)).ok_or_else(|| {
            Failure::usage(format!("{}: `{key}` must be a number, got {}", path.display(), plain(&value)))
        }),
    };
    let chosen = match chosen {
        Aggregation::ReciprocalRank { k } => Aggregation::ReciprocalRank { k: number("k", k)? },
        Aggregation::Mc4 { jump } => Aggregation::Mc4 { jump: number("jump", jump)? },
        other => other,
    };
    match left.keys().next() {
        Some(key) => Err(Failure::usage(format!("{}: {name} has no parameter `{key}`", path.display()))),
        None => Ok(chosen),
    }
}

/// A list as a ranking of all features.
fn scored(file: &Path, list: &[Ranked], index: &BTreeMap<&str, usize>, total: usize) -> Outcome<Ranking> {
    let mut places = vec![f64::NAN; total];
    for ranked in list {
        let slot = &mut places[index[ranked.feature.as_str()]];
        if !slot.is_nan() {
            return Err(Failure::Data(format!("{}: `{}` is listed twice", file.display(), ranked.feature)));
        }
        *slot = ranked.better as f64;
    }
    Ok(Ranking::new("list", Goal::Minimize, places))
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| file.display().to_string(), |s| s.to_string_lossy().into_owned())
}
