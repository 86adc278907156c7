//! Reports, charts and pages.
//!
//! [`report`] turns the result of a run into text, CSV, JSON, SVG charts and self-contained HTML
//! pages. It also reads a [`Finished`](report::finished::Finished) run back from its folder.
//!
//! Nothing in this crate changes a result or opens a network connection. It does not know the live
//! server, draws of the real panel, sweeps in progress or the studies of papers, whose crates depend on
//! it.

pub mod limits;
pub mod report;
