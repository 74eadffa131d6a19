//! What reports write and where: never over the user's files, and nothing that the command itself denies.

use crate::command::{Folder, run};

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("the file")
}

/// The words of a report, without its marks.
fn words(folder: &Folder, name: &str) -> String {
    let page = read(folder, name);
    let (mut out, mut inside) = (String::new(), false);
    for c in page[page.find("<body>").expect("a body")..page.find("<script").expect("a script")].chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// Runs, and the words of `report.html`.
fn told(folder: &Folder, arguments: &[&str]) -> String {
    let run = folder.run(&[arguments, &["--report", "report.html"]].concat());
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    words(folder, "report.html")
}

fn says(text: &str, sentence: &str) {
    assert!(text.contains(sentence), "`{sentence}` is not in\n{text}");
}

/// A table of very many features and few samples.
fn wide(features: usize) -> String {
    let names: Vec<String> = (0..features).map(|j| format!("g{j}")).collect();
    let mut text = names.join(",") + "\n";
    for i in 0..6usize {
        let values: Vec<String> =
            (0..features).map(|j| ((i * 7 + j * 13 + i * j) % 17).to_string()).collect();
        text += &(values.join(",") + "\n");
    }
    text
}

#[test]
fn all_features_go_beside_a_report_and_never_over_the_data() {
    let folder = Folder::new();
    let data = wide(10_050);
    folder.file("genes.csv", &data);
    let run = folder.run(&["rank", "genes.csv", "--method", "variance", "--report", "genes.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(read(&folder, "genes.csv"), data, "the data are as they were");
    assert_eq!(folder.list(), ["genes.csv", "genes.features.csv", "genes.html"]);
    let all = read(&folder, "genes.features.csv");
    assert_eq!((all.lines().count(), all.lines().next()), (10_051, Some("rank,feature,index,score")));
    says(&words(&folder, "genes.html"), "all of them are in genes.features.csv");
    // Few are asked for: the report lists ten thousand all the same, and all of them are beside it.
    let few =
        ["stability", "genes.csv", "--method", "variance", "--top", "3", "--repeats", "3", "--noise", "0"];
    let told = told(&folder, &few);
    says(&told, "all of them are in report.features.csv");
    assert_eq!(read(&folder, "report.features.csv"), all);
}

#[test]
fn what_would_be_lost_is_refused_before_any_work() {
    let folder = Folder::new();
    let data = "a,b\n1,2\n2,1\n3,5\n";
    folder.file("x.features.csv", data);
    folder.file("list.txt", "a\nb\n");
    folder.file("more.html", "b\na\n");
    folder.file("c.toml", "[[ranking]]\nfile = 'list.txt'\n[[ranking]]\nfile = 'more.html'\n");
    let cases: [(&[&str], &str); 5] = [
        (
            &["rank", "x.features.csv", "--report", "x.html"],
            "x.features.csv, where --report x.html lists very many features, is the same file as DATA (x.features.csv), \
             which would be lost",
        ),
        (
            &["rank", "demo:iris", "--report", "z.html", "--findings", "z.html"],
            "--report z.html and --findings z.html are the same file; name another one",
        ),
        (
            &["rank", "demo:iris", "--findings", "./z.json", "-o", "z.json"],
            "--output z.json and --findings ./z.json are the same file; name another one",
        ),
        (
            &["rank", "demo:iris", "--report", "z.html", "-o", "z.features.csv"],
            "--output z.features.csv and z.features.csv, where --report z.html lists very many features are the same file",
        ),
        (
            &["fuse", "c.toml", "--report", "more.html"],
            "--report more.html is the same file as a file that is fused (more.html), which would be lost",
        ),
    ];
    for (arguments, sentence) in cases {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with(&format!("error: {sentence}")), "{}", run.stderr);
    }
    assert_eq!(folder.list(), ["c.toml", "list.txt", "more.html", "x.features.csv"]);
    assert_eq!(read(&folder, "x.features.csv"), data);
}

#[test]
fn findings_of_very_many_features_keep_where_all_of_them_are() {
    let folder = Folder::new();
    folder.file("genes.csv", wide(10_050));
    let run = folder.run(&["rank", "genes.csv", "--method", "variance", "--findings", "kept.json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(read(&folder, "kept.features.csv").lines().count(), 10_051);
    assert_eq!(folder.run(&["report", "kept.json", "-o", "again.html"]).code, Some(0));
    says(&words(&folder, "again.html"), "all of them are in kept.features.csv");
}

#[test]
fn a_report_needs_findings_and_says_so() {
    let folder = Folder::new();
    folder.file("ranked.json", run(&["rank", "demo:iris", "--format", "json"]).stdout);
    folder.file("other.json", "{\"a\": 1}");
    folder.file("text.json", "no JSON");
    for (file, sentence) in [
        (
            "ranked.json",
            "this is the output of --format json; --findings FILE.json keeps what a report needs",
        ),
        ("other.json", "this is not findings; --findings FILE.json keeps what a report needs"),
        ("text.json", "this is not JSON written by fiedler"),
    ] {
        let run = folder.run(&["report", file, "-o", "x.html"]);
        assert!(run.code != Some(0) && run.stderr.contains(sentence), "{file}: {}", run.stderr);
    }
}

#[test]
fn what_is_safe_is_what_the_command_says_is_safe() {
    let folder = Folder::new();
    // Subsamples choose the same features; noise of three deviations does not.
    let asked =
        ["stability", "demo:planted?noise=188", "--method", "laplacian", "--top", "14", "--noise", "3"];
    let run = folder.run(&[&asked[..], &["--report", "report.html"]].concat());
    let told = words(&folder, "report.html");
    says(&run.stdout, "None of the 14");
    says(&told, "None of the 14 is safe to report: of none are we 95 % sure");
    says(&told, "None of the 14 chosen is safe to report");
    // Without that noise, and by the same words, most are.
    says(&self::told(&folder, &asked[..6]), "are safe to report: chosen again in more than 80 %");
}

#[test]
fn the_run_card_says_what_the_method_saw() {
    let folder = Folder::new();
    let seen = told(&folder, &["rank", "demo:digits"]);
    says(&seen, "Features: taken as ranks, for ");
    says(&told(&folder, &["rank", "demo:digits", "--method", "variance"]), "Features: not scaled.");
    let mut table = String::from("a,b,price\n");
    (0..60).for_each(|i| table += &format!("{},{},{}\n", i % 13, (i * 7) % 11, (i % 13) * 10 + i % 3));
    folder.file("houses.csv", table);
    let target = told(&folder, &["rank", "houses.csv", "--target", "price", "-m", "mrsf"]);
    says(&target, "tells most about price.");
    says(&target, "price: a number from 0 to 122");
    let print = |text: &str| {
        let at = text.find("fingerprint").expect("a fingerprint") + "fingerprint".len();
        text[at..at + 16].to_owned()
    };
    assert_eq!(print(&seen), print(&told(&folder, &["rank", "demo:digits", "--method", "variance"])));
    assert_ne!(print(&seen), print(&target));
    assert!(!target.contains("structure of the samples best"), "{target}");
    let labels = told(&folder, &["rank", "demo:iris", "--label", "class", "--method", "fisher"]);
    says(&labels, "petal length and petal width tell most about class.");
}

#[test]
fn nobody_is_said_to_have_asked_what_an_evaluation_found() {
    let folder = Folder::new();
    let asked = [
        "evaluate",
        "demo:iris",
        "--methods",
        "laplacian",
        "--counts",
        "1,2,3",
        "--repeats",
        "3",
        "--seed",
        "1",
    ];
    let judged = told(&folder, &asked);
    assert!(!judged.contains("as asked"), "{judged}");
    says(&judged, "the fewest of those tried that come within one standard error of the best");
}

#[test]
fn rankings_that_are_fused_are_not_said_to_follow_samples() {
    let folder = Folder::new();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fuse");
    for (file, sentence) in [
        ("rankings.toml", "rank first when all lists are taken together."),
        ("sources.toml", "follow the structure of the samples best."),
    ] {
        let fused = told(&folder, &["fuse", examples.join(file).to_str().expect("a path")]);
        says(&fused, sentence);
        assert!(!fused.contains("fiedler stability on the same data"), "{fused}");
    }
}

#[test]
fn the_path_is_drawn_whichever_method_is_first() {
    let folder = Folder::new();
    let several = told(&folder, &["rank", "demo:iris", "--method", "laplacian,mrsf", "--top", "2"]);
    says(&several, "How the set grows");
    says(&several, "By mrsf: ");
}

#[test]
fn one_and_none_are_told_in_good_grammar() {
    let folder = Folder::new();
    folder.file("one.csv", "only\n1\n4\n2\n8\n5\n7\n3\n");
    says(&told(&folder, &["rank", "one.csv"]), "It is the only feature: there is nothing to choose from.");
    let one = told(&folder, &["rank", "demo:iris", "--top", "1"]);
    says(&one, "1 of 4 features is kept.");
    let pair = told(&folder, &["rank", "demo:iris", "--top", "2"]);
    says(&pair, "1 pair of them correlates at 0.9 or more and says much the same.");
    says(&pair, "dropped: below the first 2; like petal length (r = 0.87)");
}

#[test]
fn pixels_without_a_score_and_pixels_that_are_not_listed_are_told_apart() {
    let folder = Folder::new();
    let data = "demo:planted?samples=12&informative=6&redundant=6&noise=10488";
    let asked = ["rank", data, "--method", "variance", "--image-shape", "100x105"];
    let told = told(&folder, &asked);
    says(&told, "500 pixels rank below the 10,000 that are listed and drawn");
    assert!(!told.contains("no score"), "all of them vary");
    assert!(
        read(&folder, "report.html").contains("data:image/png;base64,"),
        "very many pixels are one picture"
    );
}

#[test]
fn figures_are_what_their_names_say_and_nothing_else_is_written() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["rank", "demo:iris", "--findings", "iris.json"]).code, Some(0));
    for (name, first) in [("a.svg", &b"<svg "[..]), ("a.pdf", b"%PDF-1.4"), ("a.PNG", b"\x89PNG\r\n\x1a\n")] {
        let dots: &[&str] = if name == "a.PNG" { &["--dpi", "120"] } else { &[] };
        let run =
            folder.run(&[&["plot", "samples", "iris.json", "-o", name, "--width", "60"], dots].concat());
        if run.stderr.contains("no font is installed on this machine") {
            continue;
        }
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
        assert!(std::fs::read(folder.path(name)).expect("a figure").starts_with(first), "{name}");
    }
    for (arguments, sentence) in [
        (&["-o", "b.gif"][..], "--output b.gif: figures are written as .svg, .pdf or .png"),
        (&["-o", "b"], "--output b: figures are written as .svg, .pdf or .png"),
        (&["-o", "b.svg", "--dpi", "300"], "--dpi: only a .png has dots; leave it out"),
        (&["-o", "b.png", "--dpi", "5"], "--dpi must be from 10 to 2400 dots an inch, got 5"),
        (&["-o", "b.png", "--width", "2000", "--dpi", "2400"], "dots are more than a picture can have here"),
        (&["-o", "b.pdf", "--font", "No Such Face"], "is not installed on this machine"),
    ] {
        let run = folder.run(&[&["plot", "scores", "iris.json"], arguments].concat());
        let told = run.stderr.contains(sentence) || run.stderr.contains("no font is installed");
        assert!(run.code != Some(0) && told, "{arguments:?}: {}", run.stderr);
    }
    assert!(folder.list().iter().all(|name| !name.starts_with('b')), "{:?}", folder.list());
}

/// A chart that is of one table of several says which.
#[test]
fn a_chart_of_the_first_number_of_labels_says_so() {
    let folder = Folder::new();
    let judge = |labeled: &str| {
        let asked =
            ["evaluate", "demo:iris", "--label", "class", "-m", "sselect", "--repeats", "2", "--labeled"];
        let run = folder.run(&[&asked[..], &[labeled, "--findings", "f.json"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        ["accuracy", "labels"].map(|kind| folder.run(&["plot", kind, "f.json", "-o", "f.svg"]).stderr)
    };
    let [accuracy, labels] = judge("2,4");
    let sentence = "note: `accuracy` is drawn where selection knows 2 labels a class, the first of 2, 4; the chart `labels` has";
    assert!(accuracy.starts_with(sentence) && labels.is_empty(), "{accuracy}{labels}");
    assert_eq!(judge("2")[0], "");
}

/// The list of features has all labels where the curves have few: the panel says so, and only there.
#[test]
fn a_list_that_knows_all_labels_says_so_beside_curves_that_know_few() {
    let folder = Folder::new();
    let judge = |method: &str, more: &[&str]| {
        let asked = ["evaluate", "demo:iris", "--label", "class", "-m", method, "--repeats", "2"];
        told(&folder, &[&asked[..], more].concat())
    };
    let few = ["--labeled", "3,5,8"];
    let sentence = "ranked with all labels; what was judged knew 3, 5 or 8 labels of every class.";
    says(&judge("fisher", &few), sentence);
    says(&judge("fisher", &["--labeled", "3"]), "what was judged knew 3 labels of every class.");
    for other in [judge("variance", &few), judge("fisher", &[])] {
        assert!(!other.contains("ranked with all labels"), "{other}");
    }
}

/// One partition alone has no spread, and nothing says that it had.
#[test]
fn a_spread_is_told_where_there_are_several_partitions() {
    let folder = Folder::new();
    let judge = |repeats: &str| {
        let asked = ["evaluate", "demo:iris", "-m", "variance", "--counts", "1,2", "--repeats", repeats];
        told(&folder, &asked)
    };
    says(&judge("3"), " ± is the standard deviation over 3 partitions.");
    let one = judge("1");
    assert!(!one.contains('±') && one.contains("All 4 features: 0."), "{one}");
}
