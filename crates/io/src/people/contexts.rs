//! The numbers of people in a file as context vectors, and their worth under a linear reward.

use super::least_squares::{LeastSquares, Sum};
use super::table::{NumberColumns, PeopleTable};

/// The reason why context vectors or their rewards can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadContexts(pub String);

/// The scale of a column: subtract the mean, divide by the population standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextScale {
    mean: f64,
    /// The standard deviation; 0 for a column that does not vary.
    sd: f64,
}

impl ContextScale {
    /// The scale that changes nothing.
    pub const NONE: Self = Self { mean: 0.0, sd: 1.0 };

    /// Returns the scale of these numbers: their mean and population standard deviation, exactly 0
    /// if all are equal.
    ///
    /// # Errors
    /// Where the numbers are too great for a finite mean or sd. `name`: the column's.
    pub fn of(name: &str, numbers: impl Iterator<Item = f64> + Clone) -> Result<Self, BadContexts> {
        let n = numbers.clone().count() as f64;
        let mut sum = Sum::default();
        numbers.clone().for_each(|x| sum.add(x));
        let mean = sum.value() / n;
        let first = numbers.clone().next();
        if numbers.clone().all(|x| Some(x) == first) {
            let mean = first.unwrap_or(0.0);
            return Ok(Self { mean, sd: 0.0 });
        }
        let mut squares = Sum::default();
        numbers.for_each(|x| squares.add((x - mean) * (x - mean)));
        let sd = (squares.value() / n).sqrt();
        if mean.is_finite() && sd.is_finite() {
            Ok(Self { mean, sd })
        } else {
            let what = format!("the numbers of `{name}` are too great to be standardised");
            Err(BadContexts(what))
        }
    }

    /// Returns the scale of a column of 0 and 1 in which `ones` of `n` are 1.
    fn of_share(ones: u64, n: usize) -> Self {
        let mean = ones as f64 / n as f64;
        let sd = (mean * (1.0 - mean)).sqrt();
        Self { mean, sd }
    }

    /// Returns a number on the scale; 0 if the column does not vary.
    #[must_use]
    pub fn apply(self, x: f64) -> f64 {
        if self.sd > 0.0 {
            (x - self.mean) / self.sd
        } else {
            0.0
        }
    }

    /// Returns true if the column varies.
    #[must_use]
    pub fn varies(self) -> bool {
        self.sd > 0.0
    }
}

/// The design that turns a row's numbers into its context. First comes the constant, where there is
/// one, then the numeric columns. Then each level of each one-hot column has a number: 1 for the
/// row's own level, else 0. All but the constant may be standardised.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    names: Vec<String>,
    constant: usize,
    numeric: Vec<ContextScale>,
    /// The index in the context at which the levels of each one-hot column begin.
    starts: Vec<usize>,
    /// The context of a row without any level.
    cold: Vec<f64>,
    /// The value of each level's feature in a row that has the level.
    hot: Vec<f64>,
    flat: Vec<String>,
}

impl Design {
    /// Makes the design for the columns of a table. If `fit` is given, columns are standardised by
    /// its rows; it has the same columns.
    ///
    /// # Errors
    /// Where a column's numbers are too great to be standardised.
    pub fn new(
        columns: &NumberColumns,
        people: &PeopleTable,
        constant: bool,
        fit: Option<&PeopleTable>,
    ) -> Result<Self, BadContexts> {
        let mut design = Self {
            names: Vec::new(),
            constant: usize::from(constant),
            numeric: Vec::new(),
            starts: Vec::new(),
            cold: Vec::new(),
            hot: Vec::new(),
            flat: Vec::new(),
        };
        if constant {
            design.push("constant".into(), 1.0, 1.0, true);
        }
        for (i, column) in columns.numeric.iter().enumerate() {
            let scale = fit.map_or(Ok(ContextScale::NONE), |fit| {
                ContextScale::of(
                    column,
                    (0..fit.len()).map(|row| fit.numbers.numeric(row)[i]),
                )
            })?;
            design.push(column.clone(), 0.0, 0.0, scale.varies());
            design.numeric.push(scale);
        }
        for (i, column) in columns.one_hot.iter().enumerate() {
            design.starts.push(design.cold.len());
            let counts = fit.map(|fit| (fit, counts(fit, i)));
            for level in &people.numbers.levels[i] {
                let scale = counts.as_ref().map_or(ContextScale::NONE, |(fit, counts)| {
                    let at = fit.numbers.levels[i].iter().position(|l| l == level);
                    ContextScale::of_share(at.map_or(0, |at| counts[at]), fit.len())
                });
                let name = format!("{column}={level}");
                design.push(name, scale.apply(0.0), scale.apply(1.0), scale.varies());
            }
        }
        Ok(design)
    }

    fn push(&mut self, name: String, cold: f64, hot: f64, varies: bool) {
        if !varies {
            self.flat.push(name.clone());
        }
        self.names.push(name);
        self.cold.push(cold);
        self.hot.push(hot);
    }

    /// Returns the names of the features, in order: `constant`, `AGEP`, `SEX=1`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the standardised features that do not vary, and are always 0.
    #[must_use]
    pub fn flat(&self) -> &[String] {
        &self.flat
    }

    /// Writes the context of a row of the table that the design was made for.
    ///
    /// # Panics
    /// Where `context` is not as long as the design's names.
    pub fn write(&self, people: &PeopleTable, row: usize, context: &mut [f64]) {
        context.copy_from_slice(&self.cold);
        let numbers = &people.numbers;
        let numeric = self.numeric.iter().zip(numbers.numeric(row));
        for (x, (scale, number)) in context[self.constant..].iter_mut().zip(numeric) {
            *x = scale.apply(*number);
        }
        for (start, code) in self.starts.iter().zip(numbers.codes(row)) {
            let at = start + usize::from(*code);
            context[at] = self.hot[at];
        }
    }
}

/// Returns the number of rows with each level of one-hot column `i`.
fn counts(table: &PeopleTable, i: usize) -> Vec<u64> {
    let mut counts = vec![0; table.numbers.levels[i].len()];
    for row in 0..table.len() {
        counts[usize::from(table.numbers.codes(row)[i])] += 1;
    }
    counts
}

/// A linear model of the rewards of a table's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearReward {
    /// The weights mu, one per feature.
    pub mu: Vec<f64>,
    /// The share of variance explained: 1 - (sum of squared residuals) / (sum of squares about the
    /// mean). `None` if the rewards do not vary.
    pub r_squared: Option<f64>,
    /// The merit mu.x of each row.
    pub merits: Vec<f64>,
}

impl LinearReward {
    /// Fits mu = (X'X + 1e-8 I)^-1 X'y, where X has the contexts of the table's rows, and y their
    /// rewards on `scale`.
    ///
    /// # Errors
    /// Where numbers are too great for the sums.
    pub fn fit(
        people: &PeopleTable,
        design: &Design,
        scale: ContextScale,
    ) -> Result<Self, BadContexts> {
        let rewards = &people.numbers.rewards;
        let rewards = || rewards.iter().map(|y| scale.apply(*y));
        let mut context = vec![0.0; design.names.len()];
        let mut fit = LeastSquares::new(context.len());
        for (row, y) in rewards().enumerate() {
            design.write(people, row, &mut context);
            fit.add(&context, y);
        }
        let bad = || BadContexts("numbers are too great for the fit of the reward".into());
        let mu = fit.solve().ok_or_else(bad)?;
        let merits = (0..people.len()).map(|row| {
            design.write(people, row, &mut context);
            mu.iter().zip(&context).map(|(mu, x)| mu * x).sum()
        });
        let merits: Vec<f64> = merits.collect();
        if !merits.iter().all(|merit| merit.is_finite()) {
            return Err(bad());
        }
        let about = ContextScale::of("the rewards", rewards())?;
        let residuals = rewards().zip(&merits).map(|(y, merit)| y - merit);
        let mut squares = Sum::default();
        residuals.for_each(|e| squares.add(e * e));
        let total = about.sd * about.sd * people.len() as f64;
        Ok(Self {
            r_squared: about.varies().then(|| 1.0 - squares.value() / total),
            mu,
            merits,
        })
    }

    /// Returns the Euclidean norm |mu|.
    #[must_use]
    pub fn norm(&self) -> f64 {
        self.mu.iter().map(|mu| mu * mu).sum::<f64>().sqrt()
    }
}
