//! `fiedler fuse` with `[target]` and `aggregate`: a ranking by each source, and one of all.

use serde_json::Value;

use crate::command::{Folder, names, run};

/// Six samples of two classes and eight features, of which a, b and c go with the classes.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file(
        "x.csv",
        "sample,a,b,c,d,e,f,g,h,class\n\
         s1,0,1,2.0,2,3,8,1,4,p\ns2,1,2,1.5,9,1,4,7,2,p\ns3,0.5,1.5,1.0,1,8,2,3,9,p\n\
         s4,9,8,7.0,7,2,5,2,3,q\ns5,8,9,8.0,3,9,1,9,1,q\ns6,8.5,8.2,7.5,6,4,7,5,8,q\n",
    );
    folder.file("aux.csv", "sample,u,v\ns6,5,1\ns1,0,2\ns2,0.1,7\ns5,5.2,3\ns3,0.3,4\ns4,4.9,2.5\n");
    folder.file("days.tsv", "s1\t1\ns2\t2\ns3\t1\ns4\t2\ns5\t1\ns6\t2\n");
    folder.file("study.txt", "h\na\ng\n");
    folder.file("known.txt", "a\nb\nc\nnobody\n");
    folder
}

const REST: &str = "[target]\nfile = \"x.csv\"\nlabel = \"class\"\n\
    [[source]]\nname = \"aux\"\nkind = \"data\"\nfile = \"aux.csv\"\ngraph = { kind = \"knn\", k = 2 }\n\
    [[source]]\nname = \"days\"\nkind = \"labels\"\nfile = \"days.tsv\"\n";
const STUDY: &str = "[[ranking]]\nfile = \"study.txt\"\n";

fn answer(folder: &Folder, text: &str) -> Value {
    let run = run(&["fuse", &folder.file("c.toml", text), "--format", "json"]);
    assert_eq!(run.code, Some(0), "{text}\n{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn each_source_and_method_ranks_and_the_mean_rank_decides() {
    let folder = folder();
    let said = answer(
        &folder,
        &format!("aggregate = \"borda\"\nmethod = [\"laplacian\", \"variance\"]\n{REST}{STUDY}"),
    );
    let lists: Vec<&str> =
        said["lists"].as_array().expect("lists").iter().filter_map(|l| l["name"].as_str()).collect();
    assert_eq!(lists, ["aux by laplacian", "days by laplacian", "variance", "study"]);
    assert_eq!((&said["mode"], &said["weights"]), (&"each".into(), &"equal".into()));
    assert_eq!(said["sources"][0]["graph"]["kind"], "knn");
    assert_eq!(said["lists"][3]["features"], 3);
    let ranking = said["ranking"].as_array().expect("a ranking");
    let place = |feature: &Value, list: usize| feature["ranks"][list].as_f64();
    for feature in ranking {
        let rank = |list: usize| match place(feature, list) {
            // The study leaves five of eight out: they share the ranks 4 to 8.
            None => 6.0,
            // Features that tie are told the first of the ranks that they share.
            Some(first) => {
                let ties = ranking.iter().filter(|f| place(f, list) == Some(first)).count();
                first + (ties - 1) as f64 / 2.0
            }
        };
        let mean = (0..4).map(rank).sum::<f64>() / 4.0;
        assert!((feature["score"].as_f64().expect("a score") - mean).abs() < 1e-12, "{feature}");
    }
    // One method and no others: the source's own name is enough.
    let one = answer(&folder, &format!("aggregate = \"rra\"\n{REST}"));
    assert_eq!(one["lists"][1]["name"], "days");
    assert_eq!(one["lists"][0]["method"], "laplacian");
    // Methods alone, on graphs of their own.
    let methods = "aggregate = { kind = \"rrf\", k = 1 }\nmethod = [\"laplacian\", \"fisher\"]\n\
                   [target]\nfile = \"x.csv\"\nlabel = \"class\"\n";
    let own = answer(&folder, methods);
    assert_eq!((&own["lists"][1]["name"], &own["parameters"]["k"]), (&"fisher".into(), &1.0.into()));
}

#[test]
fn known_features_teach_which_ranking_to_trust() {
    let folder = folder();
    let said = answer(
        &folder,
        &format!(
            "aggregate = \"borda\"\nweights = \"known\"\nknown = \"known.txt\"\ndepths = [3]\n{REST}{STUDY}"
        ),
    );
    let weight = |at: usize| said["lists"][at]["weight"].as_f64().expect("a weight");
    assert!(weight(0) > 0.5 && weight(1) < 0.2, "aux {} days {}", weight(0), weight(1));
    assert!(said["lists"][0]["with_known"].as_f64().expect("an area") > 0.9);
    assert!(names(&said)[..3].iter().all(|name| ["a", "b", "c"].contains(name)), "{said}");
    assert_eq!(said["hits"]["left_out"][0]["depth"], 3);
    assert_eq!(said["hits"]["known_not_ranked"], serde_json::json!(["nobody"]));
    let shown = run(&["fuse", &folder.text("c.toml")]);
    for text in
        ["weights known: learned from known features", "by weights learned without them", "are uncertain"]
    {
        assert!(shown.stdout.contains(text) || shown.stderr.contains(text), "{text}: {}", shown.stdout);
    }
    // The same of rankings alone.
    folder.file("good.txt", "a\nb\nc\nd\n");
    folder.file("bad.txt", "d\nh\nc\nb\na\n");
    let files = "weights = \"known\"\nknown = \"known.txt\"\ndepths = [2]\n[[ranking]]\nfile = \"good.txt\"\n[[ranking]]\nfile = \"bad.txt\"\n";
    let said = answer(&folder, files);
    assert_eq!((&said["lists"][0]["weight"], &said["lists"][1]["weight"]), (&1.0.into(), &0.0.into()));
}

#[test]
fn a_report_shows_the_weights() {
    let folder = folder();
    let config = folder.file(
        "c.toml",
        format!(
            "aggregate = \"borda\"\n{}",
            REST.replace("kind = \"labels\"", "weight = 0.25\nkind = \"labels\"")
        ),
    );
    let page = folder.text("r.html");
    let run = run(&["fuse", &config, "--report", &page]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let page = std::fs::read_to_string(page).expect("written");
    assert!(page.contains("counts most with 80 % of the whole"), "the shares are told");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = folder();
    folder.file("odd.txt", "h\nq\n");
    folder.file("two.txt", "a\nb\n");
    let known = "known = \"known.txt\"\n";
    let cases = [
        (2, format!("aggregate = \"vote\"\n{REST}"), "`aggregate` must be one of borda"),
        (2, format!("aggregate = {{ k = 60 }}\n{REST}"), "needs a `kind`"),
        (2, format!("aggregate = {{ kind = \"borda\", k = 60 }}\n{REST}"), "borda has no parameter `k`"),
        (
            2,
            format!("aggregate = \"rra\"\nweights = \"known\"\n{known}{REST}"),
            "takes no weights; borda and rrf do",
        ),
        (2, format!("aggregate = \"borda\"\nweights = \"known\"\n{REST}"), "needs `known`, a file"),
        (2, format!("aggregate = \"borda\"\nweights = \"aligned\"\n{REST}"), "weights of graphs"),
        (2, format!("aggregate = \"borda\"\nweights = \"given\"\n{REST}"), "there is no `weight`"),
        (2, format!("weights = \"known\"\n{known}{REST}"), "give `aggregate` too"),
        (2, format!("aggregate = \"borda\"\nnormalize = false\n{REST}"), "`normalize` has no meaning"),
        (2, format!("method = [\"laplacian\", \"spec\"]\n{REST}"), "give `aggregate` too"),
        (2, format!("aggregate = \"borda\"\nmethod = [\"spec\", \"spec\"]\n{REST}"), "`spec` twice"),
        (2, format!("aggregate = \"borda\"\nmethod = 3\n{REST}"), "`method` must be the name of a method"),
        (2, format!("aggregate = \"borda\"\nmethod = [\"lapacian\"]\n{REST}"), "did you mean `laplacian`"),
        (2, format!("aggregate = \"borda\"\n{REST}{STUDY}name = \"aux\"\n"), "two rankings are called `aux`"),
        (
            1,
            format!("aggregate = \"borda\"\n{REST}{}", STUDY.replace("study", "odd")),
            "ranking `odd`: 1 of 2 feature names are not in the target (`q`)",
        ),
        (1, format!("aggregate = \"borda\"\nweights = \"known\"\nknown = \"two.txt\"\n{REST}"), "at least 3"),
        (2, format!("{STUDY}drop = true\n"), "`drop` has no meaning with [[ranking]]"),
    ];
    for (code, text, sentence) in cases {
        let found = run(&["fuse", &folder.file("wrong.toml", &text)]);
        assert_eq!(found.code, Some(code), "{text}\n{}", found.stderr);
        assert!(found.stderr.contains(sentence), "{text}\n{}", found.stderr);
    }
    let dropped = format!("aggregate = \"borda\"\n{REST}{}drop = true\n", STUDY.replace("study", "odd"));
    let found = run(&["fuse", &folder.file("c.toml", &dropped)]);
    assert!(
        found.stderr.contains("odd: 1 feature name is not in the target and was dropped (`q`)"),
        "{}",
        found.stderr
    );
}

/// Weights that were learned from the features that hits are counted by: that is told, and only that.
#[test]
fn hits_of_features_that_were_learned_from_are_told() {
    let folder = folder();
    let learned = |rest: &str| {
        format!(
            "aggregate = \"borda\"\nweights = \"known\"\nknown = \"known.txt\"\n{rest}{STUDY}[[ranking]]\nfile = \"good.txt\"\n"
        )
    };
    folder.file("good.txt", "a\nb\nc\nd\n");
    folder.file("fitted.toml", learned(REST));
    folder.file("alone.toml", learned(""));
    folder.file("plain.toml", learned("").replace("weights = \"known\"\n", ""));
    let judge = |known: &str| {
        let asked = ["evaluate", "x.csv", "--label", "class", "--select-on", "all", "--protocol", "hits"];
        let fused = ["--fuse", "fitted.toml,alone.toml,plain.toml", "--counts", "2", "--known", known];
        let run = folder.run(&[&asked[..], &fused].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr
    };
    let told = judge("known.txt");
    for name in ["fitted", "alone"] {
        let sentence = format!(
            "warning: {name} learned its weights from 3 of the 3 known features that judge it: its hits look better than \
             they are; count hits by features that it did not learn from\n"
        );
        assert!(told.contains(&sentence), "{told}");
    }
    assert!(!told.contains("plain learned"), "{told}");
    // The name that the data do not have is left out, as `fuse` leaves it out.
    assert!(
        told.contains("note: 1 known feature is not among those ranked and is not counted (`nobody`)\n"),
        "{told}"
    );
    // The advice, followed.
    assert!(!judge("d,e").contains("learned its weights"));
    let none = folder.run(&["evaluate", "x.csv", "--label", "class", "--known", "q,r", "--counts", "2"]);
    assert_eq!(none.code, Some(1), "{}", none.stderr);
    assert!(
        none.stderr.contains("the data have none of the 2 features that are known to matter (`q`, `r`)"),
        "{}",
        none.stderr
    );
}

/// Which methods rank on a graph of several sources is told with the line that names another.
#[test]
fn methods_that_cannot_rank_on_all_sources_are_told() {
    let folder = folder();
    for method in ["evsc", "fisher"] {
        let run = run(&["fuse", &folder.file("c.toml", format!("method = \"{method}\"\n{REST}"))]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        let got = "c.toml, line 1: `method` must be one that ranks on the graph of all sources (";
        assert!(run.stderr.contains(got), "{}", run.stderr);
        assert!(run.stderr.ends_with(&format!("got `{method}`\n")), "{}", run.stderr);
        let offered =
            run.stderr.split_once('(').and_then(|(_, rest)| rest.split_once(')')).expect("a list").0;
        for other in offered.split(", ") {
            let text = format!("method = \"{other}\"\n{REST}");
            let found = folder.run(&["fuse", &folder.file("c.toml", text)]);
            assert!(!found.stderr.contains("`method`"), "{other}: {}", found.stderr);
        }
    }
    // Where every source ranks by itself, a method that makes its own graph ranks once.
    let each = format!("aggregate = \"borda\"\nmethod = [\"laplacian\", \"evsc\"]\n{REST}");
    let lists: Vec<String> = answer(&folder, &each)["lists"]
        .as_array()
        .expect("lists")
        .iter()
        .filter_map(|list| list["name"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(lists, ["aux by laplacian", "days by laplacian", "evsc"]);
}
