//! What a terminal sees: our own colors, and never a code that the data bring along.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::command::{Folder, fiedler};

/// Runs the command with a terminal for its output and its messages; what that terminal got.
fn on_a_terminal(arguments: &[&str]) -> String {
    let (mut screen, line) = terminal();
    let mut command = fiedler(arguments);
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command.stdout(Stdio::from(line.try_clone().expect("a copy"))).stderr(Stdio::from(line));
    let mut child = command.spawn().expect("the command starts");
    // The terminal is at its end when nobody can write to it any more.
    drop(command);
    let mut seen = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = screen.read(&mut piece) {
        seen.extend_from_slice(&piece[..count]);
    }
    child.wait().expect("it ends");
    String::from_utf8(seen).expect("UTF-8")
}

/// A pseudo-terminal: the side that sees, and the side that is written to.
fn terminal() -> (File, OwnedFd) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&screen).and_then(|()| unlockpt(&screen)).expect("it opens");
    let name = ptsname(&screen, Vec::new()).expect("its name");
    let line = open(&*name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other side");
    (File::from(screen), line)
}

/// The text without the codes of color and of the progress line that we write ourselves.
fn without_ours(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, code)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = code.find(|c: char| c.is_ascii_alphabetic()).expect("a whole code");
        let kind = &code[end..=end];
        assert!("mKAGhl".contains(kind), "code {:?}", &code[..=end]);
        // Errors of ours are red; magenta is only in the data.
        assert_ne!(&code[..=end], "35m", "the color of the data");
        rest = &code[end + 1..];
    }
    plain + rest
}

const AWKWARD: &str = "\u{1b}[35mred,\u{1b}]0;title\u{7}x,red,back\u{202e}wards,del\u{7f},nul\u{9b}35m\n\
                       1,2,1,4,9,1\n2,1,5,1,3,5\n3,5,2,2,7,2\n4,3,3,8,1,8\n5,9,1,3,4,3\n6,4,4,6,2,9\n";

#[test]
fn codes_of_the_data_never_reach_a_terminal() {
    let folder = Folder::new();
    let file = folder.file("awkward.csv", AWKWARD);
    let again = folder.file("again.csv", AWKWARD.replace("red,back", "\u{1b}[35mred,back"));
    let bad = folder.file("bad.csv", AWKWARD.replace("\n3,5", "\n3,\u{1b}[35mbad\u{7}"));
    for arguments in [
        &["rank", &file, "--k", "2"][..],
        &["rank", &file, "--k", "2", "--format", "csv"],
        &["rank", &file, "--k", "2", "--format", "json"],
        &["rank", &file, "--k", "2", "--verbose"],
        &["rank", &again, "--k", "2"],
        &["rank", &bad],
        &["rank", &file, "--label", "\u{1b}[35mnone"],
        &["rank", "no-such\u{1b}[35mfile.csv"],
        &["rank", &file, "-m", "\u{1b}[35mnone"],
        &["rank", &file, "--set", "\u{1b}[35mnone=\u{1b}[35m"],
        &["select", &file, "--top", "5", "--set", "count=5", "-o", "-"],
        &["stability", &file, "--top", "2", "--repeats", "3", "--k", "2"],
        &["select", &file, "--top", "2", "-o", &folder.text("\u{1b}[35mout.csv")],
        &["rank", &file, "--top", "\u{1b}[35m"],
        &["rank", &file, "--\u{1b}[35m"],
        &["\u{1b}[35mrank"],
        &["graph", &file, "--k", "2", "--exclude", "\u{1b}[35mnone"],
    ] {
        let seen = on_a_terminal(arguments);
        assert!(!seen.is_empty(), "{arguments:?}");
        let plain = without_ours(&seen);
        let hidden = plain.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{7f}', '\u{9b}']);
        assert!(!hidden, "{arguments:?}: {seen:?}");
    }
}

/// A terminal that is named as a file is a terminal too.
#[test]
fn codes_of_the_data_never_reach_a_terminal_that_is_called_a_file() {
    let folder = Folder::new();
    let file = folder.file("awkward.csv", AWKWARD);
    for arguments in [
        &["rank", &file, "--k", "2", "--format", "csv", "-o", "/dev/stdout"][..],
        &["rank", &file, "--k", "2", "--format", "json", "-o", "/dev/stderr"],
        &["select", &file, "--top", "5", "--set", "count=5", "-o", "/dev/stdout"],
    ] {
        let seen = on_a_terminal(arguments);
        assert!(seen.contains("\\u{1b}") || seen.contains("\\u001b"), "{arguments:?}: {seen:?}");
        let plain = without_ours(&seen);
        let hidden = plain.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{7f}', '\u{9b}']);
        assert!(!hidden, "{arguments:?}: {seen:?}");
    }
}

/// The test above can fail: a terminal is what the command believes to write to.
#[test]
fn a_terminal_has_our_colors() {
    assert!(on_a_terminal(&["rank", "demo:iris"]).contains("\u{1b}["));
}
