//! Feasibility against all committees of small worlds, and at the size of real ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;

/// The generator xorshift64*, for the tests' worlds.
struct Words(u64);

impl Words {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }
}

type People = Vec<Vec<u16>>;

fn slices(people: &People) -> impl Iterator<Item = &[u16]> {
    people.iter().map(Vec::as_slice)
}

/// The counts of each value of every committee that there is, by all subsets of people.
fn committees(people: &People, homes: Option<&[u32]>, members: u32) -> Vec<Vec<Vec<u32>>> {
    (0_u32..1 << people.len())
        .filter(|set| set.count_ones() == members)
        .filter_map(|set| {
            let chosen: Vec<usize> = (0..people.len()).filter(|i| set >> i & 1 == 1).collect();
            if let Some(homes) = homes {
                let mut of: Vec<u32> = chosen.iter().map(|i| homes[*i]).collect();
                of.sort_unstable();
                of.dedup();
                if of.len() < chosen.len() {
                    return None;
                }
            }
            let mut counts = vec![vec![0; 4]; people[0].len()];
            for i in chosen {
                for (count, value) in counts.iter_mut().zip(&people[i]) {
                    count[usize::from(*value)] += 1;
                }
            }
            Some(counts)
        })
        .collect()
}

fn missed(bounds: &[Bound], counts: &[Vec<u32>]) -> u32 {
    let by = |bound: &Bound| {
        let count = counts[bound.attribute][bound.value];
        match bound.side {
            Side::Min => bound.seats.saturating_sub(count),
            Side::Max => count.saturating_sub(bound.seats),
        }
    };
    bounds.iter().map(by).sum()
}

/// Returns all bounds of some quotas, even those that are always met.
fn all_bounds(quotas: &[Vec<Quota>]) -> Vec<Bound> {
    let mut all = Vec::new();
    for (attribute, row) in quotas.iter().enumerate() {
        for (value, quota) in row.iter().enumerate() {
            for (side, seats) in [(Side::Min, quota.min), (Side::Max, quota.max)] {
                let there = None;
                all.push(Bound {
                    attribute,
                    value,
                    side,
                    seats,
                    there,
                });
            }
        }
    }
    all
}

/// Holds an answer to all committees; what it was, for counting.
fn assert_exact(
    quotas: &[Vec<Quota>],
    found: &Feasibility,
    committees: &[Vec<Vec<u32>>],
) -> &'static str {
    let all = all_bounds(quotas);
    let least = committees.iter().map(|counts| missed(&all, counts)).min();
    match found {
        Feasibility::Feasible => {
            assert_eq!(least, Some(0));
            "feasible"
        }
        Feasibility::TooFew { .. } => {
            assert_eq!(least, None);
            "too few"
        }
        Feasibility::Undecided { .. } => panic!("undecided"),
        Feasibility::Clash(clash) => {
            assert!(clash.minimal && clash.least);
            let seats: u64 = clash.shifts.iter().map(Shift::seats).sum();
            assert_eq!(Some(seats), least.map(u64::from));
            // The shifts do it.
            let mut moved = all;
            for shift in &clash.shifts {
                let same = |b: &&mut Bound| {
                    (b.attribute, b.value, b.side)
                        == (shift.bound.attribute, shift.bound.value, shift.bound.side)
                };
                let bound = moved.iter_mut().find(same).expect("a bound of the quotas");
                assert_eq!(bound.seats, shift.bound.seats);
                bound.seats = shift.to;
            }
            assert!(committees.iter().any(|counts| missed(&moved, counts) == 0));
            // The bounds clash, and none of them is idle.
            let met = |bounds: &[Bound]| committees.iter().any(|c| missed(bounds, c) == 0);
            assert!(!clash.bounds.is_empty() && !met(&clash.bounds));
            for i in 0..clash.bounds.len() {
                let mut fewer = clash.bounds.clone();
                fewer.remove(i);
                assert!(met(&fewer), "{:?} are more than need be", clash.bounds);
            }
            "clash"
        }
    }
}

#[test]
fn agrees_with_all_committees_of_small_worlds() {
    let mut words = Words(2021);
    let mut met = std::collections::BTreeMap::<_, u32>::new();
    for world in 0..600 {
        let people: People = (0..4 + words.below(6))
            .map(|_| (0..2 + world % 2).map(|_| words.below(3) as u16).collect())
            .collect();
        let homes: Vec<u32> = people.iter().map(|_| words.below(6) as u32).collect();
        let homes = (world % 3 == 0).then_some(homes.as_slice());
        let members = 1 + words.below(5) as u32;
        let quotas: Vec<Vec<Quota>> = (0..people[0].len())
            .map(|_| {
                let quota = |_| {
                    let min = (words.below(4) / 2) as u32;
                    let max = min + words.below(4) as u32;
                    Quota { min, max }
                };
                (0..3).map(quota).collect()
            })
            .collect();
        let supply = Supply::people(slices(&people), homes);
        let found = feasibility(&quotas, members, &supply, NODES);
        let committees = committees(&people, homes, members);
        *met.entry(assert_exact(&quotas, &found, &committees))
            .or_default() += 1;
    }
    assert!(met.len() == 3 && met.values().all(|n| *n >= 30), "{met:?}");
}

#[test]
fn a_stream_with_replacement_never_runs_out() {
    let mut words = Words(7);
    let mut met = std::collections::BTreeMap::<_, u32>::new();
    for world in 0..200 {
        let types: People = (0..1 + words.below(3))
            .map(|_| (0..2).map(|_| words.below(3) as u16).collect())
            .collect();
        let members = 1 + words.below(3) as u32;
        let quota = |words: &mut Words| {
            let min = (words.below(4) / 3) as u32;
            let max = min + words.below(4) as u32;
            Quota { min, max }
        };
        let mut row = || (0..3).map(|_| quota(&mut words)).collect::<Vec<_>>();
        let quotas = vec![row(), row()];
        // K of each type are as good as any number.
        let enough: People = (0..members).flat_map(|_| types.clone()).collect();
        let independent = world % 2 == 0;
        let (supply, enough) = if independent {
            let comes = |i: usize| (0..3).map(|j| types.iter().any(|t| t[i] == j)).collect();
            let comes: Vec<Vec<bool>> = vec![comes(0), comes(1)];
            let mut all = People::new();
            for a in types.iter().map(|t| t[0]) {
                all.extend(types.iter().map(|t| vec![a, t[1]]));
            }
            all.sort_unstable();
            all.dedup();
            let all = (0..members).flat_map(|_| all.clone()).collect();
            (Supply::independent(&comes), all)
        } else {
            (Supply::types(slices(&types)), enough)
        };
        if enough.len() > 18 {
            continue;
        }
        let found = feasibility(&quotas, members, &supply, NODES);
        let committees = committees(&enough, None, members);
        *met.entry(assert_exact(&quotas, &found, &committees))
            .or_default() += 1;
    }
    assert!(met.len() == 2 && met.values().all(|n| *n >= 20), "{met:?}");
}

#[test]
fn parts_of_people_are_no_committee() {
    // Everyone has an even number of ones, so that one of each is met by halves of people only.
    let people: People = vec![vec![0, 1, 1], vec![1, 0, 1], vec![1, 1, 0], vec![0, 0, 0]];
    let supply = Supply::people(slices(&people), None);
    let one = Quota { min: 1, max: 1 };
    let any = Quota { min: 0, max: 2 };
    let quotas = vec![vec![any, one]; 3];
    let bounds = bounds(&quotas, 2, &supply);
    let program = SeatingProgram::new(&supply, 2, NODES);
    assert_eq!(program.meets(&bounds, false), Some(true));
    assert_eq!(program.meets(&bounds, true), Some(false));
    let found = feasibility(&quotas, 2, &supply, NODES);
    assert_eq!(
        assert_exact(&quotas, &found, &committees(&people, None, 2)),
        "clash"
    );
}

/// All types of five binary attributes with an even number of ones, so that any committee has an
/// even number in all; the quotas ask for an odd one. Only counting tells, and that takes too long.
#[test]
fn what_is_not_decided_is_said_so() {
    let even = (0_u16..32).filter(|bits| bits.count_ones() % 2 == 0);
    let types: People = even
        .map(|bits| (0..5).map(|i| bits >> i & 1).collect())
        .collect();
    let supply = Supply::types(slices(&types));
    let exactly = |seats| Quota {
        min: seats,
        max: seats,
    };
    let quotas = vec![vec![exactly(50), exactly(51)]; 5];
    let found = feasibility(&quotas, 101, &supply, 500);
    assert_eq!(found, Feasibility::Undecided { nodes: 500 });
    assert_eq!(
        told(&found, 101),
        "whether a committee of 101 can keep all quotas was not decided in 500 nodes (help: runs may end `stalled`; \
         wider quotas are easier to decide)"
    );
}

/// As before, with a bound that halves and wholes meet alike.
#[test]
fn an_idle_bound_is_no_part_of_a_clash_that_only_people_have() {
    let people: People = vec![
        vec![1, 0, 1, 1],
        vec![0, 1, 0, 1],
        vec![0, 1, 1, 0],
        vec![1, 0, 0, 0],
    ];
    let supply = Supply::people(slices(&people), None);
    let quota = |min, max| Quota { min, max };
    let half = || vec![quota(0, 2), quota(1, 1)];
    let quotas = vec![vec![quota(0, 2), quota(0, 1)], half(), half(), half()];
    let all = bounds(&quotas, 2, &supply);
    assert_eq!(all.len(), 7);
    assert_eq!(
        SeatingProgram::new(&supply, 2, NODES).meets(&all, false),
        Some(true)
    );
    let found = feasibility(&quotas, 2, &supply, NODES);
    let committees = committees(&people, None, 2);
    assert_eq!(assert_exact(&quotas, &found, &committees), "clash");
}

fn told(found: &Feasibility, members: u32) -> String {
    let values = ["18-29", "30-59", "60+"];
    let label = |bound: &Bound| match bound.attribute {
        0 => format!("gender {}", ["female", "male"][bound.value]),
        _ => format!("age {}", values[bound.value]),
    };
    found
        .problem(members, label)
        .map(|problem| problem.to_string())
        .unwrap_or_default()
}

#[test]
fn tells_what_clashes_and_what_to_change() {
    // Six young women and ten older men.
    let mut people: People = vec![vec![0, 0]; 6];
    people.extend(vec![vec![1, 1]; 10]);
    let supply = Supply::people(slices(&people), None);
    let quota = |min, max| Quota { min, max };
    let told_of = |quotas: &[Vec<Quota>], members| {
        told(&feasibility(quotas, members, &supply, NODES), members)
    };
    let wide = || vec![quota(0, 10); 2];
    assert_eq!(told_of(&[wide(), vec![quota(6, 9), quota(0, 9)]], 10), "");
    assert_eq!(
        told_of(&[wide(), vec![quota(8, 9), quota(0, 9)]], 10),
        "no committee of 10 among these people has at least 8 age 18-29, of whom there are 6 (help: the \
         smallest change that would do, 2 seats in all: lower the minimum of age 18-29 from 8 to 6)"
    );
    assert_eq!(
        told_of(
            &[
                vec![quota(0, 4), quota(0, 10)],
                vec![quota(5, 6), quota(0, 10)]
            ],
            10
        ),
        "no committee of 10 among these people has at most 4 gender female and at least 5 age 18-29 \
         (help: the smallest change that would do, 1 seat in all: lower the minimum of age 18-29 from 5 to \
         4)"
    );
    assert_eq!(
        told_of(&[wide()], 17),
        "there are people for a committee of 16 only, not 17 (help: make the committee smaller)"
    );
    let homes: Vec<u32> = (0..16).map(|person| person / 2).collect();
    let supply = Supply::people(slices(&people), Some(&homes));
    assert_eq!(
        told(&feasibility(&[wide()], 10, &supply, NODES), 10),
        "there are people for a committee of 8 only, not 10 (help: make the committee smaller)"
    );
    let clash = Feasibility::Clash(Clash {
        bounds: Vec::new(),
        minimal: false,
        shifts: Vec::new(),
        least: false,
    });
    let told = told(&clash, 3);
    assert!(
        told.contains("perhaps fewer of these clash") && told.contains("perhaps not the smallest")
    );
}

/// Respondents of 8 attributes with 30 values, as many of each value as `tilt` makes them.
fn respondents(words: &mut Words, n: usize, tilt: u32) -> (People, Vec<usize>) {
    let levels = vec![2, 2, 3, 5, 8, 3, 4, 3];
    let mut value = |levels: usize| {
        let draws = (0..tilt).map(|_| words.below(levels as u64));
        draws.min().unwrap_or(0) as u16
    };
    let mut person = || levels.iter().map(|n| value(*n)).collect();
    ((0..n).map(|_| person()).collect(), levels)
}

/// Quotas of equal shares, each by `slack` seats to either side.
fn even(levels: &[usize], members: u32, slack: u32) -> Vec<Vec<Quota>> {
    let row = |n: usize| {
        let share = |j: usize| {
            let seats = members as usize * (j + 1) / n - members as usize * j / n;
            let seats = seats as u32;
            Quota {
                min: seats.saturating_sub(slack),
                max: seats + slack,
            }
        };
        (0..n).map(share).collect()
    };
    levels.iter().map(|n| row(*n)).collect()
}

#[test]
fn two_thousand_respondents_are_decided() {
    for (seed, members, slack, tilt, homes, feasible) in [
        (1, 100, 5, 1, false, true),
        (2, 100, 0, 1, false, true),
        (3, 40, 0, 1, true, true),
        (4, 100, 0, 3, false, false),
        (5, 40, 0, 3, true, false),
        (6, 250, 3, 3, false, false),
        (7, 60, 1, 2, true, true),
        (8, 40, 0, 2, true, true),
    ] {
        let mut words = Words(seed);
        let (people, levels) = respondents(&mut words, 2_000, tilt);
        let of: Vec<u32> = people.iter().map(|_| words.below(1_500) as u32).collect();
        let supply = Supply::people(slices(&people), homes.then_some(of.as_slice()));
        let quotas = even(&levels, members, slack);
        match feasibility(&quotas, members, &supply, NODES) {
            Feasibility::Feasible => assert!(feasible, "seed {seed}"),
            Feasibility::Clash(clash) => {
                assert!(!feasible && clash.minimal && clash.least, "seed {seed}");
                let mut moved = quotas;
                for shift in clash.shifts {
                    let quota = &mut moved[shift.bound.attribute][shift.bound.value];
                    match shift.bound.side {
                        Side::Min => quota.min = shift.to,
                        Side::Max => quota.max = shift.to,
                    }
                }
                let again = feasibility(&moved, members, &supply, NODES);
                assert_eq!(again, Feasibility::Feasible, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

/// Four values of one attribute, with minimums that add up to too many.
#[test]
fn the_search_for_a_clash_is_given_up_at_once() {
    let people: Vec<[u16; 1]> = (0..20).map(|one| [one % 4]).collect();
    let supply = Supply::people(people.iter().map(<[u16; 1]>::as_slice), None);
    let quotas = vec![vec![Quota { min: 2, max: 9 }; 4]];
    let interrupt: Arc<AtomicBool> = Arc::default();
    let seen = AtomicUsize::new(0);
    let see = |progress: ClashProgress| {
        seen.fetch_add(1, Ordering::Relaxed);
        interrupt.store(progress.tried == 2, Ordering::Relaxed);
    };
    let watch = ClashWatch::new(&interrupt, &see);
    let decide = || feasibility_unless(&quotas, 6, &supply, NODES, &watch);
    assert_eq!(decide(), Err(Interrupted));
    assert!(seen.load(Ordering::Relaxed) > 2);
    seen.store(0, Ordering::Relaxed);
    interrupt.store(true, Ordering::Relaxed);
    assert_eq!((decide(), seen.into_inner()), (Err(Interrupted), 0));
    let whole = feasibility_unless(&quotas, 6, &supply, NODES, &ClashWatch::patient());
    assert_eq!(whole, Ok(feasibility(&quotas, 6, &supply, NODES)));
    assert!(matches!(whole, Ok(Feasibility::Clash(_))));
}
