//! Knowledge as people have it: GAF, OBO, KGML, BioGRID, STRING and FASTA files, whole and wrong.

use std::path::{Path, PathBuf};

use fiedler::Silent;
use fiedler_io::{
    AnnotationFilter, NamedSimilarity, read_gaf, read_interactions, read_ontology, read_pathway,
    read_sequences,
};
use tempfile::TempDir;

fn seed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds").join(name)
}

fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("writable");
    (directory, path)
}

/// A seed with a piece of its text in place of another.
fn changed(name: &str, from: &str, to: &str) -> (TempDir, PathBuf) {
    let text = std::fs::read_to_string(seed(name)).expect("a seed");
    assert!(text.contains(from), "{from}");
    file(name, &text.replacen(from, to, 1))
}

fn pairs(found: &[(String, String)]) -> Vec<(&str, &str)> {
    found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()
}

fn edges(found: NamedSimilarity) -> Vec<(String, String, f64)> {
    match found {
        NamedSimilarity::Edges(edges) => edges.into_iter().map(|e| (e.a, e.b, e.weight)).collect(),
        other => panic!("not edges: {other:?}"),
    }
}

fn edge(a: &str, b: &str, weight: f64) -> (String, String, f64) {
    (a.to_owned(), b.to_owned(), weight)
}

#[test]
fn annotations_of_a_gaf_file() {
    let all = AnnotationFilter::default();
    let told = read_gaf(&seed("genes.gaf"), &all, &|name| name == "TP53", &Silent).expect("annotations");
    assert_eq!(pairs(&told.found), [("TP53", "GO:0000082"), ("MDM2", "GO:0000082"), ("EGFR", "GO:0040007")]);
    assert!(told.notes[0].contains("1 of 4 annotations say NOT"), "{:?}", told.notes);
    let told = read_gaf(&seed("genes.gaf"), &all, &|name| name == "PMDM2", &Silent).expect("annotations");
    assert_eq!(told.found[1].0, "PMDM2");
    assert!(told.notes[1].contains("identifiers of column 2"), "{:?}", told.notes);
    let some = AnnotationFilter { evidence: vec!["IDA".into()], aspects: vec!["P".into()] };
    let told = read_gaf(&seed("genes.gaf"), &some, &|_| false, &Silent).expect("annotations");
    assert_eq!(pairs(&told.found), [("TP53", "GO:0000082")]);
    let none = AnnotationFilter { evidence: vec!["XXX".into()], ..all };
    let message = read_gaf(&seed("genes.gaf"), &none, &|_| false, &Silent).expect_err("none").to_string();
    assert!(message.contains("no annotations (1 say NOT, 3 are of other evidence or aspect)"), "{message}");
}

#[test]
fn wrong_gaf_lines_are_told_with_their_numbers() {
    let read = |path: &Path| read_gaf(path, &AnnotationFilter::default(), &|_| false, &Silent);
    for (from, to, sentence) in [
        ("MDM2\tinvolved_in", "\tinvolved_in", "line 4: no symbol (column 3)"),
        ("GO:0040007", "", "line 6: no term (column 5)"),
        ("PTP53", "", "line 3: no identifier (column 2)"),
    ] {
        let (_kept, path) = changed("genes.gaf", from, to);
        let message = read(&path).expect_err(sentence).to_string();
        assert!(message.contains(sentence), "{message}");
    }
    let (_kept, path) = file("x.gaf", "!gaf-version: 2.2\nTP53 cell cycle\n");
    let message = read(&path).expect_err("no columns").to_string();
    assert!(
        message.contains("x.gaf") && message.contains("line 2") && message.contains("found 1"),
        "{message}"
    );
}

#[test]
fn terms_of_an_obo_file_with_all_above() {
    let told = read_ontology(&seed("cycle.obo"), &Silent).expect("terms");
    assert_eq!(told.notes, [""; 0]);
    let ontology = told.found;
    assert_eq!(ontology.len(), 4, "the obsolete term and the typedef are left out");
    let above: Vec<&str> = ontology.above("GO:0000082").expect("a term").collect();
    assert_eq!(above, ["GO:0008150", "GO:0007049", "GO:0000082", "GO:0040007"]);
    let by_old_name: Vec<&str> = ontology.above("GO:0000910").expect("an alternative id").collect();
    assert_eq!(by_old_name, ["GO:0008150", "GO:0007049"]);
    for (from, to, sentence) in [
        ("id: GO:0040007\n", "", "line 20: a [Term] without an id"),
        ("name: growth", "growth", "line 22: expected `tag: value`"),
        ("name: biological_process", "is_a: GO:0000082", "lies above itself; an ontology has no circles"),
    ] {
        let (_kept, path) = changed("cycle.obo", from, to);
        let message = read_ontology(&path, &Silent).expect_err(sentence).to_string();
        assert!(message.contains(sentence) && message.contains("cycle.obo"), "{message}");
    }
    let (_kept, path) = changed("cycle.obo", "name: biological_process", "is_a: GO:0000082");
    let message = read_ontology(&path, &Silent).expect_err("a circle").to_string();
    assert!(message.contains(", line ") || message.contains(": line "), "{message}");
    let (_kept, path) = file(
        "parts.obo",
        "[Term]\nid: A\nis_a: B ! elsewhere\n\n[Term]\nid: C\nrelationship: part_of A\nis_a: D\n",
    );
    let told = read_ontology(&path, &Silent).expect("two terms");
    assert_eq!(told.notes.len(), 1, "{:?}", told.notes);
    let said = "line 3: `A` is placed below `B`, which is no term of the file, or obsolete, so that this is left out (1 more such line)";
    assert!(told.notes[0].contains(said) && told.notes[0].contains("parts.obo"), "{}", told.notes[0]);
    assert_eq!(told.found.above("C").expect("a term").collect::<Vec<_>>(), ["A", "C"]);
    let (_kept, path) = file("empty.obo", "format-version: 1.2\n");
    assert!(read_ontology(&path, &Silent).expect_err("none").to_string().contains("no [Term] stanzas"));
}

#[test]
fn genes_and_relations_of_a_pathway() {
    let symbols = |name: &str| ["TP53", "MDM2", "EGFR"].contains(&name);
    let told = read_pathway(&seed("p53.kgml"), &[], &symbols, &Silent).expect("a pathway");
    assert_eq!(
        (told.found.genes.name.as_str(), told.found.genes.members.join(" ").as_str()),
        ("p53 signaling & more", "EGFR MDM2 TP53")
    );
    assert!(told.notes[0].contains("1 of 4 genes have no symbol"), "{:?}", told.notes);
    // The group of the second relation holds TP53 and EGFR.
    let expected = [edge("EGFR", "MDM2", 1.0), edge("MDM2", "TP53", 1.0)];
    assert_eq!(edges(NamedSimilarity::Edges(told.found.edges)), expected);
    let ids = |name: &str| name == "7157" || name == "4194";
    let told = read_pathway(&seed("p53.kgml"), &["activation".to_owned()], &ids, &Silent).expect("a pathway");
    assert_eq!(
        edges(NamedSimilarity::Edges(told.found.edges)),
        [edge("4193", "7157", 1.0), edge("4194", "7157", 1.0)]
    );
    for (from, to, sentence) in [
        ("entry1=\"3\"", "entry1=\"9\"", "line 20: there is no entry `9`"),
        ("<entry id=\"4\"", "<entry id=\"2\"", "line 15: two entries have the id `2`"),
        (" name=\"hsa:7157\"", "", "line 5: <entry> has no `name`"),
        ("type=\"PPrel\">", "type=PPrel>", "line 17: expected `name=\"value\"` or `>` in <relation>"),
        ("-->", "", "line 3: a comment that does not end"),
        ("<pathway", "<path", "line 1: there is no <pathway>"),
        ("</pathway>", "", "and the <pathway> of line 4 is not closed"),
    ] {
        let (_kept, path) = changed("p53.kgml", from, to);
        let message = read_pathway(&path, &[], &symbols, &Silent).expect_err(sentence).to_string();
        assert!(message.contains(sentence) && message.contains("p53.kgml"), "{message}");
    }
    let (_kept, path) = file("a.xml", "<pathway name='x'></pathway>");
    assert!(
        read_pathway(&path, &[], &symbols, &Silent)
            .expect_err("empty")
            .to_string()
            .contains("no entries of type gene")
    );
}

#[test]
fn interactions_of_biogrid_and_string() {
    let symbols = |name: &str| name == "TP53" || name == "MDM2";
    let told = read_interactions(&seed("three.tab.txt"), &[], &symbols, &Silent).expect("interactions");
    assert_eq!(edges(told.found), [edge("EGFR", "TP53", 1.0), edge("MDM2", "TP53", 1.0)]);
    assert!(told.notes.iter().any(|n| n.ends_with("so every pair weighs 1")), "{:?}", told.notes);
    assert!(told.notes.iter().any(|n| n.contains("`official symbol interactor a`")), "{:?}", told.notes);
    let told = read_interactions(&seed("three.tab.txt"), &[], &|name| name == "1956", &Silent)
        .expect("interactions");
    assert_eq!(edges(told.found)[0], edge("1956", "7157", 1.0));
    let types = |types: &[&str]| {
        let types: Vec<String> = types.iter().map(|t| (*t).to_owned()).collect();
        read_interactions(&seed("three.tab.txt"), &types, &symbols, &Silent)
    };
    assert_eq!(edges(types(&["genetic"]).expect("one").found), [edge("MDM2", "TP53", 1.0)]);
    assert_eq!(edges(types(&["Two-hybrid"]).expect("two").found).len(), 2);
    assert!(types(&["love"]).expect_err("none").to_string().contains("no interactions of the types love"));
    let told = read_interactions(&seed("string.tab.txt"), &[], &|_| false, &Silent).expect("interactions");
    assert_eq!(edges(told.found), [edge("9606.A", "9606.B", 900.0), edge("9606.A", "9606.C", 150.0)]);
    let (_kept, path) = changed("three.tab.txt", "\tTP53\tEGFR", "\tTP53");
    let message = read_interactions(&path, &[], &symbols, &Silent).expect_err("short").to_string();
    assert!(message.contains("line 4: 7 fields where 8 are expected"), "{message}");
    let titles = "Interactor B\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B";
    let others = "Partner\tOfficial Symbol Interactor A\tOfficial Symbol Partner";
    let (_kept, path) = changed("three.tab.txt", titles, others);
    let message = read_interactions(&path, &[], &symbols, &Silent).expect_err("renamed").to_string();
    assert!(
        message.contains("`official symbol interactor a` and no `official symbol interactor b`"),
        "{message}"
    );
    let (_kept, path) = file("empty.txt", "");
    let message =
        read_interactions(&path, &["x".to_owned()], &symbols, &Silent).expect_err("empty").to_string();
    assert!(message.contains("empty"), "{message}");
    // What has no titles is read as before, and SIF files tell types.
    let (_kept, path) = file("plain.csv", "a,b,2\n");
    assert_eq!(
        edges(read_interactions(&path, &[], &|_| false, &Silent).expect("edges").found),
        [edge("a", "b", 2.0)]
    );
    let message =
        read_interactions(&path, &["x".to_owned()], &|_| false, &Silent).expect_err("no types").to_string();
    assert!(message.contains("types, which the file does not tell: it has no line of titles"), "{message}");
    let (_kept, path) = file("minus.csv", "a,b,2\nb,c,-1\n");
    let message = read_interactions(&path, &[], &|_| false, &Silent).expect_err("negative").to_string();
    assert!(
        message.contains("line 2: interactions must weigh 0 or more, got -1 for `b` and `c`"),
        "{message}"
    );
    let (_kept, path) = file("n.sif", "a binds b\nb activates c\n");
    let told = read_interactions(&path, &["binds".to_owned()], &|_| false, &Silent).expect("edges");
    assert_eq!(edges(told.found), [edge("a", "b", 1.0)]);
}

#[test]
fn a_score_that_is_a_word_is_told_and_one_that_is_missing_makes_all_equal() {
    let read = |cells: [&str; 3]| {
        let row = |(at, cell): (usize, &str)| format!("G{at} H{at} {cell}\n");
        let rows: String = cells.into_iter().enumerate().map(row).collect();
        let (_folder, path) = file("string.txt", &format!("protein1 protein2 combined_score\n{rows}"));
        read_interactions(&path, &[], &|_| false, &Silent).map(|told| edges(told.found))
    };
    let weights = |cells| read(cells).expect("edges").iter().map(|edge| edge.2).collect::<Vec<f64>>();
    assert_eq!(weights(["900", "5", "0.5"]), [900.0, 5.0, 0.5]);
    for unequal in [["900", "-", "5"], ["-", "-5", "5"], ["high", "low", "-"]] {
        assert_eq!(weights(unequal), [1.0; 3], "{unequal:?}");
    }
    for (cells, sentence) in [
        (["900", "abc", "5"], "line 3: the combined score `abc` is not a number; write one, or - where"),
        (["abc", "high", "5"], "line 2: the combined score `abc` is not a number"),
        (["-", "5", "abc"], "line 4: the combined score `abc` is not a number"),
        (["900", "-4", "5"], "line 3: interactions must weigh 0 or more, got the combined score -4"),
    ] {
        let message = read(cells).expect_err("a mistake").to_string();
        assert!(message.contains("string.txt") && message.contains(sentence), "{message}");
    }
    let (_folder, path) = file("string.txt", "protein1 protein2 combined_score\na b -\nb c 5\nc d -\n");
    let told = read_interactions(&path, &[], &|_| false, &Silent).expect("edges");
    let said = "the column `combined score` has no number in line 2 and 1 more, so every pair weighs 1";
    assert_eq!(told.notes, [said]);
}

/// What is not closed, or names nothing, is told with its line.
#[test]
fn halves_of_stanzas_and_tags_are_told() {
    for (from, to, sentence) in [
        (
            "[Term]\nid: GO:0040007",
            "[Term\nid: GO:0040007",
            "line 20: a stanza begins with its kind in brackets, such as [Term], got `[Term`",
        ),
        ("is_a: GO:0008150", "is_a: ! nobody", "`is_a` names no term; name one, or delete the line"),
        (
            "relationship: part_of GO:0040007",
            "relationship: part_of",
            "`relationship: part_of` names no term",
        ),
    ] {
        let (_kept, path) = changed("cycle.obo", from, to);
        let message = read_ontology(&path, &Silent).expect_err(sentence).to_string();
        assert!(message.contains(sentence) && message.contains(": line "), "{message}");
    }
    for (from, to, sentence) in [
        (
            "</entry>",
            "</entri>",
            "line 7: found </entri> while the <entry> of line 5 is open; close that first",
        ),
        ("</entry>", "", "line 21: found </pathway> while the <entry> of line 5 is open"),
        (
            "</pathway>",
            "</relation></pathway>",
            "line 21: found </relation> while the <pathway> of line 4 is open",
        ),
        ("</pathway>", "</pathway></entry>", "line 21: found </entry>, and no <entry> is open"),
    ] {
        let (_kept, path) = changed("p53.kgml", from, to);
        let message = read_pathway(&path, &[], &|_| false, &Silent).expect_err(sentence).to_string();
        assert!(message.contains(sentence), "{message}");
    }
}

#[test]
fn sequences_of_a_fasta_file() {
    let read =
        |known: &dyn Fn(&str) -> bool| read_sequences(&seed("two.fasta"), known, &Silent).expect("sequences");
    let told = read(&|name| name == "TP53");
    let found: Vec<(&str, usize)> = told.found.iter().map(|s| (s.name.as_str(), s.letters.len())).collect();
    assert_eq!(found, [("MDM2", 26), ("TP53", 52)]);
    assert!(
        told.notes[0].contains("1 of 3 sequences have the name of another; the longest"),
        "{:?}",
        told.notes
    );
    assert_eq!(read(&|name| name == "Q00987").found.len(), 3);
    assert_eq!(read(&|name| name == "MDM2_HUMAN").found[0].name, "MDM2_HUMAN");
    assert_eq!(read(&|_| false).found[0].name, "sp|P04637-2|P53_HUMAN");
    for (text, sentence) in [
        ("ACGT\n>a\nAC\n", "line 1: a sequence begins with a line `>name`"),
        (">a\nAC1T\n", "line 2: `1` is no letter of a sequence"),
        (">a\nACGT\n>\nAC\n", "line 3: a header without a name"),
        (">a\n>b\nACGT\n", "line 1: `a` has no letters"),
        ("; a comment\n", "no sequences"),
    ] {
        let (_kept, path) = file("x.fasta", text);
        let message = read_sequences(&path, &|_| false, &Silent).expect_err(sentence).to_string();
        assert!(message.contains(sentence) && message.contains("x.fasta"), "{message}");
    }
}
