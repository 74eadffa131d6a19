//! A report in the browser, and what holds for every one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

use crate::chrome::{self, Chrome};

/// One browser at a time: each takes a few hundred megabytes.
static TURN: Mutex<()> = Mutex::new(());

/// A report that was made, and the browser to look at it with.
pub(crate) struct Look {
    pub(crate) chrome: Chrome,
    pub(crate) file: PathBuf,
    name: &'static str,
    _folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// Makes a report, unless there is no browser. `DIR` in arguments is the folder of `files`.
pub(crate) fn report(name: &'static str, arguments: &[&str], files: &[(&str, String)]) -> Option<Look> {
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

pub(crate) fn pictures() -> PathBuf {
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
        self.labels_stay_inside("1280");
        chrome.picture(&pictures().join(format!("{}.png", self.name)));
        self.is_accessible();
        chrome.media("screen", "dark");
        let dark = chrome.text("getComputedStyle(document.body).backgroundColor");
        assert_eq!(dark, "rgb(21, 24, 29)", "{}: by night", self.name);
        chrome.picture(&pictures().join(format!("{}-dark.png", self.name)));
        chrome.media("print", "dark");
        assert_eq!(chrome.text("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
        assert_eq!(chrome.text("getComputedStyle(document.querySelector('.tools')).display"), "none");
        self.prints();
        chrome.media("screen", "light");
        chrome.size(360, 780);
        self.fits("360");
        self.labels_stay_inside("360");
        self.is_readable();
        chrome.picture(&pictures().join(format!("{}-phone.png", self.name)));
        chrome.size(1280, 900);
        assert!(chrome.memory() < 300e6, "{}: {} bytes of memory", self.name, chrome.memory());
        self.is_quiet();
    }

    /// Nothing on the console, and no request but for the file itself.
    pub(crate) fn is_quiet(&self) {
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

    /// No word of a chart leaves its chart.
    fn labels_stay_inside(&self, width: &str) {
        let outside = self.chrome.text(
            "[...document.querySelectorAll('svg.chart')].flatMap(svg => { const box = svg.getBoundingClientRect(); \
             return [...svg.querySelectorAll('text')].filter(t => { const b = t.getBoundingClientRect(); \
             return b.width > 0 && (b.left < box.left - 1.5 || b.right > box.right + 1.5); }) \
             .map(t => svg.id + ': ' + t.textContent); }).slice(0, 6).join('\\n')",
        );
        assert!(outside.is_empty(), "{} at {width}: words outside their charts\n{outside}", self.name);
    }

    /// The words of charts are not too small for a phone.
    fn is_readable(&self) {
        let smallest = self.chrome.number(
            "Math.min(99, ...[...document.querySelectorAll('svg.chart text')].map(t => { const svg = t.ownerSVGElement; \
             return parseFloat(getComputedStyle(t).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; }))",
        );
        assert!(smallest >= 8.5, "{}: words of {smallest} pixels", self.name);
    }

    /// On paper: pages, no controls, and headings of tables as plain words.
    fn prints(&self) {
        let pdf = self.chrome.print();
        assert!(pdf.starts_with(b"%PDF"), "{}", self.name);
        let pages = pdf.windows(11).filter(|w| w == b"/Type /Page").count();
        assert!((1..=40).contains(&pages), "{}: {pages} pages", self.name);
        std::fs::write(pictures().join(format!("{}.pdf", self.name)), pdf).unwrap();
        if self.chrome.number("document.querySelectorAll('#feature-table').length") > 0.0 {
            let heading = "getComputedStyle(document.querySelector('th[data-key=rank]'), '::before').content";
            assert_eq!(self.chrome.text(heading), "\"rank\"");
        }
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

    pub(crate) fn has(&self, panels: &[&str]) {
        for panel in panels {
            assert_eq!(
                self.chrome.number(&format!("document.querySelectorAll('section#{panel}').length")),
                1.0,
                "{}: {panel}",
                self.name
            );
        }
    }

    pub(crate) fn has_not(&self, panels: &[&str]) {
        for panel in panels {
            assert_eq!(
                self.chrome.number(&format!("document.querySelectorAll('section#{panel}').length")),
                0.0,
                "{}: {panel}",
                self.name
            );
        }
    }

    pub(crate) fn rows(&self) -> f64 {
        self.chrome.number("document.querySelectorAll('#feature-table tbody tr').length")
    }

    pub(crate) fn first(&self) -> String {
        self.chrome.text("document.querySelector('#feature-table tbody tr .name').textContent")
    }
}
