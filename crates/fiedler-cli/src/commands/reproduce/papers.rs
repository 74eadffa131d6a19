//! The recipes that come with the command.

/// Key and recipe, in the order in which they are shown.
pub(super) const ALL: [(&str, &str); 21] = [
    ("ls-iris", include_str!("../../../papers/ls-iris.toml")),
    ("ls-1", include_str!("../../../papers/ls-1.toml")),
    ("ls-1-nmi", include_str!("../../../papers/ls-1-nmi.toml")),
    ("spec-3", include_str!("../../../papers/spec-3.toml")),
    ("spec-4", include_str!("../../../papers/spec-4.toml")),
    ("ssl-2", include_str!("../../../papers/ssl-2.toml")),
    ("ssl-3", include_str!("../../../papers/ssl-3.toml")),
    ("evsc-2", include_str!("../../../papers/evsc-2.toml")),
    ("evsc-3", include_str!("../../../papers/evsc-3.toml")),
    ("evsc-4", include_str!("../../../papers/evsc-4.toml")),
    ("evsc-5", include_str!("../../../papers/evsc-5.toml")),
    ("dis-2.3", include_str!("../../../papers/dis-2.3.toml")),
    ("dis-2.4", include_str!("../../../papers/dis-2.4.toml")),
    ("dis-2.5", include_str!("../../../papers/dis-2.5.toml")),
    ("dis-4.1", include_str!("../../../papers/dis-4.1.toml")),
    ("dis-4.2", include_str!("../../../papers/dis-4.2.toml")),
    ("dis-4.3", include_str!("../../../papers/dis-4.3.toml")),
    ("dis-4.4", include_str!("../../../papers/dis-4.4.toml")),
    ("dis-4.5", include_str!("../../../papers/dis-4.5.toml")),
    ("dis-5", include_str!("../../../papers/dis-5.toml")),
    ("dis-5-acc", include_str!("../../../papers/dis-5-acc.toml")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::recipe;
    use super::ALL;

    /// A data set has one name on all pages. Rows are called by it, or by it and something else after a comma; those of some
    /// persons of a data set begin with their number.
    #[test]
    fn a_data_set_has_one_name() {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for (key, text) in ALL.iter().filter(|(key, _)| !key.starts_with("dis-5")) {
            for data in recipe::parse(text, key).expect("a recipe").data {
                let name = data.name.split(", ").next().unwrap_or_default().to_owned();
                if name.starts_with(|c: char| c.is_ascii_digit()) {
                    continue;
                }
                let known = names.entry(data.file.clone()).or_insert_with(|| name.clone());
                assert_eq!(*known, name, "{key}: {}", data.file);
            }
        }
    }
}
