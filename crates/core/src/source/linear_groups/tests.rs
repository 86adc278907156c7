//! Streams of groups, whatever the batches.

use super::*;
use crate::protocol::Person;

fn world() -> Arc<LinearGroups> {
    let group = |(name, low): (&str, f64)| LinearGroup {
        name: name.into(),
        probability: 0.5,
        low: vec![low, 0.0],
        width: vec![1.0, 2.0],
        from_round: 1,
    };
    let groups = [("a", 0.0), ("b", 10.0)].map(group);
    Arc::new(LinearGroups::new(vec![1.0, 0.5], groups.into(), false).unwrap())
}

/// The size of each round, and the group and merit of each person.
fn met(sizes: &Sizes, pooled: bool, batch: usize) -> (Vec<usize>, Vec<(u16, u64)>) {
    let mut stream = LinearStream::sized(world(), Key::new(5, 0), sizes.clone(), pooled);
    let (mut rounds, mut people) = (Vec::new(), Vec::new());
    while rounds.len() < 60
        && let Some(batch) = stream.next_batch(batch)
    {
        assert_eq!(batch.round_number(0), rounds.len() as u64 + 1);
        rounds.extend((0..batch.rounds()).map(|round| batch.roster(round).len()));
        people.extend((0..batch.persons().len() as u32).map(|row| {
            let person = Person::new(&batch, row);
            let merit = person.merit().unwrap();
            (person.shown().values()[0], merit.to_bits())
        }));
    }
    rounds.truncate(60);
    people.truncate(rounds.iter().sum());
    (rounds, people)
}

#[test]
fn rosters_of_a_pool_and_sizes_that_vary_do_not_depend_on_the_batches() {
    let listed = Sizes::Listed(vec![3, 0, 5, 1]);
    for sizes in [Sizes::Constant(4), listed, Sizes::Poisson(3.0)] {
        for pooled in [false, true] {
            let whole = met(&sizes, pooled, 4096);
            for batch in [1, 7, 64] {
                assert_eq!(met(&sizes, pooled, batch), whole, "{sizes:?}");
            }
            let each = if pooled { 2 } else { 1 };
            let key = Key::new(5, 0);
            let due = (1..=60).map_while(|round| sizes.at(key, round));
            let due: Vec<usize> = due.map(|size| size as usize * each).collect();
            assert_eq!(whole.0, due);
            let in_turns = whole.1.iter().enumerate();
            let in_turns = in_turns.filter(|(at, one)| usize::from(one.0) == at % 2);
            assert_eq!(in_turns.count() == whole.1.len(), pooled);
            // Of group b the first feature is 10 or more, and of a it is below 1.
            let is_of_b = |one: &(u16, u64)| (f64::from_bits(one.1) >= 10.0) == (one.0 == 1);
            assert!(whole.1.iter().all(is_of_b));
        }
    }
}

/// Three groups and the rounds from which they come; a merit is 2 (group + U).
fn late(starts: [u64; 3], one_per_group: bool) -> LinearGroups {
    let group = |(number, from_round): (usize, u64)| LinearGroup {
        name: number.to_string(),
        probability: [0.2, 0.5, 0.3][number],
        low: vec![number as f64],
        width: vec![1.0],
        from_round,
    };
    let groups = starts.into_iter().enumerate().map(group);
    LinearGroups::new(vec![2.0], groups.collect(), one_per_group).unwrap()
}

/// The group and merit of each person, by round.
type Rounds = Vec<Vec<(u16, f64)>>;

fn rounds(world: LinearGroups, sizes: &Sizes, persons: usize) -> Rounds {
    let world = Arc::new(world);
    let mut stream = LinearStream::sized(world, Key::new(8, 1), sizes.clone(), false);
    let mut all: Rounds = Vec::new();
    while all.len() < 80 {
        let batch = stream.next_batch(persons).unwrap();
        let mut row = 0;
        for round in 0..batch.rounds() {
            let people = (0..batch.roster(round).len()).map(|_| {
                let person = Person::new(&batch, row);
                row += 1;
                (person.shown().values()[0], person.merit().unwrap())
            });
            all.push(people.collect());
        }
    }
    all.truncate(80);
    all
}

/// Before a group comes the stream is that of a world without it, then that of one in which it
/// always came; groups are drawn.
#[test]
fn a_group_that_comes_later_is_drawn_from_its_round_on() {
    let sizes = Sizes::Listed((0..200).map(|n| n % 7).collect());
    let streamed = |persons| rounds(late([20, 1, 51], false), &sizes, persons);
    let all = streamed(1024);
    for persons in [1, 7, 64] {
        assert_eq!(streamed(persons), all);
    }
    let key = Key::new(8, 1);
    let mut number = 0;
    for (round, people) in (1..).zip(&all) {
        let present: &[usize] = match round {
            ..20 => &[1],
            20..51 => &[0, 1],
            _ => &[0, 1, 2],
        };
        assert_eq!(people.len(), (round - 1) % 7);
        for (group, merit) in people {
            let mut words = [0; 2];
            key.fill(Purpose::Person, 2 * number, &mut words);
            number += 1;
            let chance = |group: usize| [0.2, 0.5, 0.3][group];
            let total: f64 = present.iter().map(|group| chance(*group)).sum();
            let (mut below, mut due) = (0.0, None);
            for &group in present {
                below += chance(group) / total;
                if due.is_none() && uniform(words[0]) < below {
                    due = Some(group);
                }
            }
            let due = due.unwrap_or(present[present.len() - 1]);
            assert_eq!(usize::from(*group), due, "round {round}");
            assert_eq!(*merit, 2.0 * (due as f64 + uniform(words[1])));
        }
    }
    let always = rounds(late([1; 3], false), &sizes, 1024);
    assert_eq!(all[50..], always[50..]);
    assert!(all[..50] != always[..50]);
    assert!(late([20, 1, 51], false).law().is_none() && late([1; 3], false).law().is_some());
}

/// A round with one of each group lacks the groups that come later.
#[test]
fn a_group_that_comes_later_has_no_place_before() {
    let world = || late([20, 1, 51], true);
    let sizes = world().present();
    let all = rounds(world(), &sizes, 1024);
    for persons in [1, 2, 3, 64] {
        assert_eq!(rounds(world(), &sizes, persons), all);
    }
    let (key, mut number) = (Key::new(8, 1), 0);
    for (round, people) in (1..).zip(all) {
        let due: &[u16] = match round {
            ..20 => &[1],
            20..51 => &[0, 1],
            _ => &[0, 1, 2],
        };
        let groups: Vec<u16> = people.iter().map(|(group, _)| *group).collect();
        assert_eq!(groups, due, "round {round}");
        for (group, merit) in people {
            let mut word = [0];
            key.fill(Purpose::Person, number, &mut word);
            number += 1;
            assert_eq!(merit, 2.0 * (f64::from(group) + uniform(word[0])));
        }
    }
    assert_eq!(late([1; 3], true).present(), Sizes::Constant(3));
    let mut never = world().groups;
    never.iter_mut().for_each(|group| group.from_round += 1);
    let refused = LinearGroups::new(vec![2.0], never, true).err().unwrap();
    assert!(refused.to_string().contains("round 1"), "{refused}");
}

#[test]
fn the_biases_of_both_simulations_are_equally_far_apart() {
    for (world, first, step) in [
        (LinearGroups::section6(), 3.0, 3.0),
        (LinearGroups::released(), 0.0, 16.0 / 3.0),
    ] {
        for (nth, group) in (0..).zip(world.boxes()) {
            let due = first + f64::from(nth) * step;
            assert!((group.low[16] - due).abs() < 1e-12, "{due}");
        }
    }
}
