//! Figure 9: the cost of SWAP over values of s, for Master's and Ph.D. applicants separately.

use super::lanes::{COST, SWAP};
use super::season::{ACTUAL, DecidedSeason, GENERATED};
use crate::reproduce::prelude::*;

const PROGRAMMES: [(&str, &str); 2] = [
    ("Master's", "schumann2019-fig9-masters"),
    ("Ph.D.", "schumann2019-fig9-phd"),
];

const GAIN: &str = "rules.interviews.1.gain";

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig9",
    "Figure 9 of Schumann et al. 2019: cost over s by programme (a generated season)",
    &[
        ("schumann2019-fig9-masters", 15),
        ("schumann2019-fig9-phd", 15),
    ],
    find,
)
.on(ClaimGround::GeneratedSeason);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let panels = PROGRAMMES.map(|(name, preset)| panel(name, runs.of(preset)?));
    let panels: Result<Vec<Panel>> = panels.into_iter().collect();
    let seasons = runs.one(PROGRAMMES[0].1)?.result.replications;
    Ok(StudyFindings {
        statements: vec![
            GENERATED.into(),
            ACTUAL.into(),
            "The level of the costs is that of the noise to which the season is calibrated; j = 6. \
             Up to s = j no interview is strong by Eq. 3, so that the cost does not depend on s \
             there.".into(),
        ],
        claims: vec![aligns(runs)?],
        figures: vec![Figure {
            title: "Figure 9 of Schumann et al. 2019, on a generated season".into(),
            caption: format!(
                "What SWAP costs until it is certain, over the gain s of a strong interview (j = \
                 6), and what the actual process cost, on a generated season whose parameters are \
                 ours: the paper's data are private. Mean of {seasons} seasons, ± 2 s.e.; the \
                 vertical axes do not begin at 0."
            ),
            panels: panels?,
        }],
        tables: vec![],
    })
}

/// Returns the mean cost of the actual process.
fn actual(run: &StudyRun) -> Result<f64> {
    let decided = DecidedSeason::all(run)?;
    Ok(run.estimate(decided.iter().map(|one| one.cost))?.mean)
}

fn aligns(runs: &StudyRuns) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Appendix E.2, Figure 9: cost over s")
        .says(
            "“We ran SWAP over both Masters and Ph.D. students over various values of s (Figure \
             9). The total cost of running these experiments aligns with the resources spent \
             during the actual admissions decision process.”",
        )
        .rule(
            "in shape where for both programmes and at every s SWAP costs from .75 to 1.25 of what \
             the actual process cost",
        );
    let mut holds = Holds::Yes;
    for (name, preset) in PROGRAMMES {
        let all = runs.of(preset)?;
        for run in all {
            let decided = DecidedSeason::all(run)?;
            let costs = run.values(SWAP, COST, None)?;
            let ratios = costs
                .iter()
                .zip(&decided)
                .map(|(cost, one)| cost / one.cost);
            let ratio = run.estimate(ratios)?;
            holds &= ratio.inside(0.75, 1.25);
            let s = run.swept(GAIN)?;
            if [6, 9, 20].contains(&s) {
                claim.measured(format!("{name}, s = {s}, SWAP over Actual:"), ratio);
            }
        }
    }
    Ok(claim.holds(holds, "at some s it costs less or more"))
}

fn panel(name: &str, runs: &[StudyRun]) -> Result<Panel> {
    let lacks = || StudyError::Missing("no run".into());
    let actual = actual(runs.first().ok_or_else(lacks)?)?;
    let point = |run: &StudyRun| Ok(run.mean(SWAP, COST, None)?.at(run.swept(GAIN)?));
    let y = Axis::linear("cost, in weak interviews").spanning(0.95 * actual, 1.05 * actual);
    Ok(Panel {
        marks: vec![level(actual, "Actual")],
        ..plot(
            format!("{name} applicants"),
            Axis::linear("gain s of a strong interview"),
            y,
            [series_of("SWAP", SeriesKind::Line, runs.iter().map(point))?],
        )
    })
}
