//! Figure 3: histograms and Gaussian fit of German credit's scores, by group.

use std::path::Path;

use super::likeness::{Groups, figure};
use super::people::{ERRORS, FIT, FittedScores, GERMAN, LAW, effect, of_people};
use super::printed::{met, share};
use crate::reproduce::prelude::*;

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig3",
    "Figure 3 of Puranik et al. 2022: scores of German credit by group, and the Gaussians fitted \
     to them",
    &[],
    find,
)
.needs(GERMAN.file);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let fit = GERMAN.fitted(true, runs.data())?;
    let groups = Groups::of(&GERMAN, &fit);
    Ok(StudyFindings {
        statements: vec![
            format!("{} {FIT} {ERRORS}", GERMAN.scoring(true)),
            "Texts become a feature of 1 and 0 for each value but the first; the paper does not \
             say how it reads them. Column 9 holds marital status and gender in one; A92 and A95 \
             are women."
                .into(),
            groups.statement(),
        ],
        claims: vec![
            groups.resemble("Section 3, Figure 3: a Gaussian, by the eye"),
            groups.gaussian("A.4.2, Figure 3: a Gaussian, by a test"),
            closer(&fit, runs.data())?,
            share(
                &GERMAN,
                &fit,
                "A.4.2: where the pool starts",
                "“The dataset is imbalanced – about 31% of the instances belong to group u.”",
            ),
            met(
                "A.4.2, Figure 3: the parameters",
                "“For the German credit dataset the score distributions are closer with parameters \
                 μ_u = 0.32, σ²_u = 1.93, μ_v = 0.85, σ²_v = 2.06.”",
                &[(&fit, GERMAN.printed[0], "")],
            )?,
        ],
        figures: vec![figure(&GERMAN, &fit, "Figure 3 of Puranik et al. 2022")],
        tables: vec![("Scores beside their Gaussians".into(), groups.table())],
    })
}

/// Makes the claim that the groups are nearer to each other than the law school's, whose file is
/// needed too.
fn closer(fit: &FittedScores, data: Option<&Path>) -> Result<StudyClaim> {
    let claim = |ours, finding| {
        StudyClaim::at("A.4.2, Figure 3: closer than the law school")
            .says("“For the German credit dataset the score distributions are closer …”")
            .rule(
                "the means differ by fewer standard deviations within the groups than the law \
                 school's, surely; in shape where they do among these people",
            )
            .numbers(ours)
            .found(finding)
    };
    if let Some(missing) = LAW.absent(data) {
        return Ok(claim(vec![], missing));
    }
    let [law, german] = [&LAW.fitted(true, data)?, fit].map(|fit| fit.estimate(effect));
    let less = law.less(german);
    Ok(claim(
        vec![
            Number::recorded("μ_v − μ_u in standard deviations, law school:", law),
            Number::recorded("German credit:", german),
            Number::recorded("the first less the second:", less),
        ],
        of_people(less.above(0.0), less.mean > 0.0),
    ))
}
