//! Ontologies, information content and sequences, against textbook code and by hand.

use std::collections::{BTreeMap, BTreeSet};

use fiedler::Silent;
use fiedler::fusion::{Annotations, FeatureNetwork, KmerSimilarity, Ontology, Overlap, Term};

fn term(id: &str, parents: &[&str]) -> Term {
    Term {
        id: id.to_owned(),
        other_ids: Vec::new(),
        parents: parents.iter().map(|p| (*p).to_owned()).collect(),
    }
}

/// Numbers that look random and are always the same.
fn noise(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    }
}

/// Forty terms, each below up to three that come later in the file.
fn ontology() -> (Ontology, BTreeMap<String, Vec<String>>) {
    let mut next = noise(1);
    let mut parents: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for t in 0..40 {
        let above = (0..next(4)).filter(|_| t < 39).map(|_| format!("T{}", t + 1 + next(39 - t)));
        parents.insert(format!("T{t}"), above.collect());
    }
    let terms: Vec<Term> = (0..40)
        .map(|t| Term { id: format!("T{t}"), parents: parents[&format!("T{t}")].clone(), ..Term::default() })
        .collect();
    (Ontology::new(&terms).expect("no circles"), parents)
}

/// All above a term, by asking again and again.
fn climb(parents: &BTreeMap<String, Vec<String>>, term: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([term.to_owned()]);
    loop {
        let more: BTreeSet<String> = found.iter().flat_map(|t| parents[t].iter().cloned()).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

#[test]
fn all_above_a_term_are_found() {
    let (ontology, parents) = ontology();
    for t in 0..40 {
        let id = format!("T{t}");
        let told: BTreeSet<String> = ontology.above(&id).expect("a term").map(str::to_owned).collect();
        assert_eq!(told, climb(&parents, &id));
    }
    assert!(ontology.above("T99").is_none());
}

#[test]
fn circles_and_other_names_are_told() {
    let circle = [term("a", &["b"]), term("b", &["c"]), term("c", &["b"]), term("d", &["a"])];
    let message = Ontology::new(&circle).expect_err("a circle").to_string();
    assert!(
        message.contains("no term lies above itself") && (message.contains("`b`") || message.contains("`c`")),
        "{message}"
    );
    let mut named = term("new", &["top"]);
    named.other_ids.push("old".to_owned());
    let ontology = Ontology::new(&[named, term("top", &["gone"])]).expect("valid");
    assert_eq!(ontology.above("old").expect("by its other name").collect::<Vec<_>>(), ["new", "top"]);
    assert!(Ontology::new(&[]).is_err());
}

/// Sixty features with two terms each, and the terms of each with all above, by textbook code.
fn annotated() -> (Annotations, Vec<BTreeSet<String>>) {
    let (ontology, parents) = ontology();
    let mut next = noise(2);
    let mut pairs = Vec::new();
    let mut all = vec![BTreeSet::new(); 60];
    for f in 0..60 {
        for _ in 0..2 {
            let term = format!("T{}", next(30));
            all[f].extend(climb(&parents, &term));
            pairs.push((format!("F{f:02}"), term));
        }
    }
    pairs.push(("F00".to_owned(), "nobody knows".to_owned()));
    let (told, unknown) = Annotations::new(&pairs).with_ancestors(&ontology).expect("small");
    assert_eq!(unknown, ["nobody knows"]);
    (told, all)
}

#[test]
fn information_is_the_logarithm_of_the_share() {
    let (told, all) = annotated();
    for (term, content) in told.terms().iter().zip(told.information()) {
        let count = all.iter().filter(|terms| terms.contains(term)).count();
        let expected = if count == 0 { 0.0 } else { -(count as f64 / 60.0).ln() };
        assert!((content - expected).abs() < 1e-12, "{term}");
    }
    for (name, members) in told.sets() {
        let expected: Vec<String> =
            (0..60).filter(|&f| all[f].contains(&name)).map(|f| format!("F{f:02}")).collect();
        assert_eq!(members, expected, "{name}");
    }
}

#[test]
fn features_are_alike_by_what_their_shared_terms_tell() {
    let (told, all) = annotated();
    let information = told.information();
    let of = |term: &String| information[told.terms().iter().position(|t| t == term).expect("a term")];
    let pairs: Vec<(usize, usize)> = told.pairs().collect();
    let sum = |terms: &mut dyn Iterator<Item = &String>| terms.map(&of).sum::<f64>();
    let largest = information.iter().copied().fold(0.0, f64::max);
    for overlap in [Overlap::Jaccard, Overlap::Cosine, Overlap::Information, Overlap::Resnik] {
        let network =
            FeatureNetwork::from_informed(60, &pairs, (overlap, &information), Some(60)).expect("alike");
        let found: BTreeMap<(u32, u32), f64> = network.edges().iter().map(|&(a, b, w)| ((a, b), w)).collect();
        for a in 0..60 {
            for b in a + 1..60 {
                let (x, y) = (&all[a], &all[b]);
                let both = x.intersection(y).count() as f64;
                let expected = match overlap {
                    Overlap::Jaccard => both / x.union(y).count() as f64,
                    Overlap::Cosine => both / ((x.len() * y.len()) as f64).sqrt(),
                    Overlap::Information => sum(&mut x.intersection(y)) / sum(&mut x.union(y)),
                    Overlap::Resnik => x.intersection(y).map(&of).fold(0.0, f64::max) / largest,
                };
                let got = found.get(&(a as u32, b as u32)).copied().unwrap_or(0.0);
                assert!((got - expected).abs() < 1e-12, "{overlap:?} of {a} and {b}: {got} for {expected}");
            }
        }
    }
    let short = FeatureNetwork::from_informed(60, &pairs, (Overlap::Resnik, &[1.0]), None);
    assert!(short.expect_err("too few").to_string().contains("information of terms"));
}

/// Where no more is known, the features that are compared tell what a term tells.
#[test]
fn information_comes_from_the_features_themselves_unless_given() {
    let (told, _) = annotated();
    let pairs: Vec<(usize, usize)> = told.pairs().collect();
    let given = FeatureNetwork::from_informed(60, &pairs, (Overlap::Information, &told.information()), None);
    let own = FeatureNetwork::from_annotations(60, &pairs, Overlap::Information, None).expect("alike");
    assert_eq!(own.edges(), given.expect("alike").edges());
}

#[test]
fn sequences_are_as_alike_as_their_pieces() {
    let mut next = noise(5);
    let mut made: Vec<Vec<u8>> =
        (0..30).map(|_| (0..80 + next(40)).map(|_| b"ACGT"[next(4)]).collect()).collect();
    // Some are copies of others with a few letters changed, and one is in small letters.
    for copy in 0..8 {
        let mut sequence = made[copy].clone();
        (0..6).for_each(|_| sequence[next(80)] = b"ACGT"[next(4)]);
        made.push(sequence);
    }
    made[0].make_ascii_lowercase();
    let sequences: Vec<(usize, &[u8])> =
        made.iter().map(Vec::as_slice).enumerate().map(|(j, s)| (j + 1, s)).collect();
    let (length, neighbors) = (5, 4);
    let network =
        KmerSimilarity { length: Some(length), neighbors }.network(40, &sequences, &Silent).expect("alike");
    let counts = |s: &[u8]| {
        let mut counts: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
        let upper = s.to_ascii_uppercase();
        (0..=upper.len() - length)
            .for_each(|i| *counts.entry(upper[i..i + length].to_vec()).or_default() += 1.0);
        counts
    };
    let dot = |a: &BTreeMap<Vec<u8>, f64>, b: &BTreeMap<Vec<u8>, f64>| {
        a.iter().filter_map(|(w, c)| Some(c * b.get(w)?)).sum::<f64>()
    };
    let counted: Vec<_> = made.iter().map(|s| counts(s)).collect();
    let alike = |a: usize, b: usize| {
        dot(&counted[a], &counted[b]) / (dot(&counted[a], &counted[a]) * dot(&counted[b], &counted[b])).sqrt()
    };
    let mut expected: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for a in 0..made.len() {
        let mut others: Vec<usize> = (0..made.len()).filter(|&b| b != a && alike(a, b) > 0.0).collect();
        others.sort_by(|&x, &y| alike(a, y).total_cmp(&alike(a, x)).then(x.cmp(&y)));
        for &b in others.iter().take(neighbors) {
            expected.insert((a.min(b) as u32 + 1, a.max(b) as u32 + 1), alike(a, b));
        }
    }
    let found: BTreeMap<(u32, u32), f64> = network.edges().iter().map(|&(a, b, w)| ((a, b), w)).collect();
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (pair, weight) in &found {
        assert!((weight - expected[pair]).abs() < 1e-12, "{pair:?}");
    }
    assert!((0..8).all(|copy| found.contains_key(&(copy + 1, copy + 31))), "copies are joined");
}

#[test]
fn the_kind_of_sequence_tells_how_long_pieces_are() {
    let usual = KmerSimilarity::default();
    assert_eq!(usual.pieces_of(&[(0, b"ACGTNACGT"), (1, b"acgu")]), 8);
    assert_eq!(usual.pieces_of(&[(0, b"MEEPQSDPSV")]), 4);
    let asked = |length, neighbors| KmerSimilarity { length: Some(length), neighbors };
    let sequences: [(usize, &[u8]); 2] = [(0, b"ACGTACGT"), (1, b"TTTTTTTT")];
    let refused = |k: KmerSimilarity| k.network(2, &sequences, &Silent).expect_err("refused").to_string();
    assert!(refused(asked(13, 1)).contains("from 1 to 12"));
    assert!(refused(asked(3, 0)).contains("`neighbors`"));
    assert!(refused(asked(8, 1)).contains("at least one pair"));
    let twice = usual.network(2, &[(0, b"ACGT"), (0, b"ACGT")], &Silent).expect_err("twice").to_string();
    assert!(twice.contains("two of feature 0"), "{twice}");
}
