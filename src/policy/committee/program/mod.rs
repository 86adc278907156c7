//! The best stationary way to accept candidates whose law is known: Do, Atif, Lang and Usunier (IJCAI 2021), section 4, linear program (2).
//!
//! A candidate is one value per attribute, `x = (x^0, ..., x^{d-1})`, drawn from `p`. Find the probabilities `pi(x)` of accepting that
//! maximise the gain `g = sum_x p(x) pi(x)` while those accepted keep to the targets: for every attribute i and value j,
//! `sum_x p(x) pi(x) (1[x^i = j] - rho^i_j) = 0`. The gain `g*` is unique, `pi` in general is not.
//!
//! Where we differ from the paper: `p` may have empty cells and `rho` zeros, so the program may allow nothing but `pi = 0`, which is an error
//! here; and the program is first tried by capped proportional fitting (`fit.rs`), which meets the bound
//! `g* <= min_{i,j} p^i_j / rho^i_j` whenever it can be met and then gives one canonical `pi` that is described by `sum_i D_i` numbers.
//! Only where it cannot be met does a linear-programming solver (`lp.rs`) decide.
//!
//! Cells: a candidate's values are packed into one `u32` in mixed radix, the first attribute most significant
//! (`cell = (x^0 D_1 + x^1) D_2 + x^2 ...`).

mod acceptance;
mod error;
mod fit;
mod lp;
mod support;
#[cfg(test)]
mod tests;

pub use acceptance::{Acceptance, Table};
pub use error::{Cause, ProgramError, Unreachable};

use good_lp::ResolutionError;
use std::fmt;

use crate::protocol::Law;
use support::Support;

/// How a solution was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Capped proportional fitting: the gain is the bound, the acceptance canonical.
    CappedFit,
    /// The simplex method: some vertex of the optimal face.
    Simplex,
    /// An interior-point method: a point within the optimal face.
    InteriorPoint,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CappedFit => "capped fit",
            Self::Simplex => "simplex",
            Self::InteriorPoint => "interior point",
        })
    }
}

/// An optimal stationary policy.
#[derive(Clone, Debug)]
pub struct Solution {
    /// `g*`: the probability that a candidate is accepted.
    pub gain: f64,
    /// How it was found.
    pub method: Method,
    /// `pi`.
    pub acceptance: Acceptance,
    /// `max_{i,j} |sum_x p(x) pi(x) (1[x^i = j] - rho^i_j)|`, of `pi` as it stands.
    pub violation: f64,
    /// Sweeps over all the attributes that the fit needed; 0 where a solver answered.
    pub sweeps: usize,
}

/// Up to so many cells the simplex method comes before the interior point; beyond, its time (of the order of cells squared) tells.
const SIMPLEX_FIRST: usize = 2_048;

/// Up to so many cells the simplex method is worth its time (half a minute) where the interior point fails.
const SIMPLEX_LAST: usize = 50_000;

/// The most by which an answer may miss the targets, in mass.
const MISS: f64 = 1e-9;

/// The most by which the shares of those accepted may miss the targets, which matters where the gain is tiny.
const SHARE_MISS: f64 = 1e-6;

/// Below this part of the bound a gain cannot be told from 0.
const NO_GAIN: f64 = 1e-7;

/// The optimal acceptance for candidates of law `law` with `levels[i]` values of attribute i and targets `rho[i][j]` (each `rho[i]` sums
/// to 1; a zero means that nobody with that value is to be accepted). The fit is tried first, then a solver, and, should that fail, the
/// other.
///
/// # Errors
/// Input that is not of that shape, targets that no candidate or no mixture of candidates can meet, and solvers that fail;
/// see [`ProgramError`].
pub fn solve(levels: &[usize], law: &Law, rho: &[Vec<f64>]) -> Result<Solution, ProgramError> {
    let (support, rho) = Support::new(levels, law, rho)?;
    let methods: &[Method] = if support.len() <= SIMPLEX_FIRST {
        &[Method::CappedFit, Method::Simplex, Method::InteriorPoint]
    } else if support.len() <= SIMPLEX_LAST {
        &[Method::CappedFit, Method::InteriorPoint, Method::Simplex]
    } else {
        &[Method::CappedFit, Method::InteriorPoint]
    };
    let mut failures = Vec::new();
    for &method in methods {
        match attempt(method, &support, &rho) {
            Err(ProgramError::Unsolved(why)) => failures.extend(why),
            done => return done,
        }
    }
    Err(ProgramError::Unsolved(failures))
}

/// The same by one method alone, for comparisons.
///
/// # Errors
/// As [`solve`]; [`ProgramError::Unsolved`] also where the method is [`Method::CappedFit`] and the bound is not attained.
pub fn solve_by(
    method: Method,
    levels: &[usize],
    law: &Law,
    rho: &[Vec<f64>],
) -> Result<Solution, ProgramError> {
    let (support, rho) = Support::new(levels, law, rho)?;
    attempt(method, &support, &rho)
}

/// One method's answer, checked against the targets as given.
fn attempt(method: Method, support: &Support, rho: &[Vec<f64>]) -> Result<Solution, ProgramError> {
    let unsolved = |why: String| ProgramError::Unsolved(vec![format!("{method:?}: {why}")]);
    let bound = support.bound(rho);
    let answer = match method {
        Method::CappedFit => fit::fit(support, rho)
            .map(|fitted| {
                let pi = support.probabilities(&fitted.factors);
                (pi, Acceptance::Factors(fitted.factors), fitted.sweeps)
            })
            .map_err(|stalled| {
                let sweeps = stalled.sweeps;
                format!("the gain stays below its bound {bound} (stalled after {sweeps} sweeps)")
            }),
        Method::Simplex => tabled(lp::Program::new(support, rho).simplex(), support, rho),
        Method::InteriorPoint => tabled(
            lp::Program::new(support, rho).interior_point(),
            support,
            rho,
        ),
    };
    let (pi, acceptance, sweeps) = answer.map_err(unsolved)?;
    let (gain, violation) = support.measure(&pi, rho);
    if gain < NO_GAIN * bound {
        return Err(ProgramError::Incompatible);
    }
    // So put that a gain which is not a number fails.
    let kept = violation <= MISS && violation <= SHARE_MISS * gain;
    if !kept {
        return Err(unsolved(format!(
            "the answer misses the targets by {violation:e} at a gain of {gain:e}"
        )));
    }
    Ok(Solution {
        gain,
        method,
        acceptance,
        violation,
        sweeps,
    })
}

/// A solver's answer as an attempt's.
fn tabled(
    answer: Result<Vec<f64>, ResolutionError>,
    support: &Support,
    rho: &[Vec<f64>],
) -> Result<(Vec<f64>, Acceptance, usize), String> {
    let pi = answer.map_err(|error| error.to_string())?;
    let table = support.table(&pi, rho);
    Ok((pi, Acceptance::Table(table), 0))
}
