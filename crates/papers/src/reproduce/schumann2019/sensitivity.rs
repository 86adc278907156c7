//! Section 7.3: the cost of SWAP's interviews, and the risk taken, at several delta and epsilon.

use super::applicants::{first_utilities, members};
use super::lanes::{COST, SWAP};
use crate::reproduce::prelude::*;
use kleroterion_policies::cohort::{CohortShape, Objective, TopK};

const PRESET: &str = "schumann2019-sensitivity";

/// A pair of delta and epsilon, with its results.
struct Tuning<'a> {
    delta: f64,
    epsilon: f64,
    run: &'a StudyRun,
    cost: StudyEstimate,
    /// The share of runs that return the best cohort.
    optimal: StudyShare,
    /// The shortfall of the cohort's worth from the best.
    loss: StudyEstimate,
    /// The share of runs whose cohort is worth at most epsilon less.
    kept: StudyShare,
}

impl<'a> Tuning<'a> {
    fn of(run: &'a StudyRun, best: f64) -> Result<Self> {
        let epsilon = run.swept("policy.SWAP.stop.within")?;
        let values = run.values(SWAP, "cohort_value", None)?;
        let losses: Vec<f64> = values.iter().map(|value| best - value).collect();
        // Sums of the same utilities may be rounded otherwise.
        let kept = losses.iter().map(|loss| loss - epsilon <= 1e-9 * best);
        Ok(Self {
            delta: run.swept("policy.SWAP.delta")?,
            epsilon,
            run,
            cost: run.mean(SWAP, COST, None)?,
            optimal: run.rate(SWAP, "optimal")?,
            kept: run.share(kept)?,
            loss: run.estimate(losses.iter().copied())?,
        })
    }

    fn words(&self) -> String {
        format!("at δ = {}, ε = {}:", self.delta, self.epsilon)
    }
}

/// The settings, by epsilon and then by delta.
struct TuningGrid<'a> {
    rows: Vec<Vec<Tuning<'a>>>,
}

impl<'a> TuningGrid<'a> {
    fn of(runs: &'a [StudyRun], best: f64) -> Result<Self> {
        let mut settings = runs
            .iter()
            .map(|run| Tuning::of(run, best))
            .collect::<Result<Vec<_>, _>>()?;
        settings.sort_by(|a, b| {
            let by_epsilon = a.epsilon.total_cmp(&b.epsilon);
            by_epsilon.then(a.delta.total_cmp(&b.delta))
        });
        let mut rows: Vec<Vec<Tuning<'_>>> = Vec::new();
        for setting in settings {
            match rows.last_mut() {
                Some(row) if row[0].epsilon == setting.epsilon => row.push(setting),
                _ => rows.push(vec![setting]),
            }
        }
        Ok(Self { rows })
    }

    fn all(&self) -> impl Iterator<Item = &Tuning<'a>> {
        self.rows.iter().flatten()
    }

    /// The setting of the least delta and epsilon, and that of the greatest.
    fn ends(&self) -> Option<[&Tuning<'a>; 2]> {
        Some([self.rows.first()?.first()?, self.rows.last()?.last()?])
    }
}

/// The worth of the best cohort.
fn best(run: &StudyRun) -> Result<f64> {
    let utilities = first_utilities(run)?;
    let shape = CohortShape {
        members: members(run)?,
        groups: vec![0; utilities.len()],
    };
    let best = TopK.best_slots(&shape, &utilities);
    Ok(best.iter().map(|&slot| utilities[slot as usize]).sum())
}

pub(super) const STUDY: Study = Study::new(
    "schumann2019-sensitivity",
    "Section 7.3 of Schumann et al. 2019: what interviews cost and what is risked, by delta and \
     epsilon",
    &[("schumann2019-sensitivity", 250)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let runs = runs.of(PRESET)?;
    let best = best(&runs[0])?;
    let grid = TuningGrid::of(runs, best)?;
    let ends = grid.ends().ok_or_else(|| runs[0].lacks("a sweep"))?;
    Ok(StudyFindings {
        statements: vec![format!(
            "The paper proposes such a study and makes none; instance and values are ours: ten \
             applicants worth 0, 1/9, … 1, of whom three are chosen by the sum of utilities, σ = \
             0.2, s = 5, j = 2. The best cohort is worth {best:.3}, the next best 1/9 less. ε = 0 \
             is the exact stop. All settings are played on the same draws."
        )],
        claims: vec![exact(&grid), within(&grid)?, falls(&grid)?, risks(ends)?],
        figures: vec![figure(&grid, ends[0].cost.n)],
        tables: vec![("Cost and risk at each δ and ε".into(), table(&grid))],
    })
}

fn exact(grid: &TuningGrid<'_>) -> StudyClaim {
    let exact: Vec<&Tuning<'_>> = grid.all().filter(|at| at.epsilon == 0.0).collect();
    let each = exact.iter().map(|at| at.optimal.above(1.0 - at.delta));
    let ours = exact.iter().map(|at| {
        let what = format!(
            "share of runs that return the best cohort at δ = {}:",
            at.delta
        );
        Number::share(what, at.optimal)
    });
    StudyClaim::at("Theorem 4.4: δ")
        .says(
            "“… with probability at least (1 − δ₁)(1 − δ₂)(1 − δ₃) the SWAP algorithm (Algorithm \
             1) returns the optimal set Out = M*”",
        )
        .rule(
            "at every δ the exact stop (ε = 0) returns the best cohort in more than 1 − δ of the \
             runs (with δ₂ = δ₃ = 0, which asks for most)",
        )
        .numbers(ours)
        .holds(Holds::all(each), "it is returned less often")
}

fn within(grid: &TuningGrid<'_>) -> Result<StudyClaim> {
    let relaxed: Vec<&Tuning<'_>> = grid.all().filter(|at| at.epsilon > 0.0).collect();
    let each = relaxed.iter().map(|at| at.kept.above(1.0 - at.delta));
    let worst = relaxed.iter().min_by(|a, b| {
        let spare = |at: &Tuning<'_>| at.kept.share() - (1.0 - at.delta);
        spare(a).total_cmp(&spare(b))
    });
    let worst = worst.ok_or_else(|| StudyError::Missing("no ε above 0 was played".into()))?;
    Ok(StudyClaim::at("Section 6.2: ε")
        .says(
            "“… we can use a probably approximately correct (PAC) relaxation of Algorithm 1 where \
             Line 14 becomes If |w(M̃t) − w(Mt)| ≤ ε.”",
        )
        .rule(
            "at every δ and every ε above 0 the cohort is worth at most ε less than the best in \
             more than 1 − δ of the runs; shown is where least is to spare",
        )
        .share(
            format!("share of such cohorts {}", worst.words()),
            worst.kept,
        )
        .holds(Holds::all(each), "at some it is less often"))
}

/// The paper's words on a sensitivity study.
const PROPOSED: &str = "“The choice of δ and ε could be determined via a \
                        sensitivity-analysis-style study, where simulations are run using various \
                        settings of δ and ε. Policymakers can then judge the simulated risks and \
                        rewards to define the parameters.”";

fn falls(grid: &TuningGrid<'_>) -> Result<StudyClaim> {
    let mut steps = Vec::new();
    for (at, row) in grid.rows.iter().enumerate() {
        for (nth, setting) in row.iter().enumerate() {
            let next_delta = row.get(nth + 1);
            let next_epsilon = grid.rows.get(at + 1).and_then(|next| next.get(nth));
            for next in [next_delta, next_epsilon].into_iter().flatten() {
                let less = next.run.beyond(setting.run, SWAP, COST, None)?;
                steps.push(less.below(0.0));
            }
        }
    }
    let all = Holds::all(steps.iter().copied());
    let sure = steps.iter().filter(|holds| **holds == Holds::Yes).count();
    let none_rises = steps.iter().all(|holds| *holds != Holds::No);
    let ends = grid
        .ends()
        .ok_or_else(|| StudyError::Missing("nothing was played".into()))?;
    let whole = ends[1].run.beyond(ends[0].run, SWAP, COST, None)?;
    let mut claim = StudyClaim::at("Section 7.3: the reward").says(PROPOSED).rule(
        "the cost falls from each δ to the next at every ε, and from each ε to the next at every \
         δ; in shape where it falls from one end to the other and surely rises at no step",
    );
    claim.numbers(
        ends.iter()
            .map(|at| Number::measured(format!("cost {}", at.words()), at.cost)),
    );
    claim.computed("steps of δ or ε:", steps.len() as f64);
    claim.computed("steps at which it surely falls:", sure as f64);
    Ok(claim.judged(
        all,
        whole.below(0.0) & none_rises,
        "it does not surely fall at every step",
    ))
}

fn risks([strict, loose]: [&Tuning<'_>; 2]) -> Result<StudyClaim> {
    let fewer = loose.run.beyond(strict.run, SWAP, "optimal", None)?;
    let ours = [strict, loose].map(|at| {
        [
            Number::share(
                format!("share of runs that return the best cohort {}", at.words()),
                at.optimal,
            ),
            Number::measured(format!("w lost {}", at.words()), at.loss),
        ]
    });
    Ok(StudyClaim::at("Section 7.3: the risk")
        .says(PROPOSED)
        .rule(
            "the best cohort is missed more often, and more of w lost, at the greatest δ and ε \
             than at the least",
        )
        .numbers(ours.into_iter().flatten())
        .holds(
            fewer.below(0.0) & loose.loss.less(strict.loss).above(0.0),
            "it is not missed more often",
        ))
}

fn figure(grid: &TuningGrid<'_>, runs: u64) -> Figure {
    let lines = |of: fn(&Tuning<'_>) -> StudyEstimate| {
        let line = move |row: &Vec<Tuning<'_>>| {
            let points = row
                .iter()
                .map(|at| Spread::Errors(3.0).around(at.delta, of(at)));
            let name = match row[0].epsilon {
                0.0 => "ε = 0 (exact)".to_owned(),
                epsilon => format!("ε = {epsilon}"),
            };
            Series::new(name, SeriesKind::Line, points)
        };
        grid.rows.iter().map(line)
    };
    let cost = Axis::log("cost, in weak interviews");
    let lost = Axis::linear("w lost on average");
    Figure {
        title: "Section 7.3 of Schumann et al. 2019: sensitivity to δ and ε".into(),
        caption: format!(
            "What SWAP's interviews cost, and how much of w is lost against the best cohort, by δ \
             and ε, on an instance of ours (n = 10, K = 3). Means of {runs} runs and three \
             standard errors."
        ),
        panels: vec![
            plot("Cost", Axis::log("δ"), cost, lines(|at| at.cost)),
            plot("Risk", Axis::log("δ"), lost, lines(|at| at.loss)),
        ],
    }
}

fn table(grid: &TuningGrid<'_>) -> FigureTable {
    let headers = [
        "ε",
        "δ",
        "cost",
        "± s.e.",
        "best cohort (share)",
        "w lost",
        "± s.e.",
        "within ε of the best (share)",
    ];
    let row = |at: &Tuning<'_>| {
        let ([cost, cost_se], [loss, loss_se]) = (cells(at.cost), cells(at.loss));
        let [epsilon, delta, optimal, kept] =
            [at.epsilon, at.delta, at.optimal.share(), at.kept.share()].map(Cell::number);
        vec![epsilon, delta, cost, cost_se, optimal, loss, loss_se, kept]
    };
    tabulate(headers, grid.all().map(row))
}
