//! Random laws: every method against the others, and against an enumeration of vertices.

use super::*;
use kleroterion_testkit::programs::Uniform;

/// A joint law with a part `empty` of its cells empty, and targets within a factor of 1 +- `spread`
/// of its marginals.
fn drawn(uniform: &mut Uniform, levels: &[usize], empty: f64, spread: f64) -> Instance {
    let p = uniform.law(levels, empty);
    Instance {
        levels: levels.to_vec(),
        rho: uniform.targets(levels, &p, spread),
        p,
    }
}

#[test]
fn random_laws_have_one_gain_whatever_the_method() {
    let mut uniform = Uniform(2021);
    let (mut fitted, mut below) = (0, 0);
    for round in 0..200 {
        let d = 2 + round % 3;
        let levels: Vec<usize> = (0..d)
            .map(|_| 2 + (3.0 * uniform.number()) as usize)
            .collect();
        let empty = if round % 2 == 0 { 0.0 } else { 0.3 };
        let spread = 0.2 + 0.6 * uniform.number();
        let instance = drawn(&mut uniform, &levels, empty, spread);
        let by_simplex = match instance.solve_by(Method::Simplex) {
            Ok(found) => found,
            Err(error) => {
                let hopeless = matches!(
                    error,
                    ProgramError::Incompatible | ProgramError::Unreachable(_)
                );
                assert!(hopeless && empty > 0.0, "{error}");
                assert_eq!(instance.solve().unwrap_err(), error);
                continue;
            }
        };
        instance.check(&by_simplex);
        let bound = instance.bound();
        assert!(by_simplex.gain <= bound + 1e-9);
        let by_interior = instance.solve_by(Method::InteriorPoint).unwrap();
        instance.check(&by_interior);
        assert!((by_interior.gain - by_simplex.gain).abs() < 1e-7);
        let found = instance.solve().unwrap();
        instance.check(&found);
        assert!(
            (found.gain - by_simplex.gain).abs() < 1e-7,
            "{found:?} {by_simplex:?}"
        );
        // Wherever the bound is attained, the capped fit finds it.
        let attained = by_simplex.gain > bound * (1.0 - 1e-9);
        assert_eq!(attained, found.method == Method::CappedFit, "{found:?}");
        if attained {
            assert!((found.gain - bound).abs() < 1e-10);
            fitted += 1;
        } else if by_simplex.gain < bound - 1e-6 {
            below += 1;
        }
    }
    // Both happen, or this shows little.
    assert!(
        fitted > 40 && below > 20,
        "{fitted} fitted, {below} below the bound"
    );
}

/// Shares that differ a million- or ten-billionfold defeat one method or other. What must not
/// happen is two answers, both certified, that differ.
#[test]
fn under_extreme_skew_certified_answers_agree_and_the_rest_are_errors() {
    let mut uniform = Uniform(99);
    let shapes: [&[usize]; 5] = [&[2, 3], &[2, 2, 2], &[3, 4], &[2, 3, 4], &[4, 4, 3]];
    let (mut certified, mut refused) = (0, 0);
    for round in 0..600 {
        let levels = shapes[round % 5];
        let p = uniform.law(levels, 0.2);
        let p = uniform.skewed(p, [1e6, 1e10][round % 2]);
        let instance = Instance {
            levels: levels.to_vec(),
            rho: uniform.targets(levels, &p, 0.8),
            p,
        };
        if instance.rho.iter().flatten().any(|rho| rho.is_nan()) {
            continue;
        }
        let mut answers: Vec<Solution> = Vec::new();
        for &(method, _) in METHODS {
            match instance.solve_by(method) {
                Ok(found) => {
                    instance.check(&found);
                    for other in &answers {
                        let apart = (found.gain - other.gain).abs();
                        assert!(apart <= found.gap + other.gap, "{found:?} {other:?}");
                    }
                    answers.push(found);
                    certified += 1;
                }
                Err(ProgramError::Unsolved(_)) if method == Method::CappedFit => {}
                Err(ProgramError::Unsolved(_)) => refused += 1,
                Err(error) => assert_eq!(error, ProgramError::Incompatible),
            }
        }
        let any = !answers.is_empty();
        assert_eq!(instance.solve().is_ok(), any, "{:?}", instance.solve());
    }
    // Both happen, or this shows little.
    assert!(
        certified > 1000 && refused > 100,
        "{certified} certified, {refused} refused"
    );
}

#[test]
fn tiny_programs_agree_with_an_enumeration_of_vertices() {
    let mut uniform = Uniform(7);
    let shapes: [&[usize]; 6] = [&[2, 2], &[2, 3], &[3, 2], &[2, 2, 2], &[4, 2], &[5]];
    let mut compared = 0;
    for round in 0..120 {
        let empty = if round % 2 == 0 { 0.0 } else { 0.2 };
        let instance = drawn(&mut uniform, shapes[round % 6], empty, 0.8);
        let expected = best_vertex(&instance);
        match instance.solve() {
            Ok(found) => {
                assert!((found.gain - expected).abs() < 1e-8, "{found:?} {expected}");
                compared += 1;
            }
            Err(error) => assert!(expected < 1e-9, "{error}: {expected}"),
        }
    }
    assert!(compared > 90, "{compared}");
}

/// The greatest gain over all vertices: some cells, as many as independent rows, solve the parity
/// equations; the others are at 0 or 1.
fn best_vertex(instance: &Instance) -> f64 {
    let cells = instance.cells();
    let n = cells.len();
    let mut rows: Rows = Vec::new();
    for (i, targets) in instance.rho.iter().enumerate() {
        for (j, rho) in targets.iter().enumerate() {
            let parity = |&(cell, p): &(u32, f64)| {
                let has = f64::from(u8::from(instance.value(cell as usize, i) == j));
                p * (has - rho)
            };
            rows.push(cells.iter().map(parity).collect());
        }
    }
    let rows = independent(rows);
    let mut best = 0.0f64;
    for basis in 0u32..1 << n {
        if basis.count_ones() as usize != rows.len() {
            continue;
        }
        for ones in (0u32..1 << n).filter(|ones| ones & basis == 0) {
            let inside: Vec<usize> = (0..n).filter(|x| basis >> x & 1 == 1).collect();
            let augmented: Rows = rows
                .iter()
                .map(|row| {
                    let fixed: f64 = (0..n).filter(|x| ones >> x & 1 == 1).map(|x| row[x]).sum();
                    let free = inside.iter().map(|&x| row[x]);
                    free.chain([-fixed]).collect()
                })
                .collect();
            let Some(values) = linear_solution(augmented) else {
                break;
            };
            if values.iter().all(|v| (-1e-9..=1.0 + 1e-9).contains(v)) {
                let basic: f64 = inside
                    .iter()
                    .zip(&values)
                    .map(|(&x, v)| cells[x].1 * v)
                    .sum();
                let fixed: f64 = (0..n)
                    .filter(|x| ones >> x & 1 == 1)
                    .map(|x| cells[x].1)
                    .sum();
                best = best.max(basic + fixed);
            }
        }
    }
    best
}

/// Returns linearly independent rows with the same span.
fn independent(mut rows: Rows) -> Rows {
    let mut rank = 0;
    for column in 0..rows[0].len() {
        let pivot = (rank..rows.len())
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(pivot) = pivot.filter(|&r| rows[r][column].abs() > 1e-10) else {
            continue;
        };
        rows.swap(rank, pivot);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column] / pivot[column];
            for (x, y) in row.iter_mut().zip(&pivot) {
                *x -= factor * y;
            }
        }
        rank += 1;
    }
    rows.truncate(rank);
    rows
}

/// Gauss and Jordan on `[A | b]` with a square A; none where A is singular.
fn linear_solution(mut rows: Rows) -> Option<Vec<f64>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .filter(|&r| rows[r][column].abs() > 1e-12)?;
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != column) {
            let factor = row[column] / pivot[column];
            for (x, y) in row.iter_mut().zip(&pivot) {
                *x -= factor * y;
            }
        }
    }
    Some((0..n).map(|r| rows[r][n] / rows[r][r]).collect())
}
