//! The distance of numbers computed from a file from the paper's printed ones.

use super::people::{DataSet, FittedScores, PARAMETERS, gap, parameters};
use crate::reproduce::prelude::*;
use kleroterion_report::report::page::ClaimFinding;

/// Two digits are printed.
const PRINTED: f64 = 0.005 + 1e-12;

/// Makes the claim that the share of u is theta_0 as printed.
pub(super) fn share(data: &DataSet, fit: &FittedScores, place: &str, paper: &str) -> StudyClaim {
    let [u, v] = fit.scores.groups.map(|group| group.people as u64);
    let share = fit.scores.share();
    let holds = Holds::from((share - data.start).abs() <= PRINTED);
    StudyClaim::at(place)
        .says(paper)
        .rule(format!(
            "the share of {} in the file is {} to two digits",
            data.groups[0], data.start
        ))
        .counted(format!("{}:", data.groups[0]), u as f64, u + v)
        .counted("people:", (u + v) as f64, u + v)
        .counted("share:", share, u + v)
        .printed(data.start)
        .judged(holds, holds, format!("the share is {share:.4}"))
}

/// Makes the claim that the fitted parameters are those printed. Each fit comes with its row of
/// Table 1 and a word for it.
pub(super) fn met(
    place: &str,
    paper: &str,
    rows: &[(&FittedScores, [f64; 4], &str)],
) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at(place).says(paper);
    let (mut same, mut near) = (true, true);
    let mut why = Vec::new();
    for (fit, printed, word) in rows {
        let found = parameters(&fit.scores.groups);
        for (at, name) in PARAMETERS.into_iter().enumerate() {
            let estimate = fit.estimate(|laws| parameters(laws)[at]);
            same &= (found[at] - printed[at]).abs() <= PRINTED;
            // The level of all scores is left out here: it is the means' difference that any policy
            // heeds.
            near &= at < 2 || is_near(found[at], printed[at]);
            claim
                .recorded(format!("{word}{name}, printed {}:", printed[at]), estimate)
                .printed(printed[at]);
        }
        let (gap, due) = (fit.estimate(gap), printed[1] - printed[0]);
        near &= is_near(gap.mean, due);
        claim
            .recorded(format!("{word}μ_v − μ_u, printed {due:.2}:"), gap)
            .printed(due);
        why.push(format!(
            "{word}difference of the means {:.3}, printed {due:.2}",
            gap.mean
        ));
    }
    let rule = "each parameter of the converged fit is that printed, to the two digits; in shape \
                where the difference of the means and both variances are within a tenth of those \
                printed: a level that all scores share counts for no policy";
    let why = format!(
        "it can't be had from this file by a converged fit ({}): the paper's had not converged, or \
         reads the columns otherwise",
        why.join("; ")
    );
    let finding = match same {
        true => ClaimFinding::Reproduced,
        false => Holds::No.verdict(near, why),
    };
    Ok(claim.rule(rule).found(finding))
}

/// Returns true if two numbers differ by less than a tenth. A fit is exact for these people, so
/// sampling is no excuse for a difference.
fn is_near(ours: f64, printed: f64) -> bool {
    (ours - printed).abs() <= 0.1 * printed.abs()
}
