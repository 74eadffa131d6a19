//! `fiedler demo`: generated data as files, with configurations that read them.

use std::fmt::Write;

use fiedler::Dataset;
use fiedler::dataset::demo::{self, Study, StudyData};

use super::begin;
use crate::args::{DemoArgs, DemoName};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Styling};

/// The most genes: what a table of text can sensibly hold.
const MOST_GENES: usize = 200_000;

/// Runs the command.
///
/// # Errors
/// The number of genes is not possible, the directory holds something, or Ctrl-C; then nothing is written.
pub(crate) fn run(args: &DemoArgs) -> Outcome {
    let DemoName::Study = args.what;
    if args.genes > MOST_GENES {
        return Err(Failure::usage(format!("--genes must be at most {MOST_GENES}, got {}", args.genes)));
    }
    let progress = begin(&args.common)?;
    let study = Study { genes: args.genes, seed: args.common.seed.unwrap_or(0) };
    let made = study.generate_with(&progress).map_err(Failure::question)?;
    let files = files(&made)?;
    fiedler_io::write_files(&args.directory, &files)?;
    progress.finish();
    let folder = output::harmless(&args.directory.to_string_lossy()).into_owned();
    let text = format!(
        "{} samples × {} genes and what is known of them, in {} files in {folder}\nREADME.txt there says what to try\n",
        made.two.n_samples(),
        made.two.n_features(),
        files.len()
    );
    output::write(text.as_bytes(), Styling::None, None)
}

/// The files of a study.
fn files(study: &StudyData) -> Outcome<Vec<(String, String)>> {
    let gene = |j: usize| study.two.feature_name(j).into_owned();
    let lines = |genes: &[usize]| genes.iter().map(|&j| gene(j) + "\n").collect::<String>();
    let edges = study.pathway.iter().map(|&(a, b)| format!("{}\tpp\t{}\n", gene(a), gene(b)));
    let terms = study.annotations.iter().map(|&(j, term)| format!("{}\tT{:02}\n", gene(j), term + 1));
    let mut files = vec![
        ("2c.csv".to_owned(), table(&study.two)?),
        ("4c.csv".to_owned(), table(&study.four)?),
        ("mirna.csv".to_owned(), table(&study.mirna)?),
        ("function.txt".to_owned(), lines(&study.function)),
        ("pathway.sif".to_owned(), edges.collect()),
        ("ontology.tsv".to_owned(), "gene\tterm\n".to_owned() + &terms.collect::<String>()),
        ("literature.csv".to_owned(), literature(study)),
        ("known.txt".to_owned(), lines(&study.known)),
        ("truth.txt".to_owned(), lines(&study.truth)),
        ("README.txt".to_owned(), README.to_owned()),
    ];
    for (set, comb_1, comb_2) in [
        ("2c", [0.0, 0.5, 0.5, 0.0, 0.0], [0.1, 0.3, 0.3, 0.2, 0.1]),
        ("4c", [0.0, 0.3, 0.4, 0.3, 0.0], [0.1, 0.2, 0.4, 0.2, 0.1]),
    ] {
        for (at, (name, ..)) in SOURCES.iter().enumerate() {
            let alone: [f64; 5] = std::array::from_fn(|i| f64::from(u8::from(i == at)));
            files.push((format!("{set}-{}.toml", name.to_lowercase()), config(set, &alone)));
        }
        files.push((format!("{set}-comb-1.toml"), config(set, &comb_1)));
        files.push((format!("{set}-comb-2.toml"), config(set, &comb_2)));
        files.push((format!("{set}-learned.toml"), learned(set)));
    }
    Ok(files)
}

/// The sources by name, with what a configuration says of them.
const SOURCES: [(&str, &str); 5] = [
    ("mRNA", "kind = \"target\""),
    ("miRNA", "kind = \"data\"\nfile = \"mirna.csv\"\ndrop = true"),
    ("Function", "kind = \"sets\"\nfile = \"function.txt\""),
    ("Pathway", "kind = \"sets\"\nfile = \"pathway.sif\""),
    ("Ontology", "kind = \"annotations\"\nfile = \"ontology.tsv\""),
];

/// SPEC with φ2 on the sum of the sources, as in DIS 5.3.
fn head(set: &str, weights: &str) -> String {
    format!(
        "method = \"spec\"\nset = {{ phi = 2 }}\nweights = \"{weights}\"\nknown = \"known.txt\"\n\n[target]\nfile = \"{set}.csv\"\nlabel = \"{}\"\n",
        demo::LABEL
    )
}

/// A configuration with the sources that have a weight.
fn config(set: &str, weights: &[f64; 5]) -> String {
    let mut text = head(set, "given");
    for ((name, keys), weight) in SOURCES.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        let _ = write!(text, "\n[[source]]\nname = \"{name}\"\n{keys}\nweight = {weight:?}\n");
    }
    text
}

/// The same with weights learned from labels.
fn learned(set: &str) -> String {
    let mut text = head(set, "aligned");
    for (name, keys) in SOURCES {
        let _ = write!(text, "\n[[source]]\nname = \"{name}\"\n{keys}\n");
    }
    text
}

/// Samples × features with names and, where there are any, labels.
fn table(data: &Dataset) -> Outcome<String> {
    let (n, m) = (data.n_samples(), data.n_features());
    let mut lines: Vec<String> = data.sample_names().unwrap_or_default().to_vec();
    let mut text = String::from("sample");
    for j in 0..m {
        let _ = write!(text, ",{}", data.feature_name(j));
        let column = data.column(j)?;
        lines.iter_mut().zip(&column).for_each(|(line, value)| {
            let _ = write!(line, ",{value:.4}");
        });
    }
    if let Some(labels) = data.labels() {
        let _ = write!(text, ",{}", labels.name());
        for (line, code) in lines.iter_mut().zip(labels.codes()) {
            let _ = write!(line, ",{}", code.map_or("", |code| &labels.classes()[code as usize]));
        }
    }
    debug_assert_eq!(lines.len(), n);
    text.push('\n');
    lines.iter().for_each(|line| {
        text.push_str(line);
        text.push('\n');
    });
    Ok(text)
}

/// Genes by the publications that name them, those that none names left out.
fn literature(study: &StudyData) -> String {
    let mut genes: Vec<usize> = (0..study.literature.len()).filter(|&j| study.literature[j] > 0).collect();
    genes.sort_by_key(|&j| (std::cmp::Reverse(study.literature[j]), j));
    let line = |&j: &usize| format!("{},{}\n", study.two.feature_name(j), study.literature[j]);
    "feature,score\n".to_owned() + &genes.iter().map(line).collect::<String>()
}

const README: &str = "\
A generated study of the shape of chapter 5.4 of Zhao's dissertation (2010): nothing in it was measured.

2c.csv          88 samples, normal or tumor (column class)
4c.csv          the 33 tumors of four tissues among them
mirna.csv       microRNA of the 88 samples
function.txt    genes with a relevant function, and others
pathway.sif     interactions of relevant pathways
ontology.tsv    terms of genes
literature.csv  genes by how many publications name them
known.txt       genes that are known to matter: not all do, and some that do are missing
truth.txt       genes that matter
*.toml          one source each, combinations of sources, and weights learned from labels

Try, in this directory:
  fiedler fuse 2c-comb-2.toml --top 20
  fiedler evaluate 2c.csv --label class --fuse 2c-mirna.toml,2c-comb-1.toml,2c-comb-2.toml -m laplacian --counts 2,5,10,20,30 --known truth.txt
  fiedler evaluate 2c.csv --label class --rankings literature.csv -m fisher --counts 2,5,10,20,30 --known truth.txt
  fiedler evaluate 2c.csv --label class --fuse 2c-comb-1.toml --sweep miRNA,Function --counts 10,20 --known truth.txt
  fiedler evaluate 2c.csv --label class --fuse 2c-comb-2.toml -m fisher,relieff --judge-on 4c.csv --counts 2,5,10,20,30
";
