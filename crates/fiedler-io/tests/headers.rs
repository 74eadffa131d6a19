//! Headers and lines of different widths: one sentence with both numbers, or a note, never silence.

use fiedler::Silent;
use fiedler_io::{ReadOptions, Table, TextOptions, read_from};

fn attempt(text: &str, options: &ReadOptions) -> fiedler_io::Result<Table> {
    read_from(text.as_bytes(), "t.csv", options, &Silent)
}

fn plain(text: &str) -> Table {
    attempt(text, &ReadOptions::default()).expect(text)
}

fn refusal(text: &str) -> String {
    attempt(text, &ReadOptions::default()).expect_err(text).to_string()
}

fn names(table: &Table) -> Vec<String> {
    (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect()
}

fn samples(table: &Table) -> Vec<&str> {
    table.data.sample_names().expect("names").iter().map(String::as_str).collect()
}

#[test]
fn more_names_than_fields_are_refused_with_both_numbers() {
    let sentence = "t.csv, line 1: the header has 3 names and the lines below it have 2 fields (fields are \
                    separated by commas); give every column one name";
    assert_eq!(refusal("a,b,c\n1,2\n2,3\n3,5\n4,4\n"), sentence);
    // The label lies beyond the lines: this was a panic.
    for name in ["cls", "3", "-1"] {
        let label = ReadOptions { label: Some(name.into()), ..ReadOptions::default() };
        assert_eq!(attempt("a,b,cls\n1,2\n3,4\n5,6\n", &label).expect_err("narrow").to_string(), sentence);
        let names = ReadOptions { names: Some(name.into()), ..ReadOptions::default() };
        assert_eq!(attempt("a,b,cls\n1,2\n3,4\n5,6\n", &names).expect_err("narrow").to_string(), sentence);
    }
    assert!(refusal("# c\n\na,b,c\n1,2\n2,3\n").starts_with("t.csv, line 3: the header has 3 names"));
    // An empty field after the last separator is not a name.
    let t = plain("a,b,\n1,2\n2,3\n");
    assert_eq!((names(&t), t.notes.len()), (vec!["a".to_owned(), "b".to_owned()], 1));
}

#[test]
fn one_field_more_than_names_is_a_name_only_where_it_can_be() {
    // As R writes row numbers: whole and different.
    let t = plain("a,b\n1,2,3\n4,5,6\n7,8,10\n9,9,9\n");
    assert_eq!((samples(&t), names(&t)), (vec!["1", "4", "7", "9"], vec!["a".to_owned(), "b".to_owned()]));
    let told = "the header has 2 names and the lines have 3 fields: the first field, a whole number, was taken \
                for the name of the line";
    assert_eq!(t.notes, [told]);
    // Text is a name without doubt.
    assert!(plain("a,b\nx,2,3\ny,5,6\n").notes.is_empty());
    for text in ["a,b\n1,2,3\n1,5,6\n", "a,b\n1.5,2,3\n2.5,5,6\n", "a,b\n1,2,3,4\n5,6,7,8\n"] {
        let found = refusal(text);
        assert!(
            found.starts_with("t.csv, line 1: the header has 2 names and the lines below it have"),
            "{found}"
        );
    }
    // Numbers over one number more are no header at all.
    let found = refusal("8,9\n1,2,3\n4,5,6\n");
    assert!(found.starts_with("t.csv, line 1: 2 fields where 3 are expected"), "{found}");
}

#[test]
fn one_line_of_another_width_is_the_line_that_is_told() {
    let found = refusal("a,b,c\n1,2\n2,3,4\n3,5,6\n");
    assert!(found.starts_with("t.csv, line 2: 2 fields where 3 are expected"), "{found}");
    let found = refusal("a,b\n1,2,3\n2,3\n3,5\n");
    assert!(found.starts_with("t.csv, line 2: 3 fields where 2 are expected"), "{found}");
    // A wide line and very many short ones: memory is not taken for what cannot be there.
    let text = format!("{}\n{}", vec!["1"; 50_000].join(","), "2\n".repeat(50_000));
    assert!(refusal(&text).contains("fields where"), "ragged");
}

#[test]
fn lines_that_end_with_a_separator_under_a_header_that_does_not() {
    let t = plain("a,b\n1,2,\n3,4,\n5,6,\n");
    assert_eq!((names(&t), t.data.n_samples()), (vec!["a".to_owned(), "b".to_owned()], 3));
    assert_eq!(
        t.notes,
        ["every line but the header ends with a separator: the column of nothing after it is left out"]
    );
}

#[test]
fn a_square_of_numbers_keeps_a_first_row_that_counts_up() {
    let t = plain("0,1,2\n1,0,3\n2,3,0\n");
    assert_eq!(t.data.n_samples(), 3);
    assert_eq!(t.notes, ["first line and first column count 0, 1, 2, … alike and are read as data"]);
    // Nothing in the corner: names on both sides, as a data frame is written.
    let t = plain(",0,1,2\n0,0,1,2\n1,1,0,3\n2,2,3,0\n");
    assert_eq!((t.data.n_samples(), names(&t).len()), (3, 3));
    // An edge list begins with the edge (0, 1, 2).
    let edges = ReadOptions {
        text: TextOptions { numbers_are_data: true, ..TextOptions::default() },
        ..ReadOptions::default()
    };
    assert_eq!(attempt("0,1,2\n1,2,2\n0,2,1\n3,1,1\n", &edges).expect("edges").data.n_samples(), 4);
}
