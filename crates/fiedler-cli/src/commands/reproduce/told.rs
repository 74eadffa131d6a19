//! What methods warned of while a table was computed, gathered: what differs by its numbers alone, or by who warned of it, is one note.
//!
//! ```text
//! BASEHOCK: φ1, in 8 of 10 partitions: 2 samples are isolated      raw
//! BASEHOCK: φ2, in 5 of 10 partitions: 2 samples are isolated      raw
//! ─► BASEHOCK (raw): φ1; φ2, in 5 to 8 of 10 partitions: 2 samples are isolated
//! ```

/// One warning of a row in a setting.
#[derive(Debug, Clone)]
pub(super) struct Warned {
    pub(super) row: String,
    pub(super) setting: String,
    pub(super) text: String,
}

/// Warnings that became one.
#[derive(Debug, PartialEq)]
struct Note {
    rows: Vec<String>,
    settings: Vec<String>,
    methods: Vec<String>,
    /// `, in 8 of 10 partitions: ` and what is warned of, in pieces.
    pieces: Vec<Piece>,
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    /// The smallest and the largest number that stood there, as written.
    Number(String, String),
}

/// The notes of a table whose settings are these, in the order of their first warnings.
pub(super) fn gathered(warnings: &[Warned], settings: &[String]) -> Vec<String> {
    let mut notes: Vec<Note> = Vec::new();
    // Numbers and methods of one row and setting, then its settings, then rows that say the same.
    for warning in warnings {
        let new = Note::of(warning);
        match notes.iter_mut().find(|n| n.rows == new.rows && n.settings == new.settings && n.is_like(&new)) {
            Some(known) => known.join(new),
            None => notes.push(new),
        }
    }
    notes = joined(notes, |a, b| a.rows == b.rows && a.methods == b.methods);
    notes = joined(notes, |a, b| a.settings == b.settings && a.methods == b.methods);
    notes.iter().map(|note| note.in_words(settings)).collect()
}

/// Notes that are alike and go together become one.
fn joined(notes: Vec<Note>, together: impl Fn(&Note, &Note) -> bool) -> Vec<Note> {
    let mut all: Vec<Note> = Vec::new();
    for note in notes {
        match all.iter_mut().find(|known| known.is_like(&note) && together(known, &note)) {
            Some(known) => known.join(note),
            None => all.push(note),
        }
    }
    all
}

impl Note {
    fn of(warning: &Warned) -> Self {
        let (methods, what) = match method(&warning.text) {
            Some(at) => (vec![warning.text[..at].to_owned()], &warning.text[at..]),
            None => (Vec::new(), warning.text.as_str()),
        };
        let (rows, settings) = (vec![warning.row.clone()], vec![warning.setting.clone()]);
        Note { rows, settings, methods, pieces: pieces(what) }
    }

    /// Whether both say the same but for numbers.
    fn is_like(&self, other: &Note) -> bool {
        let alike = |(a, b): (&Piece, &Piece)| match (a, b) {
            (Piece::Number(..), Piece::Number(..)) => true,
            (a, b) => a == b,
        };
        let by_methods = self.methods.is_empty() == other.methods.is_empty();
        by_methods
            && self.pieces.len() == other.pieces.len()
            && self.pieces.iter().zip(&other.pieces).all(alike)
    }

    fn join(&mut self, other: Note) {
        let lists = [
            (&mut self.rows, other.rows),
            (&mut self.settings, other.settings),
            (&mut self.methods, other.methods),
        ];
        for (known, more) in lists {
            more.into_iter().for_each(|name| {
                if !known.contains(&name) {
                    known.push(name);
                }
            });
        }
        for (own, other) in self.pieces.iter_mut().zip(other.pieces) {
            own.widen(other);
        }
    }

    /// `ROWS (SETTINGS): METHODS, in 3 to 5 of 20 partitions: …`; one that all settings have, or the only one, goes without saying.
    fn in_words(&self, settings: &[String]) -> String {
        let everywhere = settings.iter().all(|setting| self.settings.contains(setting));
        let those = if everywhere { String::new() } else { format!(" ({})", self.settings.join(", ")) };
        let what: String = self.pieces.iter().map(Piece::in_words).collect();
        format!("{}{those}: {}{what}", self.rows.join("; "), self.methods.join("; "))
    }
}

impl Piece {
    fn widen(&mut self, other: Piece) {
        if let (Piece::Number(low, high), Piece::Number(other_low, other_high)) = (self, other) {
            // Large ones are written with a comma for every thousand.
            let value = |text: &str| text.replace(',', "").parse::<f64>().unwrap_or(f64::NAN);
            if value(&other_low) < value(low) {
                *low = other_low;
            }
            if value(&other_high) > value(high) {
                *high = other_high;
            }
        }
    }

    fn in_words(&self) -> String {
        match self {
            Piece::Text(text) => text.clone(),
            Piece::Number(low, high) if low == high => low.clone(),
            Piece::Number(low, high) => format!("{low} to {high}"),
        }
    }
}

/// Where the name of a method ends that warned `in 8 of 10 partitions: ` or draws.
fn method(text: &str) -> Option<usize> {
    text.match_indices(", in ").map(|(at, _)| at).find(|&at| {
        let words: Vec<&str> = text[at + 5..].splitn(4, ' ').collect();
        let is_number = |word: &str| word.parse::<usize>().is_ok();
        matches!(words[..], [met, "of", all, rest] if is_number(met) && is_number(all)
            && ["partitions: ", "draws: "].iter().any(|what| rest.starts_with(what)))
    })
}

/// A sentence with its numbers apart; what stands in backticks is a name, whatever it looks like.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            pieces.push(Piece::Text(format!("`{part}`")));
            continue;
        }
        let mut rest = part;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let tail = &rest[start..];
            let end = tail.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c))).unwrap_or(tail.len());
            // A point or comma at the end belongs to the sentence.
            let number = tail[..end].trim_end_matches(['.', ',']);
            pieces.push(Piece::Text(rest[..start].to_owned()));
            pieces.push(Piece::Number(number.to_owned(), number.to_owned()));
            rest = &tail[number.len()..];
        }
        pieces.push(Piece::Text(rest.to_owned()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(warnings: &[(&str, &str, &str)], settings: &[&str]) -> Vec<String> {
        let one = |&(row, setting, text): &(&str, &str, &str)| Warned {
            row: row.to_owned(),
            setting: setting.to_owned(),
            text: text.to_owned(),
        };
        let all: Vec<Warned> = warnings.iter().map(one).collect();
        gathered(&all, &settings.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_differs_by_numbers_is_one_note_that_names_its_setting() {
        let told = notes(
            &[
                ("x", "raw", "φ1, r, in 8 of 10 partitions: 2 components; a larger `k2` joins them"),
                ("x", "raw", "φ2, in 5 of 10 partitions: 3 components; a larger `k2` joins them"),
                ("y", "raw", "φ1, r, in 10 of 10 partitions: 2 components; a larger `k2` joins them"),
                ("y", "raw", "φ2, in 10 of 10 partitions: 2 components; a larger `k2` joins them"),
                ("x", "scaled", "φ1, r, in 1 of 10 partitions: no edges."),
            ],
            &["raw", "scaled"],
        );
        assert_eq!(
            told,
            [
                "x; y (raw): φ1, r; φ2, in 5 to 10 of 10 partitions: 2 to 3 components; a larger `k2` joins them",
                "x (scaled): φ1, r, in 1 of 10 partitions: no edges.",
            ]
        );
    }

    #[test]
    fn what_all_settings_say_names_none_and_names_are_no_numbers() {
        let told = notes(
            &[
                ("x", "raw", "A, in 4 of 20 draws: class `1` is small"),
                ("x", "scaled", "A, in 3 of 20 draws: class `1` is small"),
                ("x", "raw", "A, in 3 of 20 draws: class `2` is small"),
                ("x", "raw", "COMB: 3 names, 1 of them long"),
                ("x", "raw", "COMB: 3 names, 1 of them long"),
            ],
            &["raw", "scaled"],
        );
        assert_eq!(
            told,
            [
                "x: A, in 3 to 4 of 20 draws: class `1` is small",
                "x (raw): A, in 3 of 20 draws: class `2` is small",
                "x (raw): COMB: 3 names, 1 of them long",
            ]
        );
        assert_eq!(notes(&[("x", "ours", "as it is")], &["ours"]), ["x: as it is"]);
        let large = [("x", "ours", "983 pairs"), ("x", "ours", "1,204 pairs"), ("x", "ours", "1,030 pairs")];
        assert_eq!(notes(&large, &["ours"]), ["x: 983 to 1,204 pairs"]);
    }
}
