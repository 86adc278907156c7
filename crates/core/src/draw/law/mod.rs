//! Laws of numbers, by name: drawn by `rand_distr`, each with its moments, its distribution
//! function and its quantiles.

mod counts;
mod dirichlet;
mod number;
mod spec;
mod special;
#[cfg(test)]
mod tests;

pub use self::dirichlet::DirichletLaw;
pub use self::number::NumberLaw;
pub use self::spec::{BadLaw, LawSpec};
