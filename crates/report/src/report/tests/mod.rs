//! Helpers of the tests of reports, and tests of several of their files together.

pub(super) mod contrast;
mod own_measures;
pub(super) mod samples;
