//! Selected on one set of samples, judged on another ("select on 2C, judge on 4C", DIS 5.4.3).
//!
//! Every candidate ranks once, on all samples of the data that select. The samples that judge are parted as ever, for a
//! classifier must learn from some of them, and the rankings stay the same in all parts. Features are matched by name.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use super::candidate::{Candidate, Made, Ranker};
use super::protocol::{Protocol, Selection, list};
use super::result::{CurveKind, Evaluation};
use crate::dataset::{Dataset, Scaling};
use crate::fusion::{Names, examples};
use crate::monitor::Monitor;
use crate::{Error, Result};

impl Protocol {
    /// Judges on `judging` what the candidates select on `data`.
    ///
    /// ```
    /// use fiedler::eval::{Candidate, Measure, Protocol};
    /// use fiedler::{Silent, dataset::demo, methods::Fisher};
    ///
    /// let iris = demo::iris()?;
    /// let (even, odd): (Vec<usize>, Vec<usize>) = (0..150).partition(|i| i % 2 == 0);
    /// let (select, judge) = (iris.samples(&even, &Silent)?, iris.samples(&odd, &Silent)?);
    /// let protocol = Protocol { counts: vec![2], ..Protocol::new(Measure::Nearest) };
    /// let found = protocol.evaluate_on(&judge, &select, &[Candidate::method(Fisher)], &Silent)?;
    /// assert_eq!((found.n_samples, found.protocol.selection.name()), (75, "elsewhere"));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate); [`Error::Source`] where a feature is not in both;
    /// [`Error::Parameter`] where selection is to see few labels, or all samples that judge.
    pub fn evaluate_on(
        &self,
        judging: &Dataset,
        data: &Dataset,
        candidates: &[Candidate],
        monitor: &dyn Monitor,
    ) -> Result<Evaluation> {
        self.check_elsewhere()?;
        let (aligned, left_out) = in_order_of(judging, data)?;
        let everyone: Vec<usize> = (0..data.n_samples()).collect();
        let mut warnings: Vec<String> = shared_samples(&aligned, data)?.into_iter().collect();
        if !left_out.is_empty() {
            let (count, some) = (left_out.len(), examples(&left_out));
            let what = if count == 1 { "feature that" } else { "features that" };
            warnings.push(format!(
                "the data that judge have {count} {what} selection did not see; left out: {some}"
            ));
        }
        let mut fixed = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            candidate.check(data.n_features(), 0, 1)?;
            let mut made = candidate.ranked((data, &everyone), 0, monitor)?;
            let told = std::mem::take(&mut made.warnings).into_iter().next();
            warnings.extend(told.map(|warning| format!("{}: {warning}", candidate.name)));
            let again = Candidate::ranker(&candidate.name, Arc::new(Fixed(made)));
            fixed.push(again.learned_from(&candidate.learned_from));
        }
        let protocol = Protocol { selection: Selection::Elsewhere, ..self.clone() };
        let mut found = protocol.evaluate(&aligned, &fixed, monitor)?;
        found.warnings.splice(0..0, warnings);
        for table in &mut found.tables {
            let curves = table.curves.iter_mut().filter(|curve| curve.kind == CurveKind::Candidate);
            curves.zip(candidates).for_each(|(curve, candidate)| {
                curve.made_by = candidate.made_by();
                curve.variant.clone_from(&candidate.variant);
                curve.sees_labels = candidate.sees_labels(data);
            });
        }
        Ok(found)
    }

    fn check_elsewhere(&self) -> Result<()> {
        let wrong = |name: &str, got: String| {
            Err(Error::parameter(name, "left out where other data judge: selection sees all of its own", got))
        };
        match self.selection {
            _ if !self.labeled.is_empty() => wrong("labeled", list(&self.labeled)),
            Selection::All => wrong("select-on", self.selection.name().to_owned()),
            Selection::Training | Selection::Elsewhere => Ok(()),
        }
    }
}

/// A ranking that is there, whatever is asked.
struct Fixed(Made);

impl Ranker for Fixed {
    fn rank(&self, _: &Dataset, _: &[usize], _: &dyn Monitor) -> Result<Made> {
        Ok(self.0.clone())
    }
}

/// The data that judge with the features of `data`, in its order, and the names of those that it lacks.
fn in_order_of(judging: &Dataset, data: &Dataset) -> Result<(Dataset, Vec<String>)> {
    let names = |data: &Dataset| {
        (0..data.n_features()).map(|j| data.feature_name(j).into_owned()).collect::<Vec<_>>()
    };
    let (here, there) = (names(data), names(judging));
    let judge = Names { source: "the data that judge", kind: "feature", names: &there };
    let positions = judge.positions()?;
    Names { source: "the data that select", kind: "feature", names: &here }.positions()?;
    let missing: Vec<&String> = here.iter().filter(|name| !positions.contains_key(name.as_str())).collect();
    if !missing.is_empty() {
        let (count, of, some) = (missing.len(), here.len(), examples(&missing));
        let source_name = "the data that judge".to_owned();
        let what = format!(
            "{count} of the {of} features that selection sees are not there ({some}); features are matched by name, so \
             give both the same names, or leave these out of the data that select"
        );
        return Err(Error::Source { source_name, what });
    }
    let places: Vec<usize> = here.iter().filter_map(|name| positions.get(name.as_str()).copied()).collect();
    let known: HashSet<&String> = here.iter().collect();
    let left_out = there.iter().filter(|name| !known.contains(name)).cloned().collect();
    Ok((judging.subset(&places)?, left_out))
}

/// Samples of the same values are told where they are one in so many: in data of few values some are alike by chance.
const ONE_IN: usize = 20;

/// What judges should not have been seen: by the names of the samples, or where these tell nothing by their values. Both data
/// sets have the same features in the same order.
fn shared_samples(judging: &Dataset, data: &Dataset) -> Result<Option<String>> {
    let of = judging.n_samples();
    let looks_better = "what selects with their numbers looks better than it is";
    let both =
        judging.sample_names().zip(data.sample_names()).map_or(0, |(judge, select)| common(judge, select));
    if both > 0 {
        return Ok(Some(format!(
            "{both} of the {of} samples that judge are among those that selection saw, by their names: {looks_better}"
        )));
    }
    let both = common(&fingerprints(judging)?, &fingerprints(data)?);
    Ok((both * ONE_IN >= of).then(|| {
        format!(
            "{both} of the {of} samples that judge have the same values in all features as samples that selection saw; if \
             they are the same samples, {looks_better}"
        )
    }))
}

/// How many of `judge` are in `select`.
fn common<T: Eq + Hash>(judge: &[T], select: &[T]) -> usize {
    let seen: HashSet<&T> = select.iter().collect();
    judge.iter().filter(|one| seen.contains(one)).count()
}

/// A number of every sample that is the same where all its values are, as they were read.
fn fingerprints(data: &Dataset) -> Result<Vec<u64>> {
    let raw = data.untransformed().scaled(Scaling::None);
    let all: Vec<usize> = (0..raw.n_features()).collect();
    let mut prints = vec![0u64; raw.n_samples()];
    raw.each_column(&all, |_, block, at| {
        for (print, value) in prints.iter_mut().zip(block.column(at)) {
            // -0 and 0 are one value.
            let mixed = (*print ^ (value + 0.0).to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *print = mixed ^ (mixed >> 32);
        }
    })?;
    Ok(prints)
}
