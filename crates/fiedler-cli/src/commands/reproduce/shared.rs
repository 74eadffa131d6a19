//! Rankings that rows of a table share: the same method on the same samples, judged in another way (neighborhoods of one and
//! of five samples, say), is asked once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use fiedler::eval::{Candidate, Made, Ranker};
use fiedler::{Dataset, Monitor, Selector};

/// The methods of a table that were asked so far, by what they were asked of.
#[derive(Default)]
pub(super) struct Shared(RefCell<HashMap<String, Arc<Remembering>>>);

impl Shared {
    /// The candidate of a method; the same one wherever `asked` is the same. `most` features of a ranking are kept.
    pub(super) fn candidate(
        &self,
        asked: String,
        name: &str,
        most: usize,
        selector: Arc<dyn Selector>,
    ) -> Candidate {
        let new = || Arc::new(Remembering { selector, most, made: Mutex::default() });
        let known = Arc::clone(self.0.borrow_mut().entry(asked).or_insert_with(new));
        Candidate::ranker(name, known)
    }
}

/// A method that remembers what it ranked.
struct Remembering {
    selector: Arc<dyn Selector>,
    most: usize,
    /// By the samples that were seen.
    made: Mutex<HashMap<Vec<usize>, Made>>,
}

impl Ranker for Remembering {
    fn rank(&self, seen: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> fiedler::Result<Made> {
        let known = self.made.lock().unwrap_or_else(PoisonError::into_inner).get(samples).cloned();
        if let Some(made) = known {
            return Ok(made);
        }
        let mut made = Made::from(&self.selector.rank_with(seen, monitor)?);
        made.order.truncate(self.most);
        made.scored = made.scored.min(self.most);
        let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(samples.to_vec(), made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use fiedler::eval::{CandidateSource, Measure, Partition, Protocol};
    use fiedler::methods::Fisher;
    use fiedler::{Silent, dataset::demo};

    use super::*;

    fn ranker(candidate: &Candidate) -> &Arc<dyn Ranker> {
        match &candidate.source {
            CandidateSource::Ranker(ranker) => ranker,
            _ => panic!("a ranker"),
        }
    }

    #[test]
    fn what_was_ranked_is_not_ranked_again() {
        let (iris, shared) = (demo::iris().expect("embedded"), Shared::default());
        let asked = |what: &str| shared.candidate(what.to_owned(), "F", 2, Arc::new(Fisher));
        let (one, two) = (asked("x"), asked("x"));
        let everyone: Vec<usize> = (0..150).collect();
        let first = ranker(&one).rank(&iris, &everyone, &Silent).expect("ranked");
        assert_eq!((first.order.len(), first.scored), (2, 2));
        // The samples say what was seen: other data under the same numbers would not be looked at.
        let other = iris.subset(&[3, 2, 1, 0]).expect("four features");
        assert_eq!(ranker(&two).rank(&other, &everyone, &Silent).expect("remembered"), first);
        assert_ne!(ranker(&asked("y")).rank(&other, &everyone, &Silent).expect("ranked"), first);
    }

    /// Judged as the method itself is, whatever is judged first.
    #[test]
    fn a_shared_ranking_is_judged_as_its_method() {
        let (iris, shared) = (demo::iris().expect("embedded"), Shared::default());
        for neighbors in [1, 5] {
            let protocol = Protocol {
                counts: vec![1, 2],
                partition: Partition::Halves { repeats: 3 },
                ..Protocol::new(Measure::Jaccard { neighbors })
            };
            let own = Candidate { name: "F".to_owned(), ..Candidate::method(Fisher) };
            let kept = shared.candidate("iris".to_owned(), "F", 2, Arc::new(Fisher));
            let judge = |candidate| protocol.evaluate(&iris, &[candidate], &Silent).expect("judged");
            let (own, kept) = (judge(own), judge(kept));
            assert_eq!(own.tables[0].curves[0].points, kept.tables[0].curves[0].points, "{neighbors}");
        }
    }
}
