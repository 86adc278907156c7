//! Feedback whose noise is whole numbers, so that every answer is exact.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::protocol::{Feedback, Gain, LookStats, Person, Probe};

use super::world::People;

/// A look of gain s at a person: merit + noise / s, the noise one of 0 .. 15. An outcome: merit +
/// quarter, one of 0, .25, .5, .75.
#[derive(Clone, Default)]
pub struct Answers {
    /// How often it was asked.
    pub asked: Arc<AtomicU64>,
    /// It panics when it is asked this about this person.
    pub panics: Option<(Asks, u64)>,
    /// Its looks at this person are no numbers.
    pub blurred: Option<u64>,
}

/// A probe without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Look,
    Outcome,
}

impl Feedback for Answers {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let merit = person.merit().expect("this world has a truth");
        let (asks, value) = match probe {
            Probe::Interview { gain, .. } => (Asks::Look, merit + draw.below(16) as f64 / gain),
            Probe::Outcome => (Asks::Outcome, merit + draw.below(4) as f64 / 4.0),
            Probe::Offer => unreachable!("offers are for `Replies`"),
        };
        let number = person.number();
        assert!(
            self.panics != Some((asks, number)),
            "scripted: no answer for {number}"
        );
        if asks == Asks::Look && self.blurred == Some(number) {
            return f64::NAN;
        }
        value
    }
}

/// Of eight persons about so many decline.
pub struct Replies(pub u64);

impl Feedback for Replies {
    fn answer(&self, _: Person<'_>, _: Probe, draw: &mut Draw) -> f64 {
        f64::from(u8::from(draw.below(8) >= self.0))
    }
}

/// Whether a person takes a place, where of eight about so many decline.
pub fn takes(key: Key, number: u64, declines: u64) -> bool {
    key.draw(Purpose::Offer, number, 0).below(8) >= declines
}

/// The noise of the nth look at a person, before its gain is counted.
pub fn look_noise(key: Key, number: u64, nth: u64) -> f64 {
    key.draw(Purpose::Interview, number, nth).below(16) as f64
}

/// What a person turns out to be.
pub fn outcome(key: Key, number: u64) -> f64 {
    super::merit(number) + key.draw(Purpose::Outcome, number, 0).below(4) as f64 / 4.0
}

/// Looks at a person and adds the answer to its file.
pub fn look_at(key: Key, number: u64, gain: f64, file: &mut LookStats) -> f64 {
    let LookStats {
        looks,
        weight,
        mean,
    } = *file;
    let noise = look_noise(key, number, u64::from(looks));
    let value = super::merit(number) + noise / gain;
    *file = LookStats {
        looks: looks + 1,
        weight: weight + gain,
        mean: (mean * weight + gain * value) / (weight + gain),
    };
    value
}

/// The gain of a look at a person.
pub fn gain(gain: &Gain, number: u64) -> f64 {
    match gain {
        Gain::Same(gain) => *gain,
        Gain::ByValue { of, .. } => of[usize::from(People::group(number))],
    }
}
