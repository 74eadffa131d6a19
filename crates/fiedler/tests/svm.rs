//! The linear SVM against slow projected gradients, by hand, and across its three forms.

use fiedler::solve::svm::{Loss, Machine, Rows, Svm};
use fiedler::{Error, Silent};

/// A small multiplicative generator, so that the tests draw nothing with the library's.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }
}

/// Overlapping classes: the label is the sign of the first feature, with noise.
fn problem(n: usize, d: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut numbers = Numbers(seed);
    let values: Vec<f64> = (0..n * d).map(|_| numbers.next()).collect();
    let noisy = |row: &[f64], noise: f64| if row[0] + 0.5 * noise + 0.1 > 0.0 { 1.0 } else { -1.0 };
    let labels = values.chunks(d).map(|row| noisy(row, numbers.next())).collect();
    (values, labels)
}

/// The primal objective, by its definition.
fn objective(svm: &Svm, machine: &Machine, values: &[f64], labels: &[f64]) -> f64 {
    let d = machine.weights.len();
    let mut constant = 0.0;
    if svm.bias > 0.0 {
        constant = machine.bias / svm.bias;
    }
    let square: f64 = machine.weights.iter().map(|w| w * w).sum::<f64>() + constant * constant;
    let losses = values.chunks(d).zip(labels).map(|(x, y)| {
        let decision: f64 = x.iter().zip(&machine.weights).map(|(x, w)| x * w).sum::<f64>() + machine.bias;
        let slack = (1.0 - y * decision).max(0.0);
        if svm.loss == Loss::Hinge { slack } else { slack * slack }
    });
    0.5 * square + svm.cost * losses.sum::<f64>()
}

/// w by projected gradient on the dual with a step that cannot overshoot; many thousand steps.
fn textbook(svm: &Svm, values: &[f64], d: usize, labels: &[f64]) -> Vec<f64> {
    let n = labels.len();
    let row = |i: usize| -> Vec<f64> {
        let mut x = values[i * d..(i + 1) * d].to_vec();
        x.push(svm.bias);
        x
    };
    let (upper, kappa) = match svm.loss {
        Loss::Hinge => (svm.cost, 0.0),
        Loss::SquaredHinge => (1e300, 0.5 / svm.cost),
    };
    let mut q = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            let product: f64 = row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum();
            q[i][j] = labels[i] * labels[j] * product + if i == j { kappa } else { 0.0 };
        }
    }
    let largest = q.iter().map(|r| r.iter().map(|v| v.abs()).sum::<f64>()).fold(0.0, f64::max);
    let mut alphas = vec![0.0; n];
    for _ in 0..60_000 {
        let slopes: Vec<f64> = q
            .iter()
            .map(|r| r.iter().zip(&alphas).map(|(q, a): (&f64, &f64)| q * a).sum::<f64>() - 1.0)
            .collect();
        for (a, s) in alphas.iter_mut().zip(slopes) {
            *a = (*a - s / largest).clamp(0.0, upper);
        }
    }
    let mut w = vec![0.0; d + 1];
    for i in 0..n {
        w.iter_mut().zip(row(i)).for_each(|(w, x)| *w += alphas[i] * labels[i] * x);
    }
    w
}

#[test]
fn both_losses_reach_the_optimum_of_slow_projected_gradients() {
    for (seed, (n, d)) in [(40, 3), (25, 60), (60, 8)].into_iter().enumerate() {
        let (values, labels) = problem(n, d, seed as u64);
        let rows = Rows::dense(&values, d).expect("finite");
        for loss in [Loss::Hinge, Loss::SquaredHinge] {
            for (cost, bias) in [(0.1, 1.0), (2.0, 1.0), (2.0, 0.0)] {
                let svm = Svm { cost, loss, bias, gap: 1e-10, ..Svm::default() };
                let machine = svm.fit(&rows, &labels, &Silent).expect("converges");
                let slow = textbook(&svm, &values, d, &labels);
                for (got, expected) in machine.weights.iter().zip(&slow) {
                    assert!((got - expected).abs() < 2e-4, "{loss:?} C {cost}: {got} for {expected}");
                }
                assert!((machine.bias - slow[d] * bias).abs() < 2e-4);
                let primal = objective(&svm, &machine, &values, &labels);
                assert!((primal - machine.objective).abs() < 1e-9 * primal, "{primal} {}", machine.objective);
            }
        }
    }
}

/// The gap is a promise about the optimum: a tighter solution is never below it.
#[test]
fn the_gap_bounds_the_distance_to_the_optimum() {
    let (values, labels) = problem(80, 20, 7);
    // Sparse rows: on dense ones Newton's method goes all the way for the squared hinge.
    let offsets: Vec<usize> = (0..=80).map(|i| 20 * i).collect();
    let columns: Vec<u32> = (0..1600).map(|e| e % 20).collect();
    let rows = Rows::sparse(&offsets, &columns, &values, 20).expect("finite");
    for loss in [Loss::Hinge, Loss::SquaredHinge] {
        let tight =
            Svm { loss, gap: 1e-11, ..Svm::default() }.fit(&rows, &labels, &Silent).expect("converges");
        for gap in [0.3, 0.03, 1e-4] {
            let svm = Svm { loss, gap, ..Svm::default() };
            let loose = svm.fit(&rows, &labels, &Silent).expect("converges");
            assert!(loose.gap <= gap && loose.passes <= tight.passes);
            let truth = 1.0 - tight.objective / objective(&svm, &loose, &values, &labels);
            assert!(truth <= loose.gap + 1e-9, "{truth} {}", loose.gap);
            assert!(gap < 0.1 || truth > 1e-6, "a gap this large stops early: {truth}");
        }
    }
}

#[test]
fn dense_sparse_and_inner_products_give_one_answer() {
    let (n, d) = (30, 50);
    let (mut values, labels) = problem(n, d, 3);
    values.iter_mut().for_each(|v| *v = if v.abs() < 0.7 { 0.0 } else { *v });
    let (mut offsets, mut columns, mut entries) = (vec![0], Vec::new(), Vec::new());
    for row in values.chunks(d) {
        for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            columns.push(j as u32);
            entries.push(v);
        }
        offsets.push(entries.len());
    }
    let product = |i: usize, j: usize| (0..d).map(|c| values[i * d + c] * values[j * d + c]).sum::<f64>();
    let gram: Vec<f64> = (0..n * n).map(|p| product(p / n, p % n)).collect();
    let svm = Svm { gap: 1e-12, ..Svm::default() };
    let dense = svm.fit(&Rows::dense(&values, d).expect("finite"), &labels, &Silent).expect("converges");
    let rows = Rows::sparse(&offsets, &columns, &entries, d).expect("well formed");
    let sparse = svm.fit(&rows, &labels, &Silent).expect("converges");
    let dual = svm.fit_gram(&gram, &labels, None, &Silent).expect("converges");
    for i in 0..n {
        assert!((dense.alphas[i] - sparse.alphas[i]).abs() < 1e-5);
        assert!((dense.alphas[i] - dual.alphas[i]).abs() < 1e-5);
    }
    let again = svm.fit_gram(&gram, &labels, Some(&dual.alphas), &Silent).expect("converges");
    assert!(again.passes <= 2, "a solution is where it should stay: {}", again.passes);
}

#[test]
fn two_points_have_the_machine_of_the_textbook() {
    // Without a bias, x = ±2 and C large: w = 1/2 puts both on their margins, α = 1/8 each.
    let svm = Svm { cost: 10.0, loss: Loss::Hinge, bias: 0.0, gap: 1e-12, ..Svm::default() };
    let machine = svm.fit(&Rows::dense(&[2.0, -2.0], 1).expect("finite"), &[1.0, -1.0], &Silent);
    let machine = machine.expect("converges");
    assert!((machine.weights[0] - 0.5).abs() < 1e-9 && machine.bias == 0.0);
    assert!((machine.alphas.iter().sum::<f64>() - 0.25).abs() < 1e-9);
    assert!((machine.objective - 0.125).abs() < 1e-9);
}

#[test]
fn classes_are_told_apart_each_from_the_rest() {
    let mut numbers = Numbers(5);
    let centers = [[0.0, 4.0], [4.0, -2.0], [-4.0, -2.0]];
    let classes: Vec<u32> = (0..90).map(|i| i % 3).collect();
    let values: Vec<f64> =
        classes.iter().flat_map(|&c| centers[c as usize].map(|v| v + numbers.next())).collect();
    let rows = Rows::dense(&values, 2).expect("finite");
    let three = Svm::default().fit_classes(&rows, &classes, 3, &Silent).expect("converges");
    assert_eq!(three.machines.len(), 3);
    assert!(values.chunks(2).zip(&classes).all(|(x, &c)| three.predict(x) == c as usize));
    let halves: Vec<u32> = classes.iter().map(|&c| u32::from(c > 0)).collect();
    let two = Svm::default().fit_classes(&rows, &halves, 2, &Silent).expect("converges");
    assert_eq!((two.machines.len(), two.of_class(0).1), (1, -1.0));
    assert!(values.chunks(2).zip(&halves).all(|(x, &c)| two.predict(x) == c as usize));
}

#[test]
fn samples_of_zeros_do_no_harm() {
    let rows = Rows::dense(&[0.0, 0.0, 1.0, -1.0], 1).expect("finite");
    for (bias, loss) in [(0.0, Loss::Hinge), (0.0, Loss::SquaredHinge), (1.0, Loss::Hinge)] {
        let svm = Svm { bias, loss, gap: 1e-9, ..Svm::default() };
        let machine = svm.fit(&rows, &[1.0, -1.0, 1.0, -1.0], &Silent).expect("converges");
        assert!(machine.weights[0] > 0.5 && machine.alphas.iter().all(|a| a.is_finite()));
    }
}

#[test]
fn what_has_not_converged_is_an_error() {
    let (values, labels) = problem(60, 5, 1);
    let svm = Svm { cost: 1e6, gap: 1e-12, max_passes: 3, ..Svm::default() };
    let error =
        svm.fit(&Rows::dense(&values, 5).expect("finite"), &labels, &Silent).expect_err("three passes");
    assert!(
        matches!(error, Error::NotConverged { iterations: 3, residual, .. } if residual > 1e-12),
        "{error}"
    );
}

#[test]
fn bad_input_is_named() {
    let rows = Rows::dense(&[1.0, 2.0], 1).expect("finite");
    let told = |svm: Svm, labels: &[f64]| svm.fit(&rows, labels, &Silent).expect_err("bad").to_string();
    let svm = Svm::default();
    assert!(told(svm, &[1.0, 0.0]).contains("+1 or -1"));
    assert!(told(svm, &[1.0]).contains("labels"));
    assert!(told(Svm { cost: 0.0, ..svm }, &[1.0, -1.0]).contains("`cost`"));
    assert!(told(Svm { gap: f64::NAN, ..svm }, &[1.0, -1.0]).contains("`gap`"));
    assert!(told(Svm { bias: -1.0, ..svm }, &[1.0, -1.0]).contains("`bias`"));
    assert!(svm.fit_classes(&rows, &[0, 2], 2, &Silent).is_err());
    assert!(svm.fit_gram(&[1.0; 3], &[1.0, -1.0], None, &Silent).is_err());
    assert!(Rows::dense(&[1.0, 2.0, 3.0], 2).is_err());
    assert!(Rows::dense(&[1.0, f64::NAN], 2).is_err());
    assert!(Rows::sparse(&[0, 1], &[4], &[1.0], 4).is_err());
    assert!(Rows::sparse(&[0, 2], &[0], &[1.0], 4).is_err());
    let stop = |_: &'static str, _: usize, _: usize| std::ops::ControlFlow::Break(());
    assert!(matches!(svm.fit(&rows, &[1.0, -1.0], &stop), Err(Error::Canceled)));
}

/// The optimality conditions of the dual, written out: α ≥ 0, slope y_i d_i - 1 + α_i/2C ≥ 0, one of them 0.
#[test]
fn the_conditions_hold_to_all_digits() {
    let n = 40;
    let x: Vec<[f64; 3]> = (0..n)
        .map(|i| std::array::from_fn(|j| ((i * (7 * j + 3) + j * j) % 17) as f64 / 8.0 - 1.0))
        .collect();
    let labels: Vec<f64> = (0..n).map(|i| if x[i][0] + 0.3 * x[i][1] > 0.1 { 1.0 } else { -1.0 }).collect();
    let product = |i: usize, j: usize| -> f64 { x[i].iter().zip(&x[j]).map(|(a, b)| a * b).sum() };
    let gram: Vec<f64> = (0..n * n).map(|p| product(p / n, p % n)).collect();
    for cost in [0.1, 1.0, 100.0] {
        let svm = Svm { cost, ..Svm::default() };
        let alphas = svm.fit_gram(&gram, &labels, None, &Silent).expect("a machine").alphas;
        for i in 0..n {
            let says: f64 = (0..n).map(|j| alphas[j] * labels[j] * (product(i, j) + 1.0)).sum();
            let slope = labels[i] * says - 1.0 + alphas[i] / (2.0 * cost);
            assert!(alphas[i] >= 0.0 && slope >= -1e-9, "C {cost}: {} {slope}", alphas[i]);
            assert!(alphas[i] * slope.abs() <= 1e-8 * (1.0 + alphas[i]), "C {cost}: {} {slope}", alphas[i]);
        }
        assert!(alphas.iter().any(|&a| a > 0.0));
    }
}

#[test]
fn nearly_equal_features_take_a_few_steps() {
    // Twenty features that repeat one another but for a ten-thousandth.
    let (n, d) = (60, 20);
    let mut values = Vec::new();
    let mut labels = Vec::new();
    for i in 0..n {
        let wave = (i as f64 * 0.7).sin();
        labels.push(if wave + 0.2 * (i as f64 * 2.3).cos() > 0.0 { 1.0 } else { -1.0 });
        values.extend((0..d).map(|f| 3.0 * wave + 1e-4 * ((i * (f + 3)) as f64).sin()));
    }
    for cost in [1.0, 1e3, 1e6] {
        let svm = Svm { cost, gap: 1e-9, ..Svm::default() };
        let machine =
            svm.fit(&Rows::dense(&values, d).expect("finite"), &labels, &Silent).expect("a machine");
        assert!(machine.passes <= 30, "C {cost}: {} steps", machine.passes);
        let slow = objective(&svm, &machine, &values, &labels);
        assert!((slow - machine.objective).abs() <= 1e-8 * slow, "C {cost}");
    }
}

/// Raw values in the thousands and a high cost: 2Cξ would lose the digits that the equations have.
#[test]
fn large_values_and_costs_are_certified() {
    let (n, d) = (60, 300);
    let (mut values, labels) = problem(n, d, 5);
    values.iter_mut().for_each(|v| *v = 8e3 + 2e3 * *v);
    let rows = Rows::dense(&values, d).expect("finite");
    for cost in [1.0, 10.0, 1e3] {
        let machine = Svm { cost, gap: 1e-6, ..Svm::default() }.fit(&rows, &labels, &Silent);
        let machine = machine.unwrap_or_else(|e| panic!("C {cost}: {e}"));
        assert!(machine.gap <= 1e-6 && machine.objective > 0.0);
    }
}

#[test]
fn inner_products_must_be_finite_and_a_start_may_be_far_off() {
    let (values, labels) = problem(40, 6, 8);
    let product = |i: usize, j: usize| (0..6).map(|c| values[i * 6 + c] * values[j * 6 + c]).sum::<f64>();
    let mut gram: Vec<f64> = (0..1600).map(|p| product(p / 40, p % 40)).collect();
    let svm = Svm { gap: 1e-9, ..Svm::default() };
    let plain = svm.fit_gram(&gram, &labels, None, &Silent).expect("a machine");
    // A start that puts every sample outside of the margin knows nothing.
    let far = svm.fit_gram(&gram, &labels, Some(&[1e6; 40]), &Silent).expect("a machine");
    let warm =
        Svm { cost: 2.0, ..svm }.fit_gram(&gram, &labels, Some(&plain.alphas), &Silent).expect("a machine");
    assert!((far.objective - plain.objective).abs() <= 1e-9 * plain.objective && warm.gap <= 1e-9);
    gram[41] = f64::NAN;
    assert!(
        svm.fit_gram(&gram, &labels, None, &Silent).expect_err("NaN").to_string().contains("samples 1 and 1")
    );
}

/// More samples than Newton's method starts on alone: descent first, then the equations.
#[test]
fn many_samples_go_through_descent_to_the_same_machine() {
    let (n, d) = (1100, 4);
    let (values, labels) = problem(n, d, 2);
    let product = |i: usize, j: usize| (0..d).map(|c| values[i * d + c] * values[j * d + c]).sum::<f64>();
    let gram: Vec<f64> = (0..n * n).map(|p| product(p / n, p % n)).collect();
    let svm = Svm { gap: 1e-8, ..Svm::default() };
    let dual = svm.fit_gram(&gram, &labels, None, &Silent).expect("a machine");
    let machine = svm.fit(&Rows::dense(&values, d).expect("finite"), &labels, &Silent).expect("a machine");
    assert!((dual.objective - machine.objective).abs() <= 1e-8 * machine.objective);
}
