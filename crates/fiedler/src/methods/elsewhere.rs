//! Names of methods that people bring from elsewhere, and what is nearest here.

/// Names (letters and digits alone, small), the method that is nearest, and what it has in common with them; nothing
/// where they are one thing.
const ELSEWHERE: &[(&[&str], &str, &str)] = &[
    (&["laplace", "laplacianscore", "lapscore", "ls", "lscore", "graphlaplacian"], "laplacian", ""),
    (&["fisherscore", "fscore"], "fisher", ""),
    (&["relief", "rrelieff", "surf", "multisurf"], "relieff", ""),
    (&["spectral", "specscore"], "spec", ""),
    (&["bahsic", "fohsic", "hsiclasso", "dependence"], "hsic", "dependence on the classes"),
    (&["variancethreshold", "var", "std", "lowvariance", "highvariance", "sd"], "variance", ""),
    (
        &["hvg", "hvgs", "highlyvariable", "highlyvariablegenes", "seuratv3"],
        "variance",
        "features that vary most",
    ),
    (&["minimumredundancy", "mrmrclassif", "jmi", "cmim", "mifs"], "mrmr", "relevance less redundancy"),
    (
        &["mutualinfo", "mutualinfoclassif", "mutualinformation", "mi", "infogain", "ig", "informationgain"],
        "mrmr",
        "mutual information with the classes",
    ),
    (
        &[
            "chi2",
            "chisquare",
            "chisquared",
            "anova",
            "ftest",
            "fclassif",
            "ttest",
            "kruskal",
            "wilcoxon",
            "gini",
            "auc",
            "selectkbest",
        ],
        "fisher",
        "how well one feature tells the classes apart",
    ),
    (&["pearson", "spearman", "corr", "fregression", "r2"], "correlation", "how well one feature predicts"),
    (
        &["lasso", "l1", "elasticnet", "grouplasso", "l21", "rfs", "ridge", "lars", "glmnet", "logistic"],
        "mrsf",
        "a sparse regression, with `targets` labels",
    ),
    (
        &["udfs", "ndfs", "rufs", "jelsr", "sogfs", "unsupervised"],
        "mrsf",
        "a sparse regression on the structure",
    ),
    (&["pca", "spca", "sparsepca", "svd", "pcaloadings"], "path-spca", "the features behind one component"),
    (&["lda", "lpp", "traceratio", "tracer"], "trace-ratio", "a set that tells the classes apart"),
    (
        &[
            "svm",
            "linearsvm",
            "svmrfe",
            "rfe",
            "rfecv",
            "randomforest",
            "rf",
            "boruta",
            "shap",
            "xgboost",
            "importance",
            "permutationimportance",
            "selectfrommodel",
        ],
        "arom-svm",
        "features that a trained machine uses",
    ),
    (&["semisupervised", "labelpropagation", "labelspreading"], "sselect", "few labels and all samples"),
    (&["moran", "moransi", "gearyc", "hotspot", "spatialde"], "laplacian", "smoothness on a graph"),
    (&["umap", "tsne", "isomap", "autoencoder"], "mrsf", "features of yours in place of new axes"),
    (&["kmeans", "clustering", "hdbscan", "leiden"], "evsc", "the features that clusters depend on"),
];

/// The method that a name from elsewhere means or is nearest to, and what they have in common.
pub(super) fn meant(name: &str) -> Option<(&'static str, &'static str)> {
    let plain = plain(name);
    let known = super::all().iter().find(|e| self::plain(e.info.name) == plain).map(|e| (e.info.name, ""));
    let listed = || ELSEWHERE.iter().find(|(names, ..)| names.contains(&plain.as_str()));
    known.or_else(|| listed().map(|&(_, method, common)| (method, common)))
}

/// Letters and digits alone, small.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_a_method_and_stands_once() {
        let mut seen: Vec<&str> = Vec::new();
        for (names, method, _) in ELSEWHERE {
            assert!(crate::methods::all().iter().any(|e| e.info.name == *method), "{method}");
            for name in *names {
                assert_eq!(plain(name), *name);
                assert!(!seen.contains(name), "{name} twice");
                seen.push(name);
            }
        }
    }

    #[test]
    fn names_are_known_however_they_are_written() {
        assert_eq!(meant("mRMR"), Some(("mrmr", "")));
        assert_eq!(meant("Path_SPCA"), Some(("path-spca", "")));
        assert_eq!(meant("variance-threshold"), Some(("variance", "")));
        assert_eq!(meant("Lasso").map(|m| m.0), Some("mrsf"));
        assert_eq!(meant("nonsense"), None);
    }
}
