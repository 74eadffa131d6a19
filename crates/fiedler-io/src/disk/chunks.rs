//! What was read of a file, kept for a while, and what will be asked for next, read ahead.
//!
//! The columns of a file are cut into chunks of equal width, of which the last [`KEPT`] that were asked for are kept. Whoever asks for a
//! chunk first reads it, and whoever asks meanwhile waits. With the first question for a chunk the next one is begun by a thread of its own,
//! so that the disk and the arithmetic are busy at the same time; who goes on has the next [`AHEAD`] begun, so that neither waits for the
//! other where one chunk took longer. That thread does nothing but read: results cannot depend on it. It keeps nothing either: what
//! nobody holds any more by the time it gets there is not read.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread;

use fiedler::Limits;
use fiedler::dataset::{Block, DenseBlock, Lent, Values};
use fiedler::limits::Held;

use super::{Lost, Stored, Stretch};
use crate::matrix::Numbers;
use crate::{Error, Result};

/// Chunks that are read ahead of whoever goes on from one to the next.
const AHEAD: usize = 2;

/// Chunks that are kept: the one at work, the one before it and those ahead.
const KEPT: usize = 2 + AHEAD;

/// Chunks whose room is kept for others: two are now and then done with before the next one is begun.
const SPARE: usize = 2;

/// A chunk takes at most one of so many parts of what may be taken, for besides the chunks there is what is computed from them.
const PARTS: u64 = 12;

/// And no more than this, so that what was read is still in the processor's cache when it is used.
const CACHED: u64 = 8 << 20;

/// Unless rows lie one after another: then a chunk is a piece of every row, and shorter pieces take longer to read.
const PIECE: u64 = 16 << 10;

/// However many rows there are, no more than this.
const LARGEST: u64 = 128 << 20;

/// The chunks of a file.
pub(super) struct Chunks {
    stored: Arc<dyn Stored>,
    width: usize,
    kept: Mutex<VecDeque<Arc<Chunk>>>,
    room: Room,
    /// To the thread that reads ahead; it ends with this.
    ahead: Option<Sender<Weak<Chunk>>>,
}

/// Some columns of a file, once they are read.
pub(super) struct Chunk {
    index: usize,
    content: OnceLock<Result<Stretch, Lost>>,
    room: Room,
}

/// The room of chunks that nobody needs any more, for the next ones: new memory costs more than to fill it.
type Room = Arc<Mutex<Vec<Numbers>>>;

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Some(Ok(Stretch::Dense { values, .. })) = self.content.take() {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            if room.len() < SPARE {
                room.push(values);
            }
        }
    }
}

/// The numbers of a chunk of single precision; none of another.
impl AsRef<[f32]> for Chunk {
    fn as_ref(&self) -> &[f32] {
        match self.content.get() {
            Some(Ok(Stretch::Dense { values: Numbers::F32(values), .. })) => values,
            _ => &[],
        }
    }
}

/// The same in double precision.
impl AsRef<[f64]> for Chunk {
    fn as_ref(&self) -> &[f64] {
        match self.content.get() {
            Some(Ok(Stretch::Dense { values: Numbers::F64(values), .. })) => values,
            _ => &[],
        }
    }
}

impl Chunk {
    fn new(index: usize, room: &Room) -> Arc<Self> {
        Arc::new(Chunk { index, content: OnceLock::new(), room: Arc::clone(room) })
    }

    /// What was read; nothing is handed out before.
    pub(super) fn stretch(&self) -> Result<&Stretch> {
        match self.content.get() {
            Some(Ok(stretch)) => Ok(stretch),
            Some(Err(lost)) => Err(lost.clone().into()),
            None => Err(Error::Canceled),
        }
    }

    /// Some of its columns, of so many rows, shared; `None` of non-zeros, and where they do not lie alike.
    pub(super) fn shared(
        self: Arc<Self>,
        rows: usize,
        columns: Range<usize>,
    ) -> Result<Option<Block<'static>>> {
        let Stretch::Dense { values, layout } = self.stretch()? else { return Ok(None) };
        if !layout.is_block(&columns) {
            return Ok(None);
        }
        let place = layout.place((rows, values.len() / rows), columns.start);
        let (row_stride, column_stride) = (place.row_stride, place.column_stride);
        let part = place.start..values.len();
        let values = match values {
            Numbers::F32(_) => Values::F32(Lent::Shared(self, part)),
            Numbers::F64(_) => Values::F64(Lent::Shared(self, part)),
        };
        Ok(Some(Block::Dense(DenseBlock { values, row_stride, column_stride })))
    }

    fn read(&self, stored: &dyn Stored, width: usize) {
        let start = self.index * width;
        let range = start..stored.shape().1.min(start + width);
        self.content.get_or_init(|| {
            let room = self.room.lock().unwrap_or_else(PoisonError::into_inner).pop();
            stored.read_into(range, room)
        });
    }
}

impl Chunks {
    /// Chunks that suit the limits; an error with the bytes that would be needed where none do.
    pub(super) fn new(stored: Box<dyn Stored>, limits: Limits) -> Result<Self, u64> {
        let stored: Arc<dyn Stored> = stored.into();
        let columns = stored.shape().1;
        let unit = stored.together().clamp(1, columns.max(1));
        let smallest = stored.bytes(unit);
        if smallest.saturating_mul(KEPT as u64 + 1) > limits.memory.0 {
            return Err(smallest.saturating_mul(KEPT as u64 + 1));
        }
        let pieces = if stored.is_by_rows() { PIECE.saturating_mul(stored.shape().0 as u64) } else { 0 };
        let most = (limits.memory.0 / PARTS).min(pieces.clamp(CACHED, LARGEST));
        let mut units = (most / smallest.max(1)).clamp(1, columns.div_ceil(unit).max(1) as u64) as usize;
        if stored.is_sparse() {
            // Columns differ: more of the small ones may fit.
            let twice = |units: &usize| units * unit < columns && stored.bytes(2 * units * unit) <= most;
            while twice(&units) {
                units *= 2;
            }
        }
        let width = units * unit;
        Ok(Chunks {
            ahead: reader(&stored, width),
            stored,
            width,
            kept: Mutex::default(),
            room: Room::default(),
        })
    }

    pub(super) fn shape(&self) -> (usize, usize) {
        self.stored.shape()
    }

    pub(super) fn is_single(&self) -> bool {
        self.stored.is_single()
    }

    pub(super) fn is_sparse(&self) -> bool {
        self.stored.is_sparse()
    }

    /// Columns of a chunk.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Bytes of the chunks that are held at a time, and of the room for others.
    pub(super) fn held(&self) -> Held {
        let chunks = self.stored.bytes(self.width).saturating_mul((KEPT + SPARE) as u64);
        let whole = self.stored.bytes(self.shape().1);
        Held { now: chunks.min(whole), whole }
    }

    pub(super) fn stored(&self) -> &dyn Stored {
        &*self.stored
    }
}

impl Chunks {
    /// A chunk, read. The next ones are begun.
    pub(super) fn get(&self, index: usize) -> Arc<Chunk> {
        let (chunk, next) = self.kept_or_new(index);
        for (next, ahead) in next.iter().zip(self.ahead.iter().cycle()) {
            // A thread that is there no more reads nothing ahead; whoever asks reads it then.
            let _ = ahead.send(Arc::downgrade(next));
        }
        chunk.read(&*self.stored, self.width);
        chunk
    }

    /// A chunk, and the next ones unless they are kept already: one after a chunk that nobody had begun.
    fn kept_or_new(&self, index: usize) -> (Arc<Chunk>, Vec<Arc<Chunk>>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|c| c.index == index).and_then(|at| kept.remove(at));
        let ahead = if found.is_some() { AHEAD } else { 1 };
        let chunk = found.unwrap_or_else(|| Chunk::new(index, &self.room));
        let end = self.shape().1.div_ceil(self.width).min(index + 1 + ahead);
        let is_new = |next: &usize| kept.iter().all(|c| c.index != *next);
        let next: Vec<_> = (index + 1..end).filter(is_new).map(|next| Chunk::new(next, &self.room)).collect();
        kept.push_back(Arc::clone(&chunk));
        kept.extend(next.iter().cloned());
        let old = kept.len().saturating_sub(KEPT);
        kept.drain(..old);
        (chunk, next)
    }
}

/// A thread that reads what it is sent; `None` where the system has none left.
fn reader(stored: &Arc<dyn Stored>, width: usize) -> Option<Sender<Weak<Chunk>>> {
    let (sender, receiver) = channel::<Weak<Chunk>>();
    let stored = Arc::clone(stored);
    let read = move || {
        receiver.iter().filter_map(|chunk| chunk.upgrade()).for_each(|chunk| chunk.read(&*stored, width));
    };
    thread::Builder::new().name("read-ahead".to_owned()).spawn(read).ok().map(|_| sender)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use fiedler::limits::Bytes;
    use rayon::prelude::*;

    use super::super::Layout;
    use super::*;

    /// Counts what is read; column 700 cannot be.
    struct Counting(Arc<[AtomicUsize]>);

    impl Stored for Counting {
        fn shape(&self) -> (usize, usize) {
            (10, 1000)
        }

        fn is_single(&self) -> bool {
            true
        }

        fn read(&self, range: std::ops::Range<usize>) -> Result<Stretch, Lost> {
            for j in range.clone() {
                self.0[j].fetch_add(1, Ordering::SeqCst);
            }
            if range.contains(&700) {
                return Err(Lost { file: "f".into(), what: "it is gone".into() });
            }
            let values = range.flat_map(|j| vec![j as f32; 10]).collect();
            Ok(Stretch::Dense { values: Numbers::F32(values), layout: Layout::Columns })
        }
    }

    fn first(stretch: &Stretch) -> f64 {
        match stretch {
            Stretch::Dense { values, .. } | Stretch::Sparse { values, .. } => values.at(0),
        }
    }

    fn counting(memory: u64) -> (Chunks, Arc<[AtomicUsize]>) {
        let reads: Arc<[AtomicUsize]> = (0..1000).map(|_| AtomicUsize::new(0)).collect();
        let chunks = Chunks::new(Box::new(Counting(Arc::clone(&reads))), Limits::of(Bytes(memory)));
        (chunks.expect("there is room"), reads)
    }

    #[test]
    fn in_order_every_column_is_read_once_whoever_asks() {
        let (chunks, reads) = counting(8 * 64 * 10 * 4);
        assert_eq!(chunks.width(), 64);
        for index in 0..10 {
            let firsts: Vec<f64> =
                (0..8).into_par_iter().map(|_| first(chunks.get(index).stretch().expect("read"))).collect();
            assert_eq!(firsts, [index as f64 * 64.0; 8]);
        }
        assert!(reads[..640].iter().all(|r| r.load(Ordering::SeqCst) == 1));
        assert!(chunks.kept.lock().expect("one thread").len() <= KEPT);
    }

    /// Two who ask in far places make each other's chunks old before the one who reads ahead gets to them.
    #[test]
    fn nothing_is_held_beyond_what_is_kept() {
        let (chunks, _) = counting(8 * 64 * 10 * 4);
        let mut seen: Vec<Weak<Chunk>> = Vec::new();
        for round in 0..200 {
            for index in [round % 7, 8 + round % 7] {
                seen.push(Arc::downgrade(&chunks.get(index)));
            }
        }
        // One may be on its way to be read.
        assert!(seen.iter().filter(|chunk| chunk.upgrade().is_some()).count() <= 3 * (KEPT + 1));
        let alive: std::collections::BTreeSet<usize> =
            seen.iter().filter_map(|chunk| chunk.upgrade().map(|c| Arc::as_ptr(&c) as usize)).collect();
        assert!(alive.len() <= KEPT + 1, "{}", alive.len());
    }

    #[test]
    fn what_cannot_be_read_is_told_to_everybody() {
        let (chunks, _) = counting(8 * 64 * 10 * 4);
        for _ in 0..2 {
            let Err(error) = chunks.get(10).stretch().map(drop) else { panic!("column 700 is there") };
            assert_eq!(error.to_string(), "f: it is gone");
        }
    }

    #[test]
    fn chunks_suit_the_limits() {
        assert_eq!(counting(1_000_000).0.width(), 1024, "no more than there is");
        let tight = Chunks::new(Box::new(Counting(Arc::new([]))), Limits::of(Bytes(10_239)));
        assert_eq!(tight.err(), Some(10_240));
        assert_eq!(counting(10_240).0.width(), 64);
    }
}
