//! `fiedler reproduce`: embedded data, recipes of one's own, the cache.

use crate::command::{Folder, fiedler, finish, run, snapshot};

pub(super) fn reproduce(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    let cache = folder.text("cache");
    let run = run(&[&["reproduce", "--cache", &cache, "--format", "json"], arguments].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn the_keys_are_listed_and_every_recipe_can_be_read() {
    let listed = run(&["reproduce", "--list"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (Some(0), ""));
    for key in [
        "ls-iris",
        "spec-3",
        "spec-4",
        "ssl-2",
        "evsc-2",
        "evsc-5",
        "dis-2.3",
        "dis-2.5",
        "dis-4.1",
        "dis-4.5",
        "dis-5-acc",
    ] {
        assert!(listed.stdout.lines().any(|l| l.starts_with(key)), "{key}");
    }
    let json = run(&["reproduce", "--list", "--format", "json"]);
    let keys: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(keys[0]["key"], "ls-iris");
    assert!(keys.as_array().is_some_and(|all| all.iter().all(|one| one["title"].is_string())), "{keys}");
}

#[test]
fn iris_is_ranked_as_the_paper_ranks_it_where_it_is() {
    let folder = Folder::new();
    let shown = run(&["reproduce", "ls-iris", "--cache", &folder.text("cache")]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    snapshot("reproduce_ls_iris", &shown.stdout);
    let answer = reproduce(&folder, &["ls-iris"]);
    for cell in answer["cells"].as_array().expect("cells") {
        let ours = cell["ours"][0]["text"].as_str().expect("an order");
        let same = ours == cell["paper"].as_str().expect("an order");
        assert_eq!(cell["verdict"], if same { "as printed" } else { "differs" });
    }
    let held = &answer["claims"][0]["held"][0];
    assert_eq!((&held["holds"], &held["of"]), (&5.into(), &9.into()));
    let searched = &answer["claims"][0]["held"][2];
    assert_eq!((&searched["holds"], &searched["of"]), (&9.into(), &9.into()), "by cosine, binary weights");
}

/// The values at one number of features are judged, and the page has those at all of them.
#[test]
fn a_figure_is_told_as_numbers() {
    let folder = Folder::new();
    let text = recipe("1nn").replace("worst = true", "at = 2\ncurves = true");
    let file = folder.file("run.toml", text);
    let answer = reproduce(&folder, &[&file, "--write"]);
    let curves = answer["curves"].as_array().expect("curves");
    assert_eq!(curves.len(), 3, "both methods and random");
    assert_eq!(curves[0]["points"][1][0], 2);
    assert_eq!(curves[0]["points"][1][1], answer["cells"][0]["ours"][0]["mean"]);
    assert_ne!(curves[0]["points"][0][1], curves[0]["points"][1][1]);
    let page = std::fs::read_to_string(folder.path("run.md")).expect("written");
    assert!(page.contains("| | | 1 | 2 |\n") && page.contains("| flowers | LS | 0."), "{page}");
    let wrong = folder.file("run.toml", recipe("1nn").replace("worst = true", "at = 3"));
    let refused = run(&["reproduce", &wrong, "--cache", &folder.text("cache")]);
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    assert!(refused.stderr.contains("`at` must be one of `counts`, got 3"), "{}", refused.stderr);
}

#[test]
fn the_study_is_drawn_once_and_then_remembered() {
    let folder = Folder::new();
    let first = reproduce(&folder, &["dis-2.5", "--quick"]);
    let entries = std::fs::read_dir(folder.path("cache")).expect("a cache");
    let files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    assert_eq!(files.len(), 2, "one result a range of the uniform features");
    assert_eq!(first["claims"], serde_json::json!([]), "a look at few draws concludes nothing");
    // What the cache says is believed, so that a changed result shows whether it was read.
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a result");
        std::fs::write(file, text.replace("\"holds\":10", "\"holds\":9")).expect("written");
    }
    let again = reproduce(&folder, &["dis-2.5", "--quick"]);
    assert_ne!(first["cells"], again["cells"]);
    assert_eq!(first["cells"], reproduce(&folder, &["dis-2.5", "--quick", "--fresh"])["cells"]);
    // Half a result is none.
    std::fs::write(&files[0], "{\"asked\":").expect("written");
    assert_eq!(first["cells"], reproduce(&folder, &["dis-2.5", "--quick"])["cells"]);
}

/// Three features of digits, judged by every metric that needs no paper.
pub(super) fn recipe(metric: &str) -> String {
    format!(
        "source = \"nowhere\"\ntitle = \"a test\"\n\
         [evaluate]\nmetric = \"{metric}\"\ncounts = [1, 2]\nrepeats = 2\nworst = true\n\
         [[method]]\nname = \"LS\"\nmethod = \"laplacian\"\n\
         [[method]]\nname = \"F\"\nmethod = \"fisher\"\n\
         [[data]]\nname = \"flowers\"\nfile = \"demo:iris\"\npaper = {{ LS = 0.5, F = 0.5 }}\n\
         [[claim]]\ntext = \"F wins\"\nbetter = \"F\"\n\
         [[claim]]\ntext = \"the same\"\nequal = [\"F\", \"LS\"]\n"
    )
}

#[test]
fn a_recipe_of_ones_own_is_judged_and_written_beside_it() {
    let folder = Folder::new();
    for metric in ["1nn", "kmeans", "jaccard", "redundancy"] {
        // A single feature has no pair, and with all of them both methods select the same.
        let text = recipe(metric);
        let text = if metric == "redundancy" { text.replace("[1, 2]", "[2]") } else { text };
        let file = folder.file("run.toml", text);
        let answer = reproduce(&folder, &[&file, "--write"]);
        let cells = answer["cells"].as_array().expect("cells");
        let names: Vec<&str> = cells.iter().map(|c| c["method"].as_str().expect("a name")).collect();
        assert_eq!(names, ["LS", "F", "random", "all features"], "{metric}");
        assert!(cells[..2].iter().all(|c| c["ours"][0]["mean"].is_f64() && c["verdict"] != ""));
        // Both select the petals, in the same order.
        assert_eq!(cells[0]["ours"], cells[1]["ours"], "{metric}");
        let verdicts: Vec<&str> =
            (0..2).map(|c| answer["claims"][c]["held"][0]["verdict"].as_str().expect("a word")).collect();
        assert_eq!(verdicts, ["not shown", "holds"], "{metric}");
        let page = std::fs::read_to_string(folder.path("run.md")).expect("written");
        let (row, claim) = ("| flowers | LS | 0.5 |", "- F wins: **not shown (+0.000, p = 1.000)**");
        assert!(page.contains(row) && page.contains(claim), "{page}");
    }
}

/// A fusion of the data alone is the method on the same graph, in any row; hits are judged where a list is there.
#[test]
fn a_fusion_stands_beside_methods() {
    let folder = Folder::new();
    let iris = folder.run(&["select", "demo:iris", "--top", "4", "-o", "iris.csv"]);
    assert_eq!(iris.code, Some(0), "{}", iris.stderr);
    folder.file("known.txt", "petal length\npetal width\n");
    folder.file(
        "one.toml",
        "method = \"laplacian\"\n[target]\nfile = \"iris.csv\"\nlabel = \"class\"\n\
                             [[source]]\nname = \"data\"\nkind = \"target\"\ngraph = \"rbf\"\n",
    );
    let text = "source = \"nowhere\"\ntitle = \"a test\"\n\
        [evaluate]\nmetric = \"1nn\"\ncounts = [1, 2]\nrepeats = 3\n\
        [[method]]\nname = \"LS\"\nmethod = \"laplacian\"\ngraph = { kind = \"rbf\" }\n\
        [[method]]\nname = \"fused\"\nfuse = \"one.toml\"\n\
        [[data]]\nname = \"accuracy\"\nfile = \"iris.csv\"\nlabel = \"class\"\n\
        [[data]]\nname = \"hits\"\nfile = \"iris.csv\"\nlabel = \"class\"\nknown = \"known.txt\"\n\
        [[claim]]\ntext = \"the same\"\nequal = [\"LS\", \"fused\"]\n";
    let data = folder.text("");
    let answer = reproduce(&folder, &[&folder.file("run.toml", text), "--data", &data]);
    let cells = answer["cells"].as_array().expect("cells");
    let value = |row: &str, method: &str| {
        let cell = cells.iter().find(|c| c["row"] == row && c["method"] == method).expect("a cell");
        cell["ours"][0]["mean"].as_f64().expect("a mean")
    };
    assert!(value("accuracy", "LS") > 0.8);
    assert_eq!(value("accuracy", "LS"), value("accuracy", "fused"));
    assert_eq!((value("hits", "LS"), value("hits", "fused")), (1.0, 1.0), "the petals");
    assert_eq!(answer["claims"][0]["held"][0]["verdict"], "holds");
    // What a fusion reads is part of the question: another source is not answered from the cache.
    folder.file("known.txt", "sepal length\n");
    let again = reproduce(&folder, &[&folder.file("run.toml", text), "--data", &data]);
    assert_ne!(again["cells"], answer["cells"]);
    for (from, to, sentence) in [
        ("fuse = \"one.toml\"", "fuse = \"none.toml\"", "none.toml"),
        ("fuse = \"one.toml\"", "fuse = \"one.toml\"\nmethod = \"laplacian\"", "one of them"),
        ("file = \"iris.csv\"\nlabel = \"class\"\nknown", "file = \"demo:iris\"\nknown", "beside the data"),
    ] {
        let file = folder.file("wrong.toml", text.replacen(from, to, 1));
        let refused = run(&["reproduce", &file, "--data", &data, "--cache", &folder.text("cache")]);
        assert!(refused.code != Some(0) && refused.stderr.contains(sentence), "{}", refused.stderr);
    }
}

#[test]
fn a_missing_file_is_told_and_the_rest_goes_on() {
    let folder = Folder::new();
    let text = recipe("1nn") + "[[data]]\nname = \"other\"\nfile = \"other.mat\"\npaper = { LS = 0.5 }\n";
    let file = folder.file("run.toml", text);
    let cache = folder.text("cache");
    let without = run(&["reproduce", &file, "--cache", &cache]);
    assert_eq!(without.code, Some(0), "{}", without.stderr);
    assert!(
        without
            .stderr
            .contains("other: other.mat is not beside the recipe; put it there, or name the directory"),
        "{}",
        without.stderr
    );
    assert!(without.stdout.contains("flowers"));
    let data = folder.text("");
    let with = finish(fiedler(&["reproduce", &file, "--cache", &cache]).env("FIEDLER_DATA", &data));
    assert!(with.stderr.contains("other.mat is neither in"), "{}", with.stderr);
    // A table that no data are there for says how to come by them, and leaves the page of those who had them.
    let none =
        recipe("1nn").replace("demo:iris", "none.mat").replace("title =", "get = \"ask for it\"\ntitle =");
    let file = folder.file("run.toml", none);
    folder.file("run.md", "as it was");
    let refused = run(&["reproduce", &file, "--cache", &cache, "--write", "--data", &data]);
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
    assert!(
        refused.stderr.contains("none.mat is neither in") && refused.stderr.contains("; ask for it"),
        "{}",
        refused.stderr
    );
    assert_eq!(std::fs::read_to_string(folder.path("run.md")).expect("there"), "as it was");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = Folder::new();
    let wrong = |text: &str| folder.file("wrong.toml", text);
    let cases = [
        ("evsc2".to_owned(), "did you mean `evsc-2`"),
        (wrong("source = \"x\"\ntitle = \"y\"\nfoo = 1\n"), "unknown field `foo`"),
    ];
    for (what, sentence) in cases {
        let found = run(&["reproduce", &what]);
        assert_eq!(found.code, Some(2), "{}", found.stderr);
        assert!(found.stderr.contains(sentence), "{}", found.stderr);
    }
    let nothing = run(&["reproduce", &wrong("source = \"x\"\ntitle = \"y\"\n")]);
    assert!(nothing.code == Some(2) && nothing.stderr.contains("0 are"), "{}", nothing.stderr);
    let metric = run(&["reproduce", &wrong(&recipe("vibes")), "--cache", &folder.text("cache")]);
    assert!(metric.code == Some(2) && metric.stderr.contains("got `vibes`"), "{}", metric.stderr);
    for (more, line, sentence) in [
        ("set = { lambda = 9 }\n", 11, "method `LS`: "),
        ("\ngraph = { kind = \"diffusion\", beta = -1.0 }\n", 12, "method `LS`: `beta` must be"),
        ("\ngraph = { kind = \"knn\", metric = \"cosin\" }\n", 12, "`metric` must be"),
        ("\n[method.graph]\nkind = \"knn\"\nbeta = 1.0\n", 14, "`beta`"),
    ] {
        let text = recipe("1nn").replace("\"laplacian\"\n", &format!("\"laplacian\"\n{more}"));
        let found = run(&["reproduce", &wrong(&text), "--cache", &folder.text("cache")]);
        assert_eq!(found.code, Some(2), "{more}: {}", found.stderr);
        assert!(found.stderr.contains(&format!("wrong.toml, line {line}: ")), "{more}: {}", found.stderr);
        assert!(found.stderr.contains(sentence), "{more}: {}", found.stderr);
    }
    for (section, line, sentence) in [
        (
            "[study]\ndraws = 0\nsamples = 5\nuniform = [[0.0, 1.0]]\n",
            4,
            "[study]: `draws` must be 1 at least",
        ),
        ("[study]\ndraws = 2\nsamples = 5\nuniform = [[1.0, 0.0]]\n", 6, "[study]: `uniform` must be ranges"),
        ("[study]\ndraws = 2\nsample = 5\nuniform = [[0.0, 1.0]]\n", 5, "unknown field `sample`"),
        (
            "[race]\ncount = 5\ngap = 0.0\npatience = 1.0\ntargets = \"labels\"\npath_seconds = 1.0\nnesterov_seconds = 1.0\n",
            5,
            "[race]: `gap` must be a number above 0",
        ),
        (
            "[race]\ncount = 5\ngap = 0.1\npatience = 1.0\ntargets = \"labls\"\npath_seconds = 1.0\nnesterov_seconds = 1.0\n",
            7,
            "labls",
        ),
        (
            "[fusion]\nstudies = 1\ngenes = 90\nrepeats = 1\ncounts = [2]\nsteps = 2\n",
            8,
            "`steps` must be 3 at least",
        ),
        (
            "[fusion]\nstudies = 1\ngenes = 90\nrepeats = 1\ncounts = [2, 91]\nsteps = 3\n",
            7,
            "`counts` must be ascending",
        ),
        (
            "[[setting]]\nname = \"a\"\nselection = \"some\"\n[race]\ncount = 5\ngap = 0.1\npatience = 1.0\ntargets = \"labels\"\npath_seconds = 1.0\nnesterov_seconds = 1.0\n",
            5,
            "`selection` must be training or all, got `some`",
        ),
    ] {
        let found = run(&["reproduce", &wrong(&format!("source = \"x\"\ntitle = \"y\"\n{section}"))]);
        assert_eq!(found.code, Some(2), "{section}: {}", found.stderr);
        assert!(found.stderr.contains(&format!("wrong.toml, line {line}: ")), "{section}: {}", found.stderr);
        assert!(found.stderr.contains(sentence), "{section}: {}", found.stderr);
    }
    for (more, sentence) in [
        ("[[claim]]\ntext = \"t\"\nbetter = \"XX\"\n", "no method is called `XX`"),
        ("[[claim]]\ntext = \"t\"\nat = 3\n", "`at` needs `better`"),
        ("[[claim]]\ntext = \"t\"\nsteady = \"YY\"\n", "no method is called `YY`"),
        (
            "[[claim]]\ntext = \"t\"\nbetter = \"F\"\nrows = [\"flowers\", \"stones\"]\n",
            "claim `t`: no [[data]] is called `stones`; there are flowers",
        ),
        ("[[data]]\nfile = \"demo:digits\"\nname = \"flowers\"\n", "two rows are called `flowers`"),
    ] {
        let text = recipe("1nn") + more;
        let found = run(&["reproduce", &wrong(&text)]);
        let line = text.lines().count();
        assert!(found.stderr.contains(&format!("wrong.toml, line {line}: ")), "{more}: {}", found.stderr);
        assert!(found.stderr.contains(sentence), "{more}: {}", found.stderr);
    }
    let silent = run(&["reproduce"]);
    assert!(silent.code == Some(2) && silent.stderr.contains("--list shows them"), "{}", silent.stderr);
    let elsewhere = folder.run(&["reproduce", "ls-iris", "--write", "--cache", "cache"]);
    assert!(
        elsewhere.code == Some(2) && elsewhere.stderr.contains("run it in the repository"),
        "{}",
        elsewhere.stderr
    );
}

/// Another column of labels is another question, data may lie beside the recipe, and what else lies there stays.
#[test]
fn labels_are_part_of_the_question_and_data_may_lie_beside_the_recipe() {
    let folder = Folder::new();
    let rows = (0..40).map(|i| format!("{},{},{},{}\n", i % 2 * 5 + i % 3, i * 7 % 11, i % 2, i / 20));
    folder.file("two.csv", format!("x,y,a,b\n{}", rows.collect::<String>()));
    folder.file("README.md", "my notes");
    let of = |label: &str| {
        let data = format!("\"two.csv\"\nlabel = \"{label}\"");
        let file = folder.file("run.toml", recipe("1nn").replace("\"demo:iris\"", &data));
        reproduce(&folder, &[&file, "--write"])["cells"][0]["ours"][0]["mean"].clone()
    };
    let (a, b) = (of("a"), of("b"));
    assert!(a.is_f64() && b.is_f64());
    assert_ne!(a, b);
    assert_eq!(of("a"), a, "found again");
    assert_eq!(std::fs::read_to_string(folder.path("README.md")).expect("there"), "my notes");
}

/// Whatever is wrong with a recipe is told with its file and line, also where only the data tell that it is.
#[test]
fn every_mistake_of_a_recipe_has_its_line() {
    let folder = Folder::new();
    let told = |text: &str| {
        run(&[
            "reproduce",
            &folder.file("wrong.toml", text),
            "--cache",
            &folder.text("cache"),
            "--data",
            &folder.text(""),
        ])
    };
    let base = recipe("1nn");
    let counts = base.lines().find(|line| line.starts_with("counts")).expect("counts").to_owned();
    let line_of = |text: &str, part: &str| text.lines().position(|l| l.contains(part)).expect("there") + 1;
    for (from, to, sentence) in [
        (
            counts.as_str(),
            "counts = 5",
            "`counts` must be a list of numbers from 1, each once, such as [5, 10], or",
        ),
        (&counts, "counts = []", "\"half\", got []"),
        (&counts, "counts = [2, 2]", "each once, such as"),
        (&counts, "counts = [0, 1]", "got [0,1]"),
        (&counts, "counts = { from = 3, to = 1, step = 1 }", "`counts` must be"),
        (
            &counts,
            "counts = [100]",
            "`counts` must have a number of features that the data have (4), got 100",
        ),
        ("[[data]]", "[[data]]\nlabeled = 0", "`labeled` must be 1 at least, got 0"),
        ("[[data]]", "[[data]]\nlabeled = 99", "`labeled` must be from 1 to"),
        ("[[data]]", "[[data]]\nclasses = 1", "`classes` must be 2 at least, got 1"),
        ("[[data]]", "[[data]]\ngraph = 5", "`graph` must be a kind, or a table"),
        ("[[data]]", "[[data]]\ngraph = { kind = \"knn\", k = 900 }", "`k` must be from 1 to"),
        ("[[data]]", "[[data]]\nneighbors = \"five\"", "it must be a whole number, not negative"),
        (&counts, "counts = [1]\nfolds = 1", "`folds` must be 2 at least, got 1"),
        (&counts, "counts = [1]\nfolds = 900", "`folds` must be"),
        (&counts, "counts = [1]\ncosts = []", "`costs` must be left out: only metric = \"svm\" reads it"),
        (
            &counts,
            "counts = [1]\nmeasure = \"nmi\"",
            "`measure` must be left out: only metric = \"kmeans\" reads it",
        ),
        (&counts, "counts = [1]\nlabeled = [1]", "[labels] reads it"),
        ("demo:iris", "demo:irs", "`file` must be a file, or `demo:` with one of"),
        ("demo:iris", "none.csv", "nor beside the recipe"),
    ] {
        let text = base.replacen(from, to, 1);
        let found = told(&text);
        let line = line_of(&text, to.lines().last().unwrap_or(to));
        assert_ne!(found.code, Some(0), "{to}: {}", found.stdout);
        assert!(found.stderr.contains(&format!("wrong.toml, line {line}: ")), "{to}: {}", found.stderr);
        assert!(found.stderr.contains(sentence), "{to}: {}", found.stderr);
        assert!(
            !found.stderr.contains("untagged") && !found.stderr.contains("invalid type"),
            "{}",
            found.stderr
        );
    }
    let drawn = told(&base.replacen("[[data]]", "[[data]]\nclasses = 2", 1));
    let line = line_of(&base, "metric = ");
    assert!(
        drawn.stderr.contains(&format!(
            "wrong.toml, line {line}: [evaluate]: `metric` must be kmeans, jaccard or redundancy where"
        )),
        "{}",
        drawn.stderr
    );
    let without = base.split("[[data]]").next().expect("a beginning");
    assert!(
        told(without).stderr.contains("[evaluate] needs one [[data]] at least"),
        "{}",
        told(without).stderr
    );
}

/// Numbers of features that the data do not have are told, with the line that asks for them; the others are judged.
#[test]
fn counts_beyond_the_features_are_told() {
    let folder = Folder::new();
    let ask = |counts: &str| {
        let text = recipe("1nn").replace("counts = [1, 2]", counts);
        run(&["reproduce", &folder.file("run.toml", text), "--cache", &folder.text("cache")])
    };
    let told = ask("counts = [1, 4, 5, 8]");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let sentence =
        "run.toml, line 5: flowers: `counts` above the number of features (4) are left out: 5, 8\n";
    assert!(told.stderr.contains(sentence), "{}", told.stderr);
    assert!(ask("counts = { from = 1, to = 9, step = 1 }").stderr.contains("left out: 5, 6, 7, 8, 9\n"));
    let within = ask("counts = [1, 4]");
    assert!(!within.stderr.contains("counts"), "{}", within.stderr);
}

/// What ± is, is told where it stands: all features are the same however they are drawn, and one partition has no spread.
#[test]
fn a_spread_is_explained_where_there_is_one() {
    let folder = Folder::new();
    let ask = |protocol: &str| {
        let text = recipe("1nn").replace("counts = [1, 2]\nrepeats = 2", protocol);
        run(&["reproduce", &folder.file("run.toml", text), "--cache", &folder.text("cache")]).stdout
    };
    let (one, several) = (ask("counts = [4]\nrepeats = 1"), ask("counts = [1, 2]\nrepeats = 2"));
    assert!(one.contains("random: the mean of 5 random rankings a partition.\n"), "{one}");
    assert!(!one.contains('±'), "{one}");
    assert!(several.contains("rankings a partition, ± over all of them.\n"), "{several}");
}

/// A name that no feature has would make an order differ from any.
#[test]
fn a_misspelled_feature_of_an_order_is_told() {
    let folder = Folder::new();
    let order = |paper: &str| {
        let text = format!(
            "source = \"x\"\ntitle = \"y\"\n[[data]]\nname = \"iris\"\nfile = \"demo:iris\"\n\
             [[ranking]]\nname = \"V\"\nmethod = \"variance\"\npaper = [\"petal length\", \"{paper}\"]\n"
        );
        run(&["reproduce", &folder.file("run.toml", text), "--cache", &folder.text("cache")])
    };
    assert_eq!(order("sepal length").code, Some(0));
    let told = order("sepal lenght");
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    let sentence =
        "run.toml, line 9: ranking `V`: no feature is called `sepal lenght`; did you mean `sepal length`?";
    assert!(told.stderr.contains(sentence), "{}", told.stderr);
}

/// The extension of the file decides, as it does for every other answer.
#[test]
fn the_name_of_the_output_tells_its_format() {
    let folder = Folder::new();
    let ask = |output: &str| folder.run(&["reproduce", "ls-iris", "--cache", "cache", "-o", output]);
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).expect("written");
    assert_eq!((ask("x.json").code, ask("x.txt").code), (Some(0), Some(0)));
    let answer: serde_json::Value = serde_json::from_str(&read("x.json")).expect("JSON");
    assert_eq!(answer["key"], "ls-iris");
    assert!(read("x.txt").starts_with("ls-iris: LS, section 4.1"), "{}", read("x.txt"));
    let refused = ask("x.csv");
    assert!(refused.code == Some(2) && refused.stderr.contains(".json or .txt"), "{}", refused.stderr);
}

/// The example of the page of recipes runs as it stands.
#[test]
fn the_example_of_the_page_runs() {
    let page = include_str!("../../../../papers/RECIPES.md");
    let example =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = Folder::new();
    let answer = reproduce(&folder, &[&folder.file("mine.toml", example), "--write"]);
    assert_eq!(answer["cells"][0]["row"], "iris");
    assert_eq!(answer["claims"][0]["text"], "the Laplacian score is better than random selection");
    assert!(folder.path("mine.md").exists());
}

/// Recipes that cannot mean anything are told before any work, with file and line.
#[test]
fn recipes_that_mean_nothing_are_told() {
    let folder = Folder::new();
    let base = recipe("1nn");
    let claim = |keys: &str| format!("{base}[[claim]]\ntext = \"t\"\n{keys}\n");
    let labels = |printed: &str| {
        let text = base.replace("[evaluate]", "[labels]\nlabeled = [3, 6]").replace("worst = true\n", "");
        text.replace("LS = 0.5, F = 0.5", &format!("F = {printed}"))
            .split("[[claim]]")
            .next()
            .expect("all but claims")
            .to_owned()
    };
    let without_worst = |text: String| text.replace("worst = true\n", "");
    for (text, sentence) in [
        (
            claim("rows = [\"flowers\"]"),
            "claim `t`: it says nothing to compare; give one of `better`, `equal`,",
        ),
        (claim("than = [\"F\"]"), "claim `t`: `than` needs `better`"),
        (claim("than = [\"F\"]\nequal = [\"F\", \"LS\"]"), "claim `t`: `than` needs `better`"),
        (
            claim("better = \"F\"\nequal = [\"F\", \"LS\"]"),
            "give one of `better`, `equal`, `row`, `gap` and `steady`, got better and equal",
        ),
        (claim("better = \"F\"\nthan = [\"F\"]"), "`than` must be other methods than `F` itself"),
        (claim("row = [\"flowers\", \"flowers\"]"), "`row` must be two different names, got `flowers` twice"),
        (claim("equal = [\"F\"]"), "it must be a list of two names, got 1"),
        (claim("equal = [\"F\", \"LS\", \"F\"]"), "it must be a list of two names, got 3"),
        (without_worst(claim("gap = \"F\"")), "`gap` needs the last features: worst = true in [evaluate]"),
        (
            claim("steady = \"F\"").replace("counts = [1, 2]", "counts = [2]"),
            "`steady` is about a curve: it needs two `counts`",
        ),
        (
            base.replace("worst = true", "printed = \"last\""),
            "`printed` = \"last\" needs the last features: worst = true",
        ),
        (
            base.clone() + "[[setting]]\nname = \"a\"\n[[setting]]\nname = \"a\"\n",
            "two settings are called `a`",
        ),
        (
            base.replace("file = \"demo:iris\"", "file = \"demo:iris\"\nlabel = \"foo\""),
            "flowers: `label` names a column of a file; demo:iris has its classes",
        ),
        (
            base.replace("LS = 0.5", "LS = [0.5, 0.6]"),
            "flowers: the printed value of `LS` must be one number: a list is for [labels], got 2",
        ),
        (
            base.replace("LS = 0.5", "LS = 92"),
            "flowers: the printed value of `LS` must be a share, as the values here are, got 92 (of a percentage 0.92)",
        ),
        (
            labels("0.1"),
            "flowers: the printed value of `F` must be a list, one for each of `labeled` (2), got a single number",
        ),
        (labels("[0.1]"), "a list, one for each of `labeled` (2), got 1"),
        (
            claim("better = \"F\"\nthan = [\"randm\"]"),
            "there are LS, F, random, all features; did you mean `random`?",
        ),
    ] {
        let found = run(&["reproduce", &folder.file("wrong.toml", &text), "--cache", &folder.text("cache")]);
        assert_eq!(found.code, Some(2), "{text}: {}", found.stderr);
        assert!(
            found.stderr.contains("wrong.toml, line ") && found.stderr.contains(sentence),
            "{sentence}: {}",
            found.stderr
        );
    }
    let good = claim("gap = \"F\"");
    let found = run(&["reproduce", &folder.file("good.toml", good), "--cache", &folder.text("cache")]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
}

/// A recipe has one name, wherever the command is run.
#[test]
fn a_recipe_is_called_by_its_file() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("rec")).expect("a folder");
    std::fs::write(folder.path("rec/mine.toml"), recipe("1nn")).expect("written");
    std::fs::write(folder.path("mine.toml"), recipe("1nn")).expect("written");
    for path in ["rec/mine.toml", "mine.toml"] {
        let found = folder.run(&["reproduce", path, "--cache", "cache"]);
        assert!(found.stdout.starts_with("mine: nowhere, a test"), "{path}: {}", found.stdout);
    }
}

/// What is missing is told once, with where it was looked for and what helps.
#[test]
fn data_that_are_not_there_are_told_once() {
    let folder = Folder::new();
    let told = |arguments: &[&str]| {
        let run = folder.run(&[&["reproduce", "--cache", "cache"], arguments].concat());
        assert_ne!(run.code, Some(0), "{}", run.stdout);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        run.stderr
    };
    let bare = told(&["ls-1"]);
    assert!(
        bare.contains("name the directory of the data sets") && bare.contains("more rows are missing)"),
        "{bare}"
    );
    let nowhere = told(&["all", "--data", "nowhere"]);
    assert!(nowhere.starts_with("error: --data: there is no folder nowhere;"), "{nowhere}");
    let mine = recipe("1nn").replace("demo:iris", "mine.csv");
    folder.file("run.toml", &mine);
    let own = told(&["run.toml"]);
    assert!(own.contains("mine.csv is not beside the recipe; put it there, or name the directory"), "{own}");
    // The advice, followed, and what is said of a table without labels.
    let rows: String = (0..30).map(|i| format!("{},{},{}\n", i % 2 * 5 + i % 3, i * 7 % 11, i % 2)).collect();
    folder.file("mine.csv", format!("x,y,group\n{rows}"));
    let unlabeled = told(&["run.toml"]);
    assert!(unlabeled.contains("(label = \"COLUMN\" in its [[data]])"), "{unlabeled}");
    folder.file("run.toml", mine.replace("\"mine.csv\"", "\"mine.csv\"\nlabel = \"group\""));
    let run = folder.run(&["reproduce", "--cache", "cache", "run.toml"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}
