//! Figure 1(e): histograms and Gaussian fit of the law school's scores, by group.

use super::super::Findings;
use super::super::claim::above;
use super::likeness::{Groups, figure};
use super::people::{ERRORS, FIT, Fitted, LAW, effect, gap, of_people};
use super::printed::{met, share};
use super::{Claim, Number, Runs, StudyError, claim};

/// A difference of means is large from so many standard deviations within the groups on (Cohen 1988).
const LARGE: f64 = 0.8;

pub(super) fn find(_: &Runs) -> Result<Findings, StudyError> {
    let fit = LAW.fitted(true)?;
    let groups = Groups::of(&LAW, &fit);
    Ok(Findings {
        statements: vec![
            format!("{} {FIT} {ERRORS}", LAW.told(true)),
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
                "“The initial mean for the applicant proportion is set to θ₀ = 0.25, based on the proportion of non-white samples in the \
                 dataset.”",
            ),
            met(
                "A.4.2, Figure 1(e): the parameters",
                "“For the law school dataset the parameters of scores are μ_u = −1.46, σ²_u = 2.73, μ_v = 0.79, σ²_v = 3.16.”",
                &[(&fit, LAW.printed[0], "")],
            )?,
        ],
        figures: vec![figure(&LAW, &fit, "Figure 1(e) of Puranik et al. 2022")],
        tables: vec![("Scores beside their Gaussians".into(), groups.table())],
    })
}

/// That the groups' scores are told apart at a glance.
fn distinct(fit: &Fitted) -> Claim {
    let large = fit.estimate(effect);
    claim(
        "Section 3, Figure 1(e): distinct groups",
        "“Figure 1e depicts the distinct group-wise score distributions for the LS dataset …”",
        &format!(
            "the means differ by more than {LARGE} standard deviations within the groups (what Cohen calls large), surely; in shape where \
             they do among these people"
        ),
        vec![
            Number::recorded("μ_v − μ_u:", fit.estimate(gap)),
            Number::recorded("in standard deviations:", large),
        ],
        of_people(above(large, LARGE), large.mean > LARGE),
    )
}
