//! How good the selections of an analysis are, and how sure.

use std::sync::Arc;

use super::Analysis;
use super::task::Ready;
use crate::dataset::Dataset;
use crate::eval::{Candidate, Evaluation, Protocol, Selection};
use crate::findings::Findings;
use crate::graph::GraphRecipe;
use crate::monitor::Monitor;
use crate::{Error, Result};

impl Analysis {
    /// How good the selections are, where that is asked.
    pub(super) fn judged(
        &self,
        ready: &[Ready],
        data: &Dataset,
        found: &mut Findings,
        monitor: &dyn Monitor,
    ) -> Result<()> {
        if let Some(protocol) = &self.evaluate {
            let evaluation = self.judge(protocol, ready, data, monitor)?;
            let untold = evaluation.untold(self.wording);
            untold.iter().chain(&evaluation.warnings).for_each(|warning| found.warn(warning.clone()));
            found.evaluation = Some(evaluation);
        }
        Ok(())
    }

    /// How sure the selection of the first method is, where that is asked.
    pub(super) fn measured(
        &self,
        ready: &[Ready],
        found: &mut Findings,
        monitor: &dyn Monitor,
    ) -> Result<()> {
        let Some(Ready { task, view }) = ready.first() else { return Ok(()) };
        for stability in &self.stability {
            let report = stability.run_with(&*task.asked, view, monitor)?;
            report.ranking.notes.iter().for_each(|note| found.note(note.clone()));
            report.warnings.iter().for_each(|warning| found.warn(warning.clone()));
            found.stability.push(report);
        }
        Ok(())
    }

    /// Every method, asked anew on the training part of every partition.
    fn judge(
        &self,
        protocol: &Protocol,
        tasks: &[Ready],
        data: &Dataset,
        monitor: &dyn Monitor,
    ) -> Result<Evaluation> {
        let elsewhere = self.judge_on.as_ref();
        let given = |ready: &Ready| matches!(ready.task.recipe, Some(GraphRecipe::Given(_)));
        if protocol.selection == Selection::Training && elsewhere.is_none() && tasks.iter().any(given) {
            let rule = "made from the data: a given graph is of all samples, and selection sees the training part \
                        alone (select on all samples to use it)";
            return Err(Error::parameter("graph", rule, "a given one"));
        }
        let methods = tasks.iter().map(|Ready { task, .. }| {
            Candidate::shared(Arc::clone(&task.asked)).varied(task.variant.clone())
        });
        let candidates: Vec<Candidate> = methods.chain(self.beside.iter().cloned()).collect();
        match elsewhere {
            Some((_, judging)) => {
                let judging = self.prepared(judging, monitor)?;
                protocol.evaluate_on(&judging, data, &candidates, monitor)
            }
            None => protocol.evaluate(data, &candidates, monitor),
        }
    }
}
