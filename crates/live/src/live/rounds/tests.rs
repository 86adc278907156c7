use std::sync::Arc;

use super::*;
use kleroterion_core::source::Sizes;
use kleroterion_io::feed::{Framing, OnError, Reading, ReadingSpec, Transport};

fn count(slates: SlateEnd) -> RoundCount {
    let feed = FeedSpec {
        transport: Transport::Stdin,
        framing: Framing::default(),
        max_length: 100,
        on_error: OnError::Skip,
        reading: Arc::new(Reading::new(ReadingSpec::default()).unwrap()),
        outcomes: None,
        outcome_range: None,
        horizon: None,
        slates,
        each: 1,
    };
    RoundCount::new(&feed, Key::new(1, 0))
}

/// An entry of a journal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    Person,
    /// The outcome of this person.
    Outcome(u64),
    Withdrawal(u64),
    Closing,
}

/// For each outcome whether it was heard when all had come, and the rounds that are whole.
fn counted(ends: &SlateEnd, entries: &[Entry]) -> (Vec<bool>, u64) {
    let mut count = count(ends.clone());
    for (seq, entry) in (1..).zip(entries) {
        match entry {
            Entry::Person => count.came(seq),
            Entry::Withdrawal(person) => drop(count.withdrew(*person)),
            Entry::Closing => count.closed(seq),
            Entry::Outcome(_) => {}
        }
    }
    let told = (1..).zip(entries).filter_map(|(seq, entry)| match entry {
        Entry::Outcome(person) => Some(count.heard(*person, seq)),
        _ => None,
    });
    (told.collect(), count.whole)
}

/// The same, played plainly: the round of an outcome is the first that is whole after it, and
/// after its person's.
fn plainly(sizes: Option<&[usize]>, entries: &[Entry]) -> (Vec<bool>, u64) {
    let (mut open, mut rounds) = (Vec::new(), Vec::new());
    let mut came = 0;
    for (at, entry) in entries.iter().enumerate() {
        match entry {
            Entry::Person => {
                open.push(came);
                came += 1;
            }
            Entry::Withdrawal(person) => open.retain(|other| other != person),
            Entry::Closing | Entry::Outcome(_) => {}
        }
        let full = sizes.is_some_and(|sizes| sizes.get(rounds.len()) == Some(&open.len()));
        if full || *entry == Entry::Closing {
            rounds.push((at, std::mem::take(&mut open)));
        }
    }
    let heard = entries.iter().enumerate().filter_map(|(at, entry)| {
        let Entry::Outcome(person) = entry else {
            return None;
        };
        let of_person = rounds.iter().position(|(_, on)| on.contains(person));
        let later = rounds.iter().enumerate();
        let mut later = later.filter(|(round, (whole, _))| Some(*round) > of_person && *whole > at);
        Some(of_person.is_some() && later.next().is_some())
    });
    (heard.collect(), rounds.len() as u64)
}

#[test]
fn an_outcome_is_heard_once_a_later_round_than_its_persons_is_whole() {
    for sizes in [vec![1; 12], vec![3; 4], vec![2, 1, 5, 2, 2]] {
        let listed = Sizes::Listed(sizes.iter().map(|size| *size as u32).collect());
        for pattern in 0..1_u32 << 9 {
            let mut entries = vec![Entry::Person, Entry::Person];
            let person = |bit: u32| pattern >> bit & 1 == 1;
            entries.extend((0..9).map(|bit| match person(bit) {
                true => Entry::Person,
                false => Entry::Outcome(1),
            }));
            let found = counted(&SlateEnd::Size(listed.clone()), &entries);
            assert_eq!(found, plainly(Some(&sizes), &entries), "{entries:?}");
        }
    }
}

#[test]
fn slates_that_are_closed_leave_out_who_withdrew() {
    // All orders of seven entries, of five sorts each; none withdraws twice, no slate is empty.
    for mut word in 0..5_u32.pow(7) {
        let mut entries = vec![Entry::Person, Entry::Person];
        let (mut withdrawn, mut people, mut open) = (Vec::new(), 2, 2_i32);
        for _ in 0..7 {
            let entry = match word % 5 {
                0 => Entry::Person,
                1 => Entry::Outcome(0),
                2 => Entry::Withdrawal(0),
                3 => Entry::Withdrawal(people - 1),
                _ => Entry::Closing,
            };
            word /= 5;
            match entry {
                Entry::Person => (people, open) = (people + 1, open + 1),
                Entry::Withdrawal(person) if withdrawn.contains(&person) => continue,
                Entry::Withdrawal(person) => {
                    withdrawn.push(person);
                    open -= 1;
                }
                Entry::Closing if open <= 0 => continue,
                Entry::Closing => open = 0,
                Entry::Outcome(_) => {}
            }
            entries.push(entry);
        }
        let found = counted(&SlateEnd::Closing, &entries);
        let plain = plainly(None, &entries);
        assert_eq!(found.1, plain.1, "{entries:?}");
        // Of who withdrew no outcome is learnt, and none is reported in earnest.
        let told = entries
            .iter()
            .filter(|entry| matches!(entry, Entry::Outcome(_)));
        if !withdrawn.contains(&0) && told.count() > 0 {
            assert_eq!(found.0, plain.0, "{entries:?}");
        }
    }
}
