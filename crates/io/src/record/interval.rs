//! Ranges of numbers as people write them, in English, German, French and Spanish: "20-39", "40+",
//! "unter 20", "4 bis 6", "24,0 %".

use super::fold::fold;
use super::words::Words;

/// A range of numbers, including both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least, where there is one.
    pub(crate) least: Option<Decimal>,
    /// The most, where there is one.
    pub(crate) most: Option<Decimal>,
    /// True if the numbers are percent.
    pub(crate) is_percent: bool,
}

/// A number that is not negative, as its digits: `units / 10^places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) units: u64,
    pub(crate) places: u32,
}

/// A piece of a range.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Number(Decimal),
    Word(String),
}

/// The meaning of words for the number before or after them.
#[derive(Clone, Copy)]
enum Side {
    AtLeast,
    Over,
    AtMost,
    Under,
}

/// Words that name the thing counted, or that say nothing.
const IDLE: Words = Words(
    "jahre, jahren, jahr, j, alt, alter, years, year, yrs, old, age, aged, ans, an, d'âge, anos, años,
     edad, anni, jaar, seats, seat, sitze, sitz, plätze, places, plazas, people, persons, personen,
     personnes, personas, members, mitglieder, membres, miembros, je, los, les, genau, einschl",
);

/// Words before a number, by their meaning.
const BEFORE: [(Side, Words); 4] = [
    (
        Side::AtLeast,
        Words(
            "ab, von, mindestens, mind, min, minimum, from, at least, dès, à partir de, a partir de,
             au moins, desde, al menos, como mínimo, >=, \u{2265}",
        ),
    ),
    (
        Side::Over,
        Words(
            "über, uber, mehr als, älter als, over, above, more than, older than, plus de, más de,
             mas de, mayores de, oltre, boven, >",
        ),
    ),
    (
        Side::AtMost,
        Words(
            "bis, bis zu, höchstens, max, maximum, maximal, up to, at most, jusqu'à, au plus, hasta,
             como máximo, fino a, tot, <=, \u{2264}",
        ),
    ),
    (
        Side::Under,
        Words(
            "unter, weniger als, jünger als, under, below, less than, younger than, moins de,
             menos de, menores de, meno di, onder, <",
        ),
    ),
];

/// Words that join a number to one of [`MORE`] or [`LESS`].
const JOINING: Words = Words("und, u, oder, and, or, et, ou, y, o, e, en");
const MORE: Words = Words(
    "älter, mehr, darüber, over, older, more, above, plus, más, mas, mayores, oltre, più, piu, ouder,
     up, +",
);
const LESS: Words = Words("jünger, weniger, darunter, under, younger, less, below, moins, menos");

impl Decimal {
    /// The number, where it is whole.
    pub(crate) fn whole(self) -> Option<u64> {
        let scale = 10_u64.checked_pow(self.places)?;
        self.units
            .is_multiple_of(scale)
            .then_some(self.units / scale)
    }

    fn read(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let digits = format!("{whole}{part}");
        let is_number =
            (1..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let ends = !text.ends_with(['.', ',']) && !whole.is_empty();
        (is_number && ends).then(|| Self {
            units: digits.parse().unwrap_or(0),
            places: part.len() as u32,
        })
    }

    /// The next whole number, or the one before.
    fn beyond(self, up: bool) -> Option<Self> {
        let whole = self.whole()?;
        let units = if up { whole + 1 } else { whole.checked_sub(1)? };
        Some(Self { units, places: 0 })
    }
}

impl Interval {
    /// Reads the range that a text states, or `None`; a number alone is a range of one.
    pub fn read(text: &str) -> Option<Self> {
        let (pieces, is_percent) = pieces(text)?;
        let (least, most) = ends(&pieces)?;
        let value = |one: Decimal| one.units as f64 / 10_f64.powi(one.places as i32);
        let is_range = least.zip(most).is_none_or(|(a, b)| value(a) <= value(b));
        is_range.then_some(Self {
            least,
            most,
            is_percent,
        })
    }

    /// Returns the range as whole numbers `[from, to)`. Returns `None` for a number alone, for
    /// percent and for numbers that are not whole.
    pub fn band(self) -> Option<(f64, f64)> {
        if self.is_percent || self.least == self.most {
            return None;
        }
        let from = match self.least {
            Some(least) => least.whole()? as f64,
            None => f64::NEG_INFINITY,
        };
        let to = match self.most {
            Some(most) => most.whole()? as f64 + 1.0,
            None => f64::INFINITY,
        };
        Some((from, to))
    }
}

/// Reads names of ranges of whole numbers, each with its range `[from, to)`. Returns `None` if a
/// name states no range, or ranges overlap.
pub fn bands<'a>(names: impl Iterator<Item = &'a str>) -> Option<Vec<(String, f64, f64)>> {
    let band = |name: &str| {
        let (from, to) = Interval::read(name)?.band()?;
        Some((name.to_owned(), from, to))
    };
    let bands: Vec<_> = names.map(band).collect::<Option<_>>()?;
    let mut sorted: Vec<(f64, f64)> = bands.iter().map(|(_, from, to)| (*from, *to)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let overlap = sorted.windows(2).any(|pair| pair[1].0 < pair[0].1);
    (!sorted.is_empty() && !overlap).then_some(bands)
}

/// Returns these bands as a config writes them: `{ "20-39" = [20, 40], "40+" = [40, inf] }`.
pub fn bands_text<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let bands = bands(names)?;
    let texts = bands
        .iter()
        .map(|(name, from, to)| format!("{name:?} = [{from}, {to}]"));
    Some(format!("{{ {} }}", texts.collect::<Vec<_>>().join(", ")))
}

/// The numbers and words of a text, without idle ones; whether they are percent.
fn pieces(text: &str) -> Option<(Vec<Piece>, bool)> {
    let text = fold(text)
        .replace("jusqu'a ", "jusqu'à ")
        .replace('\u{2019}', "'");
    let mut pieces = Vec::new();
    let mut is_percent = false;
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let is_kind: fn(char) -> bool = match first {
            '0'..='9' => |c| c.is_ascii_digit() || ".,".contains(c),
            '<' | '>' => |c| "<>=".contains(c),
            '.' => |c| c == '.',
            c if c.is_alphabetic() => |c| c.is_alphabetic() || c == '\'',
            _ => |_| false,
        };
        let end = rest.find(|c| !is_kind(c)).unwrap_or(rest.len());
        let end = end.max(first.len_utf8());
        let (piece, after) = rest.split_at(end);
        rest = after;
        match first {
            ' ' | ':' => {}
            '%' => is_percent = true,
            '0'..='9' => {
                // Of "4..6" the points are no decimals.
                let number = piece.find("..").map_or(piece, |at| &piece[..at]);
                let number = number.trim_end_matches(['.', ',']);
                rest = &text[text.len() - rest.len() - (piece.len() - number.len())..];
                pieces.push(Piece::Number(Decimal::read(number)?));
            }
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => pieces.push(Piece::Word("-".into())),
            '.' if piece == "." => {}
            '.' | '\u{2026}' => pieces.push(Piece::Word("-".into())),
            ',' => return None,
            _ if piece == "prozent" || piece == "percent" => is_percent = true,
            _ if IDLE.has(piece) => {}
            _ => pieces.push(Piece::Word(piece.to_owned())),
        }
    }
    Some((pieces, is_percent))
}

/// The ends of a range.
fn ends(pieces: &[Piece]) -> Option<(Option<Decimal>, Option<Decimal>)> {
    let numbers: Vec<usize> = (0..pieces.len())
        .filter(|at| matches!(pieces[*at], Piece::Number(_)))
        .collect();
    let number = |at: usize| match pieces[at] {
        Piece::Number(number) => Some(number),
        Piece::Word(_) => None,
    };
    match numbers[..] {
        [at] => {
            let (before, after) = (words(&pieces[..at]), words(&pieces[at + 1..]));
            one(number(at)?, &before, &after)
        }
        [first, second] => {
            let before = words(&pieces[..first]);
            let between = words(&pieces[first + 1..second]);
            let (least, most) = (number(first)?, number(second)?);
            let is_last = second + 1 == pieces.len();
            let most = two(&before, &between)
                .filter(|_| is_last)?
                .then_some(most)
                .or(most.beyond(false))?;
            Some((Some(least), Some(most)))
        }
        _ => None,
    }
}

fn words(pieces: &[Piece]) -> String {
    let words = pieces.iter().filter_map(|piece| match piece {
        Piece::Word(word) => Some(word.as_str()),
        Piece::Number(_) => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The ends that words around a single number give.
fn one(number: Decimal, before: &str, after: &str) -> Option<(Option<Decimal>, Option<Decimal>)> {
    let side = match (before, after) {
        ("", "") => return Some((Some(number), Some(number))),
        ("", "+" | "plus") => Side::AtLeast,
        ("", after) => {
            let (joining, word) = after.split_once(' ')?;
            let (more, less) = (MORE.has(word), LESS.has(word));
            if !JOINING.has(joining) || more == less {
                return None;
            }
            if more { Side::AtLeast } else { Side::AtMost }
        }
        (before, "") => {
            let mut known = BEFORE.iter();
            known.find(|(_, words)| words.has(before))?.0
        }
        _ => return None,
    };
    Some(match side {
        Side::AtLeast => (Some(number), None),
        Side::Over => (Some(number.beyond(true)?), None),
        Side::AtMost => (None, Some(number)),
        Side::Under => (None, Some(number.beyond(false)?)),
    })
}

/// Reads the words around the first of two numbers. Returns true if they make a range that includes
/// the second number, false if one that excludes it, and `None` otherwise.
fn two(before: &str, between: &str) -> Option<bool> {
    let is_paired = Words("zwischen, between, entre, tra, fra, tussen").has(before);
    let is_begun = is_paired || Words(", von, from, de, des, desde, ab, da, van").has(before);
    let to = Words("-, bis, to, à, a, al, through, hasta, tot, tot en met, t / m");
    let below = Words("bis unter, to under, à moins de, a menos de");
    match between {
        between if is_begun && to.has(between) => Some(true),
        between if is_paired && Words("und, and, et, y, e, en").has(between) => Some(true),
        between if is_begun && below.has(between) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_read_as_people_write_them() {
        let inf = f64::INFINITY;
        for (text, due) in [
            ("20-39", Some((20.0, 40.0))),
            ("20 \u{2013} 39", Some((20.0, 40.0))),
            ("20\u{2212}39 Jahre", Some((20.0, 40.0))),
            ("20 bis 39", Some((20.0, 40.0))),
            ("20 bis unter 40", Some((20.0, 40.0))),
            ("von 20 bis 39 Jahren", Some((20.0, 40.0))),
            ("zwischen 20 und 39", Some((20.0, 40.0))),
            ("20 to 39", Some((20.0, 40.0))),
            ("20..39", Some((20.0, 40.0))),
            ("de 20 à 39 ans", Some((20.0, 40.0))),
            ("20 a 39 años", Some((20.0, 40.0))),
            ("entre 20 y 39", Some((20.0, 40.0))),
            ("40+", Some((40.0, inf))),
            ("40 +", Some((40.0, inf))),
            (">= 40", Some((40.0, inf))),
            ("\u{2265}40", Some((40.0, inf))),
            ("> 40", Some((41.0, inf))),
            ("60 und älter", Some((60.0, inf))),
            ("60 Jahre und a\u{308}lter", Some((60.0, inf))),
            ("60 and over", Some((60.0, inf))),
            ("60 or older", Some((60.0, inf))),
            ("60 ans et plus", Some((60.0, inf))),
            ("60 o más", Some((60.0, inf))),
            ("65 e più", Some((65.0, inf))),
            ("65 en ouder", Some((65.0, inf))),
            ("60 y mayores", Some((60.0, inf))),
            ("60 u. älter", Some((60.0, inf))),
            ("60 et +", Some((60.0, inf))),
            ("60 plus", Some((60.0, inf))),
            ("Alter: 18 bis einschl. 34", Some((18.0, 35.0))),
            ("da 18 a 34 anni", Some((18.0, 35.0))),
            ("tra 18 e 34", Some((18.0, 35.0))),
            ("tussen 18 en 34 jaar", Some((18.0, 35.0))),
            ("18 t/m 34", Some((18.0, 35.0))),
            ("mayores de 60", Some((61.0, inf))),
            ("menores de 18 años", Some((-inf, 18.0))),
            ("ab 60", Some((60.0, inf))),
            ("over 60", Some((61.0, inf))),
            ("über 60", Some((61.0, inf))),
            ("plus de 60", Some((61.0, inf))),
            ("oltre 60", Some((61.0, inf))),
            ("boven 60", Some((61.0, inf))),
            ("onder 20", Some((-inf, 20.0))),
            ("meno di 20", Some((-inf, 20.0))),
            ("tot 29", Some((-inf, 30.0))),
            ("fino a 29", Some((-inf, 30.0))),
            ("unter 20", Some((-inf, 20.0))),
            ("under 18", Some((-inf, 18.0))),
            ("<18", Some((-inf, 18.0))),
            ("moins de 18 ans", Some((-inf, 18.0))),
            ("menos de 18", Some((-inf, 18.0))),
            ("bis 29", Some((-inf, 30.0))),
            ("bis zu 29", Some((-inf, 30.0))),
            ("up to 29", Some((-inf, 30.0))),
            ("hasta 29", Some((-inf, 30.0))),
            ("jusqu\u{2019}à 29 ans", Some((-inf, 30.0))),
            ("29 und jünger", Some((-inf, 30.0))),
            ("29 and under", Some((-inf, 30.0))),
            ("young", None),
            ("20", None),
            ("40-20", None),
            ("1-2-3", None),
            ("20-39-50", None),
            ("20/39", None),
            ("20-39 or 50", None),
            ("2,5-3", None),
            ("", None),
            ("Haushalt 2-3 Kinder", None),
        ] {
            let found = Interval::read(text).and_then(Interval::band);
            assert_eq!(found, due, "{text:?}");
        }
    }

    #[test]
    fn bands_are_written_as_a_config_has_them() {
        for (names, due) in [
            (
                &["20-39", "40+"][..],
                Some(r#"{ "20-39" = [20, 40], "40+" = [40, inf] }"#),
            ),
            (
                &["60 und älter", "unter 60"],
                Some(r#"{ "60 und älter" = [60, inf], "unter 60" = [-inf, 60] }"#),
            ),
            (&["20-39", "30+"], None),
            (&["20-39", "old"], None),
            (&[], None),
        ] {
            assert_eq!(
                bands_text(names.iter().copied()).as_deref(),
                due,
                "{names:?}"
            );
        }
    }

    #[test]
    fn numbers_alone_and_percent() {
        let of = |units, places| Some(Decimal { units, places });
        for (text, least, most, is_percent) in [
            ("5", of(5, 0), of(5, 0), false),
            ("24,0", of(240, 1), of(240, 1), false),
            ("24.0", of(240, 1), of(240, 1), false),
            ("48 %", of(48, 0), of(48, 0), true),
            ("48%", of(48, 0), of(48, 0), true),
            ("24,0\u{a0}%", of(240, 1), of(240, 1), true),
            ("33,3 Prozent", of(333, 1), of(333, 1), true),
            ("40-50 %", of(40, 0), of(50, 0), true),
            ("40 % \u{2013} 50 %", of(40, 0), of(50, 0), true),
            ("4 à 6", of(4, 0), of(6, 0), false),
            ("4 a 6", of(4, 0), of(6, 0), false),
            ("4 bis 6 Plätze", of(4, 0), of(6, 0), false),
            ("min. 4", of(4, 0), None, false),
            ("mindestens 4", of(4, 0), None, false),
            ("höchstens 6", None, of(6, 0), false),
            ("max. 6", None, of(6, 0), false),
            ("au plus 6", None, of(6, 0), false),
            ("al menos 4", of(4, 0), None, false),
        ] {
            let due = Interval {
                least,
                most,
                is_percent,
            };
            assert_eq!(Interval::read(text), Some(due), "{text:?}");
        }
        for text in [
            "-3",
            "a",
            "1e3",
            "3 of",
            "4-6-8",
            "x 4",
            "4,,5",
            ",5",
            "1234567890123456",
            "04. Jun",
        ] {
            assert_eq!(Interval::read(text), None, "{text:?}");
        }
    }
}
