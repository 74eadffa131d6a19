//! Rankings as CSV: `rank,feature,index,score`, and `method` first where there are several.

use std::borrow::Cow;
use std::fmt::Write;

use fiedler::Findings;

/// The rankings, one line per feature, at most `most` of each; a feature without a score has an empty one.
pub(crate) fn rankings(found: &Findings, most: usize) -> String {
    let several = found.rankings.len() > 1;
    let mut out = String::from(if several { "method," } else { "" });
    out.push_str("rank,feature,index,score\n");
    for ranking in &found.rankings {
        let method = if several { format!("{},", ranking.method.name) } else { String::new() };
        for place in ranking.places.iter().take(most) {
            // The shortest text that gives the same number when it is read again.
            let score = place.score.map_or(String::new(), |s| format!("{s:?}"));
            let _ = writeln!(
                out,
                "{method}{},{},{},{score}",
                place.rank,
                field(&found.features.of(place.index)),
                place.index
            );
        }
    }
    out
}

/// A field, quoted where it must be (RFC 4180).
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
