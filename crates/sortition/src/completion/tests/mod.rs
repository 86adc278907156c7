//! Completions against all committees of small pools, and whole streams of larger ones.

mod declines;

use std::sync::Arc;

use super::*;
use kleroterion_core::draw::{Draw, Key, Purpose};
use kleroterion_core::protocol::Respondents;
use kleroterion_testkit::town::{TOWNS, Town};

fn question(
    people: &[Vec<u16>],
    homes: Option<Vec<u32>>,
    quotas: &[Vec<Quota>],
    members: u32,
) -> PanelQuestion {
    let names = (0..people.len()).map(|one| one.to_string().into());
    let width = quotas.len();
    PanelQuestion {
        respondents: Arc::new(Respondents::new(
            width,
            people.concat(),
            homes,
            names.collect(),
        )),
        quotas: quotas.to_vec(),
        members,
    }
}

/// A small world: people of two or three attributes, one of them perhaps without quotas.
fn small(draw: &mut Draw, people: u64) -> PanelQuestion {
    let attributes = 2 + draw.below(2) as usize;
    let levels = 2 + draw.below(2);
    let person = |draw: &mut Draw| (0..attributes).map(|_| draw.below(levels) as u16).collect();
    let all: Vec<Vec<u16>> = (0..people).map(|_| person(draw)).collect();
    let members = 2 + draw.below(3) as u32;
    let homes =
        (draw.below(2) == 0).then(|| (0..people).map(|_| draw.below(people) as u32).collect());
    let row = |draw: &mut Draw| match draw.below(5) {
        0 => Vec::new(),
        _ => (0..levels)
            .map(|_| {
                let min = draw.below(3) as u32 / 2;
                Quota {
                    min,
                    max: min + draw.below(u64::from(members)) as u32,
                }
            })
            .collect(),
    };
    let quotas: Vec<Vec<Quota>> = (0..attributes).map(|_| row(draw)).collect();
    question(&all, homes, &quotas, members)
}

/// Returns all committees that keep all quotas, as sets of respondents.
fn committees(question: &PanelQuestion) -> Vec<u32> {
    let people = question.respondents.len() as u32;
    let sets = 0_u32..1 << people;
    let keeps = |set: &u32| {
        let panel: Vec<u32> = (0..people).filter(|one| set >> one & 1 == 1).collect();
        set.count_ones() == question.members && question.breaches(&panel).is_empty()
    };
    sets.filter(keeps).collect()
}

/// A committee that is filled, and by enumeration those that it may still become.
#[derive(Clone)]
struct Filling {
    question: PanelQuestion,
    completion: Completion,
    /// Committees that agree with all decisions so far.
    left: Vec<u32>,
    /// The candidates shown together and not decided, and the number of them who may still get a
    /// seat.
    shown: (u32, u32),
}

impl Filling {
    fn new(question: PanelQuestion) -> Option<Self> {
        let left = committees(&question);
        let completion = Completion::new(&question);
        assert_eq!(completion.is_err(), left.is_empty());
        Some(Self {
            completion: completion.ok()?,
            left,
            question,
            shown: (0, u32::MAX),
        })
    }

    /// The number of people seated in every committee that is left, if all seats are taken.
    fn seated(&self) -> u32 {
        self.question.members - self.completion.need.seats
    }

    /// Returns true if a committee agrees with one decision more.
    fn could(&self, one: u32, sits: bool) -> bool {
        let (shown, places) = self.shown;
        let others = shown & !(1 << one);
        let within = |set: u32| {
            (set & others).count_ones() <= places.saturating_sub(u32::from(sits))
                && (!sits || places > 0)
        };
        let agrees = |set: &u32| (set >> one & 1 == 1) == sits && within(*set);
        self.left.iter().any(agrees)
    }

    /// Shows several together; false where no committee can be reached through them.
    fn meet(&mut self, slate: &[u32], places: u32) -> bool {
        let shown = slate.iter().fold(0, |set, one| set | 1 << one);
        self.shown = (shown, places);
        self.completion.meet(slate, places);
        self.left
            .iter()
            .any(|set| (set & shown).count_ones() <= places)
    }

    /// Seats or passes someone, as the answers allow, and holds both to what committees there are;
    /// returns whether they sit.
    fn decide(&mut self, one: u32, wants: bool) -> bool {
        let seats = self.completion.may_seat(one);
        let passes = self.completion.may_pass(one);
        let could = (self.could(one, true), self.could(one, false));
        assert_eq!((seats, passes), could, "{one}");
        let sits = if wants { seats } else { !passes };
        let holds = match sits {
            true => self.completion.seat(one),
            false => self.completion.pass(one),
        };
        assert!(holds);
        self.left.retain(|set| (set >> one & 1 == 1) == sits);
        self.shown.0 &= !(1 << one);
        self.shown.1 -= u32::from(sits && self.shown.1 < u32::MAX);
        sits
    }
}

fn shuffled(draw: &mut Draw, people: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..people as u32).collect();
    for last in (1..people).rev() {
        order.swap(last, draw.below(last as u64 + 1) as usize);
    }
    order
}

/// Plays a stream, one by one; `wants`: whom the base rule would accept. The panel.
fn play(question: &PanelQuestion, order: &[u32], mut decide: impl FnMut(u32) -> bool) -> Vec<u32> {
    let homes = question.respondents.households();
    let mut panel: Vec<u32> = Vec::new();
    for &one in order {
        let is_mate = |other: &u32| homes.is_some_and(|of| of[*other as usize] == of[one as usize]);
        // The referee shows no second person of a household.
        if !panel.iter().any(is_mate) && decide(one) {
            panel.push(one);
        }
        if panel.len() == question.members as usize {
            break;
        }
    }
    panel
}

#[test]
fn each_answer_is_that_of_all_committees() {
    let (mut met, mut none) = ([0, 0], 0);
    for world in 0..400 {
        let mut draw = Key::new(35, world).draw(Purpose::World, 0, 0);
        let people = 6 + draw.below(6);
        let Some(start) = Filling::new(small(&mut draw, people)) else {
            none += 1;
            continue;
        };
        met[usize::from(start.question.respondents.households().is_some())] += 1;
        for eager in [1, 2, 4] {
            let mut filling = start.clone();
            let order = shuffled(&mut draw, people as usize);
            let question = start.question.clone();
            let panel = play(&question, &order, |one| {
                let wants = draw.below(eager) == 0;
                filling.decide(one, wants)
            });
            assert_eq!(question.breaches(&panel), []);
        }
    }
    assert!(
        none >= 50 && met.iter().all(|met| *met >= 50),
        "{met:?} {none}"
    );
}

#[test]
fn those_shown_together_count_as_many_as_may_sit() {
    let (mut met, mut beyond) = (0, 0);
    for world in 0..400 {
        let mut draw = Key::new(36, world).draw(Purpose::World, 0, 0);
        let mut question = small(&mut draw, 10);
        let people = (0..10).map(|one| question.respondents.values(one).to_vec());
        let people: Vec<Vec<u16>> = people.collect();
        // Without households, because their second members would be hidden.
        question = self::question(&people, None, &question.quotas, question.members);
        let Some(mut filling) = Filling::new(question) else {
            continue;
        };
        let places = 1 + draw.below(3) as u32;
        for slate in shuffled(&mut draw, 10).chunks(4) {
            if filling.question.members == filling.seated() {
                break;
            }
            if !filling.meet(slate, places) {
                beyond += 1;
                break;
            }
            for &one in slate {
                let wants = draw.below(2) == 0;
                filling.decide(one, wants);
            }
            met += 1;
        }
    }
    assert!(met > 200 && beyond > 10, "{met} {beyond}");
}

fn town_question(town: &Town, seed: u64) -> PanelQuestion {
    let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
    let people = town.draw(&mut |n| draw.below(n));
    let row = |row: &Vec<[u32; 2]>| row.iter().map(|&[min, max]| Quota { min, max }).collect();
    let quotas: Vec<Vec<Quota>> = people.quotas.iter().map(row).collect();
    question(
        &people.values,
        Some(people.homes),
        &quotas,
        town.members as u32,
    )
}

/// A town in which each value is wanted as often as one committee has it.
const EXACT: Town = Town {
    people: 180,
    values: &[2, 5, 4, 3, 3],
    members: 24,
    slack: 0,
};

#[test]
fn whole_streams_of_larger_pools_keep_all_quotas() {
    for (seed, town) in [(1, &TOWNS[0]), (2, &EXACT)] {
        let question = town_question(town, seed);
        let start = Completion::new(&question).expect("a committee is known");
        for replication in 0..4 {
            let mut draw = Key::new(seed, replication).draw(Purpose::Shuffle, 0, 0);
            let order = shuffled(&mut draw, town.people);
            let mut completion = start.clone();
            let panel = play(&question, &order, |one| {
                let wants = draw.below(3) > 0;
                let sits = match wants {
                    true => completion.may_seat(one),
                    false => !completion.may_pass(one),
                };
                let holds = match sits {
                    true => completion.seat(one),
                    false => completion.pass(one),
                };
                assert!(holds);
                sits
            });
            assert_eq!(question.breaches(&panel), [], "{seed} {replication}");
            assert_eq!(completion.effort().undecided, 0);
        }
    }
}

#[test]
fn the_one_committee_there_is_is_found_in_every_order() {
    let mut unique = 0;
    for world in 0..600 {
        let mut draw = Key::new(37, world).draw(Purpose::World, 0, 0);
        let question = small(&mut draw, 7);
        let committees = committees(&question);
        let [only] = committees[..] else { continue };
        unique += 1;
        let start = Completion::new(&question).expect("there is a committee");
        for _ in 0..5 {
            let mut completion = start.clone();
            let order = shuffled(&mut draw, 7);
            let panel = play(&question, &order, |one| {
                let sits = completion.may_seat(one);
                assert!(if sits {
                    completion.seat(one)
                } else {
                    completion.pass(one)
                });
                sits
            });
            assert_eq!(panel.iter().fold(0, |set, one| set | 1 << one), only);
        }
    }
    assert!(unique >= 10, "{unique}");
}

#[test]
fn what_no_committee_allows_is_said_to_be_lost() {
    let one = Quota { min: 1, max: 1 };
    let question = question(&[vec![0], vec![1], vec![0]], None, &[vec![one, one]], 2);
    let start = Completion::new(&question).expect("there are two committees");
    let mut completion = start.clone();
    assert!(!completion.may_pass(1) && !completion.pass(1));
    completion = start;
    assert!(completion.seat(0) && !completion.may_seat(2) && !completion.seat(2));
}

#[test]
fn what_is_not_decided_is_not_risked() {
    let question = town_question(&EXACT, 2);
    let mut undecided = 0;
    for replication in 0..4 {
        let mut draw = Key::new(2, replication).draw(Purpose::Shuffle, 0, 0);
        let order = shuffled(&mut draw, EXACT.people);
        let start = Completion::bounded(&question, feasibility::NODES, 0);
        let mut completion = start.expect("a committee is known");
        let panel = play(&question, &order, |one| {
            let sits = completion.may_seat(one);
            assert!(if sits {
                completion.seat(one)
            } else {
                completion.pass(one)
            });
            sits
        });
        assert_eq!(question.breaches(&panel), []);
        undecided += completion.effort().undecided;
    }
    assert!(undecided > 0);
}
