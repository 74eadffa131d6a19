//! Rankings as CSV: `rank,feature,index,score`, and `method` first where there are several.

use std::borrow::Cow;
use std::fmt::Write;

use fiedler::Dataset;

use crate::rank::Listing;

/// The rankings, one line per feature; a feature without a score has an empty one.
pub(crate) fn rankings(listings: &[Listing], data: &Dataset) -> String {
    let several = listings.len() > 1;
    let mut out = String::from(if several { "method," } else { "" });
    out.push_str("rank,feature,index,score\n");
    for listing in listings {
        let method = if several { format!("{},", listing.info.name) } else { String::new() };
        for (rank, &j) in listing.listed.iter().enumerate() {
            // The shortest text that gives the same number when it is read again.
            let score = listing.ranking.score(j).map_or(String::new(), |s| format!("{s:?}"));
            let feature = data.feature_name(j);
            let _ = writeln!(out, "{method}{},{},{j},{score}", rank + 1, field(&feature));
        }
    }
    out
}

/// A field, quoted where it must be (RFC 4180).
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => Cow::Borrowed(text),
    }
}
