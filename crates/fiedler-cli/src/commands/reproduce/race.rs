//! The path against Nesterov's method (DIS 4.3.3, figure 4.1): how long each takes to the same
//! solution, in CPU seconds, for other work on the machine must not count.

use std::ops::ControlFlow;

use cpu_time::ProcessTime;
use fiedler::methods::Targets;
use fiedler::solve::{Options, Problem, fista, path};
use fiedler::{Dataset, Error, GraphRecipe, Limits, Monitor};
use serde_json::{Value, json};

use super::Context;
use super::found::{Cell, Ours, TableFound, Verdict};
use super::held::{ClaimFound, Held};
use super::recipe::{Data, Race, Recipe, Setting};
use crate::failure::{Failure, Outcome};

/// The two, as they stand in answers and in the table.
const RACERS: [(&str, &str); 2] = [("path", "MRSF"), ("nesterov", "Nesterov")];

/// Races again.
///
/// # Errors
/// The recipe is at fault, or a solver does not converge.
pub(super) fn run(recipe: &Recipe, race: &Race, context: &Context<'_>) -> Outcome<TableFound> {
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings);
    // By setting and data set.
    let mut all: Vec<Vec<Value>> = vec![Vec::new(); settings.len()];
    let mut held = vec![Held::none(); settings.len()];
    for data in &recipe.data {
        let Some(stored) = context.stored(recipe, data, &mut found)? else { continue };
        for (at, setting) in settings.iter().enumerate() {
            context.tell(&format!("{} · {}", data.name, setting.name));
            let asked =
                json!({"race": race, "quick": context.quick, "setting": setting, "graph": data.graph});
            let compute = || compute(race, data, setting, &stored.data, context);
            let answer = context.cache.get(&stored.hash, &asked, compute);
            let answer = answer.map_err(|failure| recipe.placed(failure, data, at))?;
            held[at].count(data.name.clone(), seconds(&answer, "path") < seconds(&answer, "nesterov"));
            all[at].push(answer);
        }
        let lasts: Vec<&[Value]> = all.iter().map(|of| &of[of.len() - 1..]).collect();
        found.cells.extend(RACERS.map(|racer| cell(&data.name, racer, None, &lasts)));
    }
    if all.iter().all(|answers| !answers.is_empty()) {
        let lists: Vec<&[Value]> = all.iter().map(Vec::as_slice).collect();
        let printed = [race.path_seconds, race.nesterov_seconds];
        found.cells.extend([0, 1].map(|at| cell("mean", RACERS[at], Some(printed[at]), &lists)));
    }
    let text = "MRSF is faster than Nesterov's method".to_owned();
    found.claims.push(ClaimFound { text, holds: held });
    Ok(found)
}

fn seconds(answer: &Value, who: &str) -> f64 {
    answer[who]["seconds"].as_f64().unwrap_or(f64::NAN)
}

/// The mean over some data sets, in every setting. Seconds on two machines are no better or worse than each other.
fn cell(row: &str, (who, method): (&str, &str), paper: Option<f64>, answers: &[&[Value]]) -> Cell {
    let mean = |of: &[Value]| {
        let mean = of.iter().map(|answer| seconds(answer, who)).sum::<f64>() / of.len() as f64;
        let done = of.iter().all(|answer| answer[who]["done"] == true);
        Some(if done {
            Ours::Number { mean, sd: 0.0, n: of.len() }
        } else {
            Ours::Text(format!("more than {mean:.0}"))
        })
    };
    let (paper, method) = (paper.map(|p| p.to_string()), format!("{method}, CPU seconds"));
    let ours = answers.iter().map(|of| mean(of)).collect();
    Cell { row: row.to_owned(), method, paper, ours, verdict: Verdict::None }
}

fn compute(
    race: &Race,
    data: &Data,
    setting: &Setting,
    numbers: &Dataset,
    context: &Context<'_>,
) -> Outcome<Value> {
    let numbers = numbers.clone().scaled(setting.scaling()?);
    let count = if context.quick { race.count.min(10) } else { race.count };
    let graph = data.graph.as_ref().or(setting.graph.as_ref());
    let recipe = graph.map_or(Ok(GraphRecipe::default()), |g| g.recipe().map_err(Failure::usage))?;
    let targets: Targets = race.targets.parse().map_err(Failure::usage)?;
    let (matrix, _) = targets.build(&numbers, &recipe, 20, context.monitor)?;
    let problem = Problem::new(&numbers, matrix.values, matrix.n_targets)?;
    let options = Options { gap: race.gap, max_iterations: 1_000_000 };
    let begun = ProcessTime::now();
    let walked = path(&problem, count, &options, context.monitor)?;
    let path_seconds = begun.elapsed().as_secs_f64();
    let last = walked.points.last().ok_or_else(|| Failure::Data("the path is empty".to_owned()))?;
    let patient = Patient { monitor: context.monitor, begun: ProcessTime::now(), seconds: race.patience };
    let (active, done) = match fista(&problem, last.lambda, &options, &patient) {
        Ok(stepped) => (Some(stepped.active.len()), true),
        Err(Error::Canceled) if patient.is_over() => (None, false),
        Err(error) => return Err(error.into()),
    };
    Ok(json!({
        "path": {"seconds": path_seconds, "done": true, "active": last.active.len()},
        "nesterov": {"seconds": patient.begun.elapsed().as_secs_f64(), "done": done, "active": active},
        "lambda": last.lambda,
    }))
}

/// Another monitor that stops the work after so many CPU seconds.
struct Patient<'a> {
    monitor: &'a dyn Monitor,
    begun: ProcessTime,
    seconds: f64,
}

impl Patient<'_> {
    fn is_over(&self) -> bool {
        self.begun.elapsed().as_secs_f64() > self.seconds
    }
}

impl Monitor for Patient<'_> {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { self.monitor.update(stage, done, total) }
    }

    fn limits(&self) -> Limits {
        self.monitor.limits()
    }
}

#[cfg(test)]
mod tests {
    use fiedler::Silent;

    use super::*;

    #[test]
    fn patience_ends_and_a_race_that_is_not_over_says_so() {
        let monitor = |seconds| Patient { monitor: &Silent, begun: ProcessTime::now(), seconds };
        assert!(
            monitor(-1.0).update("fista", 0, 0).is_break()
                && monitor(1e9).update("fista", 0, 0).is_continue()
        );
        let answer = |seconds: f64, done: bool| json!({"nesterov": {"seconds": seconds, "done": done}});
        let ours = |answers: &[Value]| cell("mean", RACERS[1], None, &[answers]).ours[0].clone();
        let both = ours(&[answer(2.0, true), answer(4.0, true)]);
        assert_eq!(both, Some(Ours::Number { mean: 3.0, sd: 0.0, n: 2 }));
        let text = ours(&[answer(2.0, true), answer(8.0, false)]);
        assert_eq!(text, Some(Ours::Text("more than 5".to_owned())));
    }
}
