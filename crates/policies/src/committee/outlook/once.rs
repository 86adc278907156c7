//! The people that a committee of K screens of respondents who come once, one by one.

use super::slates::Screened;
use crate::limits::MOST_RESPONDENTS;

/// The people screened of respondents who become members with these chances, in an order that is
/// drawn: given that T of N would, the K-th comes after K (N + 1) / (T + 1) in the mean. `sd`: if
/// there were always more. None where there are too many.
pub(super) fn shuffled(chances: &[f64], members: u64, sd: f64) -> Option<Screened> {
    let law = totals(chances)?;
    let people = chances.len() as f64;
    let (mut mean, mut unfilled) = (0.0, 0.0);
    for (total, likely) in law.iter().enumerate() {
        if (total as u64) < members {
            mean += likely * people;
            unfilled += likely;
        } else {
            mean += likely * members as f64 * (people + 1.0) / (total as f64 + 1.0);
        }
    }
    Some(Screened { mean, sd, unfilled })
}

/// Returns the people screened in the order of the list.
pub(super) fn in_order(chances: &[f64], members: u64, sd: f64) -> Option<Screened> {
    let full = usize::try_from(members)
        .ok()
        .filter(|full| *full <= MOST_RESPONDENTS)?;
    if chances.len() > 20 * MOST_RESPONDENTS {
        return None;
    }
    // The likelihood of each number of members below K.
    let mut law = vec![0.0; full];
    *law.first_mut()? = 1.0;
    let mut mean = 0.0;
    for chance in chances {
        mean += law.iter().sum::<f64>();
        for at in (0..full).rev() {
            let joins = if at > 0 { law[at - 1] * chance } else { 0.0 };
            law[at] = law[at] * (1.0 - chance) + joins;
        }
    }
    let unfilled = law.iter().sum();
    Some(Screened { mean, sd, unfilled })
}

/// The likelihood of each number of members, if all came.
fn totals(chances: &[f64]) -> Option<Vec<f64>> {
    if chances.len() > MOST_RESPONDENTS {
        return None;
    }
    let mut law = vec![0.0; chances.len() + 1];
    law[0] = 1.0;
    for (known, chance) in chances.iter().enumerate() {
        for at in (0..=known).rev() {
            law[at + 1] += law[at] * chance;
            law[at] *= 1.0 - chance;
        }
    }
    Some(law)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: two of three who join with certainty, and one who never does.
    #[test]
    fn few_people_are_counted_by_hand() {
        let close = |said: Screened, mean: f64, unfilled: f64| {
            assert!((said.mean - mean).abs() < 1e-12 && (said.unfilled - unfilled).abs() < 1e-12);
        };
        // The orders of a, b and the other: 2, 3, 3 screened for two members, 1, 1, 2 for one.
        let chances = [1.0, 1.0, 0.0];
        close(shuffled(&chances, 2, 0.0).unwrap(), 8.0 / 3.0, 0.0);
        close(shuffled(&chances, 1, 0.0).unwrap(), 4.0 / 3.0, 0.0);
        close(shuffled(&chances, 3, 0.0).unwrap(), 3.0, 1.0);
        close(in_order(&chances, 2, 0.0).unwrap(), 2.0, 0.0);
        close(in_order(&[0.5, 0.5], 1, 0.0).unwrap(), 1.5, 0.25);
        close(shuffled(&[0.5, 0.5], 1, 0.0).unwrap(), 1.5, 0.25);
        assert!(shuffled(&vec![0.5; MOST_RESPONDENTS + 1], 3, 0.0).is_none());
    }
}
