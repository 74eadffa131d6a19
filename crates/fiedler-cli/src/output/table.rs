//! Rankings for people.

use std::fmt::Write;
use std::sync::Arc;

use fiedler::dataset::Transform;
use fiedler::eval::Evaluation;
use fiedler::{
    DataCard, Findings, GraphFound, GraphSummary, OrderedBy, ParameterValue, Place, RankingFound, Scaling,
    Seen,
};

use super::details;
use super::layout::{
    Align, Cell, Group, Numbers, WIDEST_NAME, aligned, bar, count, in_blocks, name, number, plural, short,
};
use super::width::width;
use super::{BOLD, CYAN, DIM, YELLOW};

/// Features that are shown unless the user says how many.
pub(crate) const SHOWN: usize = 20;

/// Cells of the longest bar.
const BAR: usize = 24;

/// Columns of a line that are neither its name nor its bar: rank, score and gaps.
const FIXED: usize = 22;

/// Names are not cut below this.
const NARROWEST_NAME: usize = 12;

/// Differences of scores below this part of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// Which features of a ranking are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listed {
    /// All that were asked for.
    All,
    /// The first [`SHOWN`]; `--top` lists more.
    First,
    /// The same of those that are kept: here `--top` says how many these are.
    FirstOfKept,
}

impl Listed {
    fn most(self) -> usize {
        if self == Listed::All { usize::MAX } else { SHOWN }
    }
}

/// One ranking, or several side by side, and what their methods tell beyond scores.
pub(crate) fn rankings(found: &Findings, listed: Listed, verbose: bool) -> String {
    let mut out = String::new();
    match &found.rankings[..] {
        [one] => single(&mut out, one, found, listed, verbose),
        several => side_by_side(&mut out, several, found, listed, verbose),
    }
    let feature = |j: usize| found.features.of(j).into_owned();
    for detail in found.rankings.iter().flat_map(|r| &r.details) {
        details::write(&mut out, detail, &feature, verbose);
    }
    out
}

fn single(out: &mut String, ranking: &RankingFound, found: &Findings, listed: Listed, verbose: bool) {
    let title = ranking.method.title;
    let _ = writeln!(out, "{BOLD}{title}{BOLD:#}, {}", ranking.ordered_by.in_words(ranking.goal));
    let _ = writeln!(out, "{}", describe_data(&found.card.data, Sight::of(ranking), &[]));
    let parameters = parameters(ranking);
    if !parameters.is_empty() {
        let _ = writeln!(out, "{DIM}method{DIM:#} {parameters}");
    }
    if let Some(graph) = &ranking.graph {
        let _ = writeln!(out, "{DIM}graph{DIM:#}  {}", describe_graph(graph, verbose));
    }
    out.push('\n');
    let shown = &ranking.places[..ranking.places.len().min(listed.most())];
    let bars = Bars::new(ranking);
    let numbers = Numbers::for_values(shown.iter().filter_map(|p| p.score));
    let bars_are = if ranking.ordered_by == OrderedBy::Score { "longer is better" } else { "" };
    let head = ["rank", "feature", "score", bars_are];
    let mut rows = vec![head.map(|h| Cell::styled(h, DIM)).to_vec()];
    // Bars shrink on a narrow page, then names.
    let longest = BAR.min(width() / 3);
    let widest = WIDEST_NAME.min(width().saturating_sub(longest + FIXED).max(NARROWEST_NAME));
    for place in shown {
        let bar = place.score.map_or(Cell::default(), |s| Cell::styled(bar(bars.share(s), longest), CYAN));
        rows.push(vec![
            Cell::new(place.rank.to_string()),
            Cell::new(called(found, place, widest)),
            score(place, &numbers),
            place.reason.as_deref().map_or(bar, |why| Cell::styled(why, DIM)),
        ]);
    }
    aligned(out, &[Align::Right, Align::Left, Align::Right, Align::Left], &rows);
    footer(out, ranking, found, listed);
}

fn side_by_side(
    out: &mut String,
    rankings: &[RankingFound],
    found: &Findings,
    listed: Listed,
    verbose: bool,
) {
    let sights: Vec<(&str, Sight)> = rankings.iter().map(|r| (r.method.name, Sight::of(r))).collect();
    let (usual, otherwise) = usual_sight(&sights);
    let _ = writeln!(out, "{}", describe_data(&found.card.data, usual, &otherwise));
    describe_methods(out, rankings, verbose);
    out.push('\n');
    let most = listed.most();
    let longest = rankings.iter().map(|r| r.places.len().min(most)).max().unwrap_or(0);
    let mut ranks = vec![vec![Cell::styled("rank", DIM)], vec![Cell::default()]];
    ranks.extend((1..=longest).map(|rank| vec![Cell::new(rank.to_string())]));
    let first = Group { columns: vec![Align::Right], rows: ranks };
    let groups = rankings.iter().map(|r| beside(r, found, most, longest)).collect();
    in_blocks(out, &first, groups, width());
    if let Some(first) = rankings.first() {
        footer(out, first, found, listed);
    }
}

/// The features and scores of a ranking, for a table of several.
fn beside(ranking: &RankingFound, found: &Findings, most: usize, lines: usize) -> Group {
    let order = match ranking.ordered_by {
        OrderedBy::Score => ranking.goal.in_words(),
        OrderedBy::Choice { .. } => "order of choice",
    };
    let mut rows = vec![
        vec![Cell::styled(ranking.method.name, BOLD), Cell::styled("score", DIM)],
        vec![Cell::styled(order, DIM), Cell::default()],
    ];
    let shown = &ranking.places[..ranking.places.len().min(most)];
    let numbers = Numbers::for_values(shown.iter().filter_map(|p| p.score));
    let widest = WIDEST_NAME.min(width().saturating_sub(FIXED).max(NARROWEST_NAME));
    rows.extend(shown.iter().map(|p| vec![Cell::new(called(found, p, widest)), score(p, &numbers)]));
    // A method that lists fewer (`--top auto`) leaves the rest of its columns empty.
    rows.resize(lines + 2, vec![Cell::default(); 2]);
    Group { columns: vec![Align::Left, Align::Right], rows }
}

fn score(place: &Place, numbers: &Numbers) -> Cell {
    place.score.map_or(Cell::styled("none", DIM), |s| Cell::new(numbers.show(s)))
}

/// The name of a feature; one that the user put there is no find of the method.
fn called(found: &Findings, place: &Place, widest: usize) -> String {
    let included = if place.included { " (included)" } else { "" };
    short(&found.features.of(place.index), widest) + included
}

/// The graphs, each once and with the methods that share it, and the parameters.
fn describe_methods(out: &mut String, rankings: &[RankingFound], verbose: bool) {
    let mut graphs: Vec<(&Arc<GraphSummary>, Vec<&str>)> = Vec::new();
    for ranking in rankings {
        let name = ranking.method.name;
        let Some(graph) = &ranking.graph else { continue };
        match graphs.iter_mut().find(|(known, _)| Arc::ptr_eq(known, graph)) {
            Some((_, users)) => users.push(name),
            None => graphs.push((graph, vec![name])),
        }
    }
    for (graph, users) in graphs {
        let _ = writeln!(out, "{DIM}graph{DIM:#}  {}: {}", users.join(", "), describe_graph(graph, verbose));
    }
    for ranking in rankings {
        let parameters = parameters(ranking);
        if !parameters.is_empty() {
            let _ = writeln!(out, "{DIM}method{DIM:#} {}: {parameters}", ranking.method.name);
        }
    }
}

/// `count 5, targets labels (species)`: what was asked and chosen, and which labels or target were seen.
fn parameters(ranking: &RankingFound) -> String {
    let mut text = list(ranking.parameters.iter());
    if let Some(labels) = &ranking.labels {
        let labels = name(labels);
        if text.contains("targets labels") {
            text = text.replacen("targets labels", &format!("targets labels ({labels})"), 1);
        } else {
            let gap = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{gap}labels {labels}");
        }
    }
    if let Some(target) = &ranking.target {
        let gap = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{gap}target {}", name(target));
    }
    text
}

fn footer(out: &mut String, ranking: &RankingFound, found: &Findings, listed: Listed) {
    let auto =
        found.card.asked.iter().any(|(name, value)| name == "top" && *value == ParameterValue::word("auto"));
    if let Some(elbow) = ranking.elbow.filter(|_| auto) {
        let kept = plural(elbow, "feature");
        let come = if elbow == 1 { "comes" } else { "come" };
        let _ =
            writeln!(out, "{DIM}{kept} {come} before the turning point of the scores (--top auto){DIM:#}");
    }
    let all = ranking.places.len();
    if all > listed.most() {
        let hidden = count(all - listed.most());
        let more = if listed == Listed::First { format!("--top {all} or ") } else { String::new() };
        let _ = writeln!(out, "{DIM}… and {hidden} more ({more}--format csv shows them){DIM:#}");
    }
}

/// How a method saw the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sight {
    scaling: Scaling,
    transform: Transform,
}

impl Sight {
    /// How the method of a ranking did.
    fn of(ranking: &RankingFound) -> Self {
        Sight { scaling: ranking.scaling, transform: ranking.transform }
    }

    /// How the maker of a graph did.
    pub(crate) fn of_graph(graph: &GraphFound) -> Self {
        Sight { scaling: graph.scaling, transform: graph.transform }
    }

    /// How a method did that was judged.
    pub(crate) fn seen(seen: &Seen) -> Self {
        Sight { scaling: seen.scaling, transform: seen.transform }
    }

    /// How those did who judged.
    pub(crate) fn judged(evaluation: &Evaluation) -> Self {
        Sight { scaling: evaluation.scaling, transform: evaluation.transform }
    }

    fn in_words(self, data: &DataCard) -> String {
        data.seen(self.scaling, self.transform)
    }
}

/// How most methods saw the data, the first of equals, and those that saw them otherwise.
pub(crate) fn usual_sight<'a>(sights: &[(&'a str, Sight)]) -> (Sight, Vec<(&'a str, Sight)>) {
    let users = |sight: Sight| sights.iter().filter(|(_, s)| *s == sight).count();
    let none = Sight { scaling: Scaling::Auto, transform: Transform::None };
    let usual = sights.iter().rev().map(|(_, s)| *s).max_by_key(|&s| users(s)).unwrap_or(none);
    (usual, sights.iter().copied().filter(|(_, s)| *s != usual).collect())
}

/// `demo:iris · 150 samples × 4 features · …`, and which methods saw the data otherwise.
pub(crate) fn describe_data(data: &DataCard, usual: Sight, otherwise: &[(&str, Sight)]) -> String {
    let samples = plural(data.n_samples, "sample");
    let features = plural(data.n_features, "feature");
    let (source, seen) = (name(&data.name), usual.in_words(data));
    let mut text = format!("{DIM}data{DIM:#}   {source} · {samples} × {features} · {seen}");
    if !otherwise.is_empty() {
        let each = otherwise.iter().map(|&(name, sight)| format!("{name}: {}", sight.in_words(data)));
        let _ = write!(text, " ({})", each.collect::<Vec<_>>().join("; "));
    }
    let mut ranked = [usual].into_iter().chain(otherwise.iter().map(|(_, sight)| *sight));
    if !data.transform_is_asked && ranked.any(|sight| sight.transform == Transform::Ranks) {
        let why = data.carried.in_words();
        let _ = write!(text, "\n{DIM}ranks{DIM:#}  {why}; --transform none takes them as they are");
    }
    text
}

/// The vital signs of a graph on one line. Numbers that tell something only to those who know the formulas, fitted
/// widths and degrees, are for `--verbose`; a graph that they make doubtful has a warning.
pub(crate) fn describe_graph(graph: &GraphSummary, verbose: bool) -> String {
    let found = &graph.health;
    let mut text = describe_recipe(graph, verbose);
    let _ = write!(text, " · {}", plural(found.edges, "edge"));
    let style = if found.components > 1 { YELLOW } else { anstyle::Style::new() };
    let _ = write!(text, " · {style}{}{style:#}", plural(found.components, "component"));
    if found.isolated > 0 {
        let _ = write!(text, ", {} of a single sample", count(found.isolated));
    }
    if verbose {
        let _ = write!(text, " · degree {} to {}", number(found.min_degree), number(found.max_degree));
    }
    text
}

/// `knn (k 5, weight heat, …)`; the width of the kernel, which tells something only to those who know the formula, where
/// more is asked for.
pub(crate) fn describe_recipe(graph: &GraphSummary, verbose: bool) -> String {
    with_parameters(graph, |name| verbose || !matches!(name, "t" | "sigma"))
}

fn with_parameters(graph: &GraphSummary, shown: impl Fn(&str) -> bool) -> String {
    let parameters =
        graph.parameters.iter().filter(|(name, value)| *value != ParameterValue::Bool(false) && shown(name));
    let parameters = list(parameters.map(|(name, value)| (&**name, value)));
    if parameters.is_empty() { graph.kind.clone() } else { format!("{} ({parameters})", graph.kind) }
}

fn list<'n, 'v>(parameters: impl Iterator<Item = (&'n str, &'v ParameterValue)>) -> String {
    let show = |(name, value): (&str, &ParameterValue)| match value {
        ParameterValue::Real(v) => format!("{name} {}", number(*v)),
        ParameterValue::Bool(true) => name.to_owned(),
        other => format!("{name} {other}"),
    };
    parameters.map(show).collect::<Vec<_>>().join(", ")
}

/// Scores as shares of the way from the worst to the best, so that longer is always better. Features that a method does not
/// use lie before its beginning and have no bar.
struct Bars {
    worst: f64,
    best: f64,
}

impl Bars {
    fn new(ranking: &RankingFound) -> Self {
        let (best, worst) = ranking.range.unwrap_or((0.0, 0.0));
        Bars { worst, best }
    }

    fn share(&self, score: f64) -> f64 {
        // Scores that differ by rounding alone are drawn as equal.
        let noise = (ROUNDING * self.best.abs().max(self.worst.abs())).max(f64::MIN_POSITIVE);
        if (self.best - self.worst).abs() <= noise {
            1.0
        } else {
            (score - self.worst) / (self.best - self.worst)
        }
    }
}
