//! Files to data sets and back.
