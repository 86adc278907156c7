//! Figure 3: histograms and Gaussian fit of German credit's scores, by group.

use super::super::Findings;
use super::super::claim::above;
use super::likeness::{Groups, figure};
use super::people::{ERRORS, FIT, Fitted, GERMAN, LAW, effect, of_people};
use super::printed::{met, share};
use super::{Claim, Number, Runs, StudyError, claim};

pub(super) fn find(_: &Runs) -> Result<Findings, StudyError> {
    let fit = GERMAN.fitted(true)?;
    let groups = Groups::of(&GERMAN, &fit);
    Ok(Findings {
        statements: vec![
            format!("{} {FIT} {ERRORS}", GERMAN.told(true)),
            "Texts become a feature of 1 and 0 for each value but the first; the paper does not say how it reads them. Column 9 holds \
             marital status and gender in one; A92 and A95 are women."
                .into(),
            groups.statement(),
        ],
        claims: vec![
            groups.resemble("Section 3, Figure 3: a Gaussian, by the eye"),
            groups.gaussian("A.4.2, Figure 3: a Gaussian, by a test"),
            closer(&fit)?,
            share(
                &GERMAN,
                &fit,
                "A.4.2: where the pool starts",
                "“The dataset is imbalanced – about 31% of the instances belong to group u.”",
            ),
            met(
                "A.4.2, Figure 3: the parameters",
                "“For the German credit dataset the score distributions are closer with parameters μ_u = 0.32, σ²_u = 1.93, μ_v = 0.85, \
                 σ²_v = 2.06.”",
                &[(&fit, GERMAN.printed[0], "")],
            )?,
        ],
        figures: vec![figure(&GERMAN, &fit, "Figure 3 of Puranik et al. 2022")],
        tables: vec![("Scores beside their Gaussians".into(), groups.table())],
    })
}

/// That the groups are nearer to each other than the law school's, whose file is needed too.
fn closer(fit: &Fitted) -> Result<Claim, StudyError> {
    let told = |ours, finding| {
        claim(
            "A.4.2, Figure 3: closer than the law school",
            "“For the German credit dataset the score distributions are closer …”",
            "the means differ by fewer standard deviations within the groups than the law school's, surely; in shape where they do among \
             these people",
            ours,
            finding,
        )
    };
    if let Some(missing) = LAW.absent() {
        return Ok(told(vec![], missing));
    }
    let [law, german] = [&LAW.fitted(true)?, fit].map(|fit| fit.estimate(effect));
    let less = law.less(german);
    Ok(told(
        vec![
            Number::recorded("μ_v − μ_u in standard deviations, law school:", law),
            Number::recorded("German credit:", german),
            Number::recorded("the first less the second:", less),
        ],
        of_people(above(less, 0.0), less.mean > 0.0),
    ))
}
