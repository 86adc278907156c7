//! The scale of heat maps, which maps a value and its error to a shade. Steps grow about threefold
//! on either side of 0.

use super::ruler::FARTHEST;
use super::ticks::thirds;

/// The number of standard errors by which a value must differ from 0 to be distinguished from it.
pub const SURE: f64 = 3.0;

/// The number of shades on either side of 0.
pub(super) const STEPS: usize = 6;

/// The value that a cell shows by its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// The value.
    pub value: f64,
    /// The standard error of the value. If it is `None`, only an exact 0 counts as 0.
    pub se: Option<f64>,
}

/// The look of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shade {
    /// Surely below 0, by step. Step 0 is the palest.
    Below(usize),
    /// Surely above 0, by step. Step 0 is the palest.
    Above(usize),
    /// Exactly 0, without error.
    Even,
    /// Not distinguished from 0.
    Unsure,
}

/// The scale of all heat maps of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct HeatScale {
    /// The bounds between steps on either side of 0, from small to large.
    pub(super) bounds: Vec<f64>,
    /// The deepest shades used below and above 0.
    pub(super) deepest: [Option<usize>; 2],
    pub(super) has_even: bool,
    pub(super) has_unsure: bool,
}

impl Heat {
    /// Returns true if the value is a number that can be drawn.
    pub(super) fn is_finite(self) -> bool {
        self.value.abs() <= FARTHEST
    }

    /// Returns -1 or 1 if the value is distinguished from 0, and 0 if it is 0 without error. `None`
    /// if nothing is known.
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

    /// Returns the shade of a value.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn heat(value: f64, se: f64) -> Heat {
        Heat {
            value,
            se: Some(se),
        }
    }

    #[test]
    fn a_side_is_told_at_three_standard_errors() {
        let side = |value, se| Heat { value, se }.side();
        assert_eq!(side(-3.1, Some(1.0)), Some(-1));
        assert_eq!(side(3.1, Some(1.0)), Some(1));
        assert_eq!(side(2.9, Some(1.0)), None);
        assert_eq!(side(0.0, Some(1.0)), None);
        assert_eq!(side(1e-9, Some(0.0)), Some(1));
        assert_eq!(side(0.0, Some(0.0)), Some(0));
        assert_eq!(side(5.0, None), None);
        assert_eq!(side(5.0, Some(f64::NAN)), None);
    }

    #[test]
    fn both_sides_have_the_same_steps() {
        let heats = [
            heat(-551.0, 1.0),
            heat(37.0, 1.0),
            heat(8.0, 1.0),
            heat(4e3, 4e3),
            heat(0.0, 0.0),
        ];
        let scale = HeatScale::over(&heats);
        assert_eq!(scale.bounds, [10.0, 30.0, 100.0, 300.0]);
        assert_eq!(scale.shade(heat(300.0, 0.0)), Shade::Above(4));
        assert_eq!(scale.shade(heat(-300.0, 0.0)), Shade::Below(4));
        assert_eq!(scale.shade(heat(-299.0, 0.0)), Shade::Below(3));
        assert_eq!(scale.shade(heat(1.0, 0.0)), Shade::Above(0));
        assert_eq!(scale.deepest, [Some(4), Some(2)]);
        assert!(scale.has_even && scale.has_unsure);
    }

    #[test]
    fn steps_end_where_shades_do() {
        let wide = HeatScale::over(&[heat(1e9, 0.0), heat(1e-9, 0.0)]);
        assert_eq!(wide.bounds, [1e7, 3e7, 1e8, 3e8, 1e9]);
        assert_eq!(wide.shade(heat(1e12, 0.0)), Shade::Above(STEPS - 1));
        // One value alone takes a shade in the middle.
        let alone = HeatScale::over(&[heat(-2.0, 0.0)]);
        assert_eq!(
            (alone.shade(heat(-2.0, 0.0)), alone.deepest),
            (Shade::Below(2), [Some(2), None])
        );
        assert_eq!(HeatScale::over(&[]), HeatScale::default());
    }
}
