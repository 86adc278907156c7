use super::*;
use kleroterion_core::protocol::{Attribute, Batch, Ledger};

fn schema(levels: &[usize]) -> Arc<Schema> {
    let attribute = |(at, &many): (usize, &usize)| Attribute {
        name: format!("attribute {at}"),
        values: (0..many).map(|value| format!("value {value}")).collect(),
    };
    let attributes = levels.iter().enumerate().map(attribute).collect();
    Arc::new(Schema::new(attributes, vec![], false).unwrap())
}

#[track_caller]
fn close(ours: f64, known: f64) {
    assert!((ours / known - 1.0).abs() <= 1e-9, "{ours} against {known}");
}

/// Rounds 1 to 600: group 0 in those divisible by 3, selected where sin(i) > .2; group 1 else,
/// where sin(i) > -.1.
#[test]
fn reference_values() {
    let mut rates = GroupRates::new(&schema(&[2]), None, 0.05);
    for i in 1..=600_u16 {
        let sin = libm::sin(f64::from(i));
        match i % 3 {
            0 => rates.add(&[0], sin > 0.2),
            _ => rates.add(&[1], sin > -0.1),
        }
    }
    let read = rates.read();
    let [g, h] = &read.attributes[0].groups[..] else {
        panic!("two groups");
    };
    assert_eq!((g.shown, h.shown, read.shown), (200, 400, 600));
    for (group, rate, lo, hi) in [
        (g, 0.44, 0.295143942295, 0.584856057705),
        (h, 0.5375, 0.437075486525, 0.637924513475),
    ] {
        close(group.rate.unwrap(), rate);
        close(group.lo, lo);
        close(group.hi, hi);
    }
    let ratio = read.attributes[0].ratio;
    close(ratio.value.unwrap(), 0.818604651163);
    close(ratio.lo, 0.462662801101);
    assert_eq!((ratio.hi, ratio.four_fifths), (1.0, FourFifths::Open));
    assert_eq!(rates.impact_ratio(0.05), Some(ratio));
}

#[test]
fn alpha_is_split_over_attributes_and_then_over_their_groups() {
    let mut rates = GroupRates::new(&schema(&[2, 3]), None, 0.06);
    let mut alone = [
        StreamSequence::new(0.015, V_OPT),
        StreamSequence::new(0.01, V_OPT),
    ];
    for i in 0..500_u16 {
        let (values, chosen) = ([i % 2, i % 3], i % 5 < 2);
        rates.add(&values, chosen);
        for (stream, value) in alone.iter_mut().zip(values) {
            if value == 1 {
                stream.add(f64::from(u8::from(chosen)));
            }
        }
    }
    let read = rates.read();
    for (attribute, stream) in read.attributes.iter().zip(&alone) {
        let group = &attribute.groups[1];
        assert_eq!((group.lo, group.hi), stream.interval());
        let all: f64 = attribute.groups.iter().map(|group| group.alpha).sum();
        assert!((all - 0.03).abs() < 1e-15);
    }
    // The least of the attributes.
    let least = read
        .attributes
        .iter()
        .filter_map(|a| a.ratio.value)
        .fold(1.0, f64::min);
    let all = rates.impact_ratio(0.06).unwrap();
    assert_eq!(all.value, Some(least));
    let narrower = rates.impact_ratio(0.5).unwrap();
    assert!(narrower.lo > all.lo && narrower.hi <= all.hi);
}

#[test]
fn nobody_says_nothing() {
    let rates = GroupRates::new(&schema(&[2]), None, 0.05);
    let read = rates.read();
    let group = &read.attributes[0].groups[0];
    assert_eq!(
        (group.share, group.rate, group.lo, group.hi),
        (None, None, 0.0, 1.0)
    );
    let ratio = read.attributes[0].ratio;
    assert_eq!((ratio.value, ratio.lo, ratio.hi), (None, 0.0, 1.0));
    assert_eq!(
        GroupRates::new(&schema(&[]), None, 0.05).impact_ratio(0.05),
        None
    );
    // A group that never comes does not count, one of whom none is selected does.
    let mut rates = GroupRates::new(&schema(&[3]), None, 0.05);
    (0..50).for_each(|_| rates.add(&[0], true));
    assert_eq!(rates.read().attributes[0].ratio.value, Some(1.0));
    rates.add(&[1], false);
    assert_eq!(rates.read().attributes[0].ratio.value, Some(0.0));
}

#[test]
fn four_fifths_is_sure_or_open() {
    for (groups, word) in [
        ([(1.0, (0.95, 1.0)), (0.9, (0.85, 0.95))], "surely met"),
        ([(0.9, (0.85, 0.95)), (0.4, (0.3, 0.5))], "surely missed"),
        ([(0.9, (0.7, 1.0)), (0.8, (0.6, 0.9))], "open"),
    ] {
        assert_eq!(Ratio::of(groups).four_fifths.word(), word);
    }
    let ratio = Ratio::of([(0.5, (0.4, 0.6)), (0.25, (0.2, 0.3))]);
    assert_eq!(ratio.value, Some(0.5));
    assert!((ratio.lo - 0.2 / 0.6).abs() < 1e-15 && (ratio.hi - 0.75).abs() < 1e-15);
}

/// Groups from which no one was chosen have no ratio, and it may have any value.
#[test]
fn without_a_rate_above_0_there_is_no_ratio() {
    for groups in [vec![], vec![(0.0, (0.0, 0.1)), (0.0, (0.0, 0.2))]] {
        let ratio = Ratio::of(groups);
        assert_eq!((ratio.value, ratio.lo, ratio.hi), (None, 0.0, 1.0));
        assert_eq!(ratio.four_fifths, FourFifths::Open);
    }
    // A ratio that may be four fifths is not surely below them.
    let ratio = Ratio::of([(0.75, (0.7, 0.8)), (1.0, (1.0, 1.0))]);
    assert_eq!((ratio.hi, ratio.four_fifths), (0.8, FourFifths::Open));
}

/// The joined ratio of several attributes has the least of each end.
#[test]
fn the_ends_of_several_attributes_are_the_least_of_each() {
    for biased in [0, 1] {
        let mut rates = GroupRates::new(&schema(&[2, 2]), None, 0.1);
        for i in 0..4_000_u16 {
            let mut values = [i / 2 % 2, i / 2 % 2];
            values[biased] = i % 2;
            rates.add(&values, i % 2 == 0 || i % 5 == 0);
        }
        let read = rates.read();
        let [a, b] = [0, 1].map(|at| read.attributes[at].ratio);
        assert!(a.hi != b.hi && a.lo != b.lo, "{a:?} {b:?}");
        let all = rates.impact_ratio(0.1).unwrap();
        assert_eq!((all.lo, all.hi), (a.lo.min(b.lo), a.hi.min(b.hi)));
        assert_eq!(all.value, Some(a.value.unwrap().min(b.value.unwrap())));
        // Half of the whole level for each attribute, half of that for each group.
        assert_eq!(read.attributes[0].groups[0].alpha, 0.025);
    }
}

#[test]
fn shares_and_counts_are_facts() {
    let mut rates = GroupRates::new(&schema(&[2]), None, 0.05);
    for (value, selected) in [(0, true), (0, false), (1, true), (0, true), (0, true)] {
        rates.add(&[value], selected);
    }
    let read = rates.read();
    assert_eq!((read.shown, read.selected), (5, 4));
    let shares = read.attributes[0].groups.iter().map(|group| group.share);
    assert_eq!(shares.collect::<Vec<_>>(), [Some(0.75), Some(0.25)]);
}

/// A lane's rounds are taken in person by person, by whom it was shown.
#[test]
fn a_round_counts_whom_it_showed_and_whom_it_chose() {
    let schema = schema(&[2]);
    let mut batch = Batch::new(Arc::clone(&schema), 1, 0);
    for round in [&[0_u16, 1, 1][..], &[1, 0]] {
        for value in round {
            batch
                .persons_mut()
                .push(u32::from(*value), &[*value], &[], None);
        }
        batch.close_round();
    }
    let mut ledger = Ledger::new(false);
    for chosen in [&[0, 2][..], &[3]] {
        chosen.iter().for_each(|row| ledger.note_chosen(*row));
        ledger.commit();
    }
    let mut rates = GroupRates::new(&schema, None, 0.05);
    let mut plain = rates.clone();
    for at in [0, 1] {
        rates.record(&RoundEntry::new(&batch, at, &ledger, at));
    }
    let people = [(0, true), (1, false), (1, true), (1, true), (0, false)];
    for (value, selected) in people {
        plain.add(&[value], selected);
    }
    assert_eq!(rates.shown(), 5);
    assert_eq!(rates, plain);
}

/// A group that never came has no rate, and its interval says nothing of the others.
#[test]
fn a_group_that_never_came_has_no_share_in_the_ratio() {
    let mut rates = GroupRates::new(&schema(&[3]), None, 0.05);
    for i in 0..4_000_u16 {
        rates.add(&[i % 2], i % 2 == 0 || i % 5 == 0);
    }
    let ratio = rates.read().attributes[0].ratio;
    assert!(ratio.lo > 0.0, "{ratio:?}");
    assert_eq!(rates.impact_ratio(0.05), Some(ratio));
}

#[test]
fn the_target_of_a_group_is_that_of_its_attribute() {
    let schema = schema(&[2, 3, 2]);
    let rows = vec![(2, vec![0.25, 0.75]), (1, vec![0.5, 0.125, 0.375])];
    let target = Arc::new(Target::new(&schema, rows));
    let read = GroupRates::new(&schema, Some(&target), 0.05).read();
    let targets = read.attributes.iter().map(|attribute| {
        let groups = attribute.groups.iter();
        groups
            .map(|group| group.target)
            .collect::<Option<Vec<f64>>>()
    });
    let known = [None, Some(vec![0.5, 0.125, 0.375]), Some(vec![0.25, 0.75])];
    assert_eq!(targets.collect::<Vec<_>>(), known);
}
