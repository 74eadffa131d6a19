//! Ctrl-C and closed pipes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::command::{Folder, fiedler};

fn interrupt(id: u32) {
    let status = Command::new("kill").args(["-INT", &id.to_string()]).status().expect("kill runs");
    assert!(status.success());
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut command =
        fiedler(&["rank", "demo:planted?noise=20000&samples=20", "--method", "variance", "--format", "csv"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut first = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
    reader.read_line(&mut first).expect("a line");
    drop(reader);
    let mut told = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut told).expect("UTF-8");
    assert_eq!((first.as_str(), told.as_str()), ("rank,feature,index,score\n", ""));
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn ctrl_c_stops_the_work_and_leaves_no_file() {
    let folder = Folder::new();
    let data = "demo:planted?samples=6000&noise=100";
    let mut command =
        fiedler(&["graph", data, "--graph", "diffusion", "--verbose", "-o", &folder.text("g.txt")]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    // The first stage is told when it is over: by then the long one has begun.
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
    interrupt(child.id());
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{line}");
    assert!(folder.list().is_empty(), "{:?}", folder.list());
}

#[test]
fn ctrl_c_stops_the_reading() {
    let mut command = fiedler(&["rank", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // Standard input stays open, so that the command waits for more until it is interrupted;
    // it listens before it reads, and what it needs to begin is read from the pipe at once.
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, &b"a,b\n1,2\n".repeat(20_000)).expect("it reads");
    interrupt(child.id());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(input);
}
