//! Table 4: the classifier in place of the graduate chair. Nothing is played.

use crate::reproduce::prelude::*;
use kleroterion_report::report::page::ClaimFinding;

pub(super) const STUDY: Study = Study::new(
    "schumann2019-table4",
    "Table 4 of Schumann et al. 2019: the classifier of admissions, which rests on private data",
    &[],
    find,
);

fn find(_: &StudyRuns) -> Result<StudyFindings> {
    Ok(StudyFindings {
        statements: vec![
            "The classifier was trained and tested on three years of one department's graduate \
             admissions, letters of recommendation included. These data are private, and neither \
             they nor the classifier were published: there is nothing to play."
                .into(),
        ],
        claims: vec![classifier()],
        ..StudyFindings::default()
    })
}

fn classifier() -> StudyClaim {
    StudyClaim::at("Appendix D, Table 4")
        .says(
            "“Current predictor results on the testing data” (% correct, precision, recall): Ph.D. \
             77.8%, 61.1%, 39.7%; Masters 89.2%, 13.1%, 55.3%; Total 85.5%, 33.5%, 42.0%.",
        )
        .rule("none: there is nothing to play")
        .found(ClaimFinding::CannotBe(
            "the admissions data and the classifier are private".into(),
        ))
}
