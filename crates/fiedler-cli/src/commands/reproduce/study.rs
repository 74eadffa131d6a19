//! The synthetic study of DIS 2.5: what the paper says of its one draw, counted over many.

use fiedler::graph::Bandwidth;
use fiedler::methods::Phi;
use fiedler::spectrum::{Mixing, Study};
use serde_json::{Value, json};

use super::Context;
use super::found::{Cell, Ours, TableFound, Verdict};
use super::held::{ClaimFound, Held};
use super::recipe::{Recipe, StudyKeys};
use crate::failure::{Failure, Outcome};

/// Draws where `--quick` is given.
const QUICK: usize = 10;
/// A claim holds when it does in nine of ten draws.
const MOST: f64 = 0.9;

/// Draws again.
///
/// # Errors
/// The recipe is at fault, or Ctrl-C.
pub(super) fn run(recipe: &Recipe, keys: &StudyKeys, context: &Context<'_>) -> Outcome<TableFound> {
    let mut found = TableFound::new(&recipe.settings());
    found.settings = keys.uniform.iter().map(|[low, high]| format!("uniform in {low}..{high}")).collect();
    let draws = if context.quick { keys.draws.min(QUICK) } else { keys.draws };
    let mut answers = Vec::with_capacity(keys.uniform.len());
    for &uniform in &keys.uniform {
        let asked = json!({"study": keys, "draws": draws, "uniform": uniform});
        answers.push(context.cache.get("synthetic", &asked, || compute(keys, draws, uniform, context))?);
    }
    let first =
        answers.first().ok_or_else(|| Failure::usage("[study] needs `uniform`, one range at least"))?;
    let row = format!("{draws} draws");
    for (place, line) in lines(first, "mixing").enumerate() {
        let others: Vec<&Value> = answers.iter().map(|a| &a["mixing"][place]).collect();
        found.cells.push(mixing(line, &others, keys, &row));
    }
    for (place, claim) in lines(first, "claims").enumerate() {
        let text = claim["text"].as_str().unwrap_or_default().to_owned();
        let holds = |a: &Value| a["claims"][place]["holds"].as_u64().unwrap_or(0) as usize;
        let ours = answers.iter().map(|a| Some(Ours::Text(format!("{} of {draws}", holds(a))))).collect();
        let (row, paper) = (row.clone(), Some("says so".to_owned()));
        found.cells.push(Cell {
            row,
            method: text.clone(),
            paper,
            ours,
            verdict: judged(holds(first), draws),
        });
        let held = answers.iter().map(|a| Held::judged(judged(holds(a), draws))).collect();
        found.claims.push(ClaimFound { text, holds: held });
    }
    Ok(found)
}

fn lines<'a>(answer: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    answer[name].as_array().into_iter().flatten()
}

fn judged(holds: usize, draws: usize) -> Verdict {
    match holds as f64 / draws as f64 {
        share if share >= MOST => Verdict::Holds,
        share if share > 0.5 => Verdict::Mostly,
        _ => Verdict::Fails,
    }
}

fn compute(keys: &StudyKeys, draws: usize, [low, high]: [f64; 2], context: &Context<'_>) -> Outcome<Value> {
    let bandwidth = keys.bandwidth.map_or(Bandwidth::Auto, Bandwidth::Given);
    let (samples, seed, uniform) = (keys.samples, keys.seed, (low, high));
    let study = Study { samples, bandwidth, uniform, seed, ..Study::default() };
    let summary = study.repeat(draws, context.monitor)?;
    let claims = summary.claims.iter().map(|c| json!({"text": c.text, "holds": c.holds}));
    let mixing = summary.mixing.iter().map(|m| {
        let median = m.median.is_finite().then_some(m.median);
        json!({"name": name(m), "median": median, "at_once": m.at_once, "never": m.never})
    });
    Ok(json!({"claims": claims.collect::<Vec<_>>(), "mixing": mixing.collect::<Vec<_>>()}))
}

/// `φ1, r` or `φ2, r³`.
fn name(mixing: &Mixing) -> String {
    let phi = match mixing.phi {
        Phi::One => "φ1",
        Phi::Two => "φ2",
        Phi::Three => "φ3",
    };
    format!("{phi}, {}", if mixing.power == 1 { "r" } else { "r³" })
}

/// The share of noise at which a score first mixes up relevant and irrelevant features.
fn mixing(line: &Value, all: &[&Value], keys: &StudyKeys, row: &str) -> Cell {
    let name = line["name"].as_str().unwrap_or_default();
    let printed = keys.mixing.get(name).copied();
    let in_words = |line: &Value| {
        let median = line["median"].as_f64().map_or("never".to_owned(), |m| format!("α = {m}"));
        format!("median {median}; at once in {}, never in {}", line["at_once"], line["never"])
    };
    let verdict = match (printed, line["median"].as_f64()) {
        (None, _) => Verdict::None,
        // One draw of the paper beside the median of many: half a tenth is near.
        (Some(p), Some(m)) if (p - m).abs() <= 0.05 => Verdict::AsPrinted,
        (Some(p), m) if m.is_none_or(|m| m > p) => Verdict::Better,
        _ => Verdict::Worse,
    };
    Cell {
        row: row.to_owned(),
        method: format!("{name} mixes up features from"),
        paper: printed.map(|p| format!("α ≈ {p}")),
        ours: all.iter().map(|line| Some(Ours::Text(in_words(line)))).collect(),
        verdict,
    }
}
