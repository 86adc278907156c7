//! Figure 1(e): histograms and Gaussian fit of the law school's scores, by group.

use super::likeness::{Groups, figure};
use super::people::{ERRORS, FIT, FittedScores, LAW, effect, gap, of_people};
use super::printed::{met, share};
use crate::reproduce::prelude::*;

/// A difference of means is large from this many standard deviations within the groups (Cohen
/// 1988).
const LARGE: f64 = 0.8;

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig1e",
    "Figure 1(e) of Puranik et al. 2022: scores of the law school by group, and the Gaussians \
     fitted to them",
    &[],
    find,
)
.needs(LAW.file);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let fit = LAW.fitted(true, runs.data())?;
    let groups = Groups::of(&LAW, &fit);
    Ok(StudyFindings {
        statements: vec![
            format!("{} {FIT} {ERRORS}", LAW.scoring(true)),
            groups.statement(),
        ],
        claims: vec![
            groups.resemble("Section 3, Figure 1(e): a Gaussian, by the eye"),
            groups.gaussian("A.4.2, Figure 1(e): a Gaussian, by a test"),
            distinct(&fit),
            share(
                &LAW,
                &fit,
                "Section 3: where the pool starts",
                "“The initial mean for the applicant proportion is set to θ₀ = 0.25, based on the \
                 proportion of non-white samples in the dataset.”",
            ),
            met(
                "A.4.2, Figure 1(e): the parameters",
                "“For the law school dataset the parameters of scores are μ_u = −1.46, σ²_u = \
                 2.73, μ_v = 0.79, σ²_v = 3.16.”",
                &[(&fit, LAW.printed[0], "")],
            )?,
        ],
        figures: vec![figure(&LAW, &fit, "Figure 1(e) of Puranik et al. 2022")],
        tables: vec![("Scores beside their Gaussians".into(), groups.table())],
    })
}

/// Makes the claim that the groups' scores are clearly distinct.
fn distinct(fit: &FittedScores) -> StudyClaim {
    let large = fit.estimate(effect);
    StudyClaim::at("Section 3, Figure 1(e): distinct groups")
        .says(
            "“Figure 1e depicts the distinct group-wise score distributions for the LS dataset …”",
        )
        .rule(format!(
            "the means differ by more than {LARGE} standard deviations within the groups (what \
             Cohen calls large), surely; in shape where they do among these people"
        ))
        .recorded("μ_v − μ_u:", fit.estimate(gap))
        .recorded("in standard deviations:", large)
        .found(of_people(large.above(LARGE), large.mean > LARGE))
}
