//! A headless Chromium, driven over pipes by its own protocol: JSON messages that end in a zero byte. The shell puts the
//! pipes of this process where Chromium looks for them, so that nothing beside the standard library is needed.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base64::Engine;
use serde_json::{Value, json};

/// A browser with one page.
pub(crate) struct Chrome {
    child: Child,
    wire: RefCell<Wire>,
    session: String,
    _profile: tempfile::TempDir,
}

struct Wire {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    events: Vec<Value>,
}

/// The command of the browser, where there is one.
pub(crate) fn found() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|s| s.success())
    })
}

impl Chrome {
    pub(crate) fn start(command: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let script = format!(
            "exec {command} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
             --disable-background-networking --disable-extensions --hide-scrollbars --remote-debugging-pipe \
             --user-data-dir='{}' about:blank 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null",
            profile.path().display()
        );
        let mut child = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let wire = RefCell::new(Wire { to, from, next: 1, events: Vec::new() });
        let mut chrome = Chrome { child, wire, session: String::new(), _profile: profile };
        let target = chrome.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            chrome.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        chrome.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            chrome.call(&format!("{domain}.enable"), json!({}));
        }
        chrome
    }

    /// Calls a method of the protocol and waits for its answer.
    pub(crate) fn call(&self, method: &str, parameters: Value) -> Value {
        let mut wire = self.wire.borrow_mut();
        let id = wire.next;
        wire.next += 1;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        wire.to.write_all(message.to_string().as_bytes()).unwrap();
        wire.to.write_all(&[0]).unwrap();
        wire.to.flush().unwrap();
        loop {
            let message = wire.read();
            if message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            wire.events.push(message);
        }
    }

    /// Waits for an event and takes it.
    fn wait(&self, method: &str) {
        let mut wire = self.wire.borrow_mut();
        loop {
            if let Some(at) = wire.events.iter().position(|e| e["method"] == method) {
                wire.events.remove(at);
                return;
            }
            let message = wire.read();
            wire.events.push(message);
        }
    }

    /// Opens a file and waits until it is there.
    pub(crate) fn open(&self, file: &Path) {
        self.wire.borrow_mut().events.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        self.wait("Page.loadEventFired");
        self.settle();
    }

    /// Waits until what was asked for is painted.
    pub(crate) fn settle(&self) {
        self.value("new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1))), 120))");
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub(crate) fn number(&self, expression: &str) -> f64 {
        self.value(expression).as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
    }

    pub(crate) fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_else(|| panic!("{expression} is no text")).to_owned()
    }

    /// What happened since the page was opened, of these kinds.
    pub(crate) fn events(&self, methods: &[&str]) -> Vec<Value> {
        let wire = self.wire.borrow();
        wire.events.iter().filter(|e| methods.iter().any(|m| e["method"] == *m)).cloned().collect()
    }

    /// Clicks in the middle of an element with the mouse.
    pub(crate) fn click(&self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }

    /// Puts the focus on an element and presses a key.
    pub(crate) fn press(&self, selector: &str, key: &str) {
        self.value(&format!("document.querySelector({selector:?}).focus()"));
        let (text, code) = if key == "Enter" { ("\r", 13) } else { (" ", 32) };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
        self.settle();
    }

    /// Types into an element.
    pub(crate) fn write(&self, selector: &str, text: &str) {
        self.value(&format!("(e => {{ e.focus(); e.select(); }})(document.querySelector({selector:?}))"));
        self.call("Input.insertText", json!({"text": text}));
        self.settle();
    }

    pub(crate) fn size(&self, width: u32, height: u32) {
        let mobile = width < 600;
        let asked = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", asked);
        self.settle();
    }

    /// By day or by night, on a screen or on paper.
    pub(crate) fn media(&self, media: &str, scheme: &str) {
        let asked = json!({"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", asked);
        self.settle();
    }

    /// A picture of the whole page.
    pub(crate) fn picture(&self, file: &Path) {
        let shot =
            self.call("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true}));
        let bytes = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    /// The page on paper, a PDF.
    pub(crate) fn print(&self) -> Vec<u8> {
        let printed =
            self.call("Page.printToPDF", json!({"printBackground": true, "preferCSSPageSize": true}));
        base64::engine::general_purpose::STANDARD.decode(printed["data"].as_str().unwrap()).unwrap()
    }

    /// The names that a screen reader tells, by role.
    pub(crate) fn accessible(&self) -> Vec<(String, String)> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap().iter().filter(|n| n["ignored"] != json!(true));
        let text = |v: &Value| v["value"].as_str().unwrap_or_default().to_owned();
        nodes.map(|n| (text(&n["role"]), text(&n["name"]))).collect()
    }

    /// Bytes of memory that the page holds: its objects, its nodes, its pictures.
    pub(crate) fn memory(&self) -> f64 {
        self.call("Performance.enable", json!({}));
        let metrics = self.call("Performance.getMetrics", json!({}));
        let named = |name: &str| {
            let all = metrics["metrics"].as_array().unwrap();
            all.iter().find(|m| m["name"] == name).map_or(0.0, |m| m["value"].as_f64().unwrap_or(0.0))
        };
        // A node with its style and its place in the layout takes about a kilobyte.
        named("JSHeapTotalSize") + 1024.0 * named("Nodes")
    }
}

impl Wire {
    fn read(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).unwrap();
        assert!(!message.is_empty(), "the browser is gone");
        message.pop();
        serde_json::from_slice(&message).unwrap()
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
