//! Cells into the numbers of attribute values, and why a cell has none.

use super::attributes::{AttributeSpec, Bands, Levels, Values};
use super::cell::{number, quoted, shown, spelt};
use super::fold::unseen;

use super::met::Met;
pub(crate) use super::met::{CellRefusal, Coded};

/// Codes the cells of one attribute, row by row.
pub(crate) enum Coder<'a> {
    Values(&'a Values),
    Bands(&'a Bands),
    Distinct(Met),
}

impl<'a> Coder<'a> {
    pub(crate) fn new(levels: &'a Levels) -> Self {
        match levels {
            Levels::Values(values) => Self::Values(values),
            Levels::Bands(bands) => Self::Bands(bands),
            Levels::Distinct => Self::Distinct(Met::folding()),
            Levels::Spelt => Self::Distinct(Met::spelt()),
        }
    }

    /// The number of the cell's value.
    pub(crate) fn code(&mut self, cell: &str) -> Result<u16, CellRefusal> {
        match self {
            Self::Values(values) => values.code(cell).ok_or(CellRefusal::Unlisted),
            Self::Bands(_) => self.band(number(cell).ok_or(CellRefusal::NotANumber)?),
            Self::Distinct(met) => met.code(cell),
        }
    }

    /// The number of the value of a cell that states this number.
    pub(crate) fn band(&self, n: f64) -> Result<u16, CellRefusal> {
        match self {
            Self::Bands(bands) => {
                let below = bands.bands.partition_point(|band| band.from <= n);
                let band = below.checked_sub(1).map(|i| bands.bands[i]);
                let band = band.filter(|band| n < band.to);
                band.map(|b| b.code).ok_or(CellRefusal::OutsideBands)
            }
            Self::Values(_) | Self::Distinct(_) => Err(CellRefusal::NotANumber),
        }
    }

    /// Returns true if a cell must state a number.
    pub(crate) fn is_of_numbers(&self) -> bool {
        matches!(self, Self::Bands(_))
    }

    /// Returns the fault of a refused cell, and the advice.
    pub(crate) fn explain(
        &self,
        spec: &AttributeSpec,
        cell: &str,
        refusal: CellRefusal,
    ) -> (String, String) {
        let AttributeSpec { name, column, .. } = spec;
        let leave_out = self.leave_out(column, cell, refusal);
        let leave_out = format!("leave those rows out with where = [{leave_out:?}]");
        let is_exact = matches!(self, Self::Values(values) if values.is_exact());
        let mark = unseen(cell).filter(|_| is_exact);
        let mark = mark.map_or(String::new(), |mark| format!(", which holds {mark},"));
        let cell = shown(cell);
        match refusal {
            CellRefusal::Unlisted => (
                format!("{cell}{mark} in `{column}` is not among the values of `{name}`"),
                format!("add it to `values`, or {leave_out}"),
            ),
            CellRefusal::NotANumber => (
                format!("{cell} in `{column}` is not a number, which the bands of `{name}` need"),
                leave_out,
            ),
            CellRefusal::OutsideBands => (
                format!("{cell} in `{column}` is in no band of `{name}`"),
                format!("add a band, or {leave_out}"),
            ),
            CellRefusal::Empty => (
                format!("the cell in `{column}` is empty and gives `{name}` no value"),
                format!("name it with values = {{ \"\" = … }}, or {leave_out}"),
            ),
            CellRefusal::TooMany => (
                format!("{cell} in `{column}` would be value 65,537 of `{name}`"),
                "give `values` or `bands`, or choose a column with fewer distinct cells".to_owned(),
            ),
        }
    }

    pub(crate) fn finish(self) -> Coded {
        let met = match self {
            Self::Values(Values { levels, .. }) | Self::Bands(Bands { levels, .. }) => {
                return Coded {
                    levels: levels.clone(),
                    renumbered: None,
                };
            }
            Self::Distinct(met) => met,
        };
        met.finish()
    }

    /// The filter that leaves out rows like the one with this cell.
    fn leave_out(&self, column: &str, cell: &str, refusal: CellRefusal) -> String {
        let column = spelt(column);
        if let Self::Bands(Bands { bands, .. }) = self {
            let lowest = bands.first().map(|band| band.from);
            let below = |from: f64| number(cell).is_none_or(|n| n < from);
            if let Some(from) = lowest.filter(|from| from.is_finite() && below(*from)) {
                return format!("{column} >= {from}");
            }
        }
        match (number(cell), refusal) {
            (Some(_), CellRefusal::OutsideBands) => format!("{column} != {cell}"),
            _ => format!("{column} != {}", quoted(cell)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Levels {
        Levels::values(
            pairs
                .iter()
                .map(|(a, b)| (String::from(*a), String::from(*b)))
                .collect(),
        )
        .unwrap()
    }

    fn bands(bands: &[(&str, f64, f64)]) -> Levels {
        Levels::bands(
            bands
                .iter()
                .map(|(a, f, t)| (String::from(*a), *f, *t))
                .collect(),
        )
        .unwrap()
    }

    fn codes(levels: &Levels, cells: &[&str]) -> (Vec<Result<String, CellRefusal>>, Vec<String>) {
        let mut coder = Coder::new(levels);
        let codes: Vec<_> = cells.iter().map(|cell| coder.code(cell)).collect();
        let coded = coder.finish();
        let level = |code: u16| {
            let last = coded
                .renumbered
                .as_ref()
                .map_or(code, |r| r[usize::from(code)]);
            coded.levels[usize::from(last)].clone()
        };
        (
            codes.into_iter().map(|c| c.map(level)).collect(),
            coded.levels.clone(),
        )
    }

    #[test]
    fn several_cells_map_to_one_value_in_order_of_first_mention() {
        let levels = values(&[("3", "low"), ("1", "high"), ("2", "low")]);
        let (found, names) = codes(&levels, &["1", "2", "3", "1.0", ""]);
        assert_eq!(names, ["low", "high"]);
        assert_eq!(
            found[..3],
            [Ok("high".into()), Ok("low".into()), Ok("low".into())]
        );
        assert_eq!(
            found[3..],
            [Err(CellRefusal::Unlisted), Err(CellRefusal::Unlisted)]
        );
    }

    #[test]
    fn bands_hold_their_lower_bound_only_and_agree_with_a_plain_search() {
        let inf = f64::INFINITY;
        let list = [
            ("old", 65.0, inf),
            ("young", -inf, 18.0),
            ("mid", 20.0, 40.0),
            ("mid", 40.0, 65.0),
        ];
        let levels = bands(&list);
        for tenth in -500..1000 {
            let n = f64::from(tenth) / 10.0;
            let plain = list.iter().find(|(_, f, t)| *f <= n && n < *t).map(|b| b.0);
            let (found, names) = codes(&levels, &[&n.to_string()]);
            assert_eq!(names, ["old", "young", "mid"]);
            assert_eq!(found[0].as_deref().ok(), plain, "{n}");
        }
        let (found, _) = codes(&levels, &["N", "", "inf", "19.99"]);
        assert_eq!(found[..3], [const { Err(CellRefusal::NotANumber) }; 3]);
        assert_eq!(found[3], Err(CellRefusal::OutsideBands));
    }

    #[test]
    fn distinct_cells_sort_by_size_or_by_text() {
        let (found, names) = codes(&Levels::Distinct, &["10", "9", "1.0", "1", "10"]);
        assert_eq!(names, ["1", "1.0", "9", "10"]);
        assert_eq!(
            found.into_iter().map(Result::unwrap).collect::<Vec<_>>(),
            ["10", "9", "1.0", "1", "10"]
        );
        let (found, names) = codes(&Levels::Distinct, &["10", "N", "9", ""]);
        assert_eq!(names, ["10", "9", "N"]);
        assert_eq!(found[3], Err(CellRefusal::Empty));
    }

    #[test]
    fn case_blanks_and_unicode_form_make_no_difference_unless_asked() {
        let pairs = [
            ("Female", "women"),
            ("St. Gallen", "St. Gallen"),
            ("Québec", "Québec"),
        ];
        let pairs = pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
        let (folding, exact) = (
            Levels::values(pairs.clone()).unwrap(),
            Levels::exact_values(pairs).unwrap(),
        );
        for (cell, due) in [
            ("Female", "women"),
            ("FEMALE", "women"),
            (" female\u{a0}", "women"),
            ("Fem\u{200b}ale", "women"),
            ("ST.  GALLEN", "St. Gallen"),
            ("st.\u{202f}gallen", "St. Gallen"),
            ("QUE\u{301}BEC", "Québec"),
        ] {
            assert_eq!(codes(&folding, &[cell]).0, [Ok(due.to_owned())], "{cell:?}");
            let is_spelt = cell == "Female";
            assert_eq!(codes(&exact, &[cell]).0[0].is_ok(), is_spelt, "{cell:?}");
        }
        assert_eq!(codes(&folding, &["Quebec"]).0, [Err(CellRefusal::Unlisted)]);
    }

    /// The name is the spelling of most cells, of as many the first; the order of the cells makes
    /// no other difference.
    #[test]
    fn distinct_values_are_named_as_most_cells_spell_them() {
        for (cells, names) in [
            (
                &["female", "FEMALE", "FEMALE", "Male"][..],
                &["FEMALE", "Male"][..],
            ),
            (&["FEMALE", "female", "Male", "Female"], &["FEMALE", "Male"]),
            (
                &[
                    "Québec",
                    "Que\u{301}bec",
                    "QUÉBEC",
                    "QUÉBEC",
                    "\u{a0}Québec",
                ],
                &["Québec"],
            ),
            (&["a  b", "A b", "A b", "a\tb"], &["A b"]),
            (&["10", "9", " 9", "\u{200b}"], &["9", "10"]),
        ] {
            assert_eq!(codes(&Levels::Distinct, cells).1, names, "{cells:?}");
        }
        let (found, names) = codes(&Levels::Spelt, &["b", "a", "A", " a", " "]);
        assert_eq!(names, [" ", " a", "A", "a", "b"]);
        assert!(found.iter().all(Result::is_ok));
        let (found, _) = codes(&Levels::Distinct, &["b", " ", "\u{feff}"]);
        assert_eq!(found[1..], [const { Err(CellRefusal::Empty) }; 2]);
    }

    #[test]
    fn at_most_65536_distinct_values() {
        let mut coder = Coder::new(&Levels::Distinct);
        for n in 0..=u16::MAX {
            assert_eq!(coder.code(&n.to_string()), Ok(n));
        }
        assert_eq!(coder.code("x"), Err(CellRefusal::TooMany));
        assert_eq!(coder.code("7"), Ok(7));
        assert_eq!(coder.finish().levels.len(), 65_536);
    }

    #[test]
    fn the_filter_advised_leaves_the_cell_out_and_parses() {
        use super::super::Filter;
        let banded = bands(&[("a", 18.0, 35.0), ("b", 40.0, 50.0)]);
        let listed = values(&[("1", "a")]);
        for (levels, column, cells) in [
            (&banded, "AGEP", vec!["N", "17", "36", "50", "-1e3"]),
            (&listed, "marital status", vec!["N", "2", "it's", ""]),
            (&listed, "it's", vec!["N"]),
            (&Levels::Distinct, "a=b", vec![""]),
        ] {
            for cell in cells {
                let mut coder = Coder::new(levels);
                let refusal = coder.code(cell).unwrap_err();
                let advice = coder.leave_out(column, cell, refusal);
                let filter = Filter::parse(&advice).unwrap_or_else(|e| panic!("{advice}: {e}"));
                assert_eq!(filter.clauses()[0].column(), column);
                assert!(!filter.holds(|_| cell), "{advice}");
            }
        }
    }
}
