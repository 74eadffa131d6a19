//! Rankings as CSV, as a report writes all features beside it.

pub(crate) use fiedler_report::csv::{field, rankings};
