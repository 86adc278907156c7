//! Random instances of the committee's program of any size, some with a gain that is known by
//! construction.

/// A number for each value of each attribute.
pub type Rows = Vec<Vec<f64>>;

/// Numbers of values of attributes that make 384, 4,608, 46,080 and 460,800 cells: six attributes
/// like those of the brexit data, and up to three more.
pub const SIZES: [&[usize]; 4] = [
    &[2, 2, 3, 8, 2, 2],
    &[2, 2, 3, 8, 2, 2, 12],
    &[2, 2, 3, 8, 2, 2, 12, 10],
    &[2, 2, 3, 8, 2, 2, 12, 10, 10],
];

/// A random number generator, uniform on [0, 1) (SplitMix64).
pub struct Uniform(pub u64);

/// Targets, and the optimal gain under the law they were made for.
pub struct Known {
    /// The targets.
    pub rho: Rows,
    /// `g*`.
    pub gain: f64,
}

impl Uniform {
    /// Returns the next number.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws the shares of the values of independent attributes, within a factor of 1 +- `spread`
    /// of one another.
    pub fn marginals(&mut self, levels: &[usize], spread: f64) -> Rows {
        let mut row = |&n: &usize| scaled((0..n).map(|_| self.near_1(spread)).collect());
        levels.iter().map(&mut row).collect()
    }

    /// Draws a law of all the cells, a part `empty` of which are empty.
    pub fn law(&mut self, levels: &[usize], empty: f64) -> Vec<f64> {
        let total: usize = levels.iter().product();
        let cell = |_| match self.number() < empty {
            true => 0.0,
            false => 0.05 + self.number(),
        };
        let mut p: Vec<f64> = (0..total).map(cell).collect();
        p[0] += 0.1;
        scaled(p)
    }

    /// Draws a law of attributes that depend on each other: people are of two kinds, in each of
    /// which attributes are independent.
    pub fn mixture(&mut self, levels: &[usize], spread: f64) -> Vec<f64> {
        let kinds = [(); 2].map(|()| product(&self.marginals(levels, spread)));
        let [one, other] = kinds;
        let both = one.iter().zip(&other);
        scaled(both.map(|(a, b)| 0.6 * a + 0.4 * b).collect())
    }

    /// Multiplies the masses of a law by random factors of up to `ratio`.
    pub fn skewed(&mut self, p: Vec<f64>, ratio: f64) -> Vec<f64> {
        let skew = |p| p * libm::exp(-self.number() * libm::log(ratio));
        scaled(p.into_iter().map(skew).collect())
    }

    /// Draws targets within a factor of 1 +- `spread` of a law's marginals.
    pub fn targets(&mut self, levels: &[usize], p: &[f64], spread: f64) -> Rows {
        let mut tilted = |row: Vec<f64>| {
            let tilted = row.into_iter().map(|share| share * self.near_1(spread));
            scaled(tilted.collect())
        };
        shares(levels, p).into_iter().map(&mut tilted).collect()
    }

    /// Targets for which the bound is attained: the shares of those accepted by
    /// `min(1, prod_i a^i_{x^i})`, everybody with value 0 of attribute 0 among them.
    pub fn attained(&mut self, levels: &[usize], p: &[f64]) -> Known {
        let mut a = self.marginals(levels, 0.6);
        for row in &mut a {
            let n = row.len() as f64;
            row.iter_mut().for_each(|a| *a *= n);
        }
        a[0][0] = f64::INFINITY;
        known(levels, p, |values| {
            let product: f64 = values.iter().zip(&a).map(|(&j, a)| a[j]).product();
            product.min(1.0)
        })
    }

    /// Targets for which the bound is not attained, as a rule: the shares of those accepted if
    /// everybody with `v(x) > 0` is, and no person with `v(x) < 0`, where `v(x)` is a sum of a
    /// number for each value; so `v` proves that this gain is optimal. The numbers are multiples of
    /// `grain` up to 1, so that some cells have `v(x) = 0` (unless it is tiny); of these some are
    /// accepted.
    pub fn beyond(&mut self, levels: &[usize], p: &[f64], grain: f64) -> Known {
        let mut number = || ((2.0 * self.number() - 1.0) / grain).round();
        let row = |&n: &usize| (0..n).map(|_| number()).collect::<Vec<f64>>();
        let mut v: Rows = levels.iter().map(row).collect();
        // On the whole, some more than half are accepted.
        let mean: f64 = v
            .iter()
            .map(|row| row.iter().sum::<f64>() / row.len() as f64)
            .sum();
        v[0].iter_mut()
            .for_each(|v| *v += (0.2 / grain - mean).round());
        known(levels, p, |values| {
            let v: f64 = values.iter().zip(&v).map(|(&j, v)| v[j]).sum();
            if v == 0.0 {
                self.number()
            } else {
                f64::from(u8::from(v > 0.0))
            }
        })
    }

    fn near_1(&mut self, spread: f64) -> f64 {
        1.0 + spread * (2.0 * self.number() - 1.0)
    }
}

/// Scales a row to a sum of 1.
pub fn scaled(mut row: Vec<f64>) -> Vec<f64> {
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
    row
}

/// Returns the law of independent attributes, cell by cell.
pub fn product(marginals: &Rows) -> Vec<f64> {
    marginals.iter().fold(vec![1.0], |p, row| {
        let cells = p.iter().flat_map(|a| row.iter().map(move |b| a * b));
        cells.collect()
    })
}

/// Returns the cells that are not empty, with their masses.
pub fn cells(p: &[f64]) -> Vec<(u32, f64)> {
    let cells = p.iter().enumerate().map(|(cell, &p)| (cell as u32, p));
    cells.filter(|&(_, p)| p > 0.0).collect()
}

/// Returns the value of attribute i in a cell, by division from the right.
pub fn value(levels: &[usize], cell: usize, i: usize) -> usize {
    cell / levels[i + 1..].iter().product::<usize>() % levels[i]
}

/// Returns the mass of each value.
pub fn shares(levels: &[usize], p: &[f64]) -> Rows {
    let share = |i: usize| {
        let mut row = vec![0.0; levels[i]];
        for (cell, p) in p.iter().enumerate() {
            row[value(levels, cell, i)] += p;
        }
        row
    };
    (0..levels.len()).map(share).collect()
}

/// Returns the targets that `pi` reaches, and its gain.
fn known(levels: &[usize], p: &[f64], mut pi: impl FnMut(&[usize]) -> f64) -> Known {
    let accepted = |(cell, p): (usize, &f64)| {
        let values: Vec<usize> = (0..levels.len()).map(|i| value(levels, cell, i)).collect();
        p * pi(&values)
    };
    let accepted: Vec<f64> = p.iter().enumerate().map(accepted).collect();
    Known {
        rho: shares(levels, &accepted).into_iter().map(scaled).collect(),
        gain: accepted.iter().sum(),
    }
}
