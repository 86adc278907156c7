//! The ground on which a sentence was judged, where it limits the verdict.

use kleroterion_report::report::page::ClaimFinding;

/// The ground on which a sentence was judged. No verdict says more than its ground allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimGround {
    /// The paper's own instance, or another that was not made to match the sentence.
    #[default]
    Open,
    /// A definition, or an instance made to match the sentence; that the sentence holds is no
    /// evidence.
    Definition,
    /// An instance in which this part was chosen so that the sentence holds.
    Fitted(&'static str),
    /// Other people than the paper's.
    OtherPeople,
    /// A generated season of applicants, calibrated to the paper's numbers.
    GeneratedSeason,
}

impl ClaimGround {
    /// Returns the name of the ground in `claims.json` and `claims.csv`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Definition => "definition",
            Self::Fitted(_) => "fitted",
            Self::OtherPeople => "other people",
            Self::GeneratedSeason => "generated season",
        }
    }

    /// Returns the finding, or the strongest one that the ground allows.
    pub(super) fn allows(self, finding: ClaimFinding) -> ClaimFinding {
        if finding != ClaimFinding::Reproduced {
            return finding;
        }
        match self {
            Self::Open => finding,
            Self::Definition => ClaimFinding::ByConstruction,
            Self::Fitted(what) => {
                ClaimFinding::InShape(format!("so it is where {what}, and so no evidence"))
            }
            Self::OtherPeople => {
                ClaimFinding::InShape("so it is on other people than the paper's".into())
            }
            Self::GeneratedSeason => ClaimFinding::InShape(
                "so it is on a generated season that is calibrated to the paper's numbers; its own \
                 data are private"
                    .into(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_verdict_says_more_than_its_ground_allows() {
        let grounds = [
            (ClaimGround::Open, "reproduced"),
            (ClaimGround::Definition, "by construction"),
            (
                ClaimGround::Fitted("a scale was chosen for it"),
                "reproduced in shape",
            ),
            (ClaimGround::OtherPeople, "reproduced in shape"),
            (ClaimGround::GeneratedSeason, "reproduced in shape"),
        ];
        for (ground, best) in grounds {
            for finding in ClaimFinding::kinds() {
                let word = match finding {
                    ClaimFinding::Reproduced => best,
                    _ => finding.word(),
                };
                assert_eq!(ground.allows(finding).word(), word, "{ground:?}");
            }
        }
    }
}
