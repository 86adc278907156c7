//! The scorer of fair regret: the loss against choosing by relative rank (Grazzi et al. 2022).

use std::sync::Arc;

use super::readings::Readings;
use super::scoreboard::{RoundValues, Scorer, one_a_round};
use super::tally::group_names;
use crate::protocol::{Choose, GroupTruth, RoundEntry, Rules, Schema, Truth};

/// The scorer of fair regret, for rules that choose one.
///
/// `fair_regret` is the sum over rounds of max_a F_a(m_a) - F_{a_t}(m_{a_t}) (Definition 3.2), and
/// `reward_regret` that of max_a m_a - m_{a_t} (Remark 3.1). Here a are the candidates of the
/// round, m their merits and F the true CDF of merits in the candidate's group. a_t is the
/// candidate who was offered the place, or was offered it first if places are refilled. A declined
/// offer counts the same, because the policy gave away as much. A policy that offers the place to
/// no one of a slate, for example because it is outside and late, loses the whole maximum.
///
/// If people may decline, `fair_regret_taken` and `reward_regret_taken` are the same for the person
/// who took the place, summed over the rounds in which it was taken.
///
/// `selected_of_received.GROUP`: the share of a group's people received who were selected.
/// `received_share.GROUP`: the group's mean share of a slate. It equals `share.GROUP` under
/// demographic parity, if all who are chosen take their places.
pub struct Fairness {
    truth: GroupTruth,
    offered: Regrets,
    /// Only where people may decline.
    taken: Option<Regrets>,
    rounds: u64,
    groups: Vec<Group>,
}

/// Rank and merit given away so far.
struct Regrets {
    sums: [f64; 2],
    rounds: u64,
    names: [&'static str; 2],
}

impl Regrets {
    fn new(names: [&'static str; 2]) -> Self {
        Self {
            sums: [0.0; 2],
            rounds: 0,
            names,
        }
    }

    fn add(&mut self, away: Option<[f64; 2]>) {
        if let Some(away) = away {
            self.rounds += 1;
            let sums = self.sums.iter_mut().zip(away);
            sums.for_each(|(sum, away)| *sum += away);
        }
    }

    fn read(&self, readings: &mut Readings) {
        if self.rounds > 0 {
            let sums = self.names.iter().zip(self.sums);
            sums.for_each(|(name, sum)| readings.put(name, sum));
        }
    }
}

/// The counts of a group.
struct Group {
    received: u64,
    selected: u64,
    /// The sum of its shares of the slates.
    shares: f64,
    /// The number of candidates of the group on the current slate.
    here: u32,
    names: [Arc<str>; 2],
}

const REGRETS: [&str; 2] = ["fair_regret", "reward_regret"];
const TAKEN: [&str; 2] = ["fair_regret_taken", "reward_regret_taken"];
const FAMILIES: [&str; 2] = ["selected_of_received", "received_share"];

impl Fairness {
    /// Returns true if regret is scored under these rules: exactly one candidate is chosen a round.
    #[must_use]
    pub fn applies(rules: &Rules) -> bool {
        rules.choose == Choose::Exactly(1)
    }

    /// Makes the scorer before any round; `offers` says that people may decline.
    #[must_use]
    pub fn new(schema: &Schema, truth: GroupTruth, offers: bool) -> Self {
        let groups = names(schema, &truth).into_iter().map(|names| Group {
            received: 0,
            selected: 0,
            shares: 0.0,
            here: 0,
            names,
        });
        Self {
            groups: groups.collect(),
            truth,
            offered: Regrets::new(REGRETS),
            taken: offers.then(|| Regrets::new(TAKEN)),
            rounds: 0,
        }
    }

    /// The names of the scorer's metrics; `offers` says that people may decline.
    #[must_use]
    pub fn metrics(schema: &Schema, truth: &GroupTruth, offers: bool) -> Vec<String> {
        let groups = names(schema, truth).into_iter().flatten();
        let taken = offers.then_some(TAKEN).into_iter().flatten();
        let regrets = REGRETS.into_iter().chain(taken).map(str::to_owned);
        regrets.chain(groups.map(|name| name.to_string())).collect()
    }
}

/// The names of the families, a group a row.
fn names(schema: &Schema, truth: &GroupTruth) -> Vec<[Arc<str>; 2]> {
    let [selected, received] =
        FAMILIES.map(|family| group_names(family, schema).swap_remove(truth.attribute));
    let pairs = selected.into_iter().zip(received);
    pairs
        .map(|(selected, received)| [selected, received])
        .collect()
}

/// Rank and merit given away in a round by who is `got`, of the best there was; where no one is,
/// all of it. None where no one came whose merit is known.
fn given_away(
    groups: &GroupTruth,
    entry: &RoundEntry<'_>,
    truth: &Truth<'_>,
    got: impl Fn(u32) -> bool,
) -> Option<[f64; 2]> {
    let (mut best_rank, mut best_merit) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut given = None;
    for (slot, person) in (0..).zip(entry.slate().candidates()) {
        let Some(merit) = truth.merit(slot) else {
            continue;
        };
        let group = usize::from(person.values()[groups.attribute]);
        let rank = groups.cdf.rank(group, merit);
        best_rank = best_rank.max(rank);
        best_merit = best_merit.max(merit);
        if got(slot) {
            given = Some((rank, merit));
        }
    }
    let away = |(rank, merit)| [best_rank - rank, best_merit - merit];
    let all = || [best_rank, best_merit.max(0.0)];
    (best_rank > f64::NEG_INFINITY).then(|| given.map_or_else(all, away))
}

impl Scorer for Fairness {
    fn record(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>) {
        let offered = |slot| entry.offered_first(slot);
        self.offered
            .add(given_away(&self.truth, entry, truth, offered));
        if let Some(taken) = self.taken.as_mut().filter(|_| entry.chosen().len() > 0) {
            let chosen = |slot| entry.chose(slot);
            taken.add(given_away(&self.truth, entry, truth, chosen));
        }
        for (slot, person) in (0..).zip(entry.slate().candidates()) {
            let group = &mut self.groups[usize::from(person.values()[self.truth.attribute])];
            group.received += 1;
            group.here += 1;
            group.selected += u64::from(entry.chose(slot));
        }
        let slate = entry.slate().len();
        if slate == 0 {
            return;
        }
        self.rounds += 1;
        for group in &mut self.groups {
            let here = std::mem::take(&mut group.here);
            group.shares += f64::from(here) / f64::from(slate);
        }
    }

    fn read(&self, readings: &mut Readings) {
        self.offered.read(readings);
        if let Some(taken) = &self.taken {
            taken.read(readings);
        }
        for group in &self.groups {
            let of_received = group.selected as f64 / group.received as f64;
            readings.put(&group.names[0], of_received);
            readings.put(&group.names[1], group.shares / self.rounds as f64);
        }
    }

    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        (metric == REGRETS[0]).then(|| {
            let groups = self.truth.clone();
            one_a_round(move |entry, truth| {
                let offered = |slot| entry.offered_first(slot);
                given_away(&groups, entry, truth, offered).map(|away| away[0])
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Attribute, Batch, Ending, Ledger, Stop};
    use crate::score::{LaneResult, Moments, Scoreboard};

    /// Plays rounds of two people, of merits .2 (rank .2) and .7. Each round has the order in which
    /// they were asked, and the one who took the place.
    fn lane(rounds: &[(&[u32], Option<u32>)], may_decline: bool) -> LaneResult {
        let attribute = Attribute {
            name: "group".into(),
            values: ["a", "b"].map(String::from).into(),
        };
        let schema = Arc::new(Schema::new(vec![attribute], vec![], false).unwrap());
        let mut batch = Batch::new(Arc::clone(&schema), 1, 0);
        let mut ledger = Ledger::new(false);
        for (number, (asked, taken)) in (0..).zip(rounds) {
            for (group, merit) in [(0, 0.2), (1, 0.7)] {
                batch
                    .persons_mut()
                    .push(schema.cell(&[group]), &[group], &[], None);
                batch.push_merit(merit);
            }
            batch.close_round();
            for slot in *asked {
                ledger.note_chosen(2 * number + slot);
            }
            if may_decline {
                ledger.note_replies(0, |_, row| *taken == Some(row - 2 * number));
                ledger.close_offers(Some(|row| row));
            }
            ledger.commit();
        }
        let truth = GroupTruth {
            attribute: 0,
            cdf: Arc::new(|_: usize, merit: f64| merit),
        };
        let scorer = Fairness::new(&schema, truth, may_decline);
        let mut board = Scoreboard::new(vec![Box::new(scorer)], Moments::End);
        board.record(&batch, &ledger);
        board.end(0, &Ending::Horizon.into());
        board.finish(Stop::from(Ending::Horizon))
    }

    /// Offers count, whoever takes them: of several in a round the first; of none all is lost.
    #[test]
    fn regret_is_of_the_first_offer_of_a_round() {
        type Rounds<'a> = &'a [(&'a [u32], Option<u32>)];
        let cases: &[(Rounds<'_>, f64, Option<f64>)] = &[
            (&[(&[1], Some(1)), (&[0], Some(0))], 0.5, Some(0.5)),
            // Declined, and not refilled.
            (&[(&[0], None), (&[1], None)], 0.5, None),
            // Refilled: the worse after the better, and the better after the worse.
            (&[(&[1, 0], Some(0))], 0.0, Some(0.5)),
            (&[(&[0, 1], Some(1))], 0.5, Some(0.0)),
            // Late.
            (&[(&[], None), (&[1], Some(1))], 0.7, Some(0.0)),
        ];
        for (rounds, offered, taken) in cases {
            let lane = lane(rounds, true);
            for (metric, known) in [
                ("fair_regret", Some(*offered)),
                ("reward_regret", Some(*offered)),
                ("fair_regret_taken", *taken),
                ("reward_regret_taken", *taken),
            ] {
                let found = lane.at_end(metric);
                let close = |(a, b): (f64, f64)| (a - b).abs() < 1e-12;
                let same = found.is_some() == known.is_some();
                assert!(
                    same && found.zip(known).is_none_or(close),
                    "{rounds:?} {metric}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn where_all_come_the_chosen_is_who_was_offered_the_place() {
        let lane = lane(&[(&[0], None), (&[1], None), (&[], None)], false);
        assert!((lane.at_end("fair_regret").unwrap() - 1.2).abs() < 1e-12);
        assert_eq!(lane.at_end("fair_regret_taken"), None);
        assert_eq!(lane.at_end("selected_of_received.a"), Some(1.0 / 3.0));
        assert_eq!(lane.at_end("received_share.b"), Some(0.5));
    }
}
