//! `fiedler reproduce`: what is concluded from a recipe's numbers, and by which test.

use crate::command::{Folder, run};
use crate::reproduce::{recipe, reproduce};

/// Fisher's petals beside a ranking that begins with a sepal: p-values of both tests, in JSON and on the page.
#[test]
fn claims_are_tested_where_the_recipe_says_against_whom() {
    let folder = Folder::new();
    let text = recipe("1nn").replace("worst = true", "against = \"F\"").replace("repeats = 2", "repeats = 8");
    let text =
        text + "[[claim]]\ntext = \"beats chance\"\nbetter = \"F\"\nthan = [\"random\", \"all features\"]\n";
    let file = folder.file("run.toml", &text);
    let answer = reproduce(&folder, &[&file, "--write"]);
    assert_eq!(answer["against"], "F");
    let test = |cell: usize| &answer["cells"][cell]["ours"][0]["test"];
    // Both select the petals, in the same order.
    assert_eq!((&test(0)["is"], test(0)["p_value"].as_f64()), (&"level".into(), Some(1.0)));
    assert!(test(1).is_null(), "not against itself");
    let p = |key: &str| test(2)[key].as_f64().expect("a p-value");
    assert!(p("p_value") < p("corrected_p_value"), "halves share samples: {}", test(2));
    let better = |cell: usize| usize::from(test(cell)["is"] == "better");
    let held = |claim: usize| &answer["claims"][claim]["held"][0];
    assert_eq!(held(0)["not_shown"][0], "flowers: LS (+0.000, p = 1.000)");
    assert_eq!(held(2)["holds"], better(2) + better(3));
    assert!(held(2)["holds_uncorrected"].as_u64() >= held(2)["holds"].as_u64());
    let page = std::fs::read_to_string(folder.path("run.md")).expect("written");
    assert!(
        page.contains("| F is (p, corrected p) |") && page.contains("| level (1.000, 1.000) |"),
        "{page}"
    );
    let two = text.clone()
        + "average = true\n[[data]]\nname = \"again\"\nfile = \"demo:iris\"\npaper = { LS = 0.5, F = 0.5 }\n";
    let answer = reproduce(&folder, &[&folder.file("run.toml", two)]);
    let rows = answer["cells"].as_array().expect("cells").iter();
    assert_eq!(rows.filter(|c| c["row"] == "AVE of 2").count(), 4);
    assert_eq!(answer["claims"][2]["held"][0]["of"], 2, "the means alone");
    for (from, to, sentence) in [
        ("against = \"F\"", "against = \"G\"", "no method is called `G`"),
        (
            "against = \"F\"",
            "against = \"F\"\nprinted = \"last\"",
            "`against` must be left out beside `printed`",
        ),
        ("equal = [", "average = true\nequal = [", "`average` needs `better`"),
        ("than = [", "average = true\nthan = [", "`average` needs two rows ([[data]]) at least, got 1"),
        ("equal = [\"F\", \"LS\"]", "row = [\"flowers\", \"stones\"]", "no [[data]] is called `stones`"),
    ] {
        let wrong = text.replace(from, to);
        let refused =
            run(&["reproduce", &folder.file("wrong.toml", wrong), "--cache", &folder.text("cache")]);
        assert!(refused.code == Some(2) && refused.stderr.contains(sentence), "{}", refused.stderr);
    }
}

/// Every claim is judged by test, wherever its values are; what is the other way round does not hold.
#[test]
fn a_conclusion_has_three_ends() {
    let folder = Folder::new();
    let text = recipe("1nn").replace("repeats = 2\nworst = true", "repeats = 8\nat = 1")
        + "[[claim]]\ntext = \"petals\"\nbetter = \"F\"\nthan = [\"random\"]\nby = -0.9\n\
           [[claim]]\ntext = \"by far\"\nbetter = \"F\"\nthan = [\"all features\"]\nby = 0.5\n\
           [[claim]]\ntext = \"rows\"\nrow = [\"flowers\", \"again\"]\n\
           [[data]]\nname = \"again\"\nfile = \"demo:iris\"\npaper = { LS = 0.5, F = 0.5 }\n";
    let answer = reproduce(&folder, &[&folder.file("run.toml", &text)]);
    let held = |claim: usize| &answer["claims"][claim]["held"][0];
    let verdicts: Vec<&str> = (0..5).map(|c| held(c)["verdict"].as_str().expect("a word")).collect();
    assert_eq!(verdicts, ["not shown", "holds", "holds", "does not hold", "not shown"]);
    assert_eq!((&held(3)["of"], held(3)["not"].as_array().map(Vec::len)), (&2.into(), Some(2)));
    let first = held(3)["not"][0].as_str().expect("a place");
    assert!(first.starts_with("flowers: all features (") && first.contains("p "), "{first}");
    let other =
        text.replace("name = \"again\"\nfile = \"demo:iris\"", "name = \"again\"\nfile = \"demo:digits\"");
    let refused = run(&["reproduce", &folder.file("run.toml", other), "--cache", &folder.text("cache")]);
    assert!(refused.code == Some(2) && refused.stderr.contains("two rows of one file"), "{}", refused.stderr);
}

/// One data set shows nothing of all, and one value nothing at all: neither is said to hold.
#[test]
fn bare_means_show_nothing() {
    let folder = Folder::new();
    let verdict = |text: &str| {
        let answer = reproduce(&folder, &[&folder.file("run.toml", text)]);
        answer["claims"][2]["held"][0]["verdict"].as_str().expect("a word").to_owned()
    };
    let claim = "[[claim]]\ntext = \"t\"\nbetter = \"F\"\nthan = [\"random\"]\n";
    let several = recipe("1nn").replace("repeats = 2", "repeats = 8") + claim;
    assert_eq!(verdict(&(several.clone() + "overall = true\n")), "not shown");
    let shown = run(&["reproduce", &folder.text("run.toml"), "--cache", &folder.text("cache")]).stdout;
    assert!(shown.contains(": 3 data sets at least are needed to tell, here 1 data set"), "{shown}");
    let one = recipe("1nn").replace("repeats = 2", "repeats = 1").replace("counts = [1, 2]", "counts = [1]");
    let same = "[[claim]]\ntext = \"t\"\nbetter = \"F\"\nthan = [\"LS\"]\n";
    assert_eq!(verdict(&(one + same)), "compared as they are");
}

/// Hits of one ranking each: better than another only where what they do not share says so.
#[test]
fn hits_of_two_rankings_are_compared_by_what_they_do_not_share() {
    let folder = Folder::new();
    let iris = folder.run(&["select", "demo:iris", "--top", "4", "-o", "iris.csv"]);
    assert_eq!(iris.code, Some(0), "{}", iris.stderr);
    folder.file("known.txt", "petal length\npetal width\n");
    let text = "source = \"nowhere\"\ntitle = \"a test\"\n\
        [evaluate]\nmetric = \"1nn\"\ncounts = [2]\nrepeats = 3\nselection = \"all\"\nagainst = \"F\"\n\
        [[method]]\nname = \"F\"\nmethod = \"fisher\"\n\
        [[method]]\nname = \"E\"\nmethod = \"entropy\"\n\
        [[data]]\nname = \"hits\"\nfile = \"iris.csv\"\nlabel = \"class\"\nknown = \"known.txt\"\n\
        [[claim]]\ntext = \"t\"\nbetter = \"F\"\nthan = [\"E\"]\nby = -2\n\
        [[claim]]\ntext = \"t\"\nbetter = \"F\"\nthan = [\"E\"]\n";
    let data = folder.text("");
    let answer = reproduce(&folder, &[&folder.file("run.toml", text), "--data", &data]);
    let held = |claim: usize| &answer["claims"][claim]["held"][0];
    assert_eq!(held(0)["verdict"], "holds", "{}", held(0));
    assert_eq!(held(1)["verdict"], "not shown", "two features of four: {}", held(1));
    assert!(held(1)["not_shown"][0].as_str().is_some_and(|place| place.contains("p = ")), "{}", held(1));
}

/// Forty features, each of half the variance of the one before: every half ranks them the same by variance. Eleven are known, the first
/// seven among them.
fn stable(folder: &Folder) -> String {
    let row = |i: usize| {
        let value = |j: i32| {
            let sign = if (i * (j as usize + 3) * 7919) % 101 < 50 { 1.0 } else { -1.0 };
            format!("{:.6},", sign * 0.7f64.powi(j) * (1.0 + 0.01 * (i % 7) as f64))
        };
        (0..40).map(value).collect::<String>() + if i.is_multiple_of(2) { "a\n" } else { "b\n" }
    };
    let head: String = (0..40).map(|j| format!("f{j},")).collect();
    folder.file("d.csv", format!("{head}class\n{}", (0..30).map(row).collect::<String>()));
    let known: String = (0..7).chain(20..24).map(|j| format!("f{j}\n")).collect();
    folder.file("known.txt", known);
    "source = \"x\"\ntitle = \"hits\"\n[evaluate]\nmetric = \"1nn\"\ncounts = [5, 10]\nrepeats = 4\nagainst = \"V\"\n\
     [[setting]]\nname = \"halves\"\nscale = \"none\"\n[[method]]\nname = \"V\"\nmethod = \"variance\"\n\
     [[method]]\nname = \"F\"\nmethod = \"fisher\"\n\
     [[data]]\nname = \"d\"\nfile = \"d.csv\"\nlabel = \"class\"\nknown = \"known.txt\"\n"
        .to_owned()
}

/// Halves that find the same are as sure as one ranking, not unsure; all features have the hits of chance; and a claim at a number of
/// features is judged as one about the mean, and as `evaluate` judges.
#[test]
fn hits_that_halves_agree_on_are_as_sure_as_one_ranking() {
    let folder = Folder::new();
    let mut text = stable(&folder);
    for than in ["random", "all features", "F"] {
        for at in ["", "at = 5\n"] {
            let claim = format!("[[claim]]\ntext = \"t\"\nbetter = \"V\"\nthan = [\"{than}\"]\n{at}");
            text += &claim;
        }
    }
    let data = folder.text("");
    let answer = reproduce(&folder, &[&folder.file("run.toml", text), "--data", &data]);
    let verdict = |at: usize| answer["claims"][at]["held"][0]["verdict"].as_str().expect("a word").to_owned();
    assert_eq!([0, 1, 2, 3].map(verdict), ["holds"; 4], "{}", answer["claims"]);
    let test = |method: &str| {
        let cells = answer["cells"].as_array().expect("cells");
        let cell = cells.iter().find(|cell| cell["method"] == method).expect("a cell");
        cell["ours"][0]["test"].clone()
    };
    assert_eq!(test("random"), test("all features"));
    let p = test("random")["corrected_p_value"].as_f64().expect("tested");
    assert!(p > 0.0 && p < 0.05, "{p}");
    // The same question to `evaluate`.
    let asked =
        ["d.csv", "--label", "class", "-m", "variance,fisher", "--protocol", "hits", "--known", "known.txt"];
    let more =
        ["--counts", "5,10", "--repeats", "4", "--scale", "none", "--transform", "none", "--format", "json"];
    let found = folder.run(&[&["evaluate"], &asked[..], &more].concat());
    let found: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    let curve = &found["tables"][0]["curves"][0]["aggregated"];
    assert_eq!(curve["than_random"]["p_value"].as_f64(), Some(p), "{curve}");
    assert!(curve["than_random"]["low"].is_null(), "no interval belongs to that test");
    let other = &found["tables"][0]["curves"][1]["aggregated"]["than_best"]["p_value"];
    assert_eq!(*other, test("F")["corrected_p_value"], "two rankings");
}

/// What a claim leaves out is all others; means are of one measure; a look at few partitions concludes nothing.
#[test]
fn claims_have_their_defaults_and_means_their_measure() {
    let folder = Folder::new();
    let (text, data) = (stable(&folder), folder.text(""));
    let claim = "[[claim]]\ntext = \"t\"\nbetter = \"V\"\n";
    let of = |text: String, more: &[&str]| {
        reproduce(&folder, &[&[&folder.file("run.toml", text)[..], "--data", &data], more].concat())
    };
    let answer = of(text.clone() + claim, &[]);
    assert_eq!(answer["claims"][0]["held"][0]["of"], 1, "{}", answer["claims"]);
    // Values of a few partitions are as printed or not only where the paper's protocol was kept.
    let printed = text.replace("known = ", "paper = { V = 0.85, F = 0.1 }\nknown = ");
    let answer = of(printed.clone() + claim, &[]);
    assert_eq!(
        (&answer["claims"][0]["held"][0]["of"], &answer["cells"][0]["verdict"]),
        (&1.into(), &"as printed".into())
    );
    let one = of(printed.replace(", F = 0.1", "") + claim, &[]);
    let told = one["warnings"][0].as_str().expect("a warning");
    assert!(told.starts_with("F is not run: rows that have printed values"), "{told}");
    let quick = of(printed.clone() + claim, &["--quick"]);
    let none = quick["cells"].as_array().expect("cells").iter().all(|cell| cell["verdict"] == "");
    assert!(none && quick["claims"] == serde_json::json!([]), "{quick}");
    let shown = folder.run(&["reproduce", "run.toml", "--quick", "--cache", "cache", "--data", &data]).stdout;
    assert!(shown.contains("so nothing is judged") && !shown.contains("verdict: of"), "{shown}");
    let mixed = "[[data]]\nname = \"e\"\nfile = \"d.csv\"\nlabel = \"class\"\n";
    for key in ["average", "overall"] {
        let text = format!("{text}{mixed}{claim}{key} = true\n");
        let refused = run(&["reproduce", &folder.file("mixed.toml", text), "--data", &data]);
        let sentence =
            format!("`{key}` is a mean over rows, of which some are judged by hits (`known`, 1 of 2)");
        assert!(refused.code == Some(2) && refused.stderr.contains(&sentence), "{}", refused.stderr);
    }
}
