//! The people that a committee of K screens where they come in slates and may decline: whole slates
//! are screened, and no more are chosen of one than there are places.

use kleroterion_core::source::Sizes;
use statrs::distribution::{Binomial, Discrete, Poisson};
use statrs::function::beta::beta_reg;

use crate::limits::MOST_SLATE_STEPS;

/// Likelihoods that add up to less than this are left out.
const RARE: f64 = 1e-15;

/// The conditions under which a committee is filled.
#[derive(Clone, Debug, PartialEq)]
pub struct Filling {
    /// K, the number of members.
    pub members: u64,
    /// g: the probability that a candidate is accepted.
    pub accepted: f64,
    /// The probability that an accepted candidate takes the place.
    pub taken: f64,
    /// The sizes of the slates.
    pub slates: Sizes,
    /// The most candidates that may be chosen from a slate.
    pub most: u64,
    /// The most slates.
    pub rounds: u64,
}

/// The number of people screened until a committee is full, or until no one is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screened {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, if the supply of people had no end.
    pub sd: f64,
    /// The chance that no one is left before the committee is full.
    pub unfilled: f64,
}

/// A number of people on a slate whom the policy would accept: how likely that is, and the first
/// two moments of the slate's size then, times that.
struct Likely {
    moments: [f64; 3],
}

/// The likelihood of each number of new members of a slate, and the two moments of the slate's size
/// times it.
type ByMembers = Vec<[f64; 3]>;

impl Filling {
    /// Computes the people screened. `None` if that is not possible: sizes without the same law in
    /// each round, no one who ever takes a place, or too many steps.
    #[must_use]
    pub fn screened(&self) -> Option<Screened> {
        let gain = self.accepted * self.taken;
        if gain <= 0.0 {
            return None;
        }
        if self.slates == Sizes::Constant(1) {
            let (members, people) = (self.members, self.rounds);
            let sd = sd_screened(members, gain);
            // So far out the chance is below all rounding.
            let is_far = people as f64 > expected_screened(members, gain) + 40.0 * sd;
            return Some(Screened {
                mean: screened_of(people, members, gain),
                sd,
                unfilled: if is_far {
                    0.0
                } else {
                    chance_short(people, members, gain)
                },
            });
        }
        let slate = self.slate()?;
        let widest = (slate.len() as u64 - 1).min(self.most).min(self.members);
        let steps = self.members.checked_mul(widest + 1)?;
        if steps > MOST_SLATE_STEPS || widest.pow(3) > MOST_SLATE_STEPS {
            return None;
        }
        // By how many may be chosen.
        let tables: Vec<ByMembers> = (0..=widest)
            .map(|places| self.by_members(&slate, places as usize))
            .collect();
        let of = |seated: u64| &tables[(self.members - seated).min(widest) as usize];
        let endless = self.endless(of)?;
        let size = endless.0 / self.members as f64;
        let far = endless.0 + 40.0 * endless.1 + 100.0 * size;
        let mean_size: f64 = slate.iter().map(|likely| likely.moments[1]).sum();
        if self.rounds as f64 * mean_size > far {
            return Some(Screened {
                mean: endless.0,
                sd: endless.1,
                unfilled: 0.0,
            });
        }
        if steps.checked_mul(self.rounds)? > MOST_SLATE_STEPS {
            return None;
        }
        let (mean, unfilled) = self.bounded(of);
        Some(Screened {
            mean,
            sd: endless.1,
            unfilled,
        })
    }

    /// The law of a slate, by how many on it the policy would accept.
    fn slate(&self) -> Option<Vec<Likely>> {
        let mut slate = Vec::new();
        match self.slates {
            Sizes::Constant(size) => {
                let law = Binomial::new(self.accepted.min(1.0), u64::from(size)).ok()?;
                let size_ = f64::from(size);
                for accepted in 0..=u64::from(size) {
                    let likely = law.pmf(accepted);
                    slate.push(Likely {
                        moments: [likely, likely * size_, likely * size_ * size_],
                    });
                }
            }
            Sizes::Poisson(mean) => {
                let law = Poisson::new(mean * self.accepted).ok()?;
                let others = mean * (1.0 - self.accepted).max(0.0);
                let (mut sum, mut accepted) = (0.0, 0_u64);
                while sum < 1.0 - RARE && accepted < 100_000 {
                    let likely = law.pmf(accepted);
                    let size = accepted as f64 + others;
                    slate.push(Likely {
                        moments: [likely, likely * size, likely * (size * size + others)],
                    });
                    sum += likely;
                    accepted += 1;
                    // Rounding may keep the sum from 1.
                    if likely < RARE / 1e3 && accepted as f64 > mean {
                        break;
                    }
                }
            }
            Sizes::Stepped(_) | Sizes::Listed(_) => return None,
        }
        Some(slate)
    }

    /// Returns the distribution of a slate's new members if this many may be chosen.
    fn by_members(&self, slate: &[Likely], places: usize) -> ByMembers {
        let mut table = vec![[0.0; 3]; places + 1];
        // By how many are chosen.
        let mut chosen = vec![[0.0; 3]; places + 1];
        for (accepted, likely) in slate.iter().enumerate() {
            add(&mut chosen[accepted.min(places)], &likely.moments, 1.0);
        }
        for (chosen, moments) in chosen.iter().enumerate() {
            let Ok(law) = Binomial::new(self.taken.min(1.0), chosen as u64) else {
                continue;
            };
            for (members, row) in table.iter_mut().enumerate().take(chosen + 1) {
                add(row, moments, law.pmf(members as u64));
            }
        }
        table
    }

    /// The mean and standard deviation, if there were always more.
    fn endless<'t>(&self, of: impl Fn(u64) -> &'t ByMembers) -> Option<(f64, f64)> {
        let full = self.members as usize;
        // The moments of those screened from a number of members on.
        let (mut first, mut second) = (vec![0.0; full + 1], vec![0.0; full + 1]);
        for seated in (0..full).rev() {
            let table = of(seated as u64);
            let stays = 1.0 - table[0][0];
            if stays <= 0.0 {
                return None;
            }
            let size: f64 = table.iter().map(|row| row[1]).sum();
            let square: f64 = table.iter().map(|row| row[2]).sum();
            let later = |values: &[f64], moment: usize| -> f64 {
                let rows = table.iter().enumerate().skip(1);
                rows.map(|(more, row)| row[moment] * values[seated + more])
                    .sum()
            };
            first[seated] = (size + later(&first, 0)) / stays;
            let cross = table[0][1] * first[seated] + later(&first, 1);
            second[seated] = (square + 2.0 * cross + later(&second, 0)) / stays;
        }
        let variance = second[0] - first[0] * first[0];
        Some((first[0], variance.max(0.0).sqrt()))
    }

    /// The mean, and the chance to stay short, with as many slates as there are.
    fn bounded<'t>(&self, of: impl Fn(u64) -> &'t ByMembers) -> (f64, f64) {
        let full = self.members as usize;
        let mut screened = vec![0.0; full + 1];
        let mut short = vec![1.0; full + 1];
        short[full] = 0.0;
        for _ in 0..self.rounds {
            // Upwards: what is read is of one slate less.
            for seated in 0..full {
                let table = of(seated as u64);
                let rows = || table.iter().enumerate();
                let size: f64 = table.iter().map(|row| row[1]).sum();
                let later: f64 = rows()
                    .map(|(more, row)| row[0] * screened[seated + more])
                    .sum();
                let stays: f64 = rows()
                    .map(|(more, row)| row[0] * short[seated + more])
                    .sum();
                (screened[seated], short[seated]) = (size + later, stays);
            }
        }
        (screened[0], short[0])
    }
}

fn add(row: &mut [f64; 3], moments: &[f64; 3], times: f64) {
    for (sum, moment) in row.iter_mut().zip(moments) {
        *sum += times * moment;
    }
}

// The number of people that a committee of K screens, where each is accepted with probability g*:
// tau.

/// Returns E min(tau, N): the people screened for a committee of K, out of `people` in all, each
/// accepted with probability `gain`.
#[must_use]
pub fn screened_of(people: u64, members: u64, gain: f64) -> f64 {
    let (mean, sd) = (expected_screened(members, gain), sd_screened(members, gain));
    // So far out the chance to screen all is below all rounding.
    if people as f64 > mean + 40.0 * sd {
        return mean;
    }
    (0..people).map(|n| chance_short(n, members, gain)).sum()
}

/// Returns P(tau > n): the chance that fewer than K of `n` people are accepted.
#[must_use]
pub fn chance_short(n: u64, members: u64, gain: f64) -> f64 {
    if n < members {
        return 1.0;
    }
    // At least n - K + 1 of n are rejected: I_{1-g}(n - K + 1, K).
    let rejected = (1.0 - gain).clamp(0.0, 1.0);
    beta_reg((n - members + 1) as f64, members as f64, rejected)
}

/// Returns sd tau = sqrt(K (1 - g*)) / g* (Lemma 2).
pub(super) fn sd_screened(members: u64, gain: f64) -> f64 {
    (members as f64 * (1.0 - gain).max(0.0)).sqrt() / gain
}

/// E tau = K/g*.
pub(super) fn expected_screened(members: u64, gain: f64) -> f64 {
    members as f64 / gain
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};

    /// Plays a filling by hand; returns those screened, and whether it stayed short.
    fn played(filling: &Filling, replication: u64) -> (f64, bool) {
        let key = Key::new(7, replication);
        let mut draw = key.draw(Purpose::World, 0, 0);
        let (mut members, mut screened) = (0, 0);
        for round in 1..=filling.rounds {
            let size = filling.slates.at(key, round).unwrap();
            screened += size;
            let mut places = (filling.members - members).min(filling.most);
            for _ in 0..size {
                if places > 0 && draw.uniform() < filling.accepted {
                    places -= 1;
                    members += u64::from(draw.uniform() < filling.taken);
                }
            }
            if members == filling.members {
                return (f64::from(screened), false);
            }
        }
        (f64::from(screened), true)
    }

    #[test]
    fn a_filling_is_what_playing_it_comes_to() {
        let ten = Sizes::Constant(10);
        let poisson = Sizes::Poisson(10.0);
        let ever = 1_000_000;
        for (members, accepted, taken, slates, most, rounds) in [
            (1, 0.3, 1.0, Sizes::Constant(1), 1, ever),
            (20, 0.5, 0.6, Sizes::Constant(1), 1, 70),
            (60, 0.8, 1.0, poisson.clone(), u64::MAX, ever),
            (60, 0.8, 0.7, poisson, u64::MAX, 11),
            (12, 0.4, 1.0, ten.clone(), u64::MAX, ever),
            (12, 0.4, 0.5, ten.clone(), 2, ever),
            (12, 0.4, 0.5, ten.clone(), 1, 20),
            (3, 1.0, 1.0, ten, 5, ever),
            (200, 0.833, 0.675, Sizes::Constant(7), u64::MAX, 50),
        ] {
            let filling = Filling {
                members,
                accepted,
                taken,
                slates,
                most,
                rounds,
            };
            let runs = 4_000;
            let (mut sum, mut square, mut short) = (0.0, 0.0, 0.0);
            for replication in 0..runs {
                let (screened, is_short) = played(&filling, replication);
                sum += screened;
                square += screened * screened;
                short += f64::from(u8::from(is_short));
            }
            let n = runs as f64;
            let (mean, share) = (sum / n, short / n);
            let sd = (square / n - mean * mean).max(0.0).sqrt();
            let said = filling.screened().unwrap();
            let off = (said.mean - mean).abs();
            assert!(
                off <= 4.0 * sd / n.sqrt() + 1e-9,
                "{filling:?}: {said:?}, played {mean}"
            );
            let se = (said.unfilled * (1.0 - said.unfilled) / n).max(0.0).sqrt();
            assert!(
                (said.unfilled - share).abs() <= 4.0 * se + 1e-9,
                "{filling:?}: {share}"
            );
            if rounds == ever {
                assert!(
                    (said.sd - sd).abs() <= 0.1 * sd + 1e-9,
                    "{filling:?}: {said:?}, {sd}"
                );
            }
        }
    }
}

#[cfg(test)]
mod screened_tests {
    use super::*;

    /// Against the plain recursion over who comes next, and at the ends.
    #[test]
    fn nobody_expects_more_than_there_are() {
        for (people, members, gain) in [
            (60, 40, 1.0 / 3.0),
            (60, 12, 0.4),
            (9, 9, 0.9),
            (5, 9, 0.9),
            (40, 7, 1.0),
        ] {
            let mut taken = vec![0.0; members + 1];
            taken[0] = 1.0;
            let mut screened = 0.0;
            for _ in 0..people {
                let open: f64 = taken[..members].iter().sum();
                screened += open;
                for k in (0..members).rev() {
                    taken[k + 1] += taken[k] * gain;
                    taken[k] *= 1.0 - gain;
                }
            }
            let short: f64 = taken[..members].iter().sum();
            let members = members as u64;
            let ours = (
                screened_of(people, members, gain),
                chance_short(people, members, gain),
            );
            assert!(
                (ours.0 - screened).abs() < 1e-9 && (ours.1 - short).abs() < 1e-9,
                "{ours:?} {screened} {short}"
            );
        }
        assert_eq!(screened_of(1_000_000, 40, 0.5), 80.0);
    }
}
