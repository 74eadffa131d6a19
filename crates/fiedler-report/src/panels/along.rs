//! A measure along a coefficient, a parameter or a number of labels: lines with random selection beside them.

use super::accuracy::{beside, limits, with_spread};
use super::table;
use crate::scale::Scale;
use crate::story::SweptLine;
use crate::svg::{Chart, Frame, data};
use crate::text::{escape, number};

/// What is drawn.
pub(super) struct Along<'a> {
    /// What is measured.
    pub(super) measure: &'a str,
    pub(super) title: String,
    /// What stands below the axis.
    pub(super) below: String,
    /// What a place is a value of.
    pub(super) of: &'a str,
    /// The first and the last place.
    pub(super) ends: (f64, f64),
    pub(super) lines: Vec<&'a SweptLine>,
    /// Random selection.
    pub(super) random: Option<f64>,
    /// Whether the first line has its spread as a band, and is the one to look at.
    pub(super) band: bool,
}

/// The numbers behind it: a row a place, a column a line.
pub(super) fn numbers(caption: &str, along: &str, lines: &[SweptLine]) -> String {
    let mut headings = vec![format!("#{along}")];
    headings.extend(lines.iter().map(|line| format!("#{}", line.name)));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut places: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|point| point[0]).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let rows = places.into_iter().map(|at| {
        let cell = |line: &SweptLine| {
            let point = line.points.iter().find(|point| point[0] == at);
            point.map_or(String::new(), |[_, mean, sd]| with_spread(*mean, *sd))
        };
        std::iter::once(number(at)).chain(lines.iter().map(cell)).collect()
    });
    table(&escape(caption), &headings, rows)
}

impl Along<'_> {
    /// The scale of the values: those of all lines, and the band of the first. Before it where the band ends.
    fn upright(&self, frame: Frame) -> ((f64, f64), Scale) {
        let means = self.lines.iter().flat_map(|line| &line.points).map(|[_, mean, _]| *mean);
        let (floor, ceiling) = limits(means);
        let reach = |line: &SweptLine, side: f64| -> Vec<f64> {
            line.points.iter().map(|[_, mean, sd]| (mean + side * sd).max(floor).min(ceiling)).collect()
        };
        let banded = self.lines.first().filter(|_| self.band);
        let first = banded.into_iter().flat_map(|line| [reach(line, -1.0), reach(line, 1.0)]).flatten();
        let values = self.lines.iter().flat_map(|line| reach(line, 0.0)).chain(self.random);
        let ends = first
            .chain(values)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let room = 0.04 * (ends.1 - ends.0);
        let scale = Scale::linear((ends.0 - room, ends.1 + room), (frame.bottom, frame.top));
        ((floor, ceiling), scale)
    }

    /// The chart.
    pub(super) fn draw(&self) -> Chart {
        let frame = Frame { left: 58.0, top: 34.0, right: 372.0, bottom: 246.0 };
        let ((floor, ceiling), y) = self.upright(frame);
        let x = Scale::linear(self.ends, (frame.left + 4.0, frame.right));
        let steps = self.lines.iter().map(|line| line.points.len()).max().unwrap_or(0);
        let mut chart = Chart::new(480.0, 290.0, self.title.clone())
            .saying(format!("{steps} values, {} lines.", self.lines.len()));
        chart.axis_left(frame, y, self.measure);
        chart.axis_below(frame, x, &self.below);
        let mut ends = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let places = |offset: f64| -> Vec<(f64, f64)> {
                let value = |mean: f64, sd: f64| (mean + offset * sd).max(floor).min(ceiling);
                line.points.iter().map(|[at, mean, sd]| (x.at(*at), y.at(value(*mean, *sd)))).collect()
            };
            let (main, color) = (at == 0 && self.band, at % 9);
            if main {
                chart.band("band c0", &places(1.0), &places(-1.0));
            }
            chart.polyline(&format!("ln s{color}"), places(0.0));
            for (point, place) in line.points.iter().zip(places(0.0)) {
                let size = if main { 3.4 } else { 2.4 };
                chart.dot(&format!("p c{color}"), place, size, &data("tip", &self.tip(line, *point)));
            }
            ends.extend(places(0.0).last().map(|place| (place.1, line.name.clone(), format!("c{color}"))));
        }
        if let Some(random) = self.random {
            chart.polyline("ln s9 dash", [(frame.left, y.at(random)), (frame.right, y.at(random))]);
            ends.push((y.at(random), "random".to_owned(), "c9".to_owned()));
        }
        beside(&mut chart, frame.right + 8.0, ends, (frame.top, frame.bottom));
        chart
    }

    fn tip(&self, line: &SweptLine, [at, mean, sd]: [f64; 3]) -> String {
        format!("{} {}, {}: {}", self.of, number(at), line.name, with_spread(mean, sd))
    }
}
