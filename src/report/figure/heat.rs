//! The scale of heat maps: from a value and its error to a shade, by steps that grow about threefold on either side of 0.

use super::ruler::LARGEST;
use super::ticks::thirds;

/// A value is told apart from 0 where it is so by as many standard errors.
pub const SURE: f64 = 3.0;

/// So many shades on either side of 0.
pub(super) const STEPS: usize = 6;

/// What a cell shows by its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// The value.
    pub value: f64,
    /// Its standard error; none where it is not known, and then no value but an exact 0 is told from another.
    pub se: Option<f64>,
}

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shade {
    /// Surely below 0, the palest being 0.
    Below(usize),
    /// Surely above 0, the palest being 0.
    Above(usize),
    /// 0 without any error.
    Even,
    /// Not told apart from 0.
    Unsure,
}

/// The scale of all heat maps of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct HeatScale {
    /// What parts a step from the next, on either side of 0; from small to large.
    pub(super) bounds: Vec<f64>,
    /// The deepest shades met below 0 and above.
    pub(super) deepest: [Option<usize>; 2],
    pub(super) has_even: bool,
    pub(super) has_unsure: bool,
}

impl Heat {
    /// Whether the value is a number that can be drawn.
    pub(super) fn is_finite(self) -> bool {
        self.value.abs() <= LARGEST
    }

    /// -1 or 1 where the value is told apart from 0; 0 where it is 0 without any error; none where nothing is known.
    pub(super) fn side(self) -> Option<i8> {
        match self.se {
            _ if self.value == 0.0 && self.se.unwrap_or(0.0) == 0.0 => Some(0),
            Some(se) if self.value < -SURE * se => Some(-1),
            Some(se) if self.value > SURE * se => Some(1),
            _ => None,
        }
    }
}

impl HeatScale {
    /// The scale for some values, all finite.
    pub(super) fn over(heats: &[Heat]) -> Self {
        let sure = heats
            .iter()
            .filter(|heat| matches!(heat.side(), Some(-1 | 1)));
        let sizes = sure.map(|heat| heat.value.abs());
        let least = sizes.clone().fold(f64::INFINITY, f64::min);
        let most = sizes.fold(0.0, f64::max);
        let mut bounds: Vec<f64> = thirds(most)
            .take_while(|bound| *bound > least)
            .take(STEPS - 1)
            .collect();
        bounds.reverse();
        let mut scale = Self {
            bounds,
            ..Self::default()
        };
        for heat in heats {
            match scale.shade(*heat) {
                Shade::Below(depth) => scale.deepest[0] = scale.deepest[0].max(Some(depth)),
                Shade::Above(depth) => scale.deepest[1] = scale.deepest[1].max(Some(depth)),
                Shade::Even => scale.has_even = true,
                Shade::Unsure => scale.has_unsure = true,
            }
        }
        scale
    }

    /// How a value looks.
    pub(super) fn shade(&self, heat: Heat) -> Shade {
        let size = heat.value.abs();
        let step = self.bounds.partition_point(|bound| *bound <= size);
        match heat.side() {
            None => Shade::Unsure,
            Some(0) => Shade::Even,
            Some(side) if side < 0 => Shade::Below(self.depth(step)),
            Some(_) => Shade::Above(self.depth(step)),
        }
    }

    /// A step's shade; few steps take those in the middle.
    pub(super) fn depth(&self, step: usize) -> usize {
        step + (STEPS - 1 - self.bounds.len()) / 2
    }
}
