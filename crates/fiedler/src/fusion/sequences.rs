//! Features that are alike by their sequences (DIS 5.1: similarity of genes from their sequences).
//!
//! Two sequences are as similar as their k-mers, the pieces of k letters: with c_a(w) the number of times that piece w is in sequence a,
//!
//! ```text
//! s(a, b) = Σ_w c_a(w) c_b(w) / √(Σ_w c_a(w)² · Σ_w c_b(w)²)
//! ```
//! the spectrum kernel of Leslie, Eskin, Noble (2002), normalized. It needs no alignment, and grows with what alignments
//! share. Every sequence is joined to its `neighbors` most similar ones.
//!
//! # Cost
//! Total length for the pieces, and for each sequence the occurrences of its pieces in all others. A piece that more than a
//! quarter of the sequences (and more than 200) have is left out of the products, as it tells nothing; it still counts in the norms.
//!
//! # When it fails
//! Short k joins everything to everything, long k only what is nearly the same. Low-complexity stretches (`AAAA…`) look alike
//! wherever they come from.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::FeatureNetwork;
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Pieces of so many sequences, or of a quarter of them, are compared.
const COMMON: usize = 200;
/// Sequences between two looks at the monitor.
const STEP: usize = 256;
/// Letters of a piece at most: with five bits a letter they fit a number.
const LONGEST: usize = 12;
/// Bytes that a letter takes: its piece in the index, among those of its sequence, and among those that have it.
const PER_LETTER: usize = 72;

/// How sequences are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KmerSimilarity {
    /// Letters of a piece; by the letters of the sequences unless given: 8 of nucleotides, 4 of amino acids.
    pub length: Option<usize>,
    /// To how many most similar sequences each is joined.
    pub neighbors: usize,
}

impl Default for KmerSimilarity {
    fn default() -> Self {
        KmerSimilarity { length: None, neighbors: 10 }
    }
}

/// The pieces of a sequence with their numbers, and the norm of these.
struct Spectrum {
    counts: Vec<(u32, f64)>,
    norm: f64,
}

impl KmerSimilarity {
    /// The letters of a piece: as given, else 8 where nine in ten letters are those of nucleotides, else 4.
    pub fn pieces_of(&self, sequences: &[(usize, &[u8])]) -> usize {
        let letters: usize = sequences.iter().map(|s| s.1.len()).sum();
        let bases = |s: &[u8]| s.iter().filter(|b| b"ACGTUN".contains(&b.to_ascii_uppercase())).count();
        let of_bases: usize = sequences.iter().map(|s| bases(s.1)).sum();
        self.length.unwrap_or(if 10 * of_bases >= 9 * letters { 8 } else { 4 })
    }

    /// The network of features below `n_features` that have these sequences.
    ///
    /// ```
    /// use fiedler::Silent;
    /// use fiedler::fusion::KmerSimilarity;
    ///
    /// let sequences: [(usize, &[u8]); 3] = [(0, b"ACGTACGTAA"), (1, b"ACGTACGTCC"), (2, b"GGGGGGTTTT")];
    /// let network = KmerSimilarity { length: Some(3), neighbors: 1 }.network(3, &sequences, &Silent)?;
    /// assert_eq!((network.edges()[0].0, network.edges()[0].1), (0, 1));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when a parameter is 0, pieces are longer than 12 letters, a feature does not exist or comes
    /// twice, or no two sequences share a piece; [`Error::Canceled`].
    pub fn network(
        &self,
        n_features: usize,
        sequences: &[(usize, &[u8])],
        monitor: &dyn Monitor,
    ) -> Result<FeatureNetwork> {
        self.check(n_features, sequences)?;
        let letters: usize = sequences.iter().map(|s| s.1.len()).sum();
        let advice = "give the sequences of fewer features, or a table of similarities";
        monitor.limits().check("comparing sequences", (letters * PER_LETTER) as u64, advice)?;
        let stage = Stage::new(monitor, "comparing sequences", 2 * sequences.len())?;
        let length = self.pieces_of(sequences);
        let spectra = spectra(sequences, length, &stage)?;
        let holders = holders(&spectra);
        let most = COMMON.max(spectra.len() / 4);
        let mut edges: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let all: Vec<usize> = (0..spectra.len()).collect();
        for some in all.chunks(STEP) {
            stage.advance(some.len())?;
            let found: Vec<Vec<(usize, f64)>> =
                some.par_iter().map(|&a| self.nearest(a, &spectra, &holders, most)).collect();
            for (&a, near) in some.iter().zip(&found) {
                for &(b, similarity) in near {
                    let (x, y) = (sequences[a].0, sequences[b].0);
                    edges.insert((x.min(y), x.max(y)), similarity);
                }
            }
        }
        let edges: Vec<(usize, usize, f64)> = edges.into_iter().map(|((a, b), s)| (a, b, s)).collect();
        FeatureNetwork::new(n_features, &edges)
    }

    fn check(&self, n_features: usize, sequences: &[(usize, &[u8])]) -> Result<()> {
        if let Some(wrong) = self.length.filter(|k| !(1..=LONGEST).contains(k)) {
            let rule = format!("a whole number from 1 to {LONGEST}");
            return Err(Error::parameter("k-mer", rule, wrong));
        }
        if self.neighbors == 0 {
            return Err(Error::parameter("neighbors", "a whole number from 1", 0));
        }
        let mut there = vec![false; n_features];
        for &(feature, _) in sequences {
            let seen = there.get_mut(feature).ok_or_else(|| {
                Error::parameter("sequences", format!("of features below {n_features}"), feature)
            })?;
            if std::mem::replace(seen, true) {
                return Err(Error::parameter(
                    "sequences",
                    "one a feature",
                    format!("two of feature {feature}"),
                ));
            }
        }
        Ok(())
    }

    /// The most similar others, the first of those that are level.
    fn nearest(
        &self,
        a: usize,
        spectra: &[Spectrum],
        holders: &[Vec<(u32, f64)>],
        most: usize,
    ) -> Vec<(usize, f64)> {
        let mut products: HashMap<u32, f64> = HashMap::new();
        for &(piece, count) in &spectra[a].counts {
            let others = &holders[piece as usize];
            if others.len() <= most {
                others.iter().for_each(|&(b, other)| *products.entry(b).or_default() += count * other);
            }
        }
        products.remove(&(a as u32));
        let similarity =
            |(b, product): (u32, f64)| (b as usize, product / (spectra[a].norm * spectra[b as usize].norm));
        let mut found: Vec<(usize, f64)> = products.into_iter().map(similarity).collect();
        found.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
        found.truncate(self.neighbors);
        found
    }
}

fn spectra(sequences: &[(usize, &[u8])], length: usize, stage: &Stage<'_>) -> Result<Vec<Spectrum>> {
    let mut index: HashMap<u64, u32> = HashMap::new();
    let mut made = Vec::with_capacity(sequences.len());
    for (_, sequence) in sequences {
        stage.advance(1)?;
        let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
        for piece in sequence.windows(length) {
            let next = index.len() as u32;
            *counts.entry(*index.entry(code(piece)).or_insert(next)).or_default() += 1.0;
        }
        let norm = counts.values().map(|c| c * c).sum::<f64>().sqrt();
        made.push(Spectrum { counts: counts.into_iter().collect(), norm });
    }
    Ok(made)
}

/// A piece as a number: five bits a letter, capital or small.
fn code(piece: &[u8]) -> u64 {
    piece.iter().fold(0, |code, letter| code << 5 | u64::from(letter & 31))
}

/// For every piece, the sequences that have it and how often.
fn holders(spectra: &[Spectrum]) -> Vec<Vec<(u32, f64)>> {
    let pieces = spectra.iter().flat_map(|s| s.counts.last()).map(|(piece, _)| piece + 1).max().unwrap_or(0);
    let mut holders = vec![Vec::new(); pieces as usize];
    for (at, spectrum) in spectra.iter().enumerate() {
        spectrum.counts.iter().for_each(|&(piece, count)| holders[piece as usize].push((at as u32, count)));
    }
    holders
}
