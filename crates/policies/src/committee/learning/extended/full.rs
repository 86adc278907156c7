//! The full form. With d+ and d- what the law gains and loses in a cell, `p~ = p^ + d+ - d-`: then
//! `beta(x) = d+(x) + d-(x)`, and as `sum d+ = sum d-` for two laws, the radius says
//! `sum d+ <= beta_l / 2`. Of mu(x,0) there remains that it is not negative:
//! `m(x) <= p^(x) + d+(x) - d-(x)`. The same program with half the rows.

use super::linear::{ExtendedProgram, PRICE, PRICE_OF_EACH, clean, room};
use super::optimum::Optimum;
use crate::committee::learning::ConfidenceReach;
use crate::committee::learning::grid::CellGrid;
use good_lp::{Expression, ResolutionError, Variable};

pub(super) fn solve(
    grid: &CellGrid,
    p_hat: &[f64],
    reach: &ConfidenceReach,
) -> Result<Optimum, ResolutionError> {
    let mut program = ExtendedProgram::new(grid);
    let scale = program.scale;
    let most = |x: usize| match reach {
        ConfidenceReach::Together(_) => 1.0,
        ConfidenceReach::Each(most) => most[x].min(1.0),
    };
    let losses = p_hat.iter().enumerate();
    let lost: Vec<Variable> = losses.map(|(x, &p)| program.mass(p.min(most(x)))).collect();
    // No one is accepted in a cell that is not open, so no law gains there.
    let mut of_open = |most: &dyn Fn(usize) -> f64| -> Vec<Option<Variable>> {
        let open = grid.open().iter().enumerate();
        open.map(|(x, &open)| open.then(|| program.mass(most(x))))
            .collect()
    };
    let gained = of_open(&most);
    let accepted = of_open(&|_| 1.0);
    let moved: Expression = gained.iter().flatten().sum();
    program.row((moved.clone() - lost.iter().sum::<Expression>()).eq(0));
    for (x, p) in p_hat.iter().enumerate() {
        if let (Some(m), Some(more)) = (accepted[x], gained[x]) {
            program.row((m - more + lost[x]).leq(scale * p));
        }
    }
    let price = match reach {
        ConfidenceReach::Together(radius) => {
            program.row(moved.clone().leq(scale * room(*radius)));
            PRICE
        }
        ConfidenceReach::Each(_) => PRICE_OF_EACH,
    };
    let answer = program.maximise(grid, &[&accepted], price * moved)?;
    let cells = 0..p_hat.len();
    let (accepted, rejected) = cells
        .map(|x| {
            let m = answer.mass(accepted[x]);
            let law = scale * p_hat[x] + answer.mass(gained[x]) - answer.mass(Some(lost[x]));
            (answer.unscaled(m), answer.unscaled(clean(law - m)))
        })
        .unzip();
    Ok(Optimum::of(grid, p_hat, accepted, rejected))
}
