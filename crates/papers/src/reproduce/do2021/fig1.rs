//! Figure 1: committees of 50 to 1000 on the calibrated instance, p known.

use super::instance::{CALIBRATED, by_size};
use crate::reproduce::prelude::*;

const CMDP: &str = "cmdp";
const STRICT: &str = "greedy .02";
const LOOSE: &str = "greedy .05";
const QUEUE: &str = "queue";
const LOSS: &str = "representation_loss";
const TAU: &str = "screened";

/// The runs by committee size.
struct RunsBySize<'a>(Vec<(u64, &'a StudyRun)>);

impl RunsBySize<'_> {
    /// A number of each run whose size is within a range.
    fn each(
        &self,
        from: u64,
        to: u64,
        number: impl Fn(&StudyRun) -> Result<StudyEstimate>,
    ) -> Result<Vec<(u64, StudyEstimate)>> {
        let runs = self.0.iter().filter(|(k, _)| (from..=to).contains(k));
        runs.map(|(k, run)| Ok((*k, number(run)?))).collect()
    }
}

fn numbers(what: &str, all: &[(u64, StudyEstimate)]) -> Vec<Number> {
    let number =
        |(k, e): &(u64, StudyEstimate)| Number::measured(format!("{what} at K = {k}:"), *e);
    all.iter().map(number).collect()
}

/// The numbers, for each of which the paper prints this one.
fn with_papers(all: Vec<Number>, paper: f64) -> Vec<Number> {
    let numbers = all.into_iter().map(|number| number.against(paper));
    numbers.collect()
}

fn all(estimates: &[(u64, StudyEstimate)], holds: impl Fn(StudyEstimate) -> Holds) -> Holds {
    Holds::all(estimates.iter().map(|(_, estimate)| holds(*estimate)))
}

pub(super) const STUDY: Study = Study::new(
    "do2021-fig1",
    "Figure 1 of Do et al. 2021: committees of 50 to 1000, p known",
    &[("do2021-fig1", 50)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let runs = runs.of("do2021-fig1")?;
    let sized = runs
        .iter()
        .map(|run| Ok((run.swept("rules.until.accepted")?, run)));
    let sizes = RunsBySize(sized.collect::<Result<_>>()?);
    let gain = runs[0].plan.outlook.as_ref().map(|outlook| outlook.gain);
    let gain = gain.ok_or_else(|| runs[0].lacks("the best gain"))?;
    Ok(StudyFindings {
        statements: vec![CALIBRATED.into(), paper_runs(&runs[0]), queue(&sizes)?],
        claims: vec![
            ten_times(&sizes)?,
            overtaken(&sizes)?,
            better_when_small(&sizes)?,
            hundred_times(&sizes)?,
            linear(&sizes, gain)?,
            middle_sized(&sizes)?,
            lemma_2(&sizes, gain)?,
            law_of_tau(&sizes, gain)?,
            proposition_1(&sizes)?,
            proposition_2(&sizes)?,
        ],
        figures: vec![figure(&sizes)?],
        tables: vec![],
    })
}

fn paper_runs(run: &StudyRun) -> String {
    format!(
        "All six attributes, p known, δ = .05 where a bound needs one. The paper averages 50 \
         simulations, this run {}; at 50 the loss of CMDP is not known well enough to tell whether \
         Greedy's is above it at K = 250. All policies of a run see the same people.",
        run.result.replications
    )
}

fn queue(sizes: &RunsBySize<'_>) -> Result<String> {
    let mut parts = Vec::new();
    for (k, run) in sizes.0.iter().filter(|(k, _)| [250, 1000].contains(k)) {
        let numbers = [
            Number::measured("τ", run.ratio([QUEUE, CMDP], TAU, None)?),
            Number::measured("loss", run.ratio([QUEUE, CMDP], LOSS, None)?),
        ];
        let words = numbers.map(|number| number.text());
        parts.push(format!("at K = {k} {}", words.join(" and ")));
    }
    Ok(format!(
        "Beside the paper's policies the figure shows one of ours, virtual_queue with V = 2, which \
         needs no p; relative to CMDP: {}.",
        parts.join("; ")
    ))
}

fn ten_times(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let ratios = sizes.each(0, 1000, |run| run.ratio([LOOSE, CMDP], TAU, None))?;
    Ok(StudyClaim::at("Section 6, (A1): ten times the samples")
        .says(
            "“Figure 1 shows that the greedy strategy with ε = 0.05 requires 10 times more samples \
             than CMDP”",
        )
        .rule(
            "τ of greedy .05 over CMDP's is between 5 and 20 at every K; in shape between 10/√10 \
             and 10√10",
        )
        .numbers(with_papers(numbers("τ over CMDP's", &ratios), 10.0))
        .judged(
            all(&ratios, |r| r.inside(5.0, 20.0)),
            all(&ratios, |r| {
                r.inside(10.0 / 10f64.sqrt(), 10.0 * 10f64.sqrt())
            }),
            "of the order of ten, but more than double that at some K",
        ))
}

fn overtaken(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let gap = |run: &StudyRun| run.difference([LOOSE, CMDP], LOSS, None);
    let (small, large) = (sizes.each(0, 150, gap)?, sizes.each(250, 1000, gap)?);
    let lower = all(&small, |gap| gap.below(0.0));
    let sooner = large.first().map(|(_, gap)| *gap);
    let why = match sooner.map(|gap| gap.below(0.0)) {
        Some(Holds::Yes) => "it is higher from some larger K on; at 250 it is still lower",
        _ => "it is higher for large K, but not surely from 250 on",
    };
    Ok(StudyClaim::at("Section 6, (A1): a higher loss from K = 250 on")
        .says("“… and its representation loss is higher as soon as K ≥ 250.”")
        .rule(
            "greedy .05's loss is above CMDP's at every K ≥ 250 and below it at every K ≤ 150; in \
             shape where it is so at 500 and more",
        )
        .numbers(numbers(
            "loss − CMDP's",
            &[&small[..], &large[..]].concat(),
        ))
        .judged(
            lower & all(&large, |gap| gap.above(0.0)),
            lower & all(large.get(1..).unwrap_or_default(), |gap| gap.above(0.0)),
            why,
        ))
}

fn better_when_small(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let gaps = sizes.each(0, 1000, |run| run.difference([CMDP, STRICT], LOSS, None))?;
    let small: Vec<_> = gaps.iter().copied().filter(|(k, _)| *k <= 100).collect();
    let lower = all(&small, |gap| gap.above(0.0));
    let shrinks = match (gaps.first(), gaps.last()) {
        (Some((_, first)), Some((_, last))) => first.times(0.5).less(*last).above(0.0),
        _ => Holds::Unsure,
    };
    Ok(
        StudyClaim::at("Section 6, (A1): a lower loss for small committees")
            .says(
                "“Greedy with lower tolerance ε = 0.02 achieves better representation than CMDP \
                 for smaller committees (K ≤ 100), but the margin quickly decreases with K.”",
            )
            .rule(
                "greedy .02's loss is below CMDP's at K ≤ 100, and the margin at K = 1000 less \
                 than half of that at 50; in shape without the latter",
            )
            .numbers(numbers("margin", &gaps))
            .judged(lower & shrinks, lower, "the margin does not halve"),
    )
}

fn hundred_times(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let ratios = sizes.each(0, 100, |run| run.ratio([STRICT, CMDP], TAU, None))?;
    let (low, high) = (100.0 / 10f64.sqrt(), 100.0 * 10f64.sqrt());
    Ok(StudyClaim::at("Section 6, (A1): a hundred times the samples")
        .says(
            "“However, even for small committees, it requires about 100 times more samples, which \
             is prohibitively expensive.”",
        )
        .rule(
            "τ of greedy .02 over CMDP's is between 50 and 200 at K ≤ 100; in shape between \
             100/√10 and 100√10",
        )
        .numbers(with_papers(numbers("τ over CMDP's", &ratios), 100.0))
        .judged(
            all(&ratios, |r| r.inside(50.0, 200.0)),
            all(&ratios, |r| r.inside(low, high)),
            "of the order of a hundred, but not surely within half and double of it",
        ))
}

fn linear(sizes: &RunsBySize<'_>, gain: f64) -> Result<StudyClaim> {
    let taus = sizes.each(0, 1000, |run| run.mean(CMDP, TAU, None))?;
    let slopes: Vec<_> = taus
        .iter()
        .map(|(k, tau)| (*k, tau.times(1.0 / *k as f64)))
        .collect();
    let straight = all(&slopes, |slope| slope.times(gain).inside(0.9, 1.1));
    let near = slopes.iter().filter(|(k, _)| (150..=250).contains(k));
    let near: Vec<_> = near.map(|(k, slope)| (*k, slope.times(200.0))).collect();
    let mut claim = StudyClaim::at("Section 6, (A1): linear in K")
        .says(
            "“Figure 1 shows that for CMDP, the sample complexity grows linearly in the committee \
             size, with a reasonable slope (we need to find τ ≈ 500 volunteers for a committee of \
             size K ≈ 200).”",
        )
        .rule(
            "τ/K is within 10 % of 1/g* at every K, and 200 times the slope between 400 and 600; \
             in shape without the latter",
        )
        .on(ClaimGround::Fitted(
            "the volunteers' weights were chosen to come near it",
        ));
    claim.numbers(numbers("τ/K", &slopes));
    let found = numbers("τ for K = 200 by the slope", &near);
    claim.numbers(with_papers(found, 500.0));
    Ok(claim.judged(
        straight & all(&near, |tau| tau.inside(400.0, 600.0)),
        straight,
        "linear, with another slope",
    ))
}

fn middle_sized(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let losses = sizes.each(150, 500, |run| run.mean(CMDP, LOSS, None))?;
    let at = |size: u64| {
        losses
            .iter()
            .find(|(k, _)| *k == size)
            .map(|(_, loss)| *loss)
    };
    let (Some(less), Some(here), Some(more)) = (at(150), at(250), at(500)) else {
        return Err(sizes.0[0].1.lacks("the sizes 150, 250 and 500"));
    };
    // Where a power law through the losses at 250 and 500 comes to .05.
    let slope = libm::log(more.mean / here.mean) / libm::log(2.0);
    let reached = 250.0 * libm::exp(libm::log(0.05 / here.mean) / slope);
    let mut claim = StudyClaim::at("Section 6, (A2): CMDP's loss for middle-sized committees")
        .says(
            "“For known p, the CMDP approach achieves the same representativeness for middle-sized \
             committees (repr. loss ≤ 0.05 for K ≈ 250).”",
        )
        .rule(
            "loss at most .05 at K = 250; in shape where it is above .05 at 150 and below at 500",
        );
    claim.numbers(numbers("loss", &losses));
    claim
        .computed("K of a loss of .05, between the sizes:", reached.round())
        .printed(250.0);
    Ok(claim.judged(
        here.at_most(0.05),
        less.above(0.05) & more.below(0.05),
        "the loss comes to .05 at a somewhat larger committee",
    ))
}

fn lemma_2(sizes: &RunsBySize<'_>, gain: f64) -> Result<StudyClaim> {
    let taus = sizes.each(0, 1000, |run| run.mean(CMDP, TAU, None))?;
    let mut claim = StudyClaim::at("Section 4.2, Lemma 2")
        .says("“For any stationary policy π, E[τ] = K/g^π.”")
        .rule("CMDP's mean τ within 4 s.e. of K/g* at every K");
    for (k, tau) in &taus {
        let paper = *k as f64 / gain;
        claim
            .measured(format!("τ at K = {k}:"), *tau)
            .printed(paper);
        claim.computed("K/g*:", paper);
    }
    let agreed = Holds::all(taus.iter().map(|(k, tau)| tau.agrees(*k as f64 / gain)));
    Ok(claim.holds(agreed, "τ is off K/g*"))
}

fn law_of_tau(sizes: &RunsBySize<'_>, gain: f64) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 4.2, Lemma 2: the law of τ")
        .says(
            "“Lemma 2 is a direct consequence of the fact that τ + K follows a negative binomial \
             distribution with parameters K and 1 − g^π”",
        )
        .rule(
            "the mean of τ + K within 4 s.e. of that law's, K(1 − g*)/g*, and its variance of \
             K(1 − g*)/g*², at every K; in shape where τ − K has both",
        );
    let (mut printed, mut rejected) = (Holds::Yes, Holds::Yes);
    for (k, run) in &sizes.0 {
        let taus = run.values(CMDP, TAU, None)?;
        let k = *k as f64;
        let tau = run.estimate(taus.iter().copied())?;
        let mean = k * (1.0 - gain) / gain;
        let squares = run.estimate(taus.iter().map(|tau| (tau - k / gain) * (tau - k / gain)))?;
        let alike = squares.agrees(mean / gain);
        printed &= tau.minus(-k).agrees(mean) & alike;
        rejected &= tau.minus(k).agrees(mean) & alike;
        claim.measured(format!("τ + K at K = {k}:"), tau.minus(-k));
        claim
            .computed("the law's mean:", mean)
            .measured("τ − K:", tau.minus(k));
        claim.measured("variance of τ about K/g*:", squares);
        claim.computed("the law's variance:", mean / gain);
    }
    Ok(claim.judged(
        printed,
        rejected,
        "a slip: it is τ − K, the number of those refused, that has this law; so is E τ = K/g^π",
    ))
}

/// Losses of a policy over all sizes and replications that exceed a bound by size, and how many
/// there are.
fn beyond(sizes: &RunsBySize<'_>, label: &str, bound: impl Fn(f64) -> f64) -> Result<(u64, u64)> {
    let (mut over, mut of) = (0, 0);
    for (k, run) in &sizes.0 {
        let losses = run.values(label, LOSS, None)?;
        let bound = bound(*k as f64) + 1e-12;
        over += losses.iter().filter(|loss| **loss > bound).count() as u64;
        of += losses.len() as u64;
    }
    Ok((over, of))
}

fn proposition_1(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let levels = sizes.0[0].1.plan.world.schema.levels();
    let most = levels.into_iter().max().unwrap_or(1) as f64 - 1.0;
    let mut claim = StudyClaim::at("Section 3.2, Proposition 1")
        .says("“‖λ(C_τ) − ρ‖∞ ≤ (max_i D_i − 1)/K + ε”")
        .rule("no committee of Greedy is beyond the bound");
    let mut held = true;
    for (label, eps) in [(STRICT, 0.02), (LOOSE, 0.05)] {
        let (over, of) = beyond(sizes, label, |k| most / k + eps)?;
        held &= over == 0;
        let what = format!("{label}: committees beyond the bound, of {of}:");
        claim.computed(what, over as f64);
    }
    Ok(claim.holds(held, "some committee is beyond the bound"))
}

fn proposition_2(sizes: &RunsBySize<'_>) -> Result<StudyClaim> {
    let levels = sizes.0[0].1.plan.world.schema.levels();
    let printed: f64 = levels.iter().map(|n| *n as f64 - 1.0).sum();
    // Of two values one tells of both; of more, each needs its own inequality.
    let each = levels.iter().map(|n| if *n > 2 { *n as f64 } else { 1.0 });
    let needed: f64 = each.sum();
    let delta = 0.05;
    let bound = |free: f64| move |k: f64| (libm::log(2.0 * free / delta) / (2.0 * k)).sqrt();
    let share = |free| {
        let (over, of) = beyond(sizes, CMDP, bound(free))?;
        sizes.0[0].1.share((0..of).map(|n| n >= over))
    };
    let within = share(printed)?;
    let mut claim = StudyClaim::at("Section 4.2, Proposition 2")
        .says("“P[‖λ(C_τ) − ρ‖∞ ≤ √(log(2d̃/δ)/2K)] ≥ 1 − δ”")
        .rule(
            "with δ = .05 at least .95 of CMDP's committees over all K are within the bound. The \
             paper's d̃ = Σ (D_i − 1) leaves one value of each attribute out of the union bound, \
             which two values allow and more do not: then all D_i count",
        );
    claim.share(
        format!("share of committees within the bound, d̃ = {printed}:"),
        within,
    );
    let all = share(needed)?;
    claim.share(format!("with all values that need it, d̃ = {needed}:"), all);
    let ratio = bound(needed)(1.0) / bound(printed)(1.0);
    claim.computed("that bound over the printed one:", ratio);
    Ok(claim.holds(within.above(1.0 - delta), "too many are beyond the bound"))
}

fn figure(sizes: &RunsBySize<'_>) -> Result<Figure> {
    let lanes = [
        (STRICT, "Greedy, ε = .02"),
        (LOOSE, "Greedy, ε = .05"),
        (CMDP, "CMDP"),
        (QUEUE, "virtual queue (ours)"),
    ];
    let lines = |metric: &str| {
        let line = |(label, name): (&str, &str)| {
            let means = sizes.each(0, u64::MAX, |run| run.mean(label, metric, None))?;
            let points = means.into_iter().map(|(k, mean)| mean.at(k as f64));
            Ok::<_, StudyError>(Series::new(name, SeriesKind::Line, points))
        };
        lanes.into_iter().map(line).collect::<Result<_>>()
    };
    Ok(Figure {
        title: "Figure 1 of Do et al. 2021, on a calibrated instance".into(),
        caption: format!(
            "Six attributes, p known; the instance is calibrated, not the Citizens' Assembly's own \
             table. Mean of {} simulations and ± 2 standard errors.",
            sizes.0[0].1.result.replications
        ),
        panels: by_size(lines(TAU)?, lines(LOSS)?),
    })
}
