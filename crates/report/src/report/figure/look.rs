//! The looks of series: a colour, a dash and a marker each.

use super::super::markup::px;
use super::palette::{COLOURS, Paint, RAMP, SERIES, STEPS_OF_RAMP};

/// The look of a series. No two looks of the same colour share a marker, so that colour is never
/// needed to tell policies apart.
#[derive(Clone, Copy)]
pub(super) struct SeriesLook {
    /// The colour.
    pub(super) paint: &'static Paint,
    /// Lengths of dashes and gaps in pixels; empty for an unbroken line.
    dash: &'static str,
    /// The shape at its points.
    pub(super) marker: Marker,
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
    Box,
    Wedge,
    Cross,
    Plus,
}

/// Dashes and markers by their places.
const SHAPES: [(&str, Marker); COLOURS] = [
    ("", Marker::Disc),
    ("7 3", Marker::Square),
    ("2 2.5", Marker::Triangle),
    ("9 3 2 3", Marker::Diamond),
    ("14 4", Marker::Ring),
    ("4 2 1 2 1 2", Marker::Box),
    ("4 4", Marker::Wedge),
    ("1 4", Marker::Cross),
    ("10 3 3 3", Marker::Plus),
];

/// The number of looks in which each colour meets each marker; the looks of a ramp follow.
pub(super) const PLAIN_LOOKS: usize = COLOURS * COLOURS;

/// The reader's own typeface, which is always available.
pub(super) const FONT: &str =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

impl SeriesLook {
    /// The look of a number: colours by place, each time around with other markers.
    pub(super) fn of(number: usize) -> Self {
        let (paint, shape) = match number.checked_sub(PLAIN_LOOKS) {
            Some(ramp) => (&RAMP[ramp / COLOURS % STEPS_OF_RAMP], ramp % COLOURS),
            None => (
                &SERIES[number % COLOURS],
                (number + number / COLOURS) % COLOURS,
            ),
        };
        let (dash, marker) = SHAPES[shape];
        Self {
            paint,
            dash,
            marker,
        }
    }

    /// The number of the look of the `place`-th of `count` policies that differ in one number.
    pub(super) fn on_ramp(place: usize, count: usize) -> usize {
        let last = count.saturating_sub(1).max(1);
        let colour = (2 * place * (STEPS_OF_RAMP - 1) + last) / (2 * last);
        PLAIN_LOOKS + colour.min(STEPS_OF_RAMP - 1) * COLOURS + place % COLOURS
    }

    /// The dash as an attribute of a line; nothing for an unbroken one.
    pub(super) fn dash_attribute(self) -> String {
        match self.dash {
            "" => String::new(),
            dash => format!(r#" stroke-dasharray="{dash}""#),
        }
    }
}

impl Marker {
    /// Returns true if the marker's inside has the colour of the paper.
    pub(super) fn is_hollow(self) -> bool {
        matches!(self, Self::Ring | Self::Box)
    }

    /// Returns the outline of the marker around a position, as path data. `r` is about half its
    /// width in pixels.
    pub(super) fn outline(self, x: f64, y: f64, r: f64) -> String {
        // From corner to corner, for relative places are short.
        let corners = |corners: &[(f64, f64)]| {
            let mut path = format!("M{} {}", px(x + corners[0].0 * r), px(y + corners[0].1 * r));
            for pair in corners.windows(2) {
                let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
                let (dx, dy) = (px(dx * r), px(dy * r));
                path += &match (dx.as_str(), dy.as_str()) {
                    (_, "0") => format!("h{dx}"),
                    ("0", _) => format!("v{dy}"),
                    _ => format!("l{dx} {dy}"),
                };
            }
            path + "z"
        };
        match self {
            Self::Disc | Self::Ring => {
                let (d, r, left) = (px(2.0 * r), px(r), px(x - r));
                format!(
                    "M{left} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
                    px(y)
                )
            }
            Self::Square | Self::Box => {
                corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
            }
            Self::Triangle => corners(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
            Self::Wedge => corners(&[(0.0, 1.2), (-1.1, -0.8), (1.1, -0.8)]),
            Self::Diamond => corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
            Self::Plus => corners(&[
                (-0.35, -1.2),
                (0.35, -1.2),
                (0.35, -0.35),
                (1.2, -0.35),
                (1.2, 0.35),
                (0.35, 0.35),
                (0.35, 1.2),
                (-0.35, 1.2),
                (-0.35, 0.35),
                (-1.2, 0.35),
                (-1.2, -0.35),
                (-0.35, -0.35),
            ]),
            Self::Cross => corners(&[
                (-1.2, -0.7),
                (-0.7, -1.2),
                (0.0, -0.5),
                (0.7, -1.2),
                (1.2, -0.7),
                (0.5, 0.0),
                (1.2, 0.7),
                (0.7, 1.2),
                (0.0, 0.5),
                (-0.7, 1.2),
                (-1.2, 0.7),
                (-0.5, 0.0),
            ]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_looks_share_both_colour_and_marker() {
        let of = |number| {
            let look = SeriesLook::of(number);
            (look.paint.class, format!("{:?}", look.marker))
        };
        let looks = PLAIN_LOOKS + STEPS_OF_RAMP * COLOURS;
        let all: BTreeSet<_> = (0..looks).map(of).collect();
        assert_eq!(all.len(), looks);
        let first: BTreeSet<_> = (0..COLOURS)
            .map(|number| SeriesLook::of(number).dash)
            .collect();
        assert_eq!(
            first.len(),
            COLOURS,
            "the first differ in their dashes, too"
        );
    }

    /// A run of nine policies is not rare, and its ninth must not be taken for the first.
    #[test]
    fn the_first_nine_looks_share_no_colour() {
        let colours: BTreeSet<_> = (0..9)
            .map(|number| SeriesLook::of(number).paint.class)
            .collect();
        assert_eq!(colours.len(), 9);
    }

    #[test]
    fn a_ramp_reaches_from_end_to_end_and_no_two_look_alike() {
        for count in 3..40 {
            let numbers: Vec<usize> = (0..count).map(|i| SeriesLook::on_ramp(i, count)).collect();
            let colours = numbers.iter().map(|n| SeriesLook::of(*n).paint.class);
            let colours: Vec<&str> = colours.collect();
            assert!(colours.is_sorted(), "{colours:?}");
            assert_eq!((colours[0], colours[count - 1]), ("r1", "r8"));
            let known: BTreeSet<usize> = numbers.into_iter().collect();
            assert_eq!(known.len(), count);
        }
    }
}
