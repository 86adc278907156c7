//! The integer program: x(kind) people of each kind, a committee in all, not more than a group has.

use good_lp::solvers::microlp::MicroLpProblem;
use good_lp::{
    Expression, ProblemVariables, ResolutionError, SolverModel, Variable, microlp, variable,
};

use super::supply::{Bound, Relaxation, Shift, Supply};
use kleroterion_core::protocol::Side;

/// Numbers this near to whole ones are whole.
const NEAR: f64 = 1e-5;

/// Committees of a size among some people.
pub(super) struct SeatingProgram<'a> {
    supply: &'a Supply,
    members: u32,
    nodes: u64,
}

/// The answer of a solver.
pub(super) enum Solved {
    /// The variables, in the order in which they were added, and whether they are proved to be
    /// optimal.
    Values {
        values: Vec<f64>,
        proved: bool,
    },
    Infeasible,
    Undecided,
}

impl<'a> SeatingProgram<'a> {
    pub(super) fn new(supply: &'a Supply, members: u32, nodes: u64) -> Self {
        Self {
            supply,
            members,
            nodes,
        }
    }

    /// The committee that misses bounds by the fewest seats in all, as shifts of the bounds that
    /// let it be. `room`: by how many seats each bound may be missed; by any number where it is not
    /// given.
    pub(super) fn nearest(&self, bounds: &[Bound], room: Option<&[u32]>) -> Relaxation {
        let mut variables = ProblemVariables::new();
        let people = self.people(&mut variables, true);
        let missed: Vec<Variable> = (0..bounds.len())
            .map(|at| {
                let missed = variable().min(0);
                variables.add(match room {
                    Some(room) => missed.max(room[at]),
                    None => missed,
                })
            })
            .collect();
        let total: Expression = missed.iter().sum();
        let mut model = variables.minimise(total).using(microlp);
        self.constrain(&mut model, &people);
        for (sum, (bound, missed)) in self.sums(bounds, &people).zip(bounds.iter().zip(&missed)) {
            let seats = f64::from(bound.seats);
            model.add_constraint(match bound.side {
                Side::Min => (sum + missed).geq(seats),
                Side::Max => (sum - missed).leq(seats),
            });
        }
        match self.solve(&model) {
            Solved::Values { values, proved } => {
                let shifts = self.shifts(bounds, &values[..people.len()]);
                let least = proved;
                shifts.map_or(Relaxation::Undecided, |shifts| Relaxation::Shifts {
                    shifts,
                    least,
                })
            }
            Solved::Infeasible if room.is_some() => Relaxation::None,
            Solved::Infeasible | Solved::Undecided => Relaxation::Undecided,
        }
    }

    /// Returns true if all bounds can be met, by whole people or, without `whole`, by fractions of
    /// people. `None` if that is not decided.
    pub(super) fn meets(&self, bounds: &[Bound], whole: bool) -> Option<bool> {
        if whole {
            return Some(self.committee(bounds)?.is_some());
        }
        match self.within(bounds, false) {
            Solved::Values { .. } => Some(true),
            Solved::Infeasible => Some(false),
            Solved::Undecided => None,
        }
    }

    /// The people of each kind in a committee that meets all bounds, the inner none where there is
    /// no such committee; nothing where that was not decided.
    pub(super) fn committee(&self, bounds: &[Bound]) -> Option<Option<Vec<u64>>> {
        match self.within(bounds, true) {
            Solved::Values { values, .. } => {
                let shifts = self.shifts(bounds, &values)?;
                let counts = self.whole(&values)?;
                shifts.is_empty().then_some(Some(counts))
            }
            Solved::Infeasible => Some(None),
            Solved::Undecided => None,
        }
    }

    /// Finds any people who meet all bounds, whole ones or fractions.
    fn within(&self, bounds: &[Bound], whole: bool) -> Solved {
        let mut variables = ProblemVariables::new();
        let people = self.people(&mut variables, whole);
        let mut model = variables.minimise(0).using(microlp);
        self.constrain(&mut model, &people);
        for (sum, bound) in self.sums(bounds, &people).zip(bounds) {
            let seats = f64::from(bound.seats);
            model.add_constraint(match bound.side {
                Side::Min => sum.geq(seats),
                Side::Max => sum.leq(seats),
            });
        }
        self.solve(&model)
    }

    /// Makes the variables x, one per kind.
    pub(super) fn people(&self, variables: &mut ProblemVariables, whole: bool) -> Vec<Variable> {
        let groups = self.supply.groups.iter();
        groups
            .flat_map(|group| {
                let most = group.most.map_or(self.members, |m| m.min(self.members));
                let count = variable().min(0).max(f64::from(most));
                let count = if whole { count.integer() } else { count };
                variables.add_vector(count, group.kinds.len())
            })
            .collect()
    }

    /// A committee in all, and no more of a group than there are.
    pub(super) fn constrain(&self, model: &mut MicroLpProblem, people: &[Variable]) {
        for kinds in &self.supply.totals {
            let sum: Expression = kinds.iter().map(|kind| people[*kind]).sum();
            model.add_constraint(sum.eq(f64::from(self.members)));
        }
        for group in self.supply.groups.iter().filter(|g| g.kinds.len() > 1) {
            if let Some(most) = group.most {
                let sum: Expression = people[group.kinds.clone()].iter().sum();
                model.add_constraint(sum.leq(f64::from(most)));
            }
        }
    }

    /// Returns, for each bound, the number of members with its value as an expression.
    fn sums(&self, bounds: &[Bound], people: &[Variable]) -> impl Iterator<Item = Expression> {
        let sum = |bound: &Bound| {
            let kinds = self.supply.kinds.iter().zip(people);
            let with = kinds.filter(|(kind, _)| has(kind, bound));
            with.map(|(_, count)| *count).sum()
        };
        bounds
            .iter()
            .map(sum)
            .collect::<Vec<Expression>>()
            .into_iter()
    }

    /// Solves within the nodes allowed. good_lp itself limits seconds alone, and then the answer
    /// would depend on the machine, so its solver is asked directly.
    pub(super) fn solve(&self, model: &MicroLpProblem) -> Solved {
        let ask = |options| model.as_inner().solve_with(options);
        let mut options = default_argument(&ask);
        options.node_limit = Some(self.nodes);
        match ask(options).map_err(ResolutionError::from) {
            Ok(outcome) => match outcome.solution() {
                Some(found) => Solved::Values {
                    values: found.iter().map(|(_, value)| value).collect(),
                    proved: outcome.is_optimal(),
                },
                None => Solved::Undecided,
            },
            Err(ResolutionError::Infeasible) => Solved::Infeasible,
            Err(_) => Solved::Undecided,
        }
    }

    /// Returns the shifts by which a committee misses the bounds, in whole numbers. `None` if it is
    /// no committee of the supply.
    fn shifts(&self, bounds: &[Bound], counts: &[f64]) -> Option<Vec<Shift>> {
        let counts = self.whole(counts)?;
        let shift = |bound: &Bound| {
            let kinds = self.supply.kinds.iter().zip(&counts);
            let with = kinds.filter(|(kind, _)| has(kind, bound));
            let seated = with.map(|(_, count)| *count as u32).sum();
            let missed = match bound.side {
                Side::Min => seated < bound.seats,
                Side::Max => seated > bound.seats,
            };
            missed.then_some(Shift {
                bound: *bound,
                to: seated,
            })
        };
        Some(bounds.iter().filter_map(shift).collect())
    }

    /// The people of each kind in whole numbers; nothing where they are no committee of the supply.
    pub(super) fn whole(&self, counts: &[f64]) -> Option<Vec<u64>> {
        let whole = |count: &f64| {
            let near = count.round();
            ((count - near).abs() < NEAR && near >= 0.0).then_some(near as u64)
        };
        let counts: Vec<u64> = counts.iter().map(whole).collect::<Option<_>>()?;
        let mut totals = self.supply.totals.iter();
        let all = totals.all(|kinds| {
            let sum: u64 = kinds.iter().map(|kind| counts[*kind]).sum();
            sum == u64::from(self.members)
        });
        let within = self.supply.groups.iter().all(|group| {
            let sum: u64 = counts[group.kinds.clone()].iter().sum();
            group.most.is_none_or(|most| sum <= u64::from(most))
        });
        (all && within).then_some(counts)
    }
}

fn has(kind: &[(usize, u16)], bound: &Bound) -> bool {
    let mut pairs = kind.iter();
    pairs.any(|(i, j)| *i == bound.attribute && usize::from(*j) == bound.value)
}

/// The default of a function's argument, whose type good_lp does not name.
fn default_argument<T: Default, R>(_: &impl Fn(T) -> R) -> T {
    T::default()
}
