//! The findings of a study.

use super::claim::Claim;
use crate::report::figure::{Figure, Table};

/// The findings of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The instance, what is calibrated, and what the paper leaves open.
    pub statements: Vec<String>,
    /// The paper's sentences.
    pub claims: Vec<Claim>,
    /// The figures; the first is named after the study.
    pub figures: Vec<Figure>,
    /// Further tables, each under its caption.
    pub tables: Vec<(String, Table)>,
}
