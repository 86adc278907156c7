//! Room for text: its approximate width, its wrapping, and the choice of the place that covers the
//! least.

use super::super::markup::px;

/// A rectangle in pixels, y downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    /// Makes the rectangle between two places across and two places down.
    pub(super) const fn of([left, right]: [f64; 2], [top, bottom]: [f64; 2]) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }

    /// Its outline as path data.
    pub(super) fn outline(&self) -> String {
        let (left, right, bottom) = (px(self.left), px(self.right), px(self.bottom));
        format!("M{left} {}H{right}V{bottom}H{left}z", px(self.top))
    }

    pub(super) fn middle(&self) -> (f64, f64) {
        (
            (self.left + self.right) / 2.0,
            (self.top + self.bottom) / 2.0,
        )
    }

    /// A square around a place.
    pub(super) fn around(x: f64, y: f64, r: f64) -> Self {
        Self::of([x - r, x + r], [y - r, y + r])
    }

    /// The area shared with another, in square pixels.
    pub(super) fn shared(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }

    /// Returns true if another rectangle lies wholly within.
    fn holds(&self, other: &Self) -> bool {
        other.left >= self.left
            && other.right <= self.right
            && other.top >= self.top
            && other.bottom <= self.bottom
    }
}

/// The first of the `rooms` within `bounds` that covers least of what is `taken`: its index and the
/// area covered; `None` where none lies within.
pub(super) fn freest(rooms: &[Rect], taken: &[Rect], bounds: &Rect) -> Option<(usize, f64)> {
    let covered = |room: &Rect| taken.iter().map(|other| room.shared(other)).sum::<f64>();
    rooms
        .iter()
        .enumerate()
        .filter(|(_, room)| bounds.holds(room))
        .map(|(i, room)| (i, covered(room)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Moves places apart by as little as can be (least squares) so that neighbours keep a `gap` and
/// all lie within `lo..=hi` where there is room; in the order given. Pool adjacent violators on the
/// places less their gaps.
pub(super) fn spread(wanted: &[f64], gap: f64, lo: f64, hi: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        let mut block = (wanted[i] - rank as f64 * gap, 1);
        while let Some(&(mean, count)) = blocks.last() {
            if mean <= block.0 {
                break;
            }
            blocks.pop();
            let total = mean * count as f64 + block.0 * block.1 as f64;
            block = (total / (count + block.1) as f64, count + block.1);
        }
        blocks.push(block);
    }
    let last = wanted.len().saturating_sub(1) as f64;
    let least_squares = blocks
        .iter()
        .flat_map(|&(mean, count)| std::iter::repeat_n(mean, count));
    let mut places = vec![0.0; wanted.len()];
    for (rank, (place, &i)) in least_squares.zip(&order).enumerate() {
        places[i] = place.min(hi - last * gap).max(lo) + rank as f64 * gap;
    }
    places
}

/// Returns the approximate width of a text at a size, in pixels. It errs on the wide side, since
/// the reader's typeface is unknown.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.3,
            ' ' | 'f' | 'r' | 't' | '(' | ')' | '-' | '/' | '[' | ']' => 0.38,
            'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' | '…' => 0.95,
            'A'..='Z' | '+' | '=' | '<' | '>' | '×' | '\u{2212}' => 0.72,
            c if c as u32 >= 0x2e80 => 1.0,
            _ => 0.6,
        })
        .sum();
    ems * size
}

/// The text in lines of about at most `most` pixels, broken at spaces.
pub(super) fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + 0.4 * size <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The text cut to about at most `most` pixels, with an ellipsis where it was cut.
pub(super) fn cut(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short, size) + width("W…", size) > most {
            break;
        }
        short.push(c);
    }
    format!("{}…", short.trim_end())
}

/// The text in about at most `most` pixels, with an ellipsis in its middle where it was cut: names
/// often differ in their last letters alone.
pub(crate) fn shortened(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let room = most - width("…", size);
    let kept = |letters: &mut dyn Iterator<Item = char>, share: f64| {
        let mut wide = 0.0;
        let within = letters.take_while(|c| {
            wide += width(c.encode_utf8(&mut [0; 4]), size);
            wide <= share * room
        });
        within.collect::<String>()
    };
    let head = kept(&mut text.chars(), 0.55);
    let tail = kept(&mut text.chars().rev(), 0.45);
    let tail: String = tail.chars().rev().collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_names_keep_both_ends() {
        let name = "greedy with tolerance .05";
        assert_eq!(shortened(name, 13.0, 400.0), name);
        for most in [60.0, 110.0, 150.0] {
            let short = shortened(name, 13.0, most);
            assert!(width(&short, 13.0) <= most, "{short}");
            let (head, tail) = short.split_once('…').expect("it is cut");
            assert!(name.starts_with(head) && name.ends_with(tail) && tail.ends_with(".05"));
        }
    }

    #[test]
    fn the_freest_room_is_chosen() {
        let room = |left: f64| Rect {
            left,
            top: 0.0,
            right: left + 10.0,
            bottom: 10.0,
        };
        let bounds = Rect {
            left: 0.0,
            top: 0.0,
            right: 100.0,
            bottom: 10.0,
        };
        let taken = [room(0.0), room(25.0)];
        assert_eq!(
            freest(&[room(5.0), room(20.0), room(60.0)], &taken, &bounds),
            Some((2, 0.0))
        );
        assert_eq!(
            freest(&[room(2.0), room(22.0)], &taken, &bounds),
            Some((1, 70.0))
        );
        assert_eq!(freest(&[room(95.0)], &taken, &bounds), None);
        assert_eq!(
            freest(&[room(50.0), room(70.0)], &taken, &bounds),
            Some((0, 0.0))
        );
    }

    #[test]
    fn places_spread_no_more_than_needed() {
        assert_eq!(spread(&[50.0, 10.0], 15.0, 0.0, 100.0), [50.0, 10.0]);
        assert_eq!(spread(&[50.0, 50.0], 10.0, 0.0, 100.0), [45.0, 55.0]);
        assert_eq!(
            spread(&[54.0, 50.0, 20.0], 10.0, 0.0, 100.0),
            [57.0, 47.0, 20.0]
        );
        assert_eq!(spread(&[98.0, 99.0], 10.0, 0.0, 100.0), [90.0, 100.0]);
        assert_eq!(spread(&[], 10.0, 0.0, 100.0), [0.0; 0]);
        let places = spread(&[1.0, 2.0, 3.0, 90.0], 12.0, 0.0, 100.0);
        assert!(
            places
                .windows(2)
                .all(|pair| pair[1] - pair[0] >= 12.0 - 1e-9)
        );
    }

    #[test]
    fn text_wraps_and_is_cut() {
        assert_eq!(wrap("one two three", 10.0, 45.0), ["one two", "three"]);
        assert_eq!(wrap("immeasurable", 10.0, 5.0), ["immeasurable"]);
        assert_eq!(wrap("", 10.0, 5.0), [""; 0]);
        assert_eq!(cut("East+SE", 10.0, 80.0), "East+SE");
        assert_eq!(cut("Yorkshire and the Humber", 10.0, 60.0), "Yorkshir…");
        assert!(width("WWW", 12.0) > width("iii", 12.0));
    }
}
