//! A directory of blocks as data.

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use fiedler::dataset::Order;
use fiedler::{Limits, Monitor};

use super::{BlockFile, Checksum, FORMAT, MANIFEST, Manifest, Part, VERSION};
use crate::disk::npy::Npy;
use crate::disk::positions::Positions;
use crate::disk::{self, Layout, Lost, Stored, Stretch};
use crate::matrix::Numbers;
use crate::memory::Budget;
use crate::names::{make_unique, shown};
use crate::options::ReadOptions;
use crate::table::{LabelColumn, Raw, RawLabel};
use crate::{Error, Result, npy};

/// The longest manifest that is read: one of some hundred thousand blocks.
const LONGEST: u64 = 64 << 20;

/// Bytes that are compared with a checksum at a time.
const PIECE: usize = 1 << 18;

/// Columns that are copied at a time.
const FEW: usize = 64;

/// Bytes that had better be read together: every time the file is opened, and its beginning is read.
const TOGETHER: u64 = 8 << 20;

/// Whether a folder is a directory of blocks.
pub(crate) fn is_one(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file()
}

/// Reads a directory of blocks, into memory where it fits.
pub(crate) fn read(folder: &Path, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
    let manifest = manifest(folder)?;
    let budget = Budget::new(&shown(folder), monitor.limits());
    let list = |part: &Option<Part>, count: usize, what: &str| match part {
        None => Ok(None),
        Some(part) => texts(folder, part, count, what, &budget).map(Some),
    };
    let features = list(&manifest.feature_names, manifest.features, "features")?;
    let samples = list(&manifest.sample_names, manifest.samples, "samples")?;
    let labels = list(&manifest.labels, manifest.samples, "samples")?;
    let title = manifest.label.clone().unwrap_or_else(|| "label".to_owned());
    let mut raw = body(folder, manifest, monitor.limits())?;
    let whole =
        |names: Vec<Option<String>>| names.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>();
    raw.row_names = samples.map(whole);
    raw.column_names = features.map(whole);
    if let Some(names) = &mut raw.column_names {
        raw.repeated = make_unique(names, "feature", &mut raw.notes);
    }
    if labels.is_some() {
        check_label(&shown(folder), &title, &raw, options)?;
    }
    // A feature may be named as the label too, where the directory has others or none.
    if options.outcome().is_none_or(|label| label.as_str() == title) {
        let column = LabelColumn { name: title, first: false };
        raw.label = labels.map(|texts| RawLabel { column, texts });
    }
    Ok(raw)
}

/// That what is named as the label is there: the labels that are stored, or a feature.
fn check_label(folder: &str, title: &str, raw: &Raw, options: &ReadOptions) -> Result<()> {
    match options.outcome() {
        Some(label) if label.as_str() != title && raw.position(label).is_none() => {
            let known = format!("the stored labels are called `{title}`; {}", raw.columns_in_words());
            let (file, name) = (folder.to_owned(), label.to_string());
            Err(Error::Unknown { file, what: "column", name, known })
        }
        _ => Ok(()),
    }
}

fn body(folder: &Path, manifest: Manifest, limits: Limits) -> Result<Raw> {
    let blocks = Blocks::new(folder, manifest)?;
    disk::body(&shown(folder), blocks, limits)
}

/// The manifest, checked as far as it can be without the files.
fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    let name = shown(&path);
    let size = fs::metadata(&path).map_err(Error::io(&name))?.len();
    let wrong = |found: String| Error::malformed(&name, "manifest", found);
    if size > LONGEST {
        return Err(wrong("it is longer than any manifest".to_owned()));
    }
    let bytes = fs::read(&path).map_err(Error::io(&name))?;
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if manifest.format != FORMAT {
        return Err(wrong(format!("its format is `{}` and should be `{FORMAT}`", manifest.format)));
    }
    if manifest.version > VERSION {
        let what = format!("blocks of version {}, and this fiedler reads up to {VERSION}", manifest.version);
        return Err(Error::unsupported(&name, what, "use a newer fiedler, or write the blocks again"));
    }
    if !["<f4", "<f8"].contains(&manifest.dtype.as_str()) {
        return Err(wrong(format!("its dtype is `{}` and should be `<f4` or `<f8`", manifest.dtype)));
    }
    let total = manifest.blocks.iter().try_fold(0_usize, |sum, b| sum.checked_add(b.features));
    if total != Some(manifest.features) || manifest.blocks.iter().any(|b| b.features == 0) {
        return Err(wrong(format!("its blocks do not add up to {} features", manifest.features)));
    }
    let parts = manifest.blocks.iter().map(|b| &b.part);
    let named = [&manifest.feature_names, &manifest.sample_names, &manifest.labels].into_iter().flatten();
    if let Some(part) = parts.chain(named).find(|part| !is_plain(&part.file)) {
        return Err(wrong(format!("`{}` is not the name of a file beside it", part.file.escape_default())));
    }
    Ok(manifest)
}

/// Whether a name leads nowhere but into its own folder.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0'])
}

/// The texts of a file of names or labels.
fn texts(
    folder: &Path,
    part: &Part,
    count: usize,
    what: &str,
    budget: &Budget,
) -> Result<Vec<Option<String>>> {
    // As bytes, and as texts of their own.
    budget.take(part.bytes.saturating_mul(2))?;
    budget.take_items(count, size_of::<Option<String>>())?;
    let bytes = content(folder, part)?;
    let file = shown(&folder.join(&part.file));
    let texts: Vec<Option<String>> = serde_json::from_slice(&bytes)
        .map_err(|error| Error::malformed(&file, "JSON", format!("it should be a list of texts: {error}")))?;
    if texts.len() == count {
        return Ok(texts);
    }
    Err(Error::malformed(&file, "JSON", format!("it has {} texts for {count} {what}", texts.len())))
}

/// What to do about a directory that is not as its manifest says.
const AGAIN: &str = "write the blocks again";

/// A file of the directory, of the size that it should have.
fn opened(folder: &Path, part: &Part) -> Result<Positions, Lost> {
    let path = folder.join(&part.file);
    let lost = |what: String| Lost { file: shown(&path), what };
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => lost(format!("the manifest names it and it is not there; {AGAIN}")),
        _ => lost(format!("it cannot be read ({error})")),
    };
    // To open a pipe would be to wait for whoever writes to it.
    if !fs::metadata(&path).map_err(unreadable)?.is_file() {
        return Err(lost(format!("it is not a file; {AGAIN}")));
    }
    let file = File::open(&path).map_err(unreadable)?;
    let file = Positions::of(file, &shown(&path)).map_err(|e| lost(format!("it cannot be read ({e})")))?;
    if file.size() == part.bytes {
        return Ok(file);
    }
    Err(lost(format!("it has {} bytes and the manifest says {}; {AGAIN}", file.size(), part.bytes)))
}

/// Compares a file with its checksum, and hands its bytes on, a piece at a time.
fn compared(file: &Positions, folder: &Path, part: &Part, mut each: impl FnMut(&[u8])) -> Result<(), Lost> {
    let mut crc = Checksum::default();
    let mut piece = vec![0; PIECE.min(part.bytes as usize)];
    for start in (0..part.bytes).step_by(PIECE) {
        let some = &mut piece[..PIECE.min((part.bytes - start) as usize)];
        file.fill(some, start)?;
        crc.add(some);
        each(some);
    }
    if crc.text() == part.crc32 {
        return Ok(());
    }
    let what = format!("its checksum is not that of the manifest, so it is damaged or was changed; {AGAIN}");
    Err(Lost { file: shown(&folder.join(&part.file)), what })
}

/// A file of the directory, whole and unchanged.
fn content(folder: &Path, part: &Part) -> Result<Vec<u8>, Lost> {
    let mut bytes = Vec::new();
    compared(&opened(folder, part)?, folder, part, |some| bytes.extend_from_slice(some))?;
    Ok(bytes)
}

/// The blocks of a directory.
struct Blocks {
    folder: PathBuf,
    samples: usize,
    features: usize,
    single: bool,
    files: Vec<BlockFile>,
    /// The first feature of every block.
    starts: Vec<usize>,
    /// When the file of every block was changed last, as of when it was compared with its checksum; whoever compares has it.
    compared: Vec<Mutex<Option<SystemTime>>>,
}

impl Blocks {
    fn new(folder: &Path, manifest: Manifest) -> Result<Self> {
        let size = if manifest.dtype == "<f4" { 4 } else { 8 };
        let numbers = |width: usize| manifest.samples.checked_mul(width)?.checked_mul(size);
        let fits = |b: &BlockFile| numbers(b.features).is_some_and(|bytes| (bytes as u64) < b.part.bytes);
        if let Some(block) = manifest.blocks.iter().find(|b| !fits(b)) {
            let (width, samples) = (block.features, manifest.samples);
            let found = format!("`{}` is too short for {samples} × {width} numbers", block.part.file);
            return Err(Error::malformed(&shown(&folder.join(MANIFEST)), "manifest", found));
        }
        let starts = manifest
            .blocks
            .iter()
            .scan(0, |next, block| {
                *next += block.features;
                Some(*next - block.features)
            })
            .collect();
        Ok(Blocks {
            folder: folder.to_owned(),
            samples: manifest.samples,
            features: manifest.features,
            single: size == 4,
            compared: manifest.blocks.iter().map(|_| Mutex::default()).collect(),
            files: manifest.blocks,
            starts,
        })
    }

    /// The blocks that some columns are in, and which of their columns that are.
    fn parts(&self, range: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
        let first = self.starts.partition_point(|&start| start <= range.start).saturating_sub(1);
        let blocks = self.starts.iter().zip(&self.files).enumerate().skip(first);
        let inside = blocks.take_while({
            let end = range.end;
            move |(_, (start, _))| **start < end
        });
        inside.map(move |(b, (&start, block))| {
            (b, range.start.max(start) - start..range.end.min(start + block.features) - start)
        })
    }

    /// A block, to be read in parts. All of it is compared with its checksum the first time, and again where it was changed since.
    fn block(&self, b: usize) -> Result<Npy, Lost> {
        let (block, kind) = (&self.files[b], if self.single { "f4" } else { "f8" });
        let file = opened(&self.folder, &block.part)?;
        let mut before = self.compared[b].lock().unwrap_or_else(PoisonError::into_inner);
        if file.changed().is_none() || *before != file.changed() {
            compared(&file, &self.folder, &block.part, |_| {})?;
            *before = file.changed();
        }
        drop(before);
        let mut start = vec![0; npy::LONGEST_HEADER.min(block.part.bytes as usize)];
        file.fill(&mut start, 0)?;
        let shape = (self.samples, block.features);
        let (order, start) = npy::plain(&start, file.size(), kind, shape).ok_or_else(|| Lost {
            file: shown(&self.folder.join(&block.part.file)),
            what: format!(
                "not a NumPy array of {} × {} numbers as the manifest says; {AGAIN}",
                self.samples, block.features
            ),
        })?;
        let (swap, kind) = (cfg!(target_endian = "big"), kind.to_owned());
        Ok(Npy { file, start, kind, swap, order, rows: shape.0, columns: shape.1 })
    }

    /// Adds some columns of a block, column after column.
    fn append(&self, b: usize, columns: Range<usize>, out: &mut Numbers) -> Result<(), Lost> {
        let (n, block) = (self.samples, self.block(b)?);
        // Of rows long pieces are read; of columns as many at a time as suit the cache.
        let step = if block.order == Order::RowMajor { columns.len().max(1) } else { FEW };
        for start in columns.clone().step_by(step) {
            let some = start..columns.end.min(start + step);
            let Stretch::Dense { values, layout } = block.read(some.clone())? else {
                continue;
            };
            if layout == Layout::Columns {
                out.append(&values, 0..values.len());
                continue;
            }
            for at in 0..some.len() {
                let place = layout.place((n, some.len()), at);
                out.extend(&values, (0..n).map(|i| place.start + i * place.row_stride), f64::NAN);
            }
        }
        Ok(())
    }
}

impl Stored for Blocks {
    fn shape(&self) -> (usize, usize) {
        (self.samples, self.features)
    }

    fn is_single(&self) -> bool {
        self.single
    }

    fn long(&self) -> u64 {
        TOGETHER
    }

    fn expect(&self, range: Range<usize>) {
        for (b, some) in self.parts(range) {
            // What is wrong with a file is told when it is read. The header is small, and of rows any part of the file is as good.
            let Ok(file) = opened(&self.folder, &self.files[b].part) else { continue };
            let column = file.size() / self.files[b].features as u64;
            file.expect(some.start as u64 * column, some.len() as u64 * column);
        }
    }

    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
        self.read_into(range, None)
    }

    fn read_into(&self, range: Range<usize>, room: Option<Numbers>) -> Result<Stretch, Lost> {
        let n = self.samples;
        let mut values = Numbers::in_room(room, self.single, n * range.len());
        self.parts(range).try_for_each(|(b, some)| self.append(b, some, &mut values))?;
        Ok(Stretch::Dense { values, layout: Layout::Columns })
    }
}
