//! A plain lane: section 2 of the design in one slow loop, without batches, tasks, ledgers or
//! borrowed views. It shares with the arena only the words (`Rules`, `Move`, `LookStats` ...) and
//! the addresses of the draws.

use std::collections::{BTreeMap, BTreeSet};

use kleroterion::draw::{Draw, Key, Purpose, label_key};
use kleroterion::protocol::{
    Delay, Ending, Gain, LookAnswer, LookStats, Move, Pull, Selection, Stop, Until,
};

use super::feedback::{look_at, outcome};
use super::lawful::{keeps, lawful, places};
use super::mind::{Deed, Event, Heard, Mind, Seen, Sight};
use super::pool::{PoolEvent, Sway};
use super::recount::{Coming, Recount};
use super::seats::Seating;
use super::show::Part;
use super::witness::Passed;
use super::world::{People, Then, World, merit, recorded};

/// All that a lane did and heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub rounds: Vec<Passed>,
    /// Where a rule was broken, the detail is the round alone.
    pub stop: Stop,
    pub diary: Vec<Event>,
    pub pool: Vec<PoolEvent>,
    /// `screened`, `accepted`, `cost`, `pulls`, `pulls_per_candidate`, `outcome_sum`, `pending` and
    /// what the policy measured itself.
    pub scores: BTreeMap<String, f64>,
}

/// What becomes of a part in a world; `answered`: there is feedback for looks and outcomes.
pub fn plain_account(world: &World, part: &Part, answered: bool, key: Key) -> Account {
    let mut lane = Telling {
        part,
        world,
        seated: BTreeSet::new(),
        key,
        outcome: match (answered, world.recorded) {
            (true, _) => Some(|key, number| Some(outcome(key, number))),
            (false, true) => Some(|_, number| recorded(number)),
            (false, false) => None,
        },
        mind: (part.mind)(),
        pool: part.pool.clone(),
        accepted: 0,
        run_spent: 0.0,
        awaited: vec![],
        due: vec![],
        never: 0,
        has_outcomes: (answered || world.recorded) && !world.rosters.is_empty(),
        rounds: vec![],
        diary: vec![],
        pool_events: vec![],
    };
    let mut stop = None;
    for (roster, round) in world.persons().iter().zip(1..) {
        if world
            .interrupt_after
            .is_some_and(|last| round > last as u64)
        {
            stop = Some(Ending::Interrupted.into());
        }
        stop = stop.or_else(|| lane.round(round, roster));
        if stop.is_some() {
            break;
        }
    }
    let stop = stop.unwrap_or_else(|| match world.then {
        _ if world.interrupt_after == Some(world.rosters.len()) => Ending::Interrupted.into(),
        Then::Ends { .. } => Ending::SourceEnded.into(),
        Then::Fails(words) => Stop::because(Ending::SourceFailed, words),
        Then::Stays | Then::Panics(_) => panic!("{} has no end", part.label),
    });
    lane.account(stop)
}

/// An outcome that is due.
struct Due {
    round: u64,
    slot: usize,
    heard: Heard,
}

struct Telling<'a> {
    part: &'a Part,
    world: &'a World,
    /// The households that have a member.
    seated: BTreeSet<u32>,
    key: Key,
    outcome: Option<fn(Key, u64) -> Option<f64>>,
    mind: Box<dyn Mind>,
    pool: Option<Sway>,
    accepted: u64,
    run_spent: f64,
    awaited: Vec<Due>,
    /// The chosen whose outcome comes.
    due: Vec<Coming>,
    /// How many of the chosen have an outcome that never comes.
    never: usize,
    /// There were outcomes to wait for.
    has_outcomes: bool,
    rounds: Vec<Passed>,
    diary: Vec<Event>,
    pool_events: Vec<PoolEvent>,
}

impl Telling<'_> {
    fn recount(&self) -> Recount<'_> {
        Recount {
            key: self.key,
            rounds: &self.rounds,
            due: &self.due,
            outcome: self.outcome,
        }
    }

    /// Plays a round; how the lane ends, if it does.
    fn round(&mut self, round: u64, roster: &[u64]) -> Option<Stop> {
        let mut passed = Passed {
            round,
            roster: roster.len() as u32,
            shown: roster.to_vec(),
            ..Passed::default()
        };
        if let Some(pool) = &self.pool {
            let mut draw = self.key.draw(Purpose::Muster, round, 0);
            let who = pool.who(round, roster, &mut draw);
            self.pool_events.push(PoolEvent::Mustered(round, who.len()));
            passed.shown = who.iter().map(|&k| roster[k as usize]).collect();
            passed.state = pool.state();
        }
        let cut = |passed: &Passed| {
            !self.part.rules.interviews.is_empty() && passed.looks >= self.part.rules.interview_cap
        };
        let offered = self.offered(&passed.shown);
        let mut stalled = false;
        if !offered.is_empty() {
            match self.ask(&offered, &mut passed) {
                Err(stop) => return Some(stop),
                Ok(None) => stalled = true,
                Ok(Some(selection)) => self.carry_out(&selection, &offered, &mut passed),
            }
        }
        let cut = cut(&passed);
        if let Some(pool) = &mut self.pool {
            pool.sway(&passed.chosen);
            let (shown, chosen) = (passed.shown.clone(), passed.chosen.clone());
            let event = PoolEvent::Reacted(round, shown, chosen, passed.outcomes.clone());
            self.pool_events.push(event);
        }
        self.rounds.push(passed);
        if let Some(words) = self.deliver(round + 1) {
            return Some(Stop::because(Ending::Panicked, words));
        }
        if stalled {
            let words = "nobody who can still come would be accepted";
            return Some(Stop::because(Ending::Stalled, words));
        }
        let ending = match self.part.rules.until {
            Until::Accepted(k) if self.accepted >= k => Ending::Filled,
            Until::Rounds(n) if round >= n && cut => Ending::Capped,
            Until::Rounds(n) if round >= n => Ending::Horizon,
            _ if round >= self.part.rules.max_rounds => {
                let most = self.part.rules.max_rounds;
                let words = format!(
                    "max_rounds = {most} passed before `until` was met: raise max_rounds in [rules]"
                );
                return Some(Stop::because(Ending::Stalled, words));
            }
            _ => return None,
        };
        Some(ending.into())
    }

    /// Who of those shown may have a place: not the second of a household.
    fn offered(&self, shown: &[u64]) -> Vec<u64> {
        let mut seen = self.seated.clone();
        let first = |number: &&u64| match self.world.household(**number) {
            Some(household) => seen.insert(household),
            None => true,
        };
        shown.iter().filter(first).copied().collect()
    }

    /// The candidates on offer, as the policy sees them.
    fn seen(&self, offered: &[u64], files: &[LookStats]) -> Vec<Seen> {
        let seen = |(&number, &file): (&u64, &LookStats)| Seen {
            number,
            group: People::group(number),
            x: People::x(number),
            score: People::score(number),
            file,
            merit: (self.part.seating == Seating::Sighted).then(|| merit(number)),
        };
        offered.iter().zip(files).map(seen).collect()
    }

    /// The mind's deed on a sight; notes its measures and reasons.
    fn deed(&mut self, sight: &Sight, draw: &mut Draw, passed: &mut Passed) -> Deed {
        self.diary.push(Event::Saw(sight.clone()));
        let mut word = || draw.word();
        let thought = match self.part.seating {
            Seating::Outside => self.mind.act(sight, None),
            Seating::Blind | Seating::Sighted => self.mind.act(sight, Some(&mut word)),
        };
        let own = |(name, value): (&str, f64)| (name.to_owned(), value);
        passed
            .measures
            .extend(thought.measures.into_iter().map(own));
        if self.part.traced {
            passed.reasons.extend(thought.reasons.into_iter().map(own));
        }
        thought.deed
    }

    /// Asks until a candidate is selected; `None`: it stalls.
    fn ask(&mut self, offered: &[u64], passed: &mut Passed) -> Result<Option<Selection>, Stop> {
        let rules = &self.part.rules;
        let label = label_key(&self.part.label);
        let mut draw = self.key.draw(Purpose::Policy, label, passed.round);
        let mut files = vec![LookStats::default(); offered.len()];
        let mut answers: Vec<LookAnswer> = vec![];
        let cheapest = rules.interviews.iter().map(|kind| kind.cost);
        let cheapest = cheapest.fold(f64::INFINITY, f64::min);
        let money = |spent: f64, run: f64| (rules.budget - spent).min(rules.run_budget - run);
        let over = |passed: &Passed, run: f64| {
            passed.looks >= rules.interview_cap || cheapest > money(passed.spent, run) + 1e-9
        };
        let mut last = over(passed, self.run_spent);
        loop {
            let places = places(rules.choose, offered.len() as u32, self.places_left());
            let sight = Sight {
                round: passed.round,
                seen: self.seen(offered, &files),
                places,
                places_left: self.places_left(),
                looks_left: if last || rules.interviews.is_empty() {
                    0
                } else {
                    rules.interview_cap - passed.looks
                },
                money_left: money(passed.spent, self.run_spent),
                answers: answers.clone(),
            };
            let deed = self.deed(&sight, &mut draw, passed);
            let foul = || Stop::because(Ending::Disqualified, format!("round {}", passed.round));
            let pulls = match deed {
                Deed::Panic(words) => return Err(Stop::because(Ending::Panicked, words)),
                Deed::Leave => return Err(Ending::Left.into()),
                Deed::Move(Move::Stall) => return Ok(None),
                Deed::Move(Move::Select(selection)) => {
                    let groups: Vec<u16> = offered.iter().map(|&one| People::group(one)).collect();
                    let lawful = lawful(&selection, places, files.len())
                        && keeps(&selection, &rules.enforced, &groups);
                    return if lawful {
                        Ok(Some(selection))
                    } else {
                        Err(foul())
                    };
                }
                Deed::Move(Move::Interview(pulls)) => pulls,
            };
            let known = |pull: &Pull| {
                (pull.slot as usize) < files.len() && pull.kind < rules.interviews.len()
            };
            if last || pulls.as_slice().is_empty() || !pulls.as_slice().iter().all(known) {
                return Err(foul());
            }
            answers.clear();
            for &pull in pulls.as_slice() {
                let kind = &rules.interviews[pull.kind];
                let left = money(passed.spent, self.run_spent);
                if passed.looks >= rules.interview_cap || kind.cost > left + 1e-9 {
                    last = true;
                    break;
                }
                let file = &mut files[pull.slot as usize];
                let number = offered[pull.slot as usize];
                let gain = match &kind.gain {
                    Gain::Same(gain) => *gain,
                    Gain::ByValue { of, .. } => of[usize::from(People::group(number))],
                };
                let value = look_at(self.key, number, gain, file);
                answers.push(LookAnswer { pull, value });
                passed.looks += 1;
                passed.spent += kind.cost;
                self.run_spent += kind.cost;
            }
            last |= over(passed, self.run_spent);
        }
    }

    fn places_left(&self) -> Option<u64> {
        match self.part.rules.until {
            Until::Accepted(k) => Some(k.saturating_sub(self.accepted)),
            Until::Rounds(_) | Until::SourceEnds => None,
        }
    }

    /// Writes down who was chosen, and when it will be known what they are.
    fn carry_out(&mut self, selection: &Selection, offered: &[u64], passed: &mut Passed) {
        let mut slots = selection.chosen.as_slice().to_vec();
        slots.sort_unstable();
        passed.p = selection.p;
        passed.declared = selection.declared.as_ref().map(|shares| shares.to_vec());
        self.accepted += slots.len() as u64;
        for slot in slots {
            let number = offered[slot as usize];
            passed.chosen.push(number);
            self.seated.extend(self.world.household(number));
            let Some(outcome) = self.outcome else {
                continue;
            };
            let value = outcome(self.key, number);
            passed.outcomes.push(value);
            let Some(value) = value else {
                self.never += 1;
                continue;
            };
            let delay = match self.part.rules.delay {
                Delay::Fixed(rounds) => rounds,
                Delay::Uniform { low, high } => {
                    let mut draw = self.key.draw(Purpose::Delay, number, 0);
                    low + draw.below(high - low + 1)
                }
            };
            let told_p = self.part.seating != Seating::Outside;
            let due = (passed.round + delay, passed.round, slot as usize);
            self.due.push((due, number, value));
            self.awaited.push(Due {
                round: passed.round + delay + 1,
                slot: slot as usize,
                heard: Heard {
                    decided: passed.round,
                    number,
                    group: People::group(number),
                    x: People::x(number),
                    score: People::score(number),
                    value,
                    p: selection.p.filter(|_| told_p),
                },
            });
        }
    }

    /// Reports what is due before `act` of `round`; the words of a panic, if there is one.
    fn deliver(&mut self, round: u64) -> Option<&'static str> {
        loop {
            let due = (0..self.awaited.len())
                .filter(|&k| self.awaited[k].round == round)
                .min_by_key(|&k| (self.awaited[k].heard.decided, self.awaited[k].slot))?;
            let heard = self.awaited.remove(due).heard;
            self.diary.push(Event::Heard(heard.clone()));
            let words = self.mind.learn(&heard);
            if words.is_some() {
                return words;
            }
        }
    }

    fn account(mut self, stop: Stop) -> Account {
        if self.part.seating == Seating::Outside && stop.ending != Ending::Left {
            self.diary.push(Event::Farewell);
        }
        let mut scores = BTreeMap::new();
        let mut add = |name: &str, value: f64| {
            *scores.entry(name.to_owned()).or_insert(0.0) += value;
        };
        for name in ["screened", "accepted", "cost", "pulls", "outcome_sum"] {
            add(name, 0.0);
        }
        for passed in &self.rounds {
            add("screened", passed.shown.len() as f64);
            add("accepted", passed.chosen.len() as f64);
            add("cost", passed.spent);
            add("pulls", passed.looks as f64);
            add("outcome_sum", passed.outcomes.iter().flatten().sum());
        }
        let each = scores["pulls"] / scores["screened"];
        if each.is_finite() {
            scores.insert("pulls_per_candidate".into(), each);
        }
        if self.has_outcomes {
            scores.insert("pending".into(), (self.awaited.len() + self.never) as f64);
        }
        let outcomes = self.recount().measured().into_iter();
        scores.extend(outcomes.map(|(name, value)| (name.to_owned(), value)));
        for (name, value) in self.rounds.iter().flat_map(|passed| &passed.measures) {
            scores.insert(name.clone(), *value);
        }
        Account {
            rounds: self.rounds,
            stop,
            diary: self.diary,
            pool: self.pool_events,
            scores,
        }
    }
}
