//! Lotteries against all panels by enumeration, and certificates against sums over them.

use super::*;
use kleroterion_core::draw::{Draw, Key, Purpose};
use kleroterion_core::protocol::{Quota, Respondents};
use std::sync::Arc;

/// A small pool with quotas around one panel that exists.
fn small(seed: u64) -> PanelQuestion {
    let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
    let levels = [2 + draw.below(2) as usize, 2 + draw.below(2) as usize, 2];
    let people = 7 + draw.below(6) as usize;
    let members = 3 + draw.below(2) as u32;
    let mut values = Vec::new();
    for _ in 0..people {
        for level in levels {
            let word = draw.below(level as u64).min(draw.below(level as u64 + 1));
            values.push(word as u16);
        }
    }
    let homes = seed % 2 == 1;
    let homes: Option<Vec<u32>> = homes.then(|| {
        (0..people)
            .map(|_| draw.below(people as u64) as u32)
            .collect()
    });
    let quotas = quotas_around(&mut draw, &values, &levels, homes.as_deref(), members);
    let names: Vec<Box<str>> = (0..people).map(|i| format!("r{i}").into()).collect();
    PanelQuestion {
        respondents: Arc::new(Respondents::new(3, values, homes, names.into())),
        quotas,
        members,
    }
}

fn quotas_around(
    draw: &mut Draw,
    values: &[u16],
    levels: &[usize],
    homes: Option<&[u32]>,
    members: u32,
) -> Vec<Vec<Quota>> {
    let mut seated: Vec<usize> = Vec::new();
    for _ in 0..200 {
        let person = draw.below(values.len() as u64 / 3) as usize;
        let meets =
            |other: &usize| *other == person || homes.is_some_and(|h| h[*other] == h[person]);
        if (seated.len() as u32) < members && !seated.iter().any(meets) {
            seated.push(person);
        }
    }
    let row = |(i, &level): (usize, &usize)| {
        let quota = |j: usize| {
            let has = seated
                .iter()
                .filter(|&&p| usize::from(values[p * 3 + i]) == j);
            let has = has.count() as u32;
            let (below, above) = (draw.below(2) as u32, draw.below(2) as u32);
            Quota {
                min: has.saturating_sub(below),
                max: has + above,
            }
        };
        (0..level).map(quota).collect()
    };
    levels.iter().enumerate().map(row).collect()
}

/// Returns all panels of a question, person by person.
fn all_panels(question: &PanelQuestion) -> Vec<Vec<u32>> {
    let people = question.respondents.len() as u32;
    let sets = (0_u32..1 << people).filter(|set| set.count_ones() == question.members);
    let panels = sets.map(|set| {
        (0..people)
            .filter(|p| set >> p & 1 == 1)
            .collect::<Vec<u32>>()
    });
    panels
        .filter(|panel| question.breaches(panel).is_empty())
        .collect()
}

mod plain;

fn questions(count: u64) -> impl Iterator<Item = (u64, PanelQuestion, Vec<Vec<u32>>)> {
    (0..count).map(|seed| {
        let question = small(seed);
        let panels = all_panels(&question);
        (seed, question, panels)
    })
}

fn assert_sound(question: &PanelQuestion, panels: &[Vec<u32>], lottery: &PanelLottery) {
    let sum: f64 = lottery.panels.iter().map(|panel| panel.probability).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    for panel in &lottery.panels {
        assert_eq!(question.breaches(&panel.members), []);
        assert!(panel.probability > 0.0);
    }
    for person in 0..question.respondents.len() as u32 {
        let sits = |panel: &&Vec<u32>| panel.contains(&person);
        let possible = panels.iter().any(|panel| sits(&panel));
        assert_eq!(lottery.impossible.contains(&person), !possible);
        assert_eq!(lottery.chances[person as usize] > 0.0, possible);
    }
}

/// The weight of the heaviest panel, by trying all.
fn heaviest(panels: &[Vec<u32>], weights: &[f64]) -> f64 {
    let weight = |panel: &Vec<u32>| panel.iter().map(|&one| weights[one as usize]).sum::<f64>();
    panels.iter().map(weight).fold(0.0, f64::max)
}

/// Checks the stages from the numbers they state alone; the levels they prove.
fn check_stages(stages: &[LotteryStage], panels: &[Vec<u32>], lottery: &PanelLottery) {
    let mut settled = lottery.impossible.clone();
    for stage in stages {
        assert!(stage.weights.iter().all(|weight| *weight >= 0.0));
        assert!(!stage.undecided);
        let rises = |one: usize| !settled.contains(&(one as u32));
        let rising: Vec<usize> = (0..stage.weights.len()).filter(|&one| rises(one)).collect();
        let sum: f64 = rising.iter().map(|&one| stage.weights[one]).sum();
        assert!((sum - 1.0).abs() < 1e-11, "{sum}");
        let most = heaviest(panels, &stage.weights);
        assert!(most <= stage.bound + 1e-12, "{most} {}", stage.bound);
        let before: f64 = (0..stage.weights.len())
            .filter(|&one| !rises(one))
            .map(|one| stage.weights[one] * lottery.chances[one])
            .sum();
        let least = rising
            .iter()
            .map(|&one| lottery.chances[one])
            .fold(1.0, f64::min);
        assert!(stage.bound - before - least < 1e-10, "{stage:?}");
        assert!(stage.gap < 1e-10 && (stage.level - least).abs() < 1e-15);
        settled.extend(&stage.settled);
    }
}

#[test]
fn maximin_is_that_of_all_panels() {
    let mut some = 0;
    for (seed, question, panels) in questions(200) {
        if panels.is_empty() {
            assert_eq!(
                LotteryRule::Maximin.lottery(&question, NODES),
                Err(NoLottery::NoPanel)
            );
            continue;
        }
        some += 1;
        let lottery = LotteryRule::Maximin
            .lottery(&question, NODES)
            .expect("there is one");
        assert_sound(&question, &panels, &lottery);
        let levels = plain::leximin(&panels, question.respondents.len(), 1);
        let least = levels.iter().copied().fold(1.0, f64::min);
        let ours = lottery.least();
        assert!((ours - least).abs() < 1e-9, "{seed}: {ours} {least}");
        let LotteryCertificate::Stages(stages) = &lottery.certificate else {
            panic!("stages");
        };
        assert_eq!(stages.len(), 1);
        check_stages(stages, &panels, &lottery);
    }
    assert_eq!(some, 200);
}

#[test]
fn leximin_is_that_of_all_panels() {
    for (seed, question, panels) in questions(200).filter(|(_, _, panels)| !panels.is_empty()) {
        let lottery = LotteryRule::Leximin
            .lottery(&question, NODES)
            .expect("there is one");
        assert_sound(&question, &panels, &lottery);
        let chances = plain::leximin(&panels, question.respondents.len(), usize::MAX);
        for (one, (ours, plain)) in lottery.chances.iter().zip(&chances).enumerate() {
            assert!((ours - plain).abs() < 1e-9, "{seed} {one}: {ours} {plain}");
        }
        let LotteryCertificate::Stages(stages) = &lottery.certificate else {
            panic!("stages");
        };
        check_stages(stages, &panels, &lottery);
        let settled: usize = stages.iter().map(|stage| stage.settled.len()).sum();
        assert_eq!(
            settled + lottery.impossible.len(),
            question.respondents.len()
        );
    }
}

#[test]
fn nash_is_that_of_all_panels() {
    let mut judged = 0;
    for (seed, question, panels) in questions(200).filter(|(_, _, panels)| !panels.is_empty()) {
        let lottery = LotteryRule::Nash
            .lottery(&question, NODES)
            .expect("there is one");
        assert_sound(&question, &panels, &lottery);
        let LotteryCertificate::Nash {
            weights,
            bound,
            gap,
            undecided,
        } = &lottery.certificate
        else {
            panic!("nash");
        };
        assert!(!undecided && *gap < 1e-11, "{seed}: {gap}");
        let people = (question.respondents.len() - lottery.impossible.len()) as f64;
        assert!(heaviest(&panels, weights) <= bound + 1e-11);
        assert!((bound - people).abs() < 1e-10);
        for (weight, chance) in weights.iter().zip(&lottery.chances) {
            assert!(*weight == 0.0 || (weight * chance - 1.0).abs() < 1e-11);
        }
        let Some(chances) = plain::nash(&panels, question.respondents.len()) else {
            continue;
        };
        judged += 1;
        for (one, (ours, plain)) in lottery.chances.iter().zip(&chances).enumerate() {
            assert!((ours - plain).abs() < 1e-9, "{seed} {one}: {ours} {plain}");
        }
    }
    assert_eq!(judged, 200);
}

/// Respondents of five categories, as many of each value as they volunteer; quotas of equal shares.
fn town(people: usize, members: u32, homes: bool) -> PanelQuestion {
    let levels = [2_usize, 4, 3, 3, 5];
    let mut draw = Key::new(1, 0).draw(Purpose::World, 0, 0);
    let mut values = Vec::new();
    for _ in 0..people {
        for level in levels {
            let likely = draw.below(level as u64).min(draw.below(2 * level as u64));
            values.push(likely as u16);
        }
    }
    let homes = homes.then(|| {
        let home = |_| draw.below(4 * people as u64) as u32;
        (0..people).map(home).collect()
    });
    let quota = |(j, level): (usize, usize)| {
        let seats = members as usize * (j + 1) / level - members as usize * j / level;
        let seats = seats as u32;
        Quota {
            min: seats.saturating_sub(1),
            max: seats + 1,
        }
    };
    let row = |level: usize| (0..level).map(|j| quota((j, level))).collect();
    let names: Vec<Box<str>> = (0..people).map(|i| format!("r{i}").into()).collect();
    PanelQuestion {
        respondents: Arc::new(Respondents::new(5, values, homes, names.into())),
        quotas: levels.map(row).into(),
        members,
    }
}

/// In the long form 800 respondents and 40 seats; how long each rule took is printed.
#[test]
fn hundreds_of_respondents_are_no_trouble() {
    let long = std::env::var_os("KLERO_LONG").is_some();
    let question = if long {
        town(800, 40, false)
    } else {
        town(60, 12, true)
    };
    for rule in LotteryRule::ALL {
        let begun = std::time::Instant::now();
        let lottery = rule.lottery(&question, NODES).expect("there is one");
        let took = begun.elapsed().as_secs_f64();
        println!(
            "{}: {} panels, {took:.1} s",
            rule.name(),
            lottery.panels.len()
        );
        let certificate = &lottery.certificate;
        assert!(
            !certificate.is_undecided() && certificate.gap() < 1e-8,
            "{}",
            certificate.gap()
        );
        let broken = lottery
            .panels
            .iter()
            .filter(|panel| !question.breaches(&panel.members).is_empty());
        assert_eq!(broken.count(), 0);
        for kind in PanelKinds::new(&question).kinds() {
            let chances = kind
                .people
                .iter()
                .flatten()
                .map(|&one| lottery.chances[one as usize]);
            let (low, high) = chances.fold((1.0_f64, 0.0_f64), |(low, high), c| {
                (low.min(c), high.max(c))
            });
            assert!(high - low < 1e-12, "{}", high - low);
        }
        assert!(lottery.panels.len() < 10_000);
    }
}

/// The lottery of leximin by the levels that quotas leave, where panels give them.
fn by_levels(question: &PanelQuestion) -> Option<PanelLottery> {
    let kinds = PanelKinds::new(question);
    let watch = LotteryWatch::patient();
    let columns = columns::Columns::covering(&kinds, NODES, watch).ok()?;
    let answer = LotteryAnswer::by_levels(LotteryRule::Leximin, &kinds, &columns, &watch)?;
    assert!(answer.holds(LotteryRule::Leximin, &kinds, &watch));
    Some(answer.lottery(LotteryRule::Leximin, &kinds))
}

fn assert_near(ours: &[f64], plain: &[f64], within: f64, case: u64) {
    for (one, (ours, plain)) in ours.iter().zip(plain).enumerate() {
        assert!(
            (ours - plain).abs() < within,
            "{case} {one}: {ours} {plain}"
        );
    }
}

#[test]
fn levels_that_panels_give_are_those_of_all_panels() {
    let mut found = [0, 0];
    for (seed, question, panels) in questions(200).filter(|(_, _, panels)| !panels.is_empty()) {
        let Some(lottery) = by_levels(&question) else {
            continue;
        };
        found[usize::from(question.respondents.households().is_some())] += 1;
        assert_sound(&question, &panels, &lottery);
        let plain = plain::leximin(&panels, question.respondents.len(), usize::MAX);
        assert_near(&lottery.chances, &plain, 1e-9, seed);
        assert!(lottery.certificate.gap() < 1e-9 && !lottery.certificate.is_undecided());
    }
    println!("{found:?}");
    assert!(found.iter().all(|found| *found >= 20), "{found:?}");
}

/// A made-up town with households.
fn housed(number: u64) -> PanelQuestion {
    let shape = kleroterion_testkit::town::Town {
        people: 40 + 2 * number as usize,
        values: &[2, 3, 3],
        members: 10,
        slack: 1,
    };
    let mut draw = Key::new(number, 1).draw(Purpose::World, 0, 0);
    let town = shape.draw(&mut |n| draw.below(n));
    // Seven in ten people as many homes: more share one than in the files.
    let homes = (0..shape.people).map(|_| draw.below(7 * shape.people as u64 / 10) as u32);
    let names: Vec<Box<str>> = (0..shape.people).map(|i| format!("r{i}").into()).collect();
    let row = |row: &Vec<[u32; 2]>| row.iter().map(|&[min, max]| Quota { min, max }).collect();
    PanelQuestion {
        respondents: Arc::new(Respondents::new(
            3,
            town.values.concat(),
            Some(homes.collect()),
            names.into(),
        )),
        quotas: town.quotas.iter().map(row).collect(),
        members: shape.members as u32,
    }
}

#[test]
fn twenty_towns_with_households_have_the_chances_of_an_independent_column_generation() {
    let mut leveled = 0;
    for number in 0..20 {
        let question = housed(number);
        let lottery = LotteryRule::Leximin.lottery(&question, NODES);
        let plain = plain::leximin_by_cuts(&question);
        let plain = plain.expect("the programs are exact enough");
        assert_near(
            &lottery.expect("there is one").chances,
            &plain,
            1e-7,
            number,
        );
        if let Some(lottery) = by_levels(&question) {
            leveled += 1;
            assert_near(&lottery.chances, &plain, 1e-7, number);
        }
    }
    println!("{leveled} by levels");
    assert!(leveled >= 15, "{leveled}");
}

/// 700 people in 631 households and 50 seats: seconds of a slow machine, and the same bytes again.
#[test]
fn households_cost_little() {
    let question = many_homes();
    let begun = std::time::Instant::now();
    let lottery = LotteryRule::Leximin.lottery(&question, NODES);
    let lottery = lottery.expect("there is one");
    println!(
        "{} panels, {:.1} s",
        lottery.panels.len(),
        begun.elapsed().as_secs_f64()
    );
    assert!(lottery.certificate.gap() < 1e-9 && !lottery.certificate.is_undecided());
    let broken = |panel: &&LotteryPanel| !question.breaches(&panel.members).is_empty();
    assert_eq!(lottery.panels.iter().filter(broken).count(), 0);
    assert_eq!(LotteryRule::Leximin.lottery(&question, NODES), Ok(lottery));
}

fn many_homes() -> PanelQuestion {
    let mut question = town(700, 50, false);
    let mut draw = Key::new(2, 0).draw(Purpose::World, 0, 0);
    let homes = (0..700).map(|one| match one < 631 {
        true => one,
        false => draw.below(631) as u32,
    });
    let respondents = &question.respondents;
    let values = (0..700).flat_map(|one| respondents.values(one).to_vec());
    question.respondents = Arc::new(Respondents::new(
        5,
        values.collect(),
        Some(homes.collect()),
        respondents.names().clone(),
    ));
    question
}

#[test]
fn a_lottery_is_given_up_at_once() {
    let question = many_homes();
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let at_once = LotteryWatch::interrupted_by(&stop);
    let before = AwaitedLottery::new(LotteryRule::Leximin, question.clone());
    let found = before.work_out_unless(&at_once);
    assert_eq!(found.err(), Some(NoLottery::Interrupted));
    for rule in LotteryRule::ALL {
        stop.store(false, std::sync::atomic::Ordering::Relaxed);
        let awaited = AwaitedLottery::new(rule, question.clone());
        let seen = std::sync::atomic::AtomicUsize::new(0);
        let see = |_| {
            seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        };
        let found = awaited.work_out_unless(&LotteryWatch::new(&stop, &see));
        assert_eq!(found.err(), Some(NoLottery::Interrupted), "{rule:?}");
        let seen = seen.into_inner();
        assert!(
            seen <= 2,
            "{rule:?} went on after it was stopped: {seen} steps"
        );
        assert!(awaited.lottery().is_none());
    }
}
