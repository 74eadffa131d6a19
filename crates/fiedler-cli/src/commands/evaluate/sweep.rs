//! The sweep of a coefficient (DIS, figure 5.5c): what is measured by the coefficient, at every number of features.

use std::fmt::Write;

use fiedler::Goal;
use fiedler::eval::{Curve, Evaluation, Point, Table};
use serde_json::{Value, json};

use super::table::NO_RANKING;
use crate::output::layout::{Align, Cell, Group, in_blocks};
use crate::output::width::width;
use crate::output::{BOLD, DIM};

/// For people: a line a coefficient, a column a number of features, the best of each column marked.
pub(super) fn show(out: &mut String, evaluation: &Evaluation) {
    let Some(sweep) = &evaluation.sweep else { return };
    for table in &evaluation.tables {
        let _ = writeln!(out, "\n{BOLD}{}{BOLD:#}", sweep.in_words(table));
        let curves = sweep.curves(table);
        let mut names = vec![vec![Cell::styled("coefficient", DIM)]];
        names.extend(curves.iter().map(|(c, _)| vec![Cell::new(number(*c))]));
        let counts = curves.first().map_or(0, |(_, curve)| curve.points.len());
        let mut groups: Vec<Group> =
            (0..counts).map(|at| column(&curves, table.goal, &|curve| &curve.points[at], None)).collect();
        if counts > 1 {
            groups.push(column(&curves, table.goal, &|curve| &curve.aggregated, Some("mean")));
        }
        in_blocks(out, &Group { columns: vec![Align::Right], rows: names }, groups, width());
    }
    let _ = writeln!(out, "{DIM}* the best of its column{DIM:#}");
}

fn column<'a>(
    curves: &[(f64, &'a Curve)],
    goal: Goal,
    point: &dyn Fn(&'a Curve) -> &'a Point,
    title: Option<&str>,
) -> Group {
    let points: Vec<&Point> = curves.iter().map(|(_, curve)| point(curve)).collect();
    let means = points.iter().map(|p| p.summary.mean);
    let best = match goal {
        Goal::Maximize => means.fold(f64::NEG_INFINITY, f64::max),
        Goal::Minimize => means.fold(f64::INFINITY, f64::min),
    };
    let title =
        title.map_or_else(|| points.first().map_or(String::new(), |p| p.count.to_string()), str::to_owned);
    let mut rows = vec![vec![Cell::styled(title, DIM)]];
    for point in points {
        if !point.is_judged() {
            rows.push(vec![Cell::styled(NO_RANKING, DIM)]);
            continue;
        }
        let mean = point.summary.mean;
        let text = format!("{mean:.3}{}", if mean == best { " *" } else { "" });
        rows.push(vec![if mean == best { Cell::styled(text, BOLD) } else { Cell::new(text) }]);
    }
    Group { columns: vec![Align::Left], rows }
}

/// For programs: the coefficients with the names of their curves, and the mean of every measure over all counts.
pub(super) fn json(evaluation: &Evaluation) -> Option<Value> {
    let sweep = evaluation.sweep.as_ref()?;
    let mean = |table: &Table, name: &str| {
        let curve = table.curves.iter().find(|curve| curve.name == name);
        curve.map(|curve| curve.aggregated.summary.mean)
    };
    let step = |(coefficient, name): &(f64, String)| {
        let means: serde_json::Map<String, Value> = evaluation
            .tables
            .iter()
            .map(|table| (table.measure.to_owned(), json!(mean(table, name))))
            .collect();
        json!({"coefficient": coefficient, "name": name, "means": means})
    };
    let steps: Vec<Value> = sweep.steps.iter().map(step).collect();
    Some(json!({"of": sweep.of, "against": sweep.against, "left_out": sweep.left_out, "steps": steps}))
}

fn number(coefficient: f64) -> String {
    let text = format!("{coefficient:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
