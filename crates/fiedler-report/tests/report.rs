//! What the page says, by rules that can be checked by hand. How it looks is checked in a browser, by the tests of the
//! command.
#![allow(clippy::unwrap_used)]

use base64::Engine;
use fiedler::dataset::{Dense, Order, demo};
use fiedler::{Analysis, Dataset, Silent, Wanted};
use fiedler_report::{CHARTS, FORMAT, Look, Story, chart, html};
use sha2::{Digest, Sha256};

fn story(data: &Dataset, methods: &[&str], count: Wanted) -> Story {
    let methods = methods.iter().map(|m| (*m).to_owned()).collect();
    let analysis = Analysis { methods, count, portrait: true, ..Analysis::default() };
    let found = analysis.run(data, "data", &Silent).unwrap();
    // Seconds differ from run to run, and nothing else does.
    Story { seconds: None, ..Story::of(&found) }
}

fn page(story: &Story) -> String {
    html(story)
}

/// The text of a page, without its tags.
fn words(page: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in page.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn sentences_have_the_numbers_of_the_data() {
    let story = story(&demo::iris().unwrap(), &["laplacian"], Wanted::All);
    let said = words(&page(&story));
    for sentence in [
        "petal length and petal width follow the structure of the samples best.",
        "After 2 of 4 features the curve of the scores bends most.",
        "1 pair of them correlates at 0.9 or more and says much the same.",
        "Both kept features follow eigenvector 2 most, which separates setosa from the rest.",
        "2 of 4 features kept.",
        "kept by its score; follows ξ₂ (",
        "which separates setosa from the rest",
        "dropped: below the first 2; like petal length (r = 0.87)",
        "An eigenvector ξ of the graph gives every sample a number",
        "1: every sample can be reached from every other",
        "all 150 samples are connected",
        "How sure this is, whether other samples would give the same features, has not been measured",
    ] {
        assert!(said.contains(sentence), "`{sentence}` is not said");
    }
}

#[test]
fn a_panel_is_there_only_where_there_is_something_to_show() {
    let alone = page(&story(&demo::iris().unwrap(), &["variance"], Wanted::Count(1)));
    for panel in ["accuracy", "stability", "methods", "sources", "path", "pixels", "redundancy"] {
        assert!(!alone.contains(&format!("<section id=\"{panel}\"")), "{panel}");
    }
    let several = page(&story(&demo::iris().unwrap(), &["variance", "mrsf"], Wanted::Count(2)));
    assert!(several.contains("<section id=\"methods\"") && several.contains("<section id=\"redundancy\""));
}

/// The panels of a page, in their order.
fn panels(page: &str) -> Vec<&str> {
    page.match_indices("<section id=\"")
        .map(|(at, open)| &page[at + open.len()..])
        .map(|s| &s[..s.find('"').unwrap()])
        .collect()
}

#[test]
fn panels_answer_which_why_how_many_how_sure_and_whether_to_trust_the_graph() {
    let told = story(&demo::digits().unwrap(), &["mrsf", "laplacian"], Wanted::Count(8));
    let told = Story { image_shape: Some((8, 8)), ..told };
    let order =
        ["scores", "why", "features", "samples", "distributions", "pixels", "redundancy", "path", "methods"];
    let page = page(&told);
    let found = panels(&page);
    assert_eq!(found[..order.len()], order);
    assert_eq!(found[found.len() - 3..], ["spectrum", "graph", "again"]);
}

#[test]
fn every_row_says_why_a_feature_is_kept_or_dropped() {
    for methods in [["laplacian"], ["mrsf"], ["variance"]] {
        let page = page(&story(&demo::digits().unwrap(), &methods, Wanted::Count(20)));
        let cells =
            page.split("<td class=\"why\">").skip(1).map(|rest| words(rest.split("</td>").next().unwrap()));
        let cells: Vec<String> = cells.collect();
        assert_eq!(cells.len(), 25);
        for cell in cells {
            let (state, why) = cell.split_at(cell.find([' ', ':']).unwrap_or(cell.len()));
            assert!(["kept", "dropped"].contains(&state) && why.len() > 5, "{methods:?}: `{cell}`");
        }
    }
}

#[test]
fn what_was_compared_in_part_is_told_in_part() {
    let data = demo::Planted { noise: 88, ..demo::Planted::default() }.generate().unwrap().data;
    let said = words(&page(&story(&data, &["laplacian"], Wanted::Count(60))));
    assert!(said.contains("one of the first 40 kept (correlation of"), "{said}");
    assert!(said.contains("of the first 40 kept features correlate"), "{said}");
    // Classes by number are said to be classes.
    let digits = words(&page(&story(&demo::digits().unwrap(), &["laplacian"], Wanted::Count(10))));
    assert!(digits.contains("separates class 0 from the rest"), "{digits}");
}

#[test]
fn medians_that_say_nothing_give_way_to_means() {
    // Both classes are mostly zero: their medians are the same, their means are not.
    let rows: Vec<[f64; 2]> = (0..40)
        .map(|i| [if i % 20 > 14 { f64::from(1 + i / 20 * 4) } else { 0.0 }, f64::from(i * 7 % 11) / 100.0])
        .collect();
    let labels = fiedler::Labels::from_codes(&(0..40).map(|i| i / 20).collect::<Vec<usize>>());
    let data = Dataset::from_rows(&rows).unwrap().labeled(labels).unwrap();
    let said = words(&page(&story(&data, &["variance"], Wanted::Count(1))));
    let sentence = "the mean runs from 0.25 (class 0) to 1.25 (class 1); the median is 0 in every class.";
    assert!(said.contains(sentence), "{said}");
}

#[test]
fn a_chosen_feature_can_be_marked_in_every_panel_that_shows_it() {
    let told = story(&demo::iris().unwrap(), &["mrsf", "fisher"], Wanted::Count(3));
    let page = page(&told);
    for panel in ["scores", "why", "redundancy", "methods", "path", "distributions"] {
        let from = page.find(&format!("<section id=\"{panel}\"")).unwrap();
        let to = from + page[from..].find("</section>").unwrap();
        assert!(page[from..to].contains(" data-f=\"0\""), "{panel}");
    }
}

#[test]
fn a_story_is_the_same_when_it_is_read_again() {
    for methods in [&["laplacian"][..], &["mrsf", "fisher"]] {
        let told = story(&demo::digits().unwrap(), methods, Wanted::Count(8));
        let again = Story::from_json(&told.to_json()).unwrap();
        assert_eq!(again, told);
        assert_eq!(page(&again), page(&told));
    }
}

#[test]
fn a_story_of_another_format_is_refused_with_a_sentence() {
    let told = story(&demo::iris().unwrap(), &["variance"], Wanted::All);
    let other = told.to_json().replacen(&format!("\"format\":{FORMAT}"), "\"format\":99", 1);
    assert!(Story::from_json(&other).unwrap_err().contains("format 99"));
    assert!(Story::from_json("{}").unwrap_err().contains("--findings"));
    assert!(Story::from_json("no JSON").unwrap_err().contains("not JSON written by fiedler"));
    let broken = told.to_json().replacen("\"notes\"", "\"note\"", 1);
    assert!(Story::from_json(&broken).unwrap_err().contains("write them again"));
}

#[test]
fn the_policy_allows_our_script_and_our_style_alone() {
    let page = page(&story(&demo::iris().unwrap(), &["laplacian"], Wanted::All));
    for (open, close, kind) in [("<script>", "</script>", "script-src"), ("<style>", "</style>", "style-src")]
    {
        let text = page.split(open).nth(1).unwrap().split(close).next().unwrap();
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
        assert!(page.contains(&format!("{kind} 'sha256-{hash}'")), "{kind}");
    }
    assert!(page.contains("default-src 'none'") && !page.contains("unsafe"));
    assert!(
        !page.contains(" style=\"") && !page.contains(" onclick"),
        "nothing that the policy would refuse"
    );
}

#[test]
fn names_with_markup_are_text() {
    let nasty = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'&"];
    let values: Vec<f64> = (0..60).map(|i| f64::from((i * i + i) % 23)).collect();
    let columns = Dense::new(values, 20, 3, Order::ColumnMajor).unwrap();
    let names = nasty.iter().map(|n| (*n).to_owned()).collect();
    let data = Dataset::named(columns, Some(names), &Silent).unwrap();
    let page = page(&story(&data, &["laplacian"], Wanted::All));
    assert!(!page.contains("<script>alert") && !page.contains("<img"));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
}

#[test]
fn charts_are_figures_of_plain_colors() {
    let told = story(&demo::digits().unwrap(), &["laplacian", "fisher"], Wanted::Count(6));
    let told = Story { image_shape: Some((8, 8)), ..told };
    let drawn: Vec<&str> = CHARTS.into_iter().filter(|name| chart(&told, name).is_some()).collect();
    for name in ["scores", "why", "samples", "spectrum", "degrees", "redundancy", "methods", "pixels"] {
        assert!(drawn.contains(&name), "{name}");
    }
    for name in drawn {
        let figure = chart(&told, name).unwrap();
        for monochrome in [false, true] {
            let look = Look { width_mm: 85.0, monochrome, ..Look::default() };
            let svg = figure.figure(&look);
            assert!(
                svg.starts_with("<svg") && svg.contains("width=\"85.00mm\"") && !svg.contains("var("),
                "{name}"
            );
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name} has marks nowhere");
        }
    }
    assert!(chart(&told, "no such chart").is_none());
}

#[test]
fn a_question_that_cannot_be_answered_has_no_numbers_that_are_none() {
    let constant = Dataset::from_rows(&[[1.0, 2.0], [1.0, 3.0], [1.0, 9.0], [1.0, 4.0]]).unwrap();
    let page = page(&story(&constant, &["laplacian"], Wanted::All));
    assert!(!page.contains("NaN") && page.contains("constant"));
}
