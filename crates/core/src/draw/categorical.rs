//! A law over 0 .. n, drawn by inverse CDF of one uniform.

/// The reason why weights make no law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALaw {
    /// There is no outcome.
    #[error("no weight is positive")]
    Empty,
    /// A weight is negative, infinite or not a number.
    #[error("weight {0} is not a finite number >= 0")]
    Weight(usize),
    /// There are more outcomes than an index of 32 bits can name.
    #[error("more than 2^32 - 1 outcomes")]
    TooMany,
}

/// A law over 0 .. n. A draw is the first j with u < p_0 + ... + p_j (the last j of positive weight
/// if rounding leaves a gap at 1). A guide table makes a draw take about one step, whatever n is.
#[derive(Clone, Debug)]
pub struct Categorical {
    /// Running sums, divided by the total; that of the last j of positive weight is infinite.
    cumulative: Vec<f64>,
    /// Slot k of 2^m: the first j that a u >= k 2^-m can reach. The slot of a word is its first m
    /// bits.
    guide: Vec<u32>,
    /// 64 - m.
    shift: u32,
}

impl Categorical {
    /// Makes a law from weights, of any positive total.
    ///
    /// # Errors
    /// Returns an error if no weight is positive, one is negative or not finite, or there are too
    /// many.
    pub fn new(weights: &[f64]) -> Result<Self, NotALaw> {
        if u32::try_from(weights.len()).is_err() {
            return Err(NotALaw::TooMany);
        }
        if let Some(bad) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            return Err(NotALaw::Weight(bad));
        }
        let last = weights
            .iter()
            .rposition(|&w| w > 0.0)
            .ok_or(NotALaw::Empty)?;
        let total: f64 = weights.iter().sum();
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = weights
            .iter()
            .map(|w| {
                sum += w;
                sum / total
            })
            .collect();
        cumulative[last] = f64::INFINITY;
        // Several slots an outcome, so that few slots hold a boundary and most searches end where
        // they start; fewer for a law so large that its table would only fall out of the caches.
        let slots = match cumulative.len() {
            n if n <= 1 << 12 => 8 * n,
            n => n,
        };
        let slots = slots.next_power_of_two();
        let mut guide = Vec::with_capacity(slots);
        let mut j = 0;
        for slot in 0..slots {
            let least = slot as f64 / slots as f64;
            while cumulative[j as usize] <= least {
                j += 1;
            }
            guide.push(j);
        }
        Ok(Self {
            cumulative,
            guide,
            shift: 64 - slots.trailing_zeros(),
        })
    }

    /// The outcome at a word.
    #[inline]
    #[must_use]
    pub fn pick(&self, word: u64) -> u32 {
        let u = super::uniform(word);
        let mut j = self.guide[(word >> self.shift) as usize];
        while u >= self.cumulative[j as usize] {
            j += 1;
        }
        j
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    fn slow(weights: &[f64], u: f64) -> u32 {
        let total: f64 = weights.iter().sum();
        let mut sum = 0.0;
        for (j, w) in weights.iter().enumerate() {
            sum += w;
            if u < sum / total {
                return j as u32;
            }
        }
        weights.iter().rposition(|&w| w > 0.0).unwrap() as u32
    }

    #[test]
    fn equals_the_plain_search() {
        let mut draw = Key::new(1, 0).draw(Purpose::World, 0, 0);
        for n in [1, 2, 3, 7, 64, 384, 1000] {
            let weights: Vec<f64> = (0..n)
                .map(|_| {
                    let u = draw.uniform();
                    if u < 0.3 { 0.0 } else { u * u * u }
                })
                .chain([1e-9])
                .collect();
            let law = Categorical::new(&weights).unwrap();
            for _ in 0..2000 {
                let word = draw.word();
                let picked = law.pick(word);
                assert_eq!(picked, slow(&weights, crate::draw::uniform(word)));
                assert!(weights[picked as usize] > 0.0);
            }
            for word in [0, u64::MAX] {
                assert_eq!(law.pick(word), slow(&weights, crate::draw::uniform(word)));
            }
        }
    }

    #[test]
    fn wrong_weights() {
        assert_eq!(Categorical::new(&[]).unwrap_err(), NotALaw::Empty);
        assert_eq!(Categorical::new(&[0.0, 0.0]).unwrap_err(), NotALaw::Empty);
        assert_eq!(
            Categorical::new(&[1.0, -1.0]).unwrap_err(),
            NotALaw::Weight(1)
        );
        assert_eq!(
            Categorical::new(&[f64::NAN]).unwrap_err(),
            NotALaw::Weight(0)
        );
    }
}
