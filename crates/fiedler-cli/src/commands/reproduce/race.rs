//! The path against Nesterov's method (DIS 4.3.3, figure 4.1): how long each takes to the same
//! solution, in CPU seconds, for other work on the machine must not count.

use cpu_time::ProcessTime;
use fiedler::methods::Targets;
use fiedler::solve::{Options, Problem, fista, path};
use fiedler::{Dataset, GraphRecipe};
use serde_json::{Value, json};

use super::Context;
use super::found::{Cell, ClaimFound, Held, Ours, TableFound, Verdict};
use super::recipe::{Data, Race, Recipe, Setting};
use crate::failure::{Failure, Outcome};

/// Races again.
///
/// # Errors
/// The recipe is at fault, or a solver does not converge.
pub(super) fn run(recipe: &Recipe, race: &Race, context: &Context<'_>) -> Outcome<TableFound> {
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings[..1]);
    let mut times: Vec<(f64, f64)> = Vec::new();
    let mut held = Held::none();
    for data in &recipe.data {
        let Some(stored) = context.stored(data, &mut found)? else { continue };
        context.tell(&data.name);
        let asked =
            json!({"race": race, "quick": context.quick, "setting": settings[0], "graph": data.graph});
        let answer = context
            .cache
            .get(&stored.hash, &asked, || compute(race, data, &settings[0], &stored.data, context))?;
        let seconds = |who: &str| answer[who].as_f64().unwrap_or(f64::NAN);
        let (walked, stepped) = (seconds("path_seconds"), seconds("nesterov_seconds"));
        for (name, seconds) in [("MRSF", walked), ("Nesterov", stepped)] {
            found.cells.push(cell(&data.name, name, None, seconds));
        }
        held.count(data.name.clone(), walked < stepped);
        times.push((walked, stepped));
    }
    let mean = |pick: fn(&(f64, f64)) -> f64| times.iter().map(pick).sum::<f64>() / times.len() as f64;
    if !times.is_empty() {
        found.cells.push(cell("mean", "MRSF", Some(race.path_seconds), mean(|t| t.0)));
        found.cells.push(cell("mean", "Nesterov", Some(race.nesterov_seconds), mean(|t| t.1)));
    }
    found
        .claims
        .push(ClaimFound { text: "MRSF is faster than Nesterov's method".to_owned(), holds: vec![held] });
    Ok(found)
}

/// Seconds on two machines are no better or worse than each other.
fn cell(row: &str, method: &str, paper: Option<f64>, seconds: f64) -> Cell {
    let ours = vec![Some(Ours::Number { mean: seconds, sd: 0.0, n: 1 })];
    let (paper, method) = (paper.map(|p| p.to_string()), format!("{method}, CPU seconds"));
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
    let begun = ProcessTime::now();
    let stepped = fista(&problem, last.lambda, &options, context.monitor)?;
    let nesterov_seconds = begun.elapsed().as_secs_f64();
    Ok(json!({
        "path_seconds": path_seconds,
        "nesterov_seconds": nesterov_seconds,
        "lambda": last.lambda,
        "active": last.active.len(),
        "nesterov_active": stepped.active.len(),
    }))
}
