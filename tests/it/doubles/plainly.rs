//! A plain lane: section 2 of the design in one slow loop, without batches, tasks, ledgers or
//! borrowed views. It shares with the arena only the words (`Rules`, `Move`, `LookStats` ...) and
//! the addresses of the draws.

use std::collections::{BTreeMap, BTreeSet};

use kleroterion::draw::{Draw, Key, Purpose, label_key};
use kleroterion::protocol::{
    Delay, Ending, InterviewKind, LookAnswer, LookStats, Move, Pull, Selection, Stop, Until,
};

use super::feedback::{gain, look_at, outcome, takes};
use super::lawful::{keeps, lawful};
use super::mind::{Deed, Event, Heard, Mind, Seen, Sight};
use super::pool::{PoolEvent, Sway};
use super::recount::{Coming, Recount, totals};
use super::seats::Seating;
use super::show::Part;
use super::table::Table;
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
            came: roster.to_vec(),
            ..Passed::default()
        };
        if let Some(pool) = &self.pool {
            let mut draw = self.key.draw(Purpose::Muster, round, 0);
            let who = pool.who(round, roster, &mut draw);
            self.pool_events.push(PoolEvent::Mustered(round, who.len()));
            passed.came = who.iter().map(|&k| roster[k as usize]).collect();
            passed.state = pool.state();
        }
        let cut = |passed: &Passed| {
            !self.part.rules.interviews.is_empty() && passed.looks >= self.part.rules.interview_cap
        };
        let offered = self.offered(&passed);
        passed.shown.clone_from(&offered);
        let mut stalled = false;
        let mut table = Table::new(&offered, self.part.rules.choose);
        let label = label_key(&self.part.label);
        let mut draw = self.key.draw(Purpose::Policy, label, round);
        let mut goes_on = !offered.is_empty();
        while goes_on {
            match self.ask(&mut table, &mut draw, &mut passed) {
                Err(stop) => return Some(stop),
                Ok(None) => (stalled, goes_on) = (true, false),
                Ok(Some(selection)) => goes_on = self.offer(&selection, &mut table, &mut passed),
            }
        }
        self.carry_out(&mut passed);
        let cut = cut(&passed);
        if let Some(pool) = &mut self.pool {
            pool.sway(&passed.chosen);
            let (came, chosen) = (passed.came.clone(), passed.chosen.clone());
            let event = PoolEvent::Reacted(round, came, chosen, passed.outcomes.clone());
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

    /// Who of those who came may be offered a place: not the second of a household, as long as the
    /// first has not declined.
    fn offered(&self, passed: &Passed) -> Vec<u64> {
        let mut seen = self.seated.clone();
        let chosen = passed.chosen.iter();
        seen.extend(chosen.filter_map(|number| self.world.household(*number)));
        let first = |number: &&u64| match self.world.household(**number) {
            _ if passed.chosen.contains(number) || passed.declined.contains(number) => false,
            Some(household) => seen.insert(household),
            None => true,
        };
        passed.came.iter().filter(first).copied().collect()
    }

    /// The candidates on offer, as the policy sees them.
    fn seen(&self, offered: &[(u64, LookStats)]) -> Vec<Seen> {
        let seen = |&(number, file): &(u64, LookStats)| Seen {
            number,
            group: People::group(number),
            x: People::x(number),
            score: People::score(number),
            file,
            merit: (self.part.seating == Seating::Sighted).then(|| merit(number)),
        };
        offered.iter().map(seen).collect()
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
    fn ask(
        &mut self,
        table: &mut Table,
        draw: &mut Draw,
        passed: &mut Passed,
    ) -> Result<Option<Selection>, Stop> {
        let rules = &self.part.rules;
        let mut answers: Vec<LookAnswer> = vec![];
        let cheapest = rules.interviews.iter().map(|kind| kind.cost);
        let cheapest = cheapest.fold(f64::INFINITY, f64::min);
        let money = |spent: f64, run: f64| (rules.budget - spent).min(rules.run_budget - run);
        let over = |passed: &Passed, run: f64| {
            passed.looks >= rules.interview_cap || cheapest > money(passed.spent, run) + 1e-9
        };
        table.last |= over(passed, self.run_spent);
        loop {
            let places = table.places(self.places_left());
            let sight = Sight {
                round: passed.round,
                seen: self.seen(&table.left),
                places,
                places_left: self.places_left(),
                looks_left: if table.last || rules.interviews.is_empty() {
                    0
                } else {
                    rules.interview_cap - passed.looks
                },
                money_left: money(passed.spent, self.run_spent),
                answers: answers.clone(),
            };
            let deed = self.deed(&sight, draw, passed);
            let foul = || Stop::because(Ending::Disqualified, format!("round {}", passed.round));
            let pulls = match deed {
                Deed::Panic(words) => return Err(Stop::because(Ending::Panicked, words)),
                Deed::Leave => return Err(Ending::Left.into()),
                Deed::Move(Move::Stall) => return Ok(None),
                Deed::Move(Move::Select(selection)) => {
                    let groups = table.left.iter().map(|(one, _)| People::group(*one));
                    let groups: Vec<u16> = groups.collect();
                    let lawful = lawful(&selection, places, groups.len())
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
                (pull.slot as usize) < table.left.len() && pull.kind < rules.interviews.len()
            };
            if table.last || pulls.as_slice().is_empty() || !pulls.as_slice().iter().all(known) {
                return Err(foul());
            }
            answers.clear();
            for &pull in pulls.as_slice() {
                let kind = &rules.interviews[pull.kind];
                let left = money(passed.spent, self.run_spent);
                if passed.looks >= rules.interview_cap || kind.cost > left + 1e-9 {
                    table.last = true;
                    break;
                }
                let (number, file) = &mut table.left[pull.slot as usize];
                let value = look_at(self.key, *number, gain(&kind.gain, *number), file);
                answers.push(LookAnswer { pull, value });
                passed.looks += 1;
                let price = |kind: &InterviewKind| (kind.cost, kind.gain.greatest());
                let mut others = (0..).zip(&rules.interviews);
                let is_weak = others.all(|(at, other)| match price(other) {
                    other if other == price(kind) => at >= pull.kind,
                    other => other > price(kind),
                });
                passed.strong += u64::from(!is_weak);
                passed.spent += kind.cost;
                self.run_spent += kind.cost;
            }
            table.last |= over(passed, self.run_spent);
        }
    }

    fn places_left(&self) -> Option<u64> {
        match self.part.rules.until {
            Until::Accepted(k) => Some(k.saturating_sub(self.accepted)),
            Until::Rounds(_) | Until::SourceEnds => None,
        }
    }

    /// Writes down who takes their place and who does not; whether the policy chooses again.
    fn offer(&mut self, selection: &Selection, table: &mut Table, passed: &mut Passed) -> bool {
        let mut slots = selection.chosen.as_slice().to_vec();
        slots.sort_unstable();
        passed.p = match (passed.p, selection.p) {
            (Some(before), Some(p)) => Some(before * p),
            (before, p) => before.or(p),
        };
        let shares = selection.declared.as_ref().map(|shares| shares.to_vec());
        passed.declared = passed.declared.take().or(shares);
        let mut declined = false;
        for &slot in &slots {
            let (number, _) = table.left[slot as usize];
            if takes(self.key, number, self.world.declines) {
                passed.chosen.push(number);
                table.taken += 1;
                self.accepted += 1;
            } else {
                passed.declined.push(number);
                declined = true;
                self.diary.push(Event::Declined(passed.round, number));
                self.mind.decline(passed.round, number);
            }
        }
        table.asked(&slots);
        if self.part.rules.refill && declined && self.world.households.is_some() {
            table.offer(&self.offered(passed));
            let joins = |number: &u64| {
                let is_left = table.left.iter().any(|(one, _)| one == number);
                is_left || passed.shown.contains(number)
            };
            let shown = passed.came.iter().copied().filter(joins).collect();
            passed.shown = shown;
        }
        self.part.rules.refill && declined && table.places(None).1 > 0
    }

    /// Writes down, in the order of the slate, when it will be known what the chosen are.
    fn carry_out(&mut self, passed: &mut Passed) {
        let came = passed.came.clone();
        let slot = |number: &u64| came.iter().position(|one| one == number).unwrap();
        passed.chosen.sort_by_key(slot);
        passed.declined.sort_by_key(slot);
        for (slot, number) in passed.chosen.clone().into_iter().enumerate() {
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
            let due = (passed.round + delay, passed.round, slot);
            self.due.push((due, number, value));
            self.awaited.push(Due {
                round: passed.round + delay + 1,
                slot,
                heard: Heard::of(passed.round, number, value, passed.p.filter(|_| told_p)),
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
        let mut scores = totals(&self.part.rules, &self.rounds);
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
