//! [`Consensus`]: rankings with names into one, as [`Findings`], with what each contributed.

use super::aggregate::shared_ranks;
use super::{Aggregation, Lists, examples, hit_ratio};
use crate::dataset::{Carried, Dataset, FeatureNames};
use crate::findings::{DataCard, Findings, KnownFound, LeftOut, Place, RankingFound, RunCard, SourceFound};
use crate::portrait::Portrait;
use crate::ranking::Ranking;
use crate::{Error, Result};

/// Depths at which hits are counted unless others are asked for.
const DEPTHS: [usize; 4] = [10, 20, 50, 100];
/// Weights that were learned from fewer known features come with a warning.
const FEW_KNOWN: usize = 10;

/// A ranking under a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedList {
    /// What it is called.
    pub name: String,
    /// The rank of every feature from 1: the mean of their places for features that tie, NaN where one is left out.
    pub ranks: Vec<f64>,
}

/// How much each list counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ListWeights {
    /// All the same.
    #[default]
    Equal,
    /// Given, 0 or more.
    Given(Vec<f64>),
    /// Learned from the features that are known to matter ([`Lists::learned`]).
    Known,
}

/// Features that are known to matter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownFeatures {
    /// Those that are ranked, by index.
    pub features: Vec<usize>,
    /// The others, by name.
    pub not_ranked: Vec<String>,
    /// Depths at which they are counted among the best; the usual ones unless given.
    pub depths: Option<Vec<usize>>,
}

/// What the lists rank.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// The features of data that are at hand.
    Data(&'a Dataset),
    /// The features with these names, and others up to the length of the lists that no list names.
    Names(&'a [String]),
}

/// How many rankings become one.
#[derive(Debug, Clone, PartialEq)]
pub struct Consensus {
    /// The aggregation.
    pub aggregation: Aggregation,
    /// How much each list counts.
    pub weights: ListWeights,
    /// Features that are known to matter, where there are any.
    pub known: Option<KnownFeatures>,
}

impl Default for Consensus {
    fn default() -> Self {
        Consensus { aggregation: Aggregation::Borda, weights: ListWeights::Equal, known: None }
    }
}

impl NamedList {
    /// The list of a ranking: features without a score are left out, features with equal scores tie.
    pub fn new(name: impl Into<String>, ranking: &Ranking) -> Self {
        NamedList { name: name.into(), ranks: shared_ranks(ranking) }
    }

    /// How many features it ranks.
    pub fn n_ranked(&self) -> usize {
        self.ranks.iter().filter(|r| !r.is_nan()).count()
    }

    /// For every feature 1 and how many are better, the same for features that tie; `None` where it is left out.
    fn places(&self) -> Vec<Option<usize>> {
        let mut sorted: Vec<f64> = self.ranks.iter().copied().filter(|r| !r.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        let better = |rank: f64| sorted.partition_point(|other| *other < rank);
        self.ranks.iter().map(|&r| (!r.is_nan()).then(|| better(r) + 1)).collect()
    }
}

impl KnownFeatures {
    /// The features called `names` among the first `count` of `features`.
    pub fn new(mut names: Vec<String>, features: &FeatureNames, count: usize) -> Self {
        names.sort_unstable();
        names.dedup();
        let of = |j: usize| names.binary_search_by(|name| name.as_str().cmp(&features.of(j))).ok();
        let found: Vec<(usize, usize)> = (0..count).filter_map(|j| Some((of(j)?, j))).collect();
        let mut ranked = vec![false; names.len()];
        found.iter().for_each(|&(name, _)| ranked[name] = true);
        let not_ranked = names.into_iter().zip(ranked).filter(|(_, r)| !r).map(|(name, _)| name).collect();
        KnownFeatures { features: found.into_iter().map(|(_, j)| j).collect(), not_ranked, depths: None }
    }

    /// That some of them are not ranked, in a sentence.
    pub fn not_counted(&self) -> Option<String> {
        let (count, some) = (self.not_ranked.len(), examples(&self.not_ranked));
        match count {
            0 => None,
            1 => Some(format!("1 known feature is not among those ranked and is not counted ({some})")),
            _ => Some(format!(
                "{count} known features are not among those ranked and are not counted ({some})"
            )),
        }
    }

    /// What becomes of them in a ranking of features, best first.
    ///
    /// # Errors
    /// [`Error::Parameter`] when none is ranked, or a depth is not from 1 to the number of ranked features.
    pub fn found(&self, order: &[usize]) -> Result<KnownFound> {
        let hits = hit_ratio(order, &self.features, &self.depths(order.len()))?;
        let not_ranked = self.not_ranked.clone();
        Ok(KnownFound { ranked: self.features.len(), not_ranked, hits, left_out: Vec::new() })
    }

    /// The depths asked for; else the usual ones, and among few features as many as are known.
    fn depths(&self, n_features: usize) -> Vec<usize> {
        if let Some(depths) = &self.depths {
            return depths.clone();
        }
        let usual: Vec<usize> = DEPTHS.into_iter().filter(|d| *d <= n_features).collect();
        if usual.is_empty() { vec![self.features.len().min(n_features)] } else { usual }
    }
}

impl Subject<'_> {
    fn card(self, name: &str, n_features: usize) -> DataCard {
        match self {
            Subject::Data(data) => DataCard::of(data, name),
            Subject::Names(_) => DataCard {
                name: name.to_owned(),
                n_samples: 0,
                n_features,
                n_constant: 0,
                carried: Carried::default(),
                transform_is_asked: false,
                is_sparse: false,
                labels: None,
                target: None,
                fingerprint: None,
            },
        }
    }

    fn features(self) -> FeatureNames {
        match self {
            Subject::Data(data) => data.feature_names().clone(),
            Subject::Names(names) => FeatureNames::new(Some(names.to_vec().into())),
        }
    }

    /// How many features have a name.
    fn named(self, n_features: usize) -> usize {
        match self {
            Subject::Data(_) => n_features,
            Subject::Names(names) => names.len().min(n_features),
        }
    }
}

impl Consensus {
    /// Checks everything that can be checked without lists.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a parameter of the aggregation breaks its rule, or weights are to be learned and no features
    /// are known, or the aggregation takes none.
    pub fn check(&self) -> Result<()> {
        self.aggregation.check_parameter()?;
        if self.weights != ListWeights::Known {
            return Ok(());
        }
        self.aggregation.check_takes_weights("learned ones")?;
        match self.known {
            Some(_) => Ok(()),
            None => Err(Error::parameter("known", "a list of features, for weights to be learned", "none")),
        }
    }

    /// The known features that the weights are learned from; none where they are not learned.
    pub fn learned_from(&self) -> &[usize] {
        match (&self.weights, &self.known) {
            (ListWeights::Known, Some(known)) => &known.features,
            _ => &[],
        }
    }

    /// One ranking of `lists`, all of the same features, of what the user calls `name`.
    ///
    /// # Errors
    /// As [`check`](Self::check), [`Lists::weighted`], [`Lists::learned`] and [`Aggregation::aggregate`];
    /// [`Error::Length`] when lists are not as long as the first, or as the data have features.
    pub fn answer(&self, lists: &[NamedList], subject: Subject<'_>, name: &str) -> Result<Findings> {
        self.check()?;
        let joined = self.weighted(joined(lists, subject)?)?;
        let ranking = self.aggregation.aggregate(&joined)?;
        let n_features = joined.n_features();
        let named = subject.named(n_features);
        let asked = vec![("aggregate".to_owned(), self.aggregation.name().into())];
        let data = subject.card(name, n_features);
        let card = RunCard { version: env!("CARGO_PKG_VERSION"), data, asked, seed: None };
        let mut found = Findings::new(card, subject.features());
        ranking.warnings.iter().for_each(|warning| found.warn(warning.clone()));
        found.portrait = Some(Portrait::of_scores(&ranking, named));
        found.known = self.known(&joined, &ranking.order()[..named])?;
        found.sources = self.contributions(lists, &joined);
        if let (ListWeights::Known, Some(known)) = (&self.weights, &found.known)
            && known.ranked < FEW_KNOWN
        {
            let few = format!("weights learned from {} known features are uncertain", known.ranked);
            found.warn(few);
        }
        found.rankings.push(self.found(ranking, named));
        Ok(found)
    }

    fn weighted(&self, lists: Lists) -> Result<Lists> {
        match (&self.weights, &self.known) {
            (ListWeights::Given(weights), _) => lists.weighted(weights.clone()),
            (ListWeights::Known, Some(known)) => lists.learned(self.aggregation, &known.features),
            _ => Ok(lists),
        }
    }

    fn known(&self, lists: &Lists, order: &[usize]) -> Result<Option<KnownFound>> {
        let Some(known) = &self.known else { return Ok(None) };
        let mut found = known.found(order)?;
        if self.weights == ListWeights::Known {
            let places = lists.left_out(self.aggregation, &known.features)?;
            let at = |depth: usize| {
                let hits = places.iter().filter(|place| **place <= depth).count();
                LeftOut { depth, hits, recall: hits as f64 / places.len() as f64 }
            };
            found.left_out = found.hits.iter().map(|h| at(h.depth)).collect();
        }
        Ok(Some(found))
    }

    fn contributions(&self, lists: &[NamedList], joined: &Lists) -> Vec<SourceFound> {
        // Too few known features for weights still have hits.
        let agreement = self.known.as_ref().and_then(|known| joined.agreement(&known.features).ok());
        let one = |(at, list): (usize, &NamedList)| SourceFound {
            name: list.name.clone(),
            weight: joined.weights()[at],
            ranks: list.places(),
            with_known: agreement.as_ref().map(|a| a[at]),
            graph: None,
        };
        lists.iter().enumerate().map(one).collect()
    }

    fn found(&self, ranking: Ranking, named: usize) -> RankingFound {
        let place = |(at, &j): (usize, &usize)| Place {
            rank: at + 1,
            index: j,
            score: ranking.score(j),
            included: false,
            reason: ranking.score(j).is_none().then_some("in no list".into()),
        };
        let places = ranking.order()[..named].iter().enumerate().map(place).collect();
        RankingFound::with_places(self.aggregation.info(), ranking, places)
    }
}

fn joined(lists: &[NamedList], subject: Subject<'_>) -> Result<Lists> {
    let longest = lists.first().map_or(0, |list| list.ranks.len());
    let expected = match subject {
        Subject::Data(data) => data.n_features(),
        Subject::Names(names) => longest.max(names.len()),
    };
    if let Some(list) = lists.iter().find(|list| list.ranks.len() != expected) {
        let got = list.ranks.len();
        return Err(Error::Length { what: "features of a ranking", expected, got });
    }
    Lists::from_ranks(expected, lists.iter().map(|list| list.ranks.clone()).collect())
}
