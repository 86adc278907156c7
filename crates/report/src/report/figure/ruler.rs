//! The mapping from values to positions: the range of an axis, and the position of a value in it;
//! and the sizes that all panels share.

use super::ticks::{self, Tick};
use super::{Axis, AxisScale, ValueSpan};

/// The width of a panel. One size for paper, desktop and phone, so that text is legible in all
/// three.
pub(super) const WIDTH: f64 = 360.0;
/// The width of a panel that has a desktop's page to itself.
pub(super) const WHOLE: f64 = 1_040.0;
/// The width of one of two panels that have a page's width together.
pub(super) const HALF: f64 = 504.0;
/// The size of text.
pub(super) const SIZE: f64 = 13.0;

/// Values beyond this, or nearer to each other than its inverse, are not distinguished on an axis.
pub(super) const FARTHEST: f64 = 1e150;

/// Both axes of a panel.
pub(super) struct Axes {
    pub(super) x: Ruler,
    pub(super) y: Ruler,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// True if the names of the x axis are drawn aslant for lack of room.
    pub(super) is_slanted: bool,
}

/// The room that an axis has besides its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisFit {
    /// Some room at the ends, and 0 if it costs little.
    Free,
    /// The value 0, the base of bars.
    Ground,
    /// No room, since cells fill all.
    Tight,
}

/// Room left free at either end, as a share of the range.
const PAD: f64 = 0.05;

/// An axis laid over pixels.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    is_log: bool,
    /// Ends of the range; of the logarithms on a logarithmic axis.
    lo: f64,
    hi: f64,
    /// Pixels of the two ends.
    from: f64,
    to: f64,
}

impl Ruler {
    /// A ruler that spans all `values` (drawable ones); `None` where there are no values. It lies
    /// over the pixels 0 to 1 until it is laid elsewhere.
    pub(super) fn over(
        scale: &AxisScale,
        values: impl Iterator<Item = f64>,
        fit: AxisFit,
    ) -> Option<Self> {
        let is_log = matches!(scale, AxisScale::Log10);
        let range = values
            .map(|value| if is_log { libm::log10(value) } else { value })
            .fold(None, |range: Option<(f64, f64)>, value| {
                let (lo, hi) = range.unwrap_or((value, value));
                Some((lo.min(value), hi.max(value)))
            });
        let (lo, hi) = match (scale, range) {
            (AxisScale::Names(names), _) if !names.is_empty() => (-0.5, names.len() as f64 - 0.5),
            (_, None) => return None,
            (_, Some((lo, hi))) if fit == AxisFit::Tight && !is_narrow(lo, hi) => (lo, hi),
            (AxisScale::Log10, Some((lo, hi))) => log_range(lo, hi),
            (_, Some((lo, hi))) => linear_range(lo, hi, fit == AxisFit::Ground),
        };
        let (from, to) = (0.0, 1.0);
        Some(Self {
            is_log,
            lo,
            hi,
            from,
            to,
        })
    }

    /// Removes the room beyond these limits.
    pub(super) fn within(mut self, limits: Option<ValueSpan>) -> Self {
        let Some(limits) = limits else { return self };
        let end = |end: f64| match self.is_log {
            true if end <= 0.0 => f64::NEG_INFINITY,
            true => libm::log10(end),
            false => end,
        };
        let (lo, hi) = (self.lo.max(end(limits.lo)), self.hi.min(end(limits.hi)));
        if lo < hi && !is_narrow(lo, hi) {
            (self.lo, self.hi) = (lo, hi);
        }
        self
    }

    /// Lays the ruler over the pixels `from` to `to`.
    pub(super) fn laid(mut self, from: f64, to: f64) -> Self {
        (self.from, self.to) = (from, to);
        self
    }

    /// The pixel of a value; what lies outside the range is at its end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = match self.is_log {
            true if value <= 0.0 => self.lo,
            true => libm::log10(value),
            false => value,
        };
        let share = ((value - self.lo) / (self.hi - self.lo)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// The base of bars: 0, or the end of the range nearest to it.
    pub(super) fn ground(&self) -> f64 {
        self.at(0.0)
    }

    /// Returns true if a logarithmic axis has no position for a value, so that a line to it runs
    /// off the edge.
    pub(super) fn is_below(&self, value: f64) -> bool {
        self.is_log && value <= 0.0
    }

    /// Returns true if a value lies beyond the range of the axis by more than rounding.
    pub(super) fn is_beyond(&self, value: f64) -> bool {
        let value = match self.is_log {
            true if value <= 0.0 => return false,
            true => libm::log10(value),
            false => value,
        };
        let hair = (self.hi - self.lo) * 1e-9;
        value < self.lo - hair || value > self.hi + hair
    }

    /// The ticks, about `most` of them labelled.
    pub(super) fn ticks(&self, axis: &Axis, most: usize) -> Vec<Tick> {
        match &axis.scale {
            AxisScale::Linear if axis.whole => ticks::whole(self.lo, self.hi, most),
            AxisScale::Linear => ticks::linear(self.lo, self.hi, most),
            AxisScale::Log10 => ticks::log(self.lo, self.hi, most),
            AxisScale::Names(names) => names
                .iter()
                .enumerate()
                .map(|(i, name)| Tick {
                    value: i as f64,
                    label: Some(name.clone()),
                })
                .collect(),
        }
    }
}

/// The finite ends of a span on this axis, lower first; an end that the axis has no place for is 0.
pub(super) fn span_on(scale: &AxisScale, span: ValueSpan) -> Option<ValueSpan> {
    let (lo, hi) = (span.lo.min(span.hi), span.lo.max(span.hi));
    let is_finite = |end: f64| end.abs() <= FARTHEST;
    if !(is_finite(span.lo) && is_finite(span.hi))
        || (matches!(scale, AxisScale::Log10) && hi <= 0.0)
    {
        return None;
    }
    let lo = if matches!(scale, AxisScale::Log10) {
        lo.max(0.0)
    } else {
        lo
    };
    Some(ValueSpan { lo, hi })
}

/// Returns true if an axis has a position for a value.
pub(super) fn is_on(scale: &AxisScale, value: f64) -> bool {
    value.abs() <= FARTHEST
        && match scale {
            AxisScale::Linear => true,
            AxisScale::Log10 => value > 0.0,
            AxisScale::Names(names) => {
                value >= 0.0 && value < names.len() as f64 && value.fract() == 0.0
            }
        }
}

/// Returns true if two ends are too close to be distinguished.
fn is_narrow(lo: f64, hi: f64) -> bool {
    let spread = hi - lo;
    spread <= lo.abs().max(hi.abs()) * 1e-9 || spread < 1.0 / FARTHEST
}

fn linear_range(lo: f64, hi: f64, from_zero: bool) -> (f64, f64) {
    let (lo, hi) = if from_zero {
        (lo.min(0.0), hi.max(0.0))
    } else {
        (lo, hi)
    };
    let spread = hi - lo;
    if is_narrow(lo, hi) {
        let room = if lo.abs() < 1.0 / FARTHEST {
            1.0
        } else {
            lo.abs() / 2.0
        };
        return (lo - room, hi + room);
    }
    // 0 is shown where it costs less than a third of the range, and nothing is left free beyond it.
    let pad = spread * PAD;
    if lo >= 0.0 {
        let lo = if lo <= spread / 3.0 { 0.0 } else { lo - pad };
        (lo, hi + pad)
    } else if hi <= 0.0 {
        let hi = if -hi <= spread / 3.0 { 0.0 } else { hi + pad };
        (lo - pad, hi)
    } else {
        (lo - pad, hi + pad)
    }
}

fn log_range(lo: f64, hi: f64) -> (f64, f64) {
    let pad = if hi - lo < 1e-9 { 0.5 } else { (hi - lo) * PAD };
    (lo - pad, hi + pad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(scale: &AxisScale, values: &[f64], from_zero: bool) -> Option<(f64, f64)> {
        let fit = if from_zero {
            AxisFit::Ground
        } else {
            AxisFit::Free
        };
        Ruler::over(scale, values.iter().copied(), fit).map(|ruler| (ruler.lo, ruler.hi))
    }

    #[test]
    fn zero_is_shown_where_it_is_cheap() {
        let linear = &AxisScale::Linear;
        assert_eq!(range(linear, &[0.0, 10.0], false), Some((0.0, 10.5)));
        assert_eq!(range(linear, &[2.0, 10.0], false), Some((0.0, 10.4)));
        assert_eq!(
            range(linear, &[2010.0, 2020.0], false),
            Some((2009.5, 2020.5))
        );
        assert_eq!(range(linear, &[-10.0, -2.0], false), Some((-10.4, 0.0)));
        assert_eq!(range(linear, &[-1.0, 1.0], false), Some((-1.1, 1.1)));
        assert_eq!(range(linear, &[90.0, 100.0], true), Some((0.0, 105.0)));
    }

    #[test]
    fn cells_leave_nothing_free() {
        let tight = |values: [f64; 2]| {
            let ruler =
                Ruler::over(&AxisScale::Linear, values.into_iter(), AxisFit::Tight).unwrap();
            (ruler.lo, ruler.hi)
        };
        assert_eq!(tight([1.5, 19.5]), (1.5, 19.5));
        assert_eq!(tight([4.0, 4.0]), (2.0, 6.0));
    }

    #[test]
    fn one_value_has_room_around_it() {
        assert_eq!(
            range(&AxisScale::Linear, &[4.0, 4.0], false),
            Some((2.0, 6.0))
        );
        assert_eq!(range(&AxisScale::Linear, &[0.0], false), Some((-1.0, 1.0)));
        assert_eq!(
            range(&AxisScale::Linear, &[1e-200], true),
            Some((-1.0, 1.0))
        );
        assert_eq!(range(&AxisScale::Log10, &[100.0], false), Some((1.5, 2.5)));
        assert_eq!(range(&AxisScale::Linear, &[], false), None);
        let names = AxisScale::Names(vec!["a".into(), "b".into()]);
        assert_eq!(range(&names, &[], false), Some((-0.5, 1.5)));
    }

    #[test]
    fn values_have_places() {
        let ruler = Ruler::over(&AxisScale::Log10, [10.0, 1000.0].into_iter(), AxisFit::Free);
        let ruler = ruler.unwrap().laid(0.0, 110.0);
        assert!((ruler.at(10.0) - 5.0).abs() < 1e-9);
        assert!((ruler.at(100.0) - 55.0).abs() < 1e-9);
        assert_eq!(ruler.at(0.0), 0.0, "off the edge");
        assert!(!is_on(&AxisScale::Log10, 0.0) && !is_on(&AxisScale::Linear, f64::NAN));
        assert!(!is_on(&AxisScale::Linear, f64::INFINITY) && is_on(&AxisScale::Linear, -3.0));
        let names = AxisScale::Names(vec!["a".into(), "b".into()]);
        assert!(is_on(&names, 1.0) && !is_on(&names, 2.0) && !is_on(&names, 0.5));
        let open = span_on(&AxisScale::Log10, ValueSpan { lo: 2.0, hi: -1.0 });
        assert_eq!(open, Some(ValueSpan { lo: 0.0, hi: 2.0 }));
        let unknown = ValueSpan {
            lo: f64::NAN,
            hi: 1.0,
        };
        assert_eq!(span_on(&AxisScale::Linear, unknown), None);
    }
}
