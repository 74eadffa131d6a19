//! Numbers that belong to the reader, to the source, or to both.

use std::fmt;
use std::ops::{Deref, Range};

use super::Shared;

/// A slice of numbers, whoever holds them.
///
/// A source in memory lends what it has, one that computes its columns gives them away, and one that reads a file ahead shares
/// what it has read with all who look at it, so that nothing is copied.
#[derive(Clone)]
pub enum Lent<'a, T> {
    /// The source has them.
    Borrowed(&'a [T]),
    /// The reader has them.
    Owned(Vec<T>),
    /// A part of what many look at.
    Shared(Shared<T>, Range<usize>),
}

impl<T> Deref for Lent<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Lent::Borrowed(values) => values,
            Lent::Owned(values) => values,
            Lent::Shared(values, range) => &(**values).as_ref()[range.clone()],
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Lent<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> From<Vec<T>> for Lent<'_, T> {
    fn from(values: Vec<T>) -> Self {
        Lent::Owned(values)
    }
}

impl<'a, T> From<&'a [T]> for Lent<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Lent::Borrowed(values)
    }
}

impl<T> FromIterator<T> for Lent<'_, T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Lent::Owned(values.into_iter().collect())
    }
}
