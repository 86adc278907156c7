use std::collections::BTreeMap;

use super::*;

fn look(candidate: &str, kind: usize, nth: u64) -> LookKey {
    LookKey {
        candidate: candidate.into(),
        kind,
        nth,
    }
}

fn book(lanes: usize, audience: Audience) -> LookBook {
    LookBook::new(LookLanes::new(lanes, audience))
}

/// The answers to a lane's interviews of kind 0 with these candidates, for the first time.
fn ask(book: &mut LookBook, lane: usize, round: u64, who: &[&str]) -> Option<Vec<Option<f64>>> {
    let wanted: Vec<_> = who.iter().map(|who| look(who, 0, 0)).collect();
    book.consult(lane, round, &wanted, 5, &mut Vec::new())
}

#[test]
fn what_lanes_share_is_asked_once_and_shown_to_each() {
    let mut book = book(2, Audience::All);
    let wanted = [look("ann", 0, 0), look("bob", 1, 0)];
    let mut asked = Vec::new();
    assert_eq!(book.consult(0, 1, &wanted, 5, &mut asked), None);
    assert_eq!(book.consult(1, 1, &wanted[..1], 9, &mut asked), None);
    assert_eq!(asked.len(), 2);
    let open = book.listed(LookState::Open..=LookState::Open);
    assert_eq!(open[0].wanted_by, [0, 1]);
    assert_eq!((open[0].since, &open[1].wanted_by), (5, &vec![0]));
    // Not before it is committed, and not before all are there.
    assert_eq!(
        book.receive("ann", 0, None, 0.5),
        Received::Taken(look("ann", 0, 0))
    );
    assert_eq!(book.consult(1, 1, &wanted[..1], 9, &mut asked), None);
    assert!(book.commit() && !book.commit());
    let told = book.consult(1, 1, &wanted[..1], 9, &mut asked);
    assert_eq!(told, Some(vec![Some(0.5)]));
    assert_eq!(book.consult(0, 1, &wanted, 9, &mut asked), None);
    book.receive("bob", 1, Some(0), -2.0);
    book.commit();
    let told = book.consult(0, 1, &wanted, 9, &mut asked);
    assert_eq!(told, Some(vec![Some(0.5), Some(-2.0)]));
    assert_eq!(book.counts(), [0, 2, 0]);
}

#[test]
fn an_answer_is_held_against_what_was_asked_and_answered() {
    let mut book = book(1, Audience::All);
    assert_eq!(book.receive("ann", 0, None, 1.0), Received::Unasked);
    ask(&mut book, 0, 1, &["ann", "bob"]);
    assert_eq!(book.receive("ann", 1, None, 1.0), Received::Unasked);
    assert_eq!(book.receive("ann", 0, Some(1), 1.0), Received::Unasked);
    book.receive("ann", 0, None, 1.0);
    assert_eq!(book.receive("ann", 0, Some(0), 1.0), Received::Repeated);
    assert_eq!(
        book.receive("ann", 0, None, 2.0),
        Received::Contradicts(1.0)
    );
    // The next of its kind is what an answer without a number is for.
    book.commit();
    book.consult(0, 1, &[look("ann", 0, 1)], 5, &mut Vec::new());
    assert_eq!(
        book.receive("ann", 0, Some(0), 2.0),
        Received::Contradicts(1.0)
    );
    let second = Received::Taken(look("ann", 0, 1));
    assert_eq!(book.receive("ann", 0, None, 2.0), second);
    assert_eq!(book.overdue(4), []);
    for late in book.overdue(5) {
        book.miss(&late);
    }
    assert_eq!(book.receive("bob", 0, None, 2.0), Received::Missed);
    assert_eq!(ask(&mut book, 0, 1, &["bob"]), None);
    book.commit();
    assert_eq!(ask(&mut book, 0, 1, &["bob"]), Some(vec![None]));
}

#[test]
fn who_withdrew_is_never_asked_and_what_they_had_answered_holds() {
    let mut book = book(1, Audience::All);
    ask(&mut book, 0, 1, &["ann", "bob"]);
    book.receive("ann", 0, None, 1.0);
    assert!(book.withdraw("ann") && book.withdraw("bob"));
    assert!(!book.withdraw("ann"));
    assert_eq!(book.receive("bob", 0, None, 1.0), Received::Withdrawn);
    assert_eq!(ask(&mut book, 0, 1, &["ann", "bob"]), None);
    book.commit();
    let told = ask(&mut book, 0, 1, &["ann", "bob"]);
    assert_eq!(told, Some(vec![Some(1.0), None]));
    let mut asked = Vec::new();
    let told = book.consult(0, 1, &[look("bob", 0, 1)], 5, &mut asked);
    assert_eq!((told, asked), (Some(vec![None]), Vec::new()));
    assert!(!book.withdraw("bob"));
    assert_eq!(book.receive("bob", 0, Some(0), 1.0), Received::Withdrawn);
    assert_eq!(book.counts(), [0, 1, 0]);
}

#[test]
fn a_fallback_asks_from_the_round_in_which_the_acting_lane_broke_off() {
    let mut book = book(
        3,
        Audience::Acting {
            lane: 0,
            fallback: Some(1),
        },
    );
    book.lanes().close(0, 1);
    assert_eq!(ask(&mut book, 1, 2, &["ann"]), None);
    assert_eq!(book.counts(), [0, 0, 0]);
    book.lanes().end(0, true);
    assert_eq!(ask(&mut book, 2, 2, &["bob"]), None);
    assert_eq!(ask(&mut book, 1, 1, &["ann"]), Some(vec![None]));
    assert_eq!(ask(&mut book, 1, 2, &["ann"]), None);
    assert_eq!(book.counts(), [1, 0, 0]);
    book.lanes().close(1, 2);
    assert_eq!(ask(&mut book, 2, 2, &["bob"]), Some(vec![None]));
    book.lanes().end(1, true);
    assert_eq!(ask(&mut book, 2, 3, &["bob"]), Some(vec![None]));
}

/// A number that hangs on these words alone.
fn word(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |mix, word| {
        let mix = (mix ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mix ^ (mix >> 32)
    })
}

/// The fate of each interview, whoever asks and whenever.
fn fate(key: &LookKey) -> Option<f64> {
    let person = u64::from(key.candidate.as_bytes()[0]);
    let word = word(&[person, key.kind as u64, key.nth]);
    (!word.is_multiple_of(5)).then_some((word % 100) as f64)
}

/// The interviews that a lane wants next, given all that it has heard; none ends its round.
fn next(lane: usize, round: u64, heard: &[Option<f64>]) -> Vec<LookKey> {
    if heard.len() > 6 || heard.contains(&None) {
        return Vec::new();
    }
    let said = heard.iter().flatten().map(|value| *value as u64);
    let mut words = vec![lane as u64 % 2, round];
    words.extend(said);
    (0..1 + word(&words) % 3)
        .map(|at| {
            words.push(at);
            let word = word(&words);
            let candidate = char::from(b'a' + (8 * round + word % 4) as u8 % 26).to_string();
            look(&candidate, (word >> 8) as usize % 2, 0)
        })
        .collect()
}

/// The answers to each lane in each round, if the lanes play one after another.
fn plainly(lanes: usize, acting: Option<usize>) -> Vec<Vec<Vec<Option<f64>>>> {
    let mut held: BTreeMap<u64, Vec<LookKey>> = BTreeMap::new();
    let mut told = vec![Vec::new(); lanes];
    let first = acting.into_iter();
    for lane in first.chain((0..lanes).filter(|lane| Some(*lane) != acting)) {
        for round in 1..=3 {
            let mut heard = Vec::new();
            loop {
                let wanted = next(lane, round, &heard);
                if wanted.is_empty() {
                    break;
                }
                for key in wanted {
                    let held = held.entry(round).or_default();
                    let is_held = match acting {
                        Some(acting) if acting != lane => held.contains(&key),
                        _ => true,
                    };
                    heard.push(fate(&key).filter(|_| is_held));
                    if acting == Some(lane) {
                        held.push(key);
                    }
                }
            }
            told[lane].push(heard);
        }
    }
    told
}

#[test]
fn whatever_the_order_of_things_each_lane_hears_what_the_plain_telling_says() {
    for (lanes, acting) in [(1, None), (3, None), (3, Some(0)), (4, Some(2))] {
        let plain = plainly(lanes, acting);
        for seed in 0..200 {
            let audience = acting.map_or(Audience::All, |lane| Audience::Acting {
                lane,
                fallback: None,
            });
            let mut book = book(lanes, audience);
            let mut told = vec![vec![Vec::new()]; lanes];
            let mut left = 3 * lanes;
            for step in 0_u64.. {
                assert!(step < 100_000, "it comes to an end");
                let word = word(&[seed, step]);
                let lane = (word >> 16) as usize % (lanes + 1);
                if lane == lanes {
                    // People answer one of the interviews, or let it pass.
                    let open = book.listed(LookState::Open..=LookState::Open);
                    if let Some(one) = open.get((word >> 24) as usize % open.len().max(1)) {
                        let LookKey {
                            candidate,
                            kind,
                            nth,
                        } = &one.look;
                        match fate(&one.look) {
                            Some(value) => {
                                book.receive(candidate, *kind, Some(*nth), value);
                            }
                            None => book.miss(&one.look),
                        }
                    }
                    if word.is_multiple_of(2) {
                        book.commit();
                    }
                    continue;
                }
                let round = told[lane].len() as u64;
                if round > 3 {
                    continue;
                }
                let heard = &mut told[lane][round as usize - 1];
                let wanted = next(lane, round, heard);
                if wanted.is_empty() {
                    book.lanes().close(lane, round);
                    told[lane].push(Vec::new());
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                } else if let Some(answers) =
                    book.consult(lane, round, &wanted, step, &mut Vec::new())
                {
                    heard.extend(answers);
                }
            }
            told.iter_mut().for_each(|rounds| rounds.truncate(3));
            assert_eq!(told, plain, "{lanes} lanes, {acting:?}, seed {seed}");
        }
    }
}

/// Checks that lanes want earlier interviews again after a restart, before any new ones.
#[test]
fn what_was_asked_and_is_wanted_no_more_is_found_once_all_lanes_have_caught_up() {
    let acting = |fallback| Audience::Acting { lane: 0, fallback };
    let asked_of = |book: &mut LookBook, who: &[&str]| {
        for who in who {
            let look = look(who, 0, 0);
            book.note_asked(Asked { look, at: 1 });
        }
    };
    let ann = Some(look("ann", 0, 0));
    // The same, and one more.
    let mut same = book(2, acting(None));
    asked_of(&mut same, &["ann", "bob"]);
    assert_eq!(same.forgotten(), None);
    ask(&mut same, 1, 1, &["cem"]);
    assert_eq!(same.forgotten(), None, "a shadow says nothing");
    ask(&mut same, 0, 1, &["ann", "bob", "cem"]);
    assert_eq!(same.forgotten(), None);
    // Another.
    let mut other = book(2, acting(None));
    asked_of(&mut other, &["ann", "bob"]);
    ask(&mut other, 0, 1, &["bob", "cem"]);
    assert_eq!(other.forgotten().cloned(), ann);
    // None at all: it is over.
    let mut none = book(2, acting(None));
    asked_of(&mut none, &["ann"]);
    none.lanes().end(0, false);
    assert_eq!(none.forgotten().cloned(), ann);
    // Who takes over may have asked.
    let mut taken = book(2, acting(Some(1)));
    asked_of(&mut taken, &["ann"]);
    taken.lanes().end(0, true);
    assert_eq!(taken.forgotten(), None);
    // And so may who broke off.
    ask(&mut taken, 1, 1, &["bob"]);
    assert_eq!(taken.forgotten(), None);
    // Where all lanes ask, all are waited for.
    let mut all = book(2, Audience::All);
    asked_of(&mut all, &["ann", "bob"]);
    ask(&mut all, 0, 1, &["bob"]);
    assert_eq!(all.forgotten(), None);
    ask(&mut all, 1, 1, &["ann"]);
    assert_eq!(all.forgotten(), None);
}
