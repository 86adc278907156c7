//! The rules that turn the cells of a column into attribute values: a list, bands of numbers, or
//! each distinct cell.

use std::collections::BTreeMap;

use super::alike::alike;
use super::cell::shown;
use super::fold::fold;

/// An attribute of the people in a table, and the rule that gives its values from a column.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeSpec {
    /// The attribute's name.
    pub name: String,
    /// The column that it is read from.
    pub column: String,
    /// The rule by which cells become values.
    pub levels: Levels,
}

/// The rule by which the cells of a column become the values of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Levels {
    /// A list of cells and their values; see [`Levels::values`].
    Values(Values),
    /// Bands of numbers and their values; see [`Levels::bands`].
    Bands(Bands),
    /// Each distinct cell of the kept rows is a value. It is named by its most frequent spelling,
    /// or the first of equally frequent ones. Values are sorted by size if all are numbers, else by
    /// text. Case, blanks and Unicode form make no difference.
    Distinct,
    /// Each distinct spelling of the kept rows' cells is a value, sorted in the same way.
    Spelt,
}

/// A checked list of cells and the values that they give.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    pub(super) levels: Vec<String>,
    pub(super) codes: BTreeMap<String, u16>,
    /// The value numbers by folded cells; `None` where the spelling matters.
    folded: Option<BTreeMap<String, u16>>,
}

impl Values {
    /// Returns true if one of the values has this name.
    pub(crate) fn names(&self, value: &str) -> bool {
        self.levels.iter().any(|level| alike(level, value))
    }

    /// Returns true if cells that differ only in case, blanks or Unicode form are different.
    pub(super) fn is_exact(&self) -> bool {
        self.folded.is_none()
    }

    /// The number of the value that a cell gives: of the cell that is listed as it is spelt, else
    /// of one that is alike.
    pub(super) fn code(&self, cell: &str) -> Option<u16> {
        let code = self.codes.get(cell);
        let alike = || self.folded.as_ref()?.get(&fold(cell));
        code.or_else(alike).copied()
    }

    /// Returns the fault of values whose cells and names are swapped, and the corrected setting.
    pub(crate) fn reversed(&self, name: &str, column: &str) -> (String, String) {
        let pairs = self.codes.iter().map(|(cell, code)| {
            let level = &self.levels[usize::from(*code)];
            (level.as_str(), cell.as_str())
        });
        const SHOWN: usize = 6;
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        let pairs = pairs.into_iter();
        let mut pairs: Vec<_> = pairs
            .map(|(cell, name)| format!("{cell:?} = {name:?}"))
            .collect();
        if pairs.len() > SHOWN {
            pairs.truncate(SHOWN);
            pairs.push("…".into());
        }
        (
            format!(
                "`values` of `{name}` is the wrong way round: the cells of `{column}` are on its \
                 right side"
            ),
            format!(
                "write the file's cell = the name: values = {{ {} }}",
                pairs.join(", ")
            ),
        )
    }
}

/// Checked bands `[from, to)`, none overlapping another.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    pub(super) levels: Vec<String>,
    /// In increasing order.
    pub(super) bands: Vec<Band>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) code: u16,
}

/// A problem with one entry of a list of values or bands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (help: {help})")]
pub struct LevelError {
    /// The index of the entry, from 0; 0 if there is none.
    pub entry: usize,
    /// The fault, without a full stop.
    pub what: String,
    /// The remedy.
    pub help: String,
}

impl Levels {
    /// Makes values from a list of (cell, value). Several cells may give one value; values are in
    /// the order of first mention. Case, blanks and Unicode form make no difference, but `1` is not
    /// `1.0`.
    ///
    /// # Errors
    /// An empty list, a cell listed twice, cells or values that are alike and not the same value,
    /// more than 65,536 values.
    pub fn values(pairs: Vec<(String, String)>) -> Result<Self, Vec<LevelError>> {
        Self::listed(pairs, Mentions::folding())
    }

    /// Makes values from a list of (cell, value) like [`values`](Levels::values), but each letter
    /// matters: `F` is not `f`.
    ///
    /// # Errors
    /// An empty list, a cell listed twice, more than 65,536 values.
    pub fn exact_values(pairs: Vec<(String, String)>) -> Result<Self, Vec<LevelError>> {
        Self::listed(pairs, Mentions::default())
    }

    fn listed(pairs: Vec<(String, String)>, mut levels: Mentions) -> Result<Self, Vec<LevelError>> {
        let mut errors = Vec::new();
        let mut codes = BTreeMap::new();
        let mut folded: Option<BTreeMap<String, (String, u16)>> =
            levels.folded.is_some().then(BTreeMap::new);
        for (entry, (raw, value)) in pairs.into_iter().enumerate() {
            let alike = folded.as_ref().and_then(|met| met.get(&fold(&raw)));
            let alike = alike.map(|(cell, code)| (cell.clone(), *code));
            if codes.contains_key(&raw) {
                let what = format!("{} is listed twice", shown(&raw));
                errors.push(level_error(entry, what, "list each cell once"));
                continue;
            }
            match levels.code(entry, value) {
                Ok(code) => {
                    if let Some((cell, _)) = alike.filter(|(_, other)| *other != code) {
                        errors.push(same(entry, &cell, &raw));
                    } else if let Some(folded) = &mut folded {
                        folded.insert(fold(&raw), (raw.clone(), code));
                    }
                    codes.insert(raw, code);
                }
                Err(error) => errors.push(error),
            }
        }
        if codes.is_empty() && errors.is_empty() {
            let help = "write at least one, as in values = { \"1\" = \"male\" }";
            errors.push(level_error(0, "the list of values is empty", help));
        }
        let folded = folded.map(|folded| {
            let codes = folded.into_iter().map(|(cell, (_, code))| (cell, code));
            codes.collect()
        });
        let levels = levels.names;
        let values = Values {
            levels,
            codes,
            folded,
        };
        none_or(errors, Self::Values(values))
    }

    /// Makes values from bands (value, from, to): a cell with a number in `[from, to)` has that
    /// value. Bounds may be infinite, and several bands may give one value. Values are in the order
    /// of first mention.
    ///
    /// # Errors
    /// No band, a bound that is not a number, an empty band, bands that overlap, more than 65,536
    /// values.
    pub fn bands(bands: Vec<(String, f64, f64)>) -> Result<Self, Vec<LevelError>> {
        let mut errors = Vec::new();
        let mut levels = Mentions::folding();
        let mut sorted: Vec<(usize, Band)> = Vec::new();
        for (entry, (value, from, to)) in bands.into_iter().enumerate() {
            if from.is_nan() || to.is_nan() || from >= to {
                let what = format!("the band [{from}, {to}) holds no number");
                let help = "write the lower bound first, and one that is less than the upper";
                errors.push(level_error(entry, what, help));
                continue;
            }
            match levels.code(entry, value) {
                Ok(code) => sorted.push((entry, Band { from, to, code })),
                Err(error) => errors.push(error),
            }
        }
        sorted.sort_by(|(_, a), (_, b)| a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to)));
        // Each is held against the furthest before it, which need not be its neighbour.
        let mut furthest: Option<(usize, Band)> = None;
        for &(entry, band) in &sorted {
            if let Some((other_entry, other)) = furthest.filter(|(_, other)| band.from < other.to) {
                let what = format!(
                    "the bands [{}, {}) and [{}, {}) overlap",
                    other.from, other.to, band.from, band.to
                );
                let help = "a band holds its lower bound and not its upper: end each where the \
                            next begins";
                errors.push(level_error(entry.max(other_entry), what, help));
            }
            if furthest.is_none_or(|(_, other)| band.to > other.to) {
                furthest = Some((entry, band));
            }
        }
        if sorted.is_empty() && errors.is_empty() {
            let help = "write at least one, as in bands = { \"18-34\" = [18, 35] }";
            errors.push(level_error(0, "there is no band", help));
        }
        let bands = sorted.into_iter().map(|(_, band)| band).collect();
        let levels = levels.names;
        none_or(errors, Self::Bands(Bands { levels, bands }))
    }

    /// Returns the names of the values, in order. Returns `None` if they are known only after all
    /// cells have been read.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        match self {
            Self::Values(Values { levels, .. }) | Self::Bands(Bands { levels, .. }) => Some(levels),
            Self::Distinct | Self::Spelt => None,
        }
    }

    /// The ends of the bands, [from, to), in increasing order; none where there are no bands.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (f64, f64)> {
        let bands = match self {
            Self::Bands(Bands { bands, .. }) => &bands[..],
            Self::Values(_) | Self::Distinct | Self::Spelt => &[],
        };
        bands.iter().map(|band| (band.from, band.to))
    }

    /// Returns true if each letter of a cell matters.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, Self::Values(values) if values.is_exact())
    }

    /// The cells that are listed, in the order of their letters; none where they are not.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &str> {
        let listed = match self {
            Self::Values(Values { codes, .. }) => Some(codes),
            Self::Bands(_) | Self::Distinct | Self::Spelt => None,
        };
        listed.into_iter().flatten().map(|(cell, _)| cell.as_str())
    }
}

/// Names in the order of first mention.
#[derive(Default)]
struct Mentions {
    names: Vec<String>,
    codes: BTreeMap<String, u16>,
    /// The indexes of names by their folded form; `None` where the spelling matters.
    folded: Option<BTreeMap<String, u16>>,
}

impl Mentions {
    /// Names of which no two may be alike.
    fn folding() -> Self {
        Self {
            folded: Some(BTreeMap::new()),
            ..Self::default()
        }
    }

    /// The index of a name that the entry gives.
    fn code(&mut self, entry: usize, name: String) -> Result<u16, LevelError> {
        if let Some(code) = self.codes.get(&name) {
            return Ok(*code);
        }
        let too_many = |_| {
            let what = "an attribute can have 65,536 values, and this is one more";
            level_error(entry, what, "map several cells to one value")
        };
        let code = u16::try_from(self.names.len()).map_err(too_many)?;
        if let Some(folded) = &mut self.folded
            && let Some(known) = folded.insert(fold(&name), code)
        {
            return Err(same(entry, &self.names[usize::from(known)], &name));
        }
        self.names.push(name.clone());
        self.codes.insert(name, code);
        Ok(code)
    }
}

/// Two texts that are to be two values, and are one but for case, blanks and Unicode form.
fn same(entry: usize, one: &str, other: &str) -> LevelError {
    let (one, other) = (shown(one), shown(other));
    let what = format!(
        "{one} and {other} are one value: case, blanks and Unicode form make no difference"
    );
    let help = "give both one name, or set exact = true for the attribute";
    level_error(entry, what, help)
}

fn level_error(entry: usize, what: impl Into<String>, help: impl Into<String>) -> LevelError {
    LevelError {
        entry,
        what: what.into(),
        help: help.into(),
    }
}

fn none_or<T>(errors: Vec<LevelError>, value: T) -> Result<T, Vec<LevelError>> {
    if errors.is_empty() {
        Ok(value)
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Result<Levels, Vec<LevelError>> {
        Levels::values(
            pairs
                .iter()
                .map(|(a, b)| (String::from(*a), String::from(*b)))
                .collect(),
        )
    }

    fn bands(bands: &[(&str, f64, f64)]) -> Result<Levels, Vec<LevelError>> {
        Levels::bands(
            bands
                .iter()
                .map(|(a, f, t)| (String::from(*a), *f, *t))
                .collect(),
        )
    }

    #[test]
    fn wrong_lists_are_told_entry_by_entry() {
        let nan = f64::NAN;
        let wrong = |r: Result<Levels, Vec<LevelError>>| -> Vec<(usize, String)> {
            r.unwrap_err()
                .into_iter()
                .map(|e| (e.entry, e.what))
                .collect()
        };
        assert_eq!(
            wrong(values(&[])),
            [(0, "the list of values is empty".into())]
        );
        assert_eq!(
            wrong(values(&[("1", "a"), ("1", "b")])),
            [(1, "'1' is listed twice".into())]
        );
        let one = |a: &str, b: &str| {
            format!("{a} and {b} are one value: case, blanks and Unicode form make no difference")
        };
        for (pairs, a, b) in [
            ([("F", "women"), ("f", "others")], "'F'", "'f'"),
            ([("1", "F"), ("2", " f")], "'F'", "' f'"),
            ([("a  b", "x"), ("A B", "y")], "'a  b'", "'A B'"),
            (
                [("1", "Que\u{301}bec"), ("2", "Québec")],
                "'Que\u{301}bec'",
                "'Québec'",
            ),
        ] {
            assert_eq!(wrong(values(&pairs)), [(1, one(a, b))]);
            let pairs = pairs.map(|(a, b)| (a.to_owned(), b.to_owned()));
            assert!(Levels::exact_values(pairs.to_vec()).is_ok());
        }
        assert!(values(&[("F", "women"), ("f", "women")]).is_ok());
        assert_eq!(
            wrong(bands(&[("A", 0.0, 1.0), ("a", 1.0, 2.0)])),
            [(1, one("'A'", "'a'"))]
        );
        assert_eq!(wrong(bands(&[])), [(0, "there is no band".into())]);
        let found = wrong(bands(&[
            ("a", 0.0, 9.0),
            ("b", 5.0, 6.0),
            ("c", 8.0, 10.0),
            ("d", 3.0, 3.0),
            ("e", nan, 1.0),
        ]));
        assert_eq!(found.iter().map(|e| e.0).collect::<Vec<_>>(), [3, 4, 1, 2]);
        assert_eq!(found[2].1, "the bands [0, 9) and [5, 6) overlap");
        assert_eq!(found[3].1, "the bands [0, 9) and [8, 10) overlap");
    }
}
