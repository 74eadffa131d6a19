//! Gene sets, networks, annotations, similarities, categories and rankings from small files.

use std::path::{Path, PathBuf};

use fiedler::{Goal, Silent};
use fiedler_io::{
    NamedSimilarity, WithNotes, kind_of, read_annotations, read_categories, read_names, read_ranking,
    read_sets,
};
use tempfile::TempDir;

/// For files whose titles are not in question.
fn none(_: &str) -> bool {
    false
}

fn read_similarity(path: &Path) -> fiedler_io::Result<NamedSimilarity> {
    Ok(fiedler_io::read_similarity(path, &none, &Silent)?.found)
}

/// A file of that name and content in a directory that lives as long as the first value.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("writable");
    (directory, path)
}

fn edges(name: &str, text: &str) -> Vec<(String, String, f64)> {
    let (_kept, path) = file(name, text);
    of_edges(read_similarity(&path).expect("edges"))
}

fn of_edges(found: NamedSimilarity) -> Vec<(String, String, f64)> {
    match found {
        NamedSimilarity::Edges(edges) => edges.into_iter().map(|e| (e.a, e.b, e.weight)).collect(),
        other => panic!("not edges: {other:?}"),
    }
}

fn edge(a: &str, b: &str, weight: f64) -> (String, String, f64) {
    (a.to_owned(), b.to_owned(), weight)
}

#[test]
fn sets_of_a_gmt_file() {
    let (_kept, path) =
        file("sets.gmt", "# a comment\nglycolysis\thttp://x\tHK1\tPFK\n\nempty tail\tna\tTP53\t\n");
    let sets = read_sets(&path, &Silent).expect("sets");
    assert_eq!((sets[0].name.as_str(), sets[0].members.join(" ").as_str()), ("glycolysis", "HK1 PFK"));
    assert_eq!(sets[1].members, ["TP53"]);
    let (_kept, path) = file("sets.gmt", "name\tdescription\n");
    let message = read_sets(&path, &Silent).expect_err("no members").to_string();
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
    let message = read_similarity(&path).expect_err("no number").to_string();
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
        assert_eq!(read_annotations(&path, &none, &Silent).expect("annotations").found, expected, "{text}");
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

/// A square table has neither labels nor columns to leave out, so that nobody is advised to name them.
#[test]
fn a_cell_of_a_square_table_that_is_no_number_is_told() {
    for (text, sentence) in [
        (",a,b,c\na,1,0.5,0\nb,0.5,1,much\nc,0,0.5,1\n", "line 3, column 4 (`c`): `much` is not a number;"),
        (",a,b,c\na,1,0.5,0\nb,0.5,1,\nc,0,0.5,1\n", "line 3, column 4 (`c`): nothing stands there;"),
        (",a,b,c\na,1,0.5,0\nb,0.5,1,inf\nc,0,0.5,1\n", "line 3"),
    ] {
        let (_kept, path) = file("s.csv", text);
        let error = read_similarity(&path).expect_err("no number");
        let message = error.to_string();
        assert!(message.contains("s.csv") && message.contains(sentence), "{message}");
        assert!(
            message.ends_with(
                "every cell of a square table is a number, and 0 stands for things that are not alike"
            ),
            "{message}"
        );
        assert!(error.remedies().is_empty() && !message.contains("leave"), "{message}");
    }
    for corner in ["", "id"] {
        let (_kept, path) = file("s.csv", &format!("{corner},a,b,c\na,1,0.5,0\na,0.5,1,0\nc,0,0.5,1\n"));
        let error = read_similarity(&path).expect_err("twice");
        assert!(error.remedies().is_empty(), "{error}");
        assert!(error.to_string().ends_with(", and the names of a square table must differ"), "{error}");
    }
}

#[test]
fn categories_and_rankings() {
    let (_kept, path) = file("h.tsv", "sample\tpath\ns1\tblood/T cell\ns2\tskin\n");
    let told = read_categories(&path, &none, &Silent).expect("categories");
    assert_eq!(told.found[0], ("s1".to_owned(), "blood/T cell".to_owned()));
    assert!(told.notes.is_empty());
    let (_kept, path) = file("h.csv", "s1,p\ns2,\n");
    let message = read_categories(&path, &none, &Silent).expect_err("empty").to_string();
    assert!(message.contains("line 2: nothing stands beside `s2`"), "{message}");
    assert_eq!(
        ranking("r.csv", "rank,feature,index,score\n2,B,1,0.5\n1,A,0,0.1\n3,C,2,\n"),
        [("A", 0), ("B", 1)]
    );
    assert_eq!(ranking("r.txt", "# best first\nB\nA\n"), [("B", 0), ("A", 1)]);
    assert!(refused("method,rank,feature,index,score\nspec,1,A,0,1\n").contains("several methods"));
    assert!(refused("\n").contains("no features"));
}

fn ranking(name: &str, text: &str) -> Vec<(&'static str, usize)> {
    let (_kept, path) = file(name, text);
    let ranked = read_ranking(&path, None, &Silent).expect("a ranking");
    ranked.found.into_iter().map(|r| (&*r.feature.leak(), r.better)).collect()
}

fn refused(text: &str) -> String {
    let (_kept, path) = file("r.csv", text);
    read_ranking(&path, None, &Silent).expect_err("must be refused").to_string()
}

#[test]
fn a_table_without_a_column_of_features_is_no_ranking() {
    let message = refused("place,points\nTP53,9\nMYC,8\n");
    assert!(message.contains("one name a line, or a table with a column `feature`"), "{message}");
    assert_eq!(ranking("r.csv", "Gene,score\nTP53,9\nMYC,8\n"), [("TP53", 0), ("MYC", 1)]);
    assert_eq!(ranking("r.tsv", "score\tNAME\n1\tTP53\n2\tMYC\n"), [("TP53", 0), ("MYC", 1)]);
    assert_eq!(ranking("r.txt", "name\nB\n"), [("name", 0), ("B", 1)], "a list may hold the word");
}

#[test]
fn ranks_and_scores_are_taken_at_their_word() {
    // Without a rank: left out, never first.
    assert_eq!(ranking("r.csv", "feature,rank\nC,\nB,2\nA,1\n"), [("A", 0), ("B", 1)]);
    // Equal ranks tie, whatever the order of lines.
    let tied = |text: &str| {
        let mut found = ranking("r.csv", text);
        found.sort_unstable();
        found
    };
    assert_eq!(tied("feature,rank\nA,1\nB,1\nC,3\n"), [("A", 0), ("B", 0), ("C", 2)]);
    assert_eq!(tied("feature,rank\nC,3\nB,1\nA,1\n"), [("A", 0), ("B", 0), ("C", 2)]);
    // So do equal scores of neighbors.
    assert_eq!(tied("rank,feature,score\n1,A,5\n2,B,5\n3,C,4\n"), [("A", 0), ("B", 0), ("C", 2)]);
    // Scores alone must follow the lines, up or down.
    assert_eq!(ranking("r.csv", "feature,score\nA,9\nB,4\nC,4\n"), [("A", 0), ("B", 1), ("C", 1)]);
    assert_eq!(ranking("r.csv", "feature,score\nA,1\nB,4\n"), [("A", 0), ("B", 1)]);
    let unsorted = "feature,score\nA,0.1\nB,0.9\nC,0.5\n";
    assert!(refused(unsorted).contains("scores that go up and down, without ranks; add a column `rank`"));
    let (_kept, path) = file("r.csv", unsorted);
    let best =
        |goal: Goal| read_ranking(&path, Some(goal), &Silent).expect("a goal").found[0].feature.clone();
    assert_eq!((best(Goal::Maximize), best(Goal::Minimize)), ("B".to_owned(), "A".to_owned()));
    assert_eq!(read_names(&path, &Silent).expect("names"), ["A", "B", "C"], "a list has no order");
    let (_kept, path) = file("r.txt", "A\nB\n");
    assert!(read_ranking(&path, Some(Goal::Maximize), &Silent).is_err(), "no scores to go by");
}

/// What a script writes that tests features one by one: nobody but the user knows which way is better.
#[test]
fn numbers_that_are_not_looked_at_are_told() {
    let (_kept, path) = file("p.csv", "feature,index,pvalue\nash,1,0.9\nflavanoids,2,0.001\n");
    let told = read_ranking(&path, None, &Silent).expect("a list");
    assert_eq!(told.found[0].feature, "ash");
    assert!(told.notes.len() == 1 && told.notes[0].contains("the numbers of `pvalue` are not"), "{told:?}");
    let refused = read_ranking(&path, Some(Goal::Minimize), &Silent).expect_err("no scores").to_string();
    assert!(refused.contains("no column is called `score`; call the column of the scores so (`pvalue`?)"));
    // The advice, followed.
    let (_kept, path) = file("p.csv", "feature,index,score\nflavanoids,2,0.001\nash,1,0.9\n");
    let told = read_ranking(&path, None, &Silent).expect("scores");
    assert!(told.notes.is_empty() && told.found[0].feature == "flavanoids", "{told:?}");
    for quiet in ["feature,index\nA,1\nB,0\n", "gene,where\nA,chr1\nB,2\n", "A\nB\n"] {
        let (_kept, path) = file("p.csv", quiet);
        assert_eq!(read_ranking(&path, None, &Silent).expect("a list").notes, [""; 0], "{quiet}");
    }
}

#[test]
fn a_name_that_is_known_is_no_title() {
    let read = |text: &str, known: &[&str]| -> WithNotes<Vec<(String, String, f64)>> {
        let (_kept, path) = file("e.csv", text);
        let told = fiedler_io::read_similarity(&path, &|name| known.contains(&name), &Silent).expect("edges");
        WithNotes { found: of_edges(told.found), notes: told.notes }
    };
    let all = read("a,b\nb,c\n", &[]);
    assert_eq!((all.found.len(), all.notes.len()), (2, 0), "`a` and `b` are names like any others");
    assert_eq!(read("gene,to\nto,gene2\n", &["to"]).found.len(), 2);
    assert_eq!(read("from,to\nto,gene2\n", &[]).found.len(), 1);
    let guessed = read("partner,other,strength\nx,y,1\n", &["x", "y"]);
    assert_eq!(guessed.found, [edge("x", "y", 1.0)]);
    assert_eq!(guessed.notes, ["the first line (`partner, other, strength`) was taken for titles"]);
    // A weight that is no number beside a known name is a mistake, in the first line too.
    let (_kept, path) = file("e.csv", "x,y,much\ny,z,1\n");
    let message = fiedler_io::read_similarity(&path, &|name| name == "x", &Silent).expect_err("a mistake");
    assert!(message.to_string().contains("line 1: the weight `much` is not a number"), "{message}");
}

#[test]
fn edges_and_square_tables_are_told_apart_by_their_first_lines() {
    // As many lines as fields.
    assert_eq!(edges("e.csv", "s1,s2,0.5\ns2,s3,0.5\ns3,s4,0.5\n").len(), 3);
    assert_eq!(edges("e.csv", "1,2,0.5\n2,3,0.5\n3,4,0.5\n").len(), 3);
    let names = |text: &str| {
        let (_kept, path) = file("s.csv", text);
        match read_similarity(&path).expect("a table") {
            NamedSimilarity::Matrix { names, .. } => names,
            other => panic!("not a table: {other:?}"),
        }
    };
    assert_eq!(names("gene,x,y\nx,1,0.5\ny,0.5,1\n"), ["x", "y"]);
    assert_eq!(names("x,y\ny,1,0.5\nx,0.5,1\n"), ["y", "x"]);
    assert_eq!(names("id,7,8,9\n9,0,0,1\n8,0,1,0\n7,1,0,0\n"), ["9", "8", "7"]);
    let (_kept, path) = file("e.csv", "a,b,0.5,strong\nb,c,0.5,weak\n");
    let message = read_similarity(&path).expect_err("four fields").to_string();
    assert!(message.contains("line 1: 4 fields where two or three are expected"), "{message}");
}

#[test]
fn the_kind_of_a_compressed_file_is_that_of_its_content() {
    assert_eq!(kind_of(Path::new("x/sets.GMT.gz")), "gmt");
    assert_eq!(kind_of(Path::new("x.y/sets")), "");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("n.sif.gz");
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut out, b"A pp B\n").expect("memory");
    std::fs::write(&path, out.finish().expect("memory")).expect("writable");
    assert_eq!(of_edges(read_similarity(&path).expect("SIF")), [edge("A", "B", 1.0)]);
}
