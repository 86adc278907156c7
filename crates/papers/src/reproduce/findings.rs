//! The findings of a study.

use super::claim::StudyClaim;
use kleroterion_report::report::figure::{Figure, FigureTable};

/// The findings of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The instance, what is calibrated, and what the paper leaves open.
    pub statements: Vec<String>,
    /// The paper's sentences.
    pub claims: Vec<StudyClaim>,
    /// The figures; the first is named after the study.
    pub figures: Vec<Figure>,
    /// Further tables, each under its caption.
    pub tables: Vec<(String, FigureTable)>,
}
