//! A file by rows once more, by columns.
//!
//! Methods that weigh features together (MRSF, MCFS) ask for columns here and there, again and again, and a column of a file by
//! rows is as many reads as there are rows. Once they have asked for so many that the whole file could have been read a dozen times
//! instead, it is copied by columns to a [scratch file](super::scratch), which answers such questions from then on. Where there is
//! no room for the copy, all goes on as before, only slower.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use fiedler::Limits;

use super::layout::take_columns;
use super::scratch::{Rows, piece};
use super::{Layout, Stored, Stretch};
use crate::matrix::Numbers;
use crate::{Error, Result};

/// Columns asked for are worth a copy once they have cost as much as so many passes over the file: a copy takes about as long, for
/// writing costs several times what reading does.
const PASSES: usize = 12;

/// Pieces that are held at a time: one that is read, what it becomes, and one that is written.
const HELD: u64 = 3;

/// The copy, once it pays.
pub(super) struct Turned {
    /// What was asked for here and there has cost as much as to read so many columns in order.
    cost: AtomicUsize,
    copy: OnceLock<Option<Box<dyn Stored>>>,
    limits: Limits,
}

impl Turned {
    pub(super) fn new(limits: Limits) -> Self {
        Turned { cost: AtomicUsize::new(0), copy: OnceLock::new(), limits }
    }

    /// Who answers in place of `stored` for `count` more columns here and there, all of them among `span` that lie together, if
    /// anyone does.
    pub(super) fn instead_of(&self, stored: &dyn Stored, count: usize, span: usize) -> Option<&dyn Stored> {
        if !stored.is_by_rows() {
            return None;
        }
        let columns = stored.shape().1;
        // A list never costs more than to read all between its ends.
        let more = count.saturating_mul(stored.worth()).min(span);
        let cost = self.cost.fetch_add(more, Ordering::Relaxed) + more;
        if self.copy.get().is_none() && cost < PASSES * columns {
            return None;
        }
        self.copy.get_or_init(|| copied(stored, self.limits).ok()).as_deref()
    }
}

/// All columns, one after the other. The next ones are read and turned, by a thread that does nothing else, while some are written.
fn copied(stored: &dyn Stored, limits: Limits) -> Result<Box<dyn Stored>> {
    let (n, columns) = stored.shape();
    let most = 2 * piece(limits) / HELD / stored.bytes(1).max(1);
    let width = usize::try_from(most).unwrap_or(usize::MAX).max(1);
    let mut copy = Rows::new("the copy by columns", n, stored.is_single())?;
    thread::scope(|scope| {
        let (sender, pieces) = sync_channel(0);
        let (done_with, rooms) = channel();
        let read = move || {
            let mut room = None;
            for start in (0..columns).step_by(width) {
                let range = start..columns.min(start + width);
                let turned = read_turned(stored, range, &mut room, rooms.try_recv().ok());
                if sender.send(turned).is_err() {
                    return; // The copy was given up.
                }
            }
        };
        thread::Builder::new().spawn_scoped(scope, read).map_err(Error::io("the copy by columns"))?;
        for turned in pieces {
            let turned = turned?;
            copy.add(&turned)?;
            // Whoever reads may be done.
            let _ = done_with.send(turned);
        }
        Ok(Box::new(copy.turned()?) as Box<dyn Stored>)
    })
}

/// Some columns one after the other, in room that nobody needs any more; so is what is read of them.
fn read_turned(
    stored: &dyn Stored,
    range: Range<usize>,
    room: &mut Option<Numbers>,
    turned: Option<Numbers>,
) -> Result<Numbers> {
    let (n, width) = (stored.shape().0, range.len());
    let Stretch::Dense { values, layout: Layout::Tiles } = stored.read_into(range, room.take())? else {
        return Err(unlike());
    };
    let mut turned = turned.unwrap_or_else(|| Numbers::with_capacity(stored.is_single(), n * width));
    match (&values, &mut turned) {
        (Numbers::F32(v), Numbers::F32(out)) => turn(v, (n, width), out),
        (Numbers::F64(v), Numbers::F64(out)) => turn(v, (n, width), out),
        _ => return Err(unlike()),
    }
    *room = Some(values);
    Ok(turned)
}

/// What is read by rows and handed out in another way cannot be copied by columns.
fn unlike() -> Error {
    Error::malformed("the copy by columns", "array", "it is not handed out by rows")
}

/// Rows × columns in tiles, one column after the other.
fn turn<T: Copy + Default>(values: &[T], (rows, columns): (usize, usize), out: &mut Vec<T>) {
    out.resize(rows * columns, T::default());
    let all: Vec<usize> = (0..columns).collect();
    take_columns(values, rows, &all, out);
}

#[cfg(test)]
mod tests {
    use fiedler::limits::Bytes;

    use super::super::{BLOCK, Lost};
    use super::*;

    /// Value (i, j) is 1000·i + j.
    struct Counted {
        by_rows: bool,
    }

    impl Stored for Counted {
        fn shape(&self) -> (usize, usize) {
            (37, 500)
        }

        fn is_single(&self) -> bool {
            false
        }

        fn is_by_rows(&self) -> bool {
            self.by_rows
        }

        fn worth(&self) -> usize {
            100
        }

        fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
            let tiles = range.clone().step_by(BLOCK).map(|first| first..range.end.min(first + BLOCK));
            let values = tiles
                .flat_map(|tile| (0..37).flat_map(move |i| tile.clone().map(move |j| (1000 * i + j) as f64)))
                .collect();
            Ok(Stretch::Dense { values: Numbers::F64(values), layout: Layout::Tiles })
        }
    }

    #[test]
    fn a_copy_has_the_same_numbers_and_is_made_once_it_pays() {
        let stored = Counted { by_rows: true };
        let turned = Turned::new(Limits::of(Bytes(100_000)));
        // A column costs as much as a fifth of a pass over 500 where it costs as much as 100.
        assert!((0..5 * PASSES - 1).all(|_| turned.instead_of(&stored, 1, 500).is_none()));
        let copy = turned.instead_of(&stored, 1, 500).expect("a scratch file");
        assert_eq!(copy.shape(), (37, 500));
        for range in [0..1, 13..40, 499..500, 0..500] {
            let Ok(Stretch::Dense { values, layout: Layout::Columns }) = copy.read(range.clone()) else {
                panic!("by columns")
            };
            let expected = range.flat_map(|j| (0..37).map(move |i| (1000 * i + j) as f64));
            assert!(expected.enumerate().all(|(p, v)| values.at(p) == v));
        }
    }

    #[test]
    fn a_list_costs_no_more_than_to_read_all_between_its_ends() {
        let stored = Counted { by_rows: true };
        let turned = Turned::new(Limits::of(Bytes(100_000)));
        assert!((0..2 * PASSES - 1).all(|_| turned.instead_of(&stored, 40, 250).is_none()));
        assert!(turned.instead_of(&stored, 400, 500).is_some());
    }

    #[test]
    fn columns_that_lie_together_already_are_not_copied() {
        let turned = Turned::new(Limits::of(Bytes(100_000)));
        assert!(turned.instead_of(&Counted { by_rows: false }, 500, 500).is_none());
    }
}
