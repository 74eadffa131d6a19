//! One generated study of DIS 5.4, computed: every ranking of the chapter on it, judged as the chapter does.

use std::sync::Arc;

use fiedler::dataset::demo::{Study, StudyData};
use fiedler::eval::{
    Candidate, CandidateSource, Evaluation, Measure, Partition, Protocol, Ranker, Selection,
};
use fiedler::fusion::{
    Coefficients, Covariance, FeatureNetwork, FeatureSet, Joining, Joint, Knowledge, Overlap,
};
use fiedler::graph::{Bandwidth, Rbf};
use fiedler::{Analysis, Dataset, GraphRecipe, Monitor, Selector, methods};
use serde_json::{Map, Value, json};

use super::recipe::FusionKeys;
use crate::failure::Outcome;

/// The sources, as the chapter calls them.
pub(super) const SOURCES: [&str; 5] = ["mRNA", "miRNA", "Function", "Pathway", "GO Terms"];
/// Coefficients of COMB-1 and COMB-2, on 2C-DATA and on 4C-DATA.
const COMBINED: [[[f64; 5]; 2]; 2] = [
    [[0.0, 0.5, 0.5, 0.0, 0.0], [0.1, 0.3, 0.3, 0.2, 0.1]],
    [[0.0, 0.3, 0.4, 0.3, 0.0], [0.1, 0.2, 0.4, 0.2, 0.1]],
];
/// Samples of each class in the small set of table 5.1.
const FEW: usize = 9;
/// Genes of the lists of tables 5.1 and 5.6.
const LISTED: usize = 20;

/// A study and how its rankings are judged.
pub(super) struct Trial<'a> {
    study: StudyData,
    keys: &'a FusionKeys,
    selection: Selection,
    seed: u64,
    monitor: &'a dyn Monitor,
}

impl<'a> Trial<'a> {
    /// The study of a seed.
    ///
    /// # Errors
    /// There are too few genes.
    pub(super) fn new(
        keys: &'a FusionKeys,
        seed: u64,
        selection: Selection,
        monitor: &'a dyn Monitor,
    ) -> Outcome<Self> {
        let study = Study { genes: keys.genes, seed }.generate_with(monitor)?;
        Ok(Trial { study, keys, selection, seed, monitor })
    }

    /// Everything that the tables and claims need, as numbers.
    ///
    /// # Errors
    /// A method fails, or Ctrl-C.
    pub(super) fn answer(&self) -> Outcome<Value> {
        let (two, four) = (&self.study.two, &self.study.four);
        let all = self.candidates(two, 0)?;
        let on_two = self.protocol().evaluate(two, &all, self.monitor)?;
        let elsewhere = Protocol { selection: Selection::Training, ..self.protocol() };
        let carried = elsewhere.evaluate_on(four, two, &all, self.monitor)?;
        let unsupervised = self.candidates(four, 1)?.into_iter().take(9).collect::<Vec<_>>();
        let on_four = self.protocol().evaluate(four, &unsupervised, self.monitor)?;
        let swept = self.protocol().evaluate(two, &self.swept()?, self.monitor)?;
        Ok(json!({
            "sizes": self.sizes(),
            "5.1": self.small()?,
            "2C": curves(&on_two),
            "4C": curves(&on_four),
            "4C from 2C": curves(&carried),
            "sweep": curves(&swept),
            "top": self.top()?,
        }))
    }

    fn protocol(&self) -> Protocol {
        Protocol {
            partition: Partition::Halves { repeats: self.keys.repeats },
            selection: self.selection,
            counts: self.keys.counts.clone(),
            known: self.study.known.clone(),
            seed: self.seed,
            ..Protocol::new(Measure::Nearest)
        }
    }

    /// Baselines, MSFS on every source and combination, then what looks at labels.
    fn candidates(&self, data: &Dataset, set: usize) -> Outcome<Vec<Candidate>> {
        let most = self.keys.counts.last().copied().unwrap_or(1).to_string();
        let mut all = vec![
            method("SPCA", "path-spca", &[("count", &most)])?,
            method("Laplacian Score", "laplacian", &[])?,
        ];
        for (at, name) in SOURCES.iter().enumerate() {
            let alone = std::array::from_fn(|i| f64::from(u8::from(i == at)));
            all.push(self.fused(&format!("MSFS {name}"), data, &alone)?);
        }
        all.push(self.fused("MSFS COMB-1", data, &COMBINED[set][0])?);
        all.push(self.fused("MSFS COMB-2", data, &COMBINED[set][1])?);
        all.push(method("ReliefF", "relieff", &[])?);
        all.push(method("MSFS-FIS", "fisher", &[])?);
        let every = self.joint(data, &[1.0; 5], Joining::Sum(Coefficients::Aligned))?;
        all.push(Candidate::ranker("MSFS-kerCB", Arc::new(every)));
        Ok(all)
    }

    fn fused(&self, name: &str, data: &Dataset, weights: &[f64; 5]) -> Outcome<Candidate> {
        let given = weights.iter().copied().filter(|w| *w > 0.0).collect();
        let joint = self.joint(data, weights, Joining::Sum(Coefficients::Given(given)))?;
        Ok(Candidate::ranker(name, Arc::new(joint)))
    }

    /// MSFS: SPEC with φ2 on the sum of the sources that have a weight.
    fn joint(&self, data: &Dataset, weights: &[f64; 5], joining: Joining) -> Outcome<Joint> {
        let mut sources = Vec::new();
        for (at, name) in SOURCES.iter().enumerate().filter(|(at, _)| weights[*at] > 0.0) {
            sources.push(((*name).to_owned(), self.knowledge(data, at)?));
        }
        let settings = vec![("phi".to_owned(), "2".into())];
        let asked = Analysis { methods: vec!["spec".to_owned()], settings, ..Analysis::default() };
        Ok(Joint { target: data.clone(), sources, joining, asked })
    }

    fn knowledge(&self, data: &Dataset, source: usize) -> Outcome<Knowledge> {
        let rbf = || GraphRecipe::Rbf(Rbf::default());
        let set = |features: Vec<usize>| {
            Knowledge::Sets(vec![FeatureSet { name: SOURCES[source].to_owned(), features }], rbf())
        };
        Ok(match source {
            0 => Knowledge::Target(rbf()),
            1 => Knowledge::Data(self.mirna(data)?, rbf()),
            2 => set(self.study.function.clone()),
            3 => set(self.in_pathways()),
            _ => {
                let annotations = &self.study.annotations;
                let network =
                    FeatureNetwork::from_annotations(data.n_features(), annotations, Overlap::Jaccard, None)?;
                Knowledge::Network(network, Covariance::Kernel, Bandwidth::Auto)
            }
        })
    }

    /// The microRNA of these samples.
    fn mirna(&self, data: &Dataset) -> Outcome<Dataset> {
        let all = self.study.mirna.sample_names().unwrap_or_default();
        let wanted = data.sample_names().unwrap_or_default();
        let places: Vec<usize> =
            wanted.iter().filter_map(|name| all.iter().position(|n| n == name)).collect();
        Ok(self.study.mirna.samples(&places, self.monitor)?)
    }

    fn in_pathways(&self) -> Vec<usize> {
        let mut genes: Vec<usize> = self.study.pathway.iter().flat_map(|&(a, b)| [a, b]).collect();
        genes.sort_unstable();
        genes.dedup();
        genes
    }

    /// miRNA against Function (figure 5.5c).
    fn swept(&self) -> Outcome<Vec<Candidate>> {
        let step = |i: usize| {
            let coefficient = i as f64 / (self.keys.steps - 1) as f64;
            let weights = Coefficients::Given(vec![coefficient, 1.0 - coefficient]);
            let joint = self.joint(&self.study.two, &[0.0, 1.0, 1.0, 0.0, 0.0], Joining::Sum(weights))?;
            Ok(Candidate::ranker(format!("{coefficient:.2}"), Arc::new(joint)))
        };
        (0..self.keys.steps).map(step).collect()
    }

    /// Table 5.1: eighteen samples, twenty genes, and how many of these matter.
    fn small(&self) -> Outcome<Value> {
        let two = &self.study.two;
        let (classes, n_classes) = two.classes("table 5.1")?;
        let of = |class: u32| -> Vec<usize> { (0..classes.len()).filter(|&i| classes[i] == class).collect() };
        let some = |class: usize| {
            let members = of(class as u32);
            let step = members.len() / FEW;
            members.into_iter().skip(self.seed as usize % step.max(1)).step_by(step.max(1)).take(FEW)
        };
        let mut chosen: Vec<usize> = (0..n_classes).flat_map(some).collect();
        chosen.sort_unstable();
        let data = two.samples(&chosen, self.monitor)?;
        let both = [method("Unsupervised", "laplacian", &[])?, method("Supervised", "fisher", &[])?];
        let partition = Partition::Folds { folds: FEW, repeats: 1 };
        let protocol = Protocol { partition, counts: vec![LISTED], known: Vec::new(), ..self.protocol() };
        let found = protocol.evaluate(&data, &both, self.monitor)?;
        let mut told = Map::new();
        for (candidate, curve) in both.iter().zip(&found.tables[0].curves) {
            let CandidateSource::Method(selector) = &candidate.source else { continue };
            let ranking = selector.rank_with(&data, self.monitor)?;
            let relevant = ranking.order()[..LISTED].iter().filter(|j| self.matters(**j)).count();
            told.insert(curve.name.clone(), json!([curve.aggregated.summary.mean, relevant]));
        }
        Ok(told.into())
    }

    /// Table 5.6: the first genes of COMB-2 on all samples, whether they matter and whether that is known.
    fn top(&self) -> Outcome<Value> {
        let two = &self.study.two;
        let everyone: Vec<usize> = (0..two.n_samples()).collect();
        let joining = Joining::Sum(Coefficients::Given(COMBINED[0][1].to_vec()));
        let made = self.joint(two, &COMBINED[0][1], joining)?.rank(two, &everyone, self.monitor)?;
        let gene = |&j: &usize| {
            let known = self.study.known.binary_search(&j).is_ok();
            json!({"gene": two.feature_name(j), "matters": self.matters(j), "known": known})
        };
        Ok(made.order[..LISTED].iter().map(gene).collect())
    }

    fn matters(&self, gene: usize) -> bool {
        self.study.truth.binary_search(&gene).is_ok()
    }

    fn sizes(&self) -> Value {
        let mut annotated: Vec<usize> = self.study.annotations.iter().map(|a| a.0).collect();
        annotated.dedup();
        let genes = self.study.two.n_features();
        let of = [genes, self.study.mirna.n_features(), self.study.function.len(), self.in_pathways().len()];
        json!({"genes": [of[0], of[1], of[2], of[3], annotated.len()], "2C": self.study.two.n_samples(),
               "4C": self.study.four.n_samples()})
    }
}

fn method(name: &str, method: &str, settings: &[(&str, &str)]) -> Outcome<Candidate> {
    let built = methods::find(method)?.build(settings.iter().map(|(k, v)| (*k, (*v).to_owned())), None)?;
    let selector: Arc<dyn Selector> = Arc::from(built);
    Ok(Candidate { name: name.to_owned(), ..Candidate::shared(selector) })
}

/// Accuracy and hits at every count, by candidate; hits as numbers of genes.
fn curves(found: &Evaluation) -> Value {
    let mut told = Map::new();
    for (t, table) in found.tables.iter().enumerate() {
        for curve in table.curves.iter().filter(|c| c.kind.name() != "all") {
            let value = |p: &fiedler::eval::Point| p.summary.mean * if t == 0 { 1.0 } else { p.count as f64 };
            let values: Vec<f64> = curve.points.iter().map(value).collect();
            let entry = told.entry(curve.name.clone()).or_insert_with(|| json!({}));
            entry[if t == 0 { "accuracy" } else { "hits" }] = json!(values);
        }
    }
    told.into()
}

#[cfg(test)]
mod tests {
    use fiedler::Silent;

    use super::super::{papers, recipe};
    use super::*;

    /// The chapter's own baseline, on both of its pages.
    #[test]
    fn sparse_pca_is_path_spca() {
        let (counts, printed) = (vec![2], std::collections::BTreeMap::new());
        let keys = FusionKeys { studies: 1, genes: 400, repeats: 1, counts, steps: 3, printed };
        let trial = Trial::new(&keys, 0, Selection::All, &Silent).expect("a study");
        let candidates = trial.candidates(&trial.study.two, 0).expect("candidates");
        let CandidateSource::Method(selector) = &candidates[0].source else { panic!("a method") };
        assert_eq!((candidates[0].name.as_str(), selector.info().name), ("SPCA", "path-spca"));
        let (_, text) = papers::ALL.iter().find(|(key, _)| *key == "dis-5-acc").expect("a page");
        let recipe = recipe::parse(text, "dis-5-acc.toml").expect("a recipe");
        let spca = recipe.method.iter().find(|method| method.name == "SPCA").expect("a baseline");
        assert_eq!(spca.method, "path-spca");
    }
}
