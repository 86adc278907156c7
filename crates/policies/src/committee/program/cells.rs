//! Cells and their masses, and passes over them.
//!
//! All that is wanted of a cell x is some function of a sum `s(x) = sum_i b^i_{x^i}`. The
//! attributes are split into a left and a right half, each of whose combinations number about the
//! square root of the cells; the sums over the halves are tabled. So a cell costs one addition and
//! two tallies however many attributes there are, and nothing is stored of it but its number and
//! its mass.

use super::acceptance::unpack;
use super::matrix::Matrix;

/// Some cells of a law.
#[derive(Clone)]
pub(super) struct Cells {
    /// The numbers of the cells, increasing.
    pub numbers: Vec<u32>,
    /// The mass p of each cell.
    pub mass: Vec<f64>,
    left: Half,
    right: Half,
    /// The left combinations that occur, each with the index of its first cell; last, an end.
    rows: Vec<(usize, usize)>,
}

/// The combinations of the values of some consecutive attributes.
#[derive(Clone)]
struct Half {
    /// The number of attributes.
    depth: usize,
    /// The number of combinations.
    size: usize,
    /// The place of each value of each combination, among the values of all attributes.
    places: Vec<u32>,
    /// The places are from here on.
    first: usize,
    /// The number of values of its attributes.
    values: usize,
}

/// The sums over the halves' combinations, or a function of them.
pub(super) struct Sums {
    left: Vec<f64>,
    right: Vec<f64>,
}

impl Cells {
    /// Makes cells of attributes with `levels[i]` values each, from their numbers, increasing, and
    /// their masses.
    pub fn new(levels: &[usize], numbers: Vec<u32>, mass: Vec<f64>) -> Self {
        let size = |levels: &[usize]| levels.iter().product::<usize>();
        let both = |&at: &usize| size(&levels[..at]) + size(&levels[at..]);
        let at = (0..=levels.len()).min_by_key(both).unwrap_or(0);
        let left = Half::new(&levels[..at], 0);
        let right = Half::new(&levels[at..], levels[..at].iter().sum());
        let mut rows: Vec<(usize, usize)> = Vec::new();
        for (index, &cell) in numbers.iter().enumerate() {
            let row = cell as usize / right.size;
            if rows.last().is_none_or(|&(last, _)| last != row) {
                rows.push((row, index));
            }
        }
        rows.push((left.size, numbers.len()));
        Self {
            numbers,
            mass,
            left,
            right,
            rows,
        }
    }

    /// Returns the same cells with other masses.
    pub fn weighing(&self, mass: Vec<f64>) -> Self {
        Self {
            mass,
            ..self.clone()
        }
    }

    /// The number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the sums of `b`, which has a number for each value of each attribute.
    pub fn sums(&self, b: &[f64]) -> Sums {
        Sums {
            left: self.left.sums(b),
            right: self.right.sums(b),
        }
    }

    /// Returns, for each value of each attribute, the sum of `weigh(left, right, p)` over the cells
    /// that have it.
    pub fn tally(&self, sums: &Sums, weigh: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
        let mut tally = vec![0.0; self.values()];
        let mut columns = vec![0.0; self.right.size];
        for (row, cells) in self.rows() {
            let left = sums.left[row];
            let mut total = 0.0;
            for (column, p) in cells {
                let weight = weigh(left, sums.right[column], p);
                total += weight;
                columns[column] += weight;
            }
            for &place in self.left.of(row) {
                tally[place as usize] += total;
            }
        }
        for (column, &total) in columns.iter().enumerate() {
            for &place in self.right.of(column) {
                tally[place as usize] += total;
            }
        }
        tally
    }

    /// Returns the sum of `weigh(left, right, p)` over the cells.
    pub fn total(&self, sums: &Sums, weigh: impl Fn(f64, f64, f64) -> f64) -> f64 {
        let row = |(row, cells): (usize, _)| -> f64 {
            let left = sums.left[row];
            Iterator::map(cells, |(column, p)| weigh(left, sums.right[column], p)).sum()
        };
        self.rows().map(row).sum()
    }

    /// Returns, for each two values, the sum of `weigh(left, right, p)` over the cells that have
    /// both.
    pub fn moments(&self, sums: &Sums, weigh: impl Fn(f64, f64, f64) -> f64) -> Matrix {
        let mut moments = Matrix::zero(self.values());
        let mut columns = vec![0.0; self.right.size];
        let mut across = vec![0.0; self.values()];
        for (row, cells) in self.rows() {
            let left = sums.left[row];
            let mut total = 0.0;
            across.fill(0.0);
            for (column, p) in cells {
                let weight = weigh(left, sums.right[column], p);
                if weight != 0.0 {
                    total += weight;
                    columns[column] += weight;
                    for &place in self.right.of(column) {
                        across[place as usize] += weight;
                    }
                }
            }
            if total != 0.0 {
                let left = self.left.of(row);
                add_square(&mut moments, left, total);
                for (place, &weight) in across.iter().enumerate().skip(self.right.first) {
                    for &left in left {
                        moments.add(place, left as usize, weight);
                    }
                }
            }
        }
        for (column, &total) in columns.iter().enumerate() {
            add_square(&mut moments, self.right.of(column), total);
        }
        moments
    }

    /// Values of all the attributes.
    fn values(&self) -> usize {
        self.right.first + self.right.values
    }

    /// The left combinations that occur, each with its cells: their right combinations and masses.
    fn rows(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = (usize, f64)>)> {
        self.rows.windows(2).map(|pair| {
            let ((row, from), (_, to)) = (pair[0], pair[1]);
            let base = row * self.right.size;
            let cells = self.numbers[from..to].iter().zip(&self.mass[from..to]);
            (row, cells.map(move |(&cell, &p)| (cell as usize - base, p)))
        })
    }
}

impl Half {
    fn new(levels: &[usize], first: usize) -> Self {
        let (depth, size) = (levels.len(), levels.iter().product());
        let mut values = vec![0u16; depth];
        let mut places = Vec::with_capacity(size * depth);
        for combination in 0..size {
            unpack(combination as u32, levels, &mut values);
            let mut place = first;
            for (&value, &n) in values.iter().zip(levels) {
                places.push((place + usize::from(value)) as u32);
                place += n;
            }
        }
        Self {
            depth,
            size,
            places,
            first,
            values: levels.iter().sum(),
        }
    }

    /// The places of a combination's values.
    fn of(&self, combination: usize) -> &[u32] {
        &self.places[combination * self.depth..][..self.depth]
    }

    fn sums(&self, b: &[f64]) -> Vec<f64> {
        let sum = |combination| self.of(combination).iter().map(|&at| b[at as usize]).sum();
        (0..self.size).map(sum).collect()
    }
}

impl Sums {
    /// Applies a function to each sum.
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            left: self.left.into_iter().map(&f).collect(),
            right: self.right.into_iter().map(&f).collect(),
        }
    }
}

/// Adds a weight for each two of the places, which increase.
fn add_square(moments: &mut Matrix, places: &[u32], weight: f64) {
    for (n, &row) in places.iter().enumerate() {
        for &column in &places[..=n] {
            moments.add(row as usize, column as usize, weight);
        }
    }
}
