//! Theorem 1: what learning p costs over a long horizon.

mod bound;
mod coverage;

use self::bound::Bounds;
use crate::reproduce::prelude::*;
use kleroterion_policies::committee::learning::ConfidenceSet;

const PRESET: &str = "do2021-thm1";
const GAINS: &str = "do2021-thm1-gain";
/// Many runs to a tenth of the horizon.
const MANY: &str = "do2021-thm1-many";
const REGRET: &str = "gain_regret";
const VIOLATION: &str = "constraint_violation";
const LOSS: &str = "representation_loss";
const RATE: &str = "selection_rate";
const KNOWN: &str = "cmdp, p known";
const PRINTED: &str = "learner, as printed";
const BERNSTEIN: &str = "learner, Bernstein";

/// The learners and their confidence sets.
const LEARNERS: [(&str, ConfidenceSet); 3] = [
    (PRINTED, ConfidenceSet::Printed),
    ("learner, Weissman", ConfidenceSet::Weissman),
    (BERNSTEIN, ConfidenceSet::Bernstein),
];

/// The paper does not state delta; the configs take .05.
const DELTA: f64 = 0.05;

/// The horizon, and a tenth of it.
const LAST: u64 = 3_000_000;
const EARLY: u64 = 300_000;

/// The excess that a measured exponent may have over the bound's. Before the bound's growth sets
/// in, while nearly everybody is accepted, the curve grows like T.
const SLACK: f64 = 0.05;

pub(super) const STUDY: Study = Study::new(
    "do2021-thm1",
    "Theorem 1 of Do et al. 2021: what learning p costs over a long horizon",
    &[(PRESET, 4), (GAINS, 4), (MANY, 20)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let (run, many) = (runs.one(PRESET)?, runs.one(MANY)?);
    let bounds = Bounds::of(run, DELTA, LAST)?;
    Ok(StudyFindings {
        statements: vec![statement([run, many], &bounds)],
        claims: vec![
            regret([run, many], &bounds)?,
            rate(run, &bounds)?,
            violation([run, many], &bounds)?,
            loss([run, many], &bounds)?,
            gain(runs.of(GAINS)?)?,
            better(run, &bounds)?,
            coverage::lemma_3(many, &LEARNERS, DELTA)?,
            bernstein(run)?,
        ],
        figures: vec![figure(run, &bounds)?],
        tables: vec![("Over the horizon".into(), table(run)?)],
    })
}

fn statement([run, many]: [&StudyRun; 2], bounds: &Bounds) -> String {
    format!(
        "The law of Example 2 (|X| = {}, g* = {:.4}), {} simulations up to T = {LAST} and {} up to {EARLY}, of \
         which the shares are, δ = {DELTA}. The theorem has no constants. The bounds here are ours, by the steps that the paper names: \
         while p is within the radius β_t of Lemma 3, a plan of an episode that began at t costs at \
         most β_t a round, in regret and in each constraint; an episode no more than doubles what \
         was counted; the rest is a martingale (Hoeffding). So R(T) ≤ Σ min(1, β) + √(T log(3/δ)/2), \
         R^c(T) the same with 6 Σ D_i for 3, and the loss is at most the bound of R^c over g*T less \
         that of R. R(T) is below 0 here: an optimistic plan accepts too many, at the cost of the \
         targets. So its bound holds by far, and what the theorem says of R^c is what counts.",
        bounds.cells, bounds.gain, run.result.replications, many.result.replications
    )
}

/// The share of replications in which a measure exceeds its bound at some moment.
fn beyond(run: &StudyRun, metric: &str, bound: impl Fn(u64) -> f64) -> Result<StudyShare> {
    let moments = run.moments(PRINTED, metric)?;
    let mut over = vec![false; run.result.replications as usize];
    for at in moments {
        let most = bound(at);
        let values = run.values(PRINTED, metric, Some(at))?;
        for (over, value) in over.iter_mut().zip(values) {
            *over |= value > most;
        }
    }
    run.share(over)
}

/// A measure over its bound at a moment.
fn used(run: &StudyRun, metric: &str, at: u64, bound: f64) -> Result<StudyEstimate> {
    Ok(run.mean(PRINTED, metric, Some(at))?.times(1.0 / bound))
}

fn regret([run, many]: [&StudyRun; 2], bounds: &Bounds) -> Result<StudyClaim> {
    let over = beyond(many, REGRET, |at| bounds.regret(at))?;
    let most = run.values(PRINTED, REGRET, Some(LAST))?;
    let most = most.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let mut claim = StudyClaim::at("Theorem 1: regret")
        .says("“With probability ≥ 1 − δ, the regret of RL-CMDP satisfies: R(T) = O(√(|X| T log(|X|T/δ)))”")
        .rule("in at most δ of the simulations up to T = 300,000 R(T) is above the bound with constants at any moment shown");
    claim.share("share of simulations above the bound:", over);
    for at in [EARLY, LAST] {
        claim.measured(
            format!("R(T) at T = {at}:"),
            run.mean(PRINTED, REGRET, Some(at))?,
        );
    }
    claim.computed(format!("the largest R({LAST}):"), most);
    claim.computed(format!("bound at T = {LAST}:"), bounds.regret(LAST).round());
    Ok(claim.holds(
        over.at_most(DELTA),
        "in too many simulations R(T) is above the bound",
    ))
}

/// The slope on logarithms of something that is known at every moment.
fn slope(at: impl Fn(u64) -> f64) -> f64 {
    libm::log(at(LAST) / at(EARLY)) / libm::log(LAST as f64 / EARLY as f64)
}

/// The bound's own rate: √(log(|X|T/δ)/T).
fn printed_rate(bounds: &Bounds) -> impl Fn(u64) -> f64 {
    let cells = bounds.cells as f64;
    move |t| (libm::log(cells * t as f64 / DELTA) / t as f64).sqrt()
}

fn rate(run: &StudyRun, bounds: &Bounds) -> Result<StudyClaim> {
    let [early, last] = [EARLY, LAST].map(|at| run.mean(PRINTED, RATE, Some(at)));
    let (early, last) = (early?.minus(bounds.gain), last?.minus(bounds.gain));
    let least = printed_rate(bounds);
    let ratio = least(LAST) / least(EARLY);
    let part = run.course(PRINTED, REGRET, [LAST, EARLY])?;
    let part = part.times(EARLY as f64 / LAST as f64);
    let slack = libm::exp(SLACK * libm::log(LAST as f64 / EARLY as f64));
    let mut claim = StudyClaim::at("Theorem 1: the selection rate")
        .says(
            "“Since R(T)/T = g* − N(T)/T, it means that with high probability, the difference \
             between the optimal selection rate and the selection rate of RL-CMDP decreases in \
             √(log(T)/T) w.r.t. the horizon T.”",
        )
        .rule(
            "|N(T)/T − g*| falls over the last tenfold of T to surely less than 1.12 (10^.05) times \
             what √(log(|X|T/δ)/T) falls to; in shape where it falls",
        );
    claim.measured(format!("N(T)/T − g* at T = {EARLY}:"), early);
    claim.measured(format!("at T = {LAST}:"), last);
    claim.measured("it falls to a share of", part);
    claim.computed("√(log(|X|T/δ)/T) falls to", ratio);
    Ok(claim.judged(
        part.below(slack * ratio),
        part.below(1.0),
        "it falls, but not surely as fast",
    ))
}

fn violation([run, many]: [&StudyRun; 2], bounds: &Bounds) -> Result<StudyClaim> {
    let over = beyond(many, VIOLATION, |at| bounds.violation(at))?;
    let growth = run.growth(PRINTED, VIOLATION, [EARLY, LAST])?;
    let bound = slope(|t| t as f64 * printed_rate(bounds)(t));
    let mut claim = StudyClaim::at("Theorem 1: constraint violation")
        .says("“R^c(T) = O(√(|X| T log(|X|T/δ))).”")
        .rule(
            "in at most δ of the simulations up to T = 300,000 R^c(T) is above the bound with \
             constants at any moment shown, and its exponent over the last tenfold of T is surely less than .05 above \
             that of √(T log(|X|T/δ)); in shape without the latter",
        );
    claim.share("share of simulations above the bound:", over);
    claim.measured(format!("exponent from T = {EARLY} to {LAST}:"), growth);
    claim.computed("that of √(T log(|X|T/δ)):", bound);
    for at in [EARLY, LAST] {
        claim.measured(
            format!("R^c(T) at T = {at}:"),
            run.mean(PRINTED, VIOLATION, Some(at))?,
        );
    }
    claim.computed(
        format!("bound at T = {LAST}:"),
        bounds.violation(LAST).round(),
    );
    let within = over.at_most(DELTA);
    Ok(claim.judged(
        within & growth.below(bound + SLACK),
        within,
        "it grows faster over these rounds",
    ))
}

fn loss([run, many]: [&StudyRun; 2], bounds: &Bounds) -> Result<StudyClaim> {
    let over = beyond(many, LOSS, |at| bounds.loss(at))?;
    let growth = run.growth(PRINTED, LOSS, [EARLY, LAST])?;
    let bound = slope(printed_rate(bounds));
    let mut claim = StudyClaim::at("Theorem 1: representation loss")
        .says(
            "“Moreover, with probability 1 − δ, the representation loss of RL-CMDP at horizon T \
             satisfies: ‖λ(C_T) − ρ‖∞ = O((1/g*) √(|X| log(|X|T/δ)/T)).”",
        )
        .rule(
            "in at most δ of the simulations up to T = 300,000 the loss is above the bound with \
             constants at any moment shown, and its exponent over the last tenfold of T is surely less than .05 \
             above that of √(log(|X|T/δ)/T); in shape without the latter",
        );
    claim.share("share of simulations above the bound:", over);
    claim.measured(format!("exponent from T = {EARLY} to {LAST}:"), growth);
    claim.computed("that of √(log(|X|T/δ)/T):", bound);
    for at in [EARLY, LAST] {
        claim.measured(
            format!("loss at T = {at}:"),
            run.mean(PRINTED, LOSS, Some(at))?,
        );
    }
    claim.computed(format!("bound at T = {LAST}:"), bounds.loss(LAST));
    let within = over.at_most(DELTA);
    Ok(claim.judged(
        within & growth.below(bound + SLACK),
        within,
        "it falls more slowly over these rounds",
    ))
}

fn gain(runs: &[StudyRun]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Theorem 1: the loss against g*")
        .says(
            "“Interestingly, the representation loss is also inversely proportional to g*, the \
             optimal selection rate in the true CMDP.”",
        )
        .rule(
            "on instances of ours the loss at T = 3,000,000 over that at the g* before is within a \
             quarter of the inverse ratio of the g*; in shape where it rises as g* falls",
        );
    let mut losses = Vec::new();
    for run in runs {
        let gain = run.plan.outlook.as_ref().map(|outlook| outlook.gain);
        let gain = gain.ok_or_else(|| run.lacks("the best gain"))?;
        let loss = run.mean(PRINTED, LOSS, Some(LAST))?;
        claim.measured(format!("loss at g* = {gain:.2}:"), loss);
        losses.push((gain, loss));
    }
    let (mut inverse, mut rises) = (Holds::Yes, Holds::Yes);
    for pair in losses.windows(2) {
        let ratio = pair[0].0 / pair[1].0;
        let (before, after) = (pair[0].1, pair[1].1);
        rises &= after.less(before).above(0.0);
        inverse &= after.less(before.times(0.75 * ratio)).above(0.0);
        inverse &= after.less(before.times(1.25 * ratio)).below(0.0);
    }
    Ok(claim.judged(
        inverse,
        rises,
        "it rises as g* falls, nearly in inverse proportion where g* is small, and by less where it \
         is large: the proportion is the bound's",
    ))
}

fn better(run: &StudyRun, bounds: &Bounds) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 6, (A2): better than the bound")
        .says(
            "“… our experiments suggest that in the non-asymptotic regime, RL-CMDP performs better \
             than the bound suggests.”",
        )
        .rule("R^c(T) is below half of the bound with constants at every T from 1,000 on");
    let mut holds = Holds::Yes;
    for at in [1000, 10_000, 100_000, LAST] {
        let share = used(run, VIOLATION, at, bounds.violation(at))?;
        holds &= share.below(0.5);
        claim.measured(format!("R^c(T) over its bound at T = {at}:"), share);
    }
    Ok(claim.holds(holds, "it comes near the bound"))
}

fn bernstein(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 5: Bernstein bounds")
        .says(
            "“For specific structures of p, we obtain bounds with better scaling in |X|, by \
             controlling each entry of p with Bernstein bounds …, instead the ℓ¹-norm.”",
        )
        .rule(
            "the loss with Bernstein's intervals is below that with equation (3) at every T from \
             10,000 on; the paper states no such bound, so what is judged is what it is for",
        );
    let mut holds = Holds::Yes;
    for at in [10_000, 100_000, LAST] {
        for (label, _) in LEARNERS {
            let loss = run.mean(label, LOSS, Some(at))?;
            claim.measured(format!("T = {at}, {label}:"), loss);
        }
        let gap = run.difference([BERNSTEIN, PRINTED], LOSS, Some(at))?;
        holds &= gap.below(0.0);
    }
    Ok(claim.holds(holds, "it is not surely below"))
}

fn table(run: &StudyRun) -> Result<FigureTable> {
    let labels = LEARNERS.map(|(label, _)| label);
    let columns = labels
        .iter()
        .flat_map(|label| [REGRET, VIOLATION, LOSS].map(|metric| format!("{label}: {metric}")));
    let mut rows = Vec::new();
    for at in run.moments(PRINTED, LOSS)? {
        let mut row = Vec::new();
        for label in labels {
            for metric in [REGRET, VIOLATION, LOSS] {
                row.push(Some(run.mean(label, metric, Some(at))?));
            }
        }
        rows.push((Cell::number(at as f64), row));
    }
    Ok(tabulate_estimates("T", columns.collect::<Vec<_>>(), rows))
}

fn figure(run: &StudyRun, bounds: &Bounds) -> Result<Figure> {
    let moments = run.moments(PRINTED, LOSS)?;
    let lanes = LEARNERS.map(|(label, _)| label);
    let lines = |metric: &str, known: bool, bound: &dyn Fn(u64) -> f64| -> Result<Vec<Series>> {
        let labels = lanes.into_iter().chain(known.then_some(KNOWN));
        let mut series = Vec::new();
        for label in labels {
            series.push(run.line(label, metric, label, Spread::Errors(2.0))?);
        }
        let points = moments
            .iter()
            .map(|&at| FigurePoint::new(at as f64, bound(at)));
        series.push(Series::new(
            "the bound, equation (3)",
            SeriesKind::Line,
            points,
        ));
        Ok(series)
    };
    let x = || Axis::log("candidates T");
    Ok(Figure {
        title: "What learning p costs".into(),
        caption: format!(
            "Theorem 1 of Do et al. 2021 on the law of its Example 2: mean of {} simulations and ± \
             2 standard errors; the bounds have our constants.",
            run.result.replications
        ),
        panels: vec![
            plot(
                "constraint violation",
                x(),
                Axis::log("R^c(T)"),
                lines(VIOLATION, true, &|at| bounds.violation(at))?,
            ),
            plot(
                "representation loss",
                x(),
                Axis::log("max |λ − ρ|"),
                lines(LOSS, true, &|at| bounds.loss(at).min(1.0))?,
            ),
        ],
    })
}
