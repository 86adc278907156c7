//! A cohort policy that starts from forecasts.

use super::Forecast;
use crate::policy::Policy;
use crate::protocol::{Answer, Chosen, File, Move, Outcome, Pull, Pulls, View};

/// A policy whose files hold, before any look, what is forecast of each; looks are added to that.
///
/// It is shown the slate in order of the forecasts, the highest first: ties, which policies break by the slot, go to the more
/// promising. (Where all forecasts weigh the same all radii are equal, and whom SWAP looks at hangs on ties alone.)
#[derive(Clone, Debug)]
pub struct Informed<P> {
    policy: P,
    forecast: Forecast,
    round: u64,
    order: Order,
    forecasts: Vec<File>,
    /// Forecasts and looks so far.
    files: Vec<File>,
    answers: Vec<Answer>,
}

/// A slate in another order.
#[derive(Clone, Debug, Default)]
struct Order {
    /// The slot of each place.
    slots: Vec<u32>,
    /// The place of each slot.
    places: Vec<u32>,
    /// The position in the roster of each place.
    who: Vec<u32>,
}

impl Order {
    /// The highest forecast first, of equals the lower slot; last those of whom nothing is known.
    fn of(forecasts: &[File], view: &View<'_>) -> Self {
        let known = |slot: u32| {
            let file = forecasts[slot as usize];
            if file.weight > 0.0 {
                file.mean
            } else {
                f64::NEG_INFINITY
            }
        };
        let mut slots: Vec<u32> = (0..view.slate().len()).collect();
        slots.sort_by(|a, b| known(*b).total_cmp(&known(*a)));
        let mut places = vec![0; slots.len()];
        for (place, slot) in (0..).zip(&slots) {
            places[*slot as usize] = place;
        }
        let who = slots.iter().map(|slot| view.slate().position(*slot));
        Self {
            who: who.collect(),
            slots,
            places,
        }
    }

    /// The slot of a place; a place that there is not stays none.
    fn slot(&self, place: u32) -> u32 {
        self.slots.get(place as usize).copied().unwrap_or(place)
    }

    /// A move by places as one by slots.
    fn translated(&self, by_places: Move) -> Move {
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
                        Chosen::Many(places.into_iter().map(|place| self.slot(place)).collect())
                    }
                };
                Move::Select(selection)
            }
            Move::Stall => Move::Stall,
        }
    }
}

impl<P> Informed<P> {
    /// Before the first round.
    #[must_use]
    pub fn new(policy: P, forecast: Forecast) -> Self {
        Self {
            policy,
            forecast,
            round: 0,
            order: Order::default(),
            forecasts: Vec::new(),
            files: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn open(&mut self, view: &View<'_>) {
        self.round = view.round();
        let forecasts = self.forecast.open(view.slate());
        self.order = Order::of(&forecasts, view);
        let slots = self.order.slots.iter();
        self.forecasts = slots.map(|slot| forecasts[*slot as usize]).collect();
        self.files.clone_from(&self.forecasts);
    }
}

/// A forecast and looks as one file.
fn joined(forecast: File, looks: File) -> File {
    let mut file = forecast;
    if looks.looks > 0 {
        file.add(looks.mean, looks.weight);
        file.looks = looks.looks;
    }
    file
}

impl<P: Policy> Policy for Informed<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if view.round() != self.round {
            self.open(view);
        }
        self.answers.clear();
        for answer in view.answers() {
            let Pull { slot, kind } = answer.pull;
            let place = self.order.places[slot as usize];
            let at = place as usize;
            self.files[at] = joined(self.forecasts[at], view.file(slot));
            let pull = Pull { slot: place, kind };
            self.answers.push(Answer { pull, ..*answer });
        }
        let slate = view.slate().showing(&self.order.who);
        let mut shown = view.showing(slate, &self.files, &self.answers);
        let answer = self.order.translated(self.policy.act(&mut shown));
        if let Move::Select(selection) = &answer {
            let chosen = selection.chosen.as_slice();
            self.forecast
                .close(view.round(), view.slate(), view.files, chosen);
        }
        answer
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.forecast.learn(outcome);
        self.policy.learn(outcome);
    }
}
