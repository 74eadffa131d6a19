//! What was read of a file, kept for a while.
//!
//! The columns of a file are cut into chunks of equal width, of which a few are kept. Whoever asks for a chunk
//! first reads it, and whoever asks meanwhile waits; so that hardly anybody does, whoever works on some columns of a chunk goes on with
//! the others, and takes the next chunk then ([`Reach`]). A chunk is small enough to be in the cache of the processor when it is used.
//! Once all its columns were asked for, nobody is likely to ask again: it goes before any other, and its room, which is still in the
//! cache, is that of the next one.
//!
//! The disk and the arithmetic are busy at the same time because the system is told what will be asked for next, where the format
//! can ([`Stored::expect`]). A thread that reads ahead was slower: where the file is in the memory of the system, to read is to copy,
//! and with a thread more than processors somebody waits for whoever was put aside.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fiedler::Limits;
use fiedler::dataset::{Block, DenseBlock, Lent, Reach, Values};
use fiedler::limits::Held;

use super::{BLOCK, Lost, Stored, Stretch};
use crate::matrix::Numbers;
use crate::{Error, Result};

/// Chunks whose room is kept for others: two are now and then done with before the next one is begun.
const SPARE: usize = 2;

/// A chunk takes at most one of so many parts of what may be taken, for besides the chunks there is what is computed from them.
const PARTS: u64 = 12;

/// All chunks together take at most one of so many parts of it.
const ALL: u64 = 3;

/// So many must fit.
const LEAST: u64 = 4;

/// And a chunk takes no more than this, so that what was read is still in the processor's cache when it is used.
const CACHED: u64 = 1 << 20;

/// Unless the format wants more ([`Stored::long`]), but never more than this.
const LARGEST: u64 = 128 << 20;

/// What the format wants is divided by no more than this for the sake of more chunks.
const DIVIDED: u64 = 4;

/// Bytes that the system is told of at a time. Of rows, too: pieces of so many together.
const EXPECTED: u64 = 64 << 20;
/// Of columns they lie together, and fewer do.
const EXPECTED_TOGETHER: u64 = 8 << 20;

/// The chunks of a file.
pub(super) struct Chunks {
    stored: Box<dyn Stored>,
    width: usize,
    /// How many may be worked on at a time.
    at_once: usize,
    /// Chunks that the system is told of together.
    expected: usize,
    kept: Mutex<VecDeque<Kept>>,
    room: Room,
}

/// A chunk, and how many of its columns were asked for.
struct Kept {
    chunk: Arc<Chunk>,
    asked: usize,
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
        let columns = stored.shape().1;
        let unit = stored.together().clamp(1, columns.max(1));
        let smallest = stored.bytes(unit);
        if smallest.saturating_mul(LEAST) > limits.memory.0 {
            return Err(smallest.saturating_mul(LEAST));
        }
        // Everybody has one, unless to read would take longer than that is worth.
        let everybody = rayon::current_num_threads() as u64 + 1 + SPARE as u64;
        let shortest = stored.long() / DIVIDED;
        let fair = (limits.memory.0 / ALL / everybody).max(shortest).min(limits.memory.0 / PARTS);
        let most = fair.min(stored.long().clamp(CACHED, LARGEST));
        let mut units = (most / smallest.max(1)).clamp(1, columns.div_ceil(unit).max(1) as u64) as usize;
        if stored.is_sparse() {
            // Columns differ: more of the small ones may fit.
            let twice = |units: &usize| units * unit < columns && stored.bytes(2 * units * unit) <= most;
            while twice(&units) {
                units *= 2;
            }
        }
        let width = units * unit;
        let chunk = stored.bytes(width).max(1);
        let fit = (limits.memory.0 / ALL / chunk).saturating_sub(1 + SPARE as u64);
        let expected = if stored.is_by_rows() { EXPECTED } else { EXPECTED_TOGETHER } / chunk;
        Ok(Chunks {
            stored,
            width,
            at_once: usize::try_from(fit).unwrap_or(usize::MAX).max(1),
            expected: usize::try_from(expected).unwrap_or(usize::MAX).max(1),
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

    /// How columns are at hand: a chunk for everybody where so many fit, else a few columns of the same chunks.
    pub(super) fn reach(&self) -> Reach {
        if self.at_once >= rayon::current_num_threads() {
            return Reach { together: self.width, at_once: self.at_once };
        }
        Reach { together: BLOCK, at_once: self.width.div_ceil(BLOCK) * self.at_once }
    }

    /// Chunks that are kept: those at work, and the one before them.
    fn n_kept(&self) -> usize {
        self.at_once.min(rayon::current_num_threads()) + 1
    }

    /// Bytes of the chunks that are held at a time, and of the room for others.
    pub(super) fn held(&self) -> Held {
        let chunks = self.stored.bytes(self.width).saturating_mul((self.n_kept() + SPARE) as u64);
        let whole = self.stored.bytes(self.shape().1);
        Held { now: chunks.min(whole), whole }
    }

    pub(super) fn stored(&self) -> &dyn Stored {
        &*self.stored
    }
}

impl Chunks {
    /// A chunk, read, of which so many columns are asked for.
    pub(super) fn get(&self, index: usize, columns: usize) -> Arc<Chunk> {
        let (chunk, is_new) = self.kept_or_new(index, columns);
        if is_new && index.is_multiple_of(self.expected) {
            // The next ones, and at the beginning these.
            let first = if index == 0 { 0 } else { index + self.expected };
            let end = (index + 2 * self.expected).saturating_mul(self.width).min(self.shape().1);
            self.stored.expect((first * self.width).min(end)..end);
        }
        chunk.read(&*self.stored, self.width);
        chunk
    }

    /// A chunk, and whether nobody has asked for it lately.
    fn kept_or_new(&self, index: usize, columns: usize) -> (Arc<Chunk>, bool) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|k| k.chunk.index == index).and_then(|at| kept.remove(at));
        let is_new = found.is_none();
        let mut gone = Vec::new();
        if is_new {
            while let Some(at) = kept.iter().position(|k| k.asked >= self.width) {
                gone.extend(kept.remove(at));
            }
        }
        let new = || Kept { chunk: Chunk::new(index, &self.room), asked: 0 };
        let mut entry = found.unwrap_or_else(new);
        entry.asked += columns;
        let chunk = Arc::clone(&entry.chunk);
        kept.push_back(entry);
        let old = kept.len().saturating_sub(self.n_kept());
        gone.extend(kept.drain(..old));
        // To give memory back takes a while, in which others may ask.
        drop(kept);
        (chunk, is_new)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Weak;
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

    /// Columns, and whether they were read and not only told of.
    type Asked = (bool, Range<usize>);

    /// Columns of a file by columns that remembers what it was told and asked.
    struct Told {
        told: Arc<Mutex<Vec<Asked>>>,
    }

    const TOLD: usize = 100_000;

    impl Stored for Told {
        fn shape(&self) -> (usize, usize) {
            (100, TOLD)
        }

        fn is_single(&self) -> bool {
            true
        }

        fn expect(&self, range: Range<usize>) {
            self.told.lock().expect("one thread").push((false, range));
        }

        fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
            self.told.lock().expect("one thread").push((true, range));
            Ok(Stretch::Dense { values: Numbers::F32(Vec::new()), layout: Layout::Columns })
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
            let firsts: Vec<f64> = (0..8)
                .into_par_iter()
                .map(|_| first(chunks.get(index, 8).stretch().expect("read")))
                .collect();
            assert_eq!(firsts, [index as f64 * 64.0; 8]);
        }
        assert!(reads[..640].iter().all(|r| r.load(Ordering::SeqCst) == 1));
        assert!(chunks.kept.lock().expect("one thread").len() <= chunks.n_kept());
    }

    /// Two who ask in far places keep what is theirs, and nothing else stays.
    #[test]
    fn nothing_is_held_beyond_what_is_kept() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let (chunks, reads) = counting(8 * 64 * 10 * 4);
        let mut seen: Vec<Weak<Chunk>> = Vec::new();
        threads.install(|| {
            for round in 0..7 {
                for index in [round, 8 + round, round, 8 + round] {
                    seen.push(Arc::downgrade(&chunks.get(index, 1)));
                }
            }
        });
        assert!(seen.iter().filter(|chunk| chunk.upgrade().is_some()).count() <= 2 * 3);
        assert!(reads.iter().all(|r| r.load(Ordering::SeqCst) <= 1), "what is worked on is not read again");
    }

    /// A worker that takes longer over its columns still has them when the others have gone far.
    #[test]
    fn whoever_is_slow_finds_what_he_works_on() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let (chunks, reads) = counting(8 * 64 * 10 * 4);
        threads.install(|| {
            let slow = chunks.get(0, 8);
            for index in 1..15 {
                (0..8).for_each(|_| drop(chunks.get(index, 8)));
                let again = chunks.get(0, if index % 3 == 0 { 8 } else { 0 });
                assert!(Arc::ptr_eq(&slow, &again), "{index}");
            }
        });
        assert!(reads[..15 * 64].iter().all(|r| r.load(Ordering::SeqCst) == 1));
    }

    #[test]
    fn what_was_asked_for_whole_goes_before_anything_else() {
        let (chunks, _) = counting(8 * 64 * 10 * 4);
        let half = Arc::downgrade(&chunks.get(0, 32));
        for index in 1..15 {
            let whole = Arc::downgrade(&chunks.get(index, 64));
            assert!(whole.upgrade().is_some(), "{index}: until the next one is asked for");
            let kept: Vec<usize> =
                chunks.kept.lock().expect("one thread").iter().map(|k| k.chunk.index).collect();
            assert_eq!(kept, [0, index]);
        }
        assert!(half.upgrade().is_some(), "however many came after it");
    }

    /// What the system is told is all columns once, and some of it before it is read.
    #[test]
    fn all_is_expected_once_and_before_it_is_read() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let stored = Told { told: Arc::clone(&told) };
        let chunks = Chunks::new(Box::new(stored), Limits::of(Bytes(1 << 30))).expect("there is room");
        let last = (TOLD - 1) / chunks.width();
        for index in 0..=last {
            chunks.get(index, chunks.width());
        }
        let told = told.lock().expect("one thread").clone();
        let (mut expected, mut read) = (0, 0);
        for (is_read, range) in told {
            let end = if is_read { &mut read } else { &mut expected };
            assert_eq!(range.start, *end, "one after the other");
            *end = range.end;
            assert!(read <= expected, "{read} of {expected}");
        }
        assert_eq!((expected, read), (TOLD, TOLD));
    }

    #[test]
    fn what_cannot_be_read_is_told_to_everybody() {
        let (chunks, _) = counting(8 * 64 * 10 * 4);
        for _ in 0..2 {
            let Err(error) = chunks.get(10, 1).stretch().map(drop) else { panic!("column 700 is there") };
            assert_eq!(error.to_string(), "f: it is gone");
        }
    }

    #[test]
    fn everybody_has_a_chunk_where_so_many_fit() {
        let reach = |threads: usize, memory: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let chunks = counting(memory).0;
                (chunks.width(), chunks.reach())
            })
        };
        let (width, all) = reach(2, 1_000_000);
        assert!(all.together == width && all.at_once >= 2, "{width} {all:?}");
        let (width, few) = reach(4, 8 * 64 * 10 * 4);
        assert_eq!((width, few), (64, Reach { together: 64, at_once: 1 }));
    }

    #[test]
    fn chunks_suit_the_limits() {
        assert_eq!(counting(1_000_000).0.width(), 1024, "no more than there is");
        let tight = Chunks::new(Box::new(Counting(Arc::new([]))), Limits::of(Bytes(10_239)));
        assert_eq!(tight.err(), Some(10_240));
        assert_eq!(counting(10_240).0.width(), 64);
    }
}
