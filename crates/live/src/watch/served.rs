//! The report of a run that is over, for whoever looks at its board.

use std::sync::OnceLock;

/// The page of a report, and its figures by the names of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportPage {
    /// The page.
    pub html: String,
    /// The SVG of each figure.
    pub figures: Vec<(String, String)>,
}

/// A place for the report, which is empty until it is written.
pub type ServedReport = OnceLock<ReportPage>;
