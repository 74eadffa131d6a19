//! `fiedler graph`: who is similar to whom, and whether the answer can be trusted.

use std::fmt::Write;

use fiedler::spectrum::Spectrum;
use fiedler::{Analysis, Dataset, Findings, GraphFound};
use serde_json::{Value, json};

use super::{answered, begin, graph_list, tell};
use crate::args::{GraphCommandArgs, TableOrJson, is_csv};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::layout::{Align, Cell, Numbers, aligned, bar, count, histogram, number};
use crate::output::table::{self, Sight};
use crate::output::{self, BOLD, CYAN, DIM, csv, json};
use crate::words;

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &GraphCommandArgs) -> Outcome {
    if args.list {
        let format = TableOrJson::chosen(args.format, args.output.as_deref())?;
        let text = match format {
            TableOrJson::Table => graph_list::for_people(),
            TableOrJson::Json => json::document(&graph_list::for_programs()),
        };
        return output::write(text.as_bytes(), format.styling(), args.output.as_deref());
    }
    let mut analysis = Analysis {
        methods: Vec::new(),
        graph: args.graph.options()?,
        scaling: args.data.scale.unwrap_or_default(),
        transform: args.data.transform.0,
        seed: args.common.seed,
        rank: false,
        spectrum: Some(args.eigenvalues),
        portrait: args.report.is_wanted(),
        wording: words::step_as_option,
        ..Analysis::default()
    };
    analysis.check().map_err(Failure::question)?;
    let format = TableOrJson::chosen(args.format, args.output.as_deref())?;
    check_vectors(args, format)?;
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    analysis.graph.given = args.graph.given(&loaded.data, &progress)?;
    let found = answered(&analysis, &loaded, &progress, Failure::answer)?;
    let Some(graph) = &found.graph else { return Ok(()) };
    args.report.write(&found, None)?;
    tell(&found, &args.common);
    if let (Some(file), Some(spectrum)) = (&args.embedding, &graph.spectrum) {
        let text = embedding(spectrum, &loaded.data);
        fiedler_io::write_whole(file, |out| out.write_all(text.as_bytes()))?;
    }
    let text = match format {
        TableOrJson::Table => for_people(graph, &found, args.common.verbose),
        TableOrJson::Json => json::document(&for_programs(graph, &found, args.vectors)),
    };
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}

/// Vectors must be asked for where there are some, and have a place to go.
fn check_vectors(args: &GraphCommandArgs, format: TableOrJson) -> Outcome {
    args.embedding.as_deref().map_or(Ok(()), |file| is_csv("embedding", file))?;
    let asked = if args.vectors { "--vectors" } else { "--embedding" };
    if (args.vectors || args.embedding.is_some()) && args.eigenvalues == 0 {
        return Err(Failure::usage(format!(
            "{asked} needs --eigenvalues of 1 or more: as many vectors are computed"
        )));
    }
    if args.vectors && format != TableOrJson::Json {
        return Err(Failure::usage(
            "--vectors belongs to --format json; --embedding FILE.csv writes a table of them",
        ));
    }
    Ok(())
}

/// The eigenvectors, a line a sample: its name and label where it has them, then ξ₁, ξ₂, ….
fn embedding(spectrum: &Spectrum, data: &Dataset) -> String {
    let (names, labels) = (data.sample_names(), data.labels());
    let mut head: Vec<String> = vec!["sample".to_owned()];
    head.extend(labels.map(|_| "label".to_owned()));
    head.extend((1..=spectrum.len()).map(|j| format!("xi_{j}")));
    let mut out = head.join(",") + "\n";
    for i in 0..data.n_samples() {
        let name = names.map_or_else(|| (i + 1).to_string(), |names| names[i].clone());
        let mut line = vec![csv::field(&name).into_owned()];
        if let Some(labels) = labels {
            let label = labels.codes()[i].map_or("", |code| &labels.classes()[code as usize]);
            line.push(csv::field(label).into_owned());
        }
        // The shortest text that gives the same number when it is read again.
        line.extend((0..spectrum.len()).map(|j| format!("{:?}", spectrum.vector(j)[i])));
        out.push_str(&line.join(","));
        out.push('\n');
    }
    out
}

fn for_programs(graph: &GraphFound, found: &Findings, vectors: bool) -> Value {
    let with_vectors = |s: &Spectrum| (0..s.len()).map(|j| s.vector(j).to_vec()).collect::<Vec<_>>();
    let warnings = [&found.notes[..], &found.warnings].concat();
    json!({
        "format": found.format,
        "data": found.card.data.name,
        "n_samples": found.card.data.n_samples,
        "n_features": found.card.data.n_features,
        "scale": graph.scaling.name(),
        "transform": graph.transform.name(),
        "transform_reason": json::reason(graph.transform, found),
        "graph": json::graph(&graph.summary),
        "component_sizes": graph.component_sizes,
        "spectrum": graph.spectrum.as_ref().map(|s| {
            let mut told = json!({
                "eigenvalues": s.values(),
                "residuals": s.residuals(),
                "eigengap": s.eigengap(),
            });
            if vectors {
                told["vectors"] = json!(with_vectors(s));
            }
            told
        }),
        "warnings": warnings,
    })
}

fn for_people(graph: &GraphFound, answer: &Findings, verbose: bool) -> String {
    let mut out = String::new();
    let found = &graph.summary.health;
    let pairs = found.n_samples as f64 * (found.n_samples as f64 - 1.0) / 2.0;
    let recipe = table::describe_recipe(&graph.summary, verbose);
    let _ = writeln!(out, "{BOLD}Graph of the samples{BOLD:#}, {recipe}");
    let _ = writeln!(out, "{}\n", table::describe_data(&answer.card.data, Sight::of_graph(graph), &[]));
    let share = 100.0 * found.edges as f64 / pairs.max(1.0);
    let sizes: Vec<String> = graph.component_sizes.iter().take(10).map(|&s| count(s)).collect();
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
            match histogram(&graph.degrees, 24) {
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
    if let Some(spectrum) = &graph.spectrum {
        write_spectrum(&mut out, spectrum, found.components);
    }
    out
}

/// Eigenvalues as a table, the gap that stands out marked.
fn write_spectrum(out: &mut String, spectrum: &Spectrum, components: usize) {
    let values = spectrum.values();
    let gap = spectrum.eigengap();
    let largest = values.last().copied().unwrap_or(0.0);
    let numbers = Numbers::for_values(values.iter().copied());
    let which = if spectrum.has_negative() {
        "the trivial eigenvalue and the smallest others"
    } else {
        "the smallest eigenvalues"
    };
    let _ = writeln!(out, "\n{BOLD}Spectrum{BOLD:#}, {which} of the normalized Laplacian\n");
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
    let _ = writeln!(out, "\n{}", what_gaps_say(spectrum, components));
}

/// How many groups the eigenvalues suggest.
fn what_gaps_say(spectrum: &Spectrum, components: usize) -> String {
    let pairs = spectrum.len();
    let among = format!("among the first {pairs}");
    if spectrum.has_negative() {
        return "The graph has negative weights, and so negative eigenvalues: their gaps tell no number of clusters."
            .to_owned();
    }
    match (spectrum.eigengap(), spectrum.widest_gap()) {
        (Some(1), _) => format!("The eigengap suggests one cluster: no division stands out ({among})."),
        (Some(k), _) if k == components => {
            format!("The eigengap suggests {k} clusters, the components of the graph ({among}).")
        }
        (Some(k), _) => format!("The eigengap suggests {k} clusters ({among})."),
        (None, Some(k)) => format!("No gap stands out: the widest follows eigenvalue {k} ({among})."),
        (None, None) if spectrum.n_zero() == pairs && components > 1 => format!(
            "The graph falls into {} components, each with an eigenvalue of 0: how they divide shows beyond \
             (--eigenvalues {}).",
            count(components),
            components + GAPS_BEYOND
        ),
        (None, None) => "There is no gap to see.".to_owned(),
    }
}

/// Eigenvalues beyond those of the components that show a gap, if there is one.
const GAPS_BEYOND: usize = 10;
