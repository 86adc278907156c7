//! Counts of who was shown and who was chosen, group by group.

use std::ops::Range;
use std::sync::Arc;

use super::head_count::HeadCount;
use super::metric::MetricPattern;
use super::readings::Readings;
use super::scoreboard::{RoundValues, Scorer, one_a_round};
use super::volunteering::Volunteering;
use crate::protocol::{Batch, Ledger, RoundEntry, Schema, Truth};

/// Returns the names of a family of metrics, one per value of each attribute: `FAMILY.VALUE`, or
/// `FAMILY.ATTRIBUTE:VALUE` if there are several attributes.
pub fn group_names(family: &str, schema: &Schema) -> Vec<Vec<Arc<str>>> {
    let alone = schema.attributes().len() == 1;
    let name = |attribute: &str, value: &str| -> Arc<str> {
        if alone {
            format!("{family}.{value}").into()
        } else {
            format!("{family}.{attribute}:{value}").into()
        }
    };
    schema
        .attributes()
        .iter()
        .map(|a| a.values.iter().map(|v| name(&a.name, v)).collect())
        .collect()
}

/// Returns the names of the metrics of an entry: its own, or of a family one for each group.
#[must_use]
pub fn names_of(entry: &str, schema: &Schema) -> Vec<String> {
    match MetricPattern::read(entry) {
        (MetricPattern::Groups, family) => {
            let names = group_names(family, schema).into_iter().flatten();
            names.map(|name| name.to_string()).collect()
        }
        _ => vec![entry.to_owned()],
    }
}

/// The name of the selection rate.
const RATE: &str = "selection_rate";

/// The name of the ratio of groups' selection rates.
pub const IMPACT_RATIO: &str = "impact_ratio";

/// Returns the attribute of an impact ratio, by the metric's name. The inner `None` stands for the
/// attribute where the ratio is least, the outer one for other metrics.
#[must_use]
pub fn impact_of(metric: &str) -> Option<Option<&str>> {
    let rest = metric.strip_prefix(IMPACT_RATIO)?;
    match rest.strip_prefix('.') {
        Some(attribute) => Some(Some(attribute)),
        None => rest.is_empty().then_some(None),
    }
}

/// The names of the ratios of each attribute, where there are several.
fn impact_names(schema: &Schema) -> Vec<String> {
    match schema.attributes() {
        [] | [_] => Vec::new(),
        several => several
            .iter()
            .map(|attribute| format!("{IMPACT_RATIO}.{}", attribute.name))
            .collect(),
    }
}

/// The scorer of selection rates: `screened`, `accepted`, `selection_rate`; `share.GROUP`,
/// `selection_rate.GROUP` and `impact_ratio`. `impact_ratio` is the lowest group's rate over the
/// highest's, for the attribute where it is least; groups never seen do not count. If there are
/// several attributes, `impact_ratio.ATTRIBUTE` is the ratio of each.
pub struct SelectionRates {
    /// The head-count of those who applied.
    came: HeadCount,
    /// The head-count of those who applied and were not shown.
    unseen: HeadCount,
    chosen: HeadCount,
    /// The volunteering rates, if they are known: then there is `contacts`.
    contacts: Option<Volunteering>,
    /// The impact ratios by attribute, if there are several attributes.
    impacts: Vec<String>,
    shares: Vec<Vec<Arc<str>>>,
    rates: Vec<Vec<Arc<str>>>,
}

impl SelectionRates {
    /// Makes a tally at its start.
    #[must_use]
    pub fn new(schema: &Arc<Schema>) -> Self {
        Self {
            came: HeadCount::new(Arc::clone(schema)),
            unseen: HeadCount::new(Arc::clone(schema)),
            chosen: HeadCount::new(Arc::clone(schema)),
            contacts: None,
            impacts: impact_names(schema),
            shares: group_names("share", schema),
            rates: group_names(RATE, schema),
        }
    }

    /// Adds `contacts`, if the volunteering rate of those contacted is known.
    #[must_use]
    pub fn volunteering(mut self, rate: Option<Volunteering>) -> Self {
        self.contacts = rate;
        self
    }
}

impl Scorer for SelectionRates {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        entry
            .applicants()
            .candidates()
            .for_each(|person| self.came.add(person));
        entry.unseen().for_each(|person| self.unseen.add(person));
        entry.chosen().for_each(|person| self.chosen.add(person));
    }

    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        if rounds.is_empty() {
            return;
        }
        let persons = batch.persons();
        if ledger.whole_rosters() {
            let rows = batch.roster(rounds.start).start..batch.roster(rounds.end - 1).end;
            self.came.add_stretch(persons, rows);
        } else {
            for round in rounds.clone() {
                let entry = RoundEntry::new(batch, round, ledger, round);
                let came = entry.applicants().candidates();
                came.for_each(|person| self.came.add(person));
                entry.unseen().for_each(|person| self.unseen.add(person));
            }
        }
        let (chosen, _) = ledger.chosen_in(rounds);
        self.chosen.add_rows(persons, chosen);
    }

    fn read(&self, readings: &mut Readings) {
        let (screened, accepted) = (self.came.persons(), self.chosen.persons());
        readings.put("screened", screened as f64);
        let (mut shown, chosen) = (self.came.by_value(), self.chosen.by_value());
        if let Some(rate) = &self.contacts {
            readings.put("contacts", rate.contacts(&self.came));
        }
        let unseen = self.unseen.by_value();
        for (shown, unseen) in shown.iter_mut().flatten().zip(unseen.iter().flatten()) {
            *shown -= unseen;
        }
        readings.put("accepted", accepted as f64);
        readings.put(RATE, accepted as f64 / screened as f64);
        for (names, counts) in self.shares.iter().zip(&chosen) {
            for (name, &count) in names.iter().zip(counts) {
                readings.put(name, count as f64 / accepted as f64);
            }
        }
        let (mut impact, mut ratios) = (f64::INFINITY, Vec::new());
        for ((names, chosen), shown) in self.rates.iter().zip(&chosen).zip(&shown) {
            let (mut lowest, mut highest) = (f64::INFINITY, 0.0f64);
            for ((name, &chosen), &shown) in names.iter().zip(chosen).zip(shown) {
                let rate = chosen as f64 / shown as f64;
                readings.put(name, rate);
                if shown > 0 {
                    (lowest, highest) = (lowest.min(rate), highest.max(rate));
                }
            }
            let ratio = match highest > 0.0 {
                true => lowest / highest,
                false => f64::NAN,
            };
            impact = impact.min(ratio);
            ratios.push(ratio);
        }
        readings.put(IMPACT_RATIO, impact);
        for (name, ratio) in self.impacts.iter().zip(ratios) {
            readings.put(name, ratio);
        }
    }

    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        if metric == RATE {
            return Some(one_a_round(|entry, _| {
                let (came, chosen) = (entry.applicants().len(), entry.chosen().len());
                (came > 0).then(|| chosen as f64 / f64::from(came))
            }));
        }
        let mut places = self.rates.iter().enumerate();
        places.find_map(|(attribute, names)| {
            let value = names.iter().position(|name| **name == *metric)?;
            Some(rate_within(attribute, value))
        })
    }
}

/// Returns, for each person of the roster, whether they were chosen. `None` for persons of other
/// groups or not shown. Two lanes are thus compared person by person, over those whom both were
/// shown.
fn rate_within(attribute: usize, value: usize) -> RoundValues {
    Box::new(move |entry, _, hand| {
        let mut values = vec![None; entry.roster_len() as usize];
        for (slot, (person, chosen)) in (0..).zip(entry.decided()) {
            if usize::from(person.values()[attribute]) == value {
                let place = entry.slate().position(slot) as usize;
                values[place] = Some(f64::from(u8::from(chosen)));
            }
        }
        values.into_iter().for_each(hand);
    })
}

/// The metrics that every run with candidates of a schema has, by name. `target` and `rate` say
/// whether the run has a target and a known volunteering rate.
#[must_use]
pub fn metrics_of(schema: &Schema, target: bool, rate: bool) -> Vec<String> {
    let mut names: Vec<String> = ["screened", "accepted", "selection_rate"]
        .map(str::to_owned)
        .into();
    if rate {
        names.push("contacts".to_owned());
    }
    if target {
        let of_targets = [
            "representation_loss",
            "gain_regret",
            "constraint_violation",
            "representation_loss_l1",
            "representation_loss_l2",
        ];
        names.extend(of_targets.map(str::to_owned));
    }
    if !schema.attributes().is_empty() {
        for family in ["share", "selection_rate"] {
            let groups = group_names(family, schema).into_iter().flatten();
            names.extend(groups.map(|name| name.to_string()));
        }
        names.push(IMPACT_RATIO.to_owned());
        names.extend(impact_names(schema));
    }
    names
}
