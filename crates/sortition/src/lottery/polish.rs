//! The last digits of the Nash lottery: Newton's method on the panels that are in use.
//!
//! Where a panel has probability 0 and weighs n all the same, an interior point comes near to that
//! as slowly as the square root of its gap. Newton's method then gives the digits that are missing.

/// Iterations at most.
const ITERATIONS: u32 = 30;
/// The share of a panel's curvature below which it depends on the other panels.
const DEPENDENT: f64 = 1e-9;
/// Weights this near to n, as a share of it, are n.
const NEAR: f64 = 1e-15;

/// Shifts probabilities of the panels in `used` so that all of them weigh n. `shares`: the share of
/// each kind on each panel; `counts`: the people of each kind.
pub(super) fn polish(
    shares: &[Vec<(usize, f64)>],
    counts: &[f64],
    mut used: Vec<usize>,
    probabilities: &mut [f64],
) {
    let people: f64 = counts.iter().sum();
    for _ in 0..ITERATIONS {
        let mut chances = vec![0.0; counts.len()];
        for &panel in &used {
            for (kind, share) in &shares[panel] {
                chances[*kind] += probabilities[panel] * share;
            }
        }
        let excess = |panel: usize| -> f64 {
            let weights = shares[panel].iter();
            let weights = weights.map(|(kind, share)| share * counts[*kind] / chances[*kind]);
            weights.sum::<f64>() - people
        };
        let excess: Vec<f64> = used.iter().map(|&panel| excess(panel)).collect();
        let most = excess.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
        if most <= NEAR * people {
            break;
        }
        let rows = used.iter().map(|&panel| {
            let mut row = vec![0.0; counts.len()];
            for (kind, share) in &shares[panel] {
                row[*kind] = share * counts[*kind].sqrt() / chances[*kind];
            }
            row
        });
        let steps = least_squares(rows.collect(), &excess);
        for (&panel, step) in used.iter().zip(&steps) {
            probabilities[panel] = (probabilities[panel] + step).max(0.0);
        }
        used.retain(|&panel| probabilities[panel] > 0.0);
    }
}

/// Steps of the independent rows that solve `R R' steps = right`; 0 of those that depend on others.
/// By Gram and Schmidt's method with the longest row first, twice for accuracy.
fn least_squares(mut rows: Vec<Vec<f64>>, right: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut lengths: Vec<f64> = rows.iter().map(|row| dot(row, row)).collect();
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let mut left: Vec<usize> = (0..rows.len()).collect();
    // Orthonormal rows, and the factors L with `rows = L Q`.
    let (mut basis, mut factors): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    let mut chosen = Vec::new();
    while let Some(at) =
        (0..left.len()).max_by(|&a, &b| lengths[left[a]].total_cmp(&lengths[left[b]]))
    {
        let row = left.swap_remove(at);
        let mut rest = std::mem::take(&mut rows[row]);
        let mut factor = vec![0.0; basis.len()];
        for _ in 0..2 {
            for (sum, unit) in factor.iter_mut().zip(&basis) {
                let along = dot(&rest, unit);
                *sum += along;
                rest.iter_mut().zip(unit).for_each(|(r, u)| *r -= along * u);
            }
        }
        let length = dot(&rest, &rest);
        if length <= DEPENDENT * longest {
            break;
        }
        let root = length.sqrt();
        rest.iter_mut().for_each(|r| *r /= root);
        for &other in &left {
            let along = dot(&rows[other], &rest);
            lengths[other] -= along * along;
        }
        factor.push(root);
        basis.push(rest);
        factors.push(factor);
        chosen.push(row);
    }
    let mut steps = vec![0.0; right.len()];
    for (row, step) in chosen.iter().zip(solved(&factors, &chosen, right)) {
        steps[*row] = step;
    }
    steps
}

/// Returns the solution of `L L' x = right` for the rows chosen.
fn solved(factors: &[Vec<f64>], chosen: &[usize], right: &[f64]) -> Vec<f64> {
    let size = chosen.len();
    let mut x: Vec<f64> = chosen.iter().map(|&row| right[row]).collect();
    for i in 0..size {
        let sum: f64 = (0..i).map(|j| factors[i][j] * x[j]).sum();
        x[i] = (x[i] - sum) / factors[i][i];
    }
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size).map(|j| factors[j][i] * x[j]).sum();
        x[i] = (x[i] - sum) / factors[i][i];
    }
    x
}
