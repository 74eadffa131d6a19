//! The recipes that come with the command.

/// Key and `run.toml`, in the order in which they are shown.
pub(super) const ALL: [(&str, &str); 14] = [
    ("ls-iris", include_str!("../../../../papers/ls-iris/run.toml")),
    ("ssl-2", include_str!("../../../../papers/ssl-2/run.toml")),
    ("evsc-2", include_str!("../../../../papers/evsc-2/run.toml")),
    ("evsc-3", include_str!("../../../../papers/evsc-3/run.toml")),
    ("evsc-4", include_str!("../../../../papers/evsc-4/run.toml")),
    ("evsc-5", include_str!("../../../../papers/evsc-5/run.toml")),
    ("dis-2.3", include_str!("../../../../papers/dis-2.3/run.toml")),
    ("dis-2.4", include_str!("../../../../papers/dis-2.4/run.toml")),
    ("dis-2.5", include_str!("../../../../papers/dis-2.5/run.toml")),
    ("dis-4.1", include_str!("../../../../papers/dis-4.1/run.toml")),
    ("dis-4.2", include_str!("../../../../papers/dis-4.2/run.toml")),
    ("dis-4.3", include_str!("../../../../papers/dis-4.3/run.toml")),
    ("dis-4.4", include_str!("../../../../papers/dis-4.4/run.toml")),
    ("dis-4.5", include_str!("../../../../papers/dis-4.5/run.toml")),
];
