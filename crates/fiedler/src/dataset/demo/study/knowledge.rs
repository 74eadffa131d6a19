//! What is known of the genes of a study, with noise of its own in every source.

use rand_chacha::ChaCha8Rng;

use super::{Roles, Study};
use crate::random::{below, shuffle, unit};

/// The first terms of the ontology are about what matters.
const ENRICHED: usize = 12;

impl Study {
    /// A list of `of_chapter` genes: three of five triggers, and genes that are none.
    pub(super) fn listed(&self, roles: &Roles, of_chapter: usize, part: u64) -> Vec<usize> {
        let mut rng = self.stream(10 + part);
        let mut triggers = [&roles.state[..], &roles.kind].concat();
        shuffle(&mut triggers, &mut rng);
        triggers.truncate(triggers.len() * 3 / 5);
        let mut others = [&roles.others[..], &roles.fire, &roles.markers, &roles.weather].concat();
        shuffle(&mut others, &mut rng);
        others.truncate(self.share(of_chapter).saturating_sub(triggers.len()).max(1));
        triggers.extend(others);
        triggers.sort_unstable();
        triggers
    }

    /// Two interactions a gene of a list, with the next and with any other.
    pub(super) fn pathway(&self, roles: &Roles) -> Vec<(usize, usize)> {
        let mut genes = self.listed(roles, 571, 4);
        let mut rng = self.stream(5);
        shuffle(&mut genes, &mut rng);
        let mut far = genes.clone();
        shuffle(&mut far, &mut rng);
        let near = genes.iter().zip(genes.iter().cycle().skip(1));
        let mut edges: Vec<(usize, usize)> =
            near.chain(genes.iter().zip(&far)).map(|(&a, &b)| (a.min(b), a.max(b))).collect();
        edges.retain(|(a, b)| a != b);
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// 68 terms of 4,385 genes: four of five triggers have some, and of them two in three one of the enriched terms.
    pub(super) fn annotations(&self, roles: &Roles) -> Vec<(usize, usize)> {
        let mut rng = self.stream(6);
        let mut triggers = [&roles.state[..], &roles.kind].concat();
        shuffle(&mut triggers, &mut rng);
        triggers.truncate(triggers.len() * 4 / 5);
        let mut others = [&roles.others[..], &roles.fire, &roles.markers, &roles.weather].concat();
        shuffle(&mut others, &mut rng);
        others.truncate(self.share(4385).saturating_sub(triggers.len()));
        let mut told = Vec::new();
        for (at, &gene) in triggers.iter().chain(&others).enumerate() {
            let any = |rng: &mut ChaCha8Rng| below(rng, 68);
            told.extend([(gene, any(&mut rng)), (gene, any(&mut rng))]);
            if at < triggers.len() && below(&mut rng, 3) < 2 {
                told.push((gene, below(&mut rng, ENRICHED)));
            }
        }
        told.sort_unstable();
        told.dedup();
        told
    }

    /// Publications: most triggers are named often, some never, fire now and then, and any gene sometimes.
    pub(super) fn literature(&self, roles: &Roles) -> Vec<usize> {
        let mut rng = self.stream(7);
        let mut hits = vec![0; self.genes];
        let mut publish = |genes: &[usize], mean: f64, share: usize| {
            for &gene in genes {
                let mean = if below(&mut rng, 4) < share { mean } else { 0.5 };
                hits[gene] = (-mean * (1.0 - unit(&mut rng)).ln()).floor() as usize;
            }
        };
        publish(&roles.state, 8.0, 3);
        publish(&roles.kind, 8.0, 3);
        publish(&roles.fire, 3.0, 2);
        publish(&roles.markers, 1.0, 4);
        publish(&roles.weather, 0.5, 4);
        publish(&roles.others, 0.5, 4);
        hits
    }

    /// Four of five triggers, and in place of the others genes that are none.
    pub(super) fn known(&self, roles: &Roles) -> Vec<usize> {
        let mut rng = self.stream(8);
        let mut known = [&roles.state[..], &roles.kind].concat();
        let all = known.len();
        shuffle(&mut known, &mut rng);
        known.truncate(all * 4 / 5);
        let mut others = roles.others.clone();
        shuffle(&mut others, &mut rng);
        known.extend(others.into_iter().take(all / 5));
        known.sort_unstable();
        known
    }
}
