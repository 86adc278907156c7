//! The lanes of a run with programs, computed plainly from the entries of its journal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::cast::PROGRAMS;
use super::promises::Shown;
use super::rule::Rule;
use crate::watch::decisions::LaneDecision;
use kleroterion_core::protocol::{Ending, Stop};
use kleroterion_core::score::LaneResult;
use kleroterion_io::journal::{JournalEntry, Takeover};
use kleroterion_run::config::Plan;

/// A lane, by its policy.
#[derive(Default)]
pub(super) struct PlainLane {
    /// The rounds whose answer came late.
    late: BTreeSet<u64>,
    /// The first round that it does not decide, and its ending.
    pub(super) end: Option<(u64, Stop)>,
    /// The lane's own rule.
    rule: Option<Rule>,
    /// The people whom it chose, by number.
    chosen: BTreeSet<u64>,
    /// Its decisions: the slots, and whether it was late.
    pub(super) decided: BTreeMap<u64, (Vec<u32>, bool)>,
}

impl PlainLane {
    fn decide(&mut self, round: u64, id: &str) {
        if self.end.as_ref().is_some_and(|(end, _)| round >= *end) {
            return;
        }
        let slots = self
            .rule
            .as_mut()
            .map_or(vec![0], |rule| rule.decide(id, false));
        let is_late = self.late.contains(&round);
        let slots = if is_late { Vec::new() } else { slots };
        if !slots.is_empty() {
            self.chosen.insert(round - 1);
        }
        self.decided.insert(round, (slots, is_late));
    }
}

/// All lanes, and what the journal says of the decisions that count.
pub(super) struct Plainly {
    pub(super) lanes: BTreeMap<String, PlainLane>,
    pub(super) rounds: u64,
    /// The last round that all lanes are known to have decided.
    noted: u64,
    committed: BTreeMap<u64, Vec<u32>>,
    takeover: Option<Takeover>,
    acting: String,
    fallback: Option<String>,
}

impl Plainly {
    /// Plays the stream of these entries.
    pub(super) fn of(plan: &Plan, entries: &[(String, JournalEntry)]) -> Result<Self, String> {
        let lane = |place: usize| plan.lanes[place].label.clone();
        let lanes = plan.lanes.iter().map(|lane| {
            let is_program = PROGRAMS.contains(&&*lane.label);
            let rule = is_program.then(|| Rule::of(&lane.label));
            let plain = PlainLane {
                rule,
                ..PlainLane::default()
            };
            (lane.label.clone(), plain)
        });
        let mut plainly = Self {
            lanes: lanes.collect(),
            rounds: 0,
            noted: 0,
            committed: BTreeMap::new(),
            takeover: None,
            acting: lane(plan.live.acting.expect("a policy acts")),
            fallback: plan.live.fallback.map(lane),
        };
        plainly.read_notes(entries)?;
        for (id, entry) in entries {
            plainly.hear(id, entry);
        }
        Ok(plainly)
    }

    /// Reads the notes on lanes, at any place of the journal.
    fn read_notes(&mut self, entries: &[(String, JournalEntry)]) -> Result<(), String> {
        let mut noted = BTreeMap::new();
        for (_, entry) in entries {
            match entry {
                JournalEntry::Forfeit(forfeit) => {
                    let lane = self.lanes.get_mut(&*forfeit.policy);
                    let lane = lane.ok_or_else(|| format!("{forfeit:?} is of no lane"))?;
                    if forfeit.step != 0 {
                        return Err(format!("{forfeit:?} is of no answer"));
                    }
                    match forfeit.stop() {
                        // In another life it may end earlier, among rounds that were not shown: then
                        // it ends there ever after. Round 0 is its start.
                        Some(stop)
                            if noted
                                .insert(&*forfeit.policy, forfeit.round)
                                .is_none_or(|before| forfeit.round < before) =>
                        {
                            lane.end = Some((forfeit.round.max(1), stop));
                        }
                        None if lane.late.insert(forfeit.round) => {}
                        _ => {
                            return Err(format!(
                                "{forfeit:?} is there twice, after {:?}",
                                lane.end
                            ));
                        }
                    }
                }
                JournalEntry::Decision(decision) => {
                    let round = decision.round;
                    let chosen = decision.chosen.clone();
                    if self.committed.insert(round, chosen).is_some() {
                        return Err(format!("round {round} is decided twice"));
                    }
                }
                JournalEntry::Takeover(_) if self.takeover.is_some() => {
                    return Err("two policies took over".to_owned());
                }
                JournalEntry::Takeover(takeover) => self.takeover = Some(takeover.clone()),
                JournalEntry::Shown(round) => self.noted = self.noted.max(*round),
                _ => {}
            }
        }
        Ok(())
    }

    fn hear(&mut self, id: &str, entry: &JournalEntry) {
        match entry {
            JournalEntry::Candidate(..) => {
                self.rounds += 1;
                for lane in self.lanes.values_mut() {
                    lane.decide(self.rounds, id);
                }
            }
            JournalEntry::Outcome(_, reported) => {
                for lane in self.lanes.values_mut() {
                    if let Some(rule) = &mut lane.rule
                        && lane.chosen.contains(&reported.person)
                    {
                        rule.hear_of(id, reported.value);
                    }
                }
            }
            _ => {}
        }
    }

    fn end_of(&self, policy: &str) -> u64 {
        let end = self.lanes[policy].end.as_ref();
        end.map_or(u64::MAX, |(end, _)| *end)
    }

    /// The policy whose decision counts in a round, if there is one.
    pub(super) fn counts(&self, round: u64) -> Option<&str> {
        let (acting, fallback) = (&self.acting, self.fallback.as_ref());
        let plays = |policy: &&String| round < self.end_of(policy);
        let counts = Some(acting).filter(plays).or(fallback.filter(plays));
        counts.map(String::as_str)
    }

    /// The last round that a lane is known to have decided.
    pub(super) fn known(&self, policy: &str) -> u64 {
        let mine = self.committed.keys().filter(|round| match &self.takeover {
            Some(takeover) if **round >= takeover.round => *takeover.policy == *policy,
            _ => self.acting == policy,
        });
        self.noted.max(mine.max().copied().unwrap_or(0))
    }

    /// Checks the decisions that count against the plain ones.
    pub(super) fn hold(&self) -> Result<(), String> {
        for (at, (round, committed)) in (1..).zip(&self.committed) {
            if at != *round {
                return Err(format!("round {round} is decided, and round {at} is not"));
            }
            let counts = self.counts(*round);
            let plain = counts.and_then(|policy| self.lanes[policy].decided.get(round));
            if plain.is_none_or(|(slots, _)| slots != committed) {
                return Err(format!(
                    "round {round} was decided {committed:?}, and plainly {counts:?} decides {plain:?}"
                ));
            }
        }
        let is_taken_over = |round: &&u64| self.counts(**round) == self.fallback.as_deref();
        let first = match self.fallback {
            Some(_) => self.committed.keys().find(is_taken_over),
            None => None,
        };
        let noted = self.takeover.as_ref().map(|takeover| &takeover.round);
        if noted != first {
            return Err(format!(
                "the fallback decides from {first:?} on, and noted is {noted:?}"
            ));
        }
        Ok(())
    }

    pub(super) fn is_taken_over(&self) -> bool {
        self.takeover.is_some()
    }

    /// Checks that all rounds are decided for which there is a policy to decide.
    pub(super) fn hold_whole(&self) -> Result<(), String> {
        let mut rounds = 1..=self.rounds;
        let is_open =
            |round: &u64| self.counts(*round).is_some() && !self.committed.contains_key(round);
        match rounds.find(is_open) {
            Some(round) => Err(format!(
                "round {round} of {} was never decided",
                self.rounds
            )),
            None => Ok(()),
        }
    }

    /// Checks the lanes' endings against the notes.
    pub(super) fn hold_ends(&self, plan: &Plan, lanes: &[LaneResult]) -> Result<(), String> {
        for (lane, plan) in lanes.iter().zip(&plan.lanes) {
            let ended = (lane.ending, lane.detail.as_deref());
            let noted = self.lanes[&plan.label].end.as_ref();
            let is_so = match noted {
                Some((_, stop)) => ended == (stop.ending, stop.detail.as_deref()),
                None => matches!(lane.ending, Ending::Interrupted | Ending::SourceEnded),
            };
            if !is_so {
                let label = &plan.label;
                return Err(format!("{label} ended {ended:?}, and noted is {noted:?}"));
            }
        }
        Ok(())
    }

    /// Checks all decisions of the lanes.
    pub(super) fn hold_decisions(&self, all: &[Arc<LaneDecision>]) -> Result<(), String> {
        for (label, lane) in &self.lanes {
            let mine = all.iter().filter(|one| one.event.decision.policy == *label);
            let mine = mine.map(|one| {
                let decided = (one.slots.clone(), one.event.decision.forfeit);
                (one.round(), decided)
            });
            let (mine, plain): (BTreeMap<_, _>, _) = (mine.collect(), &lane.decided);
            if mine != *plain {
                return Err(format!(
                    "{label} decides {mine:?}, and plainly it is {plain:?}"
                ));
            }
        }
        Ok(())
    }

    /// Checks the decision that was shown of a round against the committed one.
    pub(super) fn hold_committed(&self, round: u64, shown: &[u32]) -> Result<(), String> {
        let committed = self.committed.get(&round).map(Vec::as_slice);
        match committed == Some(shown) {
            true => Ok(()),
            false => Err(format!(
                "{shown:?} was shown of round {round}, and {committed:?} is there"
            )),
        }
    }

    /// Checks the decisions shown of all lanes in a round.
    pub(super) fn hold_given(&self, round: u64, shown: &[Shown]) -> Result<(), String> {
        let plain = self.lanes.iter().filter_map(|(policy, lane)| {
            let (slots, is_late) = lane.decided.get(&round)?.clone();
            Some(Shown {
                policy: policy.clone(),
                slots,
                is_late,
            })
        });
        let plain: Vec<Shown> = plain.collect();
        match plain == shown {
            true => Ok(()),
            false => Err(format!(
                "of round {round} {shown:?} was shown, and plainly it is {plain:?}"
            )),
        }
    }
}
