//! The number of people that a committee of K screens, where each is accepted with probability g*:
//! tau.

use statrs::function::beta::beta_reg;

/// Returns E min(tau, N): the people screened for a committee of K, out of `people` in all, each
/// accepted with probability `gain`.
pub fn screened_of(people: u64, members: u64, gain: f64) -> f64 {
    let (mean, sd) = (expected_screened(members, gain), sd_screened(members, gain));
    // So far out the chance to screen all is below all rounding.
    if people as f64 > mean + 40.0 * sd {
        return mean;
    }
    (0..people).map(|n| chance_short(n, members, gain)).sum()
}

/// Returns P(tau > n): the chance that fewer than K of `n` people are accepted.
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
