//! The schema of candidates: their attributes and values, their features and the presence of a
//! score.

use crate::limits::MOST_TABULATED;

/// A categorical attribute: its name and the values it may take, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The attribute's name, as in the config.
    pub name: String,
    /// The values; a candidate carries an index into them.
    pub values: Vec<String>,
}

impl Attribute {
    /// The index of a value.
    #[must_use]
    pub fn index(&self, value: &str) -> Option<usize> {
        self.values.iter().position(|v| v == value)
    }
}

/// The columns that every candidate of a run has: attributes, features and perhaps a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    attributes: Vec<Attribute>,
    features: Vec<String>,
    scored: bool,
    timed: bool,
    cells: u32,
    /// The values of every cell, one after the other; empty where there are too many cells.
    table: Vec<u16>,
}

/// The error that the product of the attributes' numbers of values does not fit 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the attributes have more than 2^32 - 1 combinations of values")]
pub struct TooManyCells;

impl Schema {
    /// Makes the schema of candidates with these attributes and numeric features (their names, in
    /// order), with or without a score.
    ///
    /// # Errors
    /// Returns an error if the attributes' cells can't be numbered in 32 bits.
    pub fn new(
        attributes: Vec<Attribute>,
        features: Vec<String>,
        scored: bool,
    ) -> Result<Self, TooManyCells> {
        let cells = attributes.iter().try_fold(1u32, |cells, attribute| {
            cells.checked_mul(u32::try_from(attribute.values.len()).ok()?)
        });
        let cells = cells.ok_or(TooManyCells)?;
        let mut schema = Self {
            attributes,
            features,
            scored,
            timed: false,
            cells,
            table: Vec::new(),
        };
        if cells <= MOST_TABULATED {
            schema.table = (0..cells).flat_map(|cell| schema.values(cell)).collect();
        }
        Ok(schema)
    }

    /// Returns the same schema, with arrival times.
    #[must_use]
    pub fn timed(self) -> Self {
        Self {
            timed: true,
            ..self
        }
    }

    /// Returns true if arrival times are known.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    /// The attributes, in order.
    #[must_use]
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The index of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|a| a.name == name)
    }

    /// The features' names, in order.
    #[must_use]
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// Returns true if candidates carry a score.
    #[must_use]
    pub fn scored(&self) -> bool {
        self.scored
    }

    /// The number of values of each attribute.
    #[must_use]
    pub fn levels(&self) -> Vec<usize> {
        self.attributes.iter().map(|a| a.values.len()).collect()
    }

    /// The number of combinations of values.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// Returns the cell of a candidate: the values in mixed radix, the first attribute most
    /// significant.
    #[must_use]
    pub fn cell(&self, values: &[u16]) -> u32 {
        self.attributes
            .iter()
            .zip(values)
            .fold(0, |cell, (attribute, &value)| {
                cell * attribute.values.len() as u32 + u32::from(value)
            })
    }

    /// Returns true if the values of a cell can be looked up, so that persons need not carry them.
    #[inline]
    pub(super) fn is_tabulated(&self) -> bool {
        !self.table.is_empty()
    }

    /// The values of a cell, where they are tabulated.
    #[inline]
    pub(super) fn tabulated(&self, cell: u32) -> &[u16] {
        row(&self.table, self.attributes.len(), cell as usize)
    }

    /// Returns the values of a cell, one per attribute.
    #[must_use]
    pub fn values(&self, cell: u32) -> Vec<u16> {
        let mut rest = cell;
        let mut values: Vec<u16> = self
            .attributes
            .iter()
            .rev()
            .map(|attribute| {
                let levels = attribute.values.len() as u32;
                let value = rest % levels;
                rest /= levels;
                value as u16
            })
            .collect();
        values.reverse();
        values
    }
}

/// Row `index` of a table of rows of one width.
#[inline]
pub(super) fn row<T>(table: &[T], width: usize, index: usize) -> &[T] {
    let start = index * width;
    &table[start..start + width]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(levels: &[usize]) -> Result<Schema, TooManyCells> {
        let attributes = levels
            .iter()
            .map(|&n| Attribute {
                name: format!("a{n}"),
                values: (0..n).map(|v| v.to_string()).collect(),
            })
            .collect();
        Schema::new(attributes, vec![], false)
    }

    #[test]
    fn cells_and_values_are_one_to_one() {
        let schema = schema(&[2, 3, 4]).unwrap();
        assert_eq!(schema.cells(), 24);
        assert_eq!(schema.cell(&[1, 0, 0]), 12);
        for cell in 0..24 {
            assert_eq!(schema.cell(&schema.values(cell)), cell);
        }
        assert_eq!(Schema::default().cells(), 0);
    }

    #[test]
    fn few_cells_are_tabulated() {
        let few = schema(&[2, 3, 4]).unwrap();
        assert!(few.is_tabulated());
        for cell in 0..24 {
            assert_eq!(few.tabulated(cell), few.values(cell));
        }
        assert!(schema(&[64, 64]).unwrap().is_tabulated());
        assert!(!schema(&[64, 65]).unwrap().is_tabulated());
    }

    #[test]
    fn too_many_cells_are_refused() {
        assert_eq!(schema(&[65_536, 65_536]).unwrap_err(), TooManyCells);
        assert!(schema(&[65_536, 65_535]).is_ok());
    }
}
