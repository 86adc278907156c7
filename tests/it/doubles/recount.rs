//! Measures of outcomes, recounted person by person from all that a plain lane did.

use std::collections::BTreeMap;

use kleroterion::draw::Key;
use kleroterion::protocol::{Choose, Rules, Until};

use super::lawful::places;
use super::witness::Passed;
use super::world::People;

/// An outcome of someone chosen: after which round it comes, of which round and slot; who; what.
pub type Coming = ((u64, u64, usize), u64, f64);

/// What the measures of outcomes are counted from.
pub struct Recount<'a> {
    pub key: Key,
    pub rounds: &'a [Passed],
    /// Outcomes of the chosen that come, be it after the last round.
    pub due: &'a [Coming],
    /// The outcome of a person, chosen or not; none where the world draws none.
    pub outcome: Option<fn(Key, u64) -> Option<f64>>,
}

impl Recount<'_> {
    /// What is measured of outcomes, recounted person by person from those that have come, and from
    /// everybody shown; outcomes of 5 and more are good.
    pub fn measured(&self) -> Vec<(&'static str, f64)> {
        let mut came: Vec<_> = (self.due.iter())
            .filter(|((due, ..), ..)| *due <= self.rounds.len() as u64)
            .collect();
        came.sort_by_key(|(place, ..)| *place);
        let groups = People::schema().levels()[0] as u16;
        let within = |group: Option<u16>| {
            let is_in = |number: u64| group.is_none_or(|group| People::group(number) == group);
            let came = || came.iter().filter(|(_, number, _)| is_in(*number));
            let n = came().count() as f64;
            let outcomes: f64 = came().map(|(.., value)| value).sum();
            let scores: f64 = came().map(|(_, number, _)| People::score(*number)).sum();
            let rate = |is_good: bool| {
                let shown = self.rounds.iter().flat_map(|passed| {
                    let shown = passed.shown.iter();
                    shown.map(|number| (*number, passed.chosen.contains(number)))
                });
                let outcome = |number| self.outcome.and_then(|of| of(self.key, number));
                let of_it = |number| outcome(number).is_some_and(|y| (y >= 5.0) == is_good);
                let people: Vec<bool> = shown
                    .filter(|(number, _)| is_in(*number) && of_it(*number))
                    .map(|(_, chosen)| chosen)
                    .collect();
                let chosen = people.iter().filter(|chosen| **chosen).count();
                chosen as f64 / people.len() as f64
            };
            [
                outcomes / n,
                (scores - outcomes) / n,
                rate(true),
                rate(false),
            ]
        };
        let all = within(None);
        let each: Vec<[f64; 4]> = (0..groups).map(|group| within(Some(group))).collect();
        let gap = |at: usize| {
            let known = each.iter().map(|values| values[at]);
            let mut known: Vec<f64> = known.filter(|value| value.is_finite()).collect();
            known.sort_by(f64::total_cmp);
            match known[..] {
                [least, .., most] => most - least,
                _ => f64::NAN,
            }
        };
        let measured = [
            ("outcome_mean", all[0]),
            ("calibration_error", all[1]),
            ("calibration_gap", gap(1)),
            ("true_positive_rate", all[2]),
            ("true_positive_rate_gap", gap(2)),
            ("false_positive_rate", all[3]),
            ("false_positive_rate_gap", gap(3)),
        ];
        let known = measured.into_iter().filter(|(_, value)| value.is_finite());
        known.collect()
    }
}

/// What can be counted of rounds alone.
pub fn totals(rules: &Rules, rounds: &[Passed]) -> BTreeMap<String, f64> {
    let sum = |of: &dyn Fn(&Passed) -> f64| rounds.iter().map(of).sum::<f64>();
    let shown = sum(&|one| one.shown.len() as f64);
    let pulls = sum(&|one| one.looks as f64);
    let counts = [
        ("screened", sum(&|one| one.came.len() as f64)),
        ("accepted", sum(&|one| one.chosen.len() as f64)),
        ("cost", sum(&|one| one.spent)),
        ("pulls", pulls),
        (
            "outcome_sum",
            sum(&|one| one.outcomes.iter().flatten().sum()),
        ),
        ("pulls_per_candidate", pulls / shown),
        ("strong_share", sum(&|one| one.strong as f64) / pulls),
    ];
    let all = counts.into_iter().chain(offers(rules, rounds));
    let all = all.filter(|(_, value)| value.is_finite());
    // A sum of none is -0.
    all.map(|(name, value)| (name.to_owned(), value + 0.0))
        .collect()
}

/// The measures of offers, recounted round by round.
fn offers(rules: &Rules, rounds: &[Passed]) -> Vec<(&'static str, f64)> {
    let sum = |of: fn(&Passed) -> usize| rounds.iter().map(of).sum::<usize>() as f64;
    let (taken, declined) = (sum(|one| one.chosen.len()), sum(|one| one.declined.len()));
    let each = |one: &Passed| f64::from(places(rules.choose, one.shown.len() as u32, None).1);
    let seats = match (rules.until, rules.choose) {
        (Until::Accepted(seats), _) => seats as f64,
        (_, Choose::Any) => 0.0,
        _ => rounds.iter().map(each).sum(),
    };
    let shares = [
        ("declined", declined),
        ("accepted_offers", taken / (taken + declined)),
        ("seats_filled", taken / seats),
    ];
    shares.into()
}
