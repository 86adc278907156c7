//! Rules by which columns become attribute values: a list, bands of numbers, or as they come.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use super::cell::shown;

/// One attribute of the people in a table, and how a column gives its values.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeSpec {
    /// The attribute's name.
    pub name: String,
    /// The column that it is read from.
    pub column: String,
    /// How cells become values.
    pub levels: Levels,
}

/// The rule by which the cells of a column become the values of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Levels {
    /// By a list of cells; see [`Levels::values`].
    Values(Values),
    /// By bands of numbers; see [`Levels::bands`].
    Bands(Bands),
    /// Each distinct cell of the kept rows is a value; sorted by size where all are numbers, else
    /// by text.
    Distinct,
}

/// A checked list of cells and the values that they give.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    pub(super) levels: Vec<String>,
    pub(super) codes: BTreeMap<String, u16>,
}

impl Values {
    /// Whether one of the values has this name.
    pub(crate) fn names(&self, value: &str) -> bool {
        self.levels.iter().any(|level| level == value)
    }

    /// What is wrong where cells and names are in each other's places, and what to write.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    /// The entry, counted from 0; 0 where there is none.
    pub entry: usize,
    /// What is wrong, without a full stop.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Levels {
    /// Values by a list of (cell, value): several cells may map to one value; the values are in the
    /// order of first mention. Cells compare letter by letter: `1` is not `1.0`.
    ///
    /// # Errors
    /// An empty list, a cell listed twice, more than 65,536 values.
    pub fn values(pairs: Vec<(String, String)>) -> Result<Self, Vec<LevelError>> {
        let mut errors = Vec::new();
        let mut levels = Mentions::default();
        let mut codes = BTreeMap::new();
        for (entry, (raw, value)) in pairs.into_iter().enumerate() {
            match codes.entry(raw) {
                Entry::Occupied(listed) => {
                    let what = format!("{} is listed twice", shown(listed.key()));
                    errors.push(level_error(entry, what, "list each cell once"));
                }
                Entry::Vacant(free) => match levels.code(value) {
                    Some(code) => _ = free.insert(code),
                    None => errors.push(too_many(entry)),
                },
            }
        }
        if codes.is_empty() {
            let help = "write at least one, as in values = { \"1\" = \"male\" }";
            errors.push(level_error(0, "the list of values is empty", help));
        }
        let levels = levels.names;
        none_or(errors, Self::Values(Values { levels, codes }))
    }

    /// Values by bands (value, from, to): a cell that states a number in `[from, to)` has that
    /// value. Bounds may be infinite; several bands may have one value; the values are in the order
    /// of first mention.
    ///
    /// # Errors
    /// No band, a bound that is not a number, an empty band, bands that overlap, more than 65,536
    /// values.
    pub fn bands(bands: Vec<(String, f64, f64)>) -> Result<Self, Vec<LevelError>> {
        let mut errors = Vec::new();
        let mut levels = Mentions::default();
        let mut sorted: Vec<(usize, Band)> = Vec::new();
        for (entry, (value, from, to)) in bands.into_iter().enumerate() {
            if from.is_nan() || to.is_nan() || from >= to {
                let what = format!("the band [{from}, {to}) holds no number");
                let help = "write the lower bound first, and one that is less than the upper";
                errors.push(level_error(entry, what, help));
            } else if let Some(code) = levels.code(value) {
                sorted.push((entry, Band { from, to, code }));
            } else {
                errors.push(too_many(entry));
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

    /// The values' names, in order; nothing where they are known only once all cells have been
    /// read.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        match self {
            Self::Values(Values { levels, .. }) | Self::Bands(Bands { levels, .. }) => Some(levels),
            Self::Distinct => None,
        }
    }

    /// The ends of the bands, [from, to), in increasing order; none where there are no bands.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (f64, f64)> {
        let bands = match self {
            Self::Bands(Bands { bands, .. }) => &bands[..],
            Self::Values(_) | Self::Distinct => &[],
        };
        bands.iter().map(|band| (band.from, band.to))
    }

    /// The cells that are listed, in the order of their letters; none where they are not.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &str> {
        let listed = match self {
            Self::Values(Values { codes, .. }) => Some(codes),
            Self::Bands(_) | Self::Distinct => None,
        };
        listed.into_iter().flatten().map(|(cell, _)| cell.as_str())
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (help: {})", self.what, self.help)
    }
}

impl std::error::Error for LevelError {}

/// Names in the order of first mention.
#[derive(Default)]
struct Mentions {
    names: Vec<String>,
    codes: BTreeMap<String, u16>,
}

impl Mentions {
    fn code(&mut self, name: String) -> Option<u16> {
        if let Some(code) = self.codes.get(&name) {
            return Some(*code);
        }
        let code = u16::try_from(self.names.len()).ok()?;
        self.names.push(name.clone());
        self.codes.insert(name, code);
        Some(code)
    }
}

fn level_error(entry: usize, what: impl Into<String>, help: impl Into<String>) -> LevelError {
    LevelError {
        entry,
        what: what.into(),
        help: help.into(),
    }
}

fn too_many(entry: usize) -> LevelError {
    let what = "an attribute can have 65,536 values, and this is one more";
    level_error(entry, what, "map several cells to one value")
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
