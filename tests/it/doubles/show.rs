//! A world and its parts, staged in every way and held against the plain telling.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kleroterion::arena::{
    Arena, ArenaError, Carrier, LaneSpec, Outside, OutsideMaker, PlayedArena, Step, Stepper,
};
use kleroterion::draw::Key;
use kleroterion::feedback;
use kleroterion::policy::Policy;
use kleroterion::pool::{Pool, PoolMaker};
use kleroterion::protocol::Stop;
use kleroterion::protocol::{Ending, Rules};
use kleroterion::score::{
    ErrorRates, GoodOutcome, MetricRow, Moments, Offers, OutcomeSum, Outcomes, OwnMeasures,
    Scoreboard, Scorer, SelectionRates, Spending,
};

use super::feedback::Answers;
use super::mind::{Diary, MindMaker};
use super::outside::Afield;
use super::plainly::{Account, plain_account};
use super::pool::{Sway, SwayLog};
use super::seats::{Cast, Seating};
use super::stage::{BATCHES, STAGES, Stage};
use super::witness::{Recording, taken};
use super::world::{People, Scripted, World};

/// One lane.
#[derive(Clone)]
pub struct Part {
    pub label: String,
    pub rules: Rules,
    pub seating: Seating,
    pub pool: Option<Sway>,
    pub mind: MindMaker,
    pub traced: bool,
    /// A further scorer.
    pub scorer: Option<fn() -> Box<dyn Scorer>>,
}

impl Part {
    /// A blind mind with a fixed pool.
    pub fn new(label: &str, rules: Rules, mind: MindMaker) -> Self {
        Self {
            label: label.into(),
            rules,
            seating: Seating::Blind,
            pool: None,
            mind,
            traced: false,
            scorer: None,
        }
    }

    pub fn seated(mut self, seating: Seating) -> Self {
        self.seating = seating;
        self
    }

    pub fn with_pool(mut self, pool: Sway) -> Self {
        self.pool = Some(pool);
        self
    }

    pub fn ruled(mut self, rule: impl FnOnce(&mut Rules)) -> Self {
        rule(&mut self.rules);
        self
    }

    pub fn traced(mut self) -> Self {
        self.traced = true;
        self
    }
}

/// A world and its parts.
pub struct Show {
    pub world: World,
    pub answers: Option<Answers>,
    pub seed: u64,
    pub parts: Vec<Part>,
}

/// What a staging gave: what each lane of `order` did.
pub struct Staged {
    pub accounts: Vec<Account>,
    /// What no telling has: the scores in full, series included, and the words of the ending in
    /// full.
    pub extras: Vec<(Vec<MetricRow>, Stop)>,
    pub left_over: u64,
    /// How many batches the source emitted.
    pub emitted: usize,
}

impl Show {
    pub fn new(world: World, parts: Vec<Part>) -> Self {
        Self {
            world,
            answers: Some(Answers::default()),
            seed: 2024,
            parts,
        }
    }

    pub fn key(&self) -> Key {
        Key::new(self.seed, 3)
    }

    /// What the plain telling says of every part.
    pub fn accounts(&self) -> Vec<Account> {
        let answered = self.answers.is_some();
        let tell = |part| plain_account(&self.world, part, answered, self.key());
        self.parts.iter().map(tell).collect()
    }

    /// Plays the parts of `order` in one arena.
    pub fn stage(
        &self,
        order: &[usize],
        persons: usize,
        stage: Stage,
    ) -> Result<Staged, ArenaError> {
        self.staged(order, persons, |arena, _| stage.play(arena))
    }

    /// Steps a part by hand.
    pub fn by_hand(
        &self,
        part: usize,
        persons: usize,
        carrier: Carrier,
    ) -> Result<Staged, ArenaError> {
        self.staged(&[part], persons, |mut arena, casts| {
            arena.carrier = carrier;
            let mut stepper = Stepper::begin(arena, 0)?;
            let mut policy = casts[0].policy();
            while let Step::Acts(mut view) = stepper.step() {
                let answer = policy.act(&mut view);
                let follows = stepper.answer(answer)?;
                for heard in follows.heard {
                    heard.reach(&mut policy);
                }
            }
            stepper.finish()
        })
    }

    fn staged(
        &self,
        order: &[usize],
        persons: usize,
        play: impl FnOnce(Arena<'_>, &[Cast]) -> Result<PlayedArena, ArenaError>,
    ) -> Result<Staged, ArenaError> {
        let parts: Vec<&Part> = order.iter().map(|&k| &self.parts[k]).collect();
        let seat = |part: &&Part| Cast {
            seating: part.seating,
            mind: Arc::clone(&part.mind),
            diary: Diary::default(),
        };
        let casts: Vec<Cast> = parts.iter().map(seat).collect();
        let logs: Vec<SwayLog> = parts.iter().map(|_| SwayLog::default()).collect();
        let recordings: Vec<Recording> = parts.iter().map(|_| Recording::default()).collect();
        let panics = self.answers.as_ref().and_then(|answers| answers.panics);
        let counted = panics.is_none();
        let lanes = (parts.iter().zip(&casts).zip(logs.iter().zip(&recordings)))
            .map(|((part, cast), (log, recording))| {
                lane(part, cast, log.clone(), recording, counted)
            })
            .collect();
        let source = Scripted::new(self.world.clone());
        let interrupt = Arc::clone(&source.interrupt);
        let emitted = Arc::clone(&source.emitted);
        let feedback = self.answers.clone();
        let arena = Arena {
            key: self.key(),
            source: Box::new(source),
            feedback: feedback::Answers {
                offers: self.world.replies(),
                ..answered_by(feedback)
            },
            carrier: Carrier::Lane,
            lanes,
            persons,
            interrupt,
        };
        let played = play(arena, &casts)?;
        let mut staged = Staged {
            accounts: vec![],
            extras: vec![],
            left_over: played.left_over,
            emitted: emitted.load(Ordering::SeqCst),
        };
        let lanes = played.lanes.into_iter().zip(&recordings);
        for (((board, stop), recording), (cast, log)) in lanes.zip(casts.iter().zip(&logs)) {
            let result = board.finish(stop.clone());
            staged.accounts.push(Account {
                rounds: taken(recording),
                stop: plain(&stop),
                diary: cast.diary.read(),
                pool: log.read(),
                scores: scores(&result.rows().collect::<Vec<_>>()),
            });
            staged.extras.push((result.rows().collect(), stop));
        }
        Ok(staged)
    }

    /// Stages the show at every batch size, on every stage, with the lanes in several orders, each
    /// alone and by hand, and asks for the plain telling's accounts every time. Returns the
    /// accounts.
    pub fn holds(&self) -> Vec<Account> {
        let plain = self.accounts();
        let all: Vec<usize> = (0..self.parts.len()).collect();
        let mut orders = vec![all.clone()];
        if all.len() > 1 {
            orders.push(all.iter().rev().copied().collect());
            orders.push(all.iter().map(|k| (k + 1) % all.len()).collect());
            orders.extend(all.iter().map(|&k| vec![k]));
        }
        let mut extras: BTreeMap<usize, (Vec<MetricRow>, Stop)> = BTreeMap::new();
        for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
            for order in &orders {
                let place = format!("batch {persons}, {stage:?}, lanes {order:?}");
                let staged = self.stage(order, persons, stage);
                let staged = staged.unwrap_or_else(|error| panic!("{place}: {error}"));
                for ((account, extra), &k) in staged.accounts.iter().zip(staged.extras).zip(order) {
                    let label = &self.parts[k].label;
                    assert_same(&plain[k], account, &format!("{label:?} at {place}"));
                    let first = extras.entry(k).or_insert_with(|| extra.clone());
                    assert_eq!(*first, extra, "{label:?} at {place}");
                }
            }
        }
        // Who steps a lane has no truth in hand; a panic is their own.
        let by_hand = |k: &usize| {
            self.parts[*k].seating == Seating::Blind && plain[*k].stop.ending != Ending::Panicked
        };
        for k in all.into_iter().filter(by_hand) {
            for (persons, carrier) in BATCHES
                .iter()
                .flat_map(|&n| [Carrier::Lane, Carrier::Task].map(|carrier| (n, carrier)))
            {
                let place = format!("{:?} by hand, {persons}, {carrier:?}", self.parts[k].label);
                let staged = self.by_hand(k, persons, carrier);
                let staged = staged.unwrap_or_else(|error| panic!("{place}: {error}"));
                assert_same(&plain[k], &staged.accounts[0], &place);
                assert_eq!(extras[&k], staged.extras[0], "{place}");
            }
        }
        plain
    }
}

/// Both kinds of answers by one double.
pub fn answered_by(answers: Option<Answers>) -> feedback::Answers {
    answers.map_or_else(feedback::Answers::default, |answers| {
        feedback::Answers::drawn(Arc::new(answers))
    })
}

/// `counted`: everybody shown is asked for their outcome, chosen or not.
fn lane<'a>(
    part: &'a Part,
    cast: &'a Cast,
    log: SwayLog,
    recording: &Recording,
    counted: bool,
) -> LaneSpec<'a> {
    let mut scorers: Vec<Box<dyn Scorer>> = vec![
        Box::new(SelectionRates::new(&People::schema())),
        Box::new(Spending::default()),
        Box::new(OutcomeSum::default()),
        Box::new(Offers::new(&part.rules)),
        Box::new(Outcomes::new(&People::schema(), true)),
        Box::new(OwnMeasures::default()),
    ];
    if counted {
        let good = GoodOutcome::AtLeast(5.0);
        scorers.push(Box::new(ErrorRates::new(&People::schema(), good)));
    }
    scorers.extend(part.scorer.map(|make| make()));
    let mut scoreboard = Scoreboard::new(scorers, Moments::Rounds(vec![1, 5, 20, 50]));
    scoreboard.add_witness(Box::new(Arc::clone(recording)));
    let pool = part.pool.clone().map(|sway| -> PoolMaker {
        Arc::new(move |_| {
            let log = log.clone();
            Box::new(Sway {
                log,
                ..sway.clone()
            }) as Box<dyn Pool>
        })
    });
    let outside = (part.seating == Seating::Outside).then(|| -> OutsideMaker {
        let (mind, diary) = (Arc::clone(&part.mind), cast.diary.clone());
        Arc::new(move |_| Box::new(Afield::new(mind(), diary.clone())) as Box<dyn Outside>)
    });
    LaneSpec {
        label: &part.label,
        rules: Arc::new(part.rules.clone()),
        prototype: cast,
        pool,
        outside,
        answerer: None,
        scoreboard,
        traced: part.traced,
        itemised: false,
    }
}

/// A stop as the plain telling has it.
fn plain(stop: &Stop) -> Stop {
    let mut stop = stop.clone();
    if stop.ending == Ending::Disqualified {
        let words = stop.detail.expect("a foul has words");
        stop.detail = words.split_once(": ").map(|(round, _)| round.to_owned());
    }
    stop
}

/// The scores of the end that the plain telling has too.
fn scores(rows: &[MetricRow]) -> BTreeMap<String, f64> {
    let others =
        |name: &str| name.contains('.') || ["selection_rate", "impact_ratio"].contains(&name);
    rows.iter()
        .filter(|row| row.at.is_none() && !others(&row.metric))
        .map(|row| (row.metric.to_string(), row.value))
        .collect()
}

/// Says where two accounts part.
fn assert_same(plain: &Account, played: &Account, place: &str) {
    for (plain, played) in plain.diary.iter().zip(&played.diary) {
        assert_eq!(plain, played, "plain and played: a diary of {place}");
    }
    for (plain, played) in plain.rounds.iter().zip(&played.rounds) {
        assert_eq!(plain, played, "plain and played: a round of {place}");
    }
    assert_eq!(
        plain.stop, played.stop,
        "plain and played: the stop of {place}"
    );
    assert_eq!(plain.rounds.len(), played.rounds.len(), "rounds of {place}");
    assert_eq!(plain.diary.len(), played.diary.len(), "diary of {place}");
    assert_eq!(
        plain.pool, played.pool,
        "plain and played: the pool of {place}"
    );
    assert_eq!(
        plain.scores, played.scores,
        "plain and played: scores of {place}"
    );
}
