//! `fiedler methods`: what there is to choose from, all of it from [`MethodInfo`].

use std::fmt::Write;

use fiedler::{GraphUse, MethodInfo, Scaling, Supervision, methods};
use serde_json::{Value, json};

use crate::args::{MethodsArgs, TableOrJson};
use crate::failure::{Failure, Outcome};
use crate::output::layout::{Align, Cell, aligned};
use crate::output::width::width;
use crate::output::{self, BOLD, DIM, json};

/// Characters of a line at most: longer ones are hard to read.
const LONGEST: usize = 100;

/// What the overview says of a method needs so many cells beside the other columns, or goes below its name.
const BESIDE: usize = 30;

fn columns() -> usize {
    width().min(LONGEST)
}

/// Runs the command.
///
/// # Errors
/// No method has the name asked for.
pub(crate) fn run(args: &MethodsArgs) -> Outcome {
    let text = match (&args.name, args.format) {
        (None, TableOrJson::Table) => overview(),
        (None, TableOrJson::Json) => {
            json::document(&methods::all().iter().map(|e| for_programs(e.info)).collect())
        }
        (Some(name), format) => {
            let info = methods::find(name).map_err(Failure::usage)?.info;
            match format {
                TableOrJson::Table => everything(info),
                TableOrJson::Json => json::document(&for_programs(info)),
            }
        }
    };
    output::write(text.as_bytes(), args.format.styling(), None)
}

/// Cells before the last column of the overview.
const BEFORE: usize = 41;

fn overview() -> String {
    let mut out = if columns() < BEFORE + BESIDE { one_below_the_other() } else { side_by_side() };
    let _ = writeln!(out, "\n{DIM}fiedler methods NAME tells everything about one{DIM:#}");
    out
}

fn one_below_the_other() -> String {
    let mut out = String::new();
    for entry in methods::all() {
        let info = entry.info;
        let _ = writeln!(out, "{BOLD}{}{BOLD:#}", info.name);
        let _ = writeln!(out, "  {}", wrapped(in_short(info.measures), 2));
    }
    out
}

fn side_by_side() -> String {
    let mut rows = vec![
        ["name", "labels", "better", "graph", "what it measures"].map(|h| Cell::styled(h, DIM)).to_vec(),
    ];
    for entry in methods::all() {
        let info = entry.info;
        let measures = wrapped_to(in_short(info.measures), 0, columns() - BEFORE);
        let mut lines = measures.lines().map(Cell::new);
        rows.push(vec![
            Cell::styled(info.name, BOLD),
            Cell::new(format!("{}{}", labels(info.supervision), if info.takes_number { "*" } else { "" })),
            Cell::new(info.goal.in_words().trim_end_matches(" is better")),
            Cell::new(graph(info.graph)),
            lines.next().unwrap_or_default(),
        ]);
        rows.extend(
            lines.map(|line| vec![Cell::default(), Cell::default(), Cell::default(), Cell::default(), line]),
        );
    }
    let mut out = String::new();
    aligned(&mut out, &[Align::Left; 5], &rows);
    let _ = writeln!(out, "\n{DIM}* or a number to be predicted (--target){DIM:#}");
    out
}

fn everything(info: &MethodInfo) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{BOLD}{}{BOLD:#}: {}, {}\n", info.name, info.title, info.goal.in_words());
    let _ = writeln!(out, "{}\n", wrapped(info.measures, 0));
    let facts = [
        ("formula", info.formula),
        ("labels", &labels_in_words(info)),
        ("graph", &graph_in_words(info.graph)),
        ("scale", &scale_in_words(info.scaling)),
        ("cost", info.cost),
        ("fails", info.fails),
        ("source", info.reference),
    ];
    for (name, text) in facts {
        let _ = writeln!(out, "{DIM}{name:<9}{DIM:#}{}", wrapped(text, 9));
    }
    if info.parameters.is_empty() {
        let _ = writeln!(out, "\nIt has no parameters.");
        return out;
    }
    let _ = writeln!(out, "\n{BOLD}Parameters{BOLD:#} (--set name=value)\n");
    let mut rows = vec![["name", "default", "values"].map(|h| Cell::styled(h, DIM)).to_vec()];
    for p in info.parameters {
        rows.push(vec![
            Cell::styled(p.name, BOLD),
            Cell::new(p.default.to_string()),
            Cell::new(p.kind.to_string()),
        ]);
    }
    aligned(&mut out, &[Align::Left; 3], &rows);
    for p in info.parameters {
        let _ = writeln!(out, "\n{}", entry(p.name, p.help, 0));
    }
    out
}

fn for_programs(info: &MethodInfo) -> Value {
    let parameter = |p: &fiedler::ParameterInfo| json!({"name": p.name, "default": p.default.to_string(), "values": p.kind.to_string(), "help": p.help});
    json!({
        "name": info.name,
        "title": info.title,
        "measures": info.measures,
        "formula": info.formula,
        "goal": info.goal.name(),
        "labels": labels(info.supervision),
        "takes_number": info.takes_number,
        "graph": graph(info.graph),
        "scale": info.scaling.name(),
        "parameters": info.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "cost": info.cost,
        "fails": info.fails,
        "reference": info.reference,
    })
}

/// The same for people, with whether a number to be predicted will do.
fn labels_in_words(info: &MethodInfo) -> String {
    let number = if info.takes_number { ", or a number to be predicted (--target)" } else { "" };
    let of_graph = info.supervision == Supervision::Optional && info.graph == GraphUse::Labels;
    let labels = if of_graph {
        "for its usual graph; none with another (--graph knn)"
    } else {
        labels(info.supervision)
    };
    format!("{labels}{number}")
}

fn labels(supervision: Supervision) -> &'static str {
    match supervision {
        Supervision::Unsupervised => "none",
        Supervision::SemiSupervised => "some",
        Supervision::Supervised => "all",
        Supervision::Optional => "optional",
    }
}

/// The graph a method takes where the user names none.
fn graph(graph: GraphUse) -> &'static str {
    match graph {
        GraphUse::None => "none",
        GraphUse::Knn => "knn",
        GraphUse::Rbf => "rbf",
        GraphUse::Labels => "labels",
    }
}

fn graph_in_words(graph_use: GraphUse) -> String {
    match graph_use {
        GraphUse::None => "none that can be chosen".to_owned(),
        GraphUse::Rbf => {
            "rbf by default, or knn with heat or rbf weights and euclidean distance (--graph)".to_owned()
        }
        other => format!("any (--graph), {} by default", graph(other)),
    }
}

fn scale_in_words(scaling: Scaling) -> String {
    match scaling {
        Scaling::None => "none: it sees the data as they are".to_owned(),
        other => format!("{} by default (--scale)", other.name()),
    }
}

/// What comes before the first colon, semicolon or full stop: the gist of a description.
fn in_short(text: &str) -> &str {
    let end = [": ", "; ", ". "].iter().filter_map(|mark| text.find(mark)).min();
    text[..end.unwrap_or(text.len())].trim_end_matches('.')
}

/// Breaks a text into lines that fit, all but the first indented.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    wrapped_to(text, indent, columns())
}

/// `name: help`, wrapped as one text, with the name in bold.
pub(super) fn entry(name: &str, help: &str, indent: usize) -> String {
    let text = wrapped_to(&format!("{name}: {help}"), 0, columns() - indent);
    let lines = text.replace('\n', &format!("\n{}", " ".repeat(indent)));
    lines.replacen(name, &format!("{BOLD}{name}{BOLD:#}"), 1)
}

fn wrapped_to(text: &str, indent: usize, width: usize) -> String {
    let mut out = String::new();
    let mut length = indent;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > indent && length + 1 + letters > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            length = indent;
        } else if length > indent {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += letters;
    }
    out
}
