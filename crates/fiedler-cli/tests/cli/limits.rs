//! Memory: what does not fit is refused before it is taken, and the advice works.

use crate::command::{Folder, fiedler, finish, run};

#[test]
fn a_full_graph_that_does_not_fit_says_need_budget_and_what_works() {
    let refused = run(&["rank", "demo:digits", "--graph", "rbf", "--memory", "1MB"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""));
    for part in [
        "the full RBF graph (1,797 samples) needs 53 MB of memory, and the limit is 1 MB",
        "(--graph knn)",
        "(--memory 55MB)",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    for advice in [["--graph", "knn", "--memory", "1MB"], ["--graph", "rbf", "--memory", "55MB"]] {
        let followed = run(&[&["rank", "demo:digits"][..], &advice].concat());
        assert_eq!(followed.code, Some(0), "{advice:?}: {}", followed.stderr);
    }
}

#[test]
fn every_large_piece_of_work_asks() {
    for (arguments, what) in [
        (&["rank", "-m", "entropy"][..], "the entropy of all pairs of samples (1,797 samples)"),
        (&["rank", "-m", "arom-svm"], "arom-svm (1,797 samples)"),
        (&["rank", "-m", "evsc"], "evsc with 1,797 eigenvalues"),
        (&["rank", "-m", "hsic", "--set", "search=forward"], "a search by HSIC (1,797 samples)"),
        (&["rank", "-m", "mrsf", "--set", "targets=pca"], "the principal components of MRSF (1,797 samples)"),
        (&["rank", "--graph", "diffusion"], "the diffusion graph (1,797 samples)"),
        (&["rank", "--graph", "geodesic"], "the geodesic graph (1,797 samples)"),
        (&["evaluate", "--methods", "variance", "--protocol", "kmeans"], "the table of the judged features"),
        (
            &["evaluate", "--methods", "variance", "--protocol", "svm"],
            "the features and inner products of the judging machines",
        ),
    ] {
        let refused =
            run(&[&arguments[..1], &["demo:digits", "--memory", "200kB"], &arguments[1..]].concat());
        assert_eq!(refused.code, Some(1), "{arguments:?}: {}", refused.stderr);
        let expected = format!("error: {what} needs ");
        assert!(refused.stderr.contains(&expected), "{expected}: {}", refused.stderr);
    }
}

/// 600 samples: 2.9 MB of similarities.
#[test]
fn a_graph_in_a_file_keeps_to_the_budget() {
    let folder = Folder::new();
    let row = |i: usize| (0..600).map(|j| if i == j { "1" } else { "0.5" }).collect::<Vec<_>>().join(",");
    folder.file("s.csv", (0..600).map(|i| row(i) + "\n").collect::<String>());
    for kind in ["file", "distances"] {
        let graph = format!("{kind}:s.csv");
        let asked = |memory: &str| {
            folder.run(&["rank", "demo:planted?samples=600&noise=5", "--graph", &graph, "--memory", memory])
        };
        for memory in ["1MB", "5MB"] {
            let refused = asked(memory);
            assert_eq!((refused.code, refused.stderr.lines().count()), (Some(1), 1), "{}", refused.stderr);
            assert!(refused.stderr.contains("s.csv"), "{}", refused.stderr);
            assert!(refused.stderr.contains("--memory "), "{}", refused.stderr);
        }
    }
    let allowed = folder.run(&[
        "rank",
        "demo:planted?samples=600&noise=5",
        "--graph",
        "file:s.csv",
        "--memory",
        "30MB",
    ]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
}

/// Where the non-zeros cannot be held, neighbors are found a few features at a time: the same ones.
#[test]
fn sparse_data_that_cannot_be_held_give_the_same_bits() {
    use std::fmt::Write;
    let folder = Folder::new();
    let places =
        (0..200).flat_map(|i| (0..2000).map(move |j| (i, j))).filter(|(i, j)| (i * 7 + j * 13) % 4 == 0);
    let places: Vec<(usize, usize)> = places.collect();
    let mut text = format!("%%MatrixMarket matrix coordinate real general\n200 2000 {}\n", places.len());
    for (i, j) in &places {
        writeln!(text, "{} {} {}", i + 1, j + 1, (i * j) % 97 + 1).expect("text");
    }
    folder.file("cells.mtx", text);
    let made = folder.run(&["select", "cells.mtx", "-m", "variance", "--top", "2000", "-o", "cells.h5ad"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for metric in ["euclidean", "cosine", "manhattan"] {
        let ask = |memory: &str| {
            let common =
                ["rank", "cells.h5ad", "--metric", metric, "--format", "csv", "-q", "--memory", memory];
            let run = folder.run(&common);
            assert_eq!(run.code, Some(0), "{metric} {memory}: {}", run.stderr);
            run.stdout
        };
        assert_eq!(ask("1.5MB"), ask("1GB"), "{metric}");
    }
    let refused = folder.run(&["rank", "cells.h5ad", "--graph", "rbf", "--memory", "3MB"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let advised = refused.stderr.rsplit("--memory ").next().expect("advice");
    let advised = advised.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let allowed = folder.run(&["rank", "cells.h5ad", "--graph", "rbf", "--memory", advised]);
    assert_eq!(allowed.code, Some(0), "{advised}: {}", allowed.stderr);
}

#[test]
fn planted_data_keep_to_the_budget() {
    let refused = run(&["rank", "demo:planted?samples=20000&noise=5000", "--memory", "50MB"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let told = "error: the table of planted data needs 802 MB of memory, and the limit is 50 MB";
    assert!(refused.stderr.starts_with(told), "{}", refused.stderr);
}

/// Lists and sets that a fusion reads are read within the budget too.
#[test]
fn files_that_are_fused_keep_to_the_budget() {
    let folder = Folder::new();
    folder.file("x.csv", "sample,f,g\np,1,2\nq,2,1\nr,4,4\ns,3,7\n");
    folder.file("known.txt", (0..50_000).map(|i| format!("feature{i}\n")).collect::<String>());
    let recipe = "known = \"known.txt\"\n[target]\nfile = \"x.csv\"\n\n[[source]]\nname = \"own\"\nkind = \"target\"\n";
    folder.file("f.toml", recipe);
    let refused = folder.run(&["fuse", "f.toml", "--memory", "1MB"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        refused.stderr.starts_with("error: known.txt: reading it takes more than 1 MB"),
        "{}",
        refused.stderr
    );
}

#[test]
fn an_amount_that_is_none_is_wrong_usage() {
    for amount in ["lots", "0", "-1GB", "2XB"] {
        let wrong = run(&["rank", "demo:iris", &format!("--memory={amount}")]);
        assert_eq!(wrong.code, Some(2), "{amount}");
        assert!(wrong.stderr.contains("such as 2GB"), "{}", wrong.stderr);
    }
}

/// The machine's own limits count where nobody says anything: 15,000 samples take 3.6 GB as a full graph.
#[cfg(target_os = "linux")]
#[test]
fn a_small_address_space_is_respected() {
    let mut command = std::process::Command::new("sh");
    let line =
        "ulimit -v 3000000; exec \"$0\" rank 'demo:planted?samples=15000&noise=10' --graph rbf --threads 2";
    command.args(["-c", line]).arg(fiedler(&[]).get_program());
    let refused = finish(&mut command);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("the full RBF graph (15,000 samples) needs 3.6 GB"),
        "{}",
        refused.stderr
    );
}
