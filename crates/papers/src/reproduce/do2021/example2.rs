//! Example 2: the best stationary policy on Table 1's law.

use super::instance::types;
use crate::reproduce::prelude::*;
use kleroterion_policies::committee::Cmdp;

/// The label of the stationary policy's lane.
const CMDP: &str = "cmdp";

/// A type: its name, its share among the candidates, and the probability with which it is accepted.
struct Type {
    name: String,
    p: f64,
    accepted: f64,
    /// Is it the senior men?
    common: bool,
}

pub(super) const STUDY: Study = Study::new(
    "do2021-example2",
    "Example 2 of Do et al. 2021: the best stationary policy",
    &[("do2021-example2", 400)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one("do2021-example2")?;
    let types = accepted(run)?;
    let gain: f64 = types.iter().map(|t| t.p * t.accepted).sum();
    let sizes = run.moments(CMDP, "screened")?;
    Ok(StudyFindings {
        statements: vec![
            "Table 1's law with ε′ = 1/6. The policy is that of the run: program (2) solved for \
             this law and target, not written down here."
                .into(),
        ],
        claims: vec![
            halves(&types),
            composition(run, &types, gain)?,
            pace(run, &sizes, gain)?,
        ],
        figures: vec![figure(run, &sizes, gain, &types)?],
        tables: vec![],
    })
}

fn accepted(run: &StudyRun) -> Result<Vec<Type>> {
    let schema = &run.plan.world.schema;
    let target = run.plan.target.as_ref();
    let target = target.ok_or_else(|| run.lacks("a target"))?;
    let policy = Cmdp::new(schema, target, run.law()?);
    let policy = policy.map_err(|error| run.lacks(&format!("a policy: {error}")))?;
    let types = types(run)?;
    let all = (0..schema.cells()).zip(types).map(|(cell, (names, p))| {
        let values = schema.values(cell);
        let word = |name: &str| match name {
            "M" => "male",
            "F" => "female",
            "S" => "senior",
            _ => "junior",
        };
        let words: Vec<&str> = names.iter().rev().map(|name| word(name)).collect();
        Type {
            name: words.join(" "),
            p,
            accepted: policy.acceptance().probability(&values),
            common: names == ["M", "S"],
        }
    });
    Ok(all.collect())
}

/// The probability of acceptance as printed.
fn acceptance(t: &Type) -> f64 {
    if t.common { 0.5 } else { 1.0 }
}

/// The share of the committee as printed.
fn share(t: &Type) -> f64 {
    match &*t.name {
        "junior male" | "senior female" => 0.3,
        _ => 0.2,
    }
}

fn halves(types: &[Type]) -> StudyClaim {
    let ours = types
        .iter()
        .map(|t| Number::computed(format!("{}:", t.name), t.accepted).against(acceptance(t)));
    let exact = types
        .iter()
        .all(|t| (t.accepted - acceptance(t)).abs() < 1e-9);
    let order = types.iter().all(|t| t.common == (t.accepted < 1.0 - 1e-9));
    StudyClaim::at("Example 2: the policy")
        .says(
            "“With the optimal policy for LP (2), each time the current volunteer is a senior \
             male, we select him with probability 1/2; all other volunteers are selected with \
             probability 1.”",
        )
        .rule(
            "each probability within 1e-9; in shape where senior males alone are refused at times",
        )
        .numbers(ours)
        .judged(exact, order, "the probabilities differ")
}

fn composition(run: &StudyRun, types: &[Type], gain: f64) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Example 2: the committee")
        .says(
            "“The expected final composition of the pool is 30% of junior male, 30% of senior \
             female, 20% of junior female and 20% of senior male.”",
        )
        .rule(
            "each share within 1e-9, and women and seniors of the simulated committees half of \
             them within 4 s.e.",
        );
    let ours = |t: &Type| t.p * t.accepted / gain;
    claim.numbers(
        types
            .iter()
            .map(|t| Number::computed(format!("{}:", t.name), ours(t)).against(share(t))),
    );
    let exact = types.iter().all(|t| (ours(t) - share(t)).abs() < 1e-9);
    let mut agreed = Holds::Yes;
    for (metric, what) in [("share.gender:F", "women"), ("share.age:S", "seniors")] {
        let share = run.mean(CMDP, metric, None)?;
        agreed &= share.agrees(0.5);
        claim.measured(format!("{what} in the committees:"), share);
    }
    Ok(claim.holds(agreed & exact, "the shares differ"))
}

fn pace(run: &StudyRun, sizes: &[u64], gain: f64) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Example 2: the pace")
        .says(
            "“As the policy selects in average 5/6 of the volunteers, the expected time until we \
             select K candidates is E[τ] = (6/5)K.”",
        )
        .rule("g* within 1e-9 of 5/6, and the simulated τ within 4 s.e. of 6K/5 at every K");
    claim
        .computed("accepted of those who come, g*:", gain)
        .printed(5.0 / 6.0);
    let mut agreed = Holds::from((gain - 5.0 / 6.0).abs() < 1e-9);
    for &k in sizes {
        let screened = run.mean(CMDP, "screened", Some(k))?;
        agreed &= screened.agrees(1.2 * k as f64);
        claim
            .measured(format!("τ/K at K = {k}:"), screened.times(1.0 / k as f64))
            .printed(6.0 / 5.0);
    }
    Ok(claim.holds(agreed, "the pace differs"))
}

fn figure(run: &StudyRun, sizes: &[u64], gain: f64, types: &[Type]) -> Result<Figure> {
    let mut simulated = Vec::new();
    let mut n = 0;
    for &k in sizes {
        let mean = run.mean(CMDP, "screened", Some(k))?.times(1.0 / k as f64);
        n = mean.n;
        simulated.push(mean.at(k as f64));
    }
    let bars = |share: &dyn Fn(&Type) -> f64| -> Vec<FigurePoint> {
        let bars = types.iter().enumerate();
        bars.map(|(at, t)| FigurePoint::new(at as f64, share(t)))
            .collect()
    };
    Ok(Figure {
        title: "The best stationary policy on Table 1's law".into(),
        caption: format!(
            "Example 2 of Do et al. 2021. Left: mean of {n} simulations and ± 2 standard errors, \
             over K, and the paper's 6/5. Right: who comes, and of whom the committee consists."
        ),
        panels: vec![
            Panel {
                marks: vec![level(1.2, "6/5")],
                ..plot(
                    "people screened for each member",
                    Axis::linear("committee size K"),
                    Axis::linear("τ/K").spanning(1.15, 1.25),
                    [Series::new("simulated", SeriesKind::Scatter, simulated)],
                )
            },
            plot(
                "who comes, who is chosen",
                Axis::names("type", types.iter().map(|t| t.name.as_str())),
                Axis::linear("share"),
                [
                    Series::new("candidates", SeriesKind::Bars, bars(&|t| t.p)),
                    Series::new(
                        "committee",
                        SeriesKind::Bars,
                        bars(&|t| t.p * t.accepted / gain),
                    ),
                ],
            ),
        ],
    })
}
