//! The facts known about a population: those that follow from its laws, and otherwise those that a
//! sample gives.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::ranges::joined;
use super::traits::{Drawn, MeritLaw, ScoreOf, Traits};
use super::{ByValue, Coupled, MeritRanks, Population};
use crate::draw::{Key, LawSpec, NumberLaw, Purpose};
use crate::protocol::{Fact, Law, Schema, ScoreLaw};
use crate::source::linear_groups::HELD_OUT;

/// The facts known about a population.
pub struct Facts {
    /// The law of the attributes as shown.
    pub law: Fact<Law>,
    /// The mean and standard deviation of the scores of each group; exact if they are normal.
    pub scores: Fact<Vec<ScoreLaw>>,
    /// The distribution of merits in each group.
    pub merits: Option<MeritRanks>,
    /// The least and the greatest possible merit, if it is bounded.
    pub merit_range: Option<(f64, f64)>,
    /// The least and the greatest possible score, if it is bounded.
    pub score_range: Option<(f64, f64)>,
    /// True if some of the facts come from a sample.
    pub is_sampled: bool,
}

/// The numbers of people drawn to see what does not follow, by their group as shown.
pub(super) struct Sample {
    scores: Vec<Vec<f64>>,
    pub(super) merits: Vec<Vec<f64>>,
}

impl Population {
    /// Returns the facts known about the population. Quantities that later periods alter are known
    /// by their ranges only.
    #[must_use]
    pub fn facts(self: &Arc<Self>) -> Facts {
        let sampled = OnceCell::new();
        let sample = || sampled.get_or_init(|| self.sample(HELD_OUT));
        let steady_law = !self.is_altered(|period| period.alters_attributes);
        let steady_numbers = !self.is_altered(|period| period.alters_numbers);
        // Whether a sample says what holds in each group throughout.
        let is_steady = steady_numbers && (steady_law || self.keeps_groups());
        let law = match self.law() {
            _ if self.is_pooled || !steady_law => Fact::Unknown,
            Some(law) => Fact::Exact(law),
            None => Fact::Fitted(self.sampled_law()),
        };
        let is_fitted = matches!(law, Fact::Fitted(_));
        let scores = match self.score_laws() {
            _ if self.group.is_none() || self.first().score.is_none() => Fact::Unknown,
            Some(laws) if steady_numbers => laws,
            None if is_steady => Fact::Fitted(sample().scores.iter().map(|all| fit(all)).collect()),
            _ => Fact::Unknown,
        };
        let follows = match self.merit_laws() {
            _ if self.group.is_none() || self.first().merit.is_none() => false,
            Some(_) => steady_numbers,
            None => is_steady,
        };
        let merits = follows.then(|| self.merit_ranks());
        Facts {
            law,
            scores,
            merits,
            merit_range: self.range(Traits::merit_range),
            score_range: self.range(Traits::score_range),
            is_sampled: is_fitted || sampled.get().is_some(),
        }
    }

    /// Returns true if only the shares of the groups change among the attributes, and a person
    /// depends on the group only through the group's own laws.
    fn keeps_groups(&self) -> bool {
        let Some(group) = self.group else {
            return false;
        };
        let others = |law: &Law| match law {
            Law::Product(marginals) => {
                let others = marginals.iter().enumerate().filter(|(at, _)| *at != group);
                Some(others.map(|(_, row)| row.clone()).collect::<Vec<_>>())
            }
            Law::Cells(_) => None,
        };
        let first = others(&self.first().law);
        let keeps = |traits: &Traits| {
            let is_misread = traits.misread.iter().any(|one| one.attribute == group);
            !is_misread && first.is_some() && others(&traits.law) == first
        };
        let copula = self.first().copula.as_ref();
        let is_coupled = copula.is_some_and(|c| c.place(Coupled::Attribute(group)).is_some());
        !is_coupled && self.periods.iter().all(|(_, s)| keeps(s.traits()))
    }

    /// The law of the attributes as shown, where it follows: no two attributes are coupled, and
    /// how one is misread depends on its own value alone.
    fn law(&self) -> Option<Law> {
        let traits = self.first();
        let coupled = traits.copula.iter().flat_map(|copula| copula.coupled());
        let attributes = coupled.filter(|of| matches!(of, Coupled::Attribute(_)));
        if attributes.count() > 1 {
            return None;
        }
        let levels = self.schema.levels();
        let mut law = traits.law.clone();
        for misreading in &traits.misread {
            let at = misreading.attribute;
            let rates = misreading.rate.by_attribute(at, levels[at])?;
            let rates: Vec<f64> = rates.into_iter().copied().collect();
            law = misread(&law, &self.schema, at, &rates);
        }
        Some(law)
    }

    /// The laws of a number in each group, where its group alone decides it.
    pub(super) fn by_group<'a, T>(&self, laws: &'a ByValue<T>, of: Coupled) -> Option<Vec<&'a T>> {
        let (group, traits) = (self.group?, self.first());
        let is_misread = traits.misread.iter().any(|one| one.attribute == group);
        let is_coupled = traits.copula.as_ref().is_some_and(|copula| {
            copula.place(of).is_some() && copula.place(Coupled::Attribute(group)).is_some()
        });
        let levels = self.schema.attributes()[group].values.len();
        let laws = laws.by_attribute(group, levels)?;
        (!is_misread && !is_coupled).then_some(laws)
    }

    pub(super) fn merit_laws(&self) -> Option<Vec<NumberLaw>> {
        match self.first().merit.as_ref()? {
            MeritLaw::Law(laws) => {
                let laws = self.by_group(laws, Coupled::Merit)?;
                Some(laws.into_iter().cloned().collect())
            }
            MeritLaw::Linear { .. } => None,
        }
    }

    /// The moments of the scores of each group; exact where all scores are normal.
    fn score_laws(&self) -> Option<Fact<Vec<ScoreLaw>>> {
        let traits = self.first();
        let laws: Vec<NumberLaw> = match traits.score.as_ref()? {
            ScoreOf::Merit => self.merit_laws()?,
            ScoreOf::Law(laws) => {
                let laws = self.by_group(laws, Coupled::Score)?;
                laws.into_iter().cloned().collect()
            }
        };
        let errors = match traits.errors.last() {
            Some(Some(errors)) => self.by_group(errors, Coupled::Score)?,
            _ => Vec::new(),
        };
        let moments = laws.iter().enumerate().map(|(group, law)| {
            let error = errors.get(group);
            let (bias, sd) = error.map_or((0.0, 0.0), |error| (error.bias, error.sd));
            let sd = (law.variance() + sd * sd).sqrt();
            let mean = law.mean() + bias;
            (mean.is_finite() && sd.is_finite()).then_some(ScoreLaw { mean, sd })
        });
        let moments: Vec<ScoreLaw> = moments.collect::<Option<_>>()?;
        let mut specs = laws.iter().map(NumberLaw::spec);
        Some(match specs.all(|s| matches!(s, LawSpec::Normal { .. })) {
            true => Fact::Exact(moments),
            false => Fact::Fitted(moments),
        })
    }

    /// The range of all periods, where both ends are finite.
    fn range(&self, of: impl Fn(&Traits) -> Option<(f64, f64)>) -> Option<(f64, f64)> {
        let ranges = self.periods.iter().map(|(_, s)| of(s.traits()));
        let ranges: Vec<(f64, f64)> = ranges.collect::<Option<_>>()?;
        let range = joined(ranges.into_iter());
        range.filter(|(low, high)| low.is_finite() && high.is_finite())
    }

    /// The law of the attributes of people of the first period, as shown.
    fn sampled_law(&self) -> Law {
        let mut cells = BTreeMap::new();
        self.meet(HELD_OUT, None, |drawn| {
            let cell = self.schema.cell(&drawn.values);
            *cells.entry(cell).or_insert(0.0) += 1.0 / HELD_OUT as f64;
        });
        Law::Cells(cells.into_iter().collect())
    }

    /// The numbers of people of the first period in each group as shown: as many of each group
    /// where its share does not matter.
    pub(super) fn sample(&self, people: usize) -> Sample {
        let groups = self
            .group
            .map(|at| (at, self.schema.attributes()[at].values.len()));
        let many = groups.map_or(0, |(_, many)| many);
        let mut sample = Sample {
            scores: vec![Vec::new(); many],
            merits: vec![Vec::new(); many],
        };
        let in_turns = groups.filter(|_| self.is_pooled || self.keeps_groups());
        self.meet(people, in_turns, |drawn| {
            if let Some((at, _)) = groups {
                let group = usize::from(drawn.values[at]);
                sample.scores[group].extend(drawn.score);
                sample.merits[group].extend(drawn.merit);
            }
        });
        sample
    }

    /// Meets people of the first period, the same in every run. `in_turns`: the attribute whose
    /// values they have in turns, where they do, and how many it has.
    fn meet(&self, people: usize, in_turns: Option<(usize, usize)>, mut met: impl FnMut(&Drawn)) {
        let sampler = &self.periods[0].1;
        let (key, mut drawn) = (Key::new(0, u64::MAX), Drawn::default());
        let mut words = vec![0; sampler.words()];
        for who in 0..people {
            let from = who as u64 * words.len() as u64;
            key.fill(Purpose::Person, from, &mut words);
            let given = in_turns.map(|(at, many)| (at, (who % many) as u16));
            sampler.draw(key, who as u64, &words, given, &mut drawn);
            met(&drawn);
        }
    }
}

/// The mean and standard deviation of numbers; of none both are 0.
fn fit(numbers: &[f64]) -> ScoreLaw {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares = numbers.iter().map(|x| (x - mean) * (x - mean));
    let sd = (squares.sum::<f64>() / n).sqrt();
    ScoreLaw { mean, sd }
}

/// A law after one attribute is misread: with the rate of its value it becomes one of the others,
/// each as likely.
fn misread(law: &Law, schema: &Schema, attribute: usize, rates: &[f64]) -> Law {
    let others = (rates.len().max(2) - 1) as f64;
    let shown = |from: usize, to: usize| match from == to {
        _ if rates.len() < 2 => 1.0,
        true => 1.0 - rates[from],
        false => rates[from] / others,
    };
    match law {
        Law::Product(marginals) => {
            let mut marginals = marginals.clone();
            let truth = marginals[attribute].clone();
            for (to, share) in marginals[attribute].iter_mut().enumerate() {
                let parts = truth.iter().enumerate();
                *share = parts.map(|(from, p)| p * shown(from, to)).sum();
            }
            Law::Product(marginals)
        }
        Law::Cells(cells) => {
            let mut sums = BTreeMap::new();
            for &(cell, share) in cells {
                let mut values = schema.values(cell);
                let from = usize::from(values[attribute]);
                for to in 0..rates.len() {
                    values[attribute] = to as u16;
                    let part = share * shown(from, to);
                    if part > 0.0 {
                        *sums.entry(schema.cell(&values)).or_insert(0.0) += part;
                    }
                }
            }
            Law::Cells(sums.into_iter().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Attribute;

    fn schema(levels: &[usize]) -> Schema {
        let attribute = |&values: &usize| Attribute {
            name: format!("of {values}"),
            values: (0..values).map(|value| value.to_string()).collect(),
        };
        Schema::new(levels.iter().map(attribute).collect(), Vec::new(), false).unwrap()
    }

    /// Shares .5, .3, .2 with rates .1, .2, .5: .5 x .9 + .3 x .1 + .2 x .25 = .53 are shown the
    /// first.
    #[test]
    fn a_misread_value_becomes_each_other_value_as_likely() {
        let (schema, rates) = (schema(&[3, 2]), [0.1, 0.2, 0.5]);
        let shown = [0.53, 0.315, 0.155];
        let product = Law::Product(vec![vec![0.5, 0.3, 0.2], vec![0.4, 0.6]]);
        let Law::Product(rows) = misread(&product, &schema, 0, &rates) else {
            panic!("the law of a product is a product");
        };
        assert_eq!(rows[1], [0.4, 0.6]);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        assert!(rows[0].iter().zip(shown).all(|(a, b)| near(*a, b)));
        let cells = [[0, 0], [1, 0], [2, 0]].map(|values| schema.cell(&values));
        let cells = cells.into_iter().zip([0.5, 0.3, 0.2]).collect();
        let Law::Cells(found) = misread(&Law::Cells(cells), &schema, 0, &rates) else {
            panic!("the law of cells is one of cells");
        };
        assert_eq!(found.len(), 3);
        for (value, share) in shown.into_iter().enumerate() {
            let cell = schema.cell(&[value as u16, 0]);
            assert!(found.iter().any(|(at, p)| *at == cell && near(*p, share)));
        }
    }

    #[test]
    fn a_value_without_another_is_never_shown_wrong() {
        let product = Law::Product(vec![vec![1.0], vec![0.4, 0.6]]);
        assert_eq!(misread(&product, &schema(&[1, 2]), 0, &[0.3]), product);
        let cells = Law::Cells(vec![(0, 0.4), (1, 0.6)]);
        assert_eq!(misread(&cells, &schema(&[1, 2]), 0, &[0.3]), cells);
    }
}
