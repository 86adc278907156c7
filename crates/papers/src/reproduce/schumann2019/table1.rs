//! Table 1: SWAP by the sum of utilities against what was decided.

use super::lanes::{COST, SWAP, VALUE, own};
use super::season::{ACTUAL, DecidedSeason, GENERATED, PRESET};
use crate::reproduce::prelude::*;

/// The season where reviewers err as people do.
const NOISY: &str = "schumann2019-season-noise";

pub(super) const STUDY: Study = Study::new(
    "schumann2019-table1",
    "Table 1 of Schumann et al. 2019: SWAP against the actual admissions (a generated season)",
    &[
        ("schumann2019-season", 40),
        ("schumann2019-season-noise", 2),
    ],
    find,
)
.on(ClaimGround::GeneratedSeason);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let decided = DecidedSeason::all(run)?;
    let noisy = runs.one(NOISY)?;
    let dear = noisy.estimate(costs_an_applicant(noisy)?)?;
    let converged = noisy.rate(SWAP, "converged")?;
    Ok(StudyFindings {
        statements: vec![
            GENERATED.into(),
            ACTUAL.into(),
            format!(
                "The cost rests on how little reviewers err: SWAP stops when the last admitted is \
                 told from the first rejected, and their utilities lie 0.002 apart. Where a review \
                 errs by 0.1 on the scale of 0 to 1 (preset {NOISY}, {} replications, {:.0} % of \
                 them decided) the same stop costs {} looks' worth an applicant, not 1.25: no \
                 committee could pay it.",
                dear.n,
                100.0 * converged.share(),
                kleroterion_report::report::number::mean_and_se(dear.mean, dear.se),
            ),
        ],
        claims: vec![utility(run, &decided)?, cost(run, &decided)?],
        figures: vec![],
        tables: vec![(
            "Table 1 on the generated season".into(),
            table(run, &decided, noisy)?,
        )],
    })
}

/// Returns the cost of SWAP per applicant, one value per replication.
fn costs_an_applicant(run: &StudyRun) -> Result<Vec<f64>> {
    let decided = DecidedSeason::all(run)?;
    let costs = run.values(SWAP, COST, None)?.into_iter().zip(&decided);
    Ok(costs.map(|(cost, one)| cost / one.applicants()).collect())
}

fn utility(run: &StudyRun, decided: &[DecidedSeason]) -> Result<StudyClaim> {
    let swap = run.values(SWAP, &own(run, SWAP, VALUE), None)?;
    let actual: Vec<f64> = decided.iter().map(DecidedSeason::top).collect();
    let gain = run.gap(&swap, &actual)?;
    let higher = run.share(swap.iter().zip(&actual).map(|(swap, actual)| swap > actual))?;
    Ok(StudyClaim::at("Section 5.2, Table 1: higher utility")
        .says(
            "“Running SWAP consistently resulted in a higher overall utility than the actual \
             admissions process …” (w: SWAP 80.1, Actual 73.96)",
        )
        .rule("in shape where w is higher by SWAP, and is so in more than 95 % of the seasons")
        .measured("w of SWAP's cohort:", run.estimate(swap)?)
        .printed(80.1)
        .measured("w of the actual cohort:", run.estimate(actual)?)
        .printed(73.96)
        .share("share of seasons in which SWAP's is higher:", higher)
        .holds(
            gain.above(0.0) & higher.above(0.95),
            "it is not higher, or not consistently",
        ))
}

fn cost(run: &StudyRun, decided: &[DecidedSeason]) -> Result<StudyClaim> {
    let costs = run.values(SWAP, COST, None)?;
    let actual = decided.iter().map(|one| one.cost);
    let ratios = costs
        .iter()
        .zip(actual.clone())
        .map(|(swap, actual)| swap / actual);
    let ratio = run.estimate(ratios)?;
    Ok(StudyClaim::at("Section 5.2, Table 1: equivalent cost")
        .says("“… while using roughly equivalent cost (Table 1).” (T: SWAP 1978, Actual ~2000)")
        .rule("in shape where SWAP costs from .75 to 1.25 of what the actual process cost")
        .measured("cost of SWAP:", run.estimate(costs)?)
        .printed(1978.0)
        .measured("cost of the actual process:", run.estimate(actual)?)
        .printed(2000.0)
        .measured("SWAP over Actual:", ratio)
        .holds(ratio.inside(0.75, 1.25), "it costs less or more"))
}

fn table(run: &StudyRun, decided: &[DecidedSeason], noisy: &StudyRun) -> Result<FigureTable> {
    let swap = |run: &StudyRun| -> Result<Vec<Option<StudyEstimate>>> {
        let worth = run.mean(SWAP, &own(run, SWAP, VALUE), None)?;
        Ok(vec![Some(worth), Some(run.mean(SWAP, COST, None)?)])
    };
    let actual = [
        run.estimate(decided.iter().map(DecidedSeason::top))?,
        run.estimate(decided.iter().map(|one| one.cost))?,
    ];
    let rows = [
        (text("SWAP"), swap(run)?),
        (text("Actual"), actual.map(Some).into()),
        (text("SWAP where a review errs by 0.1"), swap(noisy)?),
    ];
    Ok(tabulate_estimates("", ["w", "T"].map(str::to_owned), rows))
}
