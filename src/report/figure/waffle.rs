//! A committee that fills up: a small square for each seat.

use std::fmt::Write as _;
use std::ops::Range;

use super::heat::STEPS;
use super::palette::{GRID, PAPER, SHADES};

/// The most squares; of more seats a square is several.
const SQUARES: u64 = 400;
/// Squares in a row.
const ROW: u64 = 25;
/// From square to square.
const STEP: u64 = 11;

/// The most groups with a shade of their own.
pub(crate) const WAFFLE_GROUPS: usize = STEPS;

/// How many seats a square is.
pub(crate) fn seats_a_square(seats: u64) -> u64 {
    seats.div_ceil(SQUARES).max(1)
}

/// The seats of a committee as SVG: in the shade of their group for those who are seated, group
/// after group, and pale for those still free. `seated`: how many of each group, of at most
/// [`WAFFLE_GROUPS`]. The numbers are for words next to it.
pub(crate) fn waffle(seated: &[u64], seats: u64) -> String {
    let all = seats.max(seated.iter().sum());
    let each = seats_a_square(all);
    let squares = all.div_ceil(each);
    let columns = squares.clamp(1, ROW);
    let (mut body, mut count, mut from) = (String::new(), 0, 0);
    for (place, many) in seated.iter().enumerate() {
        count += many;
        // Rounded where the group ends, so that the squares add up to all who are seated.
        let to = (count + each / 2) / each;
        let (class, colour) = shade(place, seated.len());
        body += &filled(&class, colour, from..to, columns);
        from = from.max(to);
    }
    body += &filled("grid", GRID, from..squares, columns);
    let rows = squares.div_ceil(columns);
    let (wide, high) = (columns * STEP, rows * STEP);
    let mut lines = String::new();
    for column in 0..=columns {
        let _ = write!(lines, "M{} 0v{high}", column * STEP);
    }
    for row in 0..=rows {
        let _ = write!(lines, "M0 {}h{wide}", row * STEP);
    }
    format!(
        r#"<svg class="klero-figure k-waffle" aria-hidden="true" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">{body}<path class="l-paper" fill="none" stroke="{PAPER}" stroke-width="2" d="{lines}"/></svg>"#
    )
}

/// A square as those of a group are, for a legend.
pub(crate) fn waffle_sample(place: usize, groups: usize) -> String {
    let (class, colour) = shade(place, groups);
    format!(
        r#"<svg class="klero-figure" aria-hidden="true" width="12" height="12"><path class="f-{class}" fill="{colour}" d="M0 0h12v12h-12z"/></svg>"#
    )
}

/// The shades of groups by their places, from deep to pale, as far apart as there are groups.
fn shade(place: usize, groups: usize) -> (String, &'static str) {
    let last = groups.saturating_sub(1).max(1);
    // The palest is for the last of many.
    let reach = if groups < STEPS { STEPS - 2 } else { STEPS - 1 };
    let step = STEPS - 1 - (place * reach / last).min(reach);
    (format!("a{}", step + 1), SHADES[1][step].0)
}

/// The squares at these places, row by row, as one shape: lines of paper part them.
fn filled(class: &str, colour: &str, places: Range<u64>, columns: u64) -> String {
    let mut path = String::new();
    let mut from = places.start;
    while from < places.end {
        let (row, column) = (from / columns, from % columns);
        let (wide, rows) = match places.end - from {
            left if column == 0 && left >= columns => (columns, left / columns),
            left => (left.min(columns - column), 1),
        };
        let (x, y, w, h) = (column * STEP, row * STEP, wide * STEP, rows * STEP);
        let _ = write!(path, "M{x} {y}h{w}v{h}h-{w}z");
        from += wide * rows;
    }
    // Without squares too, so that all that ever changes is the shape.
    format!(r#"<path class="f-{class}" fill="{colour}" d="{path}"/>"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of each group, and those that are free: by the areas of the shapes.
    fn squares(svg: &str) -> Vec<u64> {
        let paths = svg.split("<path class=\"f-").skip(1);
        let paths = paths.map(|rest| rest.split(" d=\"").nth(1).unwrap());
        let area = |shape: &str| {
            let (wide, rest) = shape.split_once('v').unwrap();
            let high = rest.split('h').next().unwrap();
            wide.parse::<u64>().unwrap() * high.parse::<u64>().unwrap() / (STEP * STEP)
        };
        let shapes = |path: &str| {
            let path = path.split('"').next().unwrap().to_owned();
            let shapes = path.split('M').skip(1);
            shapes
                .map(|shape| area(shape.split_once('h').unwrap().1))
                .sum()
        };
        paths.map(shapes).collect()
    }

    #[test]
    fn a_square_a_seat() {
        let svg = waffle(&[3, 2], 12);
        assert_eq!(squares(&svg), [3, 2, 7]);
        assert_eq!(squares(&waffle(&[], 4)), [4]);
        assert_eq!(squares(&waffle(&[4, 0], 4)), [4, 0, 0]);
        assert_eq!(squares(&waffle(&[], 0)), [0]);
        assert_eq!(squares(&waffle(&[30, 61], 200)), [30, 61, 109]);
        roxmltree::Document::parse(&svg).expect("well-formed XML");
    }

    #[test]
    fn of_many_seats_a_square_is_several() {
        assert_eq!((seats_a_square(400), seats_a_square(401)), (1, 2));
        assert_eq!(squares(&waffle(&[306, 306], 1000)), [102, 102, 130]);
        // Groups end within squares: all that are seated are drawn.
        let few = squares(&waffle(&[1, 1, 1, 1, 1, 1], 1200));
        assert_eq!((few.iter().sum::<u64>(), few.last()), (400, Some(&398)));
    }

    #[test]
    fn groups_have_shades_of_their_own() {
        for groups in 1..=WAFFLE_GROUPS {
            let mut shades: Vec<_> = (0..groups).map(|place| shade(place, groups).0).collect();
            assert_eq!(shades[0], "a6");
            shades.dedup();
            assert_eq!(shades.len(), groups);
        }
    }
}
