//! Rankings judged by a protocol, data set by data set and setting by setting.

use std::sync::Arc;

use fiedler::eval::{
    Agreement, Candidate, Curve, CurveKind, Evaluation, Measure, Partition, Protocol, Selection, SvmMeasure,
};
use fiedler::{Analysis, Dataset, Goal, GraphUse, Selector};
use serde_json::{Value, json};

use super::Context;
use super::cache::hash;
use super::claims::Judged;
use super::found::{Cell, CurveFound, Ours, TableFound};
use super::recipe::{Data, Evaluate, GraphKeys, Method, Recipe, Setting};
use super::shared::Shared;
use super::store::Stored;
use super::values;
use crate::commands::fuse::candidate::{self as fuse, Subject};
use crate::failure::{Failure, Outcome};
use crate::lists;

/// The smallest number of counts and partitions that still tells something.
const QUICK: usize = 2;

/// Computes the table again.
///
/// # Errors
/// The recipe is at fault, or the work fails.
pub(super) fn run(recipe: &Recipe, question: &Evaluate, context: &Context<'_>) -> Outcome<TableFound> {
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings);
    let (mut first, mut last, mut goal) = (Vec::new(), Vec::new(), Goal::Maximize);
    let mut rows = Vec::with_capacity(recipe.data.len());
    let shared = Shared::default();
    found.warnings.extend(never_run(recipe));
    let printed_last = question.printed.as_deref() == Some("last");
    for data in &recipe.data {
        let Some(stored) = context.stored(recipe, data, &mut found)? else { continue };
        found.warnings.extend(recipe.counts_left_out("evaluate", question, data, &stored.data));
        let job = |setting| Job { question, recipe, data, setting, shared: &shared, context };
        let answer = |(at, setting)| {
            let found = job(setting).answer(&stored);
            found.map_err(|failure| recipe.placed(failure, data, at))
        };
        let answers = settings.iter().enumerate().map(answer).collect::<Outcome<Vec<Value>>>()?;
        goal = goal_of(&answers[0]);
        found.warn(&data.name, &answers);
        for curve in answers[0]["curves"].as_array().into_iter().flatten() {
            let (name, kind) = (text(&curve["name"]), text(&curve["kind"]));
            let ours = answers.iter().map(|a| value(a, name, kind, data.at.or(question.at))).collect();
            if data.at.is_none() && kind != "worst" && kind != "all" {
                found.curves.push(CurveFound::of(&data.name, name, curve));
            }
            let compared = kind == if printed_last { "worst" } else { "method" };
            let paper = data.paper.get(name).and_then(|p| p.at(0)).filter(|_| compared);
            let cell = Cell::number(&data.name, name, paper, ours, goal);
            if kind == "worst" {
                last.push(cell);
            } else {
                found.samples.keep((&data.name, name), data.at.or(question.at), &answers);
                first.push(cell);
            }
        }
        rows.push((data.name.clone(), answers));
    }
    let averaged = recipe.claim.iter().any(|claim| claim.average);
    let averages = if averaged { found.samples.averages(&first, settings.len()) } else { Vec::new() };
    let samples = &found.samples;
    let judged = Judged { cells: &first, worst: &last, averages: &averages, rows: &rows, samples, goal };
    found.claims = judged.check(&recipe.claim, settings.len())?;
    found.cells = if printed_last { last } else { first };
    found.cells.extend(averages);
    found.against.clone_from(&question.against);
    found.gather();
    Ok(found)
}

/// The methods that no row has a printed value of, where all rows have some.
fn never_run(recipe: &Recipe) -> Option<String> {
    let runs = |method: &Method| recipe.data.iter().any(|data| is_run(data, method));
    let never: Vec<&str> = recipe.method.iter().filter(|m| !runs(m)).map(|m| m.name.as_str()).collect();
    let (names, verb) = (never.join(", "), if never.len() == 1 { "is" } else { "are" });
    (!never.is_empty()).then(|| {
        format!("{names} {verb} not run: rows that have printed values (`paper`) run the methods that these are of")
    })
}

/// Whether a row runs a method: all where there are no printed values, else those that have one.
fn is_run(data: &Data, method: &Method) -> bool {
    data.paper.is_empty() || data.paper.contains_key(&method.name)
}

/// Which way is better in an answer.
pub(super) fn goal_of(answer: &Value) -> Goal {
    if answer["goal"] == "minimize" { Goal::Minimize } else { Goal::Maximize }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The value of a curve in an answer: at a number of features, or the mean over all.
fn value(answer: &Value, name: &str, kind: &str, at: Option<usize>) -> Option<Ours> {
    let curves = answer["curves"].as_array()?;
    let curve = curves.iter().find(|c| text(&c["name"]) == name && text(&c["kind"]) == kind)?;
    let (mean, sd) = match at {
        None => (&curve["mean"], &curve["sd"]),
        Some(_) if curve["kind"] == "all" => (&curve["mean"], &curve["sd"]),
        Some(count) => {
            let point = curve["curve"].as_array()?.iter().find(|p| p[0] == count)?;
            (&point[1], &point[2])
        }
    };
    Some(Ours::Number { mean: mean.as_f64()?, sd: sd.as_f64()?, n: curve["n"].as_u64()? as usize })
}

impl CurveFound {
    fn of(row: &str, method: &str, curve: &Value) -> Self {
        let point = |p: &Value| Some((p[0].as_u64()? as usize, p[1].as_f64()?));
        let points = curve["curve"].as_array().into_iter().flatten().filter_map(point).collect();
        CurveFound { row: row.to_owned(), method: method.to_owned(), points }
    }
}

/// One data set in one setting.
struct Job<'a> {
    question: &'a Evaluate,
    recipe: &'a Recipe,
    data: &'a Data,
    setting: &'a Setting,
    shared: &'a Shared,
    context: &'a Context<'a>,
}

impl Job<'_> {
    /// From the cache, or computed.
    fn answer(&self, stored: &Stored) -> Outcome<Value> {
        let methods = self.methods();
        let mut asked = json!({
            "evaluate": self.question,
            "quick": self.context.quick,
            "setting": self.setting,
            "graph": self.data.graph,
            "neighbors": self.data.neighbors,
            "methods": methods,
        });
        if let Some(files) = self.files(stored, &methods)? {
            asked["files"] = files.into();
        }
        // Keys that older answers do not have stay out of the question, so that those are found again.
        for (name, value) in [("classes", self.data.classes), ("labeled", self.data.labeled)] {
            if let Some(value) = value {
                asked[name] = value.into();
            }
        }
        self.context.tell(&format!("{} · {}", self.data.name, self.setting.name));
        self.context.cache.get(&stored.hash, &asked, || self.compute(stored, &methods))
    }

    /// The hash of what the row reads beside its data, where it does.
    fn files(&self, stored: &Stored, methods: &[&Method]) -> Outcome<Option<String>> {
        let mut files = Vec::new();
        for config in methods.iter().filter_map(|m| m.fuse.as_ref()) {
            let path = stored.beside(config)?;
            files.extend(fuse::files(&path)?);
            files.push(path);
        }
        files.extend(self.data.known.iter().map(|known| stored.beside(known)).collect::<Outcome<Vec<_>>>()?);
        let mut bytes = Vec::new();
        for file in &files {
            let own = std::fs::read(file).map_err(|e| Failure::Data(format!("{}: {e}", file.display())))?;
            bytes.extend(own);
        }
        Ok((!files.is_empty()).then(|| hash(&bytes)))
    }

    /// The methods that the row has values for.
    fn methods(&self) -> Vec<&Method> {
        self.recipe.method.iter().filter(|method| is_run(self.data, method)).collect()
    }

    fn compute(&self, stored: &Stored, methods: &[&Method]) -> Outcome<Value> {
        let data = stored.data.clone().scaled(self.setting.scaling()?);
        let (mut protocol, mut notes) = (self.protocol(&data)?, Vec::new());
        if let Some(known) = &self.data.known {
            let known = lists::read(&[stored.beside(known)?], "known")?.known(&data)?;
            notes.extend(known.not_counted());
            protocol.metric = Measure::Hits { known: known.features };
            // All partitions would see the same samples, and find the same.
            if protocol.selection == Selection::All {
                protocol.partition = Partition::Halves { repeats: 1 };
            }
        }
        let mut candidates = Vec::with_capacity(methods.len());
        for method in methods {
            match &method.fuse {
                None => candidates.push(self.candidate(method, &data, &stored.hash, &protocol)?),
                Some(config) => {
                    let (path, seed) = (stored.beside(config)?, Some(self.question.seed));
                    let subject = Subject { data: &data, file: stored.file.as_deref(), seed };
                    let made = fuse::candidate(&path, &method.name, &subject, self.context.monitor)?;
                    candidates.push(made.candidate);
                    notes.extend(made.notes);
                }
            }
        }
        let mut found = protocol.evaluate(&data, &candidates, self.context.monitor)?;
        let untold = found.untold(|_| None);
        found.warnings.splice(0..0, untold);
        found.warnings.extend(notes);
        Ok(plain(&found, usize::from(self.question.measure.as_deref() == Some("nmi"))))
    }

    /// The method as a candidate under the paper's name. Another row of the same data may take over its rankings.
    fn candidate(
        &self,
        method: &Method,
        data: &Dataset,
        hash: &str,
        protocol: &Protocol,
    ) -> Outcome<Candidate> {
        let graph = self.data.graph.as_ref().or(self.setting.graph.as_ref());
        let selector = selector(method, graph, data)?;
        // The last features take whole rankings, and few labels are drawn for a method that is known as one.
        let most = protocol.counts.last().filter(|_| !protocol.worst && protocol.labeled.is_empty());
        match most {
            Some(&most) => {
                let asked = json!([hash, self.setting.scale, graph, method, most]).to_string();
                Ok(self.shared.candidate(asked, &method.name, most, selector))
            }
            None => Ok(Candidate { name: method.name.clone(), ..Candidate::shared(selector) }),
        }
    }

    fn protocol(&self, data: &Dataset) -> Outcome<Protocol> {
        let question = self.question;
        let mut counts = question.counts.numbers(data.n_samples(), data.n_features())?;
        let mut repeats = question.repeats;
        if self.context.quick {
            counts = thinned(&counts);
            repeats = repeats.min(QUICK);
        }
        let neighbors = self.data.neighbors.or(self.setting.neighbors).or(question.neighbors);
        let usual = values::metric(&question.metric).map_err(Failure::usage)?;
        let metric = match (usual, neighbors, &question.costs) {
            (Measure::Jaccard { .. }, Some(neighbors), _) => Measure::Jaccard { neighbors },
            (Measure::Svm(usual), _, Some(costs)) => {
                Measure::Svm(SvmMeasure { costs: costs.clone(), ..usual })
            }
            (usual, ..) => usual,
        };
        let selection = match self.setting.selection.as_deref().or(question.selection.as_deref()) {
            None | Some("training") => Selection::Training,
            Some("all") => Selection::All,
            Some(other) => return Err(Failure::usage(format!("selection: training or all, got `{other}`"))),
        };
        let partition = match (self.data.classes, question.folds) {
            (Some(classes), _) => Partition::Classes { classes, repeats },
            (None, Some(folds)) => Partition::Folds { folds, repeats },
            (None, None) => Partition::Halves { repeats },
        };
        let (worst, seed) = (question.worst, question.seed);
        let labeled = self.data.labeled.into_iter().collect();
        Ok(Protocol { partition, selection, counts, worst, labeled, seed, ..Protocol::new(metric) })
    }
}

/// The first, the middle and the last count.
fn thinned(counts: &[usize]) -> Vec<usize> {
    let mut few: Vec<usize> = [0, counts.len() / 2, counts.len().saturating_sub(1)]
        .iter()
        .filter_map(|&i| counts.get(i).copied())
        .collect();
    few.dedup();
    few
}

/// A method of a recipe.
///
/// # Errors
/// A name or a value is wrong.
pub(super) fn selector(
    method: &Method,
    graph: Option<&GraphKeys>,
    data: &Dataset,
) -> Outcome<Arc<dyn Selector>> {
    let selectors = asked(method, graph, data)?.selectors(data).map_err(Failure::usage)?;
    let one = selectors.into_iter().next().ok_or_else(|| Failure::usage("a method is needed"))?;
    Ok(Arc::from(one))
}

/// The question that a method of a recipe is.
///
/// # Errors
/// A name or a value is wrong.
pub(super) fn asked(method: &Method, graph: Option<&GraphKeys>, data: &Dataset) -> Outcome<Analysis> {
    let entry = fiedler::methods::find(&method.method).map_err(Failure::usage)?;
    let classes = data.labels().map_or(0, |l| l.classes().len());
    let graph = method.graph.as_ref().or(graph).filter(|_| entry.info.graph != GraphUse::None);
    let asked = Analysis {
        methods: vec![method.method.clone()],
        settings: values::settings(method, classes, data.n_samples() / 2),
        graph: graph.map(GraphKeys::options).transpose().map_err(Failure::usage)?.unwrap_or_default(),
        ..Analysis::default()
    };
    asked.check().map_err(Failure::usage)?;
    Ok(asked)
}

/// What is kept of an evaluation.
fn plain(found: &Evaluation, measure: usize) -> Value {
    let table = &found.tables[measure.min(found.tables.len() - 1)];
    let step = match table.judge.agreement() {
        Agreement::Steps(step) => Some(step),
        Agreement::Sure | Agreement::Nothing => None,
    };
    let mut answer = json!({
        "measure": table.measure,
        "goal": table.goal.name(),
        "overlap": found.overlap,
        "step": step,
        "curves": table.curves.iter().map(|c| plain_curve(c, table.judge.known().is_some())).collect::<Vec<_>>(),
        "warnings": found.warnings,
    });
    if let Some((known, features)) = table.judge.known() {
        (answer["known"], answer["features"]) = (known.into(), features.into());
    }
    answer
}

/// What is kept of a curve; where hits are counted, the features that they are counted among.
fn plain_curve(c: &Curve, counts_hits: bool) -> Value {
    let name = match c.kind {
        // `NAME (last features)`
        CurveKind::Worst => c.name.trim_end_matches(" (last features)"),
        _ => &c.name,
    };
    let summary = &c.aggregated.summary;
    let mut line = json!({"name": name, "kind": c.kind.name(), "mean": summary.mean, "sd": summary.sd});
    if counts_hits {
        // One ranking is there once.
        let rankings = if c.is_one_ranking { 1 } else { c.selected.len() };
        line["selected"] = json!(c.selected.iter().take(rankings).collect::<Vec<_>>());
    }
    line["values"] = summary.values.clone().into();
    line["n"] = summary.values.len().into();
    line["curve"] =
        c.points.iter().map(|p| json!([p.count, p.summary.mean, p.summary.sd, p.summary.values])).collect();
    line
}
