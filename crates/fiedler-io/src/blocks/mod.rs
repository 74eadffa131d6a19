//! A directory of blocks: a matrix cut by columns into NumPy files, with a manifest that tells what they are.
//!
//! ```text
//! DIR/manifest.json     format, version, shape, and of every file its size and checksum
//! DIR/00000.npy …       samples × some of the features, column after column
//! DIR/features.json     the names of the features, a list of texts (may be absent)
//! DIR/samples.json      the names of the samples (may be absent)
//! DIR/labels.json       the class or the number of every sample, or null (may be absent)
//! ```
//!
//! The CRC-32 of every block is compared before anything of it is used, so that damage is found where it is, and a block can be made, moved and looked at by
//! itself (`np.load`). The directory is written beside its place and moved there when all of it is on the disk.

mod read;
mod write;

use serde::{Deserialize, Serialize};

pub(crate) use read::{is_one, read};
pub(crate) use write::write;

/// The name of the manifest, by which a directory is known.
const MANIFEST: &str = "manifest.json";

/// What the manifest calls the format.
const FORMAT: &str = "fiedler-blocks";

/// The version that is written, and the highest that is read.
const VERSION: u32 = 1;

/// What the directory holds.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    samples: usize,
    features: usize,
    /// `<f4` or `<f8`.
    dtype: String,
    blocks: Vec<BlockFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    feature_names: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sample_names: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    labels: Option<Part>,
    /// What the labels are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// A file of the directory.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Part {
    file: String,
    bytes: u64,
    /// CRC-32 as zlib computes it, eight digits.
    crc32: String,
}

/// A file with some of the features.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BlockFile {
    /// How many features.
    features: usize,
    #[serde(flatten)]
    part: Part,
}

/// The checksum as the manifest has it.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    let mut crc = Checksum::default();
    crc.add(bytes);
    crc.text()
}

/// A checksum of bytes that come piece by piece.
#[derive(Default)]
struct Checksum(flate2::Crc);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn text(&self) -> String {
        format!("{:08x}", self.0.sum())
    }
}
