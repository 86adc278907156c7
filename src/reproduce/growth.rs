//! How a measure grows over a run: the slope of its logarithm over that of time.

use super::StudyError;
use super::numbers::{Estimate, Played};

impl Played {
    /// The moments at which a metric of a policy was read, in order.
    ///
    /// # Errors
    /// Where no policy has the label, or it was never read.
    pub fn moments(&self, label: &str, metric: &str) -> Result<Vec<u64>, StudyError> {
        let lane = self.lanes(label)?.first();
        let rows = lane.iter().flat_map(|lane| &lane.rows);
        let moments = rows.filter(|row| &*row.metric == metric);
        let moments: Vec<u64> = moments.filter_map(|row| row.at).collect();
        match moments.is_empty() {
            true => Err(self.lacks(&format!("{metric} of {label} over the run"))),
            false => Ok(moments),
        }
    }

    /// The exponent a of mean ~ t^a: the slope of the least-squares line through the logarithms of the metric's mean and of
    /// the moment, over the moments from `from` to `to`. Its standard error is that of the jackknife over replications.
    ///
    /// # Errors
    /// As [`Played::values`], and where there are fewer than two moments or a mean is not above 0.
    pub fn growth(
        &self,
        label: &str,
        metric: &str,
        [from, to]: [u64; 2],
    ) -> Result<Estimate, StudyError> {
        let mut moments = self.moments(label, metric)?;
        moments.retain(|at| (from..=to).contains(at));
        let columns = moments
            .iter()
            .map(|at| self.values(label, metric, Some(*at)))
            .collect::<Result<Vec<_>, _>>()?;
        exponent(&moments, &columns).ok_or_else(|| {
            self.lacks(&format!(
                "a growth of {metric} of {label} from {from} to {to}"
            ))
        })
    }
}

/// The exponent of columns of values, a column a moment and a value a replication.
fn exponent(moments: &[u64], columns: &[Vec<f64>]) -> Option<Estimate> {
    let sums: Vec<f64> = columns.iter().map(|column| column.iter().sum()).collect();
    let n = columns.first()?.len();
    Estimate::jackknife(n, |left_out| {
        let rest = sums
            .iter()
            .zip(columns)
            .map(|(sum, c)| sum - left_out.map_or(0.0, |at| c[at]));
        slope(moments, &rest.collect::<Vec<_>>())
    })
}

/// The slope of log y over log x.
fn slope(x: &[u64], y: &[f64]) -> Option<f64> {
    if x.len() < 2 || y.iter().any(|y| *y <= 0.0) {
        return None;
    }
    let log = |numbers: Vec<f64>| -> Vec<f64> {
        let logs: Vec<f64> = numbers.into_iter().map(libm::log).collect();
        let centre = logs.iter().sum::<f64>() / logs.len() as f64;
        logs.into_iter().map(|log| log - centre).collect()
    };
    let x = log(x.iter().map(|x| *x as f64).collect());
    let y = log(y.to_vec());
    let over: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    let slope = over / x.iter().map(|x| x * x).sum::<f64>();
    slope.is_finite().then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_exponent_and_no_error() {
        let moments = [10, 100, 1000, 5000];
        let column = |at: &u64| vec![3.0 * (*at as f64).sqrt(); 4];
        let columns: Vec<Vec<f64>> = moments.iter().map(column).collect();
        let found = exponent(&moments, &columns).unwrap();
        assert!((found.mean - 0.5).abs() < 1e-12 && found.n == 4);
        assert!(found.se.unwrap() < 1e-12);
    }

    /// Two moments: the slope is log(mean b / mean a) / log 10, whose error to first order is the textbook's of a ratio.
    #[test]
    fn the_jackknife_meets_the_textbook() {
        let a: Vec<f64> = (0..400)
            .map(|i| 10.0 + f64::from(i * 7 % 11) / 50.0)
            .collect();
        let b: Vec<f64> = (0..400)
            .map(|i| 40.0 + f64::from(i * 5 % 13) / 20.0)
            .collect();
        let found = exponent(&[10, 100], &[a.clone(), b.clone()]).unwrap();
        let mean = |v: &[f64]| v.iter().sum::<f64>() / 400.0;
        let (ma, mb) = (mean(&a), mean(&b));
        let pull: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b / mb - a / ma).collect();
        let se = Estimate::of(&pull).unwrap().se.unwrap() / libm::log(10.0);
        assert!((found.mean - libm::log(mb / ma) / libm::log(10.0)).abs() < 1e-12);
        assert!((found.se.unwrap() / se - 1.0).abs() < 0.01);
    }

    #[test]
    fn what_has_no_growth_has_none() {
        assert_eq!(exponent(&[10], &[vec![1.0, 2.0]]), None);
        assert_eq!(exponent(&[10, 20], &[vec![0.0, 0.0], vec![1.0, 1.0]]), None);
        assert_eq!(exponent(&[], &[]), None);
        let once = exponent(&[10, 20], &[vec![1.0], vec![2.0]]).unwrap();
        assert_eq!(once.se, None);
    }
}
