//! The last digits: probabilities that almost keep to the targets, made to keep to them.

use super::support::Support;

/// A row of the moments depends on others if no more than this part is left of it.
const DEPENDENT: f64 = 1e-13;

/// Each step squares the error, down to the rounding.
const STEPS: usize = 3;

/// The probabilities `pi` of the cells, changed in proportion to `pi (1 - pi)` so that the targets are kept. Where pi is optimal but for
/// rounding, so is the answer: cells that are neither all accepted nor all rejected can be exchanged for one another without loss.
pub(super) fn mend(support: &Support, mut pi: Vec<f64>) -> Vec<f64> {
    let weighing = |f: fn(f64) -> f64, pi: &[f64]| {
        let mass = support.cells.mass.iter().zip(pi);
        support
            .cells
            .weighing(mass.map(|(p, &pi)| p * f(pi)).collect())
    };
    for _ in 0..STEPS {
        let taken = weighing(|pi| pi, &pi);
        let whole = taken.sums(&vec![0.0; support.targets.len()]);
        let excess = support.excess(&taken.tally(&whole, |_, _, m| m));
        let mut moments = weighing(|pi| pi * (1.0 - pi), &pi).moments(&whole, |_, _, m| m);
        support
            .spare()
            .into_iter()
            .for_each(|place| moments.strike(place));
        let l = moments.factor(DEPENDENT).solve(&excess);
        let changes = support.cells.each(&support.cells.sums(&l), |l, r| l + r);
        for (pi, change) in pi.iter_mut().zip(changes) {
            *pi = (*pi - *pi * (1.0 - *pi) * change).clamp(0.0, 1.0);
        }
    }
    pi
}
