//! Figure 5: the composition of the cohorts, by gender and by region.

use super::lanes::SWAP;
use super::season::{ACTUAL, DecidedSeason, GENDER, GENERATED, PRESET, REGION, SeasonAttribute};
use crate::reproduce::prelude::*;

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig5",
    "Figure 5 of Schumann et al. 2019: who is in the cohorts (a generated season)",
    &[("schumann2019-season", 40)],
    find,
)
.on(ClaimGround::GeneratedSeason);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let decided = DecidedSeason::all(run)?;
    let panels = [panel(run, &decided, GENDER)?, panel(run, &decided, REGION)?];
    Ok(StudyFindings {
        statements: vec![GENERATED.into(), ACTUAL.into()],
        claims: vec![composition(run, &decided)?],
        figures: vec![Figure {
            title: "Figure 5 of Schumann et al. 2019, on a generated season".into(),
            caption: format!(
                "Who is in the cohorts of 150, by gender and by region (r1 is the largest), on a \
                 generated season whose shares are ours: the paper's data are private. SWAP \
                 (w_div) goes by the attribute of its panel. Mean of {} seasons, ± 2 s.e.",
                run.result.replications
            ),
            panels: panels.into(),
        }],
        tables: vec![],
    })
}

/// Makes the claim that the smaller groups gain, which the figure shows. The paper's own sentence
/// on it is of Table 2.
fn composition(run: &StudyRun, decided: &[DecidedSeason]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Figure 5: who is in the cohorts")
        .says(
            "“Comparison of true and SWAP-simulated admissions: gender (5(a), 5(b)) & region \
             (5(c), 5(d)).” “Under w_div(M) there is typically more benefit to selecting an arm \
             from a class that is not already represented in the cohort …”",
        )
        .rule(
            "in shape where SWAP's cohorts have more women, who are the fewer, and fewer of the \
             largest region than the actual ones",
        );
    let mut holds = Holds::Yes;
    // Women are the first value of gender and fewer; the first region is the largest.
    for (class, value, what, sign) in [
        (GENDER, "F", "women", 1.0),
        (REGION, "r1", "the largest region", -1.0),
    ] {
        let swap = run.values(class.name, &metric(class, value), None)?;
        let actual: Vec<f64> = decided.iter().map(|one| one.share(class, 0)).collect();
        let gain = run.gap(&swap, &actual)?;
        holds &= gain.times(sign).above(0.0);
        claim.measured(
            format!("share of {what}, SWAP by {}:", class.name),
            run.estimate(swap)?,
        );
        claim.measured(format!("share of {what}, Actual:"), run.estimate(actual)?);
    }
    Ok(claim.holds(holds, "they do not"))
}

fn metric(class: SeasonAttribute, value: &str) -> String {
    format!("share.{}:{value}", class.name)
}

fn panel(run: &StudyRun, decided: &[DecidedSeason], class: SeasonAttribute) -> Result<Panel> {
    let values = &run.plan.world.schema.attributes()[class.at].values;
    let bars = |name: &str, share: &dyn Fn(u16, &str) -> Result<StudyEstimate>| {
        let shares = (0..).zip(values);
        let points = shares.map(|(at, value)| Ok(share(at, value)?.at(f64::from(at))));
        series_of(name, SeriesKind::Bars, points)
    };
    let lane = |name: &str, label: &str| {
        bars(name, &|_, value| {
            run.mean(label, &metric(class, value), None)
        })
    };
    let actual = |at, _: &str| run.estimate(decided.iter().map(|one| one.share(class, at)));
    Ok(plot(
        format!("by {}", class.name),
        Axis::names(class.name, values.clone()),
        Axis::linear("share of the cohort"),
        [
            bars("Actual", &actual)?,
            lane("SWAP (sum of utilities)", SWAP)?,
            lane("SWAP (w_div)", class.name)?,
        ],
    ))
}
