//! Letters: the number to send so that those who answer include a committee that keeps all quotas.
//!
//! Each simulation draws the rates as they may be and then the answers, letter by letter, until the
//! pool has a committee; a larger pool keeps it. The letters that suffice with a probability are
//! a quantile of those numbers. One letter goes to a household, and no one is asked twice.

mod rates;
mod recruitment;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::BTreeMap;

use super::feasibility::{Feasibility, NODES, Supply, feasibility};
use crate::limits::MOST_ANSWERS;
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::Quota;
use kleroterion_core::watch::{Interrupted, Watch};
pub use rates::{Rate, Rates, RatesBy};
pub use recruitment::RecruitmentWait;
use recruitment::{Answers, Reached, Wanted};

/// The people who get letters, their response rates and the quotas of the committee.
#[derive(Clone, Debug, PartialEq)]
pub struct LettersQuestion {
    /// The kinds of people who get letters: their values, one per attribute, and their share.
    pub population: Vec<(Vec<u16>, f64)>,
    /// The response rates.
    pub rates: Rates,
    /// The fewest and most members with each value: a row per attribute. An empty row sets no
    /// quotas.
    pub quotas: Vec<Vec<Quota>>,
    /// The number of members.
    pub members: u32,
}

/// The settings of a plan for letters.
#[derive(Clone, Copy)]
pub struct LettersSettings {
    /// The seed of every random number.
    pub seed: u64,
    /// The number of recruitments that are simulated.
    pub simulations: u32,
    /// The probability with which the pool is to have a committee.
    pub sure: f64,
}

/// The nodes after which it is left open whether a pool has a committee.
const POOL_NODES: u64 = 500;
/// The rates that are drawn for the range, and the recruitments that are simulated with each.
const RANGE: [u32; 2] = [40, 100];

/// A plan for letters: the number to send, and its uncertainty.
#[derive(Clone, Debug, PartialEq)]
pub struct LettersPlan {
    /// The number of letters that suffice with the probability asked for.
    pub letters: Needed,
    /// The error of the simulation: a 95 % interval of `letters`.
    pub interval: [Needed; 2],
    /// The mean number of answers to that many letters.
    pub answers: f64,
    /// The range of letters needed over uncertain rates: from the 5 % of rates that need fewest to
    /// the 5 % that need most. `None` if the rates are certain.
    pub range: Option<[Needed; 2]>,
    /// The last thing the pools waited for, with its share of the simulations; the most frequent
    /// first.
    pub waits: Vec<(RecruitmentWait, f64)>,
    /// The number of letters needed without the quotas of an attribute, for each attribute with
    /// quotas.
    pub without: Vec<(usize, Needed)>,
    /// The number of pools for which it was not decided if they have a committee. They count as
    /// having none.
    pub undecided: u64,
}

/// A number of letters. `None` if more answers are needed than the simulation waits for.
pub type Needed = Option<u64>;

/// A watcher of a plan of letters. It sees the number of simulated recruitments, and the number of
/// all.
pub type LettersWatch<'a> = Watch<'a, (u32, u32)>;

/// Plans the number of letters that suffices, with its uncertainty and the reasons.
///
/// # Errors
/// The reason, if no committee keeps all quotas however many people answer.
pub fn plan(
    question: &LettersQuestion,
    settings: LettersSettings,
) -> Result<LettersPlan, Feasibility> {
    let planned = plan_unless(question, settings, &LettersWatch::patient());
    planned.unwrap_or(Err(Feasibility::Undecided { nodes: NODES }))
}

/// Plans as [`plan`] does, unless the watch stops it.
///
/// # Errors
/// The outer error, if the watch stops it; the inner one as of [`plan`].
pub fn plan_unless(
    question: &LettersQuestion,
    settings: LettersSettings,
    watch: &LettersWatch<'_>,
) -> Result<Result<LettersPlan, Feasibility>, Interrupted> {
    watch.go_on()?;
    let comes = question.population.iter().filter(|(_, share)| *share > 0.0);
    let supply = Supply::types(comes.map(|(values, _)| &values[..]));
    match feasibility(&question.quotas, question.members, &supply, NODES) {
        Feasibility::Feasible => {}
        none => return Ok(Err(none)),
    }
    let wanted = Wanted {
        quotas: &question.quotas,
        members: question.members,
        nodes: POOL_NODES,
        most: MOST_ANSWERS * question.members as usize,
        undecided: Cell::new(0),
    };
    let simulation = Simulation { question, wanted };
    let (all, without) = simulation.all(settings, watch)?;
    let sure = settings.sure;
    let error = 1.96 * (sure * (1.0 - sure) / f64::from(settings.simulations)).sqrt();
    let letters = all.quantile(sure);
    let range = question.rates.are_counted();
    let range = range
        .then(|| simulation.range(settings, watch))
        .transpose()?;
    Ok(Ok(LettersPlan {
        letters,
        interval: [sure - error, sure + error].map(|share| all.quantile(share)),
        answers: letters.map_or(0.0, |letters| letters as f64 * all.mean_rate()),
        range,
        waits: all.waits(),
        without: without
            .into_iter()
            .map(|(attribute, of)| (attribute, of.quantile(sure)))
            .collect(),
        undecided: simulation.wanted.undecided.get(),
    }))
}

/// Recruitments of a question.
struct Simulation<'a> {
    question: &'a LettersQuestion,
    wanted: Wanted<'a>,
}

impl Simulation<'_> {
    /// Plays all recruitments, and those without the quotas of each attribute that has some.
    fn all(
        &self,
        settings: LettersSettings,
        watch: &LettersWatch<'_>,
    ) -> Result<(Outcomes, Vec<(usize, Outcomes)>), Interrupted> {
        let key = Key::new(settings.seed, 0);
        let mut all = Outcomes::default();
        let rows = self.question.quotas.iter().enumerate();
        let ruled = rows.filter(|(_, row)| !row.is_empty());
        let mut without: Vec<(usize, Outcomes)> =
            ruled.map(|(at, _)| (at, Outcomes::default())).collect();
        for number in 0..settings.simulations {
            watch.go_on()?;
            watch.see((number, settings.simulations));
            let rates = self.rates(key, number);
            let Some(mut answers) = self.answers(key, number, &rates) else {
                continue;
            };
            let first = self.wanted.first(&mut answers, None);
            all.push(first, self.rate(&rates));
            for (attribute, of) in &mut without {
                of.letters
                    .push(self.without(&mut answers, first, *attribute));
            }
        }
        Ok((all, without))
    }

    /// Draws the response probability of each kind of people.
    fn rates(&self, key: Key, number: u32) -> Vec<f64> {
        let draws = |nth| key.draw(Purpose::Letters, number.into(), nth);
        self.question
            .rates
            .of_kinds(&self.question.population, draws)
    }

    fn answers(&self, key: Key, number: u32, rates: &[f64]) -> Option<Answers<'_>> {
        let draw = key.draw(Purpose::Letters, number.into(), 0);
        Answers::new(&self.question.population, rates, draw)
    }

    /// The probability that a letter is answered.
    fn rate(&self, rates: &[f64]) -> f64 {
        let kinds = || self.question.population.iter().zip(rates);
        let answer: f64 = kinds().map(|((_, share), rate)| share * rate).sum();
        answer / kinds().map(|((_, share), _)| share).sum::<f64>()
    }

    /// The letters needed without the quotas of an attribute, where `first` are with them.
    fn without(
        &self,
        answers: &mut Answers<'_>,
        first: Option<Reached>,
        attribute: usize,
    ) -> Needed {
        // A pool that had to wait for something else waits for it still.
        let may_be_sooner = match first?.wait {
            RecruitmentWait::Size => false,
            RecruitmentWait::Value { attribute: of, .. }
            | RecruitmentWait::Maximums { attribute: of } => of == attribute,
            RecruitmentWait::Together => true,
        };
        let sooner = may_be_sooner.then(|| self.wanted.first(answers, Some(attribute)));
        Some(sooner.flatten().or(first)?.letters)
    }

    /// The letters needed for several rates that may be, the fewest and the most 5 % left out.
    fn range(
        &self,
        settings: LettersSettings,
        watch: &LettersWatch<'_>,
    ) -> Result<[Needed; 2], Interrupted> {
        let [draws, simulations] = RANGE;
        let needed = (1..=u64::from(draws)).map(|draw| {
            let key = Key::new(settings.seed, draw);
            let rates = self.rates(key, u32::MAX);
            let mut all = Outcomes::default();
            for number in 0..simulations {
                watch.go_on()?;
                if let Some(mut answers) = self.answers(key, number, &rates) {
                    all.push(self.wanted.first(&mut answers, None), 0.0);
                }
            }
            Ok(all.quantile(settings.sure))
        });
        let all = Outcomes {
            letters: needed.collect::<Result<_, Interrupted>>()?,
            ..Outcomes::default()
        };
        Ok([0.05, 0.95].map(|share| all.quantile(share)))
    }
}

/// The recruitments that were simulated.
#[derive(Default)]
struct Outcomes {
    letters: Vec<Needed>,
    waits: BTreeMap<RecruitmentWait, u32>,
    /// The probabilities that a letter is answered, summed.
    rates: f64,
}

impl Outcomes {
    fn push(&mut self, first: Option<Reached>, rate: f64) {
        self.letters.push(first.map(|first| first.letters));
        if let Some(first) = first {
            *self.waits.entry(first.wait).or_default() += 1;
        }
        self.rates += rate;
    }

    /// The letters that suffice in a share of the simulations at least.
    fn quantile(&self, share: f64) -> Needed {
        let mut letters = self.letters.clone();
        letters.sort_by_key(|letters| letters.unwrap_or(u64::MAX));
        let count = letters.len();
        let due = (share.clamp(0.0, 1.0) * count as f64 - 1e-9)
            .ceil()
            .max(1.0) as usize;
        *letters.get(due.min(count).checked_sub(1)?)?
    }

    fn waits(&self) -> Vec<(RecruitmentWait, f64)> {
        let count = self.letters.len() as f64;
        let waits = self.waits.iter();
        let mut waits: Vec<_> = waits
            .map(|(wait, n)| (*wait, f64::from(*n) / count))
            .collect();
        waits.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        waits
    }

    fn mean_rate(&self) -> f64 {
        self.rates / self.letters.len() as f64
    }
}
