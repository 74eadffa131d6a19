//! Reports in a real browser: nothing is asked of the network, nothing is said on the console, nothing runs over the edge,
//! and everything can be reached by mouse, by keyboard and by a screen reader. Pictures are kept in `target/reports`.
//!
//! Without Chromium these tests say so and pass: `apt-get install chromium` brings it on Debian.
#![allow(clippy::unwrap_used)]

mod chrome;
mod look;

use std::path::Path;

use look::{pictures, report};

#[test]
fn digits_with_their_pixels_can_be_searched_sorted_and_chosen() {
    let Some(look) = report("digits", &["rank", "demo:digits"], &[]) else { return };
    look.has(&[
        "scores",
        "why",
        "features",
        "pixels",
        "redundancy",
        "distributions",
        "samples",
        "spectrum",
        "graph",
        "again",
    ]);
    look.has_not(&["accuracy", "stability", "methods", "sources", "path"]);
    let chrome = &look.chrome;
    assert_eq!(look.rows(), 25.0);
    chrome.click("#more");
    assert_eq!(look.rows(), 64.0);
    chrome.write("#search", "pixel_3_");
    assert_eq!(look.rows(), 8.0);
    assert!(chrome.text("document.getElementById('matches').textContent").contains('8'));
    chrome.write("#search", "no such pixel");
    assert_eq!(look.rows(), 0.0);
    chrome.write("#search", "pixel");
    // Sorting by mouse, and back by keyboard.
    let best = look.first();
    chrome.click("th[data-key=name] button");
    assert_eq!(look.first(), "pixel_0_0");
    assert_eq!(
        chrome.text("document.querySelector('th[data-key=name]').getAttribute('aria-sort')"),
        "ascending"
    );
    chrome.press("th[data-key=name] button", "Enter");
    assert_eq!(look.first(), "pixel_7_7");
    chrome.press("th[data-key=rank] button", "Enter");
    assert_eq!(look.first(), best);
    // A feature by mouse, then another one by keyboard: the samples, the pixels and the table follow.
    let colors = "new Set([...document.querySelectorAll('#chart-samples .points circle')].map(c => getComputedStyle(c).fill)).size";
    let before = chrome.number(colors);
    chrome.click("#feature-table tbody tr:nth-child(2) .pick");
    assert!(chrome.number(colors) > before.max(10.0));
    assert_eq!(
        chrome.text(
            "document.querySelector('#feature-table tbody tr:nth-child(2)').getAttribute('aria-selected')"
        ),
        "true"
    );
    assert!(chrome.number("document.querySelectorAll('#chart-pixels .on').length") >= 1.0);
    chrome.press("#feature-table tbody tr:nth-child(3) .pick", "Enter");
    assert_eq!(chrome.number("document.querySelectorAll('#feature-table [aria-selected=true]').length"), 1.0);
    assert_eq!(chrome.text("document.getElementById('color').value"), "2");
    assert!(chrome.text("document.getElementById('live').textContent").contains("is chosen"));
    chrome.press("#feature-table tbody tr:nth-child(3) .pick", "Enter");
    assert_eq!(chrome.number(colors), before);
    // A feature whose values are not in the file does not leave the colors of the one before.
    chrome.click("#more");
    chrome.click("#feature-table tbody tr:nth-child(1) .pick");
    chrome.click("#feature-table tbody tr:nth-child(61) .pick");
    assert_eq!(chrome.number(colors), before);
    assert!(chrome.text("document.getElementById('color-says').textContent").contains("not in this file"));
    // Every panel that shows a feature marks it.
    chrome.click("#feature-table tbody tr:nth-child(2) .pick");
    for panel in ["scores", "why", "distributions", "pixels", "redundancy"] {
        let marked = chrome.number(&format!("document.querySelectorAll('#{panel} .on').length"));
        assert!(marked >= 1.0, "{panel} does not mark the chosen feature");
    }
    chrome.click("#chart-redundancy [data-f=\"4\"]");
    assert_eq!(chrome.text("document.getElementById('color').value"), "4");
    // By night low values stand out from the page, too: a contrast of 2 at least.
    chrome.media("screen", "dark");
    let faintest = "(() => { const light = (c) => { const [r, g, b] = c.match(/\\d+/g).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : \
         ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; const page = light('rgb(21, 24, 29)'); \
         return Math.min(...[...document.querySelectorAll('#chart-samples .points circle')].map(c => \
         (light(getComputedStyle(c).fill) + 0.05) / (page + 0.05))); })()";
    assert!(chrome.number(faintest) >= 2.0, "{}", chrome.number(faintest));
    chrome.picture(&pictures().join("digits-chosen-dark.png"));
    chrome.media("screen", "light");
    // Other eigenvectors.
    let place = "document.querySelector('#chart-samples .points circle').getAttribute('cx')";
    let at = chrome.text(place);
    chrome.value(
        "(e => { e.value = '3'; e.dispatchEvent(new Event('change')); })(document.getElementById('axis-x'))",
    );
    chrome.settle();
    assert_ne!(chrome.text(place), at);
    for (id, label) in [("axis-x", ".lx"), ("axis-y", ".ly")] {
        let chosen = chrome.text(&format!("document.getElementById('{id}').selectedOptions[0].textContent"));
        let said = chrome.text(&format!("document.querySelector('#chart-samples {label}').textContent"));
        assert!(said.contains(&chosen), "{id}: {said}");
    }
    chrome.click("#theme");
    assert_eq!(chrome.text("getComputedStyle(document.body).backgroundColor"), "rgb(21, 24, 29)");
    look.is_quiet();
}

#[test]
fn a_script_that_is_not_ours_does_not_run_and_these_tests_would_notice() {
    let Some(look) = report("policy", &["graph", "demo:iris"], &[]) else { return };
    let text = std::fs::read_to_string(&look.file).unwrap();
    let foreign =
        "<script>document.title = 'foreign'</script><img src=\"http://127.0.0.1:9/x.png\" alt=\"x\"></body>";
    std::fs::write(&look.file, text.replace("</body>", foreign)).unwrap();
    look.chrome.open(&look.file);
    assert_ne!(look.chrome.text("document.title"), "foreign");
    assert!(!look.chrome.events(&["Log.entryAdded"]).is_empty(), "what the policy refuses is told");
}

#[test]
fn iris_by_two_methods_is_compared() {
    let Some(look) =
        report("iris", &["rank", "demo:iris", "--label", "class", "--method", "laplacian,fisher"], &[])
    else {
        return;
    };
    look.has(&["methods", "samples", "scores"]);
    assert!(look.chrome.text("document.getElementById('short').textContent").contains("petal length"));
}

#[test]
fn evaluation_and_stability_and_selection_have_their_panels() {
    if let Some(look) = report(
        "evaluate",
        &["evaluate", "demo:iris", "--methods", "laplacian,fisher", "--counts", "1,2,3", "--repeats", "3"],
        &[],
    ) {
        look.has(&["accuracy", "features", "scores"]);
    }
    if let Some(look) = report(
        "stability",
        &[
            "stability",
            "demo:planted?samples=60&noise=40",
            "--method",
            "laplacian",
            "--top",
            "6",
            "--repeats",
            "10",
        ],
        &[],
    ) {
        look.has(&["stability", "features", "why"]);
        look.chrome.click("#chart-stability circle[data-f]");
        assert!(look.chrome.number("document.querySelectorAll('#stability .on').length") >= 2.0);
        assert!(look.chrome.text("document.getElementById('short').textContent").contains("safe to report"));
    }
    if let Some(look) = report(
        "select",
        &["select", "demo:planted?samples=60&noise=40", "--top", "5", "-o", "DIR/few.csv"],
        &[],
    ) {
        look.has(&["path", "redundancy"]);
    }
}

/// A coefficient is drawn against what is measured, hits beside it.
#[test]
fn a_sweep_and_hits_have_their_panels() {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fuse");
    let file = |name: &str| config.join(name).display().to_string();
    let (data, fuse, known) = (file("expression.csv"), file("sources.toml"), file("known.txt"));
    let arguments = [
        "evaluate",
        &data,
        "--label",
        "class",
        "--protocol",
        "jaccard",
        "--fuse",
        &fuse,
        "--sweep",
        "miRNA,pathways",
        "--known",
        &known,
    ];
    if let Some(look) = report("sweep", &arguments, &[]) {
        look.has(&["accuracy", "hits", "sweep"]);
        assert!(look.chrome.number("document.querySelectorAll('#sweep svg').length") >= 2.0);
    }
}

#[test]
fn sources_and_rankings_that_are_fused_have_reports() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fuse");
    for (name, file) in [("fuse", "sources.toml"), ("fuse-rankings", "rankings.toml")] {
        let recipe = examples.join(file);
        if let Some(look) = report(name, &["fuse", recipe.to_str().unwrap()], &[]) {
            look.has(&["sources", "features"]);
        }
    }
}

#[test]
fn a_million_features_are_a_small_file_with_all_of_them_beside_it() {
    let data = "demo:planted?samples=12&informative=6&redundant=6&noise=999988";
    let Some(look) = report("million", &["rank", data, "--method", "variance"], &[]) else { return };
    assert!(std::fs::metadata(&look.file).unwrap().len() < 5_000_000);
    let full = std::fs::read_to_string(look.file.with_extension("features.csv")).unwrap();
    assert_eq!(full.lines().count(), 1_000_001);
    look.chrome.write("#search", "x");
    assert!(
        look.chrome.text("document.getElementById('features').textContent").contains("report.features.csv")
    );
}

#[test]
fn very_many_pixels_are_one_picture_that_can_be_pointed_at() {
    let data = "demo:planted?samples=12&informative=6&redundant=6&noise=10488";
    let arguments = ["rank", data, "--method", "variance", "--image-shape", "100x105"];
    let Some(look) = report("pixels", &arguments, &[]) else { return };
    let chrome = &look.chrome;
    assert!(chrome.number("document.querySelectorAll('#chart-pixels *').length") < 1000.0);
    chrome.click("image.pixels");
    let middle =
        chrome.text("document.querySelector('#feature-table [aria-selected=true] .name')?.textContent ?? ''");
    let said = chrome.text("document.getElementById('live').textContent");
    assert!(said.contains("is chosen") || middle.is_empty(), "{said}");
    chrome.click("#feature-table tbody tr:nth-child(1) .pick");
    assert_eq!(chrome.number("document.querySelectorAll('.chosen-pixel').length"), 1.0);
}

#[test]
fn awkward_names_are_names() {
    let long = "n".repeat(500);
    let names = format!(
        "\"</script><script>alert(1)</script>\",\"\"\"quoted\"\" & 'more'\",\"שלום עולם\",{long},\"\u{1b}[31mred\u{202e}\",<!--"
    );
    let mut csv = format!("{names},label\n");
    for i in 0..30 {
        let values: Vec<String> = (0..6).map(|j| ((i * (j + 3)) % 17).to_string()).collect();
        csv.push_str(&format!("{},\"<b>{}</b>\"\n", values.join(","), i % 2));
    }
    let Some(look) =
        report("awkward", &["rank", "DIR/awkward.csv", "--label", "label"], &[("awkward.csv", csv)])
    else {
        return;
    };
    let shown = look
        .chrome
        .text("[...document.querySelectorAll('#feature-table .name')].map(e => e.textContent).join('|')");
    for name in [
        "</script><script>alert(1)</script>",
        "\"quoted\" & 'more'",
        "שלום עולם",
        &long,
        "\\u{1b}[31mred\\u{202e}",
        "<!--",
    ] {
        assert!(shown.contains(name), "{name} is not in {shown}");
    }
    look.chrome.write("#search", "</script>");
    assert_eq!(look.rows(), 1.0);
}

#[test]
fn few_features_no_labels_many_classes_and_pieces_have_reports() {
    let one: String = (0..20).map(|i| format!("{}\n", i * i % 23)).collect();
    if let Some(look) =
        report("one-feature", &["rank", "DIR/one.csv"], &[("one.csv", format!("only\n{one}"))])
    {
        look.has(&["features", "again"]);
        look.has_not(&["redundancy", "scores"]);
    }
    let mut many = String::from("a,b,c,class\n");
    (0..400).for_each(|i| many.push_str(&format!("{},{},{},class {}\n", i % 7, (i * i) % 31, i / 2, i / 2)));
    if let Some(look) =
        report("classes", &["rank", "DIR/many.csv", "--label", "class"], &[("many.csv", many)])
    {
        look.has(&["samples"]);
    }
    let mut apart = String::from("a,b,c\n");
    (0..60).for_each(|i| {
        apart.push_str(&format!("{},{},{}\n", 1000 * (i % 3) + i, (i * 7) % 5, 1000 * (i % 3) - i))
    });
    let file = [("apart.csv", apart)];
    if let Some(look) = report("pieces", &["rank", "DIR/apart.csv", "--k", "3"], &file) {
        assert!(look.chrome.text("document.querySelector('.careful').textContent").contains("disconnected"));
    }
    if let Some(look) = report("graph", &["graph", "DIR/apart.csv", "--k", "3"], &file) {
        look.has(&["graph", "spectrum", "samples"]);
        look.has_not(&["features"]);
    }
    let mut text = String::new();
    for i in 0..40usize {
        let words: Vec<String> =
            (1..80).filter(|w| (i * w) % 11 == i % 3).map(|w| format!("{w}:{}", 1 + (i + w) % 4)).collect();
        text.push_str(&format!("{} {}\n", i % 2, words.join(" ")));
    }
    if let Some(look) =
        report("text", &["rank", "DIR/words.libsvm", "--top", "10"], &[("words.libsvm", text)])
    {
        look.has(&["features", "scores"]);
    }
}
