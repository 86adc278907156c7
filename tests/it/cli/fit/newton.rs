//! Logistic regression the slow way: Newton's method from 0 with step halving, by elimination.
//! Shares no code with the fit.

/// The weights of the least |w|^2 / 2 + sum log(1 + exp(-y w.x)).
pub fn weights(rows: &[Vec<f64>], labels: &[bool]) -> Vec<f64> {
    let d = rows[0].len();
    let mut w = vec![0.0; d];
    for _ in 0..100 {
        let mut gradient = w.clone();
        let mut hessian: Vec<Vec<f64>> = (0..d)
            .map(|i| (0..d).map(|j| f64::from(u8::from(i == j))).collect())
            .collect();
        for (x, label) in rows.iter().zip(labels) {
            let p = 1.0 / (1.0 + libm::exp(-dot(&w, x)));
            for i in 0..d {
                gradient[i] += (p - f64::from(u8::from(*label))) * x[i];
                for j in 0..d {
                    hessian[i][j] += p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        let step = eliminate(hessian, gradient);
        let mut by = 1.0;
        let moved =
            |by: f64| -> Vec<f64> { w.iter().zip(&step).map(|(w, s)| w - by * s).collect() };
        while by > 1e-3 && objective(rows, labels, &moved(by)) > objective(rows, labels, &w) {
            by /= 2.0;
        }
        w = moved(by);
    }
    w
}

/// Population mean and variance of w.x among the rows of a side.
pub fn law(rows: &[Vec<f64>], weights: &[f64], inside: &[bool], side: bool) -> (f64, f64) {
    let of = rows
        .iter()
        .zip(inside)
        .filter(|(_, inside)| **inside == side);
    let scores: Vec<f64> = of.map(|(x, _)| dot(weights, x)).collect();
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let squares = scores.iter().map(|z| (z - mean).powi(2)).sum::<f64>();
    (mean, squares / n)
}

/// The rows of features of a table of text: numbers, and of texts a column for each value but the
/// first.
pub fn features(table: &[Vec<String>], columns: &[usize]) -> Vec<Vec<f64>> {
    let mut rows = vec![Vec::new(); table.len()];
    for column in columns {
        let cells: Vec<&str> = table.iter().map(|row| row[*column].as_str()).collect();
        if cells.iter().all(|cell| cell.parse::<f64>().is_ok()) {
            for (row, cell) in rows.iter_mut().zip(cells) {
                row.push(cell.parse().unwrap());
            }
            continue;
        }
        let mut levels = cells.clone();
        levels.sort_unstable();
        levels.dedup();
        for level in &levels[1..] {
            for (row, cell) in rows.iter_mut().zip(&cells) {
                row.push(f64::from(u8::from(cell == level)));
            }
        }
    }
    rows
}

fn objective(rows: &[Vec<f64>], labels: &[bool], w: &[f64]) -> f64 {
    let loss = |(x, label): (&Vec<f64>, &bool)| {
        let z = dot(w, x) * if *label { 1.0 } else { -1.0 };
        // Either form is exact where the other runs over.
        match z > 0.0 {
            true => libm::log1p(libm::exp(-z)),
            false => libm::log1p(libm::exp(z)) - z,
        }
    };
    dot(w, w) / 2.0 + rows.iter().zip(labels).map(loss).sum::<f64>()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The x with a x = b; a is positive definite, so that no pivot is 0.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let d = b.len();
    for k in 0..d {
        for i in k + 1..d {
            let factor = a[i][k] / a[k][k];
            let above = a[k].clone();
            for (a, above) in a[i].iter_mut().zip(above) {
                *a -= factor * above;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..d).rev() {
        let known: f64 = (k + 1..d).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}
