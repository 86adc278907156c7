//! The cost of a look-ahead over known respondents, against one integer program per respondent.
//!
//! `cargo bench --bench completion`; `-- --quick` for a few seconds.
//!
//! Three towns of made-up people, each in orders drawn anew. **look-ahead** = a completion that
//! keeps a witness, as `quota_lookahead` asks it; **programs** = the same decisions, for each of
//! which the whole question is put to the integer program: is there a committee of those seated,
//! this one and some still to come? CPU time of one thread, medians of interleaved repetitions.
//! Both decide alike, which is asserted.

#[path = "arena/clock.rs"]
mod clock;

use std::hint::black_box;
use std::sync::Arc;

use clock::{Clock, Times};
use kleroterion::draw::{Key, Purpose};
use kleroterion::panel::PanelQuestion;
use kleroterion::panel::completion::Completion;
use kleroterion::panel::feasibility::{NODES, Sought, committee};
use kleroterion::protocol::{Quota, Respondents};
use kleroterion_testkit::town::{TOWNS, Town};

/// The question of a town.
fn question(town: &Town) -> PanelQuestion {
    let mut draw = Key::new(town.people as u64, 0).draw(Purpose::World, 0, 0);
    let people = town.draw(&mut |n| draw.below(n));
    let names = (0..town.people).map(|one| one.to_string().into());
    let respondents = Respondents::new(
        town.values.len(),
        people.values.concat(),
        Some(people.homes),
        names.collect(),
    );
    let row = |row: &Vec<[u32; 2]>| row.iter().map(|&[min, max]| Quota { min, max }).collect();
    PanelQuestion {
        respondents: Arc::new(respondents),
        quotas: people.quotas.iter().map(row).collect(),
        members: town.members as u32,
    }
}

/// An order of the respondents.
fn order(people: usize, replication: u64) -> Vec<u32> {
    let mut draw = Key::new(35, replication).draw(Purpose::Shuffle, 0, 0);
    let mut order: Vec<u32> = (0..people as u32).collect();
    for last in (1..people).rev() {
        order.swap(last, draw.below(last as u64 + 1) as usize);
    }
    order
}

/// A committee filled in an order by a rule that says who sits, and how many were shown.
fn fill(
    question: &PanelQuestion,
    order: &[u32],
    mut sits: impl FnMut(u32, &[u32], &[u32]) -> bool,
) -> (Vec<u32>, u64) {
    let homes = question.respondents.households().expect("towns have them");
    let mut panel: Vec<u32> = Vec::new();
    let mut shown = 0;
    for (at, &one) in order.iter().enumerate() {
        let home = |other: &u32| homes[*other as usize];
        if panel.iter().any(|other| home(other) == home(&one)) {
            continue;
        }
        shown += 1;
        if sits(one, &panel, &order[at + 1..]) {
            panel.push(one);
        }
        if panel.len() == question.members as usize {
            break;
        }
    }
    (panel, shown)
}

fn look_ahead(start: &Completion, question: &PanelQuestion, order: &[u32]) -> (Vec<u32>, u64, u64) {
    let mut completion = start.clone();
    let (panel, shown) = fill(question, order, |one, _, _| {
        let sits = completion.may_seat(one);
        let holds = match sits {
            true => completion.seat(one),
            false => completion.pass(one),
        };
        assert!(holds, "there is a witness");
        sits
    });
    (panel, shown, completion.effort().programs)
}

fn programs(question: &PanelQuestion, order: &[u32]) -> (Vec<u32>, u64) {
    let people = &question.respondents;
    let homes = people.households().expect("towns have them");
    fill(question, order, |one, panel, later| {
        let mut quotas = question.quotas.clone();
        let seated = || panel.iter().chain([&one]);
        for &member in seated() {
            for (row, value) in quotas.iter_mut().zip(people.values(member)) {
                let quota = &mut row[usize::from(*value)];
                let Some(most) = quota.max.checked_sub(1) else {
                    return false;
                };
                quota.max = most;
                quota.min = quota.min.saturating_sub(1);
            }
        }
        let home = |one: &u32| homes[*one as usize];
        let is_free = |other: &&u32| seated().all(|member| home(member) != home(other));
        let open: Vec<u32> = later.iter().filter(is_free).copied().collect();
        let values: Vec<&[u16]> = open.iter().map(|&one| people.values(one)).collect();
        let homes: Vec<u32> = open.iter().map(home).collect();
        let seats = question.members - panel.len() as u32 - 1;
        let sought = committee(&quotas, seats, &values, Some(&homes), NODES);
        matches!(sought, Sought::Found(_))
    })
}

fn main() {
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let args: Vec<String> = std::env::args().collect();
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let (orders, repetitions) = if quick { (1, 1) } else { (3, 9) };
    let clock = Clock::new();
    println!(
        "microseconds a respondent shown, medians of {repetitions} repetitions; the look-ahead's"
    );
    println!("programs and milliseconds a committee");
    println!("respondents  members  look-ahead  programs  programs solved  ms");
    for town in TOWNS.iter().take(if quick { 1 } else { TOWNS.len() }) {
        let question = question(town);
        let start = Completion::new(&question).expect("a committee is known");
        let all: Vec<Vec<u32>> = (0..orders).map(|at| order(town.people, at)).collect();
        let (mut shown, mut solved) = (0, 0);
        for order in &all {
            let (panel, seen, programs) = look_ahead(&start, &question, order);
            assert!(question.breaches(&panel).is_empty(), "all quotas are kept");
            assert_eq!((panel, seen), self::programs(&question, order));
            shown += seen;
            solved += programs;
        }
        let times = Times::take::<2>(repetitions, |way| {
            clock.time(|| {
                for order in &all {
                    match way {
                        0 => drop(black_box(look_ahead(&start, &question, order))),
                        _ => drop(black_box(programs(&question, order))),
                    }
                }
            })
        });
        let [ahead, plain] = [0, 1].map(|way| times.median(|row| row[way]));
        println!(
            "{:>11}  {:>7}  {:>10.1}  {:>8.1}  {:>15.1}  {:>2.1}",
            town.people,
            town.members,
            ahead / 1e3 / shown as f64,
            plain / 1e3 / shown as f64,
            solved as f64 / orders as f64,
            ahead / 1e6 / orders as f64,
        );
    }
}
