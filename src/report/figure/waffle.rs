//! A committee that fills up: a small square for each seat.

use std::fmt::Write as _;

use super::super::markup::{escape, px};
use super::super::number::grouped;
use super::look::SeriesLook;
use super::palette::MUTED;

/// The most squares; of more seats a square is several.
const SQUARES: u64 = 400;
/// From square to square, and the width of one.
const STEP: f64 = 11.0;
const WIDE: f64 = 9.0;

/// Seats that are taken by a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WafflePiece {
    /// The group; may be empty where there is only one.
    pub name: String,
    /// How many of it are seated.
    pub seated: u64,
    /// The number of the look whose colour its squares have.
    pub look: usize,
}

/// The seats of a committee as SVG: filled for those who are seated, group after group, and
/// outlined for those still free. Seats beyond `seats` are drawn too.
pub fn waffle(pieces: &[WafflePiece], seats: u64) -> String {
    let seated: u64 = pieces.iter().map(|piece| piece.seated).sum();
    let all = seats.max(seated).max(1);
    let each = all.div_ceil(SQUARES);
    let columns = columns(all.div_ceil(each));
    let square = |place: u64| {
        let (x, y) = (
            (place % columns) as f64 * STEP,
            (place / columns) as f64 * STEP,
        );
        (px(x + 1.0), px(y + 1.0))
    };
    let mut body = String::new();
    let (mut count, mut place) = (0, 0);
    for piece in pieces {
        count += piece.seated;
        // Rounded where the group ends, so that the squares add up to all who are seated.
        let end = (count + each / 2) / each;
        let mut path = String::new();
        for at in place..end {
            let (x, y) = square(at);
            let _ = write!(path, "M{x} {y}h{WIDE}v{WIDE}h-{WIDE}z");
        }
        place = place.max(end);
        if !path.is_empty() {
            let paint = SeriesLook::of(piece.look).paint;
            let (class, colour) = (paint.class, paint.light);
            let _ = write!(
                body,
                r#"<path class="f-{class}" fill="{colour}" d="{path}"/>"#
            );
        }
    }
    let mut free = String::new();
    for at in place..all.div_ceil(each) {
        let (x, y) = square(at);
        let _ = write!(free, "M{x} {y}h{WIDE}v{WIDE}h-{WIDE}z");
    }
    if !free.is_empty() {
        let _ = write!(
            body,
            r#"<path class="l-muted" fill="none" stroke="{MUTED}" stroke-width=".75" d="{free}"/>"#
        );
    }
    let rows = all.div_ceil(each).div_ceil(columns);
    let (wide, high) = (
        px(columns as f64 * STEP + 1.0),
        px(rows as f64 * STEP + 1.0),
    );
    format!(
        r#"<svg class="klero-figure k-waffle" role="img" aria-label="{}" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">{body}</svg>"#,
        escape(&words(pieces, seated, seats, each))
    )
}

/// A row holds 25 squares, or fewer of a small committee.
fn columns(squares: u64) -> u64 {
    match squares {
        0..=60 => squares.clamp(1, 15),
        _ => 25,
    }
}

fn words(pieces: &[WafflePiece], seated: u64, seats: u64, each: u64) -> String {
    let mut words = format!("{} of {} seats filled", grouped(seated), grouped(seats));
    let named = pieces.iter().filter(|piece| !piece.name.is_empty());
    let named: Vec<String> = named
        .map(|piece| format!("{} {}", piece.name, grouped(piece.seated)))
        .collect();
    if !named.is_empty() {
        let _ = write!(words, ": {}", named.join(", "));
    }
    if each > 1 {
        let _ = write!(words, ". A square is {each} seats");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(svg: &str) -> Vec<usize> {
        let paths = svg.split("<path ").skip(1);
        paths.map(|path| path.matches('z').count()).collect()
    }

    fn piece(name: &str, seated: u64, look: usize) -> WafflePiece {
        WafflePiece {
            name: name.into(),
            seated,
            look,
        }
    }

    #[test]
    fn a_square_a_seat() {
        let svg = waffle(&[piece("F", 3, 0), piece("M", 2, 1)], 12);
        assert_eq!(squares(&svg), [3, 2, 7]);
        assert!(svg.contains("5 of 12 seats filled: F 3, M 2"));
        assert_eq!(squares(&waffle(&[], 4)), [4]);
        assert_eq!(squares(&waffle(&[piece("", 4, 0)], 4)), [4]);
        roxmltree::Document::parse(&svg).expect("well-formed XML");
    }

    #[test]
    fn of_many_seats_a_square_is_several() {
        let svg = waffle(&[piece("F", 306, 0), piece("M", 306, 1)], 1000);
        assert_eq!(squares(&svg).iter().sum::<usize>(), 334);
        assert!(svg.contains("612 of 1,000 seats filled: F 306, M 306. A square is 3 seats"));
    }
}
