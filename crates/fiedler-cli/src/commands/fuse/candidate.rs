//! A configuration as a candidate of an evaluation: fitted anew on the training part of every partition where its target is
//! the data that judge, else the one ranking that it makes of its own samples.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fiedler::eval::{Candidate, Ranker};
use fiedler::fusion::{Coefficients, Joining, Joint, examples};
use fiedler::{Dataset, Monitor};

use super::config::{Config, Mode};
use super::keys::TableKeys;
use super::sources::{self, Joined};
use super::{Known, coefficients, each, folder, in_keys, one_method, places, question, rankings};
use crate::failure::{Failure, Outcome};

/// The data that a candidate is judged on.
pub(crate) struct Subject<'a> {
    /// Their samples and features.
    pub(crate) data: &'a Dataset,
    /// Their file, where they have one.
    pub(crate) file: Option<&'a Path>,
    /// The seed of the command.
    pub(crate) seed: Option<u64>,
}

/// A candidate, and what to know of it.
pub(crate) struct Beside {
    /// The candidate.
    pub(crate) candidate: Candidate,
    /// What the user should know.
    pub(crate) notes: Vec<String>,
}

impl Beside {
    /// The same, where its weights were learned from the features with these names.
    fn learned(self, from: &[String], data: &Dataset) -> Self {
        let is_known = |j: &usize| from.contains(&data.feature_name(*j).into_owned());
        let known: Vec<usize> =
            if from.is_empty() { Vec::new() } else { (0..data.n_features()).filter(is_known).collect() };
        Beside { candidate: self.candidate.learned_from(&known), ..self }
    }
}

/// The coefficient of one source against another, from 0 to 1.
pub(crate) struct Swept {
    /// The candidates, one a coefficient.
    pub(crate) candidates: Vec<Candidate>,
    /// The other sources of the configuration.
    pub(crate) left_out: Vec<String>,
    /// What the user should know.
    pub(crate) notes: Vec<String>,
}

/// The files that a configuration reads.
///
/// # Errors
/// It is none.
pub(crate) fn files(path: &Path) -> Outcome<Vec<PathBuf>> {
    let config = Config::read(path)?;
    Ok(config.files().into_iter().map(|file| folder(path).join(file)).collect())
}

/// The candidate of a configuration.
///
/// # Errors
/// It is none, a file cannot be read, or its target is neither the data nor has their features.
pub(crate) fn candidate(
    path: &Path,
    name: &str,
    subject: &Subject<'_>,
    monitor: &dyn Monitor,
) -> Outcome<Beside> {
    let config = Config::read(path)?;
    config.refuse_other_mode()?;
    let made = match config.mode() {
        Mode::Rankings => {
            let lists = rankings::aggregate(path, &config, monitor);
            lists.map_err(|e| e.worded(in_keys)).and_then(|lists| {
                let found = &lists.found;
                let names = places(found).iter().map(|place| found.features.of(place.index).into_owned());
                let made = fixed(name, &names.collect::<Vec<_>>(), subject, Vec::new())?;
                Ok(made.learned(&lists.learned_from, subject.data))
            })
        }
        Mode::Sources(target) | Mode::Each(target) => {
            let asked = Asked { path, config: &config, target, subject, monitor };
            asked
                .joint()
                .map_err(|e| e.worded(in_keys))
                .and_then(|(joint, notes)| asked.made(name, joint, notes))
        }
    };
    made.map_err(|e| e.at(&path.display().to_string()))
}

/// Candidates with `steps` coefficients of the source `of` from 0 to 1, the rest going to `against`; other sources are left
/// out.
///
/// # Errors
/// As [`candidate`]; the configuration does not add up graphs, or has no such sources.
pub(crate) fn swept(
    path: &Path,
    (of, against): (&str, &str),
    steps: usize,
    subject: &Subject<'_>,
    monitor: &dyn Monitor,
) -> Outcome<Swept> {
    let config = Config::read(path)?;
    config.refuse_other_mode()?;
    let shown = path.display();
    let Mode::Sources(target) = config.mode() else {
        return Err(Failure::usage(format!(
            "--sweep: {shown} joins rankings; a coefficient is that of a graph, which needs [target] without `aggregate`"
        )));
    };
    let asked = Asked { path, config: &config, target, subject, monitor };
    let (joint, notes) = asked.joint().map_err(|e| e.worded(in_keys).at(&shown.to_string()))?;
    let find = |wanted: &str| {
        joint.sources.iter().find(|(name, _)| name == wanted).cloned().ok_or_else(|| {
            let names: Vec<&str> = joint.sources.iter().map(|(name, _)| name.as_str()).collect();
            Failure::usage(format!(
                "--sweep: no source of {shown} is called `{wanted}`; there are {}",
                names.join(", ")
            ))
        })
    };
    let two = vec![find(of)?, find(against)?];
    let printed = matches!(joint.joining, Joining::Sum(Coefficients::AsPrinted(_)));
    let (mut candidates, mut told) = (Vec::with_capacity(steps), Vec::new());
    for step in 0..steps {
        let coefficient = step as f64 / (steps - 1) as f64;
        let weights = vec![coefficient, 1.0 - coefficient];
        let weights = if printed { Coefficients::AsPrinted(weights) } else { Coefficients::Given(weights) };
        let joint = Joint { sources: two.clone(), joining: Joining::Sum(weights), ..joint.clone() };
        let made = asked.made(&swept_name(of, coefficient), joint, notes.clone());
        let made = made.map_err(|e| e.at(&shown.to_string()))?;
        candidates.push(made.candidate);
        told = made.notes;
    }
    let others = joint.sources.iter().map(|(name, _)| name).filter(|name| *name != of && *name != against);
    let left_out: Vec<String> = others.cloned().collect();
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        told.push(format!(
            "--sweep weighs {of} against {against} alone: the other sources of {shown} ({names}) take no part, whatever their weights"
        ));
    }
    Ok(Swept { candidates, left_out, notes: told })
}

/// `miRNA 0.3`.
pub(crate) fn swept_name(of: &str, coefficient: f64) -> String {
    let text = format!("{coefficient:.3}");
    format!("{of} {}", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A configuration with a target, and what it is asked for.
struct Asked<'a> {
    path: &'a Path,
    config: &'a Config,
    target: &'a TableKeys,
    subject: &'a Subject<'a>,
    monitor: &'a dyn Monitor,
}

impl Asked<'_> {
    /// The fusion as a question that can be asked of any samples.
    fn joint(&self) -> Outcome<(Joint, Vec<String>)> {
        let Asked { path, config, target, monitor, .. } = *self;
        let asked = question(config, self.subject.seed)?;
        if let Mode::Each(_) = config.mode() {
            let each = each::rank(path, config, target, asked.clone(), monitor)?;
            let joining = Joining::Each(each.consensus, each.others);
            return self.with(each.data, joining, asked);
        }
        one_method(path, config, &asked)?;
        let sources = config.sources(path)?;
        let weights = coefficients(config, config.weights(&sources)?, &sources)?;
        let joined = sources::join(&folder(path), target, &sources, monitor)?;
        Known::read(path, config, joined.target.feature_names(), joined.target.n_features(), monitor)?;
        self.with(joined, Joining::Sum(weights), asked)
    }

    fn with(
        &self,
        joined: Joined,
        joining: Joining,
        asked: fiedler::Analysis,
    ) -> Outcome<(Joint, Vec<String>)> {
        let left = joined.target_samples - joined.target.n_samples();
        if left > 0 && self.is_of_subject() {
            return Err(Failure::Data(format!(
                "{left} samples of the data are not in every source, so they could not be judged; complete the \
                 sources, or take these samples out of the data"
            )));
        }
        let Joined { target, knowledge, .. } = joined;
        Ok((Joint { target, sources: knowledge, joining, asked }, Vec::new()))
    }

    /// Whether the target is the file that is judged.
    fn is_of_subject(&self) -> bool {
        let own = folder(self.path).join(&self.target.file);
        let real = |file: &Path| std::fs::canonicalize(file).ok();
        self.subject.file.and_then(real).is_some_and(|judged| real(&own) == Some(judged))
    }

    /// Fitted on every training part, or made once.
    fn made(&self, name: &str, joint: Joint, mut notes: Vec<String>) -> Outcome<Beside> {
        if self.is_of_subject() {
            same_table(&joint.target, self.subject.data)?;
            if joint.sees_labels() {
                notes.push(format!("{name}: it makes use of the labels of the samples that it is fitted on"));
            }
            return Ok(Beside { candidate: Candidate::ranker(name, Arc::new(joint)), notes });
        }
        let everyone: Vec<usize> = (0..joint.target.n_samples()).collect();
        let made = joint.rank(&joint.target, &everyone, self.monitor)?;
        notes.extend(made.warnings.iter().map(|warning| format!("{name}: {warning}")));
        let names = made.order[..made.scored].iter().map(|&j| joint.target.feature_name(j).into_owned());
        let from: Vec<String> =
            joint.learned_from().iter().map(|&j| joint.target.feature_name(j).into_owned()).collect();
        Ok(fixed(name, &names.collect::<Vec<_>>(), self.subject, notes)?.learned(&from, self.subject.data))
    }
}

/// A fusion of other data.
const FUSION: rankings::Ranks =
    ("the fusion", "judge it on data that have the features of its target, under the same names");

/// One ranking for all partitions.
fn fixed(name: &str, best: &[String], subject: &Subject<'_>, mut notes: Vec<String>) -> Outcome<Beside> {
    let found = rankings::found_in(best, FUSION, subject.data)?;
    notes.push(format!(
        "{name}: its target is not the data, so that it ranked once, on its own samples; where those judge it, it looks \
         better than it is"
    ));
    Ok(Beside { candidate: Candidate::order(name, found), notes })
}

/// The file was read twice, by the configuration and by the command: samples and features must be the same.
fn same_table(own: &Dataset, data: &Dataset) -> Outcome {
    let advice = "say the same of labels and of columns in [target] and to the command";
    let (here, there) = (own.n_samples(), data.n_samples());
    if here != there || own.sample_names() != data.sample_names() {
        return Err(Failure::Data(format!(
            "its target has other samples than the data ({here} and {there}), though it is the same file; {advice}"
        )));
    }
    let names =
        |of: &Dataset| (0..of.n_features()).map(|j| of.feature_name(j).into_owned()).collect::<Vec<_>>();
    let (own, data) = (names(own), names(data));
    if own == data {
        return Ok(());
    }
    let differ: Vec<&String> = own.iter().filter(|name| !data.contains(name)).collect();
    let differ =
        if differ.is_empty() { data.iter().filter(|name| !own.contains(name)).collect() } else { differ };
    let some = if differ.is_empty() { "their order".to_owned() } else { examples(&differ) };
    Err(Failure::Data(format!(
        "its target has other features than the data ({some}), though it is the same file; {advice}"
    )))
}
