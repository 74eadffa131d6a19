//! Reports in a real browser: nothing is asked of the network, nothing is said on the console, nothing runs over the edge,
//! and everything can be reached by mouse, by keyboard and by a screen reader. Pictures are kept in `target/reports`.
//!
//! Without Chromium these tests say so and pass: `apt-get install chromium` brings it on Debian.
#![allow(clippy::unwrap_used)]

mod chrome;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

use chrome::Chrome;

/// One browser at a time: each takes a few hundred megabytes.
static TURN: Mutex<()> = Mutex::new(());

/// A report that was made, and the browser to look at it with.
struct Look {
    chrome: Chrome,
    file: PathBuf,
    name: &'static str,
    _folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// Makes a report, unless there is no browser. `DIR` in arguments is the folder of `files`.
fn report(name: &'static str, arguments: &[&str], files: &[(&str, String)]) -> Option<Look> {
    let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let Some(command) = chrome::found() else {
        eprintln!(
            "no chromium: the report of {name} was not looked at; `apt-get install chromium` brings it"
        );
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let file = folder.path().join("report.html");
    let inside = folder.path().to_str().unwrap();
    let arguments = arguments.iter().map(|a| a.replace("DIR", inside));
    let made = Command::new(env!("CARGO_BIN_EXE_fiedler"))
        .args(arguments)
        .args(["--report".as_ref(), file.as_os_str()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let look = Look { chrome: Chrome::start(command), file, name, _folder: folder, _turn: turn };
    look.check();
    Some(look)
}

fn pictures() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("reports");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

impl Look {
    /// What holds for every report.
    fn check(&self) {
        let chrome = &self.chrome;
        chrome.size(1280, 900);
        chrome.open(&self.file);
        self.is_quiet();
        self.fits("1280");
        chrome.picture(&pictures().join(format!("{}.png", self.name)));
        self.is_accessible();
        chrome.media("screen", "dark");
        let dark = chrome.text("getComputedStyle(document.body).backgroundColor");
        assert_eq!(dark, "rgb(21, 24, 29)", "{}: by night", self.name);
        chrome.picture(&pictures().join(format!("{}-dark.png", self.name)));
        chrome.media("print", "dark");
        assert_eq!(chrome.text("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
        assert_eq!(chrome.text("getComputedStyle(document.querySelector('.tools')).display"), "none");
        chrome.media("screen", "light");
        chrome.size(360, 780);
        self.fits("360");
        chrome.picture(&pictures().join(format!("{}-phone.png", self.name)));
        chrome.size(1280, 900);
        assert!(chrome.memory() < 300e6, "{}: {} bytes of memory", self.name, chrome.memory());
        self.is_quiet();
    }

    /// Nothing on the console, and no request but for the file itself.
    fn is_quiet(&self) {
        let said =
            self.chrome.events(&["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"]);
        assert!(said.is_empty(), "{}: {said:#?}", self.name);
        for asked in self.chrome.events(&["Network.requestWillBeSent"]) {
            let url = asked["params"]["request"]["url"].as_str().unwrap().to_owned();
            assert!(url.ends_with("/report.html") || url.starts_with("data:"), "{}: {url}", self.name);
        }
    }

    fn fits(&self, width: &str) {
        let wide = self.chrome.number("document.documentElement.scrollWidth - innerWidth");
        let culprits = self.chrome.text(
            "[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, svg') && \
             e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map(e => e.outerHTML.slice(0, 120)).join('\\n')",
        );
        assert!(wide <= 0.0, "{} at {width}: {wide} pixels over the edge\n{culprits}", self.name);
    }

    /// Everything that can be used or looked at has a name, and every chart a table or a sentence.
    fn is_accessible(&self) {
        let named =
            ["button", "checkbox", "combobox", "searchbox", "image", "img", "link", "table", "heading"];
        let nodes = self.chrome.accessible();
        for (role, name) in &nodes {
            assert!(
                !named.contains(&role.as_str()) || !name.trim().is_empty(),
                "{}: a nameless {role}",
                self.name
            );
        }
        let charts = self.chrome.number("document.querySelectorAll('svg.chart').length") as usize;
        let told = nodes.iter().filter(|(role, _)| role == "image" || role == "img").count();
        assert!(told >= charts, "{}: {told} of {charts} charts have a name", self.name);
        let bare = self.chrome.number(
            "[...document.querySelectorAll('main section')].filter(s => s.querySelector('svg.chart') && \
             !s.querySelector('table')).length",
        );
        assert_eq!(bare, 0.0, "{}: a panel without a table", self.name);
    }

    fn has(&self, panels: &[&str]) {
        for panel in panels {
            assert_eq!(
                self.chrome.number(&format!("document.querySelectorAll('section#{panel}').length")),
                1.0,
                "{}: {panel}",
                self.name
            );
        }
    }

    fn has_not(&self, panels: &[&str]) {
        for panel in panels {
            assert_eq!(
                self.chrome.number(&format!("document.querySelectorAll('section#{panel}').length")),
                0.0,
                "{}: {panel}",
                self.name
            );
        }
    }

    fn rows(&self) -> f64 {
        self.chrome.number("document.querySelectorAll('#feature-table tbody tr').length")
    }

    fn first(&self) -> String {
        self.chrome.text("document.querySelector('#feature-table tbody tr .name').textContent")
    }
}

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
    // Other eigenvectors.
    let place = "document.querySelector('#chart-samples .points circle').getAttribute('cx')";
    let at = chrome.text(place);
    chrome.value(
        "(e => { e.value = '3'; e.dispatchEvent(new Event('change')); })(document.getElementById('axis-x'))",
    );
    chrome.settle();
    assert_ne!(chrome.text(place), at);
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
    let full = std::fs::read_to_string(look.file.with_extension("csv")).unwrap();
    assert_eq!(full.lines().count(), 1_000_001);
    look.chrome.write("#search", "x");
    assert!(look.chrome.text("document.getElementById('features').textContent").contains("report.csv"));
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
