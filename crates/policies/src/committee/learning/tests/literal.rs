//! ExtendedProgram (5) word for word (its fourth constraint mended), in the paper's order and with
//! no tie-break: a check of the production's forms that shares nothing with them.

use super::*;
use crate::committee::program::ProgramError;
use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, microlp,
    variable,
};

/// A solution: `mu(x,0)` and `mu(x,1)` by cell.
pub struct Literal {
    rejected: Vec<f64>,
    accepted: Vec<f64>,
}

impl Literal {
    pub fn solve(instance: &Instance, p_hat: &[f64], beta: f64) -> Result<Self, ResolutionError> {
        let mut variables = ProblemVariables::new();
        let mut column = || -> Vec<Variable> {
            let one = || variables.add(variable().min(0.0));
            std::iter::repeat_with(one).take(p_hat.len()).collect()
        };
        let (rejected, accepted, slack) = (column(), column(), column());
        let all: Expression = rejected.iter().chain(&accepted).sum();
        let mut rows = vec![all.eq(1)];
        let cells = || p_hat.iter().enumerate();
        rows.extend(cells().map(|(x, &p)| (rejected[x] + accepted[x] - slack[x]).leq(p)));
        rows.extend(cells().map(|(x, &p)| (rejected[x] + accepted[x] + slack[x]).geq(p)));
        // Two laws are never further apart than 2.
        rows.push(slack.iter().sum::<Expression>().leq(beta.min(2.0)));
        for (i, targets) in instance.rho.iter().enumerate() {
            let below: usize = instance.levels[i + 1..].iter().product();
            for (j, rho) in targets.iter().enumerate() {
                let mut sum = Expression::from(0);
                for (x, &m) in accepted.iter().enumerate() {
                    let has = f64::from(u8::from(x / below % targets.len() == j));
                    sum.add_mul(has - rho, m);
                }
                rows.push(sum.eq(0));
            }
        }
        let mut model = variables
            .maximise(accepted.iter().sum::<Expression>())
            .using(microlp);
        for row in rows {
            model.add_constraint(row);
        }
        let solution = model.solve()?;
        let masses = |column: &[Variable]| {
            let values = column.iter().map(|&x| solution.value(x).max(0.0));
            values.collect()
        };
        Ok(Self {
            rejected: masses(&rejected),
            accepted: masses(&accepted),
        })
    }

    pub fn gain(&self) -> f64 {
        self.accepted.iter().sum()
    }
}

/// Algorithm 1's planner by it: delta .05, 1/2 where the law is 0.
pub struct LiteralOptimist {
    pub instance: Instance,
    pub scale: f64,
}

impl Planner for LiteralOptimist {
    fn plan(&mut self, counts: &Counts) -> Result<Vec<f64>, ProgramError> {
        let beta = radius(self.instance.p.len(), counts.screened(), 0.05, self.scale);
        let optimum = Literal::solve(&self.instance, &counts.shares(), beta);
        let optimum = optimum.map_err(|error| ProgramError::Unsolved(vec![error.to_string()]))?;
        let cells = optimum.accepted.iter().zip(&optimum.rejected);
        let pi = cells.map(|(m, r)| if m + r > 1e-11 { m / (m + r) } else { 0.5 });
        Ok(pi.collect())
    }
}
