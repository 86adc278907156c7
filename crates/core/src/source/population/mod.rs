//! People drawn from laws that a config spells out: attributes, numbers, their correlations and
//! measurement errors, arrival times, and changes of all of these.

mod arrivals;
mod by_value;
mod copula;
mod facts;
mod ranges;
mod ranks;
mod stream;
#[cfg(test)]
mod tests;
mod traits;

use std::sync::Arc;

use self::traits::TraitSampler;
use super::categorical::People;
use crate::draw::NotALaw;
use crate::protocol::Schema;

pub use self::arrivals::{ArrivalRate, Bursts};
pub use self::by_value::ByValue;
pub use self::copula::{BadCorrelations, Copula, Coupled};
pub use self::facts::Facts;
pub use self::ranks::MeritRanks;
pub use self::stream::{PopulationStream, RoundCut};
pub use self::traits::{FeatureLaw, MeasurementError, MeritLaw, Misreading, ScoreOf, Traits};

/// The moment at which the laws of a period begin to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PeriodStart {
    /// The start of this round.
    Round(u64),
    /// This moment, in seconds.
    Time(f64),
}

/// The laws that hold from some moment on.
pub struct Period {
    /// The moment at which they begin to hold; round 1 for the first period.
    pub start: PeriodStart,
    /// The laws.
    pub traits: Traits,
    /// True if the law of the attributes as shown differs from that of the period before.
    pub alters_attributes: bool,
    /// True if a law of the numbers differs from that of the period before.
    pub alters_numbers: bool,
}

/// A population of people, ready to draw from.
pub struct Population {
    schema: Arc<Schema>,
    /// The attribute whose values are the groups.
    group: Option<usize>,
    /// True if a pool lets some of each group apply.
    is_pooled: bool,
    periods: Vec<(Period, TraitSampler)>,
    arrivals: Option<ArrivalRate>,
    /// The words of the stream of persons that each takes.
    words: usize,
}

impl Population {
    /// Makes the people of these laws, period after period, at least one. `pooled` says that people
    /// of each group come in turns, so that a pool can let some apply.
    ///
    /// # Errors
    /// Returns an error if attributes can't be drawn from their law.
    pub fn new(
        schema: Arc<Schema>,
        group: Option<usize>,
        pooled: bool,
        periods: Vec<Period>,
        arrivals: Option<ArrivalRate>,
    ) -> Result<Self, NotALaw> {
        let periods = periods.into_iter().map(|period| {
            let people = People::new(Arc::clone(&schema), &period.traits.law)?;
            let sampler = TraitSampler::new(&schema, period.traits.clone(), people);
            Ok((period, sampler))
        });
        let periods: Vec<(Period, TraitSampler)> = periods.collect::<Result<_, _>>()?;
        let words = periods.iter().map(|(_, sampler)| sampler.words());
        Ok(Self {
            words: words.max().unwrap_or(0),
            schema,
            group,
            is_pooled: pooled && group.is_some(),
            periods,
            arrivals,
        })
    }

    /// The schema of the people.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of groups that come in turns, if they do.
    fn turns(&self) -> Option<usize> {
        let group = self.group.filter(|_| self.is_pooled)?;
        Some(self.schema.attributes()[group].values.len())
    }

    /// The laws of a round and moment.
    fn traits(&self, round: u64, at: Option<f64>) -> &TraitSampler {
        let has_begun = |period: &Period| match period.start {
            PeriodStart::Round(first) => round >= first,
            PeriodStart::Time(first) => at.is_some_and(|at| at >= first),
        };
        let now = self.periods.iter().rfind(|(period, _)| has_begun(period));
        &now.unwrap_or(&self.periods[0]).1
    }

    /// The law of the first period.
    fn first(&self) -> &Traits {
        self.periods[0].1.traits()
    }

    /// Returns true if `alters` holds for a later period.
    fn is_altered(&self, alters: impl Fn(&Period) -> bool) -> bool {
        self.periods
            .iter()
            .skip(1)
            .any(|(period, _)| alters(period))
    }
}
