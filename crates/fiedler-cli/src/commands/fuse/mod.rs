//! `fiedler fuse CONFIG.toml`: many sources into one graph and a ranking, or many rankings into one.
//!
//! ```text
//!  config ─► sources (read, join by name, graphs) ─► combine ─► Findings ─► show
//!         └► rankings (read, join by name) ─► aggregate ───────────► Findings ─► show
//! ```

mod config;
mod features;
mod keys;
mod rankings;
mod show;
mod sources;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fiedler::fusion::{Coefficients, combine, examples, hit_ratio};
use fiedler::{Analysis, Findings, KnownFound, Monitor, Place, Value};
use fiedler_io::Remedy;

use self::config::{Config, Weights};
use self::keys::{SourceConfig, TableKeys};
use self::sources::Joined;
use super::{begin, tell};
use crate::args::{Format, FuseArgs};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::overwriting::{self, Output};

/// Depths at which hits are counted unless the file says others.
const DEPTHS: [usize; 4] = [10, 20, 50, 100];

/// A fusion of sources: what was found, and what only its files know.
struct Fused<'a> {
    config: &'a Path,
    target: &'a TableKeys,
    joined: Joined,
    sources: Vec<SourceConfig>,
    weights: Weights,
    normalize: bool,
    found: Findings,
    /// The file that names the known features, where there is one.
    known: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &FuseArgs) -> Outcome {
    let progress = begin(&args.common)?;
    let config = Config::read(&args.recipe)?;
    config.refuse_other_mode(&args.recipe)?;
    let mut outputs = args.report.outputs();
    outputs.extend(args.output.iter().map(|file| Output::of("output", file)));
    for input in config.files().into_iter().map(|file| folder(&args.recipe).join(file)) {
        outputs.iter().try_for_each(|output| overwriting::check(output, &input, "a file that is fused"))?;
    }
    let format = Format::chosen(args.format, args.output.as_deref())?;
    let (text, found) = match &config.target {
        Some(target) => {
            let fused = fuse(args, &config, target, &progress);
            let fused = fused.map_err(|e| e.worded(in_keys))?;
            (show::fused(&fused, format, args.top), fused.found)
        }
        None => {
            let lists = rankings::aggregate(&args.recipe, &config, &progress);
            let lists = lists.map_err(|e| e.worded(in_keys))?;
            (show::aggregated(&lists, format, args.top), lists.found)
        }
    };
    progress.finish();
    args.report.write(&found, None)?;
    tell(&found, &args.common);
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}

fn fuse<'a>(
    args: &'a FuseArgs,
    config: &Config,
    target: &'a TableKeys,
    monitor: &dyn Monitor,
) -> Outcome<Fused<'a>> {
    let path = args.recipe.as_path();
    let sources = config.sources(path)?;
    let weights = config.weights(path, &sources)?;
    let method = config.method.as_deref().unwrap_or(fiedler::methods::DEFAULT_RANKING);
    let asked = Analysis {
        methods: vec![method.to_owned()],
        settings: settings(config),
        seed: args.common.seed,
        portrait: args.report.is_wanted(),
        ..Analysis::default()
    };
    asked.check().map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let coefficients = coefficients(config, weights, &sources)
        .map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let joined = sources::join(&folder(path), target, &sources, monitor)?;
    let fusion = combine(&joined.sources, &coefficients, joined.target.labels(), monitor)?;
    let mut found = fusion.answer(&asked, &joined.target, &joined.file.display().to_string(), monitor)?;
    found.notes.splice(0..0, notes(&joined, &sources));
    let known = known(path, config, &mut found, monitor)?;
    let normalize = config.normalize.unwrap_or(true);
    Ok(Fused { config: path, target, joined, sources, weights, normalize, found, known })
}

/// The weights, on graphs of mean degree 1 unless the file says `normalize = false`.
fn coefficients(
    config: &Config,
    weights: Weights,
    sources: &[SourceConfig],
) -> fiedler::Result<Coefficients> {
    let given = match weights {
        Weights::Equal => Coefficients::Equal,
        Weights::Given => Coefficients::Given(sources.iter().filter_map(|s| s.weight).collect()),
        Weights::Aligned => Coefficients::Aligned,
    };
    if config.normalize == Some(false) { given.as_printed(sources.len()) } else { Ok(given) }
}

/// What the readers of the files decided on their own.
fn notes(joined: &Joined, sources: &[SourceConfig]) -> Vec<String> {
    let of_source = |(source, record): (&SourceConfig, &sources::Record)| {
        record.notes.iter().map(|note| format!("{}: {note}", source.name)).collect::<Vec<_>>()
    };
    let sources = sources.iter().zip(&joined.records).flat_map(of_source);
    joined.notes.iter().cloned().chain(sources).collect()
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

fn settings(config: &Config) -> Vec<(String, Value)> {
    config.set.iter().map(|(name, value)| (name.clone(), config::plain(value).into())).collect()
}

/// Tells what becomes of the features that the file calls known; the file that names them.
fn known(
    path: &Path,
    config: &Config,
    found: &mut Findings,
    monitor: &dyn Monitor,
) -> Outcome<Option<PathBuf>> {
    let Some(file) = &config.known else {
        return match config.depths {
            Some(_) => Err(Failure::usage(format!("{}: `depths` needs `known`", path.display()))),
            None => Ok(None),
        };
    };
    let file = folder(path).join(file);
    let mut asked = fiedler_io::read_names(&file, monitor)?;
    asked.sort_unstable();
    asked.dedup();
    let order: Vec<usize> = places(found).iter().map(|place| place.index).collect();
    let index: HashMap<Cow<'_, str>, usize> = order.iter().map(|&j| (found.features.of(j), j)).collect();
    let ranked: Vec<usize> = asked.iter().filter_map(|k| index.get(k.as_str()).copied()).collect();
    if ranked.is_empty() {
        let shown = file.display();
        return Err(Failure::Data(format!("{shown}: none of its {} features is ranked", asked.len())));
    }
    let depths = match &config.depths {
        Some(depths) => depths.clone(),
        None => depths(ranked.len(), order.len()),
    };
    let hits = hit_ratio(&order, &ranked, &depths)?;
    asked.retain(|k| !index.contains_key(k.as_str()));
    drop(index);
    if !asked.is_empty() {
        let (count, some) = (asked.len(), examples(&asked));
        found.note(format!("{count} known features are not among those ranked and are not counted ({some})"));
    }
    found.known = Some(KnownFound { ranked: ranked.len(), not_ranked: asked, hits });
    Ok(Some(file))
}

/// The places of the one ranking that a fusion makes.
fn places(found: &Findings) -> &[Place] {
    found.rankings.first().map_or(&[], |ranking| &ranking.places)
}

/// The usual depths; among few features, as many as are known.
fn depths(known: usize, features: usize) -> Vec<usize> {
    let usual: Vec<usize> = DEPTHS.into_iter().filter(|d| *d <= features).collect();
    if usual.is_empty() { vec![known.min(features)] } else { usual }
}
