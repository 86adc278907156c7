//! Statistics over values of a run that are not held, computed in bounded memory.
//!
//! They are written by column in leaves of 1,024 replications, to memory and beyond a bound to a
//! temporary file, and read back a column at a time. So each column is folded exactly, medians
//! too, and from left to right in the order of the replications, whatever the threads.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use kleroterion_core::score::{Kept, LaneResult, MetricAt, Numbers};
use kleroterion_stats::Stats;

use crate::limits::MOST_FOLD_MEMORY;

/// The replications of a leaf.
const LEAF: usize = 1024;

/// The bytes of a column in a leaf.
const COLUMN: usize = LEAF * size_of::<f64>();

/// The columns of one policy that are summarised.
pub(super) struct Folding {
    /// The values that are held and not summarised.
    held: Kept,
    numbers: Numbers,
    /// The values of the replications since the last leaf, by number. An absent value is not
    /// finite.
    leaf: Vec<Vec<f64>>,
    /// The number of replications since the last leaf.
    filled: usize,
    leaves: SpooledTempFile,
    /// The number of columns of each leaf.
    widths: Vec<usize>,
}

impl Folding {
    /// Makes the fold before any replication.
    pub(super) fn new(held: Kept) -> Self {
        Self {
            held,
            numbers: Numbers::default(),
            leaf: Vec::new(),
            filled: 0,
            leaves: SpooledTempFile::new(MOST_FOLD_MEMORY),
            widths: Vec::new(),
        }
    }

    /// Takes in the lane of the next replication.
    ///
    /// # Errors
    /// Where the temporary file can't be written.
    pub(super) fn add(&mut self, lane: &LaneResult) -> io::Result<()> {
        let numbers = self
            .numbers
            .of(lane.layout(), |place| !self.held.holds(place));
        for (number, value) in numbers.iter().zip(lane.laid_values()) {
            let Some(number) = *number else { continue };
            if self.leaf.len() <= number {
                self.leaf.resize_with(number + 1, Vec::new);
            }
            let column = &mut self.leaf[number];
            // The last of one place counts, where it is finite.
            if value.is_finite() {
                column.resize(self.filled, f64::NAN);
                column.push(*value);
            }
        }
        self.filled += 1;
        if self.filled == LEAF {
            self.write()
        } else {
            Ok(())
        }
    }

    /// Writes the leaf, which is full.
    fn write(&mut self) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(COLUMN);
        for column in &mut self.leaf {
            column.resize(LEAF, f64::NAN);
            bytes.clear();
            bytes.extend(column.iter().flat_map(|value| value.to_le_bytes()));
            self.leaves.write_all(&bytes)?;
            column.clear();
        }
        self.widths.push(self.leaf.len());
        self.filled = 0;
        Ok(())
    }

    /// The statistics of each column, by place.
    ///
    /// # Errors
    /// Where the temporary file can't be read.
    pub(super) fn finish(mut self) -> io::Result<BTreeMap<MetricAt, Stats>> {
        let mut folded = BTreeMap::new();
        for number in 0..self.leaf.len() {
            let mut values = self.written(number)?;
            values.append(&mut self.leaf[number]);
            values.retain(|value| value.is_finite());
            if let Some(stats) = Stats::of(&values) {
                folded.insert(self.numbers.places()[number].clone(), stats);
            }
        }
        Ok(folded)
    }

    /// The values of a column in the leaves that were written.
    fn written(&mut self, number: usize) -> io::Result<Vec<f64>> {
        let mut values = Vec::with_capacity((self.widths.len() + 1) * LEAF);
        let mut bytes = vec![0; COLUMN];
        let mut start = 0;
        for &width in &self.widths {
            if number < width {
                let place = start + number * COLUMN;
                self.leaves.seek(SeekFrom::Start(place as u64))?;
                self.leaves.read_exact(&mut bytes)?;
                let (all, _) = bytes.as_chunks();
                values.extend(all.iter().map(|value| f64::from_le_bytes(*value)));
            }
            start += width * COLUMN;
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};
    use kleroterion_core::protocol::Ending;
    use kleroterion_core::score::{MetricRow, PolicyRun};

    /// Lanes with gaps, early ends and a measure that comes late.
    fn lanes(many: u64) -> Vec<LaneResult> {
        let lane = |number: u64| {
            let mut draw = Key::new(3, number).draw(Purpose::World, 0, 0);
            let mut rows = Vec::new();
            let mut put = |metric: &str, at, value| {
                let metric = metric.into();
                rows.push(MetricRow { metric, at, value });
            };
            for at in [Some(10), Some(20), None] {
                if at == Some(20) && number % 7 == 2 {
                    continue;
                }
                put("kept", at, draw.uniform());
                put(
                    "gaps",
                    at,
                    if number.is_multiple_of(3) {
                        f64::NAN
                    } else {
                        draw.uniform()
                    },
                );
                if number > 1500 {
                    put("late", at, 1e9 + draw.uniform());
                }
            }
            LaneResult::new(Ending::Filled, None, rows)
        };
        (0..many).map(lane).collect()
    }

    /// The same statistics, bit for bit, as of all values held.
    #[test]
    fn folds_are_those_of_the_values() {
        for many in [1, 5, 1023, 1024, 1025, 2 * 1024, 3000] {
            let held = Kept::Ends(["kept".to_owned()].into());
            let all = PolicyRun::new("l", "k").with(lanes(many));
            let mut folding = Folding::new(held.clone());
            for lane in &lanes(many) {
                folding.add(lane).unwrap();
            }
            let folded = folding.finish().unwrap();
            let columns = all.columns().filter(|(place, _)| !held.holds(place));
            let plain = columns.map(|(place, values)| (place.clone(), Stats::of(&values).unwrap()));
            assert_eq!(folded, plain.collect(), "{many}");
        }
    }

    /// However many replications, no more than a leaf and the bound wait in memory.
    #[test]
    fn the_memory_is_bounded() {
        let lane = lanes(5).remove(4);
        let mut folding = Folding::new(Kept::Ends(["kept".to_owned()].into()));
        for number in 0..200 * LEAF {
            folding.add(&lane).unwrap();
            let waiting: usize = folding.leaf.iter().map(Vec::len).sum();
            assert!(waiting < folding.leaf.len() * LEAF, "{number}");
        }
        assert!(folding.leaves.is_rolled());
        let folded = folding.finish().unwrap();
        assert!(
            folded
                .values()
                .all(|stats| stats.n == 200 * 1024 && stats.sd == Some(0.0))
        );
    }
}
