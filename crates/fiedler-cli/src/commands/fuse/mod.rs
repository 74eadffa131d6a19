//! `fiedler fuse CONFIG.toml`: many sources into one graph and a ranking, a ranking on each and one of all, or many
//! rankings into one.
//!
//! ```text
//!  config ─► sources (read, join by name, graphs) ─► combine ─► Findings ─► show
//!         │                    └► each: a ranking on every graph ─┐
//!         └► rankings (read, join by name) ─► aggregate ◄─────────┘ ─► Findings ─► show_lists
//! ```

mod aggregate;
mod annotated;
pub(crate) mod candidate;
mod config;
mod each;
mod feature_keys;
mod features;
mod keys;
mod lines;
pub(crate) mod rankings;
mod show;
mod show_lists;
mod sources;

use std::path::{Path, PathBuf};

use fiedler::fusion::{Coefficients, Fusion, KnownFeatures, combine};
use fiedler::{Analysis, FeatureNames, Findings, Monitor, ParameterValue, Place};
use fiedler_io::Remedy;

use self::config::{Config, Mode, Weights};
use self::keys::{SourceConfig, TableKeys};
use self::sources::Joined;
use super::{begin, tell};
use crate::args::{Format, FuseArgs};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::overwriting::{self, Output};

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
    config.refuse_other_mode()?;
    let mut outputs = args.report.outputs();
    outputs.extend(args.output.iter().map(|file| Output::of("output", file)));
    for input in config.files().into_iter().map(|file| folder(&args.recipe).join(file)) {
        outputs.iter().try_for_each(|output| overwriting::check(output, &input, "a file that is fused"))?;
    }
    let format = Format::chosen(args.format, args.output.as_deref())?;
    let (text, found) = match config.mode() {
        Mode::Sources(target) => {
            let fused = fuse(args, &config, target, &progress);
            let fused = fused.map_err(|e| e.worded(in_keys))?;
            (show::fused(&fused, format, args.top), fused.found)
        }
        Mode::Each(target) => {
            let asked = question(&config, args.common.seed)?;
            let each = each::rank(&args.recipe, &config, target, asked, &progress);
            let each = each.map_err(|e| e.worded(in_keys))?;
            (show_lists::each(&each, format, args.top), each.joined.found)
        }
        Mode::Rankings => {
            let lists = rankings::aggregate(&args.recipe, &config, &progress);
            let lists = lists.map_err(|e| e.worded(in_keys))?;
            (show_lists::aggregated(&lists, format, args.top), lists.found)
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
    let weights = config.weights(&sources)?;
    let mut asked = question(config, args.common.seed)?;
    asked.portrait = args.report.is_wanted();
    one_method(path, config, &asked)?;
    let coefficients = coefficients(config, weights, &sources)?;
    let joined = sources::join(&folder(path), target, &sources, monitor)?;
    let fusion = combine(&joined.sources, &coefficients, joined.target.labels(), monitor);
    let fusion = fusion.map_err(|e| of_source(e, &sources))?;
    let mut found = fusion.answer(&asked, &joined.target, &joined.file.display().to_string(), monitor)?;
    found.notes.splice(0..0, notes(&joined, &sources));
    let known = Known::read(path, config, &found.features, places(&found).len(), monitor)?;
    if let Some(known) = &known {
        let order: Vec<usize> = places(&found).iter().map(|place| place.index).collect();
        found.known = Some(known.features.found(&order)?);
        known.note(&mut found);
    }
    let known = known.map(|known| known.file);
    let normalize = config.normalize.unwrap_or(true);
    Ok(Fused { config: path, target, joined, sources, weights, normalize, found, known })
}

/// An error about a source, with the line that names its file.
fn of_source(error: fiedler::Error, sources: &[SourceConfig]) -> Failure {
    let fiedler::Error::Source { source_name, what } = &error else { return error.into() };
    let Some(source) = sources.iter().find(|source| source.name == *source_name) else { return error.into() };
    let file = source.file().map_or_else(String::new, |file| format!("{}: ", file.display()));
    Failure::Data(format!("{}: {}: {file}{what}", source.lines.of("file"), source.called()))
}

/// What the file asks of methods.
fn question(config: &Config, seed: Option<u64>) -> Outcome<Analysis> {
    let asked =
        Analysis { methods: config.methods()?, settings: settings(config), seed, ..Analysis::default() };
    asked.check().map_err(|e| {
        let sentence = e.to_string();
        let set = sentence.split('`').any(|word| config.set.contains_key(word));
        let place = config.lines.of(if set { "set" } else { "method" });
        Failure::usage(format!("{place}: {sentence}"))
    })?;
    Ok(asked)
}

/// Where graphs are added up one method ranks.
fn one_method(path: &Path, config: &Config, asked: &Analysis) -> Outcome {
    if asked.methods.len() <= 1 {
        let checked = Fusion::check(asked);
        return checked.map_err(|e| Failure::usage(format!("{}: {e}", config.lines.of("method"))));
    }
    Err(Failure::usage(format!(
        "{}: `method` must be one where all sources become one graph; give `aggregate` too, and each of them ranks",
        path.display()
    )))
}

/// The weights, on graphs of mean degree 1 unless the file says `normalize = false`.
fn coefficients(config: &Config, weights: Weights, sources: &[SourceConfig]) -> Outcome<Coefficients> {
    let given = match weights {
        Weights::Equal => Coefficients::Equal,
        Weights::Given => Coefficients::Given(sources.iter().filter_map(|s| s.weight).collect()),
        Weights::Aligned | Weights::Known => Coefficients::Aligned,
    };
    if config.normalize != Some(false) {
        return Ok(given);
    }
    let place = config.lines.of("normalize");
    given.as_printed(sources.len()).map_err(|e| Failure::usage(format!("{place}: {e}")))
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
        Remedy::Goal => "goal = \"maximize\" or \"minimize\" for the order of the scores",
        _ => return None,
    })
}

/// The folder that paths in a file are relative to.
fn folder(config: &Path) -> PathBuf {
    config.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn settings(config: &Config) -> Vec<(String, ParameterValue)> {
    config.set.iter().map(|(name, value)| (name.clone(), config::plain(value).into())).collect()
}

/// Features that the file calls known.
struct Known {
    /// The file that names them.
    file: PathBuf,
    /// Those that are ranked, and those that are not.
    features: KnownFeatures,
}

impl Known {
    /// Finds them among the first `count` of `features`.
    fn read(
        path: &Path,
        config: &Config,
        features: &FeatureNames,
        count: usize,
        monitor: &dyn Monitor,
    ) -> Outcome<Option<Self>> {
        let Some(file) = &config.known else {
            return match config.depths {
                Some(_) => {
                    Err(Failure::usage(format!("{}: `depths` needs `known`", config.lines.of("depths"))))
                }
                None => Ok(None),
            };
        };
        let file = folder(path).join(file);
        let names = fiedler_io::read_names(&file, monitor)?;
        let mut features = KnownFeatures::new(names, features, count);
        if features.features.is_empty() {
            let (shown, asked) = (file.display(), features.not_ranked.len());
            return Err(Failure::Data(format!("{shown}: none of its {asked} features is ranked")));
        }
        let mut depths = config.depths.iter().flatten();
        if let Some(wrong) = depths.find(|depth| !(1..=count).contains(*depth)) {
            let rule = format!("from 1 to the number of ranked features ({count})");
            let place = config.lines.of("depths");
            return Err(Failure::usage(format!("{place}: `depths` must be {rule}, got {wrong}")));
        }
        features.depths.clone_from(&config.depths);
        Ok(Some(Known { file, features }))
    }

    /// Tells of those that are not ranked.
    fn note(&self, found: &mut Findings) {
        self.features.not_counted().into_iter().for_each(|note| found.note(note));
    }
}

/// The places of the one ranking that a fusion makes.
fn places(found: &Findings) -> &[Place] {
    found.rankings.first().map_or(&[], |ranking| &ranking.places)
}
