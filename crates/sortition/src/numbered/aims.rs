//! The chances that a lottery gives, in billionths, and the distance of numbers of panels from
//! them.

use crate::PanelKinds;
use crate::lottery::PanelLottery;

/// The denominator to which chances are rounded, so that differences are exact numbers.
pub const BILLION: u64 = 1_000_000_000;

/// The aims of a list of panels: the chance of a member of each kind.
///
/// Differences are in billionths of a panel: of `m` panels, one is the chance `1 / m`.
#[derive(Clone, Debug)]
pub(super) struct KindAims {
    /// The number of panels.
    pub panels: u64,
    /// The number of respondents of each kind.
    pub people: Vec<u64>,
    /// The chance of a respondent of each kind, in billionths.
    pub chances: Vec<u64>,
}

impl KindAims {
    /// Makes the aims of `panels` panels for a lottery.
    pub fn of(kinds: &PanelKinds, lottery: &PanelLottery, panels: u32) -> Self {
        let people = kinds
            .kinds()
            .iter()
            .map(|kind| kind.people.iter().flatten());
        let chances = people.clone().map(|people| {
            let n = people.clone().count() as f64;
            let sum: f64 = people.map(|one| lottery.chances[*one as usize]).sum();
            (sum / n * BILLION as f64).round() as u64
        });
        Self {
            panels: u64::from(panels),
            chances: chances.collect(),
            people: people.map(|people| people.count() as u64).collect(),
        }
    }

    /// The panels that are due to a respondent of a kind, in billionths of a panel.
    fn due(&self, kind: usize) -> u64 {
        self.panels * self.chances[kind]
    }

    /// Returns the fewest and the most panels of a respondent with at most this difference. The
    /// fewest may exceed the most.
    pub fn window(&self, kind: usize, difference: u64) -> [u64; 2] {
        let due = self.due(kind);
        let least = due.saturating_sub(difference).div_ceil(BILLION);
        let most = (due + difference) / BILLION;
        [least, most.min(self.panels)]
    }

    /// Returns the seats of each kind with all differences at most this, if its respondents share
    /// the seats as evenly as whole numbers allow.
    pub fn windows(&self, difference: u64) -> Vec<[u64; 2]> {
        let kinds = (0..self.people.len()).map(|kind| {
            let window = self.window(kind, difference);
            window.map(|panels| panels * self.people[kind])
        });
        kinds.collect()
    }

    /// Returns the largest difference for a kind whose respondents share these seats.
    pub fn difference(&self, kind: usize, seats: u64) -> u64 {
        let (people, due) = (self.people[kind], self.due(kind));
        let ends = [seats / people, seats.div_ceil(people)];
        let off = ends.map(|panels| (panels * BILLION).abs_diff(due));
        off[0].max(off[1])
    }

    /// Returns the largest difference if the kinds have these seats.
    pub fn largest(&self, seats: &[u64]) -> u64 {
        let kinds = seats.iter().enumerate();
        let differences = kinds.map(|(kind, seats)| self.difference(kind, *seats));
        differences.max().unwrap_or(0)
    }

    /// Returns the possible differences of a respondent up to `most`, in increasing order. If none
    /// of them lies between two numbers, both have the same windows.
    pub fn steps(&self, most: u64) -> Vec<u64> {
        let mut steps = vec![0];
        for kind in 0..self.people.len() {
            let past = self.due(kind) % BILLION;
            for first in [past, BILLION - past] {
                let all = (0..).map(|panels| first + panels * BILLION);
                steps.extend(all.take_while(|step| *step <= most));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// The exact number of seats that a kind is due.
    pub fn seats(&self, kind: usize) -> f64 {
        (self.due(kind) * self.people[kind]) as f64 / BILLION as f64
    }
}
