//! The small form where each cell has a bound of its own, `|p~(x) - p^(x)| <= b(x)`. The law surely
//! has `l = max(p^ - b, 0)` in a cell. In three parts `m = a + c + v`: `a <= l`, `c <= p^ - l`, and
//! `v <= b` beyond the estimate. A law that holds all of m exists where what is accepted beyond l
//! is no more than what the cells have to spare, `sum (c + v) <= sum (p^ - l)`. That is one row.

use super::linear::{ExtendedProgram, PRICE_OF_EACH, clean};
use super::optimum::Optimum;
use crate::committee::learning::grid::CellGrid;
use good_lp::{Expression, ResolutionError, Variable};

pub(super) fn solve(
    grid: &CellGrid,
    p_hat: &[f64],
    most: &[f64],
) -> Result<Optimum, ResolutionError> {
    let mut program = ExtendedProgram::new(grid);
    let scale = program.scale;
    let bounds = p_hat.iter().zip(most);
    let sure: Vec<f64> = bounds.map(|(p, most)| (p - most).max(0.0)).collect();
    let mut part = |size: &dyn Fn(usize) -> f64| -> Vec<Option<Variable>> {
        let open = grid.open().iter().enumerate();
        open.map(|(x, &open)| (open && size(x) > 0.0).then(|| program.mass(size(x))))
            .collect()
    };
    let within = part(&|x| sure[x]);
    let spared = part(&|x| p_hat[x] - sure[x]);
    let beyond = part(&|x| most[x].min(1.0));
    let moved: Expression = beyond.iter().flatten().sum();
    let spare: f64 = p_hat.iter().zip(&sure).map(|(p, sure)| p - sure).sum();
    let taken = moved.clone() + spared.iter().flatten().sum::<Expression>();
    program.row(taken.leq(scale * spare));
    let parts: [&[Option<Variable>]; 3] = [&within, &spared, &beyond];
    let answer = program.maximise(grid, &parts, PRICE_OF_EACH * moved)?;
    let accepted: Vec<f64> = (0..p_hat.len())
        .map(|x| answer.unscaled(parts.iter().map(|part| answer.mass(part[x])).sum()))
        .collect();
    let rejected = rest(p_hat, &sure, &accepted);
    Ok(Optimum::of(grid, p_hat, accepted, rejected))
}

/// Returns the law beyond the accepted mass: in each cell the mass it surely has. The rest up to 1
/// is shared in proportion to the room under the estimate.
fn rest(p_hat: &[f64], sure: &[f64], accepted: &[f64]) -> Vec<f64> {
    let cells = p_hat.len() as f64;
    let held: Vec<f64> = sure.iter().zip(accepted).map(|(l, m)| l.max(*m)).collect();
    let under = p_hat.iter().zip(&held);
    let under: Vec<f64> = under
        .map(|(p, held)| clean(cells * (p - held)) / cells)
        .collect();
    let left = clean(cells * (1.0 - held.iter().sum::<f64>())) / cells;
    let all: f64 = under.iter().sum();
    let share = if all > 0.0 { left / all } else { 0.0 };
    let each = held.iter().zip(accepted).zip(&under);
    each.map(|((held, m), under)| held - m + share * under)
        .collect()
}
