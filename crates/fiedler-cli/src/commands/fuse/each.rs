//! KOGS: a ranking by every method on every source, rankings of files beside them, and one of all.

use std::path::Path;

use fiedler::fusion::{Consensus, NamedList, RankedBy, Subject, rank_by_each};
use fiedler::{Analysis, Monitor};

use super::aggregate::{Aggregated, List, aggregation, consensus, refused, weights};
use super::config::Config;
use super::keys::{SourceConfig, TableKeys};
use super::sources::{self, Joined};
use super::{Known, folder, notes, of_source, rankings};
use crate::failure::{Failure, Outcome};

/// An aggregation of rankings that were made here, and of what.
pub(super) struct Each<'a> {
    /// The aggregation.
    pub(super) joined: Aggregated<'a>,
    /// The keys of the target.
    pub(super) target: &'a TableKeys,
    /// The target and the graphs of the sources.
    pub(super) data: Joined,
    /// The sources.
    pub(super) sources: Vec<SourceConfig>,
    /// How the rankings became one.
    pub(super) consensus: Consensus,
    /// The rankings of files.
    pub(super) others: Vec<NamedList>,
}

/// Ranks by each source and method, and makes one of all.
///
/// # Errors
/// A file cannot be read, names do not match, a method refuses, or the aggregation does.
pub(super) fn rank<'a>(
    path: &'a Path,
    config: &Config,
    target: &'a TableKeys,
    asked: Analysis,
    monitor: &dyn Monitor,
) -> Outcome<Each<'a>> {
    let begun = monitor.now();
    let aggregation = aggregation(config)?;
    let sources = config.sources(path)?;
    let any_given =
        sources.iter().any(|s| s.weight.is_some()) || config.ranking.iter().any(|r| r.weight.is_some());
    let weights = weights(config, any_given)?;
    if !aggregation.takes_weights() && weights.name() != "equal" {
        let what = "takes no weights; borda and rrf do";
        return Err(Failure::usage(format!(
            "{}: aggregate = \"{}\" {what}",
            config.lines.of("aggregate"),
            aggregation.name()
        )));
    }
    let data = sources::join(&folder(path), target, &sources, monitor)?;
    let others = rankings::of_target(path, config, &data.target, monitor)?;
    let ranked = rank_by_each(&data.sources, &asked, &data.target, monitor);
    let ranked = ranked.map_err(|e| of_source(e, &sources))?;
    let told = said(&ranked, data.sources.len());
    let (mut lists, mut named): (Vec<List>, Vec<NamedList>) =
        ranked.into_iter().map(|r| (list_of(&r, &sources), r.list)).unzip();
    let (mut said_of_files, mut of_files) = (Vec::new(), Vec::new());
    for (list, ranks, notes) in others {
        lists.push(list);
        named.push(ranks.clone());
        of_files.push(ranks);
        said_of_files.extend(notes);
    }
    refuse_twins(path, &lists)?;
    let features = data.target.feature_names();
    let known = Known::read(path, config, features, data.target.n_features(), monitor)?;
    let consensus = consensus(path, (aggregation, weights), &lists, known.as_ref())?;
    let name = data.file.display().to_string();
    let found = consensus.answer(&named, Subject::Data(&data.target), &name);
    let mut found = found.map_err(|e| refused(e, config))?;
    found.card.asked.insert(0, ("method".to_owned(), asked.methods.join(", ").into()));
    found.notes.splice(0..0, notes(&data, &sources).into_iter().chain(said_of_files));
    told.notes.into_iter().for_each(|note| found.note(note));
    told.warnings.into_iter().for_each(|warning| found.warn(warning));
    known.iter().for_each(|known| known.note(&mut found));
    found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun);
    let known = known.map(|known| known.file);
    let learned_from =
        consensus.learned_from().iter().map(|&j| data.target.feature_name(j).into_owned()).collect();
    let joined = Aggregated { config: path, aggregation, weights, lists, found, known, learned_from };
    Ok(Each { joined, target, data, sources, consensus, others: of_files })
}

fn list_of(ranked: &RankedBy, sources: &[SourceConfig]) -> List {
    let source = ranked.source.map(|at| &sources[at]);
    List {
        name: ranked.list.name.clone(),
        file: None,
        source: source.map(|source| source.name.clone()),
        method: Some(ranked.method),
        goal: None,
        features: ranked.list.n_ranked(),
        given: source.and_then(|source| source.weight),
    }
}

fn refuse_twins(path: &Path, lists: &[List]) -> Outcome {
    let twin = lists.iter().enumerate().find(|(at, l)| lists[..*at].iter().any(|other| other.name == l.name));
    match twin {
        Some((_, list)) => Err(Failure::usage(format!(
            "{}: two rankings are called `{}`; give one another `name`",
            path.display(),
            list.name
        ))),
        None => Ok(()),
    }
}

/// What the runs told.
struct Said {
    notes: Vec<String>,
    warnings: Vec<String>,
}

/// What all runs tell is told once; what some tell, with their names.
fn said(ranked: &[RankedBy], n_sources: usize) -> Said {
    let mut said = Said { notes: Vec::new(), warnings: Vec::new() };
    ranked.iter().flat_map(|r| &r.notes).for_each(|note| said.notes.push(note.clone()));
    for one in ranked {
        for warning in &one.warnings {
            let tell = ranked.iter().filter(|r| r.warnings.contains(warning)).count();
            let everywhere = n_sources > 1 && tell == ranked.len();
            let name = &one.list.name;
            said.warnings.push(if everywhere { warning.clone() } else { format!("{name}: {warning}") });
        }
    }
    said
}
