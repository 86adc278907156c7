//! What maps hold.

/// Who is best at each pair of values of two keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageMap {
    /// The question.
    pub title: String,
    /// How it is read.
    pub caption: String,
    /// The key along the columns.
    pub across: String,
    /// The key along the rows.
    pub up: String,
    /// The values of the columns, from left to right.
    pub columns: Vec<String>,
    /// The values of the rows, from bottom to top.
    pub rows: Vec<String>,
    /// Every name with the number of its look.
    pub looks: Vec<(String, usize)>,
    /// The maps.
    pub panels: Vec<MapPanel>,
}

/// One map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapPanel {
    /// What its cells share; may be empty.
    pub title: String,
    /// The cells that are known.
    pub cells: Vec<MapCell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct MapCell {
    /// Its column.
    pub column: usize,
    /// Its row, from the bottom.
    pub row: usize,
    /// The look of who is best, or ahead; none where nobody is drawn.
    pub look: Option<usize>,
    /// How sure that is.
    pub mood: MapMood,
    /// The answer in words.
    pub words: String,
}

/// How sure the answer of a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapMood {
    /// One is surely best.
    Sure,
    /// Several are best, and even.
    Even,
    /// It is undecided.
    Open,
    /// Nothing can be compared.
    Nothing,
}
