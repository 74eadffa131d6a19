//! From the question to the answer: every ranking on every partition, side by side.

use rayon::prelude::*;

use super::candidate::{Candidate, Made};
use super::chance::Chance;
use super::few::Few;
use super::measure::Scene;
use super::metric::Measure;
use super::protocol::{Protocol, Selection};
use super::result::{CurveKind, Evaluation, Raw};
use super::split::Split;
use super::untold::Untold;
use super::within::Within;
use crate::dataset::Dataset;
use crate::monitor::{Monitor, Stage};
use crate::random::{derived, generator, shuffle};
use crate::{Error, Result};

/// Random rankings draw from another stream than the partitions.
const RANDOM: u64 = 0x7261_6e64;
/// So do the samples whose labels are known.
const LABELED: u64 = 0x6c61_6265;
/// So does what is drawn inside a partition.
const INSIDE: u64 = 0x696e_7369;

impl Protocol {
    /// Judges the candidates, with random selection and all features beside them.
    ///
    /// # Errors
    /// The question does not suit the data, a method fails, or the monitor says stop.
    pub fn evaluate(
        &self,
        data: &Dataset,
        candidates: &[Candidate],
        monitor: &dyn Monitor,
    ) -> Result<Evaluation> {
        let this = &self.clone().fitted(data);
        let (classes, n_classes) = this.check_on(data)?;
        let splits = this.splits(data, &classes)?;
        let warnings = this.notice(data, &classes, &splits, candidates)?;
        let most = this.counts.last().copied().unwrap_or(0);
        let needed = if this.worst { data.n_features() } else { most };
        candidates.iter().try_for_each(|c| c.check(data.n_features(), needed, splits.len()))?;
        let n_classes = this.classes_of_a_part(n_classes);
        let study = Study { protocol: this, data, classes, n_classes, candidates };
        let jobs = study.jobs(splits.len());
        let stage = Stage::new(monitor, "evaluating", jobs.len() + splits.len())?;
        let progress = Within::new(&stage);
        let numbered: Vec<(usize, &Split)> = splits.iter().enumerate().collect();
        let parts = in_order(&numbered, |(at, split)| progress.after(study.part(*at, split, &progress)))?;
        let ready = study.ready(&progress)?;
        let done = in_order(&jobs, |job| progress.after(study.run(job, &parts, &ready, &progress)))?;
        Ok(study.collect(&jobs, done, &splits, warnings))
    }

    /// The partitions of these data, for rankings that are made elsewhere on the training part of each
    /// ([`Candidate::orders`]).
    ///
    /// # Errors
    /// The question does not suit the data.
    pub fn partitions(&self, data: &Dataset) -> Result<Vec<Split>> {
        let this = self.clone().fitted(data);
        let (classes, _) = this.check_on(data)?;
        this.splits(data, &classes)
    }

    /// Test samples by training samples, on average; 0 where every run sees all samples.
    pub(super) fn overlap(&self, splits: &[Split]) -> f64 {
        if self.selection == Selection::All && !self.metric.trains() {
            return 0.0;
        }
        let ratios = splits.iter().map(|s| s.test.len() as f64 / s.training.len() as f64);
        ratios.sum::<f64>() / splits.len() as f64
    }

    /// Stratified by class where all samples have one.
    fn splits(&self, data: &Dataset, classes: &[u32]) -> Result<Vec<Split>> {
        let known = data.labels().and_then(|l| l.codes().iter().copied().collect::<Option<Vec<u32>>>());
        let classes = if classes.is_empty() { known.as_deref() } else { Some(classes) };
        self.partition.splits(data.n_samples(), classes, self.seed)
    }
}

/// Runs `work` on everything, in parallel; the first error in the order of the list.
fn in_order<'a, A: Sync, B: Send>(
    list: &'a [A],
    work: impl Fn(&'a A) -> Result<B> + Sync + Send,
) -> Result<Vec<B>> {
    let found: Vec<Result<B>> = list.par_iter().map(work).collect();
    // One job that fails stops the others: what stopped them is the error to tell.
    let mut canceled = false;
    let mut all = Vec::with_capacity(found.len());
    for item in found {
        match item {
            Ok(value) => all.push(value),
            Err(Error::Canceled) => canceled = true,
            Err(error) => return Err(error),
        }
    }
    if canceled { Err(Error::Canceled) } else { Ok(all) }
}

/// One ranking on one partition.
#[derive(Debug, Clone, Copy)]
struct Job {
    partition: usize,
    who: Who,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Which candidate, and at which place of the numbers of labels.
    Candidate(usize, usize),
    /// The number of the draw.
    Random(usize),
    All,
}

/// What a job found: values of every measure at every count, for the best features and, where
/// asked, for the worst.
struct Judged {
    best: Vec<Vec<f64>>,
    worst: Option<Worst>,
    selected: Vec<usize>,
    warnings: Vec<String>,
    /// Whether there was a ranking to judge; without one there are no values.
    tells_apart: bool,
}

/// The last features of a ranking and their values.
struct Worst {
    values: Vec<Vec<f64>>,
    selected: Vec<usize>,
}

impl Judged {
    /// Of an order that no method made.
    fn plain(best: Vec<Vec<f64>>, selected: Vec<usize>) -> Self {
        Judged { best, worst: None, selected, warnings: Vec::new(), tells_apart: true }
    }
}

/// A partition, ready to be used.
struct Part<'a> {
    split: &'a Split,
    /// The samples that selection sees, and which of all they are.
    seen: Dataset,
    samples: Vec<usize>,
    /// All samples as the training part scales them.
    data: Dataset,
    measured: Vec<usize>,
    neighborhoods: Option<Vec<Vec<u32>>>,
    /// What methods see where few labels are known, for every number of them.
    few: Vec<Few>,
}

impl Part<'_> {
    /// The samples that a candidate may see, with the labels that are known at that place of their numbers.
    fn seen_by(&self, candidate: &Candidate, place: usize) -> (&Dataset, &[usize]) {
        let seen = match (self.few.get(place), &candidate.source) {
            (Some(few), super::CandidateSource::Method(method)) => few.seen_by(&**method),
            (Some(few), _) => few.partly(),
            (None, _) => &self.seen,
        };
        (seen, &self.samples)
    }
}

struct Study<'a> {
    protocol: &'a Protocol,
    data: &'a Dataset,
    classes: Vec<u32>,
    n_classes: usize,
    candidates: &'a [Candidate],
}

impl<'a> Study<'a> {
    fn jobs(&self, partitions: usize) -> Vec<Job> {
        let places = |c: usize| (0..self.places(c)).map(move |place| Who::Candidate(c, place));
        let candidates = (0..self.candidates.len()).flat_map(places);
        let who: Vec<Who> =
            candidates.chain((0..self.protocol.random).map(Who::Random)).chain([Who::All]).collect();
        (0..partitions).flat_map(|partition| who.iter().map(move |&who| Job { partition, who })).collect()
    }

    /// For how many numbers of labels a candidate ranks: one that looks at none ranks once.
    fn places(&self, candidate: usize) -> usize {
        if self.looks_at_labels(candidate) { self.protocol.labeled.len().max(1) } else { 1 }
    }

    fn looks_at_labels(&self, candidate: usize) -> bool {
        self.candidates[candidate].looks_at_labels(self.data)
    }

    fn part<'s>(&self, at: usize, split: &'s Split, monitor: &dyn Monitor) -> Result<Part<'s>> {
        let protocol = self.protocol;
        let whole = protocol.selection == Selection::All && !protocol.metric.trains();
        let training = if whole { self.data.clone() } else { self.data.samples(&split.training, monitor)? };
        let data = self.data.scaled_like(&training);
        let everyone = || (0..self.data.n_samples()).collect();
        let (seen, samples) = match protocol.selection {
            Selection::All => (self.data.clone(), everyone()),
            _ => (training, split.training.clone()),
        };
        let measured = if whole { everyone() } else { split.test.clone() };
        let drawn = |&each: &usize| Few::new(&seen, each, &[protocol.seed, LABELED, at as u64], monitor);
        let few = protocol.labeled.iter().map(drawn).collect::<Result<_>>()?;
        let mut part = Part { split, seen, samples, data, measured, neighborhoods: None, few };
        if let Measure::Jaccard { neighbors } = protocol.metric {
            let m = self.data.n_features();
            let all: Vec<usize> = (0..m).collect();
            let found = self.scene(&part, 0).neighborhoods(&all, &[m], neighbors, monitor)?;
            part.neighborhoods = found.into_iter().next();
        }
        Ok(part)
    }

    fn scene<'p>(&'p self, part: &'p Part<'p>, partition: usize) -> Scene<'p> {
        Scene {
            data: &part.data,
            split: part.split,
            measured: &part.measured,
            classes: &self.classes,
            n_classes: self.n_classes,
            target: self.data.target().map_or(&[], |target| target.values()),
            neighborhoods: part.neighborhoods.as_deref(),
            seed: derived(self.protocol.seed, &[INSIDE, partition as u64]),
        }
    }

    /// The rankings of methods that see all samples, which are the same for every partition.
    fn ready(&self, monitor: &dyn Monitor) -> Result<Vec<Option<Made>>> {
        let rank = |candidate: &Candidate| match (self.protocol.selection, &candidate.source) {
            (Selection::All, super::CandidateSource::Method(_) | super::CandidateSource::Ranker(_))
                if self.protocol.labeled.is_empty() =>
            {
                let everyone: Vec<usize> = (0..self.data.n_samples()).collect();
                candidate.ranked((self.data, &everyone), 0, monitor).map(Some)
            }
            _ => Ok(None),
        };
        self.candidates.iter().map(rank).collect()
    }

    /// The values of the metric, and hits where features are known to matter.
    fn values(
        &self,
        scene: &Scene<'_>,
        order: &[usize],
        counts: &[usize],
        monitor: &dyn Monitor,
    ) -> Result<Vec<Vec<f64>>> {
        let mut found = scene.values(&self.protocol.metric, order, counts, monitor)?;
        if found.len() < self.protocol.measures().len() {
            let hits = crate::fusion::hit_ratio(order, &self.protocol.known, counts)?;
            found.push(hits.iter().map(|hit| hit.ratio).collect());
        }
        Ok(found)
    }

    /// The ranking of a candidate in a partition; what a source of a fusion is at fault for is told with both.
    fn ranked(
        &self,
        candidate: &Candidate,
        place: usize,
        (part, at): (&Part<'_>, usize),
        partitions: usize,
        monitor: &dyn Monitor,
    ) -> Result<Made> {
        let made = candidate.ranked(part.seen_by(candidate, place), at, monitor);
        made.map_err(|error| match error {
            Error::Source { source_name, what } => {
                let name = &candidate.name;
                let source_name = format!("{name}, partition {} of {partitions}: {source_name}", at + 1);
                Error::Source { source_name, what }
            }
            other => other,
        })
    }

    fn run(
        &self,
        job: &Job,
        parts: &[Part<'_>],
        ready: &[Option<Made>],
        monitor: &dyn Monitor,
    ) -> Result<Judged> {
        let part = &parts[job.partition];
        let scene = self.scene(part, job.partition);
        let counts = &self.protocol.counts[..];
        let values = |order: &[usize], counts: &[usize]| self.values(&scene, order, counts, monitor);
        let m = self.data.n_features();
        let most = counts.last().copied().unwrap_or(0);
        match job.who {
            Who::All => {
                let all: Vec<usize> = (0..m).collect();
                Ok(Judged::plain(values(&all, &[m])?, Vec::new()))
            }
            Who::Random(draw) => {
                let mut order: Vec<usize> = (0..m).collect();
                let path = [RANDOM, job.partition as u64, draw as u64];
                shuffle(&mut order, &mut generator(self.protocol.seed, &path));
                order.truncate(most);
                Ok(Judged::plain(values(&order, counts)?, order))
            }
            Who::Candidate(c, place) => {
                let ranked = match &ready[c] {
                    Some(ranked) => ranked.clone(),
                    None => {
                        self.ranked(&self.candidates[c], place, (part, job.partition), parts.len(), monitor)?
                    }
                };
                // An order of the columns is no selection, and values of it would be about nothing.
                let (tells_apart, measures) = (ranked.tells_apart, self.protocol.measures().len());
                let none = || Ok(vec![vec![f64::NAN; counts.len()]; measures]);
                let judged = |order: &[usize]| if tells_apart { values(order, counts) } else { none() };
                let best = judged(&ranked.order)?;
                let reversed = self.protocol.worst.then(|| ranked.reversed());
                let last = |order: Vec<usize>| {
                    Ok::<_, Error>(Worst { values: judged(&order)?, selected: order[..most].to_vec() })
                };
                let worst = reversed.map(last).transpose()?;
                let selected = ranked.order[..most].to_vec();
                Ok(Judged { best, worst, selected, warnings: ranked.warnings, tells_apart })
            }
        }
    }

    fn collect(
        &self,
        jobs: &[Job],
        found: Vec<Judged>,
        splits: &[Split],
        warnings: Vec<String>,
    ) -> Evaluation {
        let by = |wanted: &dyn Fn(Who) -> bool| -> Vec<&Judged> {
            jobs.iter().zip(&found).filter(|(job, _)| wanted(job.who)).map(|(_, judged)| judged).collect()
        };
        let (m, counts, partitions) = (self.data.n_features(), &self.protocol.counts, splits.len());
        let random = by(&|who| matches!(who, Who::Random(_)));
        let random = random.iter().map(|judged| &judged.best);
        let mut random = Raw::new("random", CurveKind::Random, counts, partitions, random);
        random.chance = self.protocol.hits().map(|(known, at)| (Chance::new(known, m), at));
        let all = by(&|who| who == Who::All);
        let all =
            Raw::new("all features", CurveKind::All, &[m], partitions, all.iter().map(|judged| &judged.best));
        let labeled = &self.protocol.labeled;
        let tables: Vec<(Option<usize>, Vec<Raw>)> = (0..labeled.len().max(1))
            .map(|place| {
                let own = |c: usize| {
                    let of = place.min(self.places(c) - 1);
                    let few = labeled.get(place).copied().filter(|_| self.looks_at_labels(c));
                    self.curves((c, few), &by(&|who| who == Who::Candidate(c, of)), partitions)
                };
                let mut raws: Vec<Raw> = (0..self.candidates.len()).flat_map(own).collect();
                raws.extend([random.clone(), all.clone()]);
                (labeled.get(place).copied(), raws)
            })
            .collect();
        let mut evaluation = Evaluation::new(self.protocol, self.data, splits, &tables);
        evaluation.warnings.splice(0..0, warnings);
        evaluation
    }

    /// The curves of a candidate: of its first features, and of its last ones where those are judged.
    /// `few` is how many labels of every class it knew, where it looks at those.
    fn curves(
        &self,
        (candidate, few): (usize, Option<usize>),
        own: &[&Judged],
        partitions: usize,
    ) -> Vec<Raw> {
        let (candidate, counts) = (&self.candidates[candidate], &self.protocol.counts);
        let best = own.iter().map(|judged| &judged.best);
        let mut raw = Raw::new(&candidate.name, CurveKind::Candidate, counts, partitions, best);
        raw.made_by = candidate.made_by();
        raw.variant.clone_from(&candidate.variant);
        raw.sees_labels = candidate.sees_labels(self.data);
        raw.is_one_ranking = partitions == 1 || self.protocol.ranks_once(candidate, few.is_some());
        raw.selected = own.iter().map(|judged| judged.selected.clone()).collect();
        raw.warnings = own.iter().map(|judged| judged.warnings.clone()).collect();
        let name = format!("{} (last features)", candidate.name);
        let worst = own.iter().filter_map(|judged| judged.worst.as_ref());
        let last_selected = worst.clone().map(|worst| worst.selected.clone()).collect();
        let worst = worst.map(|worst| &worst.values);
        let mut last =
            self.protocol.worst.then(|| Raw::new(&name, CurveKind::Worst, counts, partitions, worst));
        let more = few.map(|each| each + 1).filter(|&more| self.has_more_labels(more));
        let untold = Untold::of(own.iter().filter(|judged| !judged.tells_apart).count(), few, more);
        raw.untold = untold;
        if let Some(last) = &mut last {
            (last.untold, last.is_one_ranking) = (untold, raw.is_one_ranking);
            last.selected = last_selected;
        }
        std::iter::once(raw).chain(last).collect()
    }

    /// Whether `each` labels of every class are there wherever selection looks, in half of the samples at least, with one to spare,
    /// and are not asked for already.
    fn has_more_labels(&self, each: usize) -> bool {
        let size = |class: u32| self.classes.iter().filter(|&&c| c == class).count();
        let smallest = (0..self.n_classes as u32).map(size).min().unwrap_or(0);
        smallest / 2 > each && self.protocol.labeled.iter().all(|&asked| asked < each)
    }
}
