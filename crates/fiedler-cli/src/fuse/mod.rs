//! `fiedler fuse CONFIG.toml`: many sources into one graph and a ranking, or many rankings into one.
//!
//! ```text
//!  config ─► sources (read, join by name, graphs) ─► combine ─► rank ─► show
//!         └► rankings (read, join by name) ─► aggregate ──────────────► show
//! ```

mod config;
mod rankings;
mod show;
mod sources;

use std::path::{Path, PathBuf};
use std::time::Instant;

use fiedler::fusion::{Coefficients, Fusion, Hits, combine, hit_ratio};
use fiedler::{Entry, Monitor, Ranking, Supervision};

use self::config::{Config, SourceConfig, Target, Weights};
use self::sources::Joined;
use crate::args::{Format, FuseArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, YELLOW};
use crate::rank::begin;

/// Depths at which hits are counted unless the file says others.
const DEPTHS: [usize; 4] = [10, 20, 50, 100];

/// A ranking of named features, and how many of the known ones are among the best.
struct Answer {
    ranking: Ranking,
    names: Vec<String>,
    /// The known features that exist, and the hits; where a list of known features is given.
    hits: Option<(usize, Vec<Hits>)>,
    seconds: f64,
}

/// A fusion of sources: everything a report tells.
struct Fused<'a> {
    config: &'a Path,
    joined: Joined,
    sources: Vec<SourceConfig>,
    weights: Weights,
    entry: Entry,
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
    let config = Config::read(&args.recipe)?;
    config.refuse_other_mode(&args.recipe)?;
    let progress = begin(&args.common)?;
    let (text, told) = match &config.target {
        Some(target) => {
            let fused = fuse(&args.recipe, &config, target, &progress)?;
            (show::fused(&fused, args.format, args.top), told(&fused))
        }
        None => {
            let lists = rankings::aggregate(&args.recipe, &config)?;
            let warnings = lists.answer.ranking.warnings.clone();
            (show::aggregated(&lists, args.format, args.top), (Vec::new(), warnings))
        }
    };
    progress.finish();
    if !args.common.quiet && args.format != Format::Table {
        told.0.iter().for_each(|note| output::report("note", BOLD, note));
        told.1.iter().for_each(|warning| output::report("warning", YELLOW, warning));
    }
    output::write(text.as_bytes(), args.output.as_deref())
}

fn fuse<'a>(path: &'a Path, config: &Config, target: &Target, monitor: &dyn Monitor) -> Outcome<Fused<'a>> {
    let begun = Instant::now();
    let sources = config.sources(path)?;
    let weights = config.weights(path, &sources)?;
    let entry = fiedler::methods::find(config.method.as_deref().unwrap_or("laplacian"))
        .map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let settings = settings(config);
    let settings: Vec<(&str, &str)> = settings.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let joined = sources::join(&folder(path), target, &sources, monitor)?;
    let labels = joined.target.labels();
    let coefficients = match weights {
        Weights::Equal => Coefficients::Equal,
        Weights::Given => Coefficients::Given(sources.iter().filter_map(|s| s.weight).collect()),
        Weights::Aligned => Coefficients::Aligned,
    };
    let fusion = combine(&joined.sources, &coefficients, labels)?;
    // Without need, a method never sees labels.
    let seen = match entry.info.supervision {
        Supervision::Unsupervised => joined.target.clone().unlabeled(),
        _ => joined.target.clone(),
    };
    let alone = fusion.rank_each(&seen, &entry, &settings, monitor)?;
    let ranking = fusion.rank(&seen, &entry, &settings, monitor)?;
    let names: Vec<String> = (0..seen.n_features()).map(|j| seen.feature_name(j).into_owned()).collect();
    let hits = hits(path, config, &names, ranking.order())?;
    let answer = Answer { ranking, names, hits, seconds: begun.elapsed().as_secs_f64() };
    Ok(Fused { config: path, joined, sources, weights, entry, fusion, alone, answer })
}

/// The folder that paths in a file are relative to.
fn folder(config: &Path) -> PathBuf {
    config.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn settings(config: &Config) -> Vec<(String, String)> {
    config.set.iter().map(|(name, value)| (name.clone(), config::plain(value))).collect()
}

/// The hits among the best of `order`, where the file names known features.
fn hits(
    path: &Path,
    config: &Config,
    names: &[String],
    order: &[usize],
) -> Outcome<Option<(usize, Vec<Hits>)>> {
    let Some(file) = &config.known else {
        return match config.depths {
            Some(_) => Err(Failure::usage(format!("{}: `depths` needs `known`", path.display()))),
            None => Ok(None),
        };
    };
    let file = folder(path).join(file);
    let known = fiedler_io::read_ranking(&file)?;
    let found: Vec<usize> = known.iter().filter_map(|k| names.iter().position(|n| *n == k.feature)).collect();
    if found.is_empty() {
        return Err(Failure::Data(format!(
            "{}: none of its {} features is ranked",
            file.display(),
            known.len()
        )));
    }
    let depths = match &config.depths {
        Some(depths) => depths.clone(),
        None => DEPTHS.into_iter().filter(|d| *d <= order.len()).collect(),
    };
    Ok(Some((found.len(), hit_ratio(order, &found, &depths)?)))
}

/// Notes and warnings for standard error.
fn told(fused: &Fused<'_>) -> (Vec<String>, Vec<String>) {
    let of_source = |(source, record): (&SourceConfig, &sources::Record)| {
        record.notes.iter().map(|note| format!("{}: {note}", source.name)).collect::<Vec<_>>()
    };
    let notes = fused.joined.notes.iter().cloned();
    let notes = notes.chain(fused.sources.iter().zip(&fused.joined.records).flat_map(of_source)).collect();
    let warnings = fused.fusion.notes.iter().chain(&fused.answer.ranking.warnings).cloned().collect();
    (notes, warnings)
}
