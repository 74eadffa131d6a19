//! Rankings from files, joined by the names of features, into one.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use fiedler::fusion::{NamedList, Names, Subject, examples, match_features};
use fiedler::{Dataset, FeatureNames, Goal, Monitor, Ranking};
use fiedler_io::{Ranked, WithNotes};

use super::aggregate::{Aggregated, List, aggregation, consensus, refused, weights};
use super::config::{Config, RankingFile};
use super::sources::TARGET;
use super::{Known, folder};
use crate::failure::{Failure, Outcome};

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
    let aggregation = aggregation(config)?;
    let weights = weights(config, config.ranking.iter().any(|r| r.weight.is_some()))?;
    let read = config.ranking.iter().map(|r| read(path, r, monitor));
    let read: Vec<(PathBuf, WithNotes<Vec<Ranked>>)> = read.collect::<Outcome<_>>()?;
    // Features in alphabetical order, so that neither the order of files nor that of lines matters.
    let all = read.iter().flat_map(|(_, list)| &list.found);
    let mut index: BTreeMap<&str, usize> = all.map(|r| (r.feature.as_str(), 0)).collect();
    index.values_mut().enumerate().for_each(|(next, at)| *at = next);
    let names: Vec<String> = index.keys().map(|n| (*n).to_owned()).collect();
    let total = total(path, config, names.len())?;
    let find = |name: &str| index.get(name).copied();
    let named = config.ranking.iter().zip(&read).map(|(r, (file, list))| {
        Ok(NamedList::new(called(r, file), &scored(file, &list.found, &find, total)?))
    });
    let named: Vec<NamedList> = named.collect::<Outcome<_>>()?;
    let described = config.ranking.iter().zip(&read).zip(&named);
    let lists: Vec<List> = described.map(|((r, (file, _)), list)| list_of(r, file, list)).collect();
    let known =
        Known::read(path, config, &FeatureNames::new(Some(names.as_slice().into())), names.len(), monitor)?;
    let asked = consensus(path, (aggregation, weights), &lists, known.as_ref())?;
    let found = asked.answer(&named, Subject::Names(&names), &path.display().to_string());
    let mut found = found.map_err(|e| refused(e, config))?;
    read.iter().flat_map(|(_, list)| &list.notes).for_each(|note| found.note(note.clone()));
    known.iter().for_each(|known| known.note(&mut found));
    found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun);
    let learned_from = asked.learned_from().iter().map(|&j| names[j].clone()).collect();
    let known = known.map(|known| known.file);
    Ok(Aggregated { config: path, aggregation, weights, lists, found, known, learned_from })
}

/// The features of `data` that a file ranks, best first, and what to know of how it was read.
///
/// # Errors
/// The file cannot be read, or names a feature twice, or one that the data do not have.
pub(crate) fn order_in(file: &Path, data: &Dataset, monitor: &dyn Monitor) -> Outcome<WithNotes<Vec<usize>>> {
    let list = fiedler_io::read_ranking(file, None, monitor)?;
    let names: Vec<String> = list.found.into_iter().map(|ranked| ranked.feature).collect();
    let found = found_in(&names, RANKING, data).map_err(|e| e.at(&fiedler_io::shown(file)))?;
    Ok(WithNotes { found, notes: list.notes })
}

/// What ranks, and what helps where the data lack what it ranks.
pub(super) type Ranks = (&'static str, &'static str);

/// A file with a ranking.
const RANKING: Ranks =
    ("the ranking", "take them out of the ranking, or read the columns that it was made of");

/// Where `data` have these features, best first.
///
/// # Errors
/// One is named twice, or is not there.
pub(super) fn found_in(names: &[String], (what, helps): Ranks, data: &Dataset) -> Outcome<Vec<usize>> {
    let own: Vec<String> = (0..data.n_features()).map(|j| data.feature_name(j).into_owned()).collect();
    let known = Names { source: "the data", kind: "feature", names: &own }.positions()?;
    let asked = Names { source: what, kind: "feature", names }.positions()?;
    let unknown: Vec<&String> = names.iter().filter(|name| !known.contains_key(name.as_str())).collect();
    if unknown.is_empty() {
        return Ok(names.iter().filter_map(|name| known.get(name.as_str()).copied()).collect());
    }
    let (count, of, some) = (unknown.len(), asked.len(), examples(&unknown));
    Err(Failure::Data(format!(
        "{count} of the {of} features that are ranked are not in the data ({some}); {helps}"
    )))
}

/// The rankings of files as rankings of the target's features, and what was dropped.
///
/// # Errors
/// A file cannot be read, or names a feature twice, or one that the target does not have.
pub(super) fn of_target(
    path: &Path,
    config: &Config,
    target: &Dataset,
    monitor: &dyn Monitor,
) -> Outcome<Vec<(List, NamedList, Vec<String>)>> {
    let own: Vec<String> = (0..target.n_features()).map(|j| target.feature_name(j).into_owned()).collect();
    let one = |r: &RankingFile| {
        let (file, WithNotes { found: list, mut notes }) = read(path, r, monitor)?;
        let asked: Vec<String> = list.iter().map(|l| l.feature.clone()).collect();
        let name = called(r, &file);
        let source = format!("ranking `{name}`");
        let asked = Names { source: &source, kind: "feature", names: &asked };
        let known = Names { source: TARGET, kind: "feature", names: &own };
        let matched = match_features(known, asked, r.drop.unwrap_or(false))?;
        let places: HashMap<&str, usize> = asked
            .names
            .iter()
            .zip(&matched.found)
            .filter_map(|(name, at)| Some((name.as_str(), (*at)?)))
            .collect();
        let ranking = scored(&file, &list, &|name| places.get(name).copied(), own.len())?;
        let named = NamedList::new(name.clone(), &ranking);
        let (count, some) = (matched.dropped.len(), examples(&matched.dropped));
        if count > 0 {
            let verb = if count == 1 { "name is" } else { "names are" };
            let were = if count == 1 { "was" } else { "were" };
            notes.push(format!("{name}: {count} feature {verb} not in {TARGET} and {were} dropped ({some})"));
        }
        Ok((list_of(r, &file, &named), named, notes))
    };
    config.ranking.iter().map(one).collect()
}

fn read(
    path: &Path,
    ranking: &RankingFile,
    monitor: &dyn Monitor,
) -> Outcome<(PathBuf, WithNotes<Vec<Ranked>>)> {
    let file = folder(path).join(&ranking.file);
    let list = fiedler_io::read_ranking(&file, ranking.goal.map(Goal::from), monitor)?;
    Ok((file, list))
}

fn list_of(ranking: &RankingFile, file: &Path, list: &NamedList) -> List {
    List {
        name: list.name.clone(),
        file: Some(file.to_path_buf()),
        source: None,
        method: None,
        goal: ranking.goal.map(|g| Goal::from(g).name()),
        features: list.n_ranked(),
        given: ranking.weight,
    }
}

/// How many features were ranked.
fn total(path: &Path, config: &Config, named: usize) -> Outcome<usize> {
    let total = config.features.unwrap_or(named);
    if total < named {
        return Err(Failure::usage(format!(
            "{}: `features` must be at least the number of features in the lists ({named}), got {total}",
            path.display(),
        )));
    }
    Ok(total)
}

/// A list as a ranking of all features; what is not found is left out.
fn scored(
    file: &Path,
    list: &[Ranked],
    find: &dyn Fn(&str) -> Option<usize>,
    total: usize,
) -> Outcome<Ranking> {
    let mut places = vec![f64::NAN; total];
    for ranked in list {
        let Some(at) = find(&ranked.feature) else { continue };
        if !places[at].is_nan() {
            return Err(Failure::Data(format!("{}: `{}` is listed twice", file.display(), ranked.feature)));
        }
        places[at] = ranked.better as f64;
    }
    Ok(Ranking::new("list", Goal::Minimize, places))
}

/// The name given, or that of the file.
fn called(ranking: &RankingFile, file: &Path) -> String {
    let stem =
        || file.file_stem().map_or_else(|| file.display().to_string(), |s| s.to_string_lossy().into_owned());
    ranking.name.clone().unwrap_or_else(stem)
}
