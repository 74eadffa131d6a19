//! MRSF and the L2,1 solvers: against the optimality conditions written out, golden values,
//! scikit-learn, and the theorems of DIS chapter 4.

#[path = "../common/mod.rs"]
mod common;
mod copies;
mod entries;
mod path;
mod ranking;
mod solvers;
mod textbook;
