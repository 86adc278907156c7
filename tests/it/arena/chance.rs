//! Rules, worlds and policies at random: whatever they are, the arena does what the plain telling
//! says.

use std::collections::BTreeMap;

use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::protocol::{Choose, Delay, Ending, Gain, InterviewKind, Rules, Until};

use crate::doubles::{GAINS, Part, Seating, Show, Sway, Temper, Then, Whim, World};

fn rules(draw: &mut Draw) -> Rules {
    let choose = match draw.below(4) {
        0 => Choose::Any,
        1 => Choose::AtMost(1 + draw.below(3) as u32),
        2 => Choose::Exactly(1 + draw.below(3) as u32),
        _ => Choose::Share([0.29, 0.3, 0.5, 1.0][draw.below(4) as usize]),
    };
    let until = match draw.below(4) {
        0 => Until::Accepted(1 + draw.below(60)),
        1 => Until::Rounds(1 + draw.below(60)),
        2 => Until::Rounds(1 + draw.below(4)),
        _ => Until::SourceEnds,
    };
    let mut rules = Rules::new(choose, until);
    if draw.below(4) == 0 {
        rules.max_rounds = 1 + draw.below(60);
    }
    let kinds = draw.below(4) as usize;
    for (kind, gain) in GAINS.into_iter().enumerate().take(kinds) {
        rules.interviews.push(InterviewKind {
            name: format!("kind {kind}"),
            cost: [0.25, 1.0, 0.1][draw.below(3) as usize],
            gain: gain.into(),
        });
    }
    if draw.below(2) == 0 {
        rules.interview_cap = draw.below(8);
    }
    if draw.below(2) == 0 {
        rules.budget = draw.below(20) as f64 / 4.0;
    }
    if draw.below(2) == 0 {
        rules.run_budget = draw.below(200) as f64 / 4.0;
    }
    rules.refill = draw.below(2) == 0;
    rules.delay = match draw.below(3) {
        0 => Delay::Fixed(draw.below(4)),
        1 => Delay::Uniform { low: 0, high: 3 },
        _ => Delay::Uniform { low: 2, high: 9 },
    };
    rules
}

fn part(lane: usize, draw: &mut Draw) -> Part {
    let mut rules = rules(draw);
    let seating = [Seating::Blind, Seating::Sighted, Seating::Outside][draw.below(3) as usize];
    // A mind outside knows one gain a kind.
    if seating != Seating::Outside
        && let Some(kind) = rules.interviews.get_mut(1)
    {
        kind.gain = Gain::ByValue {
            attribute: 0,
            of: [0.5, 2.0, 8.0].into(),
        };
    }
    let temper = Temper {
        breaks_rules: [0, 3, 30][draw.below(3) as usize],
        panics: if seating == Seating::Outside {
            0
        } else {
            [0, 3, 20][draw.below(3) as usize]
        },
        stalls: [0, 2][draw.below(2) as usize],
        leaves: if seating == Seating::Outside {
            [0, 20][draw.below(2) as usize]
        } else {
            0
        },
    };
    let kinds = rules.interviews.len();
    let mind = Whim::maker(draw.word(), temper, kinds.max(1));
    let mut part = Part::new(&format!("lane {lane}"), rules, mind).seated(seating);
    if draw.below(2) == 0 {
        part = part.with_pool(Sway::new(1 + draw.below(9)));
    }
    part.traced = draw.below(2) == 0;
    part
}

fn show(seed: u64) -> Show {
    let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
    let rounds = 1 + draw.below(80);
    let most = 1 + draw.below(9);
    let mut world = World::of(
        (0..rounds)
            .map(|_| draw.below(most + 1) as u32)
            .collect::<Vec<_>>(),
    );
    match draw.below(4) {
        0 => world.then = Then::Fails("scripted: the wire is cut"),
        1 => world.interrupt_after = Some(1 + draw.below(rounds) as usize),
        _ => {}
    }
    if draw.below(2) == 0 {
        world.declines = 1 + draw.below(7);
    }
    if draw.below(4) == 0 {
        world.households = Some(1 + draw.below(200) as u32);
    }
    let lanes = 1 + draw.below(4) as usize;
    let mut show = Show::new(
        world,
        (0..lanes).map(|lane| part(lane, &mut draw)).collect(),
    );
    show.seed = seed;
    if show
        .parts
        .iter()
        .all(|part| part.rules.interviews.is_empty())
        && draw.below(2) == 0
    {
        show.answers = None;
        show.world.recorded = draw.below(2) == 0;
    }
    show
}

#[test]
fn whatever_the_rules_and_the_policies_every_staging_is_the_plain_telling() {
    let mut met = BTreeMap::new();
    for seed in 0..150 {
        for account in show(seed).holds() {
            *met.entry(account.stop.ending).or_insert(0) += 1;
        }
    }
    // These shows are worth something: they end in every way, and often.
    assert_eq!(met.len(), Ending::ALL.len(), "{met:?}");
    assert!(met.values().all(|&times| times >= 5), "{met:?}");
}
