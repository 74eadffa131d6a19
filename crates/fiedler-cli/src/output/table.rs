//! Rankings for people.

use std::fmt::Write;
use std::sync::Arc;

use fiedler::graph::Graph;
use fiedler::{Dataset, Goal, Ranking, Scaling, Value};

use super::details;
use super::layout::{Align, Cell, Numbers, aligned, bar, count, name, number, plural};
use super::{BOLD, CYAN, DIM, YELLOW};
use crate::rank::Listing;

/// Features that are shown unless the user says how many.
pub(crate) const SHOWN: usize = 20;

/// Cells of the longest bar.
const BAR: usize = 24;

/// Differences of scores below this part of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// One ranking, or several side by side, and what their methods tell beyond scores.
pub(crate) fn rankings(listings: &[Listing], data: &Dataset, source: &str, verbose: bool) -> String {
    let mut out = String::new();
    match listings {
        [one] => single(&mut out, one, data, source),
        several => side_by_side(&mut out, several, data, source),
    }
    listings.iter().for_each(|l| details::write(&mut out, &l.ranking, data, verbose));
    out
}

fn single(out: &mut String, listing: &Listing, data: &Dataset, source: &str) {
    let ranking = &listing.ranking;
    let title = listing.info.title;
    let _ = writeln!(out, "{BOLD}{title}{BOLD:#}, {}", ranking.goal().in_words());
    let _ = writeln!(out, "{}", describe_data(&data.clone().scaled(listing.scaling), source, &[]));
    let parameters = list(ranking.parameters.iter());
    if !parameters.is_empty() {
        let _ = writeln!(out, "{DIM}method{DIM:#} {parameters}");
    }
    if let Some(graph) = &ranking.graph {
        let _ = writeln!(out, "{DIM}graph{DIM:#}  {}", describe_graph(graph));
    }
    out.push('\n');
    let shown = listing.shown();
    let bars = Bars::new(ranking);
    let numbers = Numbers::for_values(shown.iter().filter_map(|&j| ranking.score(j)));
    let head = ["rank", "feature", "score", "longer is better"];
    let mut rows = vec![head.map(|h| Cell::styled(h, DIM)).to_vec()];
    for (rank, &j) in shown.iter().enumerate() {
        let score = ranking.score(j);
        rows.push(vec![
            Cell::new((rank + 1).to_string()),
            Cell::new(called(listing, data, j)),
            score.map_or(Cell::styled("none", DIM), |s| Cell::new(numbers.show(s))),
            Cell::styled(score.map_or(String::new(), |s| bar(bars.share(s), BAR)), CYAN),
        ]);
    }
    aligned(out, &[Align::Right, Align::Left, Align::Right, Align::Left], &rows);
    footer(out, listing);
}

fn side_by_side(out: &mut String, listings: &[Listing], data: &Dataset, source: &str) {
    let usual = usual_scaling(listings, data);
    let scalings = listings.iter().map(|l| (l.info.name, l.scaling));
    let otherwise: Vec<_> = scalings.filter(|(_, scaling)| *scaling != usual).collect();
    let _ = writeln!(out, "{}", describe_data(&data.clone().scaled(usual), source, &otherwise));
    describe_methods(out, listings);
    out.push('\n');
    let mut columns = vec![Align::Right];
    let mut names = vec![Cell::styled("rank", DIM)];
    let mut goals = vec![Cell::default()];
    for listing in listings {
        columns.extend([Align::Left, Align::Right]);
        names.extend([Cell::styled(listing.info.name, BOLD), Cell::styled("score", DIM)]);
        goals.extend([Cell::styled(listing.ranking.goal().in_words(), DIM), Cell::default()]);
    }
    let mut rows = vec![names, goals];
    let longest = listings.iter().map(|l| l.shown().len()).max().unwrap_or(0);
    rows.extend((1..=longest).map(|rank| vec![Cell::new(rank.to_string())]));
    for listing in listings {
        let shown = listing.shown();
        let numbers = Numbers::for_values(shown.iter().filter_map(|&j| listing.ranking.score(j)));
        let cells = shown.iter().map(|&j| {
            let score = listing.ranking.score(j).map(|s| numbers.show(s));
            [Cell::new(called(listing, data, j)), score.map_or(Cell::styled("none", DIM), Cell::new)]
        });
        // A method that lists fewer (`--top auto`) leaves the rest of its columns empty.
        let cells = cells.chain(std::iter::repeat_with(Default::default));
        rows[2..].iter_mut().zip(cells).for_each(|(row, pair)| row.extend(pair));
    }
    aligned(out, &columns, &rows);
    if let Some(first) = listings.first() {
        footer(out, first);
    }
}

/// The name of a feature; one that the user put there is no find of the method.
fn called(listing: &Listing, data: &Dataset, j: usize) -> String {
    let included = if listing.included.contains(&j) { " (included)" } else { "" };
    name(&data.feature_name(j)) + included
}

/// The graphs, each once and with the methods that share it, and the parameters.
fn describe_methods(out: &mut String, listings: &[Listing]) {
    let mut graphs: Vec<(&Arc<Graph>, Vec<&str>)> = Vec::new();
    for listing in listings {
        let name = listing.info.name;
        let Some(graph) = &listing.ranking.graph else { continue };
        match graphs.iter_mut().find(|(known, _)| Arc::ptr_eq(known, graph)) {
            Some((_, users)) => users.push(name),
            None => graphs.push((graph, vec![name])),
        }
    }
    for (graph, users) in graphs {
        let _ = writeln!(out, "{DIM}graph{DIM:#}  {}: {}", users.join(", "), describe_graph(graph));
    }
    for listing in listings {
        let parameters = list(listing.ranking.parameters.iter());
        if !parameters.is_empty() {
            let _ = writeln!(out, "{DIM}method{DIM:#} {}: {parameters}", listing.info.name);
        }
    }
}

fn footer(out: &mut String, listing: &Listing) {
    if let Some(elbow) = listing.elbow {
        let first = plural(elbow, "feature");
        let _ = writeln!(out, "{DIM}the scores turn after {first} (--top auto){DIM:#}");
    }
    let hidden = listing.listed.len() - listing.shown().len();
    if hidden > 0 {
        let all = listing.listed.len();
        let _ = writeln!(
            out,
            "{DIM}… and {} more (--top {all} or --format csv shows them){DIM:#}",
            count(hidden)
        );
    }
}

/// The scaling that most of the methods saw, the first of equals.
fn usual_scaling(listings: &[Listing], data: &Dataset) -> Scaling {
    let users = |scaling: Scaling| listings.iter().filter(|l| l.scaling == scaling).count();
    let scalings = listings.iter().rev().map(|l| l.scaling);
    scalings.max_by_key(|&scaling| users(scaling)).unwrap_or(data.scaling())
}

/// `demo:iris · 150 samples × 4 features · …`, and which methods see the data scaled otherwise.
pub(crate) fn describe_data(data: &Dataset, source: &str, otherwise: &[(&str, Scaling)]) -> String {
    let in_words = |scaling: Scaling| match scaling {
        Scaling::Standard if data.is_sparse() => "each feature divided by its deviation",
        Scaling::Standard => "each feature scaled to mean 0, deviation 1",
        Scaling::Range => "each feature scaled to 0..1",
        Scaling::None => "not scaled",
    };
    let samples = plural(data.n_samples(), "sample");
    let features = plural(data.n_features(), "feature");
    let scaling = in_words(data.scaling());
    let mut text = format!("{DIM}data{DIM:#}   {source} · {samples} × {features} · {scaling}");
    if !otherwise.is_empty() {
        let each = otherwise.iter().map(|&(name, scaling)| format!("{name}: {}", in_words(scaling)));
        let _ = write!(text, " ({})", each.collect::<Vec<_>>().join("; "));
    }
    text
}

/// The vital signs of a graph on one line.
pub(crate) fn describe_graph(graph: &Graph) -> String {
    let found = graph.diagnostics();
    let mut text = describe_recipe(graph);
    let _ = write!(text, " · {}", plural(found.edges, "edge"));
    let style = if found.components > 1 { YELLOW } else { anstyle::Style::new() };
    let _ = write!(text, " · {style}{}{style:#}", plural(found.components, "component"));
    if found.isolated > 0 {
        let _ = write!(text, ", {} of a single sample", count(found.isolated));
    }
    let _ = write!(text, " · degree {} to {}", number(found.min_degree), number(found.max_degree));
    text
}

/// `knn (k 5, weight heat, …)`.
pub(crate) fn describe_recipe(graph: &Graph) -> String {
    let description = graph.description();
    let parameters = description.parameters.iter().filter(|(_, value)| *value != Value::Bool(false));
    let parameters = list(parameters.map(|(name, value)| (*name, value)));
    match parameters.is_empty() {
        true => description.kind.to_owned(),
        false => format!("{} ({parameters})", description.kind),
    }
}

fn list<'a>(parameters: impl Iterator<Item = (&'static str, &'a Value)>) -> String {
    let show = |(name, value): (&str, &Value)| match value {
        Value::Real(v) => format!("{name} {}", number(*v)),
        Value::Bool(true) => name.to_owned(),
        other => format!("{name} {other}"),
    };
    parameters.map(show).collect::<Vec<_>>().join(", ")
}

/// Scores as shares of the way from the worst to the best, so that longer is always better.
struct Bars {
    worst: f64,
    best: f64,
}

impl Bars {
    fn new(ranking: &Ranking) -> Self {
        let finite = || ranking.scores().iter().copied().filter(|s| s.is_finite());
        let (min, max) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        match ranking.goal() {
            Goal::Minimize => Bars { worst: max, best: min },
            Goal::Maximize => Bars { worst: min, best: max },
        }
    }

    fn share(&self, score: f64) -> f64 {
        // Scores that differ by rounding alone are drawn as equal.
        let noise = (ROUNDING * self.best.abs().max(self.worst.abs())).max(f64::MIN_POSITIVE);
        match self.best.max(self.worst) - self.best.min(self.worst) <= noise {
            true => 1.0,
            false => (score - self.worst) / (self.best - self.worst),
        }
    }
}
