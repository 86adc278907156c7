//! Alternates against all choices in small pools, and the seats off against all drop-outs.

use std::sync::Arc;

use super::*;
use kleroterion_core::draw::Draw;
use kleroterion_core::protocol::{Quota, Respondents};

const PANEL: u32 = 5;
const PEOPLE: u32 = 13;

/// People of two attributes with two and three values; the first five are the panel, whose counts
/// the quotas allow.
fn question(words: &mut Draw, homes: bool) -> PanelQuestion {
    let values: Vec<u16> = (0..PEOPLE)
        .flat_map(|_| [words.below(2) as u16, words.below(3) as u16])
        .collect();
    let names = (0..PEOPLE).map(|one| one.to_string().into()).collect();
    let homes = homes.then(|| (0..PEOPLE).map(|one| one.max(4) / 2).collect());
    let homes = homes.map(|homes: Vec<u32>| {
        let own = homes.iter().enumerate();
        own.map(|(one, home)| if one < 5 { 100 + one as u32 } else { *home })
            .collect()
    });
    let respondents = Respondents::new(2, values, homes, names);
    let mut row = |attribute: usize, n: u16| -> Vec<Quota> {
        let quota = |value| {
            let has = |one: &u32| respondents.values(*one)[attribute] == value;
            let seated = (0..PANEL).filter(has).count() as u32;
            Quota {
                min: seated.saturating_sub(words.below(2) as u32),
                max: seated + words.below(2) as u32,
            }
        };
        (0..n).map(quota).collect()
    };
    let quotas = vec![row(0, 2), row(1, 3)];
    PanelQuestion {
        quotas,
        respondents: Arc::new(respondents),
        members: PANEL,
    }
}

/// Seats off, counted person by person.
fn plainly_off(question: &PanelQuestion, panel: &[u32]) -> u32 {
    let mut off = 0;
    for (attribute, row) in question.quotas.iter().enumerate() {
        for (value, quota) in row.iter().enumerate() {
            let has = |one: &&u32| question.respondents.values(**one)[attribute] == value as u16;
            let n = panel.iter().filter(has).count() as u32;
            off += quota.min.saturating_sub(n) + n.saturating_sub(quota.max);
        }
    }
    off
}

fn subsets(of: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    (0_u32..1 << of.len()).map(|set| {
        let taken = of.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        taken.map(|(_, one)| *one).collect()
    })
}

/// Seats off after the best replacement, by all subsets of the alternates.
fn plainly_replaced(question: &PanelQuestion, leavers: &[u32], alternates: &[u32]) -> u32 {
    let stay: Vec<u32> = (0..PANEL).filter(|one| !leavers.contains(one)).collect();
    let fit = subsets(alternates).filter(|taken| taken.len() <= leavers.len());
    let off = fit.map(|taken| plainly_off(question, &[&stay[..], &taken].concat()));
    off.min().expect("no one at all is a replacement")
}

fn settings() -> AlternateSettings {
    AlternateSettings {
        samples: 40,
        fresh: 2_000,
        ..AlternateSettings::new(7)
    }
}

fn panel() -> Vec<u32> {
    (0..PANEL).collect()
}

#[test]
fn the_choice_is_held_against_all_choices_of_small_pools() {
    let mut words = Key::new(38, 1).draw(Purpose::World, 0, 0);
    let (mut best, mut proved, mut useful) = (0, 0, 0);
    for _ in 0..60 {
        let question = question(&mut words, false);
        let chances: Vec<f64> = (0..PEOPLE).map(|_| 0.6 * words.uniform()).collect();
        let found = alternates(&question, &panel(), &chances, 2, settings());
        let outs = DropOuts::new(Key::new(7, 0), &chances);
        let drawn: Vec<_> = (0..40).map(|nth| outs.leavers(&panel(), nth)).collect();
        let sampled = |alternates: &[u32]| -> f64 {
            let off = drawn
                .iter()
                .map(|gone| plainly_replaced(&question, gone, alternates));
            f64::from(off.sum::<u32>()) / 40.0
        };
        let others: Vec<u32> = (PANEL..PEOPLE).collect();
        let pairs = subsets(&others).filter(|two| two.len() == 2);
        let least = pairs.map(|two| sampled(&two)).fold(f64::INFINITY, f64::min);
        assert_eq!(found.who.len(), 2);
        assert!((sampled(&found.who) - found.sampled_off).abs() < 1e-12);
        assert!(found.least_off <= least + 1e-12 && least <= found.sampled_off + 1e-12);
        best += u32::from(found.sampled_off <= least + 1e-12);
        proved += u32::from(found.gap() < 1e-12);
        useful += u32::from(least < sampled(&[]));
        let [first, second] = found.who[..] else {
            panic!()
        };
        assert!(sampled(&[first]) <= sampled(&[second]));
    }
    // Exchanges of one for another end where no other pair of alternates is one exchange away and
    // better; of most pools that is the best.
    assert!(
        best >= 57 && proved >= 5 && useful >= 50,
        "{best} {proved} {useful}"
    );
}

/// The mean of the seats off over all drop-outs, each with its probability.
fn exactly(question: &PanelQuestion, chances: &[f64], alternates: &[u32]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for gone in subsets(&panel()) {
        let p: f64 = (0..PANEL)
            .map(|one| match gone.contains(&one) {
                true => chances[one as usize],
                false => 1.0 - chances[one as usize],
            })
            .product();
        let off = plainly_replaced(question, &gone, alternates);
        sums[0] += p * f64::from(off);
        sums[1] += p * f64::from(u8::from(off == 0));
    }
    sums
}

#[test]
fn the_seats_off_are_those_of_all_drop_outs_within_four_standard_errors() {
    let mut words = Key::new(38, 2).draw(Purpose::World, 0, 0);
    for _ in 0..20 {
        let question = question(&mut words, false);
        let chances: Vec<f64> = (0..PEOPLE).map(|_| 0.5 * words.uniform()).collect();
        let found = alternates(&question, &panel(), &chances, 3, settings());
        for (expected, who) in
            found
                .expected_off
                .iter()
                .zip([&found.who[..], &found.next_of_kind, &[]])
        {
            let [mean, kept] = exactly(&question, &chances, who);
            let off = (expected.mean - mean).abs();
            assert!(off <= 4.0 * expected.se + 1e-9, "{expected:?} {mean}");
            let se = (kept * (1.0 - kept) / 2_000.0).sqrt();
            assert!(
                (expected.kept - kept).abs() <= 4.0 * se + 1e-9,
                "{expected:?} {kept}"
            );
        }
        let leavers: f64 = chances[..5].iter().sum();
        assert!((found.leavers - leavers).abs() < 1e-12);
    }
}

#[test]
fn no_alternate_lives_with_a_member_or_another() {
    let mut words = Key::new(38, 3).draw(Purpose::World, 0, 0);
    for _ in 0..20 {
        let question = question(&mut words, true);
        let homes = question.respondents.households().expect("they have homes");
        let found = alternates(&question, &[0, 1, 2, 3, 5], &[0.3; 13], 9, settings());
        for who in [&found.who, &found.next_of_kind] {
            let mut taken: Vec<u32> = [0, 1, 2, 3, 5]
                .iter()
                .chain(who)
                .map(|&one| homes[one as usize])
                .collect();
            taken.sort_unstable();
            let all = taken.len();
            taken.dedup();
            assert_eq!(taken.len(), all, "{who:?}");
        }
        // 4, and one of each of the homes of 6 and 7, 8 and 9, 10 and 11, and 12.
        assert_eq!(found.who.len(), 5, "{:?}", found.who);
    }
}

#[test]
fn without_alternates_or_leavers_there_is_nothing_to_choose() {
    let mut words = Key::new(38, 4).draw(Purpose::World, 0, 0);
    let question = question(&mut words, false);
    let found = alternates(&question, &panel(), &[0.0; 13], 2, settings());
    assert!(
        found
            .expected_off
            .iter()
            .all(|of| of.mean == 0.0 && of.kept == 1.0)
    );
    assert_eq!(found.who.len(), 2);
    let found = alternates(&question, &panel(), &[0.3; 13], 0, settings());
    assert!(found.who.is_empty() && found.next_of_kind.is_empty());
    assert_eq!(found.expected_off[0].mean, found.expected_off[2].mean);
    let found = alternates(&question, &panel(), &[0.3; 13], 100, settings());
    let mut who = found.who.clone();
    who.sort_unstable();
    assert_eq!(who, (5..13).collect::<Vec<u32>>());
    assert!(
        found.gap().abs() < 1e-12,
        "all who are left leave nothing to choose"
    );
}

/// Against all choices of the alternates: the fewest seats off, empty places among them, and of
/// these choices the one whose people come first.
#[test]
fn who_steps_in_is_held_against_all_choices() {
    let mut words = Key::new(39, 1).draw(Purpose::World, 0, 0);
    let (mut kept, mut empty, mut broken) = (0, 0, 0);
    for case in 0..400 {
        let question = question(&mut words, false);
        let others: Vec<u32> = (PANEL..PEOPLE).collect();
        let alternates = &others[..words.below(6) as usize];
        let leave = 1 + words.below(3) as usize;
        let stay: Vec<u32> = (leave as u32..PANEL).collect();
        let off = |taken: &[u32]| {
            let panel = [&stay[..], taken].concat();
            plainly_off(&question, &panel) + PANEL - panel.len() as u32
        };
        let fit = subsets(alternates).filter(|taken| taken.len() <= leave);
        let least = fit
            .map(|taken| off(&taken))
            .min()
            .expect("no one is a choice");
        let found = replacement(&question, &stay, alternates, 100_000);
        let taken: Vec<u32> = found.who.iter().map(|at| alternates[*at]).collect();
        assert_eq!(
            (off(&taken), found.off, found.least),
            (least, least, least),
            "{case}"
        );
        assert!(taken.len() <= leave && taken.is_sorted(), "{case}");
        // Whoever comes first and belongs to a best choice is in it.
        let of_best = |one: u32| {
            let mut fit = subsets(alternates).filter(|taken| taken.len() <= leave);
            fit.any(|taken| taken.contains(&one) && off(&taken) == least)
        };
        let first = alternates.iter().copied().find(|one| of_best(*one));
        assert_eq!(taken.first().copied(), first, "{case}");
        kept += u32::from(least == 0);
        empty += u32::from(taken.len() < leave);
        broken += u32::from(taken.len() == leave && least > 0);
    }
    assert!(
        kept > 50 && empty > 50 && broken > 20,
        "{kept} {empty} {broken}"
    );
}
