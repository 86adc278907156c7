//! A cell of a file of quotas: seats, a range of seats, or a share of the seats.

use crate::record::cell::shown;
use crate::record::interval::{Decimal, Interval};
use kleroterion_core::protocol::Quota;

/// A cell: the name of its column, its text, and the committee's size, where it is known.
pub(super) struct QuotaCell<'a> {
    name: &'a str,
    text: &'a str,
    members: Option<u64>,
}

/// The rounding of a share of the seats to a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// Down, for a minimum.
    Down,
    /// Up, for a maximum.
    Up,
}

/// The meaning of a number without a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Seats.
    Seats,
    /// Percent of the seats.
    Percent,
    /// Parts of 1, of which all seats are 1.
    Part,
}

/// The fault of a cell, and the advice.
type Wrong = (String, String);

impl<'a> QuotaCell<'a> {
    pub(super) fn new(name: &'a str, text: &'a str, members: Option<u64>) -> Self {
        Self {
            name,
            text,
            members,
        }
    }

    /// Returns true if a text has the mark of a share.
    pub(super) fn is_share(text: &str) -> bool {
        Interval::read(text).is_some_and(|read| read.is_percent)
    }

    /// Returns true if numbers without a mark are parts of 1: all are 1 or less, and some are not
    /// whole.
    pub(super) fn are_parts(cells: impl Iterator<Item = &'a str>) -> bool {
        let mut is_broken = false;
        for cell in cells.filter(|cell| !cell.is_empty()) {
            let Some(read) = Interval::read(cell).filter(|read| !read.is_percent) else {
                return false;
            };
            for end in [read.least, read.most].into_iter().flatten() {
                if end.units > 10_u64.pow(end.places.min(19)) {
                    return false;
                }
                is_broken |= end.whole().is_none();
            }
        }
        is_broken
    }

    /// The bound that the cell of one side states; none where it is blank.
    pub(super) fn bound(&self, rounding: Rounding) -> Result<Option<u32>, Wrong> {
        let Some(read) = self.read()? else {
            return Ok(None);
        };
        let (Some(least), Some(most)) = (read.least, read.most) else {
            return Err(self.a_range("write one number a cell"));
        };
        if least != most {
            return Err(self.a_range("write the least in `min` and the most in `max`"));
        }
        self.seats(least, unit(read, Unit::Seats), rounding)
            .map(Some)
    }

    /// Both bounds that the cell states; none of them where it is blank.
    pub(super) fn both(&self, plain: Unit) -> Result<[Option<u32>; 2], Wrong> {
        let Some(read) = self.read()? else {
            return Ok([None, None]);
        };
        let unit = unit(read, plain);
        let seats = |end: Option<Decimal>, rounding| {
            end.map(|end| self.seats(end, unit, rounding)).transpose()
        };
        Ok([
            seats(read.least, Rounding::Down)?,
            seats(read.most, Rounding::Up)?,
        ])
    }

    /// The numbers that the cell states; nothing where it is blank.
    fn read(&self) -> Result<Option<Interval>, Wrong> {
        match self.text {
            "" => Ok(None),
            text => Interval::read(text)
                .map(Some)
                .ok_or_else(|| self.no_number()),
        }
    }

    /// The seats that a number states.
    fn seats(&self, number: Decimal, unit: Unit, rounding: Rounding) -> Result<u32, Wrong> {
        let (name, cell) = (self.name, shown(self.text));
        if unit == Unit::Seats {
            let Some(whole) = number.whole() else {
                let what = format!("`{name}` is not a whole number: {cell}");
                let help =
                    "write a whole number, or a share of the seats with its mark, as in 24.5 %";
                return Err((what, help.into()));
            };
            return u32::try_from(whole).map_err(|_| self.too_large());
        }
        let scale = if unit == Unit::Percent { 100 } else { 1 };
        let all = u128::from(10_u64.pow(number.places.min(19))) * scale;
        if u128::from(number.units) > all {
            let what = format!("`{name}` is more than all seats: {cell}");
            return Err((what, "write a share of at most 100 %".into()));
        }
        let Some(members) = self.members else {
            let what =
                format!("`{name}` is a share of the seats, {cell}, and their number is not known");
            return Err((what, "write numbers of seats".into()));
        };
        let parts = u128::from(number.units) * u128::from(members);
        let seats = match rounding {
            Rounding::Down => parts / all,
            Rounding::Up => parts.div_ceil(all),
        };
        u32::try_from(seats).map_err(|_| self.too_large())
    }

    fn a_range(&self, help: &str) -> Wrong {
        let what = format!("`{}` holds a range: {}", self.name, shown(self.text));
        (
            what,
            format!("{help}, or give one column `quota` with ranges"),
        )
    }

    fn too_large(&self) -> Wrong {
        let what = format!("`{}` is too large: {}", self.name, shown(self.text));
        (what, "write a number of people".into())
    }

    fn no_number(&self) -> Wrong {
        let (name, cell) = (self.name, self.text);
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let shown = shown(cell);
        if digits(cell) {
            self.too_large()
        } else if cell.strip_prefix('-').is_some_and(digits) {
            (
                format!("`{name}` is negative: {shown}"),
                "write 0 or more".into(),
            )
        } else {
            let what = format!("`{name}` is not a whole number: {shown}");
            (what, "write a whole number in digits alone".into())
        }
    }
}

/// The sentence on shares that became seats: "48 % of gender F are 14 to 15".
pub(super) fn share_text(cell: &str, of: &str, quota: Quota) -> String {
    let Quota { min, max } = quota;
    match min == max {
        true => format!("{of} {cell}: {min}"),
        false => format!("{of} {cell}: {min} to {max}"),
    }
}

fn unit(read: Interval, plain: Unit) -> Unit {
    if read.is_percent {
        Unit::Percent
    } else {
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cell_states_both_bounds() {
        use Unit::{Part, Percent, Seats};
        for (cell, unit, due) in [
            ("", Seats, [None, None]),
            ("5", Seats, [Some(5), Some(5)]),
            ("24,0", Seats, [Some(24), Some(24)]),
            ("24.0", Seats, [Some(24), Some(24)]),
            ("4-6", Seats, [Some(4), Some(6)]),
            ("4\u{2013}6", Seats, [Some(4), Some(6)]),
            ("4 bis 6", Seats, [Some(4), Some(6)]),
            ("4 à 6", Seats, [Some(4), Some(6)]),
            ("4 a 6", Seats, [Some(4), Some(6)]),
            ("mind. 4", Seats, [Some(4), None]),
            ("max. 6", Seats, [None, Some(6)]),
            ("4+", Seats, [Some(4), None]),
            // Of 30 seats.
            ("48 %", Seats, [Some(14), Some(15)]),
            ("50 %", Seats, [Some(15), Some(15)]),
            ("24,0 %", Seats, [Some(7), Some(8)]),
            ("33.3%", Seats, [Some(9), Some(10)]),
            ("40-50 %", Seats, [Some(12), Some(15)]),
            ("0 %", Seats, [Some(0), Some(0)]),
            ("100 %", Seats, [Some(30), Some(30)]),
            ("48", Percent, [Some(14), Some(15)]),
            ("24,5", Percent, [Some(7), Some(8)]),
            ("0,48", Part, [Some(14), Some(15)]),
            ("0.5", Part, [Some(15), Some(15)]),
            ("1", Part, [Some(30), Some(30)]),
        ] {
            let found = QuotaCell::new("quota", cell, Some(30)).both(unit);
            assert_eq!(found, Ok(due), "{cell} {unit:?}");
        }
    }

    #[test]
    fn what_states_no_quota_is_refused_without_harm() {
        for (cell, members, what, help) in [
            (
                "24.5",
                Some(30),
                "`quota` is not a whole number: '24.5'",
                "24.5 %",
            ),
            ("-1", Some(30), "`quota` is negative: '-1'", "0 or more"),
            (
                "many",
                Some(30),
                "`quota` is not a whole number: 'many'",
                "digits alone",
            ),
            (
                "6-4",
                Some(30),
                "`quota` is not a whole number: '6-4'",
                "digits alone",
            ),
            (
                "120 %",
                Some(30),
                "`quota` is more than all seats: '120 %'",
                "100 %",
            ),
            (
                "48 %",
                None,
                "'48 %', and their number is not known",
                "numbers of seats",
            ),
            (
                "5000000000",
                Some(30),
                "`quota` is too large",
                "number of people",
            ),
        ] {
            let found = QuotaCell::new("quota", cell, members).both(Unit::Seats);
            let (said, advice) = found.expect_err(cell);
            assert!(
                said.contains(what) && advice.contains(help),
                "{cell}: {said} {advice}"
            );
        }
        let of_min = |cell| QuotaCell::new("min", cell, Some(30)).bound(Rounding::Down);
        assert_eq!((of_min(""), of_min("4")), (Ok(None), Ok(Some(4))));
        assert_eq!(of_min("48 %"), Ok(Some(14)));
        assert!(
            of_min("4-6")
                .unwrap_err()
                .0
                .contains("`min` holds a range: '4-6'")
        );
        let max = QuotaCell::new("max", "48 %", Some(30)).bound(Rounding::Up);
        assert_eq!(max, Ok(Some(15)));
    }

    #[test]
    fn shares_are_percent_or_parts_of_1() {
        for (cells, due) in [
            (&["0,48", "0,52"][..], true),
            (&["0.5", "", "0.5", "1"], true),
            (&["48", "52"], false),
            (&["0", "1"], false),
            (&["0,5", "99,5"], false),
            (&["0,5 %", "0,5"], false),
            (&["0.5", "x"], false),
        ] {
            assert_eq!(
                QuotaCell::are_parts(cells.iter().copied()),
                due,
                "{cells:?}"
            );
        }
    }
}
