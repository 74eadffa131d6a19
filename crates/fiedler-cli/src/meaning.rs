//! Options and commands under names from elsewhere, and what they are called here.

/// What people type, without dashes before it and with dashes inside, and what to say here.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["transpose", "t", "transposed", "genes-in-rows", "orientation"], "--features rows"),
    (&["y", "class", "classes", "labels-column", "label-column", "outcome", "response"], "--label COLUMN"),
    (
        &[
            "n",
            "n-features",
            "n-features-to-select",
            "num-features",
            "n-top",
            "n-top-genes",
            "nfeatures",
            "num",
            "number",
        ],
        "--top N",
    ),
    (&["normalize", "normalise", "standardize", "scaler", "zscore", "z-score"], "--scale standard"),
    (&["log1p", "log"], "--transform log"),
    (&["rank", "ranks"], "--transform ranks"),
    (&["n-neighbors", "nn", "knn", "n-neighbours"], "--k N"),
    (&["sigma", "gamma", "width"], "--bandwidth"),
    (&["distance", "similarity", "affinity"], "--metric"),
    (&["json"], "--format json"),
    (&["csv"], "--format csv"),
    (&["output-file", "outfile", "out-file", "save", "to"], "--output FILE"),
    (&["jobs", "n-jobs", "cores", "cpus", "workers", "processes"], "--threads N"),
    (&["random-state", "random-seed", "rng"], "--seed N"),
    (&["drop", "remove", "ignore", "without", "drop-columns"], "--exclude NAME"),
    (&["only", "force", "must-include"], "--include NAME"),
    (&["impute", "na", "nan", "fillna", "fill", "dropna", "missing-values"], "--missing mean"),
    (&["onehot", "one-hot", "dummies", "get-dummies", "encode"], "--categories onehot"),
    (&["numeric", "numbers-only"], "--numeric-only"),
    (&["cv", "n-splits", "k-fold", "kfold", "cross-validation"], "--folds N"),
    (&["splits", "runs", "iterations", "n-repeats"], "--repeats N"),
    (&["alpha", "pvalue", "p-value"], "--significance"),
    (&["scoring", "judge", "measure"], "--protocol"),
    (&["params", "param", "parameter", "option"], "--set NAME=VALUE"),
    (&["mem", "max-memory", "ram"], "--memory SIZE"),
    (&["min-count", "min-cells", "min-df", "min-counts", "mincells"], "--min-samples N"),
    (&["parse-dates", "date", "datetime"], "--dates ordinal"),
    (&["subsample", "n-samples", "max-samples", "head", "nrows"], "--sample N"),
    (&["key", "sheet", "dataset", "var"], "--variable NAME"),
    (&["algorithm", "selector", "model", "estimator"], "--method NAME"),
];

/// Commands under other names.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["score", "scores", "run", "fit", "ranking", "importance"], "rank"),
    (&["filter", "subset", "transform", "fit-transform", "choose", "pick"], "select"),
    (&["test", "compare", "benchmark", "judge", "validate", "cv", "accuracy"], "evaluate"),
    (&["aggregate", "merge", "combine", "join", "consensus"], "fuse"),
    (&["list", "ls", "algorithms", "info", "describe"], "methods"),
    (&["spectrum", "neighbors", "laplacian", "eigen"], "graph"),
    (&["bootstrap", "robustness", "confidence"], "stability"),
    (&["paper", "papers", "replicate"], "reproduce"),
    (&["manual", "manpage", "docs"], "man"),
    (&["completion", "complete", "autocomplete"], "completions"),
];

/// What an option that is not here is called here.
pub(crate) fn option(typed: &str) -> Option<&'static str> {
    let plain = typed.trim_start_matches('-').split('=').next().unwrap_or_default();
    find(OPTIONS, &plain.to_lowercase().replace('_', "-"))
}

/// What a command that is not here is called here.
pub(crate) fn command(typed: &str) -> Option<&'static str> {
    find(COMMANDS, &typed.to_lowercase().replace('_', "-"))
}

fn find(table: &[(&[&str], &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.contains(&name)).map(|(_, here)| *here)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// An option or a command that is named as nearest exists.
    #[test]
    fn what_is_recommended_exists() {
        let cli = crate::args::Cli::command();
        let longs: Vec<String> = cli
            .get_subcommands()
            .flat_map(|s| {
                s.get_arguments().filter_map(|a| a.get_long().map(str::to_owned)).collect::<Vec<_>>()
            })
            .collect();
        for (_, here) in OPTIONS {
            let long = here.trim_start_matches("--").split(' ').next().unwrap_or_default();
            assert!(longs.iter().any(|l| l == long), "{here}");
        }
        for (_, here) in COMMANDS {
            assert!(cli.find_subcommand(here).is_some(), "{here}");
        }
    }

    #[test]
    fn names_are_known_however_they_are_written() {
        assert_eq!(option("--n_features_to_select=10"), Some("--top N"));
        assert_eq!(option("--Transpose"), Some("--features rows"));
        assert_eq!(command("Compare"), Some("evaluate"));
        assert_eq!(option("--nonsense"), None);
    }
}
