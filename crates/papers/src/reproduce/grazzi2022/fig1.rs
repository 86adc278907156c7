//! Figure 1 and Section 6: four groups on different scales, one candidate of each a round.

use super::courses::{both, courses};
use super::lanes::{
    BEST, FAIR, FAIR_REGRET, GREEDY, KNOWS_CDFS, KNOWS_MU, OFUL, ORACLE, STANDARD, UNIFORM, name,
};
use super::regrets::{growths, linear, regrets, slow, standard};
use crate::reproduce::prelude::*;
use kleroterion_core::bisect::bisect;
use kleroterion_stats::Parity;

/// The rounds between which growth is measured: after the start, to the end.
const WINDOW: [u64; 2] = [500, 2500];

/// The groups, and so the candidates of a round.
const GROUPS: [&str; 4] = ["g1", "g2", "g3", "g4"];

/// The paper's sentence on its own policy.
const SLOW: &str = "“We observe that, as expected from our analysis, our policy achieves sublinear \
                    fair pseudo-regret …”";

/// The paper's T.
const PAPER_T: f64 = 500.0;

pub(super) const STUDY: Study = Study::new(
    "grazzi2022-fig1",
    "Figure 1 of Grazzi et al. 2022: four groups on different scales (Section 6)",
    &[("grazzi2022-fig1", 10), ("grazzi2022-released", 10)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one("grazzi2022-fig1")?;
    let released = runs.one("grazzi2022-released")?;
    let printed = [FAIR, OFUL, GREEDY, UNIFORM];
    let all = [
        FAIR, OFUL, GREEDY, UNIFORM, ORACLE, KNOWS_MU, KNOWS_CDFS, BEST,
    ];
    Ok(StudyFindings {
        statements: vec![
            format!(
                "Section 6 as printed: K = 4, d = 17, bias 3a, noise 2ξ, λ = 0.1. The μ* of \
                 “manually picked values between 0 and 9” is not printed: it is that of the \
                 authors' released code. The paper averages 10 runs of 500 rounds, this run {} of \
                 2,500. The paper takes the CDF of 10⁷ samples for the true one; here it is exact \
                 (a closed form).",
                run.result.replications
            ),
            "OFUL here is the heuristic of the released code, x·θ + √(2 log(det V/det λI)) √(x·V⁻¹x \
             log t): the paper names OFUL alone. The bound of the theorem that it cites (kind = \
             \"oful\", form = \"abbasi_yadkori\") is another width."
                .into(),
            "Greedy, the oracles and the growth between 500 and 2,500 rounds are not in the \
             paper's Section 6; an exponent is the slope of the mean's logarithm over that of the \
             round, its error that of the jackknife over runs."
                .into(),
        ],
        claims: vec![
            slow(run, ["Section 6: fair regret", SLOW], WINDOW)?,
            standard(run, "Section 6: standard regret", WINDOW)?,
            slow(
                released,
                ["Section 6, fair regret, biases of the released code", SLOW],
                WINDOW,
            )?,
            standard(
                released,
                "Section 6, standard regret, biases of the released code",
                WINDOW,
            )?,
            competing(run)?,
            parity(run)?,
            at_random(run)?,
            fair_oracle(run)?,
            knowing(run)?,
        ],
        figures: vec![figure(run)?, on_logs(run)?],
        tables: vec![
            ("Section 6 as printed".into(), regrets(run, &all, WINDOW)?),
            (
                "Section 6 with the biases of the released code, (0, 16/3, 32/3, 16)".into(),
                regrets(released, &printed, WINDOW)?,
            ),
        ],
    })
}

fn competing(run: &StudyRun) -> Result<StudyClaim> {
    let fair = growths(run, &[BEST, OFUL, GREEDY], FAIR_REGRET, WINDOW)?;
    let standard = growths(run, &[ORACLE], STANDARD, WINDOW)?;
    let (ours, all): (Vec<Number>, Vec<StudyEstimate>) = fair.into_iter().chain(standard).unzip();
    let exact = Holds::all([linear(all[0]), linear(all[3])]);
    let each = Holds::all(all.iter().map(|growth| linear(*growth)));
    Ok(StudyClaim::at("Remark 3.1: competing objectives")
        .says(
            "“This is not true in the general case, where fair and standard pseudo-regrets are \
             often competing objectives.”",
        )
        .rule(
            "exponents between .8 and 1.2: the fair regret of who always takes the highest reward \
             and of the policies that aim at it, OFUL and Greedy; the standard regret of the fair \
             oracle. In shape where it is so of the two who know",
        )
        .numbers(ours)
        .judged(
            each,
            exact,
            "linear for those who know, not for those who learn",
        ))
}

fn parity(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Remark 4.1: demographic parity")
        .says(
            "“… at any number of rounds T, the Fair-Greedy policy selects in expectation T/K \
             candidates from every group … This also holds for the GMF policy and the one \
             selecting arms uniformly at random.”",
        )
        .rule(
            "every share within 4 s.e. of 1/4, and the test of equal shares (chi-square, corrected \
             for what runs vary) does not reject at .001",
        );
    let mut even = Holds::Yes;
    for label in [FAIR, ORACLE, UNIFORM] {
        for at in [50, 2500] {
            let mut farthest = run.mean(label, "share.g1", Some(at))?;
            for group in GROUPS {
                let share = run.mean(label, &format!("share.{group}"), Some(at))?;
                even &= share.agrees(0.25);
                if (share.mean - 0.25).abs() > (farthest.mean - 0.25).abs() {
                    farthest = share;
                }
            }
            let what = format!(
                "{} to round {at}, the share farthest from 1/4:",
                name(label)
            );
            claim.measured(what, farthest);
        }
        let policy = run
            .result
            .policies
            .iter()
            .find(|policy| policy.label == label);
        if let Some(p) = policy.and_then(Parity::of).and_then(|parity| parity.p) {
            let rounds = run.result.replications * 2500;
            even &= p > 0.001;
            let what = format!("{}, equal shares to round 2500:", name(label));
            claim.tested(what, p, rounds);
        }
    }
    Ok(claim.holds(even, "a share is off 1/4"))
}

fn at_random(run: &StudyRun) -> Result<StudyClaim> {
    let k = GROUPS.len() as f64;
    let exact = k / (k + 1.0) - 0.5;
    let mut claim = StudyClaim::at("Proposition 3.1: what random choice gives away")
        .says(
            "“… for every t ∈ N, {F_a(⟨μ*, X_{t,a}⟩)} are i.i.d. uniform on [0, 1]”, so that \
             random choice gives away E max − E = K/(K + 1) − 1/2 a round",
        )
        .rule("its fair regret a round within 4 s.e. of K/(K + 1) − 1/2");
    claim.computed("K/(K + 1) − 1/2:", exact);
    let mut agreed = Holds::Yes;
    for at in [500, 2500] {
        let lost = run.mean(UNIFORM, FAIR_REGRET, Some(at))?;
        let lost = lost.times(1.0 / at as f64);
        agreed &= lost.agrees(exact);
        claim
            .measured(format!("fair regret a round, to round {at}:"), lost)
            .printed(exact);
    }
    Ok(claim.holds(agreed, "it gives away another part"))
}

fn fair_oracle(run: &StudyRun) -> Result<StudyClaim> {
    let regret = run.mean(ORACLE, FAIR_REGRET, Some(2500))?;
    Ok(StudyClaim::at("Definitions 3.1 and 3.2: a fair policy")
        .says(
            "“A GMF policy chooses candidates with the highest reward compared to candidates from \
             the same group.”",
        )
        .rule("the oracle that knows μ* and the CDFs gives nothing away in any run")
        .on(ClaimGround::Definition)
        .measured("fair regret of the fair oracle:", regret)
        .holds(regret.at_most(0.0), "it gives something away"))
}

fn knowing(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 7, said of the census, here on Section 6")
        .says(
            "“… knowing μ* plays a more important role than knowing the true reward CDFs of each \
             group.”",
        )
        .rule(
            "the oracle of μ gives away less than that of the CDFs. Here the latter, greedy by its \
             own estimate of μ*, locks in on some groups: it is worse than Fair-greedy, which \
             knows neither",
        )
        .on(ClaimGround::OtherPeople);
    for label in [KNOWS_MU, FAIR, KNOWS_CDFS] {
        let regret = run.mean(label, FAIR_REGRET, Some(2500))?;
        claim.measured(format!("fair regret, {}:", name(label)), regret);
    }
    let growth = run.growth(KNOWS_CDFS, FAIR_REGRET, WINDOW)?;
    claim.measured("exponent of fair regret, oracle of the CDFs:", growth);
    let gap = run.difference([KNOWS_MU, KNOWS_CDFS], FAIR_REGRET, Some(2500))?;
    claim.measured("oracle of μ less oracle of the CDFs:", gap);
    let worse = run.difference([FAIR, KNOWS_CDFS], FAIR_REGRET, Some(2500))?;
    let more = gap.below(0.0);
    Ok(claim.judged(
        more & worse.below(0.0) & growth.above(0.5),
        more,
        "so it is, but the oracle of the CDFs does not lock in",
    ))
}

/// The density of a group's merits over where it is positive, from its true CDF.
fn density(run: &StudyRun, group: usize) -> Result<Vec<FigurePoint>> {
    let truth = run.plan.world.truth.as_ref();
    let truth = truth.ok_or_else(|| run.lacks("the groups' true CDFs"))?;
    let cdf = |merit: f64| truth.cdf.rank(group, merit);
    let (low, high) = (begins(&cdf), -begins(&|merit| 1.0 - cdf(-merit)));
    const STEPS: usize = 60;
    let step = (high - low) / STEPS as f64;
    let point = |n: usize| {
        let at = low + n as f64 * step;
        let (from, to) = ((at - step / 2.0).max(low), (at + step / 2.0).min(high));
        FigurePoint::new(at, (cdf(to) - cdf(from)) / (to - from))
    };
    let mut points = vec![FigurePoint::new(low, 0.0)];
    points.extend((0..=STEPS).map(point));
    points.push(FigurePoint::new(high, 0.0));
    Ok(points)
}

/// Returns the point at which a function that is first 0 begins to rise, by bisection within ±1000.
fn begins(rising: &impl Fn(f64) -> f64) -> f64 {
    bisect((-1000.0, 1000.0), 60, |at| rising(at) <= 0.0).0
}

fn figure(run: &StudyRun) -> Result<Figure> {
    let mut densities = Vec::new();
    for (at, group) in (1..).zip(0..GROUPS.len()) {
        let points = density(run, group)?;
        densities.push(Series::new(format!("Group {at}"), SeriesKind::Line, points));
    }
    let densities = plot(
        "rewards' densities",
        Axis::linear("reward"),
        Axis::linear("density"),
        densities,
    );
    let [fair, standard] = both(run, &[UNIFORM, OFUL, FAIR, GREEDY])?.map(|panel| Panel {
        marks: vec![upright(PAPER_T, "the paper's T")],
        ..panel
    });
    Ok(Figure {
        title: "Figure 1 of Grazzi et al. 2022".into(),
        caption: format!(
            "Section 6: four groups on different scales, one candidate of each a round. Left: \
             exact densities of the rewards. Middle and right: mean of {} runs and ± one standard \
             deviation. OFUL is the released code's heuristic.",
            run.result.replications
        ),
        panels: vec![densities, standard, fair],
    })
}

fn on_logs(run: &StudyRun) -> Result<Figure> {
    let lanes = [UNIFORM, OFUL, FAIR, GREEDY, KNOWS_MU, KNOWS_CDFS];
    Ok(Figure {
        title: "Fair regret on logarithmic axes, with the oracles".into(),
        caption: format!(
            "Section 6, mean of {} runs. A straight line of slope 1 is linear growth. The fair \
             oracle, which knows both μ* and the CDFs, gives nothing away.",
            run.result.replications
        ),
        panels: vec![plot(
            "",
            Axis::log("# of rounds"),
            Axis::log("fair pseudo-regret"),
            courses(run, &lanes, FAIR_REGRET, Spread::None)?,
        )],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cdf_begins_to_rise_where_it_does() {
        let cdf = |x: f64| ((x - 3.0) / 14.0).clamp(0.0, 1.0);
        assert!((begins(&cdf) - 3.0).abs() < 1e-9);
        assert!((begins(&|x| 1.0 - cdf(-x)) + 17.0).abs() < 1e-9);
    }
}
