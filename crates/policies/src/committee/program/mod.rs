//! The best stationary way to accept candidates whose law is known: Do, Atif, Lang and Usunier
//! (IJCAI 2021), section 4, linear program (2).
//!
//! A candidate is one value per attribute, `x = (x^0, ..., x^{d-1})`, drawn from `p`. Find the
//! probabilities `pi(x)` of accepting that maximise the gain `g = sum_x p(x) pi(x)` while those
//! accepted keep to the targets: for every attribute i and value j,
//! `sum_x p(x) pi(x) (1[x^i = j] - rho^i_j) = 0`. The gain `g*` is unique, `pi` in general is not.
//!
//! Where we differ from the paper: `p` may have empty cells and `rho` zeros, so the program may
//! allow nothing but `pi = 0`, which is an error here. Two fits answer first, without a solver.
//! Capped proportional fitting (`fit.rs`) meets the bound `g* <= min_{i,j} p^i_j / rho^i_j`
//! whenever it can be met, clipped fitting (`clipped.rs`) wherever it cannot. Either gives one
//! canonical `pi` that is described by `sum_i D_i` numbers, in some passes over the cells.
//!
//! Solvers (`lp.rs`) are tried where rounding defeats both fits. Measured on 6,600 random programs
//! of 6 to 48 cells for each skew, drawn as in `tests/random.rs`: that happens to 0.1 % where
//! shares differ a hundredfold, to 4 % at 10^4, to 16 % at 10^6 and to 32 % at 10^10. The simplex
//! method then proves an answer for all but 2 of the 1,354 programs up to 10^6, and for 91 % at
//! 10^10; the interior point for 65 % and 13 %. So both are kept: the simplex method for its
//! proofs, the interior point for programs too large for it.
//!
//! Whatever the method, its answer counts only with a proof that it is optimal (`certificate.rs`);
//! one without is an error.
//!
//! Cells: a candidate's values are packed into one `u32` in mixed radix, the first attribute most
//! significant (`cell = (x^0 D_1 + x^1) D_2 + x^2 ...`).

mod acceptance;
mod cells;
mod certificate;
mod clipped;
mod error;
mod fit;
mod lp;
mod matrix;
mod newton;
mod support;
#[cfg(test)]
mod tests;

pub use acceptance::{AcceptanceRule, AcceptanceTable};
pub use error::{Cause, ProgramError, Unreachable};

use std::fmt;

use certificate::{Certificate, NO_GAIN, ceiling};
use kleroterion_core::protocol::Law;
use support::Support;

/// The method that found a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Capped proportional fitting: the gain is the bound, and the acceptance is canonical.
    CappedFit,
    /// Clipped fitting: the acceptance is canonical, whether or not the gain is the bound.
    ClippedFit,
    /// An interior-point method: a point within the optimal face.
    InteriorPoint,
    /// The simplex method: some vertex of the optimal face, proven optimal by the clipped fit.
    Simplex,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CappedFit => "capped fit",
            Self::ClippedFit => "clipped fit",
            Self::InteriorPoint => "interior point",
            Self::Simplex => "simplex",
        })
    }
}

/// An optimal stationary policy.
#[derive(Clone, Debug)]
pub struct Solution {
    /// `g*`, up to the gap: the probability that `pi` accepts a candidate.
    pub gain: f64,
    /// The proven bound on the distance of the gain from the optimum, up to the rounding of double
    /// precision. A policy that keeps to the targets exactly gains at most `gain + gap`. At least
    /// one such policy gains `gain - gap`. The gap is at most a ten-millionth of the gain.
    pub gap: f64,
    /// The method that found the solution.
    pub method: Method,
    /// The acceptance `pi`.
    pub acceptance: AcceptanceRule,
    /// `max_{i,j} |sum_x p(x) pi(x) (1[x^i = j] - rho^i_j)|`, for `pi` as returned.
    pub violation: f64,
    /// The number of Newton steps of a fit; 0 if a solver answered.
    pub steps: usize,
}

/// The methods, as they are tried, and the most cells for which each is worth its time and memory.
const METHODS: &[(Method, usize)] = &[
    (Method::CappedFit, usize::MAX),
    (Method::ClippedFit, usize::MAX),
    (Method::InteriorPoint, 50_000),
    (Method::Simplex, 5_000),
];

/// Returns the optimal acceptance for candidates of law `law` with `levels[i]` values of attribute
/// i and targets `rho[i][j]`. Each `rho[i]` sums to 1; a zero means that no one with that value is
/// accepted.
///
/// The fits are tried first, then solvers: an interior point up to 50,000 cells, the simplex method
/// up to 5,000.
///
/// # Errors
/// Input that is not of that shape, targets that no candidate or no mixture of candidates can meet,
/// and answers whose gap is not certified; see [`ProgramError`].
pub fn solve(levels: &[usize], law: &Law, rho: &[Vec<f64>]) -> Result<Solution, ProgramError> {
    let support = Support::new(levels, law, rho)?;
    let mut failures = Vec::new();
    for (method, _) in METHODS
        .iter()
        .filter(|(_, most)| support.cells.len() <= *most)
    {
        match attempt(*method, &support) {
            // That the bound is not attained is no failure: the next method does without.
            Err(ProgramError::Unsolved(_)) if *method == Method::CappedFit => {}
            Err(ProgramError::Unsolved(why)) => failures.extend(why),
            done => return done,
        }
    }
    Err(ProgramError::Unsolved(failures))
}

/// Solves by one method alone, for comparisons.
///
/// # Errors
/// The errors of [`solve`]; [`ProgramError::Unsolved`] also where the method is
/// [`Method::CappedFit`] and the bound is not attained.
pub fn solve_by(
    method: Method,
    levels: &[usize],
    law: &Law,
    rho: &[Vec<f64>],
) -> Result<Solution, ProgramError> {
    attempt(method, &Support::new(levels, law, rho)?)
}

/// The answer of a method: how to accept, and a proof of how much can be gained.
struct MethodAnswer {
    acceptance: AcceptanceRule,
    /// The dual `v` of `certificate.rs`.
    dual: Vec<f64>,
    steps: usize,
}

/// Computes one method's answer and certifies it.
fn attempt(method: Method, support: &Support) -> Result<Solution, ProgramError> {
    let answer = match method {
        Method::CappedFit => capped(support),
        Method::ClippedFit => Ok(clipped(support)),
        Method::Simplex => solved(lp::AcceptanceProgram::new(support).simplex(), support),
        Method::InteriorPoint => solved(
            lp::AcceptanceProgram::new(support).interior_point(),
            support,
        ),
    };
    match answer {
        Ok(answer) => judge(method, support, answer),
        Err(why) => Err(unsolved(method, &why)),
    }
}

fn unsolved(method: Method, why: &str) -> ProgramError {
    ProgramError::Unsolved(vec![format!("{method}: {why}")])
}

/// Checks that an answer keeps to the targets and is optimal.
fn judge(
    method: Method,
    support: &Support,
    answer: MethodAnswer,
) -> Result<Solution, ProgramError> {
    let (bound, _) = support.bound();
    let pi = support.probabilities(&answer.acceptance);
    let found = Certificate::new(support, &pi, &answer.dual);
    if found.ceiling <= NO_GAIN * bound {
        return Err(ProgramError::Incompatible);
    }
    if !found.holds() {
        let Certificate {
            gain,
            violation,
            ceiling,
            floor,
        } = found;
        return Err(unsolved(
            method,
            &format!(
                "the answer gains {gain:e} and misses the targets by {violation:e}; proven is \
                 only that the optimum is between {floor:e} and {ceiling:e}"
            ),
        ));
    }
    Ok(Solution {
        gain: found.gain,
        gap: found.gap(),
        method,
        acceptance: answer.acceptance,
        violation: found.violation,
        steps: answer.steps,
    })
}

/// Solves by `fit.rs`.
fn capped(support: &Support) -> Result<MethodAnswer, String> {
    let (bound, place) = support.bound();
    let fitted = fit::fit(support).map_err(|stalled| {
        let verb = if stalled.proven {
            "is proven to be"
        } else {
            "seems to be"
        };
        let steps = stalled.steps;
        format!("the gain {verb} below its bound {bound} (after {steps} steps)")
    })?;
    // The bound is its own proof: only the value that has it counts.
    let mut dual = vec![0.0; support.targets.len()];
    dual[place] = 1.0;
    Ok(MethodAnswer {
        acceptance: AcceptanceRule::Factors(support.rows(&fitted.factors)),
        dual,
        steps: fitted.steps,
    })
}

/// Solves by `clipped.rs`.
fn clipped(support: &Support) -> MethodAnswer {
    let fitted = clipped::fit(support);
    let values = fitted.sums.iter().zip(&support.targets);
    let sums: Vec<f64> = values
        .map(|(&b, &target)| if target > 0.0 { b } else { f64::NEG_INFINITY })
        .collect();
    MethodAnswer {
        acceptance: AcceptanceRule::Sums(support.rows(&sums)),
        dual: fitted.dual,
        steps: fitted.steps,
    }
}

/// Solves by `lp.rs`.
fn solved(
    answer: Result<lp::SolverAnswer, good_lp::ResolutionError>,
    support: &Support,
) -> Result<MethodAnswer, String> {
    let answer = answer.map_err(|error| error.to_string())?;
    // A solver's own proof may be the coarser one, or it may return none.
    let proofs = [clipped::fit(support).dual, answer.dual];
    let [one, other] = proofs.each_ref().map(|v| ceiling(support, v));
    let [fitted, told] = proofs;
    Ok(MethodAnswer {
        acceptance: AcceptanceRule::Table(support.table(&answer.pi)),
        dual: if other < one { told } else { fitted },
        steps: 0,
    })
}
