//! Seconds to read files, beside a plain read of their bytes; best of three.
//!
//! `cargo bench -p fiedler-io --bench reading -- FILE…`. CPU seconds are of all threads together;
//! on a machine that does nothing else the wall clock tells more. `bench/reading.py` makes the
//! files and runs this beside pandas, NumPy and pyarrow.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use fiedler::Silent;
use fiedler_io::{ReadOptions, read};

fn main() {
    println!("{:>10} {:>10} {:>10} {:>10}  file", "plain cpu", "plain wall", "read cpu", "read wall");
    for file in std::env::args().skip(1).filter(|a| !a.starts_with("--")) {
        let path = Path::new(&file);
        let plain = best(|| drop(std::fs::read(path).expect("a readable file")));
        let whole = best(|| drop(read(path, &ReadOptions::default(), &Silent).expect("a data set")));
        println!("{:>10.3} {:>10.3} {:>10.3} {:>10.3}  {file}", plain.0, plain.1, whole.0, whole.1);
    }
}

fn best(run: impl Fn()) -> (f64, f64) {
    let once = || {
        let (cpu, wall) = (ProcessTime::now(), Instant::now());
        run();
        (cpu.elapsed().as_secs_f64(), wall.elapsed().as_secs_f64())
    };
    let runs = [once(), once(), once()];
    runs.into_iter().fold((f64::INFINITY, f64::INFINITY), |b, r| (b.0.min(r.0), b.1.min(r.1)))
}
