//! `fiedler select`.

use crate::command::{FLOWERS, Folder, json, names};

/// However many are kept, the first are listed, and what is said to show the others does.
#[test]
fn a_long_selection_is_listed_in_part() {
    let folder = Folder::new();
    let arguments = ["select", "demo:digits", "--method", "variance", "--top", "40", "-o", "small.csv", "-q"];
    let run = folder.run(&arguments);
    let end = "\n… and 20 more (--format csv shows them)\n\n40 of 64 features kept in small.csv\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    let all = folder.run(&[&arguments[..], &["--format", "csv"]].concat());
    assert_eq!(all.stdout.lines().count(), 41, "{}", all.stdout);
}

#[test]
fn the_chosen_columns_are_written_in_the_order_and_units_of_the_data() {
    let folder = Folder::new();
    folder.file("flowers.csv", FLOWERS);
    let arguments = ["select", "flowers.csv", "--label", "species", "--method", "fisher", "--top", "2"];
    let run = folder.run(&[&arguments[..], &["-o", "small.csv"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.ends_with("\n2 of 3 features kept in small.csv\n"), "{}", run.stdout);
    let small = std::fs::read_to_string(folder.path("small.csv")).expect("written");
    let lines: Vec<&str> = small.lines().collect();
    assert_eq!(lines[0], "length,width,species");
    assert_eq!(
        lines[1].split(',').map(|v| v.parse().unwrap_or(-1.0)).collect::<Vec<f64>>(),
        [1.0, 0.2, -1.0]
    );
    assert_eq!(lines.len(), 13);
}

#[test]
fn a_reduced_file_reads_back_in_every_format() {
    let folder = Folder::new();
    for name in ["r.csv", "r.tsv", "r.csv.gz", "r.npy", "r.parquet", "r.arrow", "r.libsvm"] {
        let path = folder.text(name);
        let kept =
            json_of(&folder, &["select", "demo:planted", "--top", "12", "-o", name, "--format", "json"]);
        let back = json(&["rank", &path, "--method", "variance", "--quiet", "--format", "json"]);
        assert_eq!(
            (back["n_samples"].as_u64(), kept["ranking"].as_array().map(Vec::len)),
            (Some(200), Some(12)),
            "{name}"
        );
    }
}

/// Labels of a file of their own are written as those of a column are, under their title or as `label`.
#[test]
fn labels_of_a_file_are_written_with_the_features() {
    let folder = Folder::new();
    let lines: Vec<&str> = FLOWERS.lines().collect();
    let (numbers, species): (Vec<&str>, Vec<&str>) =
        lines.iter().map(|line| line.rsplit_once(',').expect("a comma")).unzip();
    folder.file("flowers.csv", numbers.join("\n") + "\n");
    folder.file("plain.txt", species[1..].join("\n") + "\n");
    folder.file("titled.txt", species.join("\n") + "\n");
    let select = |labels: &str, output: &str| {
        let asked = ["select", "flowers.csv", "-m", "fisher", "--top", "2", "--labels", labels, "-o", output];
        let run = folder.run(&asked);
        assert_eq!(run.code, Some(0), "{output}: {}", run.stderr);
        run
    };
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).expect("written");
    for (labels, title) in [("plain.txt", "label"), ("titled.txt", "species")] {
        select(labels, "small.csv");
        let small = read("small.csv");
        assert_eq!(small.lines().next(), Some(format!("length,width,{title}").as_str()));
        assert!(small.lines().last().is_some_and(|line| line.ends_with(",virginica")), "{small}");
        assert_eq!(select(labels, "-").stdout, small);
        for name in ["small.parquet", "small.arrow", "small.h5ad", "small.npz", "small.blocks"] {
            assert!(!select(labels, name).stderr.contains("not in"), "{name}");
            let label = if name.ends_with("npz") { "y" } else { title };
            let back = folder.run(&["rank", name, "--label", label, "-m", "fisher", "--format", "json"]);
            assert_eq!(back.code, Some(0), "{name}: {}", back.stderr);
            assert!(back.stdout.contains(&format!("\"labels\": \"{label}\"")), "{name}: {}", back.stdout);
            let _ = std::fs::remove_dir_all(folder.path("small.blocks"));
        }
    }
    let told = select("plain.txt", "small.npy").stderr;
    assert!(told.contains("feature names, labels are not in it"), "{told}");
}

/// Where the labels cannot stand as they would, a note says so.
#[test]
fn labels_without_a_place_are_told() {
    let folder = Folder::new();
    folder.file("taken.csv", "label,label_2,b\n1,2,9\n2,1,8\n8,9,1\n9,8,2\n");
    folder.file("rows.csv", "gene,s1,s2,s3,s4\na,1,2,8,9\nb,2,1,9,8\n");
    folder.file("y.txt", "p\np\nq\nq\n");
    folder.file("named.csv", "s1,p\ns2,p\ns3,q\ns4,q\n");
    for output in ["out.csv", "out.parquet", "-"] {
        let asked = ["select", "taken.csv", "-m", "fisher", "--top", "3", "--labels", "y.txt", "-o", output];
        let run = folder.run(&asked);
        let note = "note: the labels are in column `label_3`, for a feature is called `label`\n";
        assert!(run.code == Some(0) && run.stderr.contains(note), "{output}: {}", run.stderr);
    }
    let written = std::fs::read_to_string(folder.path("out.csv")).expect("written");
    assert!(written.starts_with("label,label_2,b,label_3\n1,2,9,p\n"), "{written}");
    let rows = ["rows.csv", "--features", "rows", "--labels", "named.csv", "-m", "fisher", "--top", "1"];
    let run = folder.run(&[&["select"], &rows[..], &["-o", "out.tsv"]].concat());
    let note = "note: the labels are not in the file that was written, whose lines are features\n";
    assert!(run.code == Some(0) && run.stderr.contains(note), "{}", run.stderr);
    let turned = folder.run(&[&["select"], &rows[..], &["-o", "turned.parquet"]].concat());
    assert!(turned.code == Some(0) && !turned.stderr.contains("labels are"), "{}", turned.stderr);
}

#[test]
fn the_default_does_not_keep_copies_when_others_are_left() {
    // Six samples: five directions, so fewer than eight features explain all; each has a copy in other units.
    let folder = Folder::new();
    folder.file("twice.csv", twice());
    let arguments = ["twice.csv", "--label", "y", "--set", "targets=svm", "--top", "8", "--format", "json"];
    let selected = json_of(&folder, &[&["select"], &arguments[..], &["-o", "r.csv"]].concat());
    let ranked = json_of(&folder, &[&["rank", "--method", "mrsf"], &arguments[..]].concat());
    for answer in [selected, ranked] {
        let mut kinds: Vec<String> = names(&answer)
            .iter()
            .map(|n| n.trim_start_matches("copy").trim_start_matches('f').to_owned())
            .collect();
        kinds.sort_unstable();
        assert_eq!(kinds, ["0", "1", "2", "3", "4", "5", "6", "7"], "{answer}");
    }
}

#[test]
fn the_default_keeps_no_noise() {
    let folder = Folder::new();
    let kept = json_of(&folder, &["select", "demo:planted", "--top", "6", "-o", "r.csv", "--format", "json"]);
    assert!(names(&kept).iter().all(|name| !name.starts_with("noise")), "{kept}");
}

/// Eight features and their copies, 2f + 1, for six samples of two classes.
fn twice() -> String {
    let value =
        |i: usize, j: usize| ((i * i * 37 + j * j * 53 + i * j * 71 + 11 * i + 7 * j) % 101) as f64 / 10.0;
    let mut text = String::new();
    (0..8).for_each(|j| text.push_str(&format!("f{j},copy{j},")));
    text.push_str("y\n");
    for (i, class) in ["a", "b", "a", "b", "b", "a"].iter().enumerate() {
        (0..8).for_each(|j| text.push_str(&format!("{},{},", value(i, j), 2.0 * value(i, j) + 1.0)));
        text.push_str(&format!("{class}\n"));
    }
    text
}

#[test]
fn count_follows_top_unless_the_user_sets_it() {
    let folder = Folder::new();
    let arguments = [
        "select",
        "demo:planted",
        "--method",
        "trace-ratio",
        "--top",
        "5",
        "-o",
        "r.csv",
        "--format",
        "json",
    ];
    assert_eq!(json_of(&folder, &arguments)["parameters"]["count"], 5);
    let set = [&arguments[..], &["--set", "count=9"]].concat();
    assert_eq!(json_of(&folder, &set)["parameters"]["count"], 9);
    let listed = ["rank", "demo:planted", "--method", "mrsf", "--top", "5", "--format", "json"];
    assert_eq!(json_of(&folder, &listed)["parameters"]["count"], 5);
}

#[test]
fn nothing_is_written_when_something_is_wrong() {
    let folder = Folder::new();
    let run = folder.run(&["select", "demo:iris", "--top", "9", "-o", "r.csv"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "error: --top must be at most the number of features (4), got 9\n");
    assert!(folder.list().is_empty());
}

fn json_of(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    let run = folder.run(arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}
