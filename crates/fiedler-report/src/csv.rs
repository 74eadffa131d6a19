//! Rankings as CSV: `rank,feature,index,score`, and `method` first where there are several.

use std::borrow::Cow;
use std::fmt::Write;

use fiedler::Findings;

/// The rankings, one line per feature, at most `most` of each; a feature without a score has an empty one.
pub fn rankings(found: &Findings, most: usize) -> String {
    let several = found.rankings.len() > 1;
    let mut out = String::from(if several { "method," } else { "" });
    out.push_str(HEAD);
    for ranking in &found.rankings {
        let method = if several { format!("{},", ranking.method.name) } else { String::new() };
        for place in ranking.places.iter().take(most) {
            out.push_str(&method);
            line(&mut out, found, (place.rank, place.index, place.score));
        }
    }
    out
}

/// All features, where a report leaves some out: those of every ranking, or of the one that it is about where the
/// others list fewer.
pub fn every_feature(found: &Findings) -> Option<String> {
    let portrait = found.portrait.as_ref()?;
    let all = found.card.data.n_features;
    if portrait.features.is_empty() || portrait.features.len() >= all {
        return None;
    }
    if found.rankings.iter().all(|r| r.places.len() == all) && !found.rankings.is_empty() {
        return Some(rankings(found, usize::MAX));
    }
    if portrait.whole.len() != all {
        return None;
    }
    let mut out = String::from(HEAD);
    for (at, (index, score)) in portrait.whole.iter().enumerate() {
        line(&mut out, found, (at + 1, *index, *score));
    }
    Some(out)
}

const HEAD: &str = "rank,feature,index,score\n";

fn line(out: &mut String, found: &Findings, (rank, index, score): (usize, usize, Option<f64>)) {
    // The shortest text that gives the same number when it is read again.
    let score = score.map_or(String::new(), |s| format!("{s:?}"));
    let _ = writeln!(out, "{rank},{},{index},{score}", field(&found.features.of(index)));
}

/// A field, quoted where it must be (RFC 4180).
pub fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
