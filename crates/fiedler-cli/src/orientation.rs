//! Whether a table lies on its side: samples in its columns and features in its lines.

use fiedler::Dataset;
use fiedler_io::{Format, Layout, Orientation};

use crate::output::layout::plural;

/// So many times more lines than columns are unusual for samples.
const TALL: usize = 5;

/// How many names are looked at.
const LOOKED_AT: usize = 200;

/// A hint where the table looks as if its lines were the features.
pub(crate) fn hint(data: &Dataset, layout: &Layout) -> Option<String> {
    // AnnData, 10x and libsvm say themselves where their features are.
    let knows = matches!(layout.format, Format::H5ad | Format::Libsvm)
        || matches!(layout.format, Format::H5 | Format::Mtx) && layout.header;
    if layout.features != Orientation::Columns || knows {
        return None;
    }
    let (samples, features) = (data.n_samples(), data.n_features());
    let sizes = format!("{} and {}", plural(samples, "sample"), plural(features, "feature"));
    if samples < 6 && features >= 20 {
        return Some(format!("{sizes}: if every line is a feature, say --features rows"));
    }
    let tall = samples >= TALL * features;
    let lines = data.sample_names().filter(|_| features >= 2)?;
    let columns: Vec<String> =
        (0..features.min(LOOKED_AT)).map(|j| data.feature_name(j).into_owned()).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let lines: Vec<&str> = lines.iter().take(LOOKED_AT).map(String::as_str).collect();
    let genes = most(&lines, like_a_gene);
    let named = most(&columns, like_a_sample);
    // What no feature is called tells by itself; the rest only where the shape of the table is unusual too.
    let samples = most(&columns, only_a_sample) || named && (tall || genes) || numbered(&columns) && tall;
    let why = match (samples, genes && tall) {
        (true, _) => format!("the columns are named like samples ({}, …)", columns[0]),
        (_, true) => format!("the lines are named like genes ({}, …)", lines[0]),
        _ => return None,
    };
    Some(format!("{sizes}, and {why}: if every line is a feature, say --features rows"))
}

fn most(names: &[&str], like: impl Fn(&str) -> bool) -> bool {
    2 * names.iter().filter(|name| like(name)).count() > names.len()
}

/// A barcode (`ACGTACGTAC-1`), or the number of a sample in an archive.
fn only_a_sample(name: &str) -> bool {
    let bases = name.chars().take_while(|c| "ACGT".contains(*c)).count();
    bases >= 8 || begins(name, &["gsm", "srr", "tcga"])
}

/// The same, or a name that a person gives to a sample.
fn like_a_sample(name: &str) -> bool {
    only_a_sample(name)
        || begins(name, &["sample", "patient", "subject", "cell", "donor", "barcode", "mouse"])
}

/// One of these words, and a number somewhere behind it.
fn begins(name: &str, words: &[&str]) -> bool {
    let lower = name.to_lowercase();
    let rest =
        |word: &&str| lower.strip_prefix(word).is_some_and(|r| r.contains(|c: char| c.is_ascii_digit()));
    words.iter().any(rest)
}

/// One stem and a number each, as in `S1`, `S2`, `ctrl_3`: the numbers of samples rather than of measurements, for features
/// are seldom numbered from one stem in a table whose lines have names.
fn numbered(names: &[&str]) -> bool {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let stems: std::collections::HashSet<String> = names.iter().map(|n| stem(n)).collect();
    let all = names.iter().all(|n| n.ends_with(|c: char| c.is_ascii_digit()));
    // Columns without names of their own are called x0, x1, …
    all && stems.len() <= 3 && !stems.contains("x")
}

/// `TP53`, `ENSG00000141510`, `1007_s_at`, `YAL001C`, `MT-CO1`.
fn like_a_gene(name: &str) -> bool {
    let lower = name.to_lowercase();
    if lower.starts_with("ens") || lower.ends_with("_at") || lower.starts_with("cg0") {
        return name.chars().any(|c| c.is_ascii_digit());
    }
    let letters = name.chars().filter(char::is_ascii_alphabetic).count();
    let plain = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "-._".contains(c));
    plain
        && (2..=12).contains(&name.len())
        && letters >= 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_and_genes_are_known_by_their_names() {
        assert!(
            ["AAACCTGAGAAGGCCT-1", "GSM1234", "TCGA-02-0001", "patient_7", "cell12"]
                .iter()
                .all(|n| like_a_sample(n))
        );
        assert!(
            !["age", "petal length", "TP53", "pixel_0_1", "cells per field"].iter().any(|n| like_a_sample(n))
        );
        assert!(["TP53", "ENSG00000141510", "1007_s_at", "MT-CO1", "BRCA2"].iter().all(|n| like_a_gene(n)));
        assert!(
            !["alcohol", "Toyota Corolla", "17", "x12", "a very long name"].iter().any(|n| like_a_gene(n))
        );
        assert!(numbered(&["S1", "S2", "S10"]) && numbered(&["ctrl1", "case1", "case2"]));
        assert!(!numbered(&["x0", "x1"]) && !numbered(&["age", "bp", "s1"]));
    }
}
