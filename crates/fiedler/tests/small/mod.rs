//! Odd small matrices and questions, drawn from bytes: what every method promises about any of them. Shared by
//! the tests (`small_matrices.rs`) and by the fuzzer in `fuzz/`.

use fiedler::{
    Analysis, Dataset, Findings, GraphOptions, Kind, Labels, ParameterInfo, ParameterValue, Registered,
    Result, Role, Silent, methods,
};

/// Bytes that choices are made by; zeros where they end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first)
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() % end.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Values at which sums, squares and quotients go wrong.
const ODD: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    1.0 + f64::EPSILON,
    1e150,
    -1e150,
    1e308,
    -1.7e308,
    1e-150,
    -1e-308,
    5e-324,
    4503599627370497.0,
];

/// Samples × features: whole numbers with ties, fractions, odd values, or one magnitude a column; some columns constant,
/// some a copy of another, some rows alike.
fn rows(choices: &mut Choices<'_>) -> Vec<Vec<f64>> {
    let (n, m) = (choices.of(&[1, 2, 3, 4, 5, 7, 12, 20]), choices.of(&[1, 2, 3, 5, 8, 13]));
    let kind = choices.below(5);
    let cell = |choices: &mut Choices<'_>, j: usize| match kind {
        0 => choices.below(3) as f64,
        1 => choices.next() as f64 / 16.0 - 8.0,
        2 => choices.of(&ODD),
        3 => (choices.next() as f64 - 100.0) * 10_f64.powi(40 * j as i32 - 160),
        _ => 1e9 + choices.below(4) as f64 * 1e-6,
    };
    let mut rows: Vec<Vec<f64>> = (0..n).map(|_| (0..m).map(|j| cell(choices, j)).collect()).collect();
    for j in 0..m {
        let other = choices.below(m);
        match choices.below(6) {
            0 => (0..n).for_each(|i| rows[i][j] = rows[0][j]),
            1 => (0..n).for_each(|i| rows[i][j] = rows[i][other]),
            _ => {}
        }
    }
    for i in 0..n {
        if choices.below(6) == 0 {
            rows[i] = rows[choices.below(n)].clone();
        }
    }
    rows
}

/// No labels, one class, two or three, a class for every sample, or labels for some samples.
fn labeled(data: Dataset, choices: &mut Choices<'_>) -> Result<Dataset> {
    let n = data.n_samples();
    let class = |classes: usize, i: usize, choices: &mut Choices<'_>| match classes {
        5 => i,
        _ => choices.below(classes),
    };
    let classes = choices.below(6);
    if classes == 0 {
        return Ok(data);
    }
    let partial = choices.below(4) == 0;
    let labels: Vec<Option<String>> = (0..n)
        .map(|i| {
            Some(format!("c{}", class(classes, i, choices))).filter(|_| !partial || choices.below(2) == 0)
        })
        .collect();
    data.labeled(Labels::new(labels))
}

/// A value that the parameter may have: an end of its range, one near it, or a word.
fn value(parameter: &ParameterInfo, choices: &mut Choices<'_>) -> ParameterValue {
    let near = |min: usize, max: usize, choices: &mut Choices<'_>| {
        min.saturating_add(choices.of(&[0, 1, 2, 3, 7, 30])).min(max).into()
    };
    let real = |min: f64, max: f64, choices: &mut Choices<'_>| {
        let inside = [min, max, 0.5, 1.0, 2.0, 1e-9, 1e9];
        ParameterValue::from(
            Some(choices.of(&inside)).filter(|v| v.is_finite()).unwrap_or(1.0).clamp(min, max),
        )
    };
    match parameter.kind {
        Kind::Integer { min, max } => near(min, max, choices),
        Kind::IntegerOr { words, .. } | Kind::RealOr { words, .. } if choices.below(3) == 0 => {
            ParameterValue::word(choices.of(words))
        }
        Kind::IntegerOr { min, max, .. } => near(min, max, choices),
        Kind::Real { min, max } | Kind::RealOr { min, max, .. } => real(min, max, choices),
        Kind::Bool => ParameterValue::from(choices.below(2) == 1),
        Kind::Choice(words) => ParameterValue::word(choices.of(words)),
        _ => parameter.default.clone(),
    }
}

/// A question about one method; some parameters are set, and sometimes the graph.
fn question(entry: &Registered, choices: &mut Choices<'_>) -> Analysis {
    let mut settings = Vec::new();
    for parameter in entry.info.parameters {
        if choices.below(3) == 0 && parameter.role != Role::Seed {
            settings.push((parameter.name.to_owned(), value(parameter, choices)));
        }
    }
    let kind = choices.of(&[None, None, Some("knn"), Some("rbf"), Some("labels"), Some("relief")]);
    let graph = GraphOptions { kind: kind.map(str::to_owned), ..GraphOptions::default() };
    Analysis { methods: vec![entry.info.name.to_owned()], settings, graph, ..Analysis::default() }
}

/// What is promised of an answer: every feature has its place, every score is finite, and who has none says why.
fn check_answer(found: &Findings, m: usize, told: &str) {
    for ranking in &found.rankings {
        let mut features: Vec<usize> = ranking.places.iter().map(|p| p.index).collect();
        let scores: Vec<f64> = ranking.places.iter().filter_map(|p| p.score).collect();
        for place in &ranking.places {
            assert!(place.score.is_some_and(f64::is_finite) || place.reason.is_some(), "{place:?}: {told}");
            assert!(place.score.is_none_or(f64::is_finite), "{place:?}: {told}");
        }
        let sorted = scores.is_sorted_by(|a, b| match ranking.goal {
            fiedler::Goal::Minimize => a <= b,
            fiedler::Goal::Maximize => a >= b,
        });
        let aside = ranking.places.iter().any(|p| p.reason.is_some() && p.score.is_some());
        let chosen = ranking.ordered_by != fiedler::OrderedBy::Score;
        assert!(sorted || aside || chosen, "the order is not that of the scores: {told}");
        features.sort_unstable();
        assert_eq!(features, (0..m).collect::<Vec<_>>(), "{told}");
    }
}

/// What two runs must have in common: everything but the seconds.
fn essence(found: &Result<Findings>) -> String {
    match found {
        Ok(found) => format!(
            "{:?}",
            found
                .rankings
                .iter()
                .map(|r| r.places.iter().map(|p| (p.index, p.score.map(f64::to_bits))).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        ),
        Err(error) => error.to_string(),
    }
}

/// Asks one method about the matrix that the bytes describe, on one thread and on two. Whether it answered.
pub(crate) fn check(bytes: &[u8], entry: &Registered) -> bool {
    let mut choices = Choices(bytes);
    let rows = rows(&mut choices);
    let data = Dataset::from_rows(&rows).and_then(|data| labeled(data, &mut choices));
    let Ok(data) = data else { return false };
    let analysis = question(entry, &mut choices);
    let told = format!("{:?} {:?} on {rows:?}", analysis.methods, analysis.settings);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| analysis.run(&data, "small", &Silent))
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(essence(&one), essence(&two), "one thread and two differ: {told}");
    match &one {
        Ok(found) => check_answer(found, data.n_features(), &told),
        Err(error) => assert!(error.to_string().len() > 10, "no sentence: {told}"),
    }
    one.is_ok()
}

/// As [`check`], with the method drawn from the first byte.
#[allow(dead_code)] // The fuzzer begins here.
pub(crate) fn check_any(bytes: &[u8]) {
    let all = methods::all();
    if let Some((&first, rest)) = bytes.split_first() {
        check(rest, &all[usize::from(first) % all.len()]);
    }
}
