//! Appendix F: with two groups the fair and the standard pseudo-regret compete.

use super::courses::courses;
use super::lanes::{BEST, FAIR_REGRET, ORACLE, STANDARD};
use super::regrets::linear;
use crate::reproduce::prelude::*;

const PRESET: &str = "grazzi2022-appf";

/// The preset with two groups of one distribution.
const ALIKE: &str = "grazzi2022-remark31";

/// The rounds between which growth is measured.
const WINDOW: [u64; 2] = [100, 5000];

pub(super) const STUDY: Study = Study::new(
    "grazzi2022-appf",
    "Appendix F of Grazzi et al. 2022: with two groups the two kinds of regret compete",
    &[(PRESET, 20), (ALIKE, 20)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    Ok(StudyFindings {
        statements: vec![
            "The paper gives no instance for it. Ours: rewards of one group are uniform on \
             [0.75, 1.25], those of the other the sum of two uniform on [0, 1]; both have the mean \
             1. Ranks are by the exact CDFs. For Remark 3.1 both groups have the latter."
                .into(),
        ],
        claims: vec![
            grows(
                run,
                "Appendix F: the fair policy",
                "“… for K = 2, we show that if ⟨μ*, X1⟩ and ⟨μ*, X2⟩ are independent, absolutely \
                 continuous, but not identically distributed, then the GMF policy has a linear \
                 standard regret …”",
                [ORACLE, STANDARD],
            )?,
            grows(
                run,
                "Appendix F: the policy of the highest reward",
                "“… and {a_t^opt} has a linear fair regret with positive probability.”",
                [BEST, FAIR_REGRET],
            )?,
            alike(runs.one(ALIKE)?)?,
        ],
        figures: vec![figure(run)?],
        tables: vec![],
    })
}

/// The size that the regrets of a run may reach by rounding alone.
const ROUNDING: f64 = 1e-9;

fn alike(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Remark 3.1: rewards of one distribution")
        .says(
            "“… when the reward distributions are the same for each arm, … then a policy \
             minimizing the fair pseudo-regret also minimizes the standard pseudo-regret and vice \
             versa.”",
        )
        .rule(
            "where both groups have one distribution, the standard regret of the fair oracle and \
             the fair regret of the highest reward are 0 in every run",
        );
    let mut none = true;
    for (label, metric, what) in [
        (ORACLE, STANDARD, "standard regret of the fair oracle"),
        (BEST, FAIR_REGRET, "fair regret of the highest reward"),
    ] {
        let values = run.values(label, metric, Some(WINDOW[1]))?;
        let most = values.into_iter().fold(0.0, f64::max);
        none &= most <= ROUNDING;
        claim.computed(
            format!("largest {what} of {} runs:", run.result.replications),
            most,
        );
    }
    Ok(claim.holds(none, "one of them gives something away"))
}

fn grows(
    run: &StudyRun,
    place: &str,
    paper: &str,
    [label, metric]: [&str; 2],
) -> Result<StudyClaim> {
    let growth = run.growth(label, metric, WINDOW)?;
    let last = run.values(label, metric, Some(WINDOW[1]))?;
    let positive = run.share(last.iter().map(|regret| *regret > 0.0))?;
    let mut claim = StudyClaim::at(place).says(paper).rule(format!(
        "its exponent from {} to {} rounds is between .8 and 1.2, and the regret is above 0 in \
         some run; in shape where it is above 0",
        WINDOW[0], WINDOW[1]
    ));
    claim.measured("exponent:", growth);
    let rate = run.mean(label, metric, Some(WINDOW[1]))?;
    claim.measured("regret a round:", rate.times(1.0 / WINDOW[1] as f64));
    claim.share("share of runs in which it is above 0:", positive);
    let some = positive.above(0.0);
    Ok(claim.judged(linear(growth) & some, some, "not surely linear"))
}

fn figure(run: &StudyRun) -> Result<Figure> {
    let panel = |title: &str, metric: &str| {
        let lines = courses(run, &[ORACLE, BEST], metric, Spread::Deviation)?;
        let x = Axis::linear("# of rounds");
        Ok::<_, StudyError>(plot(title, x, Axis::linear("pseudo-regret"), lines))
    };
    Ok(Figure {
        title: "Two groups: what is fair costs reward, and what earns most is unfair".into(),
        caption: format!(
            "Appendix F of Grazzi et al. 2022 on an instance of ours: mean of {} runs and ± one \
             standard deviation.",
            run.result.replications
        ),
        panels: vec![panel("fair", FAIR_REGRET)?, panel("standard", STANDARD)?],
    })
}
