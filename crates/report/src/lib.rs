//! Reports, charts and the pages of a draw.
//!
//! [`report`] turns the result of a run into text, CSV, JSON, SVG charts and self-contained HTML
//! pages. It also reads a [`Finished`](report::finished::Finished) run back from its folder.
//! [`drawing`] makes and verifies the real draw of a panel.
//!
//! Nothing in this crate changes a result or opens a network connection. It does not know the live
//! server, sweeps in progress or the studies of papers. The crates `kleroterion-live`,
//! `kleroterion-sweep` and `kleroterion-papers` depend on it.

pub mod drawing;
pub mod limits;
pub mod report;
