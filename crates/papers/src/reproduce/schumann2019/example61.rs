//! Example 6.1: by the sum of utilities the best cohort is of one class, by w_div it is of both.

use super::applicants::{delta, first_utilities, groups, members};
use super::lanes::{COST, OPTIMAL, STRONG, SWAP, WEAK, own};
use crate::reproduce::prelude::*;
use kleroterion_policies::cohort::{CohortShape, Diverse, Objective, TopK};

const PRESET: &str = "schumann2019-example61";

/// The label of the lane that maximises the sum of utilities.
const TOP: &str = "top K";

/// The three applicants.
struct Example {
    shape: CohortShape,
    utilities: Vec<f64>,
}

impl Example {
    fn of(run: &StudyRun) -> Result<Self> {
        Ok(Self {
            shape: CohortShape {
                members: members(run)?,
                groups: groups(run)?,
            },
            utilities: first_utilities(run)?,
        })
    }

    /// w of some of the applicants, by slot.
    fn worth(&self, objective: &impl Objective, slots: &[u32]) -> f64 {
        let cohort: Vec<bool> = (0..)
            .take(self.utilities.len())
            .map(|slot| slots.contains(&slot))
            .collect();
        objective.worth(&self.shape, &self.utilities, &cohort)
    }
}

pub(super) const STUDY: Study = Study::new(
    "schumann2019-example61",
    "Example 6.1 of Schumann et al. 2019: the best cohort by the sum of utilities and by w_div",
    &[("schumann2019-example61", 200)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let example = Example::of(run)?;
    Ok(StudyFindings {
        statements: vec![
            "Utilities, classes and K are the paper's, which only computes here. In our runs σ = \
             0.1, δ = 0.05, s = 5, j = 2; by the sum of utilities SWAP stops when it is certain, \
             by w_div at ε = 0.01 (Section 6.2)."
                .into(),
        ],
        claims: vec![
            cohorts(run, &example)?,
            values(&example),
            diminishing(&example),
        ],
        figures: vec![],
        tables: vec![("What the interviews cost".into(), table(run)?)],
    })
}

fn cohorts(run: &StudyRun, example: &Example) -> Result<StudyClaim> {
    let best = [
        example_best(example, &TopK),
        example_best(example, &Diverse::new(0)),
    ];
    let likely = 1.0 - delta(PRESET)?;
    let exact = (best == [vec![0, 1], vec![0, 2]]).into();
    let mut claim = StudyClaim::at("Example 6.1: the cohorts")
        .says(
            "“… for a cohort of size K = 2, w_top will select cohort M*_top = {a1, a2}, while \
             w_div will select cohort M*_div = {a1, a3}.”",
        )
        .rule(
            "these are the best cohorts at the true utilities, and SWAP returns them in surely \
             more than 1 − δ of the runs; in shape where the first alone holds",
        );
    let mut holds: Holds = exact;
    for (label, name) in [(TOP, "w_top"), (SWAP, "w_div")] {
        let optimal = run.rate(label, &own(run, label, OPTIMAL))?;
        holds &= optimal.above(likely);
        let what = format!("share of runs that return the best cohort by {name}:");
        claim.share(what, optimal);
    }
    // Of a cohort of two: none of class 2, and one.
    for (label, name, share) in [(TOP, "w_top", 0.0), (SWAP, "w_div", 0.5)] {
        let of_two = run.values(label, "share.2", None)?.into_iter();
        let as_said = run.share(of_two.map(|of_two| of_two == share))?;
        holds &= as_said.above(likely);
        let what = format!("share of runs with {share} of class 2 in the cohort by {name}:");
        claim.share(what, as_said);
    }
    Ok(claim.judged(holds, exact, "SWAP does not return them so often"))
}

fn example_best(example: &Example, objective: &impl Objective) -> Vec<u32> {
    objective.best_slots(&example.shape, &example.utilities)
}

fn values(example: &Example) -> StudyClaim {
    let div = Diverse::new(0);
    let (top, diverse) = ([0, 1], [0, 2]);
    // What the paper prints, and to how many digits.
    let printed = [
        ("w_top(M*_top):", example.worth(&TopK, &top), 1.1, 0.05),
        ("w_top(M*_div):", example.worth(&TopK, &diverse), 0.9, 0.05),
        ("w_div(M*_top):", example.worth(&div, &top), 1.05, 0.005),
        ("w_div(M*_div):", example.worth(&div, &diverse), 1.3, 0.05),
    ];
    let rounds = printed
        .iter()
        .all(|(_, ours, paper, half)| (ours - paper).abs() <= *half);
    let ordered = printed[0].1 > printed[1].1 && printed[2].1 < printed[3].1;
    let ours = printed
        .iter()
        .map(|(what, ours, paper, _)| Number::computed(*what, *ours).against(*paper));
    StudyClaim::at("Example 6.1: what the cohorts are worth")
        .says(
            "“Indeed, w_top(M*_top) = 1.1 > 0.9 = w_top(M*_div), while w_div(M*_top) = √1.1 ≈ 1.05 \
             < 1.3 ≈ √0.6 + √0.3 = w_div(M*_div).”",
        )
        .rule("the four values round to what is printed; in shape where the order is the same")
        .numbers(ours)
        .judged(rounds, ordered, "the order is the same, the values differ")
}

fn diminishing(example: &Example) -> StudyClaim {
    let div = Diverse::new(0);
    let gain = |of: u32, others: &[u32]| {
        let with: Vec<u32> = [others, &[of]].concat();
        example.worth(&div, &with) - example.worth(&div, others)
    };
    let (alone, with_a1, other) = (gain(1, &[]), gain(1, &[0]), gain(2, &[0]));
    StudyClaim::at("Section 6.1: diminishing gain")
        .says(
            "“As soon as an arm is selected from a class, other arms from that class experience \
             diminishing gain due to the square root function.”",
        )
        .rule(
            "a2 adds less to w_div with a1, of its class, than alone, and less there than a3, \
             who is worth less",
        )
        .computed("what a2 adds alone:", alone)
        .computed("what a2 adds to {a1}:", with_a1)
        .computed("what a3 adds to {a1}:", other)
        .judged(
            with_a1 < alone && with_a1 < other,
            with_a1 < alone,
            "it diminishes, but a3 adds less",
        )
}

fn table(run: &StudyRun) -> Result<FigureTable> {
    let row = |(label, how): (&str, &str)| {
        let cost = run.mean(label, COST, None)?;
        let optimal: StudyEstimate = run.mean(label, &own(run, label, OPTIMAL), None)?;
        Ok(vec![
            text(how),
            Cell::number(cost.mean),
            Cell::number(cost.se.unwrap_or(f64::NAN)),
            Cell::number(optimal.mean),
        ])
    };
    let rows = [
        (TOP, "w_top, SWAP"),
        (SWAP, "w_div, SWAP"),
        (STRONG, "w_div, strong interviews alone"),
        (WEAK, "w_div, weak interviews alone"),
    ]
    .map(row);
    let headers = [
        "",
        "mean cost, in weak interviews",
        "± s.e.",
        "share of best cohorts",
    ];
    Ok(FigureTable {
        headers: headers.map(str::to_owned).into(),
        rows: rows.into_iter().collect::<Result<_>>()?,
    })
}
