//! The data of maps.

/// A map of the best policy at each pair of values of two keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageMap {
    /// The question that the map answers.
    pub title: String,
    /// The caption: an explanation of how to read the map.
    pub caption: String,
    /// The key along the columns.
    pub across: String,
    /// The key along the rows.
    pub up: String,
    /// The values of the columns, from left to right.
    pub columns: Vec<String>,
    /// The values of the rows, from bottom to top.
    pub rows: Vec<String>,
    /// The names and the numbers of their looks.
    pub looks: Vec<(String, usize)>,
    /// The maps.
    pub panels: Vec<MapPanel>,
}

/// One map of a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapPanel {
    /// The setting that its cells share. May be empty.
    pub title: String,
    /// The cells that are known.
    pub cells: Vec<MapCell>,
}

/// A cell of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapCell {
    /// The column, from the left.
    pub column: usize,
    /// The row, from the bottom.
    pub row: usize,
    /// The look of the policy that is best or ahead. `None` if no policy is drawn.
    pub look: Option<usize>,
    /// The certainty of the answer.
    pub mood: MapMood,
    /// The answer in words.
    pub words: String,
}

/// The certainty of the answer in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapMood {
    /// One policy is surely best.
    Sure,
    /// Several policies are best and equal.
    Even,
    /// The answer is undecided.
    Open,
    /// No policies can be compared.
    Nothing,
}
