//! Terms that are kinds or parts of others, and features that have terms (DIS table 5.2: gene ontology annotation).
//!
//! A feature that has a term has all that the term is a kind or a part of: a gene of *G1 phase* is one of *cell cycle*. So the terms
//! of an [`Annotations`] are completed by the ancestors in an [`Ontology`] before features are compared.
//!
//! **Information content** of a term t, of which `count` of N annotated features are: IC(t) = -ln(count/N). A term of
//! few features tells much, the root tells nothing (Resnik 1995).

use std::collections::{BTreeMap, HashMap};

use crate::{Error, Result};

/// Pairs of a term and one above it, or of a feature and a term, that are kept at most; the Gene Ontology and the genes of a
/// species have a few million.
const MOST_PAIRS: usize = 100_000_000;

/// A term as a file tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Term {
    /// What it is called in annotations: `GO:0007049`.
    pub id: String,
    /// Other names of it.
    pub other_ids: Vec<String>,
    /// What it is a kind or a part of.
    pub parents: Vec<String>,
}

/// Terms that are kinds or parts of others, without circles.
#[derive(Debug, Clone)]
pub struct Ontology {
    ids: Vec<String>,
    index: HashMap<String, usize>,
    /// Of every term, itself and all above it, sorted.
    above: Vec<Vec<u32>>,
}

/// Features and the terms they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotations {
    features: Vec<String>,
    terms: Vec<String>,
    /// The terms of every feature, sorted.
    of: Vec<Vec<u32>>,
}

impl Ontology {
    /// From terms; parents that are no terms are left out.
    ///
    /// ```
    /// use fiedler::fusion::{Ontology, Term};
    ///
    /// let term = |id: &str, parent: &str| Term { id: id.into(), parents: vec![parent.into()], ..Term::default() };
    /// let ontology = Ontology::new(&[term("G1 phase", "cell cycle"), term("cell cycle", "process")])?;
    /// let above: Vec<&str> = ontology.above("G1 phase").expect("a term").collect();
    /// assert_eq!(above, ["G1 phase", "cell cycle"]);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when there are no terms, a term lies above itself, or terms have more than 100 million above them.
    pub fn new(terms: &[Term]) -> Result<Self> {
        if terms.is_empty() {
            return Err(Error::parameter("ontology", "made of at least one term", "none"));
        }
        let ids: Vec<String> = terms.iter().map(|t| t.id.clone()).collect();
        let index = by_name(terms);
        let parents = parents_of(terms, &index);
        let order = parents_first(&parents).map_err(|at| {
            let rule = "free of circles: no term lies above itself";
            Error::parameter("ontology", rule, format!("`{}`, which does", ids[at]))
        })?;
        let mut above: Vec<Vec<u32>> = vec![Vec::new(); terms.len()];
        let mut total = 0;
        for at in order {
            let mut all: Vec<u32> = parents[at].iter().flat_map(|&p| above[p].iter().copied()).collect();
            all.push(at as u32);
            all.sort_unstable();
            all.dedup();
            total += all.len();
            too_many("ontology", total)?;
            above[at] = all;
        }
        let index = index.into_iter().map(|(name, at)| (name.to_owned(), at)).collect();
        Ok(Ontology { ids, index, above })
    }

    /// A term that lies above itself, if there is one: its place among `terms`.
    pub fn circle(terms: &[Term]) -> Option<usize> {
        parents_first(&parents_of(terms, &by_name(terms))).err()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no terms; there always are.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// A term and all above it, in the order of the file; `None` where there is no such term.
    pub fn above(&self, id: &str) -> Option<impl Iterator<Item = &str>> {
        let at = *self.index.get(id)?;
        Some(self.above[at].iter().map(|&t| self.ids[t as usize].as_str()))
    }
}

/// The places of terms by all their names; a term's own name goes before another's other name.
fn by_name(terms: &[Term]) -> HashMap<&str, usize> {
    let others =
        terms.iter().enumerate().flat_map(|(at, t)| t.other_ids.iter().map(move |id| (id.as_str(), at)));
    others.chain(terms.iter().map(|t| t.id.as_str()).zip(0..)).collect()
}

/// The places of the parents of every term; those that are no terms are left out.
fn parents_of(terms: &[Term], index: &HashMap<&str, usize>) -> Vec<Vec<usize>> {
    let parents = |t: &Term| t.parents.iter().filter_map(|p| index.get(p.as_str()).copied()).collect();
    terms.iter().map(parents).collect()
}

/// The terms in an order in which parents come first, or a term that lies above itself.
fn parents_first(parents: &[Vec<usize>]) -> std::result::Result<Vec<usize>, usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut waiting: Vec<usize> = parents.iter().map(Vec::len).collect();
    for (child, parents) in parents.iter().enumerate() {
        parents.iter().for_each(|&p| children[p].push(child));
    }
    let mut order: Vec<usize> = (0..parents.len()).filter(|&t| waiting[t] == 0).collect();
    let mut next = 0;
    while let Some(&term) = order.get(next) {
        next += 1;
        for &child in &children[term] {
            waiting[child] -= 1;
            if waiting[child] == 0 {
                order.push(child);
            }
        }
    }
    if order.len() == parents.len() {
        return Ok(order);
    }
    // Going up from a term that still waits stays among those that wait, and so comes round.
    let up = |t: usize| parents[t].iter().copied().find(|&p| waiting[p] > 0).unwrap_or(t);
    let first = (0..parents.len()).find(|&t| waiting[t] > 0).unwrap_or(0);
    Err((0..parents.len()).fold(first, |term, _| up(term)))
}

impl Annotations {
    /// From pairs (feature, term), in any order; repetitions count once.
    ///
    /// ```
    /// use fiedler::fusion::Annotations;
    ///
    /// let pairs = [("TP53", "repair"), ("BRCA1", "repair"), ("MYC", "growth")];
    /// let told = Annotations::new(&pairs.map(|(f, t)| (f.to_owned(), t.to_owned())));
    /// assert_eq!((told.features(), told.terms()), (&["BRCA1", "MYC", "TP53"].map(String::from)[..], &["growth", "repair"].map(String::from)[..]));
    /// assert_eq!(told.information()[1], (3f64 / 2.0).ln()); // two of three features have it
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    pub fn new(pairs: &[(String, String)]) -> Self {
        let (features, of_feature) = sorted(pairs.iter().map(|p| p.0.as_str()));
        let (terms, of_term) = sorted(pairs.iter().map(|p| p.1.as_str()));
        let mut of = vec![Vec::new(); features.len()];
        pairs
            .iter()
            .for_each(|(feature, term)| of[of_feature[feature.as_str()]].push(of_term[term.as_str()] as u32));
        for terms in &mut of {
            terms.sort_unstable();
            terms.dedup();
        }
        Annotations { features, terms, of }
    }

    /// The same with all terms above those that features have, and the terms that the ontology does not know, which
    /// are left out.
    ///
    /// # Errors
    /// [`Error::Parameter`] when features then have more than 100 million terms.
    pub fn with_ancestors(&self, ontology: &Ontology) -> Result<(Self, Vec<String>)> {
        let known: Vec<Option<usize>> = self.terms.iter().map(|t| ontology.index.get(t).copied()).collect();
        let mut of: Vec<Vec<u32>> = Vec::with_capacity(self.of.len());
        let mut total = 0;
        for terms in &self.of {
            let found = terms.iter().filter_map(|&t| known[t as usize]);
            let mut all: Vec<u32> = found.flat_map(|t| ontology.above[t].iter().copied()).collect();
            all.sort_unstable();
            all.dedup();
            total += all.len();
            too_many("annotations", total)?;
            of.push(all);
        }
        let made = Annotations { features: self.features.clone(), terms: ontology.ids.clone(), of };
        let unknown = self.terms.iter().zip(&known).filter(|(_, k)| k.is_none()).map(|(t, _)| t.clone());
        Ok((made, unknown.collect()))
    }

    /// The features, in alphabetical order.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// The terms that the pairs refer to; not all of them need be used.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Number of terms that features have.
    pub fn n_used(&self) -> usize {
        self.counts().iter().filter(|c| **c > 0).count()
    }

    /// All (feature, term), by their positions.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.of.iter().enumerate().flat_map(|(f, terms)| terms.iter().map(move |&t| (f, t as usize)))
    }

    /// The information content of every term: -ln of the share of annotated features that have it; 0 for terms that none has.
    pub fn information(&self) -> Vec<f64> {
        let annotated = self.of.iter().filter(|terms| !terms.is_empty()).count() as f64;
        // 0 and not -0 for a term that all have.
        let content = |count: usize| if count == 0 { 0.0 } else { (annotated / count as f64).ln() };
        self.counts().into_iter().map(content).collect()
    }

    /// The features of every term that some have, by the name of the term.
    pub fn sets(&self) -> Vec<(String, Vec<String>)> {
        let mut members: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (feature, term) in self.pairs() {
            members.entry(term).or_default().push(self.features[feature].clone());
        }
        members.into_iter().map(|(term, features)| (self.terms[term].clone(), features)).collect()
    }

    fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.terms.len()];
        self.pairs().for_each(|(_, term)| counts[term] += 1);
        counts
    }
}

fn too_many(what: &str, pairs: usize) -> Result<()> {
    if pairs <= MOST_PAIRS {
        return Ok(());
    }
    let rule = "made of terms that have no more than 100 million above them";
    Err(Error::parameter(what, rule, "more"))
}

/// Different names in alphabetical order, and where each is.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> (Vec<String>, HashMap<&'a str, usize>) {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let places = names.iter().copied().zip(0..).collect();
    (names.into_iter().map(str::to_owned).collect(), places)
}
