//! The findings of a study.

use super::claim::StudyClaim;
use kleroterion_report::report::figure::{Figure, FigureTable};

/// The findings of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyFindings {
    /// Statements on the instance, its calibration, and the gaps that the paper leaves.
    pub statements: Vec<String>,
    /// The paper's sentences, judged.
    pub claims: Vec<StudyClaim>,
    /// The figures; the first is named after the study.
    pub figures: Vec<Figure>,
    /// Further tables, each with its caption.
    pub tables: Vec<(String, FigureTable)>,
}
