//! Helpers of the learners' tests: instances and a simulation.

mod confidence;
mod formulations;
mod literal;
mod machine;
mod programs;

use super::*;

type Rows = Vec<Vec<f64>>;

/// A small generator of the tests' own (SplitMix64), uniform in [0, 1).
struct Luck(u64);

impl Luck {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A committee's law, by cell, and targets.
#[derive(Clone)]
struct Instance {
    levels: Vec<usize>,
    p: Vec<f64>,
    rho: Rows,
}

impl Instance {
    /// Independent attributes, the shares in proportion to the targets times weights.
    fn of_weights(rho: Rows, weights: &Rows) -> Self {
        let mut p = vec![1.0];
        for (targets, weights) in rho.iter().zip(weights) {
            let masses: Vec<f64> = targets.iter().zip(weights).map(|(r, w)| r * w).collect();
            let sum: f64 = masses.iter().sum();
            let next = p
                .iter()
                .flat_map(|a| masses.iter().map(move |b| a * b / sum));
            p = next.collect();
        }
        Self {
            levels: rho.iter().map(Vec::len).collect(),
            p,
            rho,
        }
    }

    /// The brexit-like instance's configuration (1): ethnicity, social class, gender.
    fn bxs_8() -> Self {
        let rho = vec![vec![0.86, 0.14], vec![0.55, 0.45], vec![0.49, 0.51]];
        let weights = vec![vec![1.0, 0.37], vec![1.0, 0.65], vec![1.0, 0.75]];
        Self::of_weights(rho, &weights)
    }

    /// Configuration (2): with age and vote.
    fn bxs_48() -> Self {
        let rho = vec![
            vec![0.86, 0.14],
            vec![0.55, 0.45],
            vec![0.29, 0.34, 0.37],
            vec![0.49, 0.51],
            vec![0.519, 0.481],
        ];
        let weights = vec![
            vec![1.0, 0.37],
            vec![1.0, 0.65],
            vec![0.65, 1.0, 1.0],
            vec![1.0, 0.75],
            vec![0.85, 1.0],
        ];
        Self::of_weights(rho, &weights)
    }

    /// Makes syn6 without its attribute of 8 values.
    fn syn6_48() -> Self {
        let levels = [2usize, 2, 3, 2, 2];
        let rho = levels.map(|n| vec![1.0 / n as f64; n]).to_vec();
        let weight = |n: usize| (0..n).map(|j| 1.0 + (j + 1) as f64 / n as f64).collect();
        Self::of_weights(rho, &levels.map(weight).to_vec())
    }

    fn grid(&self) -> CellGrid {
        CellGrid::new(&self.levels, &self.rho).unwrap()
    }

    fn learner(&self, parameters: Parameters) -> RlCmdp {
        RlCmdp::new(&self.levels, &self.rho, parameters).unwrap()
    }

    fn draw(&self, luck: &mut Luck) -> u32 {
        let mut left = luck.uniform();
        let cell = self.p.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        cell.unwrap_or(self.p.len() - 1) as u32
    }

    /// Screens until a number are accepted, for each of the sizes (increasing): how many were
    /// screened by then, and the loss.
    fn recruit<P: Planner>(
        &self,
        learner: &mut Learner<P>,
        sizes: &[u64],
        luck: &mut Luck,
    ) -> Vec<(u64, f64)> {
        let grid = self.grid();
        let mut accepted = vec![0.0; self.p.len()];
        let (mut screened, mut size) = (0, 0);
        let mut rows = Vec::new();
        while rows.len() < sizes.len() {
            let cell = self.draw(luck);
            screened += 1;
            let accepts = luck.uniform() < learner.probability(cell);
            learner.observe(cell);
            if accepts {
                accepted[cell as usize] += 1.0;
                size += 1;
                if size == sizes[rows.len()] {
                    rows.push((screened, grid.violation(&accepted) / size as f64));
                }
            }
        }
        rows
    }
}

/// Mean and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}
