//! `fiedler fuse CONFIG.toml`: many sources into one graph and a ranking, or many rankings into one.
//!
//! ```text
//!  config ─► sources (read, join by name, graphs) ─► combine ─► rank ─► show
//!         └► rankings (read, join by name) ─► aggregate ──────────────► show
//! ```

mod config;
mod features;
mod keys;
mod rankings;
mod show;
mod sources;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fiedler::fusion::{Coefficients, Fusion, Hits, combine, examples, hit_ratio};
use fiedler::{Monitor, Ranking, Registered, Role};
use fiedler_io::Remedy;

use self::config::{Config, Weights};
use self::keys::{SourceConfig, TableKeys};
use self::sources::Joined;
use super::begin;
use crate::args::{Format, FuseArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, YELLOW};
use crate::overwriting;

/// Depths at which hits are counted unless the file says others.
const DEPTHS: [usize; 4] = [10, 20, 50, 100];

/// A ranking of named features, and how many of the known ones are among the best.
struct Answer {
    ranking: Ranking,
    names: Vec<String>,
    /// What became of the known features, where a list of them is given.
    known: Option<Known>,
    seconds: f64,
}

/// Features that are known to matter.
struct Known {
    file: PathBuf,
    /// How many of them are ranked.
    ranked: usize,
    /// The others.
    not_ranked: Vec<String>,
    hits: Vec<Hits>,
}

/// A fusion of sources: everything a report tells.
struct Fused<'a> {
    config: &'a Path,
    target: &'a TableKeys,
    joined: Joined,
    sources: Vec<SourceConfig>,
    weights: Weights,
    entry: Registered,
    fusion: Fusion,
    /// What each source alone would give.
    alone: Vec<Ranking>,
    answer: Answer,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &FuseArgs) -> Outcome {
    if args.top == Some(0) {
        return Err(Failure::usage("--top must be at least 1, got 0"));
    }
    let config = Config::read(&args.recipe)?;
    config.refuse_other_mode(&args.recipe)?;
    if let Some(output) = &args.output {
        let mut inputs = config.files().into_iter().map(|file| folder(&args.recipe).join(file));
        inputs.try_for_each(|file| overwriting::check(output, &file, "a file that is fused"))?;
    }
    let format = Format::chosen(args.format, args.output.as_deref())?;
    let progress = begin(&args.common)?;
    let (text, notes, warnings) = match &config.target {
        Some(target) => {
            let fused = fuse(&args.recipe, &config, target, args.common.seed, &progress);
            let fused = fused.map_err(|e| e.worded(in_keys))?;
            (show::fused(&fused, format, args.top), fused.notes(), fused.warnings())
        }
        None => {
            let lists = rankings::aggregate(&args.recipe, &config).map_err(|e| e.worded(in_keys))?;
            let warnings = lists.answer.ranking.warnings.clone();
            (show::aggregated(&lists, format, args.top), lists.answer.notes(), warnings)
        }
    };
    progress.finish();
    if !args.common.quiet {
        notes.iter().for_each(|note| output::report("note", BOLD, note));
        warnings.iter().for_each(|warning| output::report("warning", YELLOW, warning));
    }
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}

fn fuse<'a>(
    path: &'a Path,
    config: &Config,
    target: &'a TableKeys,
    seed: Option<u64>,
    monitor: &dyn Monitor,
) -> Outcome<Fused<'a>> {
    let begun = Instant::now();
    let sources = config.sources(path)?;
    let weights = config.weights(path, &sources)?;
    let entry = fiedler::methods::find(config.method.as_deref().unwrap_or("laplacian"))
        .map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let mut settings = settings(config);
    for parameter in entry.info.with_role(Role::Seed) {
        settings.extend(seed.map(|seed| (parameter.name.to_owned(), seed.to_string())));
    }
    let settings: Vec<(&str, &str)> = settings.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let joined = sources::join(&folder(path), target, &sources, monitor)?;
    let labels = joined.target.labels();
    let coefficients = match weights {
        Weights::Equal => Coefficients::Equal,
        Weights::Given => Coefficients::Given(sources.iter().filter_map(|s| s.weight).collect()),
        Weights::Aligned => Coefficients::Aligned,
    };
    let fusion = combine(&joined.sources, &coefficients, labels, monitor)?;
    let seen = &joined.target;
    let ranking = fusion.rank(seen, &entry, &settings, monitor)?;
    let alone = fusion.rank_each(seen, &entry, &settings, monitor)?;
    let names: Vec<String> = (0..seen.n_features()).map(|j| seen.feature_name(j).into_owned()).collect();
    let known = known(path, config, &names, ranking.order())?;
    let answer = Answer { ranking, names, known, seconds: begun.elapsed().as_secs_f64() };
    Ok(Fused { config: path, target, joined, sources, weights, entry, fusion, alone, answer })
}

/// A remedy as a key of the file.
fn in_keys(remedy: Remedy) -> Option<&'static str> {
    Some(match remedy {
        Remedy::Label => "label = \"COLUMN\"",
        Remedy::LabelsFile => "labels = \"FILE\"",
        Remedy::Exclude => "exclude = [\"NAME\"]",
        Remedy::Features => "features = \"rows\" or \"columns\"",
        _ => return None,
    })
}

/// The folder that paths in a file are relative to.
fn folder(config: &Path) -> PathBuf {
    config.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn settings(config: &Config) -> Vec<(String, String)> {
    config.set.iter().map(|(name, value)| (name.clone(), config::plain(value))).collect()
}

/// What becomes of the features that the file calls known, in this `order`.
fn known(path: &Path, config: &Config, names: &[String], order: &[usize]) -> Outcome<Option<Known>> {
    let Some(file) = &config.known else {
        return match config.depths {
            Some(_) => Err(Failure::usage(format!("{}: `depths` needs `known`", path.display()))),
            None => Ok(None),
        };
    };
    let file = folder(path).join(file);
    let mut asked = fiedler_io::read_names(&file)?;
    asked.sort_unstable();
    asked.dedup();
    let index: HashMap<&str, usize> = names.iter().enumerate().map(|(j, n)| (n.as_str(), j)).collect();
    let found: Vec<usize> = asked.iter().filter_map(|k| index.get(k.as_str()).copied()).collect();
    if found.is_empty() {
        let shown = file.display();
        return Err(Failure::Data(format!("{shown}: none of its {} features is ranked", asked.len())));
    }
    let depths = match &config.depths {
        Some(depths) => depths.clone(),
        None => depths(found.len(), order.len()),
    };
    let hits = hit_ratio(order, &found, &depths)?;
    asked.retain(|k| !index.contains_key(k.as_str()));
    Ok(Some(Known { file, ranked: found.len(), not_ranked: asked, hits }))
}

/// The usual depths; among few features, as many as are known.
fn depths(known: usize, features: usize) -> Vec<usize> {
    let usual: Vec<usize> = DEPTHS.into_iter().filter(|d| *d <= features).collect();
    if usual.is_empty() { vec![known.min(features)] } else { usual }
}

impl Fused<'_> {
    /// What the user should know.
    fn notes(&self) -> Vec<String> {
        let of_source = |(source, record): (&SourceConfig, &sources::Record)| {
            record.notes.iter().map(|note| format!("{}: {note}", source.name)).collect::<Vec<_>>()
        };
        let sources = self.sources.iter().zip(&self.joined.records).flat_map(of_source);
        self.joined.notes.iter().cloned().chain(sources).chain(self.answer.notes()).collect()
    }

    fn warnings(&self) -> Vec<String> {
        self.fusion.notes.iter().chain(&self.answer.ranking.warnings).cloned().collect()
    }
}

impl Answer {
    fn notes(&self) -> Vec<String> {
        let known = self.known.as_ref().filter(|k| !k.not_ranked.is_empty());
        let note = |k: &Known| {
            let (count, some) = (k.not_ranked.len(), examples(&k.not_ranked));
            format!("{count} known features are not among those ranked and are not counted ({some})")
        };
        known.map(note).into_iter().collect()
    }
}

/// The rank of every feature that has one, from 1.
fn ranks(ranking: &Ranking) -> Vec<Option<usize>> {
    let mut ranks = vec![None; ranking.n_features()];
    ranking.order()[..ranking.n_scored()].iter().enumerate().for_each(|(at, &j)| ranks[j] = Some(at + 1));
    ranks
}
