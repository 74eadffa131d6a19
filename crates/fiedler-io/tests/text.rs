//! Tables as people have them: each is read right or refused in one clear sentence.

use fiedler::Silent;
use fiedler_io::{Orientation, ReadOptions, Table, read, read_from};

fn table(text: &str, options: &ReadOptions) -> Table {
    read_from(text.as_bytes(), "t.csv", options, &Silent).expect(text)
}

fn plain(text: &str) -> Table {
    table(text, &ReadOptions::default())
}

fn refusal(text: &str, options: &ReadOptions) -> String {
    read_from(text.as_bytes(), "t.csv", options, &Silent).expect_err(text).to_string()
}

fn label(name: &str) -> ReadOptions {
    ReadOptions { label: Some(name.into()), ..ReadOptions::default() }
}

/// The values, row after row, in the user's units.
fn values(table: &Table) -> Vec<Vec<f64>> {
    let data = table.data.clone().scaled(fiedler::Scaling::None);
    let columns: Vec<Vec<f64>> = (0..data.n_features()).map(|j| data.column(j).expect("a column")).collect();
    (0..data.n_samples()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
}

fn names(table: &Table) -> Vec<String> {
    (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect()
}

fn classes(table: &Table) -> Vec<Option<String>> {
    let labels = table.data.labels().expect("labels");
    labels.codes().iter().map(|c| c.map(|c| labels.classes()[c as usize].clone())).collect()
}

#[test]
fn header_and_numbers() {
    let t = plain("a,b\n1,2.5\n-3e2, 4 \n");
    assert_eq!(names(&t), ["a", "b"]);
    assert_eq!(values(&t), [[1.0, 2.5], [-300.0, 4.0]]);
    assert!(t.notes.is_empty() && t.data.labels().is_none() && t.data.sample_names().is_none());
}

#[test]
fn windows_and_old_macintosh_line_ends_byte_order_mark_and_no_last_line_end() {
    for text in ["a,b\r\n1,2\r\n3,4", "a,b\r1,2\r3,4\r", "\u{feff}a,b\n1,2\n3,4\n", "a,b\n\n1,2\n\n\n3,4\n"] {
        let t = plain(text);
        assert_eq!(names(&t), ["a", "b"], "{text:?}");
        assert_eq!(values(&t), [[1.0, 2.0], [3.0, 4.0]], "{text:?}");
    }
}

#[test]
fn delimiters_and_decimal_commas() {
    assert_eq!(values(&plain("a;b\n1,5;2\n0,25;-3,5e1\n")), [[1.5, 2.0], [0.25, -35.0]]);
    assert_eq!(values(&plain("a\tb\n1.5\t2\n")), [[1.5, 2.0]]);
    assert_eq!(values(&plain("a|b\n1.5|2\n")), [[1.5, 2.0]]);
    let found = refusal("a;b\n1,5;2\n1.234,5;3\n", &ReadOptions::default());
    assert!(found.starts_with("t.csv, line 3, column 1 (`a`): `1.234,5` is not a number"), "{found}");
}

#[test]
fn labels_by_name_and_position_text_missing_and_quoted() {
    let text = "a,species,b\n1,x,2\n3,\"y, z\",4\n5,,6\n7,NA,8\n";
    for by in ["species", "1", "-2"] {
        let t = table(text, &label(by));
        assert_eq!(names(&t), ["a", "b"]);
        assert_eq!(classes(&t), [Some("x".to_owned()), Some("y, z".to_owned()), None, None]);
        assert_eq!(t.layout.label.as_ref().map(|l| l.name.as_str()), Some("species"));
    }
    let found = refusal(text, &label("specie"));
    assert_eq!(found, "t.csv: no column is called `specie`; the 3 columns are `a`, `species`, `b`");
    let found = refusal("1,2\n3,4\n", &label("9"));
    assert_eq!(found, "t.csv: no column is called `9`; the 2 columns have no names: they go by x0 to x1");
}

#[test]
fn no_header_where_the_first_line_is_data() {
    let t = table("5.1,3.5,setosa\n4.9,3.0,virginica\n", &label("2"));
    assert_eq!(values(&t), [[5.1, 3.5], [4.9, 3.0]]);
    assert_eq!(names(&t), ["x0", "x1"]);
    assert_eq!(values(&plain("1,2\n3,4\n")).len(), 2);
}

#[test]
fn a_first_line_that_counts_the_columns_is_a_header() {
    let t = plain("0,1,2\n0.5,2,1\n3,4,1\n");
    assert_eq!(names(&t), ["0", "1", "2"]);
    assert_eq!(t.notes, ["the first line counts the columns and was taken for their names"]);
    let mut options = ReadOptions::default();
    options.text.header = Some(false);
    assert_eq!(table("0,1,2\n0.5,2,1\n", &options).data.n_samples(), 2);
}

#[test]
fn sample_names_by_content_by_an_empty_title_and_in_the_style_of_r() {
    for text in
        ["id,a,b\ns1,1,2\ns2,3,4\n", ",a,b\ns1,1,2\ns2,3,4\n", "\"a\",\"b\"\n\"s1\",1,2\n\"s2\",3,4\n"]
    {
        let t = plain(text);
        assert_eq!(t.data.sample_names(), Some(&["s1".to_owned(), "s2".to_owned()][..]), "{text:?}");
        assert_eq!(values(&t), [[1.0, 2.0], [3.0, 4.0]], "{text:?}");
    }
    let t = plain(",a,b\n10,1,2\n11,3,4\n");
    assert_eq!(t.data.sample_names(), Some(&["10".to_owned(), "11".to_owned()][..]));
    let found = refusal("kind,a\nx,1\ny,2\nx,3\n", &ReadOptions::default());
    assert!(
        found.contains("column 1 (`kind`): 3 cells of text, 2 different, such as `x` in line 2"),
        "{found}"
    );
}

#[test]
fn quoted_fields_may_hold_delimiters_quotes_and_line_ends() {
    let t = plain("\"a, \"\"b\"\"\",\"c\nd\"\n\"1\",2\n3,4\n");
    assert_eq!(names(&t), ["a, \"b\"", "c\nd"]);
    assert_eq!(values(&t), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(
        refusal("a,b\n1,2\n\"3,4\n", &ReadOptions::default()),
        "t.csv, line 3: a quotation mark is opened here and never closed"
    );
}

#[test]
fn missing_values_are_named_with_line_and_column() {
    for (cell, shown) in [("", "nothing"), ("NA", "`NA`"), ("nan", "`nan`"), ("?", "`?`"), ("N/A", "`N/A`")] {
        assert_eq!(
            refusal(&format!("a,b\n1,2\n\"3\",{cell}\n"), &ReadOptions::default()),
            format!(
                "t.csv, line 3, column 2 (`b`): the value is missing (found {shown}); fill it in, drop the line, \
                 or leave the feature out"
            )
        );
    }
}

#[test]
fn the_first_error_of_the_file_is_reported_whatever_the_threads() {
    let mut text = "a,b\n".to_owned();
    for i in 0..50_000 {
        text += if i > 30_000 && i % 7 == 0 { "1,oops\n" } else { "1,2\n" };
    }
    let found = refusal(&text, &ReadOptions::default());
    assert!(
        found.contains("column 2 (`b`): 2857 cells not a number, such as `oops` in line 30004"),
        "{found}"
    );
}

#[test]
fn text_infinite_and_ragged_cells_are_refused() {
    assert_eq!(
        refusal("a,species\n1,setosa\n", &ReadOptions::default()),
        "t.csv, line 2, column 2 (`species`): `setosa` is not a number; correct it, or, if the column holds the \
         classes, name it as the label, or leave the feature out"
    );
    assert_eq!(
        refusal("a,b\n1,-inf\n", &ReadOptions::default()),
        "t.csv, line 2, column 2 (`b`): `-inf` is not finite; correct it or leave the feature out"
    );
    for (line, count) in [("3", 1), ("3,4,5", 3)] {
        assert_eq!(
            refusal(&format!("a,b\r\n1,2\r\n{line}\r\n"), &ReadOptions::default()),
            format!("t.csv, line 3: {count} fields where 2 are expected (fields are separated by commas)")
        );
    }
}

#[test]
fn empty_files_and_headers_without_data() {
    let end = "at least one sample and one numeric column are needed";
    assert_eq!(refusal("", &ReadOptions::default()), format!("t.csv: the file is empty; {end}"));
    assert_eq!(
        refusal("a,b\n", &ReadOptions::default()),
        format!("t.csv: a line of column names and no data; {end}")
    );
    assert_eq!(refusal("a\n1\n", &label("a")), format!("t.csv: no column of numbers is left to read; {end}"));
}

#[test]
fn repeated_names_are_told_apart_with_a_note() {
    let t = plain("a,a,b\n1,2,3\n");
    assert_eq!(names(&t), ["a", "a_2", "b"]);
    assert_eq!(t.notes, ["column 2 is a second `a`: it is called `a_2` here"]);
}

#[test]
fn columns_are_left_out_or_chosen_whatever_they_hold() {
    let text = "a,b,c\n1,text,2\n3,,4\n";
    let exclude = ReadOptions { exclude: vec!["b".to_owned()], ..ReadOptions::default() };
    assert_eq!(names(&table(text, &exclude)), ["a", "c"]);
    let include = ReadOptions { include: Some(vec!["c".to_owned()]), ..ReadOptions::default() };
    assert_eq!(values(&table(text, &include)), [[2.0], [4.0]]);
    let unnamed = ReadOptions { exclude: vec!["x1".to_owned()], ..ReadOptions::default() };
    assert_eq!(names(&table("1,2,3\n4,5,6\n", &unnamed)), ["x0", "x2"]);
    let wrong = ReadOptions { exclude: vec!["z".to_owned()], ..ReadOptions::default() };
    assert_eq!(refusal(text, &wrong), "t.csv: no feature is called `z`; the 3 features are `a`, `b`, `c`");
}

#[test]
fn features_in_rows_with_labels_in_a_file() {
    let text = "gene\ts1\ts2\ts3\nG1\t1\t2\t3\nG2\t4\t5\t6\nG1\t7\t8\t9\n";
    let mut options = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let t = table(text, &options);
    assert_eq!(values(&t), [[1.0, 4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 9.0]]);
    assert_eq!(names(&t), ["G1", "G2", "G1_2"]);
    assert_eq!(t.data.sample_names().map(<[String]>::len), Some(3));

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("labels.csv");
    std::fs::write(&path, "sample,class\ns3,B\ns1,A\n").expect("written");
    options.labels_file = Some(path);
    let t = table(text, &options);
    assert_eq!(classes(&t), [Some("A".to_owned()), None, Some("B".to_owned())]);
    assert!(t.notes.iter().any(|n| n.starts_with("1 samples are not named in")), "{:?}", t.notes);

    options.labels_file = None;
    let gap = "gene\ts1\ts2\nG1\t1\t2\nG2\tNA\t5\n";
    let found = refusal(gap, &options);
    assert!(
        found.starts_with("t.csv, line 3, column 2 (`s1`): the value is missing (found `NA`)"),
        "{found}"
    );
    options.exclude = vec!["G2".to_owned()];
    assert_eq!(values(&table(gap, &options)), [[1.0], [2.0]]);
    options.exclude = vec!["G3".to_owned()];
    assert_eq!(refusal(gap, &options), "t.csv: no feature is called `G3`; the 2 features are `G1`, `G2`");

    options.label = Some("s1".into());
    assert!(refusal(text, &options).contains("give the labels in a file of their own"));
}

#[test]
fn one_label_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("labels.txt");
    let options = ReadOptions { labels_file: Some(path.clone()), ..ReadOptions::default() };
    std::fs::write(&path, "A\n\nB\r\n").expect("written");
    assert_eq!(classes(&table("a\n1\n2\n3\n", &options)), [Some("A".to_owned()), None, Some("B".to_owned())]);
    std::fs::write(&path, "class\nA\nB\n").expect("written");
    let t = table("a\n1\n2\n", &options);
    assert_eq!(classes(&t), [Some("A".to_owned()), Some("B".to_owned())]);
    assert_eq!(t.notes.len(), 1);
    let found = refusal("a\n1\n2\n3\n4\n5\n", &options);
    assert!(found.contains("3 labels for 5 samples; give one a line"), "{found}");
}

#[test]
fn a_hundred_thousand_columns() {
    let m = 100_000;
    let row = |f: &dyn Fn(usize) -> String| (0..m).map(f).collect::<Vec<_>>().join(",");
    let text =
        [row(&|j| format!("g{j}")), row(&|j| j.to_string()), row(&|j| format!("{}.5", m - j))].join("\n");
    let t = plain(&text);
    assert_eq!((t.data.n_samples(), t.data.n_features()), (2, m));
    assert_eq!(t.data.stats()[99_999].max, 99_999.0);
    assert_eq!(t.data.stats()[0].max, 100_000.5);
}

#[test]
fn gzip_is_looked_through_and_foreign_files_are_named() {
    use std::io::Write;
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(b"a,b\n1,2\n").expect("compressed");
    let t = read_from(&gz.finish().expect("compressed")[..], "t.csv.gz", &ReadOptions::default(), &Silent);
    assert_eq!(values(&t.expect("a table")), [[1.0, 2.0]]);
    let refused = |bytes: &[u8]| {
        read_from(bytes, "t.csv", &ReadOptions::default(), &Silent).expect_err("not a table").to_string()
    };
    assert!(refused(b"PK\x03\x04...").contains("not a whole NPZ file"));
    assert!(refused(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").contains("zip archive"));
    assert!(refused(b"\x89HDF\r\n").contains("HDF5"), "{}", refused(b"\x89HDF\r\n"));
    assert!(refused(b"\xff\xfea\0,\0").contains("UTF-16"));
    let missing = read("no/such/file.csv".as_ref(), &ReadOptions::default(), &Silent).expect_err("no file");
    assert!(missing.to_string().starts_with("no/such/file.csv: "), "{missing}");
}

#[test]
fn the_monitor_can_stop_a_reader() {
    let stop = |_: &'static str, _: usize, _: usize| std::ops::ControlFlow::Break(());
    let found = read_from(&b"a\n1\n"[..], "t.csv", &ReadOptions::default(), &stop);
    assert!(matches!(found, Err(fiedler_io::Error::Canceled)));
}

#[test]
fn a_separator_at_the_end_of_every_line_is_no_column() {
    let t = plain("a,b,\n1,2,\n3,4,\n");
    assert_eq!(names(&t), ["a", "b"]);
    assert_eq!(values(&t), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(t.notes, ["every line ends with a separator: the column of nothing after it is left out"]);
    // A column of missing values that has a name, or values further down, is one.
    assert!(refusal("a,b,c\n1,2,\n3,4,\n", &ReadOptions::default()).contains("missing"));
    let late: String = (0..2000).map(|_| "1,2,\n").collect::<String>() + "1,2,3\n";
    assert!(refusal(&format!("a,b,\n{late}"), &ReadOptions::default()).contains("line 2002"));
}

#[test]
fn leaving_a_line_out_renames_no_other_feature() {
    let rows = |exclude: &[&str]| ReadOptions {
        features: Orientation::Rows,
        exclude: exclude.iter().map(|&n| n.to_owned()).collect(),
        ..ReadOptions::default()
    };
    assert_eq!(names(&table("1,2,3\n4,5,6\n7,8,10\n", &rows(&["x1"]))), ["x0", "x2"]);
}

#[test]
fn numbers_under_the_title_of_names_name_the_samples() {
    for title in ["sample", "ID", "Sample_ID", "sample id"] {
        let found = plain(&format!("{title},a,b\n1001,1,2\n1002,3,5\n"));
        assert_eq!(found.data.n_features(), 2, "{title}");
        assert_eq!(found.data.sample_names().expect("names"), ["1001", "1002"]);
        assert!(found.notes[0].contains("was taken for the names of the samples"), "{:?}", found.notes);
    }
    // Values that repeat, another title, or a user who calls it a feature: a feature.
    assert_eq!(plain("id,a\n1,1\n1,3\n").data.n_features(), 2);
    assert_eq!(plain("age,a\n1,1\n2,3\n").data.n_features(), 2);
    let excluded = ReadOptions { exclude: vec!["id".to_owned()], ..ReadOptions::default() };
    let found = table("id,a\n1,1\n2,3\n", &excluded);
    assert_eq!((found.data.n_features(), found.data.sample_names()), (1, None));
}

#[test]
fn the_column_of_names_can_be_said() {
    let options = ReadOptions { names: Some("who".into()), ..ReadOptions::default() };
    let found = table("a,who,b\n1,ann,2\n3,bob,5\n", &options);
    assert_eq!(found.data.sample_names().expect("names"), ["ann", "bob"]);
    assert_eq!((found.data.feature_name(0), found.data.feature_name(1)), ("a".into(), "b".into()));
    assert!(refusal("a,b\n1,2\n", &options).contains("no column is called `who`"));
    let told = refusal("a,who\n1,ann\n2,ann\n", &options);
    assert!(told.contains("column 2 (`who`): `ann` is in line 2 and in line 3"), "{told}");
    let rows = ReadOptions { features: Orientation::Rows, ..options };
    assert!(refusal("f,s1,s2\na,1,2\n", &rows).contains("with features in rows every column is a sample"));
}

#[test]
fn a_name_that_occurs_twice_is_told_as_such_and_classes_as_classes() {
    let message = |text: &str| refusal(text, &ReadOptions::default());
    let told = message("sample,a\ns1,1\ns2,2\ns1,3\ns4,4\n");
    assert!(told.contains("`s1` is in line 2 and in line 4, and the names of samples must differ"), "{told}");
    assert!(
        message("kind,a\np,1\nq,2\np,3\nq,4\n")
            .contains("4 cells of text, 2 different, such as `p` in line 2")
    );
}

#[test]
fn names_that_several_features_have_are_kept() {
    assert_eq!(plain("a,b,a,a\n1,2,3,4\n").repeated, ["a"]);
    let rows = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    assert_eq!(table("f,s1,s2\ng,1,2\ng,3,4\n", &rows).repeated, ["g"]);
}
