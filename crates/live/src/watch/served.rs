//! The report of a finished run, as the board serves it.

use std::sync::OnceLock;

/// The page of a report, and its figures by file name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportPage {
    /// The HTML of the page.
    pub html: String,
    /// The file name and the SVG of each figure.
    pub figures: Vec<(String, String)>,
}

/// A place for the report. It is empty until the report is written.
pub type ServedReport = OnceLock<ReportPage>;
