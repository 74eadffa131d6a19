//! The L2,1 solvers on data from files, for the comparison in `bench/mrsf`.
//!
//! ```text
//! mrsf X.f64 N Y.f64 Q path COUNT       the path to COUNT features
//! mrsf X.f64 N Y.f64 Q grid GRID.f64    one λ of the file after the other
//! mrsf X.f64 N Y.f64 Q fista LAMBDA     Nesterov's method at one λ
//! mrsf X.f64 N Y.f64 Q rank METHOD      the first 100 features of a method by name (Y is not used)
//! ```
//! X is N samples by columns, Y is N × Q by rows, raw little-endian doubles. Prints JSON.

use std::io::Read;
use std::time::Instant;

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::solve::{Options, Path, Problem, Solution, Solver, fista, path};
use fiedler::{Dataset, Result, Silent, methods};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [x, n, y, q, task, what] = &arguments[..] else {
        // `cargo bench` without arguments: nothing to measure here.
        return Ok(());
    };
    let (n, q): (usize, usize) = (n.parse()?, q.parse()?);
    let values = read(x)?;
    let m = values.len() / n;
    let data = Dataset::new(Dense::new(values, n, m, Order::ColumnMajor)?)?;
    let problem = Problem::new(&data, read(y)?, q)?;
    let (start, cpu) = (Instant::now(), ProcessTime::now());
    let answer = match task.as_str() {
        "path" => describe(&path(&problem, what.parse()?, &Options::default(), &Silent)?),
        "grid" => grid(&problem, &read(what)?)?,
        "fista" => {
            let solution = fista(&problem, what.parse()?, &Options::default(), &Silent)?;
            serde_json::json!({ "gap": solution.gap, "iterations": solution.iterations, "active": solution.active.len() })
        }
        "rank" => {
            let count = [("count", "100")];
            let set = count.into_iter().filter(|_| what == "mrsf");
            let ranking = methods::find(what)?.build(set, None)?.rank(&data)?;
            serde_json::json!({ "order": ranking.top(100), "warnings": ranking.warnings })
        }
        other => return Err(format!("no task is called {other}").into()),
    };
    let seconds = start.elapsed().as_secs_f64();
    let cpu = cpu.elapsed().as_secs_f64();
    println!(
        "{}",
        serde_json::json!({ "seconds": seconds, "cpu_seconds": cpu, "peak_kib": peak_kib(), "answer": answer })
    );
    Ok(())
}

fn describe(path: &Path) -> serde_json::Value {
    let worst = path.points.iter().map(|p| p.gap).fold(0.0, f64::max);
    serde_json::json!({
        "end": format!("{:?}", path.end),
        "points": path.points.len(),
        "active": path.entries.len(),
        "lambda": path.points.last().map(|p| p.lambda),
        "entries": path.entries,
        "worst_gap": worst,
        "iterations": path.points.last().map(|p| p.iterations),
    })
}

fn grid(problem: &Problem<'_>, lambdas: &[f64]) -> Result<serde_json::Value> {
    let mut solver = Solver::new(problem, Options::default(), &Silent)?;
    let solutions: Result<Vec<Solution>> = lambdas.iter().map(|&l| solver.at(l, &Silent)).collect();
    let solutions = solutions?;
    Ok(serde_json::json!({
        "worst_gap": solutions.iter().map(|s| s.gap).fold(0.0, f64::max),
        "active": solutions.iter().map(|s| s.active.len()).collect::<Vec<_>>(),
        "objectives": solutions.iter().map(|s| s.objective).collect::<Vec<_>>(),
        "iterations": solutions.iter().map(|s| s.iterations).sum::<usize>(),
    }))
}

/// Reads piece by piece, so that the peak of memory is that of the solver and not of the reading.
fn read(path: &str) -> std::io::Result<Vec<f64>> {
    let mut file = std::fs::File::open(path)?;
    let count = usize::try_from(file.metadata()?.len()).unwrap_or(0) / 8;
    let mut values = Vec::with_capacity(count);
    let mut piece = vec![0; 8 << 16];
    while values.len() < count {
        let wanted = piece.len().min(8 * (count - values.len()));
        file.read_exact(&mut piece[..wanted])?;
        let number = |b: &[u8]| b.try_into().map_or(f64::NAN, f64::from_le_bytes);
        values.extend(piece[..wanted].chunks_exact(8).map(number));
    }
    Ok(values)
}

/// The largest amount of memory the process has had, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
