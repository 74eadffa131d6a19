//! Where answers go: never over what was read, in the format of the name, whole or not at all.

use crate::command::{FLOWERS, Folder, Run, run};

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("the file")
}

fn refused(run: &Run, sentence: &str) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("error: {sentence}")), "{}", run.stderr);
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::new();
    folder.file("x.csv", FLOWERS);
    folder.file("labels.txt", "a\nb\n");
    folder.file("edges.csv", "0,1,1\n");
    folder.file("c.toml", "top = 2\n");
    let clear = "which would be lost; name another one";
    let rank = folder.run(&["rank", "x.csv", "--label", "species", "-o", "x.csv"]);
    refused(&rank, &format!("--output x.csv is the same file as DATA (x.csv), {clear}"));
    let select = folder.run(&["select", "x.csv", "--top", "2", "-o", "./x.csv"]);
    refused(&select, &format!("--output ./x.csv is the same file as DATA (x.csv), {clear}"));
    let labels = folder.run(&["rank", "x.csv", "--labels", "labels.txt", "-o", "labels.txt"]);
    refused(&labels, "--output labels.txt is the same file as --labels (labels.txt), ");
    let graph = folder.run(&["graph", "x.csv", "--graph", "file:edges.csv", "-o", "edges.csv"]);
    refused(&graph, "--output edges.csv is the same file as --graph (edges.csv), ");
    let config = folder.run(&["evaluate", "x.csv", "--config", "c.toml", "-o", "c.toml"]);
    refused(&config, "--output c.toml is the same file as --config (c.toml), ");
    assert_eq!(read(&folder, "x.csv"), FLOWERS);
    assert_eq!(folder.list(), ["c.toml", "edges.csv", "labels.txt", "x.csv"]);
}

#[cfg(unix)]
#[test]
fn not_even_through_a_link() {
    let folder = Folder::new();
    folder.file("x.csv", FLOWERS);
    std::os::unix::fs::symlink(folder.path("x.csv"), folder.path("link.csv")).expect("a link");
    refused(
        &folder.run(&["select", "x.csv", "--label", "species", "--top", "2", "-o", "link.csv"]),
        "--output link.csv is the same file as DATA (x.csv), ",
    );
    assert_eq!(read(&folder, "x.csv"), FLOWERS);
}

#[test]
fn nor_are_the_files_that_are_fused() {
    let folder = Folder::new();
    let list = "a\nb\nc\n";
    folder.file("one.txt", list);
    folder.file("two.txt", list);
    folder.file("c.toml", "[[ranking]]\nfile = 'one.txt'\n[[ranking]]\nfile = 'two.txt'\n");
    refused(
        &folder.run(&["fuse", "c.toml", "-o", "two.txt"]),
        "--output two.txt is the same file as a file that is fused (two.txt), ",
    );
    refused(
        &folder.run(&["fuse", "c.toml", "-o", "c.toml"]),
        "--output c.toml is the same file as CONFIG.toml (c.toml), ",
    );
    assert_eq!(read(&folder, "two.txt"), list);
    assert_eq!(folder.run(&["fuse", "c.toml", "-o", "three.csv"]).code, Some(0));
    assert!(read(&folder, "three.csv").starts_with("rank,feature,index,score\n"));
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.file("r.csv", "mine");
    std::fs::set_permissions(folder.path("r.csv"), std::fs::Permissions::from_mode(0o444)).expect("set");
    let run = folder.run(&["select", "demo:iris", "--top", "2", "-o", "r.csv"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "error: r.csv: the file is there and may not be written\n");
    assert_eq!(read(&folder, "r.csv"), "mine");
}

#[test]
fn the_extension_tells_the_format_unless_the_user_does() {
    let folder = Folder::new();
    let written = |arguments: &[&str], name: &str| {
        let run = folder.run(&[arguments, &["-o", name, "--quiet"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        read(&folder, name)
    };
    let rank = ["rank", "demo:iris", "--method", "variance"];
    assert!(written(&rank, "r.csv").starts_with("rank,feature,index,score\n"));
    assert!(written(&rank, "r.JSON").starts_with('{'));
    assert!(written(&rank, "r.txt").starts_with("Variance, "));
    assert!(written(&[&rank[..], &["--format", "table"]].concat(), "t.csv").starts_with("Variance, "));
    assert!(written(&["graph", "demo:iris"], "g.json").starts_with('{'));
    let stability = ["stability", "demo:iris", "--method", "variance", "--repeats", "2", "--top", "1"];
    assert!(written(&stability, "s.json").starts_with('{'));
    let evaluate = ["evaluate", "demo:iris", "--methods", "variance", "--counts", "2", "--repeats", "2"];
    assert!(written(&evaluate, "e.csv").starts_with("measure,name,"));
}

#[test]
fn an_extension_that_is_no_format_is_refused_at_once() {
    let folder = Folder::new();
    for name in ["r.xlsx", "r.mat", "r.txt.gz"] {
        let run = folder.run(&["select", "demo:iris", "--top", "2", "-o", name]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{name}: {}", run.stderr);
        assert!(
            run.stderr.ends_with(
                "; write .csv, .tsv, .parquet, .arrow, .npy, .npz, .h5ad, .mtx, .libsvm or .blocks\n"
            ),
            "{}",
            run.stderr
        );
    }
    assert!(folder.list().is_empty());
    let plain = ["select", "demo:iris", "--method", "laplacian", "--top", "2", "-o", "plain"];
    assert_eq!(folder.run(&plain).code, Some(0));
    assert!(read(&folder, "plain").starts_with("petal length,petal width,class\n"));
}

#[test]
fn a_dash_is_standard_output() {
    let kept = run(&["select", "demo:iris", "--method", "laplacian", "--top", "2", "-o", "-"]);
    assert_eq!(kept.code, Some(0), "{}", kept.stderr);
    assert!(kept.stdout.starts_with("petal length,petal width,class\n"), "{}", kept.stdout);
    assert_eq!(kept.stdout.lines().count(), 151);
    assert!(kept.stderr.ends_with("2 of 4 features kept on standard output\n"), "{}", kept.stderr);
    let quiet = ["select", "demo:iris", "--method", "laplacian", "--top", "2", "-o", "-", "--quiet"];
    assert_eq!(run(&quiet).stderr, "");
    assert_eq!(run(&["rank", "demo:iris", "-o", "-"]).stdout, run(&["rank", "demo:iris"]).stdout);
}
