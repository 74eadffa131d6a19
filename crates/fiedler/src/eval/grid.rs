//! A grid of numbers of labels and values of parameters, looked at along one of them (SSL, figures 4 to 7a).

use super::result::{Curve, CurveKind, Evaluation, Point, Table};
use crate::parameters::ParameterValue;
use crate::ranking::Goal;

/// A measure along one side of the grid: the mean over all numbers of features.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// What is measured.
    pub measure: &'static str,
    /// Which way is better.
    pub goal: Goal,
    /// What it goes along: a parameter, or `None` for the number of labels of every class.
    pub parameter: Option<String>,
    /// A line for everything else that varies.
    pub lines: Vec<TrendLine>,
    /// Random selection, which knows neither.
    pub random: Option<f64>,
}

/// What does not change along a line.
#[derive(Debug, Clone, PartialEq)]
pub struct TrendLine {
    /// The candidate, with the values that stay.
    pub name: String,
    /// How many labels of every class selection knows, where those stay.
    pub labeled: Option<usize>,
    /// The places along the side, ascending, with what was measured there.
    pub points: Vec<(f64, Point)>,
}

impl Evaluation {
    /// Every side of the grid that has two places or more: numbers of labels, then the parameters that are numbers.
    pub fn trends(&self) -> Vec<Trend> {
        let mut measures: Vec<&'static str> = Vec::new();
        for table in &self.tables {
            if !measures.contains(&table.measure) {
                measures.push(table.measure);
            }
        }
        let sides: Vec<Option<&str>> =
            std::iter::once(None).chain(self.varied().into_iter().map(Some)).collect();
        let along = |measure: &'static str| sides.iter().filter_map(move |side| self.along(measure, *side));
        measures.iter().flat_map(|measure| along(measure)).collect()
    }

    /// The parameters that vary.
    fn varied(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let variants =
            self.tables.iter().flat_map(|table| &table.curves).filter_map(|curve| curve.variant.as_ref());
        for (name, _) in variants.flat_map(|variant| &variant.values) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    fn along(&self, measure: &'static str, parameter: Option<&str>) -> Option<Trend> {
        let mut lines: Vec<TrendLine> = Vec::new();
        let tables: Vec<&Table> = self.tables.iter().filter(|table| table.measure == measure).collect();
        for table in &tables {
            let judged = |curve: &&Curve| curve.kind == CurveKind::Candidate && curve.untold.is_none();
            for curve in table.curves.iter().filter(judged) {
                let place = match parameter {
                    Some(name) => value_of(curve, name),
                    None => table.labeled.map(|each| each as f64),
                };
                let Some(at) = place else { continue };
                let labeled = parameter.and(table.labeled);
                let point = (at, curve.aggregated.clone());
                let name = name_without(curve, parameter);
                match lines.iter_mut().find(|line| line.name == name && line.labeled == labeled) {
                    Some(line) => line.points.push(point),
                    None => lines.push(TrendLine { name, labeled, points: vec![point] }),
                }
            }
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        lines.retain(|line| line.points.len() > 1);
        let table = tables.first().filter(|_| !lines.is_empty())?;
        let random = table.of_kind(CurveKind::Random).map(|curve| curve.aggregated.summary.mean);
        Some(Trend { measure, goal: table.goal, parameter: parameter.map(str::to_owned), lines, random })
    }
}

/// The value of a parameter that varies, where it is a number.
fn value_of(curve: &Curve, parameter: &str) -> Option<f64> {
    let values = &curve.variant.as_ref()?.values;
    match values.iter().find(|(name, _)| name == parameter)?.1 {
        ParameterValue::Integer(value) => Some(value as f64),
        ParameterValue::Real(value) => Some(value),
        _ => None,
    }
}

/// The name of a curve without the value of that parameter.
fn name_without(curve: &Curve, parameter: Option<&str>) -> String {
    let Some((mut variant, parameter)) = curve.variant.clone().zip(parameter) else {
        return curve.name.clone();
    };
    variant.values.retain(|(name, _)| name != parameter);
    variant.to_string()
}
