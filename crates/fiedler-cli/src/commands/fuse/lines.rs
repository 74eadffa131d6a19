//! Where a configuration says what: the lines of its keys, for messages.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};

/// The file and the lines of its keys.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    file: String,
    text: String,
    top: BTreeMap<String, usize>,
    sources: Vec<SourceLines>,
    rankings: Vec<SourceLines>,
}

/// Words by which a reader tells that a file has nothing of what a key asks for, and the key.
const ASKED: [(&str, &str); 7] = [
    ("of the types", "types"),
    ("types, which the", "types"),
    ("there is no set", "sets"),
    ("of other evidence or aspect", "evidence"),
    ("of other evidence or aspect", "aspect"),
    ("share a term", "max-features"),
    ("share a piece", "k-mer"),
];

/// The lines of one `[[source]]` or `[[ranking]]`.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceLines {
    file: String,
    /// Where it begins.
    first: usize,
    keys: BTreeMap<String, usize>,
}

impl Lines {
    /// Of a file that was read; a text that is no TOML has none.
    pub(super) fn new(path: &Path, text: &str) -> Self {
        let file = path.display().to_string();
        let line = |at: usize| crate::text_file::line_at(text, at);
        let lines = |table: &DeTable<'_>| -> BTreeMap<String, usize> {
            table.keys().map(|key| (key.get_ref().to_string(), line(key.span().start))).collect()
        };
        let Ok(whole) = DeTable::parse(text) else {
            return Lines { file, ..Lines::default() };
        };
        let whole = whole.get_ref();
        let all = |key: &str| whole.get(key).and_then(|value| value.get_ref().as_array());
        let source = |value: &Spanned<DeValue<'_>>| SourceLines {
            file: file.clone(),
            first: line(value.span().start),
            keys: value.get_ref().as_table().map(lines).unwrap_or_default(),
        };
        let [sources, rankings] = ["source", "ranking"]
            .map(|key| all(key).into_iter().flat_map(|all| all.iter()).map(source).collect());
        Lines { top: lines(whole), sources, rankings, text: text.to_owned(), file }
    }

    /// `FILE, line 3`: where a key of the whole file is.
    pub(super) fn of(&self, key: &str) -> String {
        self.top.get(key).map_or_else(|| self.file.clone(), |line| format!("{}, line {line}", self.file))
    }

    /// Where a key of the `index`-th ranking is.
    pub(super) fn of_ranking(&self, index: usize, key: &str) -> String {
        self.rankings.get(index).map_or_else(|| self.file.clone(), |lines| lines.of(key))
    }

    /// Those of the `index`-th source.
    pub(super) fn source(&self, index: usize) -> SourceLines {
        let none = || SourceLines { file: self.file.clone(), ..SourceLines::default() };
        self.sources.get(index).cloned().unwrap_or_else(none)
    }

    /// Where the first wrong one of the keys that are `left` of the `index`-th source is, and what is wrong with it: a value tells
    /// no place, the text does.
    pub(super) fn of_wrong<T: DeserializeOwned>(
        &self,
        index: usize,
        left: &[String],
    ) -> Option<(String, String)> {
        let mut whole = DeTable::parse(&self.text).ok()?.into_inner();
        let DeValue::Array(sources) = whole.remove("source")?.into_inner() else { return None };
        let source = sources.into_iter().nth(index)?;
        let span = source.span();
        let DeValue::Table(table) = source.into_inner() else { return None };
        let is_left = |key: &Spanned<DeString<'_>>| left.iter().any(|name| **name == **key.get_ref());
        let table: DeTable<'_> = table.into_iter().filter(|(key, _)| is_left(key)).collect();
        let source = Spanned::new(span.clone(), DeValue::Table(table));
        let error = T::deserialize(ValueDeserializer::from(source)).err()?;
        let at = error.span().map_or(span.start, |found| found.start);
        let line = crate::text_file::line_at(&self.text, at);
        let what = crate::text_file::about_key(&self.text, line, error.message());
        Some((format!("{}, line {line}", self.file), what))
    }
}

impl SourceLines {
    /// `FILE, line 3`: where a key is, or the source where it has no such key.
    pub(super) fn of(&self, key: &str) -> String {
        match self.keys.get(key).copied().unwrap_or(self.first) {
            0 => self.file.clone(),
            line => format!("{}, line {line}", self.file),
        }
    }

    /// The same for a sentence that begins with the key it is about ("`k-mer` must be …"), or tells that there is nothing of
    /// what a key asks for; `None` for others.
    pub(super) fn of_sentence(&self, sentence: &str) -> Option<String> {
        let first = sentence.strip_prefix('`').and_then(|rest| rest.split('`').next());
        let asked = ASKED.iter().filter(|(words, _)| sentence.contains(words)).map(|(_, key)| *key);
        let key = first.into_iter().chain(asked).find(|key| self.keys.contains_key(*key))?;
        Some(self.of(key))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only what is wrong with them is asked for")]
    struct Keys {
        file: String,
        least: Option<f64>,
    }

    const TEXT: &str = "weights = \"equal\"\n\n[[source]]\nname = \"a\"\nfile = \"x\"\n\n[[source]]\n# of the second\nname = \"b\"\nfile = \"y\"\nleast = \"two\"\n";

    #[test]
    fn keys_have_lines() {
        let lines = Lines::new(Path::new("f.toml"), TEXT);
        assert_eq!((lines.of("weights"), lines.of("method")), ("f.toml, line 1".into(), "f.toml".into()));
        let second = lines.source(1);
        assert_eq!(
            (second.of("file"), second.of("none")),
            ("f.toml, line 10".into(), "f.toml, line 7".into())
        );
        assert_eq!(lines.source(5).of("file"), "f.toml");
        assert_eq!(second.of_sentence("`least` must be a number").as_deref(), Some("f.toml, line 11"));
        assert_eq!(second.of_sentence("`labels` of the target are missing"), None);
        assert_eq!(second.of_sentence("least"), None);
        let typed =
            TEXT.replace("least = \"two\"", "types = [\"x\"]").replace("[[source]]\n#", "[[ranking]]\n#");
        let typed = Lines::new(Path::new("f.toml"), &typed);
        assert_eq!(typed.of_ranking(0, "types"), "f.toml, line 11");
        assert_eq!(typed.of_ranking(4, "types"), "f.toml");
        let told = typed.rankings[0].of_sentence("w.sif: no interactions of the types x");
        assert_eq!(told.as_deref(), Some("f.toml, line 11"));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let at = |text: &str, index: usize| {
            let left = ["file".to_owned(), "least".to_owned(), "laest".to_owned()];
            Lines::new(Path::new("f.toml"), text).of_wrong::<Keys>(index, &left).map(|found| found.0)
        };
        let told =
            Lines::new(Path::new("f.toml"), TEXT).of_wrong::<Keys>(1, &["file".into(), "least".into()]);
        assert_eq!(told.expect("a wrong key").1, "`least`: string \"two\": it must be a number");
        assert_eq!(at(TEXT, 1).as_deref(), Some("f.toml, line 11"));
        assert_eq!(at(TEXT, 0), None, "nothing is wrong with it");
        assert_eq!(at(&TEXT.replace("least", "laest"), 1).as_deref(), Some("f.toml, line 11"));
        assert_eq!(at(&TEXT.replace("file = \"x\"\n", ""), 0).as_deref(), Some("f.toml, line 3"));
        let inline = "source = [{ name = \"a\", file = \"x\" },\n { name = \"b\", least = 1 }]\n";
        assert_eq!(at(inline, 1).as_deref(), Some("f.toml, line 2"));
        assert_eq!((at("source = 3\n", 0), at("[[source\n", 0)), (None, None));
    }
}
