//! A policy whose member declines is as if it had never accepted them.

use std::sync::Arc;

use super::{
    Greedy, MeritQueue, MeritQueueParameters, OneByOne, QuotaLookahead, VirtualQueue, quotas_around,
};
use crate::Policy;
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::{Attribute, Persons, Schema, Target};

fn schema() -> Arc<Schema> {
    let attribute = |name: &str, values: &[&str]| Attribute {
        name: name.into(),
        values: values.iter().map(|value| (*value).into()).collect(),
    };
    let attributes = vec![
        attribute("sex", &["F", "M"]),
        attribute("age", &["young", "old", "older"]),
    ];
    Arc::new(Schema::new(attributes, Vec::new(), false).unwrap())
}

/// Lets a policy accept and lose people at random. It must then equal `fresh` after that has
/// accepted those who stayed and no one else.
fn holds<P: OneByOne + Clone>(fresh: &P) {
    let schema = schema();
    let mut people = Persons::new(Arc::clone(&schema), 0);
    let (mut lost, mut kept) = (0, 0);
    for seed in 0..40 {
        let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
        let mut policy = fresh.clone();
        let mut members = Vec::new();
        for _ in 0..60 {
            let cell = draw.below(u64::from(schema.cells())) as u32;
            people.push(cell, &schema.values(cell), &[], None);
            let person = people.shown(people.len() as u32 - 1);
            let mut plain = fresh.clone();
            for &member in &members {
                plain.judge(people.shown(member));
                plain.accept(people.shown(member));
            }
            let likely = policy.judge(person);
            assert_eq!(likely, plain.judge(person), "seed {seed}");
            assert_eq!(policy.why(person), plain.why(person), "seed {seed}");
            if likely < 1.0 {
                policy.pass(person);
                continue;
            }
            policy.accept(person);
            if draw.below(3) == 0 {
                policy.decline(1, person);
                lost += 1;
            } else {
                members.push(people.len() as u32 - 1);
                kept += 1;
            }
        }
    }
    assert!(lost > 100 && kept > 100, "{lost} {kept}");
}

fn target() -> Target {
    let rows = vec![(0, vec![0.5, 0.5]), (1, vec![0.3, 0.3, 0.4])];
    Target::new(&schema(), rows)
}

#[test]
fn greedy_gives_the_places_back() {
    holds(&Greedy::new(&schema(), &target(), 12, 0.1, None));
}

#[test]
fn the_virtual_queue_counts_members_alone() {
    holds(&VirtualQueue::new(&target(), 1.0));
}

#[test]
fn the_quotas_of_quota_lookahead_are_those_of_its_members() {
    let schema = schema();
    let quotas = quotas_around(&schema, &target(), 12);
    holds(&QuotaLookahead::new(&schema, quotas, 12, None));
}

/// It learns from all who are shown, members or not: another that passed over the one who declines
/// has the same terms.
#[test]
fn the_pace_of_the_merit_queue_is_that_of_its_members() {
    let attributes = schema().attributes().to_vec();
    let schema = Arc::new(Schema::new(attributes, vec!["x".into()], false).unwrap());
    let parameters = MeritQueueParameters {
        rate: 0.5,
        v: 1.0,
        lambda: 1.0,
        bonus: 0.0,
    };
    let mut people = Persons::new(Arc::clone(&schema), 0);
    for (cell, x) in [(0, 0.5), (4, 2.0), (2, 1.0), (5, 3.0), (1, 0.0)] {
        people.push(cell, &schema.values(cell), &[x], None);
    }
    let mut left = MeritQueue::new(&schema, &target(), parameters).unwrap();
    let mut passed = left.clone();
    for row in 0..5 {
        let person = people.shown(row);
        assert_eq!(left.judge(person), passed.judge(person));
        assert_eq!(left.why(person), passed.why(person), "person {row}");
        left.accept(person);
        if row == 2 {
            left.decline(1, person);
            passed.pass(person);
        } else {
            passed.accept(person);
        }
    }
}
