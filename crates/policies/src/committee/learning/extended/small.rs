//! The small form. In two parts, `m = u + v` with `0 <= u <= p^` within the estimate and `v >= 0`
//! beyond it, `v = (m - p^)+`: then `m <= p^ + s` is no row but a bound, and only the rows of
//! parity and `sum v <= beta_l / 2` are left, however many cells there are.

use super::linear::{ExtendedProgram, PRICE, clean};
use super::optimum::Optimum;
use crate::committee::learning::grid::CellGrid;
use good_lp::{Expression, ResolutionError, Variable};

/// A gain this near to 1 is 1.
const WHOLE: f64 = 5e-10;

pub(super) fn solve(grid: &CellGrid, p_hat: &[f64], room: f64) -> Result<Optimum, ResolutionError> {
    let mut program = ExtendedProgram::new(grid);
    let scale = program.scale;
    let open = || grid.open().iter();
    let beyond: Vec<Option<Variable>> = open()
        .map(|&open| open.then(|| program.mass(1.0)))
        .collect();
    let within: Vec<Option<Variable>> = open()
        .zip(p_hat)
        .map(|(&open, &p)| (open && p > 0.0).then(|| program.mass(p)))
        .collect();
    let moved: Expression = beyond.iter().flatten().sum();
    program.row(moved.clone().leq(scale * room));
    let answer = program.maximise(grid, &[&within, &beyond], PRICE * moved)?;
    let accepted: Vec<f64> = within
        .iter()
        .zip(&beyond)
        .map(|(&u, &v)| answer.unscaled(answer.mass(u) + answer.mass(v)))
        .collect();
    let gain: f64 = accepted.iter().sum();
    let spare: Vec<f64> = p_hat
        .iter()
        .zip(&accepted)
        .map(|(p, m)| answer.unscaled(clean(scale * (p - m))))
        .collect();
    let all: f64 = spare.iter().sum();
    let share = if gain < 1.0 - WHOLE && all > 0.0 {
        (1.0 - gain) / all
    } else {
        0.0
    };
    let rejected = spare.iter().map(|spare| share * spare).collect();
    Ok(Optimum::of(grid, p_hat, accepted, rejected))
}
