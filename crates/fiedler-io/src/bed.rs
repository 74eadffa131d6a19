//! PLINK genotypes: a `.bed` file of two bits a genotype, with the variants in a `.bim` and the samples in a `.fam` beside it.
//!
//! Variants are features and come one after the other, four samples to a byte, the first in the lowest bits. A genotype is the number of its A1
//! alleles (the fifth field of the `.bim`), as `plink --recode A` counts them:
//!
//! | bits | genotype | value |
//! |---|---|---|
//! | 00 | two A1 | 2 |
//! | 10 | one A1 | 1 |
//! | 11 | none | 0 |
//! | 01 | missing | no value |
//!
//! A missing genotype is a missing value like any other. See the format's description on the site of PLINK 1.9.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fiedler::Monitor;

use crate::disk::positions::Positions;
use crate::disk::{self, Layout, Lost, Stored, Stretch};
use crate::input::{Input, check_text};
use crate::matrix::Numbers;
use crate::names::{make_unique, shown};
use crate::options::ReadOptions;
use crate::table::{LabelColumn, Raw, RawLabel};
use crate::{Error, Result};

const FORMAT: &str = "PLINK";

/// What the sixth field of a `.fam` is called.
const PHENOTYPE: &str = "phenotype";

/// The values of the four genotypes of a byte, by their bits.
const VALUES: [f32; 4] = [2.0, f32::NAN, 1.0, 0.0];

/// Reads a `.bed` file, into memory where it fits.
pub(crate) fn read(path: &Path, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
    let file = Positions::open(path)?;
    let name = shown(path);
    check_magic(&file, &name)?;
    let samples = lines(path, "fam", monitor, sample)?;
    let variants = lines(path, "bim", monitor, variant)?;
    let bed = Bed { file, samples: samples.len(), variants: variants.len() };
    let expected = 3 + bed.row() as u64 * variants.len() as u64;
    if bed.file.size() != expected {
        let (n, m) = (samples.len(), variants.len());
        let found = format!(
            "it has {} bytes, and {n} samples and {m} variants take {expected}; are the .bim and the .fam its own?",
            bed.file.size()
        );
        return Err(Error::malformed(&name, FORMAT, found));
    }
    Ok(named(disk::body(&name, bed, monitor.limits())?, &samples, variants, options))
}

fn check_magic(file: &Positions, name: &str) -> Result<()> {
    let mut magic = [0; 3];
    if file.size() >= 3 {
        file.fill(&mut magic, 0)?;
    }
    match magic {
        [0x6c, 0x1b, 1] => Ok(()),
        [0x6c, 0x1b, 0] => {
            let what = "genotypes that lie sample after sample, as PLINK wrote them long ago";
            Err(Error::unsupported(name, what, "write it again with PLINK, one variant after the other"))
        }
        _ => {
            let found = "it does not begin as one; a BED file of genome intervals holds no table of numbers";
            Err(Error::malformed(name, FORMAT, found))
        }
    }
}

/// Bytes that a line takes once it is read.
const LINE: usize = 96;

/// What is wanted of the six fields of every line of the file beside a `.bed` file.
fn lines<T>(
    path: &Path,
    extension: &str,
    monitor: &dyn Monitor,
    wanted: impl Fn([&str; 6]) -> T,
) -> Result<Vec<T>> {
    let beside: PathBuf = path.with_extension(extension);
    let name = shown(&beside);
    if !beside.is_file() {
        let what = format!("a .bed file needs its .{extension} file beside it, and there is none");
        return Err(Error::unsupported(&name, what, "copy it there, under the same name"));
    }
    let input = Input::open(&beside, monitor.limits())?;
    let budget = Rc::clone(&input.budget);
    let bytes = input.read_all(monitor)?;
    check_text(&bytes, &name)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let count = fields.len();
        let fields: [&str; 6] = fields.try_into().map_err(|_| Error::Line {
            file: name.clone(),
            line: at + 1,
            what: format!("{count} fields where 6 are expected"),
        })?;
        budget.take_items(1, LINE)?;
        found.push(wanted(fields));
    }
    if found.is_empty() {
        return Err(Error::Empty { file: name, what: "an empty file".to_owned() });
    }
    Ok(found)
}

/// A line of a `.fam` file.
struct Sample {
    family: String,
    own: String,
    phenotype: String,
}

fn sample([family, own, _, _, _, phenotype]: [&str; 6]) -> Sample {
    Sample { family: family.to_owned(), own: own.to_owned(), phenotype: phenotype.to_owned() }
}

/// What a variant is called: by its place where it has no name.
fn variant([chromosome, id, _, place, ..]: [&str; 6]) -> String {
    if id == "." { format!("{chromosome}:{place}") } else { id.to_owned() }
}

/// Gives samples and variants their names, and the samples their phenotype.
fn named(mut raw: Raw, samples: &[Sample], mut variants: Vec<String>, options: &ReadOptions) -> Raw {
    raw.repeated = make_unique(&mut variants, "feature", &mut raw.notes);
    raw.column_names = Some(variants);
    let own: HashSet<&str> = samples.iter().map(|s| s.own.as_str()).collect();
    let is_enough = own.len() == samples.len();
    let name = |s: &Sample| if is_enough { s.own.clone() } else { format!("{}_{}", s.family, s.own) };
    let mut names: Vec<String> = samples.iter().map(name).collect();
    make_unique(&mut names, "sample", &mut raw.notes);
    raw.row_names = Some(names);
    raw.label = phenotypes(samples, options);
    raw
}

/// The phenotypes, where they are known of anybody. 1 and 2 are controls and cases, and then 0 is unknown as -9 always is.
fn phenotypes(samples: &[Sample], options: &ReadOptions) -> Option<RawLabel> {
    if options.outcome().is_some_and(|label| label.as_str() != PHENOTYPE) {
        return None;
    }
    let is_status = samples.iter().all(|s| ["-9", "0", "1", "2", "NA"].contains(&s.phenotype.as_str()));
    let text = |s: &Sample| match s.phenotype.as_str() {
        "-9" | "NA" | "nan" => None,
        "0" if is_status => None,
        "1" if is_status && options.target.is_none() => Some("control".to_owned()),
        "2" if is_status && options.target.is_none() => Some("case".to_owned()),
        other => Some(other.to_owned()),
    };
    let texts: Vec<Option<String>> = samples.iter().map(text).collect();
    let column = LabelColumn { name: PHENOTYPE.to_owned(), first: false };
    // A number for everybody is no class; it is there for those who name it as the target.
    let is_class = is_status || options.outcome().is_some();
    (is_class && texts.iter().any(Option::is_some)).then_some(RawLabel { column, texts })
}

/// The genotypes.
struct Bed {
    file: Positions,
    samples: usize,
    variants: usize,
}

impl Bed {
    /// Bytes of a variant.
    fn row(&self) -> usize {
        self.samples.div_ceil(4)
    }
}

impl Stored for Bed {
    fn shape(&self) -> (usize, usize) {
        (self.samples, self.variants)
    }

    fn is_single(&self) -> bool {
        true
    }

    fn expect(&self, range: Range<usize>) {
        let row = self.row() as u64;
        self.file.expect(3 + range.start as u64 * row, range.len() as u64 * row);
    }

    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
        self.read_into(range, None)
    }

    fn read_into(&self, range: Range<usize>, room: Option<Numbers>) -> Result<Stretch, Lost> {
        // The last byte of a variant may stand for three samples more than there are.
        let mut values = match Numbers::in_room(room, true, self.samples * range.len() + 3) {
            Numbers::F32(values) => values,
            Numbers::F64(_) => Vec::new(),
        };
        let mut bytes = vec![0; self.row() * range.len()];
        self.file.fill(&mut bytes, 3 + (range.start * self.row()) as u64)?;
        for variant in bytes.chunks_exact(self.row()) {
            let end = values.len() + self.samples;
            for &byte in variant {
                values.extend([0, 2, 4, 6].map(|shift| VALUES[usize::from(byte >> shift & 3)]));
            }
            // The last byte is filled up with bits that stand for nobody.
            values.truncate(end);
        }
        self.file.check()?;
        Ok(Stretch::Dense { values: Numbers::F32(values), layout: Layout::Columns })
    }
}
