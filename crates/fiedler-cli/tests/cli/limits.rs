//! Memory: what does not fit is refused before it is taken, and the advice works.

use crate::command::{fiedler, finish, run};

#[test]
fn a_full_graph_that_does_not_fit_says_need_budget_and_what_works() {
    let refused = run(&["rank", "demo:digits", "--graph", "rbf", "--memory", "1MB"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""));
    for part in [
        "the full RBF graph (1,797 samples) needs 52 MB of memory and may take 1 MB",
        "`graph` knn",
        "`memory`",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    for advice in [["--graph", "knn", "--memory", "1MB"], ["--graph", "rbf", "--memory", "60 MB"]] {
        let followed = run(&[&["rank", "demo:digits"][..], &advice].concat());
        assert_eq!(followed.code, Some(0), "{advice:?}: {}", followed.stderr);
    }
}

#[test]
fn every_large_piece_of_work_asks() {
    for (arguments, what) in [
        (&["rank", "-m", "entropy"][..], "the entropy of all pairs of samples (1,797 samples)"),
        (&["rank", "-m", "arom-svm"], "the machines of arom-svm (1,797 samples)"),
        (&["rank", "-m", "evsc"], "the full RBF graph (1,797 samples)"),
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
