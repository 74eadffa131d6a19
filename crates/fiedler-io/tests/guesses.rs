//! What the reader decides on its own: told in a note where it could be wrong, or refused.

use std::path::Path;

use fiedler::Silent;
use fiedler_io::{Orientation, ReadOptions, Table, TextOptions, read, read_from};

fn table(text: &str, options: &ReadOptions) -> Table {
    read_from(text.as_bytes(), "t.csv", options, &Silent).expect(text)
}

fn shape(table: &Table) -> (usize, usize) {
    (table.data.n_samples(), table.data.n_features())
}

fn names(table: &Table) -> Vec<String> {
    (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect()
}

#[test]
fn a_first_column_of_text_is_told() {
    for cells in [["5%", "7%"], ["0x1", "0x2"], ["2020-01-01", "2020-01-02"], ["\"1,037\"", "\"1,038\""]] {
        let text = format!("a,b\n{},1\n{},2\n", cells[0], cells[1]);
        let t = table(&text, &ReadOptions::default());
        assert_eq!(t.notes, ["column 1 (`a`) holds text and names the samples"], "{text}");
        assert_eq!(names(&t), ["b"]);
    }
    assert_eq!(
        table("p,1\nq,2\n", &ReadOptions::default()).notes,
        ["column 1 (`x0`) holds text and names the samples"]
    );
    // Nobody doubts a title that says so.
    for title in ["sample", "", "gene_id"] {
        assert!(table(&format!("{title},b\np,1\nq,2\n"), &ReadOptions::default()).notes.is_empty());
    }
}

#[test]
fn with_features_in_rows_numbers_are_values_unless_the_corner_says_names() {
    let rows = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let t = table("s0,s1,s2\n1,2,3\n4,5,6\n", &rows);
    assert_eq!((shape(&t), names(&t)), ((3, 2), vec!["x0".to_owned(), "x1".to_owned()]));
    assert_eq!(t.data.sample_names().map(|n| n[0].clone()).as_deref(), Some("s0"));
    assert_eq!(t.notes.len(), 1, "{:?}", t.notes);
    for corner in ["", "gene_id", "ID_REF", "feature"] {
        let t = table(&format!("{corner},s1,s2\n1,2,3\n4,5,6\n"), &rows);
        assert_eq!((shape(&t), names(&t), t.notes.len()), ((2, 2), vec!["1".to_owned(), "4".to_owned()], 0));
    }
    assert_eq!(shape(&table("s1,s2\n1,2,3\n4,5,6\n", &rows)), (2, 2), "a header one field short");
    assert_eq!(names(&table("k,s1,s2\ng1,2,3\ng2,5,6\n", &rows)), ["g1", "g2"]);
}

#[test]
fn labels_may_end_in_unlabeled_samples() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("y.txt");
    let labeled = |labels: &str| {
        std::fs::write(&path, labels).expect("written");
        let options = ReadOptions { labels_file: Some(path.clone()), ..ReadOptions::default() };
        read_from("x\n1\n2\n3\n4\n".as_bytes(), "t.csv", &options, &Silent)
    };
    let codes = |labels: &str| {
        let t = labeled(labels).expect(labels);
        t.data.labels().expect("labels").codes().iter().map(|c| c.map_or(9, u32::from)).collect::<Vec<_>>()
    };
    for end in ["\n\n\n", "\n\n", "\n\n\n\n\n", "\nNA\nNA", "\n\nNA\n"] {
        assert_eq!(codes(&format!("a\nb{end}")), [0, 1, 9, 9], "{end:?}");
    }
    assert_eq!(codes("a\n\nb\na"), [0, 9, 1, 0]);
    assert_eq!(codes("type 1\ntype 2\ntype 1\ntype 1\n"), [0, 1, 0, 0], "a blank is no separator here");
    assert_eq!(codes("class\na\nb\na\nb\n"), [0, 1, 0, 1]);
    let refused = |labels: &str| labeled(labels).expect_err(labels).to_string();
    assert!(refused("a\nb\na\n").contains("3 labels for 4 samples"));
    assert!(refused("a\nb\nNA\n").contains("3 labels for 4 samples"));
    assert!(refused("class\na\nb\na\n\n").contains("`class` may be a title or a class"));
}

#[test]
fn blanks_and_comments() {
    let t = table("# made by hand\n 1.0   2.0\n 3.0   4.0\n", &ReadOptions::default());
    assert_eq!((shape(&t), t.notes.len()), ((2, 2), 1));
    let t = table("# a b\n1.0 2.0\n3.0 4.0\n", &ReadOptions::default());
    assert_eq!((names(&t), shape(&t)), (vec!["a".to_owned(), "b".to_owned()], (2, 2)));
    let found = read_from("# one\na,b\n1,2\n3,x\n".as_bytes(), "t.csv", &ReadOptions::default(), &Silent);
    let found = found.expect_err("text").to_string();
    assert!(found.starts_with("t.csv, line 4, column 2 (`b`)"), "{found}");
}

#[test]
fn a_wrong_guess_of_the_separator_is_named() {
    let text = "a;b\n1.100,5;0\n2.100,5;1\n";
    let found = read_from(text.as_bytes(), "t.csv", &ReadOptions::default(), &Silent);
    let found = found.expect_err("text").to_string();
    let told = "t.csv, line 1: the header has 1 name and the lines below it have 2 fields (fields are separated by commas)";
    assert!(found.starts_with(told), "{found}");
    let text = "a,b\n1.100,5;0\n2.100,5;1\n";
    let options = ReadOptions {
        text: TextOptions { delimiter: Some(b','), ..TextOptions::default() },
        ..ReadOptions::default()
    };
    let found = read_from(text.as_bytes(), "t.csv", &options, &Silent).expect_err("text").to_string();
    assert!(found.contains("`5;0` is not a number; fields were taken to be separated by commas"), "{found}");
}

#[test]
fn the_user_can_say_whether_there_is_a_header() {
    let with = |header| ReadOptions {
        text: TextOptions { header, ..TextOptions::default() },
        ..ReadOptions::default()
    };
    let text = "2001,2002\n1,2\n3,4\n";
    assert_eq!(shape(&table(text, &with(None))), (3, 2));
    let t = table(text, &with(Some(true)));
    assert_eq!((shape(&t), names(&t)), ((2, 2), vec!["2001".to_owned(), "2002".to_owned()]));
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/little_f8.npy");
    let found = read(&fixture, &with(Some(true)), &Silent).expect_err("no text").to_string();
    assert!(found.contains("a header is a line of a text file, and this is a npy file"), "{found}");
}

#[test]
fn a_gzip_file_that_is_cut_off_is_told() {
    let whole = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/zipped.tsv.gz"));
    let whole = whole.expect("the fixture");
    let found = read_from(&whole[..whole.len() - 12], "t.tsv.gz", &ReadOptions::default(), &Silent);
    let found = found.expect_err("cut").to_string();
    assert_eq!(found, "t.tsv.gz: not a whole gzip file: it is cut off, as by a download that broke");
}
