//! A run that follows a script: what a board shows, without policies.

use std::sync::{Arc, Mutex};

use kleroterion::compare::sequence::{Range, StreamSequence};
use kleroterion::compare::{GroupRates, Judge, Rounds, Versus};
use kleroterion::draw::{Key, Purpose};
use kleroterion::protocol::{Attribute, Schema, Stop, Target, Until};
use kleroterion::run::SharedRates;
use kleroterion::score::MetricRow;
use kleroterion::trace::Decision;
use kleroterion::watch::courses::Mean;
use kleroterion::watch::cut::LaneCut;
use kleroterion::watch::decisions::Unplaced;
use kleroterion::watch::{Stage, Watched};

/// How a scripted policy chooses.
#[derive(Clone, Copy)]
pub struct Part {
    pub label: &'static str,
    /// How often it chooses a candidate.
    pub rate: f64,
    /// Where its representation loss ends.
    pub loss: f64,
}

pub const fn part(label: &'static str, rate: f64, loss: f64) -> Part {
    Part { label, rate, loss }
}

/// A run of one person a round.
pub struct Script {
    pub watched: Arc<Watched>,
    parts: Vec<Part>,
    round: u64,
    chosen: Vec<u64>,
    rates: SharedRates,
    streams: Vec<StreamSequence>,
    reaches: Vec<Reach>,
    /// How many each lane had chosen after each round.
    pub past: Past,
}

/// How many each lane had chosen after each of its rounds.
pub type Past = Arc<Mutex<Vec<Vec<u64>>>>;

/// How far a lane plays.
#[derive(Clone, Copy)]
enum Reach {
    /// As far as all.
    All,
    /// So many rounds less.
    Less(u64),
    /// To this round.
    To(u64),
}

impl Script {
    pub fn new(parts: &[Part], acting: Option<usize>, versus: Versus) -> Self {
        let labels: Vec<&str> = parts.iter().map(|part| part.label).collect();
        let judge = Judge {
            metrics: vec!["selection_rate".into(), "representation_loss".into()],
            versus,
            alpha: 0.05,
            ..Judge::default()
        };
        let gender = Attribute {
            name: "gender".into(),
            values: vec!["M".into(), "F".into()],
        };
        let age = Attribute {
            name: "age".into(),
            values: vec!["18-34".into(), "35-54".into(), "55+".into()],
        };
        let schema = Schema::new(vec![gender, age], Vec::new(), false).expect("six cells");
        let shares = vec![(0, vec![0.49, 0.51]), (1, vec![0.3, 0.35, 0.35])];
        let target = Arc::new(Target::new(&schema, shares));
        let schema = Arc::new(schema);
        let rates = GroupRates::new(&schema, Some(&target), 0.05);
        let rates = SharedRates::of_lanes(&rates, parts.len());
        let rounds = Rounds::new(&labels, &judge);
        let watched = Watched::new(
            "citizens of Brest".into(),
            schema,
            labels.iter().map(|label| Arc::from(*label)).collect(),
            acting,
            judge,
        );
        if let Some(rounds) = rounds {
            drop(watched.rounds.set(Arc::new(Mutex::new(rounds))));
        }
        drop(watched.rates.set(rates.clone()));
        watched.stage.send_replace(Stage::Following);
        Self {
            watched: Arc::new(watched),
            parts: parts.to_vec(),
            round: 0,
            chosen: vec![0; parts.len()],
            rates,
            streams: vec![StreamSequence::new(0.05, 10.0); parts.len()],
            reaches: vec![Reach::All; parts.len()],
            past: Arc::new(Mutex::new(vec![Vec::new(); parts.len()])),
        }
    }

    /// The same, of committees of this many seats.
    pub fn seats(mut self, seats: u64) -> Self {
        let watched = Arc::get_mut(&mut self.watched).expect("no one else has it");
        watched.until = Some(Until::Accepted(seats));
        self
    }

    /// The same with a lane that is always a number of rounds behind.
    pub fn lagging(mut self, lane: usize, rounds: u64) -> Self {
        self.reaches[lane] = Reach::Less(rounds);
        self
    }

    /// The same with a lane that stands still after a round.
    pub fn standing(mut self, lane: usize, round: u64) -> Self {
        self.reaches[lane] = Reach::To(round);
        self
    }

    /// Plays rounds with all lanes that still play, and looks at the measures after each `every`.
    pub fn play(&mut self, rounds: u64, every: u64) {
        for _ in 0..rounds {
            self.round += 1;
            self.watched.gauges.rounds.add(1);
            let watched = Arc::clone(&self.watched);
            let lanes = 0..self.parts.len();
            let playing = lanes.filter(|lane| watched.ending_of(*lane).is_none());
            for lane in playing {
                let reach = match self.reaches[lane] {
                    Reach::All => self.round,
                    Reach::Less(rounds) => self.round.saturating_sub(rounds),
                    Reach::To(round) => self.round.min(round),
                };
                let played = self.watched.gauges.lanes[lane].rounds.get();
                for round in played + 1..=reach {
                    self.decide(lane, round, round.is_multiple_of(every));
                }
            }
            self.watched.came(1);
            self.watched.note_acted(self.round);
        }
    }

    fn decide(&mut self, lane: usize, round: u64, is_looked_at: bool) {
        let part = self.parts[lane];
        // The same luck for all: the more eager choose whom the others do, and more.
        let luck = Key::new(7, 0).draw(Purpose::World, round, 0).uniform();
        let is_chosen = luck < part.rate;
        let id = format!("c{:05}", 17 * round);
        let reason = [("bound", part.rate - luck), ("debt", -0.25)];
        let decision = Decision {
            replication: 0,
            round,
            policy: part.label.into(),
            chosen: is_chosen.then(|| id.clone()).into_iter().collect(),
            declined: Vec::new(),
            groups: Vec::new(),
            shown: vec![id],
            forfeit: false,
            p: Some(part.rate),
            reason: reason
                .map(|(name, value)| (name.into(), Some(value)))
                .into(),
            cost: 0.0,
            at: Vec::new(),
            ..Decision::default()
        };
        let slots = if is_chosen { vec![0] } else { vec![] };
        let decided = Unplaced {
            slots,
            decision: decision.into(),
        };
        self.watched.decisions.hand(lane, [decided]);
        let value = f64::from(u8::from(is_chosen));
        if let Some(rounds) = self.watched.rounds.get() {
            rounds
                .lock()
                .expect("nobody panics")
                .add(lane, 1, &[vec![Some(value)]]);
        }
        let person = [(round % 5 % 2) as u16, (round % 7 % 3) as u16];
        self.rates.show(lane, &person, is_chosen);
        self.chosen[lane] += u64::from(is_chosen);
        let mut past = self.past.lock().expect("nobody panics");
        past[lane].push(self.chosen[lane]);
        drop(past);
        self.streams[lane].add(value);
        let gauges = &self.watched.gauges.lanes[lane];
        gauges.rounds.add(1);
        gauges.persons.add(1);
        gauges.accepted.add(u64::from(is_chosen));
        gauges
            .latency
            .add(std::time::Duration::from_micros(40 + round % 900), 1);
        let now = self.now(lane, None);
        if is_looked_at {
            let courses = &self.watched.courses;
            courses.note(lane, round, &now.rows, &now.means);
        }
        self.watched.leave(lane, now);
    }

    /// What a lane has now.
    fn now(&self, lane: usize, stop: Option<Stop>) -> LaneCut {
        let gauges = &self.watched.gauges.lanes[lane];
        let rounds = gauges.rounds.get();
        let unit = Range::new(0.0, 1.0).expect("it is one");
        let (lo, hi) = self.streams[lane].interval();
        let mean = Mean {
            value: self.streams[lane].mean(),
            interval: Some((unit.value(lo), unit.value(hi))),
        };
        let at = rounds as f64;
        let noise = 0.6 * libm::sin(at / 40.0 + lane as f64) / at.sqrt();
        let rate = self.chosen[lane] as f64 / at;
        let loss = (self.parts[lane].loss + noise).abs();
        let rows = [("selection_rate", rate), ("representation_loss", loss)];
        let rows = rows.map(|(metric, value)| MetricRow {
            metric: metric.into(),
            at: None,
            value,
        });
        LaneCut {
            rounds,
            persons: gauges.persons.get(),
            selected: gauges.accepted.get(),
            rows: rows.into(),
            means: vec![Some(mean), None],
            stream: Some(self.rates.stream(lane)),
            stop,
        }
    }

    /// Ends a lane.
    pub fn end(&self, lane: usize, stop: Stop) {
        if let Some(rounds) = self.watched.rounds.get() {
            rounds.lock().expect("nobody panics").end(lane);
        }
        self.watched.decisions.end(lane);
        self.watched.end(lane, stop.clone());
        self.watched.leave(lane, self.now(lane, Some(stop)));
    }
}
