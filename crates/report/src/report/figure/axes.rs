//! The axes of a panel, laid out, and the sizes that all panels share.

use super::ruler::Ruler;
use super::ticks::Tick;

/// The width of a panel. One size for paper, desktop and phone, so that text is legible in all
/// three.
pub(super) const WIDTH: f64 = 360.0;
/// The width of a panel that has a desktop's page to itself.
pub(super) const WHOLE: f64 = 900.0;
/// The size of text.
pub(super) const SIZE: f64 = 13.0;
/// Both axes of a panel.
pub(super) struct Axes {
    pub(super) x: Ruler,
    pub(super) y: Ruler,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// True if the names of the x axis are drawn aslant for lack of room.
    pub(super) is_slanted: bool,
}
