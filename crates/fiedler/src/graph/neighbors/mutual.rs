//! Pairs that both of their samples ask for, measured once.
//!
//! The terms of a [sum](super::exact) are the same whichever sample comes first, to the bit; and of the candidates of a sample,
//! many have it among theirs.

/// Lists of `(sample, others)` without the pairs that an earlier list has.
pub(super) struct Once<'a> {
    lists: &'a [(u32, Vec<u32>)],
    /// What is left of every list.
    pub(super) left: Vec<(u32, Vec<u32>)>,
    list_of: Vec<u32>,
}

/// No list.
const NONE: u32 = u32::MAX;

impl<'a> Once<'a> {
    /// `lists` are at most one for each of `n_samples`, their others in ascending order.
    pub(super) fn new(lists: &'a [(u32, Vec<u32>)], n_samples: usize) -> Self {
        let mut list_of = vec![NONE; n_samples];
        lists.iter().zip(0..).for_each(|((i, _), list)| list_of[*i as usize] = list);
        let mut once = Once { lists, left: Vec::with_capacity(lists.len()), list_of };
        for (list, (i, others)) in lists.iter().enumerate() {
            let own = others.iter().copied().filter(|&j| once.earlier(list, *i, j).is_none());
            let own = own.collect();
            once.left.push((*i, own));
        }
        once
    }

    /// The list before `list` that has the pair of `i` and `j`, as one of `j`.
    fn earlier(&self, list: usize, i: u32, j: u32) -> Option<usize> {
        let other = self.list_of[j as usize] as usize;
        (other < list && self.lists[other].1.binary_search(&i).is_ok()).then_some(other)
    }

    /// The sums of all lists, from those of what was [left](Self::left).
    pub(super) fn spread(&self, sums: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let of_list = |(list, (i, others)): (usize, &(u32, Vec<u32>))| {
            let mut own = sums[list].iter();
            let sum = |&j: &u32| match self.earlier(list, *i, j) {
                Some(other) => sums[other][self.left[other].1.partition_point(|at| at < i)],
                None => own.next().copied().unwrap_or(f64::NAN),
            };
            others.iter().map(sum).collect()
        };
        self.lists.iter().enumerate().map(of_list).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_left_once_and_comes_back_to_all_who_asked() {
        // A pair stands for its own sum: ten times the smaller plus the larger.
        let sum = |i: u32, j: u32| f64::from(10 * i.min(j) + i.max(j));
        let lists = [(5, vec![1, 2, 3]), (1, vec![0, 2, 5]), (3, vec![1, 5]), (2, vec![])];
        let once = Once::new(&lists, 6);
        assert_eq!(once.left, [(5, vec![1, 2, 3]), (1, vec![0, 2]), (3, vec![1]), (2, vec![])]);
        let measured: Vec<Vec<f64>> =
            once.left.iter().map(|(i, others)| others.iter().map(|&j| sum(*i, j)).collect()).collect();
        let wanted: Vec<Vec<f64>> =
            lists.iter().map(|(i, others)| others.iter().map(|&j| sum(*i, j)).collect()).collect();
        assert_eq!(once.spread(&measured), wanted);
    }
}
