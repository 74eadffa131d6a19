//! Evaluation by its definitions.
#![allow(unreachable_pub)]

/// A small multiplicative generator.
pub struct Numbers(pub u64);

impl Numbers {
    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Samples and their classes.
pub struct Table {
    pub rows: Vec<Vec<f64>>,
    pub classes: Vec<usize>,
}

impl Table {
    /// Some features of all samples, each divided by its deviation in the training part and, where
    /// `shifted`, put about its mean there.
    pub fn scaled(&self, training: &[usize], features: &[usize], shifted: bool) -> Vec<Vec<f64>> {
        let n = training.len() as f64;
        let affine: Vec<(f64, f64)> = features
            .iter()
            .map(|&j| {
                let mean = training.iter().map(|&i| self.rows[i][j]).sum::<f64>() / n;
                let square = training.iter().map(|&i| (self.rows[i][j] - mean).powi(2)).sum::<f64>() / n;
                let constant = training.iter().all(|&i| self.rows[i][j] == self.rows[training[0]][j]);
                (if shifted { mean } else { 0.0 }, if constant { 1.0 } else { square.sqrt() })
            })
            .collect();
        let row = |r: &Vec<f64>| features.iter().zip(&affine).map(|(&j, (s, d))| (r[j] - s) / d).collect();
        self.rows.iter().map(row).collect()
    }
}

/// The share of test samples whose nearest training sample has their class. Distances that agree to 1e-9
/// are equal, and the first of the nearest counts.
pub fn nearest(rows: &[Vec<f64>], classes: &[usize], training: &[usize], test: &[usize]) -> f64 {
    let distance =
        |a: usize, b: usize| rows[a].iter().zip(&rows[b]).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
    let right = test.iter().filter(|&&i| {
        let mut best = training[0];
        for &j in training {
            if distance(i, j) < distance(i, best) * (1.0 - 1e-9) {
                best = j;
            }
        }
        classes[best] == classes[i]
    });
    right.count() as f64 / test.len() as f64
}

/// The mean Jaccard index of the k most similar samples by inner product.
pub fn jaccard(few: &[Vec<f64>], all: &[Vec<f64>], samples: &[usize], k: usize) -> f64 {
    let near = |rows: &[Vec<f64>], i: usize| -> Vec<usize> {
        let product = |j: usize| rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum::<f64>();
        let mut others: Vec<(f64, usize)> =
            samples.iter().filter(|&&j| j != i).map(|&j| ((-product(j) * 1e9).round(), j)).collect();
        others.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
        others[..k].iter().map(|o| o.1).collect()
    };
    let share = |&i: &usize| {
        let (a, b) = (near(few, i), near(all, i));
        let both = a.iter().filter(|j| b.contains(j)).count() as f64;
        both / (2.0 * k as f64 - both)
    };
    samples.iter().map(share).sum::<f64>() / samples.len() as f64
}

/// The mean |ρ| over pairs, 0 where a feature is constant.
pub fn redundancy(rows: &[Vec<f64>], samples: &[usize], features: &[usize]) -> f64 {
    let n = samples.len() as f64;
    let column = |j: usize| -> Vec<f64> {
        let mean = samples.iter().map(|&i| rows[i][j]).sum::<f64>() / n;
        samples.iter().map(|&i| rows[i][j] - mean).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let columns: Vec<Vec<f64>> = features.iter().map(|&j| column(j)).collect();
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (a, x) in columns.iter().enumerate() {
        for y in &columns[..a] {
            let norm = (dot(x, x) * dot(y, y)).sqrt();
            sum += if norm > 1e-12 { (dot(x, y) / norm).abs() } else { 0.0 };
            pairs += 1.0;
        }
    }
    if pairs > 0.0 { sum / pairs } else { 0.0 }
}

/// All orders of 0 … k - 1.
pub fn permutations(k: usize) -> Vec<Vec<usize>> {
    if k == 0 {
        return vec![vec![]];
    }
    let longer = |p: Vec<usize>| (0..k).map(move |at| [&p[..at], &[k - 1], &p[at..]].concat());
    permutations(k - 1).into_iter().flat_map(longer).collect()
}

/// One step of Lloyd's iteration: where every sample would go, and the inertia before. Who is as near to
/// where it is stays.
pub fn lloyd_step(rows: &[f64], d: usize, clusters: &[u32], k: usize) -> (Vec<u32>, f64) {
    let mut means = vec![vec![0.0; d]; k];
    for (c, mean) in means.iter_mut().enumerate() {
        let members: Vec<usize> = (0..clusters.len()).filter(|&i| clusters[i] == c as u32).collect();
        for (f, m) in mean.iter_mut().enumerate() {
            *m = members.iter().map(|&i| rows[i * d + f]).sum::<f64>() / members.len().max(1) as f64;
        }
    }
    assign_to(rows, d, &means, Some(clusters))
}

fn assign_to(rows: &[f64], d: usize, means: &[Vec<f64>], stay: Option<&[u32]>) -> (Vec<u32>, f64) {
    let mut inertia = 0.0;
    let clusters = rows.chunks(d).enumerate().map(|(i, x)| {
        let distance = |c: usize| x.iter().zip(&means[c]).map(|(x, m)| (x - m).powi(2)).sum::<f64>();
        let mut best = stay.map_or(0, |s| s[i] as usize);
        inertia += distance(best);
        for c in 0..means.len() {
            if distance(c) < distance(best) - 1e-6 {
                best = c;
            }
        }
        best as u32
    });
    (clusters.collect(), inertia)
}

/// Lloyd's iteration from samples chosen at random, each once; the inertia where it rests.
pub fn lloyd(rows: &[f64], d: usize, k: usize, numbers: &mut Numbers) -> f64 {
    let n = rows.len() / d;
    let mut order: Vec<usize> = (0..n).collect();
    (0..k).for_each(|i| order.swap(i, i + (numbers.unit() * (n - i) as f64) as usize));
    let means: Vec<Vec<f64>> = order[..k].iter().map(|&i| rows[i * d..(i + 1) * d].to_vec()).collect();
    let mut clusters = assign_to(rows, d, &means, None).0;
    loop {
        let (next, inertia) = lloyd_step(rows, d, &clusters, k);
        if next == clusters {
            return inertia;
        }
        clusters = next;
    }
}
