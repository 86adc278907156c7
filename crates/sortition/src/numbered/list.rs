//! A list of panels, each given by its number of members of each kind.

use std::collections::BTreeMap;

use crate::{PanelKind, PanelKinds};

/// Equal panels of a list.
#[derive(Clone, Debug)]
pub(super) struct EqualPanels {
    /// The number of members of each kind on each of these panels.
    pub counts: Vec<u32>,
    /// The number of these panels; 0 if all were changed.
    pub times: u32,
    /// The kinds with members on the panel.
    pub seated: Vec<usize>,
    /// The members with each bounded value.
    values: Vec<u32>,
    /// The members from each of the households that are alike.
    homes: Vec<u32>,
}

/// A list of panels, and the seats that each kind has on all of them.
#[derive(Clone, Debug)]
pub(super) struct KindList<'a> {
    kinds: &'a PanelKinds,
    /// The place of each kind's households.
    home_of: Vec<usize>,
    panels: Vec<EqualPanels>,
    places: BTreeMap<Vec<u32>, usize>,
    seats: Vec<u64>,
}

impl<'a> KindList<'a> {
    /// Makes a list without panels.
    #[must_use]
    pub fn new(kinds: &'a PanelKinds) -> Self {
        let mut home_of = vec![0; kinds.kinds().len()];
        for (place, homes) in kinds.homes().iter().enumerate() {
            homes.kinds.clone().for_each(|kind| home_of[kind] = place);
        }
        Self {
            home_of,
            panels: Vec::new(),
            places: BTreeMap::new(),
            seats: vec![0; kinds.kinds().len()],
            kinds,
        }
    }

    /// The kinds.
    pub fn kinds(&self) -> &'a [PanelKind] {
        self.kinds.kinds()
    }

    /// The different panels.
    pub fn panels(&self) -> &[EqualPanels] {
        &self.panels
    }

    /// The seats of each kind.
    pub fn seats(&self) -> &[u64] {
        &self.seats
    }

    /// Adds a panel a number of times.
    pub fn add(&mut self, counts: &[u32], times: u32) {
        for (seats, count) in self.seats.iter_mut().zip(counts) {
            *seats += u64::from(times) * u64::from(*count);
        }
        if let Some(place) = self.places.get(counts) {
            self.panels[*place].times += times;
            return;
        }
        let mut values = vec![0; self.kinds.bounds().len()];
        let mut homes = vec![0; self.kinds.homes().len()];
        let seated: Vec<usize> = (0..counts.len()).filter(|kind| counts[*kind] > 0).collect();
        for &kind in &seated {
            let rows = &self.kinds.kinds()[kind].bounds;
            rows.iter().for_each(|row| values[*row] += counts[kind]);
            homes[self.home_of[kind]] += counts[kind];
        }
        self.places.insert(counts.to_vec(), self.panels.len());
        self.panels.push(EqualPanels {
            counts: counts.to_vec(),
            times,
            seated,
            values,
            homes,
        });
    }

    /// Returns true if a member of one kind can be replaced by one of another kind on a panel.
    pub fn can_swap(&self, panel: usize, out: usize, into: usize) -> bool {
        let panel = &self.panels[panel];
        let (kinds, bounds) = (self.kinds.kinds(), self.kinds.bounds());
        let [lost, won] = [&kinds[out].bounds, &kinds[into].bounds];
        let [left, joined] = [self.home_of[out], self.home_of[into]];
        out != into
            && panel.times > 0
            && panel.counts[out] > 0
            && (left == joined || panel.homes[joined] < self.kinds.homes()[joined].count)
            && (lost == won
                || lost
                    .iter()
                    .all(|row| panel.values[*row] > bounds[*row].min || won.contains(row))
                    && won
                        .iter()
                        .all(|row| panel.values[*row] < bounds[*row].max || lost.contains(row)))
    }

    /// Returns true if two members of these kinds can be replaced by two others on a panel.
    pub fn can_swap_two(&self, panel: usize, out: [usize; 2], into: [usize; 2]) -> bool {
        self.panels[panel].times > 0
            && changed(&self.panels[panel].counts, &out, &into)
                .is_some_and(|counts| self.kinds.is_panel(&counts))
    }

    /// Exchanges members of one panel out of some equal ones. The exchange must be possible.
    pub fn swap(&mut self, panel: usize, out: &[usize], into: &[usize]) {
        let Some(counts) = changed(&self.panels[panel].counts, out, into) else {
            return;
        };
        self.replace(panel, &counts);
    }

    /// Replaces one panel out of some equal ones by another.
    pub fn replace(&mut self, panel: usize, other: &[u32]) {
        self.panels[panel].times -= 1;
        for (seats, count) in self.seats.iter_mut().zip(&self.panels[panel].counts) {
            *seats -= u64::from(*count);
        }
        self.add(other, 1);
    }
}

/// The counts of a panel with members of other kinds; none where it has not those to be taken off.
fn changed(counts: &[u32], out: &[usize], into: &[usize]) -> Option<Vec<u32>> {
    let mut counts = counts.to_vec();
    for &kind in out {
        counts[kind] = counts[kind].checked_sub(1)?;
    }
    into.iter().for_each(|kind| counts[*kind] += 1);
    Some(counts)
}
