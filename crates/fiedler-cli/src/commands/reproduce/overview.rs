//! `papers/README.md`: where every table and figure is, which conclusions hold, and all pages one after the other.
//!
//! A table that is written alone takes the place of its part; the parts of the others stay as they are.

use std::fmt::Write;

use super::{Table, papers, show};

/// What comes before the conclusions, with the list of all tables and figures.
const HEAD: &str = include_str!("../../../papers/contents.md");
/// The heading of the conclusions.
const CONCLUSIONS: &str = "## Which conclusions hold\n\nThe page of a table has what is behind every line: where a conclusion is not \
shown or does not hold, with gains and p. Beside a verdict stands in how many comparisons it holds. The first verdict is that of the plainest \
reading; further ones have the name of their setting before them.\n\n| | conclusion | here |\n|---|---|---|\n";

/// The part of one table.
struct Part {
    key: String,
    /// Its lines among the conclusions.
    conclusions: String,
    /// Its page, under a heading.
    section: String,
}

/// The README of all tables: those computed now, and of the others what `old` says of them.
pub(super) fn overview<'a>(tables: impl Iterator<Item = &'a Table>, old: &str) -> String {
    let (mut now, before): (Vec<Part>, Vec<Part>) = (tables.map(Part::of).collect(), parts(old));
    for part in before {
        if now.iter().all(|new| new.key != part.key) {
            now.push(part);
        }
    }
    now.sort_by_key(|part| papers::ALL.iter().position(|(key, _)| *key == part.key));
    let mut out = format!("{HEAD}\n{CONCLUSIONS}");
    now.iter().for_each(|part| out.push_str(&part.conclusions));
    for part in &now {
        out.push('\n');
        out.push_str(&part.section);
    }
    out
}

impl Part {
    fn of(table: &Table) -> Self {
        let Table { key, recipe, .. } = table;
        let mut conclusions = String::new();
        for claim in &table.found.claims {
            let here = show::claim_in_brief(claim, &table.found.settings);
            let _ = writeln!(conclusions, "{}{} | {here} |", line_of(key), claim.text);
        }
        let mut section = format!("{}{}\n\n{}.\n\n", heading_of(key), recipe.source, recipe.title);
        show::body(&mut section, table);
        Part { key: key.clone(), conclusions, section }
    }
}

/// How the lines of a table begin among the conclusions.
fn line_of(key: &str) -> String {
    format!("| [{key}]({key}/) | ")
}

/// How the section of a table begins.
fn heading_of(key: &str) -> String {
    format!("## [{key}]({key}/): ")
}

/// The parts of a README that was written before, of the tables that are still there.
fn parts(text: &str) -> Vec<Part> {
    let part = |(key, _): &(&str, &str)| {
        let from = text.find(&format!("\n{}", heading_of(key)))? + 1;
        let to = text[from..].find("\n## ").map_or(text.len(), |at| from + at);
        let lines = text.lines().filter(|line| line.starts_with(&line_of(key)));
        let conclusions = lines.map(|line| format!("{line}\n")).collect();
        Some(Part { key: (*key).to_owned(), conclusions, section: text[from..to].to_owned() })
    };
    papers::ALL.iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was written before is found again, whole.
    #[test]
    fn the_parts_of_a_page_are_kept() {
        let one = "## [ls-iris](ls-iris/): here\n\nOrders.\n\n| a |\n";
        let other = "## [ssl-2](ssl-2/): there\n\nGains.\n";
        let lines =
            "| [ls-iris](ls-iris/) | it holds | holds |\n| [ssl-2](ssl-2/) | so does this | holds |\n";
        let text = format!("{HEAD}\n{CONCLUSIONS}{lines}\n{one}\n{other}");
        let again = |old: &str| overview(std::iter::empty(), old);
        assert_eq!(again(&text), text);
        assert_eq!(again(&again(&text)), text);
    }

    /// Who comes for a table finds it at once; what words mean, and the data, stand below, where links lead to.
    #[test]
    fn the_list_comes_first() {
        let headings: Vec<&str> = HEAD.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings[0], "Every table and figure");
        let before = HEAD.split("\n## ").next().unwrap_or_default();
        assert!(before.len() < 600, "a sentence or two: {before}");
        let anchor = |heading: &str| format!("(#{})", heading.to_lowercase().replace(' ', "-"));
        for heading in ["Words", "Data sets", "How it is run"] {
            assert!(headings.contains(&heading) && before.contains(&anchor(heading)), "{heading}");
        }
    }

    /// The page in the repository begins as it would be written.
    #[test]
    fn the_page_has_this_head() {
        let page = include_str!("../../../../../papers/README.md");
        assert!(page.starts_with(HEAD), "write it again: fiedler reproduce KEY --write");
    }

    /// Every page that the list promises is one of the tables, and every table is named.
    #[test]
    fn the_list_names_every_page() {
        for (key, _) in papers::ALL {
            let named = [format!("[{key}]({key}/)"), format!("`fiedler reproduce {key}`")];
            assert!(named.iter().any(|name| HEAD.contains(name)), "{key} is not in the list");
        }
        let elsewhere = |link: &str| ["RECIPES.md", "#", "../"].iter().any(|start| link.starts_with(start));
        let pages = HEAD.split("](").skip(1).filter(|link| !elsewhere(link));
        for link in pages {
            let key = link.split("/)").next().unwrap_or_default();
            assert!(papers::ALL.iter().any(|(known, _)| *known == key), "{key} is promised and not there");
        }
    }
}
