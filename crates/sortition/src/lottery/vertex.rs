//! A reduction to fewer panels with the same chances: no more panels than there are kinds.
//!
//! Panels enter a basis one by one, each with its probability. One that depends on those in the
//! basis hands its probability over to them, until it has none left or one of them has none and
//! leaves in its place (Caratheodory's theorem, by the exchanges of the simplex method).

use super::projection::Seats;
use super::watch::LotteryWatch;
use crate::heaviest::BasisInverse;

/// Entries below this are no pivots.
const PIVOT: f64 = 1e-7;
/// Probabilities below this are none.
const UNUSED: f64 = 1e-15;
/// Exchanges after which the inverse is computed anew.
const FRESH: u32 = 400;

/// Probabilities of some of the panels that give the seats of each kind. None where rounding has
/// spoilt them.
pub(super) fn vertex(
    panels: &[Seats],
    p: &[f64],
    seats: &[f64],
    watch: &LotteryWatch<'_>,
) -> Option<Vec<(usize, f64)>> {
    let mut basis = Basis::new(panels, seats.len());
    for (panel, &probability) in p.iter().enumerate() {
        if watch.is_interrupted() {
            return None;
        }
        if probability > UNUSED {
            basis.take(panel, probability);
        }
    }
    basis.finished(seats)
}

struct Basis<'a> {
    panels: &'a [Seats],
    /// The panel of each place; none where a place has not been taken.
    places: Vec<Option<usize>>,
    values: Vec<f64>,
    inverse: BasisInverse,
    exchanges: u32,
}

impl<'a> Basis<'a> {
    fn new(panels: &'a [Seats], kinds: usize) -> Self {
        Self {
            panels,
            places: vec![None; kinds],
            values: vec![0.0; kinds],
            inverse: BasisInverse::unit(kinds),
            exchanges: 0,
        }
    }

    fn take(&mut self, panel: usize, mut probability: f64) {
        let column = self.inverse.times(self.panels[panel].iter().copied());
        let free = (0..column.len()).filter(|&place| self.places[place].is_none());
        let free = free.max_by(|&a, &b| column[a].abs().total_cmp(&column[b].abs()));
        if let Some(place) = free.filter(|&place| column[place].abs() > PIVOT) {
            self.exchange(place, panel, probability, &column);
            return;
        }
        // The panel is a sum of those in the basis: `column` of each.
        let mut first: Option<(usize, f64)> = None;
        for (place, entry) in column.iter().enumerate() {
            if self.places[place].is_some() && *entry < -PIVOT {
                let share = self.values[place] / -entry;
                if first.is_none_or(|(_, least)| share < least) {
                    first = Some((place, share));
                }
            }
        }
        let share = first.map_or(probability, |(_, share)| share.clamp(0.0, probability));
        for (place, entry) in column.iter().enumerate() {
            if self.places[place].is_some() {
                self.values[place] = (self.values[place] + share * entry).max(0.0);
            }
        }
        probability -= share;
        if let Some((place, _)) = first.filter(|_| probability > UNUSED) {
            self.exchange(place, panel, probability, &column);
        }
    }

    fn exchange(&mut self, place: usize, panel: usize, probability: f64, column: &[f64]) {
        self.places[place] = Some(panel);
        self.values[place] = probability;
        self.inverse.exchange(place, column);
        self.exchanges += 1;
        if self.exchanges.is_multiple_of(FRESH) {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        let columns = self.places.iter().enumerate().map(|(place, panel)| {
            let unit = vec![(place, 1.0)];
            let column = panel.map_or(unit, |panel| self.panels[panel].clone());
            column.into_iter()
        });
        self.inverse.refresh(columns);
    }

    fn finished(mut self, seats: &[f64]) -> Option<Vec<(usize, f64)>> {
        self.refresh();
        let values = self.inverse.times(seats.iter().copied().enumerate());
        let taken = self.places.iter().zip(&values);
        let taken = taken.filter_map(|(panel, value)| Some(((*panel)?, *value)));
        let mut lottery: Vec<(usize, f64)> = taken.collect();
        lottery.sort_unstable_by_key(|(panel, _)| *panel);
        let is_sound = lottery.iter().all(|(_, probability)| *probability > -1e-12);
        lottery.retain(|(_, probability)| *probability > UNUSED);
        is_sound.then_some(lottery)
    }
}
