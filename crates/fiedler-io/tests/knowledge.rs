//! Gene sets, networks, annotations, similarities, categories and rankings from small files.

use std::path::PathBuf;

use fiedler_io::{
    NamedSimilarity, read_annotations, read_categories, read_edges, read_ranking, read_sets, read_similarity,
};
use tempfile::TempDir;

/// A file of that name and content in a directory that lives as long as the first value.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("writable");
    (directory, path)
}

fn edges(name: &str, text: &str) -> Vec<(String, String, f64)> {
    let (_kept, path) = file(name, text);
    read_edges(&path).expect("edges").into_iter().map(|e| (e.a, e.b, e.weight)).collect()
}

fn edge(a: &str, b: &str, weight: f64) -> (String, String, f64) {
    (a.to_owned(), b.to_owned(), weight)
}

#[test]
fn sets_of_a_gmt_file() {
    let (_kept, path) =
        file("sets.gmt", "# a comment\nglycolysis\thttp://x\tHK1\tPFK\n\nempty tail\tna\tTP53\t\n");
    let sets = read_sets(&path).expect("sets");
    assert_eq!((sets[0].name.as_str(), sets[0].members.join(" ").as_str()), ("glycolysis", "HK1 PFK"));
    assert_eq!(sets[1].members, ["TP53"]);
    let (_kept, path) = file("sets.gmt", "name\tdescription\n");
    let message = read_sets(&path).expect_err("no members").to_string();
    assert!(message.contains("line 1: a set needs a name, a description and members"), "{message}");
}

#[test]
fn edges_of_every_form() {
    let expected = [edge("A", "B", 0.5), edge("B", "C", 2.0)];
    assert_eq!(edges("e.tsv", "source\ttarget\tweight\nA\tB\t0.5\nB\tC\t2\n"), expected);
    assert_eq!(edges("e.csv", "A,B,0.5\nB,C,2\n"), expected);
    assert_eq!(edges("e.csv", "from,to\n\"A, x\",B\n"), [edge("A, x", "B", 1.0)]);
    let sif = "A pp B C\nlonely\nA pd B\n";
    assert_eq!(edges("e.sif", sif), [edge("A", "B", 1.0), edge("A", "C", 1.0)]);
    let (_kept, path) = file("e.csv", "A,B,1\nB,C,much\n");
    let message = read_edges(&path).expect_err("no number").to_string();
    assert!(message.contains("line 2: the weight `much` is not a number"), "{message}");
}

#[test]
fn annotations_long_and_wide() {
    let expected: Vec<(String, String)> =
        [("A", "t1"), ("A", "t2"), ("B", "t2")].map(|(f, t)| (f.to_owned(), t.to_owned())).to_vec();
    for text in
        ["gene\tterm\nA\tt1\nA\tt2\nB\tt2\n", ",t1,t2\nA,1,1\nB,0,1\nC,0,0\n", "t1,t2\nA,1,1\nB,0,1\n"]
    {
        let (_kept, path) = file("annotations.txt", text);
        assert_eq!(read_annotations(&path).expect("annotations"), expected, "{text}");
    }
}

#[test]
fn similarities_with_names_in_any_order() {
    let (_kept, path) = file("s.csv", ",b,a\na,0.5,1\nb,1,0.5\n");
    let expected =
        NamedSimilarity::Matrix { names: vec!["a".into(), "b".into()], values: vec![1.0, 0.5, 0.5, 1.0] };
    assert_eq!(read_similarity(&path).expect("a table"), expected);
    let (_kept, path) = file("s.csv", "a,b,0.5\n");
    assert!(matches!(read_similarity(&path), Ok(NamedSimilarity::Edges(e)) if e.len() == 1));
    let (_kept, path) = file("s.csv", ",b,z,q\na,0.5,1,1\nb,1,0.5,1\nc,1,1,1\n");
    let message = read_similarity(&path).expect_err("other names").to_string();
    assert!(message.contains("the same names in its first line and its first column"), "{message}");
}

#[test]
fn categories_and_rankings() {
    let (_kept, path) = file("h.tsv", "sample\tpath\ns1\tblood/T cell\ns2\tskin\n");
    assert_eq!(read_categories(&path).expect("categories")[0], ("s1".to_owned(), "blood/T cell".to_owned()));
    let (_kept, path) = file("r.csv", "rank,feature,index,score\n2,B,1,0.5\n1,A,0,0.1\n3,C,2,\n");
    let ranked = read_ranking(&path).expect("a ranking");
    let names: Vec<&str> = ranked.iter().map(|r| r.feature.as_str()).collect();
    assert_eq!((names, ranked[0].score), (vec!["A", "B"], Some(0.1)));
    let (_kept, path) = file("r.txt", "# best first\nB\nA\n");
    assert_eq!(read_ranking(&path).expect("a list")[0].feature, "B");
    let (_kept, path) = file("r.csv", "method,rank,feature,index,score\nspec,1,A,0,1\n");
    assert!(read_ranking(&path).expect_err("several").to_string().contains("several methods"));
    let (_kept, path) = file("r.txt", "\n");
    assert!(read_ranking(&path).expect_err("empty").to_string().contains("no features"));
}
