//! Example 1: greedy waits for the rare.

use super::instance::{share_of, types};
use super::wait::{Wait, wait};
use crate::reproduce::prelude::*;
use kleroterion_core::protocol::{Ending, Until};
use kleroterion_policies::committee::Greedy;

/// The label of the greedy lane.
const GREEDY: &str = "greedy";

/// One eps'.
struct Scarcity<'a> {
    /// The share of junior women, eps'.
    rare: f64,
    run: &'a StudyRun,
    exact: Wait,
    /// The probability that the first three are one senior woman and two senior men, and greedy
    /// takes them: the event A.
    event: f64,
}

pub(super) const STUDY: Study = Study::new(
    "do2021-example1",
    "Example 1 of Do et al. 2021: greedy waits for the rare",
    &[("do2021-example1", 2000)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let cases: Result<Vec<Scarcity<'_>>, _> =
        runs.of("do2021-example1")?.iter().map(case).collect();
    let mut cases = cases?;
    cases.sort_by(|a, b| b.rare.total_cmp(&a.rare));
    let positive: Vec<&Scarcity<'_>> = cases.iter().filter(|case| case.rare > 0.0).collect();
    let mut claims = vec![
        probability(&positive),
        lower_bound(&positive)?,
        growth(&positive),
    ];
    if let Some(none) = cases.iter().find(|case| case.rare == 0.0) {
        claims.push(stall(none)?);
    }
    Ok(StudyFindings {
        statements: vec![
            "Table 1's law, K = 4, tolerance 0, at ε′ = .1, .01, .001 and 0. E τ is exact, by \
             enumeration of greedy's own decisions; the simulation comes with it. The paper \
             gives no value of E τ, only the bound."
                .into(),
        ],
        claims,
        figures: vec![figure(&positive)?],
        tables: vec![],
    })
}

fn probability(cases: &[&Scarcity<'_>]) -> StudyClaim {
    let mut numbers = Vec::new();
    let mut factors = Vec::new();
    for case in cases {
        let at = format!("ε′ = {}:", case.rare);
        let printed = 1.5 * (0.5 - case.rare) * (0.5 - case.rare);
        factors.push(case.event / printed);
        numbers.push(Number::computed(format!("{at} P[A]"), case.event).against(printed));
        numbers.push(Number::computed(format!("{at} as printed"), printed));
    }
    let factor = factors.first().copied().unwrap_or(f64::NAN);
    let constant = factors.iter().all(|f| (f - factor).abs() < 1e-9);
    StudyClaim::at("Example 1: probability of A")
        .says("“P[A] = 1/4 (1/2 − ε′)² × 3! = 3/2 (1/2 − ε′)² ≥ 3/2 (1/3)² = 1/6.”")
        .rule(
            "equal to 1e-9 at every ε′; in shape where it is the same multiple of what is \
             printed at every ε′, so that it stays away from 0 as the argument needs",
        )
        .numbers(numbers)
        .judged(
            (factor - 1.0).abs() < 1e-9 && constant,
            constant && factor > 0.0,
            format!(
                "{factor:.3} of what is printed at every ε′: one FS and two MS come in 3 \
                 orders, not 3! = 6; all else of the argument stands with 1/12 for 1/6"
            ),
        )
}

fn lower_bound(cases: &[&Scarcity<'_>]) -> Result<StudyClaim> {
    let mut numbers = Vec::new();
    let (mut agreed, mut held) = (Holds::Yes, Holds::Yes);
    for case in cases {
        let at = format!("ε′ = {}:", case.rare);
        let least = 1.0 / (6.0 * case.rare);
        let simulated = case.run.mean(GREEDY, "screened", None)?;
        agreed &= simulated.agrees(case.exact.screened);
        held &= case.exact.screened >= least;
        numbers.push(Number::computed(format!("{at} E τ"), case.exact.screened));
        numbers.push(Number::measured(format!("{at} simulated"), simulated));
        numbers.push(Number::computed(format!("{at} 1/6ε′"), least));
    }
    Ok(StudyClaim::at("Example 1: lower bound")
        .says(
            "“τ|A follows a geometric distribution with success probability ε′, hence its \
             expectation is 1/ε′, and E[τ] ≥ E[τ|A] × P[A] = 1/6ε′.”",
        )
        .rule(
            "E τ by enumeration is at least 1/6ε′ at every ε′, and the simulated mean is \
             within 4 s.e. of it",
        )
        .numbers(numbers)
        .judged(held & agreed, held, "the simulation is off the enumeration"))
}

fn case(run: &StudyRun) -> Result<Scarcity<'_>> {
    let types = types(run)?;
    let schema = &run.plan.world.schema;
    let target = run.plan.target.as_ref();
    let target = target.ok_or_else(|| run.lacks("a target"))?;
    let Until::Accepted(members) = run.plan.rules.until else {
        return Err(run.lacks("a committee's size"));
    };
    let law: Vec<(Vec<u16>, f64)> = (0..schema.cells())
        .zip(&types)
        .map(|(cell, (_, p))| (schema.values(cell), *p))
        .collect();
    let greedy = Greedy::new(schema, target, members, 0.0, None);
    Ok(Scarcity {
        rare: share_of(&types, &["F", "J"]),
        run,
        exact: wait(&greedy, members, &law),
        event: event(&greedy, &types, &law),
    })
}

/// The probability of A, over the first three candidates in all their orders.
fn event(greedy: &Greedy, types: &[(Vec<&str>, f64)], law: &[(Vec<u16>, f64)]) -> f64 {
    let wanted = |at: usize, type_of: [&str; 2]| types[at].0.iter().eq(&type_of);
    let mut likely = 0.0;
    let n = law.len();
    for three in 0..n * n * n {
        let three = [three / (n * n), three / n % n, three % n];
        let count = |type_of| three.iter().filter(|&&at| wanted(at, type_of)).count();
        if count(["F", "S"]) != 1 || count(["M", "S"]) != 2 {
            continue;
        }
        let mut greedy = greedy.clone();
        let taken = three.iter().all(|&at| {
            let fits = greedy.fits(&law[at].0);
            if fits {
                greedy.admit(&law[at].0);
            }
            fits
        });
        if taken {
            likely += three.iter().map(|&at| law[at].1).product::<f64>();
        }
    }
    likely
}

fn growth(cases: &[&Scarcity<'_>]) -> StudyClaim {
    let mut claim = StudyClaim::at("Example 1: arbitrarily large")
        .says("“Therefore, the sample complexity of Greedy in this example is arbitrarily large.”")
        .rule(
            "E τ grows at least 5-fold over the last tenfold fall of ε′; in shape where it grows",
        );
    let mut last = f64::NAN;
    for pair in cases.windows(2) {
        last = pair[1].exact.screened / pair[0].exact.screened;
        let fewer = pair[0].rare / pair[1].rare;
        let what = format!(
            "E τ grows from ε′ = {} to {} ({fewer:.0} times as rare) by",
            pair[0].rare, pair[1].rare
        );
        claim.computed(what, last);
    }
    claim.judged(last >= 5.0, last > 1.0, "it grows more slowly than 1/ε′")
}

fn stall(case: &Scarcity<'_>) -> Result<StudyClaim> {
    let (stalled, of) = case.run.ended(GREEDY, Ending::Stalled)?;
    let share = case.run.share((0..of).map(|n| n < stalled))?;
    let exact = case.exact.stalls;
    Ok(
        StudyClaim::at("Example 1 at its limit ε′ = 0 (the paper has ε′ > 0)")
            .says(
                "“Under event A, Greedy can only stop upon finding FJ in order to satisfy the \
                 representation constraints.”",
            )
            .rule(
                "without any FJ greedy stalls in a share of the simulations within 4 s.e. of the \
                 exact probability, which is above 0",
            )
            .share("share of simulations in which greedy stalls:", share)
            .computed("exact", exact)
            .judged(
                share.agrees(exact) & (exact > 0.0),
                exact > 0.0,
                "the simulation is off the enumeration",
            ),
    )
}

fn figure(cases: &[&Scarcity<'_>]) -> Result<Figure> {
    let mut simulated = Vec::new();
    let (mut exact, mut bound) = (Vec::new(), Vec::new());
    let mut n = 0;
    for case in cases {
        let mean = case.run.mean(GREEDY, "screened", None)?;
        n = mean.n;
        simulated.push(mean.at(case.rare));
        exact.push(FigurePoint::new(case.rare, case.exact.screened));
        bound.push(FigurePoint::new(case.rare, 1.0 / (6.0 * case.rare)));
    }
    Ok(Figure {
        title: "Greedy waits for the rare".into(),
        caption: format!(
            "Example 1 of Do et al. 2021, K = 4: people screened until the committee is full, \
             against the share ε′ of junior women. Simulated: mean of {n} and ± 2 standard errors."
        ),
        panels: vec![Panel {
            marks: vec![level(4.0, "K = 4")],
            ..plot(
                "",
                Axis::log("share of junior women ε′"),
                Axis::log("people screened τ"),
                [
                    Series::new("exact", SeriesKind::Line, exact),
                    Series::new("simulated", SeriesKind::Scatter, simulated),
                    Series::new("the paper's bound 1/6ε′", SeriesKind::Line, bound),
                ],
            )
        }],
    })
}
