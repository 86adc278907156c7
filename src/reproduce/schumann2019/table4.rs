//! Table 4: the classifier that stands for the graduate chair. Nothing is played.

use super::super::numbers::Runs;
use super::super::{Claim, Findings};
use super::{StudyError, claim};
use crate::report::page::Finding;

pub(super) fn find(_: &Runs) -> Result<Findings, StudyError> {
    Ok(Findings {
        statements: vec![
            "The classifier was trained and tested on three years of one department's graduate admissions, letters of recommendation \
             included. These data are private, and neither they nor the classifier were published: there is nothing to play."
                .into(),
        ],
        claims: vec![classifier()],
        ..Findings::default()
    })
}

fn classifier() -> Claim {
    claim(
        "Appendix D, Table 4",
        "“Current predictor results on the testing data” (% correct, precision, recall): Ph.D. 77.8%, 61.1%, 39.7%; Masters 89.2%, 13.1%, \
         55.3%; Total 85.5%, 33.5%, 42.0%.",
        "none: there is nothing to play",
        vec![],
        Finding::CannotBe("the admissions data and the classifier are private".into()),
    )
}
