//! Arrival times: a rate that varies over the day and in bursts.

use crate::draw::{Key, Purpose, open_uniform};

/// The seconds of a day.
const DAY: f64 = 86_400.0;

/// A rate of arrivals, in persons a second, and its variation.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrivalRate {
    /// The rate before daily and burst factors.
    pub rate: f64,
    /// True if the gaps between persons are exponential. If false, all gaps are equal at the same
    /// rate.
    pub is_poisson: bool,
    /// Factors of the rate, each for an equal stretch of the day, from midnight (time 0) on; empty
    /// where the rate does not vary over the day.
    pub daily: Vec<f64>,
    /// The times at which more people come for a while.
    pub bursts: Option<Bursts>,
    /// The factor by which a live run releases people faster than real time.
    pub speed: f64,
}

/// Stretches of time in which the rate is multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// The seconds from the start of one burst to the start of the next, the first at time 0.
    pub every: f64,
    /// The length of each burst in seconds, below `every`.
    pub length: f64,
    /// The factor of the rate during a burst.
    pub times: f64,
}

impl ArrivalRate {
    /// Returns true if persons arrive independently, at one rate.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        self.is_poisson && self.daily.is_empty() && self.bursts.is_none()
    }

    /// The time of the next arrival after `at`, `units` expected arrivals later.
    fn after(&self, mut at: f64, mut units: f64) -> f64 {
        loop {
            let end = self.edge(at);
            let rate = self.rate_at(match end.is_finite() {
                true => at.midpoint(end),
                false => at,
            });
            let within = rate * (end - at);
            if rate > 0.0 && units <= within {
                return at + units / rate;
            }
            units -= within;
            at = end;
        }
    }

    /// The next moment after `at` at which the rate changes.
    fn edge(&self, at: f64) -> f64 {
        let mut edge = f64::INFINITY;
        if self.daily.len() > 1 {
            edge = next(at, DAY / self.daily.len() as f64, 0.0);
        }
        if let Some(bursts) = &self.bursts {
            edge = edge.min(next(at, bursts.every, 0.0));
            edge = edge.min(next(at, bursts.every, bursts.length));
        }
        edge
    }

    /// The rate at a moment.
    fn rate_at(&self, at: f64) -> f64 {
        let slices = self.daily.len() as f64;
        let slice = (at / DAY).fract() * slices;
        let daily = self.daily.get(slice as usize).copied().unwrap_or(1.0);
        let burst = self.bursts.filter(|bursts| {
            let since = at - (at / bursts.every).floor() * bursts.every;
            since < bursts.length
        });
        self.rate * daily * burst.map_or(1.0, |bursts| bursts.times)
    }
}

/// The first of the moments `offset`, `offset` + `every`, ... that is after `at`.
fn next(at: f64, every: f64, offset: f64) -> f64 {
    let mut steps = ((at - offset) / every).floor().max(-1.0) + 1.0;
    while offset + steps * every <= at {
        steps += 1.0;
    }
    offset + steps * every
}

/// The clock of a stream: person after person.
pub(super) struct Clock {
    arrivals: ArrivalRate,
    key: Key,
    /// The next person and their arrival time.
    who: u64,
    at: f64,
}

impl Clock {
    pub(super) fn new(arrivals: ArrivalRate, key: Key) -> Self {
        let mut clock = Self {
            arrivals,
            key,
            who: 0,
            at: 0.0,
        };
        clock.wait();
        clock
    }

    /// The time at which the next person arrives, in seconds.
    pub(super) fn at(&self) -> f64 {
        self.at
    }

    /// Moves on to the next person.
    pub(super) fn step(&mut self) {
        self.who += 1;
        self.wait();
    }

    fn wait(&mut self) {
        let units = if self.arrivals.is_poisson {
            let mut word = [0];
            self.key.fill(Purpose::Arrival, self.who, &mut word);
            -libm::log(open_uniform(word[0]))
        } else {
            1.0
        };
        self.at = self.arrivals.after(self.at, units);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrivals(rate: f64, daily: &[f64], bursts: Option<Bursts>) -> ArrivalRate {
        ArrivalRate {
            rate,
            is_poisson: true,
            daily: daily.to_vec(),
            bursts,
            speed: 1.0,
        }
    }

    fn times(arrivals: &ArrivalRate, n: usize) -> Vec<f64> {
        let mut clock = Clock::new(arrivals.clone(), Key::new(6, 0));
        let step = |()| {
            let at = clock.at();
            clock.step();
            at
        };
        std::iter::repeat_n((), n).map(step).collect()
    }

    #[test]
    fn gaps_of_a_steady_rate_are_exponential() {
        let times = times(&arrivals(25.0, &[], None), 20_000);
        let gaps = times.windows(2).map(|pair| 25.0 * (pair[1] - pair[0]));
        let mut gaps: Vec<f64> = gaps.collect();
        gaps.sort_by(f64::total_cmp);
        let n = gaps.len() as f64;
        let off = gaps.iter().enumerate();
        let off = off.map(|(at, gap)| (-libm::expm1(-gap) - at as f64 / n).abs());
        assert!(off.fold(0.0, f64::max) * n.sqrt() < 2.2);
    }

    /// Counts of two days against the integral of the rate, stretch by stretch.
    #[test]
    fn counts_follow_the_daily_curve_and_the_bursts() {
        let bursts = Bursts {
            every: 7_200.0,
            length: 900.0,
            times: 5.0,
        };
        let arrivals = arrivals(0.2, &[0.0, 1.0, 2.0, 0.5], Some(bursts));
        let times = times(&arrivals, 60_000);
        let step = 300.0;
        let due = |k: usize| step * arrivals.rate_at((k as f64 + 0.5) * step);
        let mut distance = 0.0;
        let cells = 2 * 288;
        for k in 0..cells {
            let within = |at: &&f64| (**at / step) as usize == k;
            let seen = times.iter().filter(within).count() as f64;
            match due(k) {
                0.0 => assert_eq!(seen, 0.0, "{k}"),
                due => distance += (seen - due) * (seen - due) / due,
            }
        }
        let freedom = cells as f64 * 0.75;
        let off = (distance - freedom) / (2.0 * freedom).sqrt();
        assert!(off.abs() < 4.0, "{distance} for {freedom}");
        assert!(times.is_sorted());
    }

    #[test]
    fn even_arrivals_are_evenly_spaced() {
        let even = ArrivalRate {
            is_poisson: false,
            ..arrivals(2.0, &[], None)
        };
        assert_eq!(times(&even, 4), [0.5, 1.0, 1.5, 2.0]);
        let halved = ArrivalRate {
            is_poisson: false,
            ..arrivals(1.0, &[0.0, 1.0], None)
        };
        assert_eq!(times(&halved, 2), [43_201.0, 43_202.0]);
        let last = times(&halved, 43_201);
        assert_eq!(last[43_199..], [86_400.0, 86_400.0 + 43_201.0]);
    }
}
