//! The imports that studies share.

pub(super) use super::claim::StudyClaim;
pub(super) use super::drawing::{
    Spread, cells, level, plot, series_of, tabulate, tabulate_estimates, text, upright,
};
pub(super) use super::error::{Result, StudyError};
pub(super) use super::estimate::StudyEstimate;
pub(super) use super::findings::StudyFindings;
pub(super) use super::ground::ClaimGround;
pub(super) use super::holds::Holds;
pub(super) use super::number::Number;
pub(super) use super::played::{StudyRun, StudyRuns};
pub(super) use super::share::StudyShare;
pub(super) use super::study::Study;
pub(super) use kleroterion_report::report::figure::{
    Axis, Cell, Figure, FigurePoint, FigureTable, Panel, Series, SeriesKind,
};
