//! Fair-Greedy on all rounds: against a plain twin, and against Fair-Greedy and what it could have
//! been.

use super::world::{Player, World};
use super::{FairGreedyAll, dot, fair_greedy, fair_greedy_all};
use crate::Policy;
use kleroterion_core::draw::Draw;
use kleroterion_core::protocol::{Move, Outcome, View};

/// A plain version that computes every sum and every inverse again in each round.
struct Plain {
    lambda: f64,
    /// (group, context) of all candidates of earlier rounds.
    seen: Vec<(u16, Vec<f64>)>,
    /// The contexts of the chosen.
    chosen: Vec<Vec<f64>>,
    /// The contexts and rewards of the chosen, as they were reported.
    told: Vec<(Vec<f64>, f64)>,
}

impl Plain {
    fn new() -> Self {
        Self {
            lambda: 0.1,
            seen: Vec::new(),
            chosen: Vec::new(),
            told: Vec::new(),
        }
    }

    /// (X'X + lambda I)^-1 b, by elimination.
    fn solve<'a>(&self, xs: impl Iterator<Item = &'a Vec<f64>>, b: &[f64]) -> Vec<f64> {
        let d = b.len();
        let mut rows: Vec<Vec<f64>> = (0..d)
            .map(|k| {
                let mut row = vec![0.0; d + 1];
                (row[k], row[d]) = (self.lambda, b[k]);
                row
            })
            .collect();
        for x in xs {
            for (row, x_i) in rows.iter_mut().zip(x) {
                row.iter_mut()
                    .zip(x)
                    .for_each(|(entry, x_j)| *entry += x_i * x_j);
            }
        }
        for k in 0..d {
            let pivot = rows[k].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                let factor = row[k] / pivot[k];
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(entry, p)| *entry -= factor * p);
            }
        }
        (0..d).map(|k| rows[k][d] / rows[k][k]).collect()
    }

    /// The share of the group's contexts, of the latest `most`, whose value is no higher; else
    /// drawn.
    fn rank(
        &self,
        person: (u16, &[f64]),
        most: usize,
        value: &dyn Fn(&[f64]) -> f64,
        draw: &mut Draw,
    ) -> f64 {
        let own = self
            .seen
            .iter()
            .rev()
            .filter(|(group, _)| *group == person.0);
        let latest: Vec<&Vec<f64>> = own.take(most).map(|(_, x)| x).collect();
        let below = latest
            .iter()
            .filter(|x| value(x) <= value(person.1))
            .count();
        match latest.len() {
            0 => draw.uniform(),
            all => below as f64 / all as f64,
        }
    }

    fn spread(&self, group: u16, x: &[f64]) -> f64 {
        let own: Vec<&Vec<f64>> = self
            .seen
            .iter()
            .filter(|(g, _)| *g == group)
            .map(|(_, x)| x)
            .collect();
        let mean = |j: usize| own.iter().map(|x| x[j]).sum::<f64>() / own.len() as f64;
        let centred: Vec<f64> = (0..x.len()).map(|j| x[j] - mean(j)).collect();
        dot(&centred, &self.solve(self.chosen.iter(), &centred))
    }
}

impl Policy for Plain {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let people: Vec<(u16, Vec<f64>)> = view
            .slate()
            .candidates()
            .map(|person| (person.values()[0], person.features().to_vec()))
            .collect();
        let mut b = vec![0.0; people[0].1.len()];
        for (x, r) in &self.told {
            b.iter_mut().zip(x).for_each(|(b, x)| *b += r * x);
        }
        let mu = self.solve(self.told.iter().map(|(x, _)| x), &b);
        let mut ranks = Vec::new();
        for (group, x) in &people {
            let person = (*group, &x[..]);
            let blind = self.told.is_empty();
            ranks.push(if blind {
                self.rank(person, 100, &|y| self.spread(*group, y), view.draw())
            } else {
                self.rank(person, usize::MAX, &|y| dot(&mu, y), view.draw())
            });
        }
        let top = ranks.iter().copied().fold(0.0, f64::max);
        let tied: Vec<u32> = (0..)
            .zip(&ranks)
            .filter(|(_, rank)| **rank == top)
            .map(|(slot, _)| slot)
            .collect();
        let nth = if tied.len() > 1 {
            view.draw().below(tied.len() as u64)
        } else {
            0
        };
        let slot = tied[nth as usize];
        self.chosen.push(people[slot as usize].1.clone());
        self.seen.extend(people);
        Move::take(slot)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.told
            .push((outcome.person().features().to_vec(), outcome.value()));
    }
}

#[test]
fn fast_and_plain_choose_the_same() {
    let delays: [fn(u64) -> u64; 4] = [|_| 0, |_| 3, |_| 30, |round| round * 7919 % 60];
    for world in [World::s6(), World::mg()] {
        for (seed, delay) in (0..).zip(delays) {
            let world = world.late(delay);
            let plain = world.play(Plain::new().into(), seed, 250);
            let fast = world.play(fair_greedy_all(&world).into(), seed, 250);
            assert_eq!(plain.slots, fast.slots, "seed {seed}");
        }
    }
}

/// The difference in fair regret between two policies in a stretch of rounds, in standard errors of
/// its mean.
fn better(world: &World, [a, b]: [fn(&World) -> Player; 2], rounds: std::ops::Range<usize>) -> f64 {
    let many: u32 = if std::env::var_os("KLERO_LONG").is_some() {
        200
    } else {
        40
    };
    let lost = |player: Player, seed| {
        let played = world.play(player, seed, rounds.end as u64);
        played.fair.last().unwrap() - played.fair[rounds.start]
    };
    let less: Vec<f64> = (0..u64::from(many))
        .map(|seed| lost(a(world), seed) - lost(b(world), seed))
        .collect();
    let mean = less.iter().sum::<f64>() / f64::from(many);
    let square = less.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    let se = (square / f64::from(many - 1) / f64::from(many)).sqrt();
    println!("{mean:.2} ± {se:.2}");
    mean / se
}

const ALL: fn(&World) -> Player = |world| fair_greedy_all(world).into();
const HALF: fn(&World) -> Player = |world| fair_greedy(world).into();

#[test]
fn it_gives_away_less_than_fair_greedy_in_both_settings_and_at_both_delays() {
    for world in [World::s6(), World::mg()] {
        assert!(better(&world, [ALL, HALF], 0..500) < -4.0);
        // Of the first 100 rounds nothing can be known.
        let late = world.late(|_| 100);
        assert!(better(&late, [ALL, HALF], 100..1200) < -3.0);
    }
}

/// A player that chooses any candidate with equal probability until it learns the first outcome,
/// and then plays the policy.
struct Chance(FairGreedyAll, bool);

impl Policy for Chance {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let slots = u64::from(view.slate().len());
        let any = view.draw().below(slots) as u32;
        let answer = self.0.act(view);
        if self.1 { answer } else { Move::take(any) }
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.1 = true;
        self.0.learn(outcome);
    }
}

/// Compares two ways to choose while the first outcome is awaited.
#[test]
fn what_it_chooses_before_it_knows_anything_teaches_it_more_than_chance_does() {
    let chance: fn(&World) -> Player = |world| Chance(fair_greedy_all(world), false).into();
    let noisy = World::mg().noisy(2.0).late(|_| 100);
    assert!(better(&noisy, [ALL, chance], 100..500) < -3.0);
}

/// Its ranks: a band of the index, not all that was ever seen.
#[test]
fn only_a_narrow_band_of_all_rounds_is_computed() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Watched(FairGreedyAll, Arc<AtomicU64>);
    impl Policy for Watched {
        fn act(&mut self, view: &mut View<'_>) -> Move {
            self.1.store(self.0.seen().computed(), Ordering::Relaxed);
            self.0.act(view)
        }
        fn learn(&mut self, outcome: &Outcome<'_>) {
            self.0.learn(outcome);
        }
    }
    let (world, rounds) = (World::s6(), 10_000);
    let computed = Arc::new(AtomicU64::new(0));
    let watched = Watched(fair_greedy_all(&world), Arc::clone(&computed));
    world.play(watched.into(), 5, rounds);
    let queries = rounds * world.slate() as u64;
    let each = computed.load(Ordering::Relaxed) as f64 / queries as f64;
    println!("computed {each:.1} a query");
    assert!(each < 150.0, "computed {each} a query");
}
