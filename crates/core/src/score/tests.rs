//! Scorers of a short stream against numbers worked out by hand.

use std::sync::{Arc, Mutex};

use super::*;
use crate::protocol::{
    Attribute, Batch, Choose, CohortObjective, CohortSums, CohortWorth, Judged, Ledger, Quota,
    RoundEntry, Rules, Schema, Shown, Target, Truth, Until,
};

fn schema() -> Arc<Schema> {
    let attribute = Attribute {
        name: "side".into(),
        values: ["a", "b", "c"].map(String::from).into(),
    };
    Arc::new(Schema::new(vec![attribute], vec![], false).unwrap())
}

/// Rounds of a person each of `a` and of `b`, who are worth the round's number and ten times as
/// much; who of them is chosen.
fn played(chosen: &[&[u32]]) -> (Batch, Ledger) {
    let mut batch = Batch::new(schema(), 1, 0);
    let mut ledger = Ledger::new(false);
    for (round, chosen) in (0..).zip(chosen) {
        for value in 0..2 {
            batch.persons_mut().push(value, &[value as u16], &[], None);
            batch.push_merit(f64::from(round + 1) * [1.0, 10.0][value as usize]);
        }
        batch.close_round();
        for slot in *chosen {
            ledger.note_chosen(2 * round + slot);
        }
        ledger.commit();
    }
    (batch, ledger)
}

/// Returns the final readings, which must be the same for one stretch and round by round.
fn read(mut scorer: impl FnMut() -> Box<dyn Scorer>, chosen: &[&[u32]]) -> Vec<(String, f64)> {
    let (batch, ledger) = played(chosen);
    let read = |scorer: &dyn Scorer| -> Vec<(String, f64)> {
        let mut readings = Readings::default();
        scorer.read(&mut readings);
        let rows = readings.rows_from(0).into_iter();
        rows.map(|row| (row.metric.to_string(), row.value))
            .collect()
    };
    let (mut whole, mut each) = (scorer(), scorer());
    whole.record_all(&batch, &ledger, 0..ledger.rounds());
    for round in 0..ledger.rounds() {
        let entry = RoundEntry::new(&batch, round, &ledger, round);
        each.record(&entry, &Truth::new(&batch, entry.slate()));
    }
    let found = read(&*whole);
    assert_eq!(read(&*each), found);
    found
}

#[track_caller]
fn holds(found: &[(String, f64)], expected: &[(&str, Option<f64>)]) {
    for (metric, value) in expected {
        let of = found.iter().find(|(name, _)| name == metric);
        assert_eq!(of.map(|(_, value)| *value), *value, "{metric}");
    }
}

/// Five of ten are screened as `a`; a and b, a and a are chosen.
const CHOSEN: [&[u32]; 5] = [&[0, 1], &[], &[0], &[0], &[]];

#[test]
fn regret_is_the_gain_of_all_screened_less_those_accepted() {
    let target = Arc::new(Target::new(&schema(), vec![(0, vec![0.5, 0.25, 0.25])]));
    let scorer = |gain| {
        let target = Arc::clone(&target);
        move || Box::new(Regret::new(&schema(), Arc::clone(&target), gain)) as Box<dyn Scorer>
    };
    let (regret, drift) = ("gain_regret", "constraint_violation");
    let found = read(scorer(Some(0.75)), &CHOSEN);
    holds(&found, &[(regret, Some(3.5)), (drift, Some(1.0))]);
    holds(
        &read(scorer(None), &CHOSEN),
        &[(regret, None), (drift, Some(1.0))],
    );
    holds(
        &read(scorer(Some(0.75)), &[&[]]),
        &[(regret, Some(1.5)), (drift, None)],
    );
    holds(
        &read(scorer(Some(0.75)), &[]),
        &[(regret, None), (drift, None)],
    );
}

#[test]
fn the_mean_merit_is_of_the_chosen() {
    let scorer = || Box::new(Merit::default()) as Box<dyn Scorer>;
    let found = read(scorer, &CHOSEN);
    holds(
        &found,
        &[("mean_merit", Some((1.0 + 10.0 + 3.0 + 4.0) / 4.0))],
    );
    holds(&read(scorer, &[&[], &[]]), &[("mean_merit", None)]);
}

#[test]
fn rates_are_of_the_values_that_came() {
    let scorer = || Box::new(SelectionRates::new(&schema())) as Box<dyn Scorer>;
    holds(
        &read(scorer, &CHOSEN),
        &[
            ("screened", Some(10.0)),
            ("accepted", Some(4.0)),
            ("selection_rate", Some(0.4)),
            ("selection_rate.a", Some(0.6)),
            ("selection_rate.b", Some(0.2)),
            ("selection_rate.c", None),
            ("impact_ratio", Some(0.2 / 0.6)),
        ],
    );
}

/// Two to three of `a`, two of `b`: three of a and one of b are one off.
#[test]
fn quotas_of_a_run_are_due_once_someone_is_chosen() {
    let quota = |min, max| Quota { min, max };
    let quotas = vec![vec![quota(2, 3), quota(2, 2), quota(0, 9)]];
    let scorer = |span| {
        let quotas = quotas.clone();
        move || Box::new(QuotaViolation::new(&quotas, span)) as Box<dyn Scorer>
    };
    let name = "quota_violation";
    holds(&read(scorer(QuotaSpan::Run), &CHOSEN), &[(name, Some(1.0))]);
    holds(&read(scorer(QuotaSpan::Run), &[&[], &[]]), &[(name, None)]);
    // Two rounds owe all four, one owes two, and two owe three.
    let found = read(scorer(QuotaSpan::Round), &CHOSEN);
    holds(&found, &[(name, Some(4.0 + 4.0 + 2.0 + 3.0 + 3.0))]);
}

#[test]
fn quotas_are_kept_by_a_full_committee_that_is_nowhere_off() {
    let bounds = |most| Bounds::quotas(&[&[vec![Quota { min: 1, max: most }; 2]]]);
    for (members, most, kept, off) in [
        (4, 3, 1.0, 0.0),
        (4, 2, 0.0, 1.0),
        (5, 3, 0.0, 0.0),
        (5, 2, 0.0, 1.0),
    ] {
        let scorer = || {
            let of = Committee::new(&schema(), members, bounds(most));
            Box::new(of) as Box<dyn Scorer>
        };
        let found = read(scorer, &CHOSEN);
        let filled = f64::from(u8::from(members == 4));
        holds(
            &found,
            &[
                ("filled", Some(filled)),
                ("quotas_kept", Some(kept)),
                ("seats_off", Some(off)),
            ],
        );
    }
    // All four of one value are three beyond the most there, and one short of the fewest elsewhere.
    let committee = Committee::new(&schema(), 4, bounds(1));
    assert_eq!(committee.range(), Some(("seats_off", (0.0, 3.0 + 1.0))));
    assert_eq!(Committee::new(&schema(), 4, None).range(), None);
}

/// A cohort is worth how many it has, and best where it has two.
struct Size;

impl CohortWorth for Size {
    fn judge(&self, _: &[Shown<'_>], _: &[f64], chosen: &[bool], _: usize) -> Judged {
        let size = chosen.iter().filter(|member| **member).count();
        Judged {
            value: size as f64,
            optimal: size == 2,
        }
    }

    fn range(&self, _: &Schema, _: &CohortSums) -> (f64, f64) {
        (0.0, 2.0)
    }
}

#[test]
fn cohorts_of_several_rounds_are_scored_by_their_means() {
    let rules = Arc::new(Rules::new(Choose::Exactly(2), Until::SourceEnds));
    let scorer = || {
        let objective = CohortObjective {
            name: "size".into(),
            worth: Arc::new(Size),
        };
        Box::new(Cohort::new(&[objective], &rules)) as Box<dyn Scorer>
    };
    let found = read(scorer, &[&[0, 1], &[0], &[0, 1], &[1]]);
    let roots = [11.0_f64, 2.0, 33.0, 40.0].map(f64::sqrt);
    holds(
        &found,
        &[("cohort_value", Some(1.5)), ("optimal", Some(0.5))],
    );
    let root = found
        .iter()
        .find(|(name, _)| name == "sqrt_top_k")
        .unwrap()
        .1;
    assert!((root - roots.iter().sum::<f64>() / 4.0).abs() < 1e-12);
}

#[test]
fn outcomes_have_their_range_overall_and_by_value() {
    let names = [
        "outcome_mean",
        "outcome_mean.a",
        "outcome_mean.b",
        "outcome_mean.c",
    ];
    let found: Vec<_> = Outcomes::ranges(&schema(), (-2.0, 5.0)).collect();
    let due: Vec<_> = names
        .iter()
        .map(|name| (name.to_string(), (-2.0, 5.0)))
        .collect();
    assert_eq!(found, due);
}

/// Wants the measures after one round.
struct Once(u64);

impl Witness for Once {
    fn record(&mut self, _: &Batch, _: &Ledger) {}

    fn due(&self) -> Option<u64> {
        Some(self.0)
    }

    fn read(&mut self, _: u64, _: &[MetricRow]) {}
}

#[test]
fn a_witness_that_is_shared_is_due_when_it_says() {
    assert_eq!(Arc::new(Mutex::new(Once(7))).due(), Some(7));
}
