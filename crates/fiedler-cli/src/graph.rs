//! `fiedler graph`: who is similar to whom, and whether the answer can be trusted.

use std::fmt::Write;

use fiedler::graph::Graph;
use fiedler::spectrum::Spectrum;
use fiedler::{Dataset, GraphUse, Monitor};
use serde_json::{Value, json};

use crate::args::{GraphArgs, TableOrJson};
use crate::data::{LabelUse, Loaded};
use crate::failure::{Failure, Outcome};
use crate::fitting::Fit;
use crate::output::layout::{Align, Cell, Numbers, aligned, bar, count, histogram, number};
use crate::output::{self, BOLD, CYAN, DIM, YELLOW, json, table};
use crate::rank;

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &GraphArgs) -> Outcome {
    let kind = args.graph.kind(GraphUse::Knn);
    let recipe = args.graph.recipe(&kind)?;
    let progress = rank::begin(&args.common)?;
    let mut loaded = Loaded::read(&args.data, &progress)?;
    let mut fit = Fit::new(&loaded.data, loaded.data.n_samples());
    let recipe = args.graph.fitted(&kind, &recipe, &mut fit)?.unwrap_or(recipe);
    loaded.notes.append(&mut fit.notes);
    rank::tell_notes(&loaded, &args.common);
    let labels = if kind.needs_labels() { LabelUse::Needed } else { LabelUse::Never };
    let graph = recipe.build(&loaded.seen_by(labels), &progress)?;
    let mut warnings = graph.warnings().to_vec();
    let spectrum = spectrum(&graph, args.eigenvalues, &mut warnings, &progress)?;
    progress.finish();
    if !args.common.quiet {
        warnings.iter().for_each(|w| output::report("warning", YELLOW, w));
    }
    let text = match TableOrJson::chosen(args.format, args.output.as_deref()) {
        TableOrJson::Table => for_people(&graph, spectrum.as_ref(), &loaded.data, &loaded.name),
        TableOrJson::Json => {
            let told = [&loaded.notes[..], &warnings].concat();
            json::document(&for_programs(&graph, spectrum.as_ref(), &loaded.data, &told))
        }
    };
    output::write(text.as_bytes(), args.output.as_deref())
}

/// The spectrum, or a warning why there is none: the rest of the answer stands without it.
fn spectrum(
    graph: &Graph,
    wanted: usize,
    warnings: &mut Vec<String>,
    monitor: &dyn Monitor,
) -> Outcome<Option<Spectrum>> {
    if wanted == 0 {
        return Ok(None);
    }
    match Spectrum::leading(graph, wanted.min(graph.n_samples()), monitor) {
        Ok(spectrum) => Ok(Some(spectrum)),
        Err(fiedler::Error::Canceled) => Err(Failure::Interrupted),
        Err(error) => {
            warnings.push(format!("no spectrum: {error}"));
            Ok(None)
        }
    }
}

fn for_programs(graph: &Graph, spectrum: Option<&Spectrum>, data: &Dataset, warnings: &[String]) -> Value {
    json!({
        "n_samples": data.n_samples(),
        "n_features": data.n_features(),
        "scale": data.scaling().name(),
        "graph": json::graph(graph),
        "component_sizes": component_sizes(graph),
        "spectrum": spectrum.map(|s| json!({
            "eigenvalues": s.values(),
            "residuals": s.residuals(),
            "eigengap": s.eigengap(),
        })),
        "warnings": warnings,
    })
}

fn for_people(graph: &Graph, spectrum: Option<&Spectrum>, data: &Dataset, source: &str) -> String {
    let mut out = String::new();
    let found = graph.diagnostics();
    let pairs = found.n_samples as f64 * (found.n_samples as f64 - 1.0) / 2.0;
    let _ = writeln!(out, "{BOLD}Graph of the samples{BOLD:#}, {}", table::describe_recipe(graph));
    let _ = writeln!(out, "{}\n", table::describe_data(data, source, &[]));
    let share = 100.0 * found.edges as f64 / pairs.max(1.0);
    let sizes: Vec<String> = component_sizes(graph).iter().take(10).map(|&s| count(s)).collect();
    let more = if found.components > 10 { ", …" } else { "" };
    let signs = [
        ("edges", format!("{} ({} % of all pairs)", count(found.edges), number(share))),
        (
            "components",
            match found.components {
                1 => "1".to_owned(),
                several => format!("{} (of {}{more} samples)", count(several), sizes.join(", ")),
            },
        ),
        ("isolated", count(found.isolated)),
        (
            "degree",
            match histogram(graph.degrees(), 24) {
                Some(shape) => format!(
                    "{} ▕{shape}▏ {}, median {}",
                    number(found.min_degree),
                    number(found.max_degree),
                    number(found.median_degree)
                ),
                None => format!("{} for every sample", number(found.max_degree)),
            },
        ),
    ];
    let rows: Vec<Vec<Cell>> =
        signs.into_iter().map(|(name, text)| vec![Cell::styled(name, DIM), Cell::new(text)]).collect();
    aligned(&mut out, &[Align::Left, Align::Left], &rows);
    if let Some(spectrum) = spectrum {
        write_spectrum(&mut out, spectrum);
    }
    out
}

/// Eigenvalues as a table, the widest gap marked.
fn write_spectrum(out: &mut String, spectrum: &Spectrum) {
    let values = spectrum.values();
    let gap = spectrum.eigengap();
    let largest = values.last().copied().unwrap_or(0.0);
    let numbers = Numbers::for_values(values.iter().copied());
    let _ = writeln!(out, "\n{BOLD}Spectrum{BOLD:#}, the smallest eigenvalues of the normalized Laplacian\n");
    let mut rows = vec![["j", "eigenvalue", ""].map(|h| Cell::styled(h, DIM)).to_vec()];
    for (j, &value) in values.iter().enumerate() {
        let mark = if gap == Some(j + 1) { "  ◄ the widest gap follows" } else { "" };
        rows.push(vec![
            Cell::new((j + 1).to_string()),
            Cell::new(numbers.show(value)),
            Cell::styled(bar(value / largest.max(f64::MIN_POSITIVE), 24) + mark, CYAN),
        ]);
    }
    aligned(out, &[Align::Right, Align::Right, Align::Left], &rows);
    if let Some(k) = gap {
        let clusters = if k == 1 { "one cluster: no division stands out" } else { "clusters" };
        let number = if k == 1 { String::new() } else { format!("{k} ") };
        let _ =
            writeln!(out, "\nThe eigengap suggests {number}{clusters} (among the first {}).", values.len());
    }
}

/// Samples per component, most first.
fn component_sizes(graph: &Graph) -> Vec<usize> {
    let mut sizes = Vec::new();
    for component in graph.components() {
        if component >= sizes.len() {
            sizes.resize(component + 1, 0);
        }
        sizes[component] += 1;
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
