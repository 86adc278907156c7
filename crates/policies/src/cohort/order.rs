//! A slate in another order.

use kleroterion_core::protocol::{Chosen, Move, Pull, Pulls, Slate};

/// The order in which the slots of a slate are shown.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The slot of each place.
    slots: Vec<u32>,
    /// The place of each slot.
    places: Vec<u32>,
    /// The position in the roster of each place.
    who: Vec<u32>,
}

impl Order {
    /// Makes the order of all slots of a slate.
    pub fn of(slots: Vec<u32>, slate: Slate<'_>) -> Self {
        let mut places = vec![0; slots.len()];
        for (place, slot) in (0..).zip(&slots) {
            places[*slot as usize] = place;
        }
        let who = slots.iter().map(|slot| slate.position(*slot));
        Self {
            who: who.collect(),
            slots,
            places,
        }
    }

    /// The slot of each place.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The position in the roster of each place.
    pub fn who(&self) -> &[u32] {
        &self.who
    }

    /// The place of a slot.
    pub fn place(&self, slot: u32) -> u32 {
        self.places[slot as usize]
    }

    /// The slot of a place; a place that there is not stays none.
    pub fn slot(&self, place: u32) -> u32 {
        self.slots.get(place as usize).copied().unwrap_or(place)
    }

    /// A move by places as one by slots; those chosen by slot, upwards.
    pub fn translated(&self, by_places: Move) -> Move {
        let pull = |pull: Pull| Pull {
            slot: self.slot(pull.slot),
            ..pull
        };
        match by_places {
            Move::Interview(Pulls::One(one)) => Move::Interview(Pulls::One(pull(one))),
            Move::Interview(Pulls::Many(many)) => {
                Move::Interview(Pulls::Many(many.into_iter().map(pull).collect()))
            }
            Move::Select(mut selection) => {
                selection.chosen = match selection.chosen {
                    Chosen::None => Chosen::None,
                    Chosen::One(place) => Chosen::One(self.slot(place)),
                    Chosen::Many(places) => {
                        let slots = places.into_iter().map(|place| self.slot(place));
                        let mut slots: Vec<u32> = slots.collect();
                        slots.sort_unstable();
                        Chosen::Many(slots)
                    }
                };
                Move::Select(selection)
            }
            Move::Stall => Move::Stall,
        }
    }
}
