//! Ctrl-C and closed pipes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{Folder, fiedler};

fn signal(name: &str, id: u32) {
    let status = Command::new("kill").args([&format!("-{name}"), &id.to_string()]).status();
    assert!(status.expect("kill runs").success());
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
    signal("INT", child.id());
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
    signal("INT", child.id());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(input);
}

/// A command that writes a large file, and has begun to.
fn writing(folder: &Folder) -> Child {
    let data = "demo:planted?samples=4000&noise=3000";
    let mut command =
        fiedler(&["select", data, "--method", "variance", "--top", "3000", "-o", &folder.text("out.csv")]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let begun = Instant::now();
    while !folder.list().iter().any(|name| name.starts_with(".out.csv.")) {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn a_request_to_end_leaves_no_file() {
    for name in ["TERM", "HUP"] {
        let folder = Folder::new();
        let mut child = writing(&folder);
        signal(name, child.id());
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{name}");
        assert!(folder.list().is_empty(), "{name}: {:?}", folder.list());
    }
}

#[test]
fn what_a_killed_command_leaves_is_removed_by_the_next() {
    let folder = Folder::new();
    let mut child = writing(&folder);
    signal("KILL", child.id());
    child.wait().expect("it ends");
    assert_eq!(folder.list().len(), 1, "{:?}", folder.list());
    let run = folder.run(&["select", "demo:iris", "--top", "2", "--quiet", "-o", "out.csv"]);
    assert_eq!((run.code, folder.list()), (Some(0), vec!["out.csv".to_owned()]), "{}", run.stderr);
}
