//! Orders of features, beside the printed ones.

use fiedler::Dataset;

use super::Context;
use super::evaluate::asked;
use super::found::{Cell, Ours, TableFound, Verdict};
use super::held::{ClaimFound, Held};
use super::recipe::{Method, Order, Recipe};
use super::values::line;
use crate::failure::{Failure, Outcome};
use crate::lists::did_you_mean;

/// Ranks again.
///
/// # Errors
/// The recipe is at fault, or a method fails.
pub(super) fn run(recipe: &Recipe, context: &Context<'_>) -> Outcome<TableFound> {
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings);
    let data = recipe.data.first().ok_or_else(|| Failure::usage("[[ranking]] needs one [[data]]"))?;
    let Some(stored) = context.stored(recipe, data, &mut found)? else { return Ok(found) };
    known(recipe, &stored.data)?;
    let mut held = vec![Held::none(); settings.len()];
    for order in &recipe.ranking {
        let mut ours = Vec::with_capacity(settings.len());
        for (at, setting) in settings.iter().enumerate() {
            let row = data;
            let data = stored.data.clone().scaled(setting.scaling()?);
            let graph = match (&order.graph, &setting.graph) {
                (Some(own), Some(other)) => Some(own.with(other)),
                (own, other) => own.clone().or_else(|| other.clone()),
            };
            let asked = asked(&method(order), graph.as_ref(), &data);
            let answer = asked.and_then(|asked| Ok(asked.run(&data, &order.name, context.monitor)?));
            let answer = answer.map_err(|failure| recipe.placed(failure, row, at))?;
            let best = answer.rankings[0].places.iter().take(order.paper.len());
            let names: Vec<String> = best.map(|place| answer.features.of(place.index).into_owned()).collect();
            ours.push(Some(Ours::Text(names.join(" > "))));
        }
        let paper = order.paper.join(" > ");
        let same = |o: &Option<Ours>| *o == Some(Ours::Text(paper.clone()));
        held.iter_mut().zip(&ours).for_each(|(held, o)| held.count(order.name.clone(), same(o)));
        let verdict = if same(&ours[0]) { Verdict::AsPrinted } else { Verdict::Differs };
        found.cells.push(Cell {
            row: data.name.clone(),
            method: order.name.clone(),
            paper: Some(paper),
            ours,
            verdict,
        });
    }
    found.claims.push(ClaimFound { text: "the orders are as printed".to_owned(), holds: held });
    Ok(found)
}

/// That every printed name is that of a feature: one that is misspelled would make the order differ from any.
fn known(recipe: &Recipe, data: &Dataset) -> Outcome {
    let names: Vec<_> = (0..data.n_features()).map(|j| data.feature_name(j)).collect();
    for (at, order) in recipe.ranking.iter().enumerate() {
        if let Some(strange) = order.paper.iter().find(|paper| names.iter().all(|name| *name != **paper)) {
            let hint = did_you_mean(strange, names.iter().map(|name| &**name));
            let place = recipe.origin.at(line(&recipe.origin.text, ("ranking", at), &["paper"]));
            let sentence =
                format!("{place}: ranking `{}`: no feature is called `{strange}`{hint}", order.name);
            return Err(Failure::Usage(sentence));
        }
    }
    Ok(())
}

fn method(order: &Order) -> Method {
    let (name, method, set) = (order.name.clone(), order.method.clone(), order.set.clone());
    Method { name, method, fuse: None, set, graph: None }
}
