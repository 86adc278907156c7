use super::*;
use crate::draw::{Key, Purpose};
use crate::feedback::Gaussian;
use crate::protocol::{Feedback, Probe};

#[track_caller]
fn assert_close(ours: f64, known: f64, relative: f64) {
    let gap = ((ours - known) / known).abs();
    assert!(gap <= relative, "{ours} against {known}: {gap:e}");
}
