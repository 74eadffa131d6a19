//! A file on the disk as the source of an HDF5 file.
//!
//! Large reads of several threads go to the system side by side. Small ones, of which names make three each, are
//! answered from the block that was read last.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use hdf5_pure::{FormatError, Source};

/// Bytes of the block that small reads are answered from.
const BLOCK: u64 = 1 << 16;

/// The file.
pub(super) struct Disk {
    file: File,
    size: u64,
    /// Where the last block begins, and its bytes.
    block: Mutex<(u64, Vec<u8>)>,
}

impl Disk {
    pub(super) fn open(path: &Path) -> io::Result<Disk> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok(Disk { file, size, block: Mutex::new((0, Vec::new())) })
    }

    fn small(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut block = self.block.lock().unwrap_or_else(PoisonError::into_inner);
        let end = offset + buffer.len() as u64;
        if offset < block.0 || end > block.0 + block.1.len() as u64 {
            // Half a block back, for what is asked for next often lies just before.
            let start = offset.saturating_sub(BLOCK / 2);
            let length = BLOCK.min(self.size - start) as usize;
            block.1.resize(length, 0);
            if let Err(error) = self.exactly(start, &mut block.1) {
                block.1.clear();
                return Err(error);
            }
            block.0 = start;
        }
        let from = (offset - block.0) as usize;
        buffer.copy_from_slice(&block.1[from..from + buffer.len()]);
        Ok(())
    }

    #[cfg(unix)]
    fn exactly(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn exactly(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let step = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if step == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            offset += step as u64;
            buffer = &mut buffer[step..];
        }
        Ok(())
    }
}

impl Source for Disk {
    fn len(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), FormatError> {
        let length = buffer.len() as u64;
        let end = offset.checked_add(length).ok_or(FormatError::OffsetOverflow { offset, length })?;
        if end > self.size {
            let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
            return Err(FormatError::UnexpectedEof { expected: count(end), available: count(self.size) });
        }
        let read =
            if length <= BLOCK / 4 { self.small(offset, buffer) } else { self.exactly(offset, buffer) };
        read.map_err(|e| FormatError::Source(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_is_what_the_file_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bytes");
        let bytes: Vec<u8> = (0..200_000_u32).map(|i| (i * i / 7) as u8).collect();
        std::fs::write(&path, &bytes).expect("written");
        let disk = Disk::open(&path).expect("opened");
        for (offset, length) in
            [(0, 8), (199_990, 10), (5, 70_000), (131_000, 300), (100, 1), (65_530, 16_384)]
        {
            let mut found = vec![0; length];
            disk.read_at(offset as u64, &mut found).expect("inside");
            assert_eq!(found, bytes[offset..offset + length], "{offset} {length}");
        }
        assert!(disk.read_at(199_999, &mut [0; 2]).is_err());
        assert!(disk.read_at(u64::MAX, &mut [0; 2]).is_err());
    }
}
