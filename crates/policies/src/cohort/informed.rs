//! A cohort policy that starts from forecasts.

use super::CohortForecast;
use super::order::Order;
use crate::Policy;
use kleroterion_core::protocol::{LookAnswer, LookStats, Move, Outcome, Pull, View};

/// A policy whose files start with a forecast of each candidate, to which interviews are added.
///
/// It is shown the slate in order of the forecasts, the highest first. Policies break ties by slot,
/// so ties go to the more promising.
#[derive(Clone, Debug)]
pub struct Informed<P> {
    policy: P,
    forecast: CohortForecast,
    round: u64,
    order: Order,
    forecasts: Vec<LookStats>,
    /// Forecasts and interviews so far.
    files: Vec<LookStats>,
    answers: Vec<LookAnswer>,
}

impl<P> Informed<P> {
    /// Makes the policy before the first round.
    #[must_use]
    pub fn new(policy: P, forecast: CohortForecast) -> Self {
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
        self.order = Order::of(by_forecast(&forecasts), view.slate());
        let slots = self.order.slots().iter();
        self.forecasts = slots.map(|slot| forecasts[*slot as usize]).collect();
        self.files.clone_from(&self.forecasts);
    }
}

/// The slots by their forecasts, the highest first, of equals the lower slot; last those of whom
/// nothing is known.
fn by_forecast(forecasts: &[LookStats]) -> Vec<u32> {
    let known = |slot: u32| {
        let file = forecasts[slot as usize];
        match file.weight > 0.0 {
            true => file.mean,
            false => f64::NEG_INFINITY,
        }
    };
    let mut slots: Vec<u32> = (0..forecasts.len() as u32).collect();
    slots.sort_by(|a, b| known(*b).total_cmp(&known(*a)));
    slots
}

/// A forecast and interviews as one file.
fn joined(forecast: LookStats, looks: LookStats) -> LookStats {
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
            let place = self.order.place(slot);
            let at = place as usize;
            self.files[at] = joined(self.forecasts[at], view.file(slot));
            let pull = Pull { slot: place, kind };
            self.answers.push(LookAnswer { pull, ..*answer });
        }
        let slate = view.slate().showing(self.order.who());
        let mut shown = view.showing(slate, &self.files, &self.answers);
        let answer = self.order.translated(self.policy.act(&mut shown));
        view.rename_looked_at(|place| self.order.slot(place));
        if let Move::Select(selection) = &answer {
            let chosen = selection.chosen.as_slice();
            self.forecast
                .close(view.round(), view.slate(), view.files(), chosen);
        }
        answer
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.forecast.learn(outcome);
        self.policy.learn(outcome);
    }

    fn corrects(&self) -> bool {
        // What a look had said of the person is forgotten once its outcome is learnt.
        !self.forecast.learns() && self.policy.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.policy.correct(outcome, before);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cohort::ForecastParameters;
    use kleroterion_core::draw::{Key, Purpose};
    use kleroterion_core::protocol::{
        Batch, Chosen, Places, Pulls, Schema, Selection, Slate, ViewNotes, ViewParts,
    };

    /// The files and interviews that a policy is shown.
    struct Sight {
        /// The scores, by place.
        scores: Vec<f64>,
        files: Vec<LookStats>,
        answers: Vec<(u32, f64)>,
    }

    /// Answers as it was set up to, and writes down what it saw.
    #[derive(Default)]
    struct Actor {
        says: Vec<Move>,
        saw: Vec<Sight>,
        heard: Vec<f64>,
    }

    impl Policy for Actor {
        fn act(&mut self, view: &mut View<'_>) -> Move {
            let people = view.slate().candidates();
            self.saw.push(Sight {
                scores: people.map(|shown| shown.score().unwrap()).collect(),
                files: view.files().to_vec(),
                answers: view
                    .answers()
                    .iter()
                    .map(|answer| (answer.pull.slot, answer.value))
                    .collect(),
            });
            self.says.remove(0)
        }

        fn learn(&mut self, outcome: &Outcome<'_>) {
            self.heard.push(outcome.value());
        }
    }

    /// The scores of a roster; those at 1 to 4 apply.
    const SCORES: [f64; 6] = [9.0, 1.0, 4.0, 2.0, 3.0, 9.0];
    const WHO: [u32; 4] = [1, 2, 3, 4];

    fn batch() -> Batch {
        let schema = Arc::new(Schema::new(vec![], vec![], true).unwrap());
        let mut batch = Batch::new(schema, 1, 0);
        for _ in 0..2 {
            for score in SCORES {
                batch.persons_mut().push(0, &[], &[], Some(score));
            }
            batch.close_round();
        }
        batch
    }

    /// A doubt of 0 takes scores as they stand.
    fn informed(says: Vec<Move>, doubt: f64) -> Informed<Actor> {
        let parameters = ForecastParameters {
            spread: 1.0,
            doubt,
            look_noise: 1.0,
            outcome_noise: Some(1.0),
            delay: 1,
            by: None,
        };
        let actor = Actor {
            says,
            ..Actor::default()
        };
        Informed::new(actor, CohortForecast::new(parameters, 1, 1).unwrap())
    }

    /// Returns a policy's answer in a round (from 1), given the interviews on file and the last
    /// answers, by slot.
    fn act(
        policy: &mut Informed<Actor>,
        batch: &Batch,
        round: usize,
        files: &[LookStats],
        answers: &[LookAnswer],
    ) -> Move {
        let mut draw = Key::new(0, 0).draw(Purpose::Policy, 0, 1);
        let mut notes = ViewNotes::default();
        policy.act(&mut View::of(ViewParts {
            round: round as u64,
            slate: Slate::new(batch, round - 1, Some(&WHO)),
            places: Places { min: 0, max: 4 },
            places_left: None,
            looks_left: 100,
            money_left: 100.0,
            files,
            answers,
            draw: &mut draw,
            notes: &mut notes,
        }))
    }

    fn pull(slot: u32) -> Pull {
        Pull { slot, kind: 0 }
    }

    #[test]
    fn the_higher_forecast_comes_first_and_moves_are_by_the_slots_of_the_slate() {
        let batch = batch();
        let says = vec![
            Move::Interview(Pulls::Many(vec![pull(0), pull(3)])),
            Move::Interview(Pulls::One(pull(1))),
            Move::Select(Selection::of(Chosen::Many(vec![0, 2])).with_probability(0.25)),
            Move::take(3),
        ];
        let mut policy = informed(says, 0.0);
        let mut files = [LookStats::default(); 4];
        // The slots have the scores 1, 4, 2, 3.
        let answer = act(&mut policy, &batch, 1, &files, &[]);
        let both = Move::Interview(Pulls::Many(vec![pull(1), pull(0)]));
        assert_eq!(answer, both);
        let said = [(1, 10.0), (0, 6.0)].map(|(slot, value)| {
            files[slot as usize].add(value, 1.0);
            let pull = pull(slot);
            LookAnswer { pull, value }
        });
        let answer = act(&mut policy, &batch, 1, &files, &said);
        assert_eq!(answer, Move::Interview(Pulls::One(pull(3))));
        files[3].add(0.0, 3.0);
        let said = LookAnswer {
            pull: pull(3),
            value: 0.0,
        };
        let answer = act(&mut policy, &batch, 1, &files, &[said]);
        let Move::Select(selection) = answer else {
            panic!("a selection");
        };
        assert_eq!(selection.chosen, Chosen::Many(vec![1, 2]));
        assert_eq!(selection.p, Some(0.25));
        // The next round begins with forecasts alone.
        let answer = act(&mut policy, &batch, 2, &[LookStats::default(); 4], &[]);
        assert_eq!(answer, Move::take(0));

        let file = |looks, weight, mean| LookStats {
            looks,
            weight,
            mean,
        };
        let first = [4.0, 3.0, 2.0, 1.0].map(|score| file(0, 1.0, score));
        let mut second = first;
        second[0] = file(1, 2.0, 7.0);
        second[3] = file(1, 2.0, 3.5);
        let mut third = second;
        third[1] = file(1, 4.0, 0.75);
        let answers = [vec![], vec![(0, 10.0), (3, 6.0)], vec![(1, 0.0)], vec![]];
        let files = [first, second, third, first];
        for ((saw, files), answers) in policy.policy.saw.iter().zip(files).zip(answers) {
            assert_eq!(saw.scores, [4.0, 3.0, 2.0, 1.0]);
            assert_eq!(saw.files, files);
            assert_eq!(saw.answers, answers);
        }
    }

    /// Slopes are learnt from interviews when a round ends, and from outcomes; of the right people:
    /// who has a low score is found to be good.
    #[test]
    fn looks_and_outcomes_are_learnt_of_whom_they_are_of() {
        let batch = batch();
        let slate = Slate::new(&batch, 0, Some(&WHO));
        let worth = |slot: u32| -10.0 * slate.candidate(slot).score().unwrap();
        let looked = || {
            let mut policy = informed(vec![Move::pass(), Move::pass()], 100.0);
            let mut files = [LookStats::default(); 4];
            for slot in 0..4 {
                files[slot as usize].add(worth(slot), 100.0);
            }
            act(&mut policy, &batch, 1, &files, &[]);
            policy
        };
        let told = || {
            let mut policy = informed(vec![Move::pass(), Move::pass()], 100.0);
            act(&mut policy, &batch, 1, &[LookStats::default(); 4], &[]);
            for slot in 0..4 {
                policy.learn(&Outcome::new(1, slate.candidate(slot), worth(slot), None));
            }
            assert_eq!(policy.policy.heard, [0, 1, 2, 3].map(worth));
            policy
        };
        for mut policy in [looked(), told()] {
            act(&mut policy, &batch, 2, &[LookStats::default(); 4], &[]);
            let saw = policy.policy.saw.last().unwrap();
            assert_eq!(saw.scores, [1.0, 2.0, 3.0, 4.0]);
            for (file, score) in saw.files.iter().zip(&saw.scores) {
                assert!((file.mean + 10.0 * score).abs() < 0.1, "{file:?}");
            }
        }
    }
}
