//! The exact wait of greedy, computed by conditioning on the next candidate that it accepts.

use std::collections::BTreeMap;

use kleroterion_policies::committee::Greedy;

/// The time that greedy needs for a committee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// The expected number of candidates until the committee is full or no type fits any more.
    pub screened: f64,
    /// The probability that the committee never gets full.
    pub stalls: f64,
}

/// Computes the wait of greedy from its start, with `members` seats to fill. `law` has the values
/// and the share of each type. It is exact up to rounding. The time grows with the number of
/// committees that greedy can form, so it suits few types and seats.
#[must_use]
pub fn wait(greedy: &Greedy, members: u64, law: &[(Vec<u16>, f64)]) -> Wait {
    let nobody = vec![0; law.len()];
    from(greedy, members, law, nobody, &mut BTreeMap::new())
}

/// Returns the wait from a committee, given as the number of each type.
fn from(
    greedy: &Greedy,
    left: u64,
    law: &[(Vec<u16>, f64)],
    committee: Vec<u64>,
    seen: &mut BTreeMap<Vec<u64>, Wait>,
) -> Wait {
    if let Some(&known) = seen.get(&committee) {
        return known;
    }
    let fits: Vec<usize> = (0..law.len())
        .filter(|&at| law[at].1 > 0.0 && greedy.fits(&law[at].0))
        .collect();
    let rate: f64 = fits.iter().map(|&at| law[at].1).sum();
    let mut wait = Wait {
        screened: 0.0,
        stalls: if left > 0 && fits.is_empty() {
            1.0
        } else {
            0.0
        },
    };
    if left > 0 && rate > 0.0 {
        wait.screened = 1.0 / rate;
        for at in fits {
            let (values, p) = &law[at];
            let (mut next, mut with) = (greedy.clone(), committee.clone());
            next.admit(values);
            with[at] += 1;
            let onward = from(&next, left - 1, law, with, seen);
            wait.screened += p / rate * onward.screened;
            wait.stalls += p / rate * onward.stalls;
        }
    }
    seen.insert(committee, wait);
    wait
}
