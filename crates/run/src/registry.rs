//! The kinds that a config may name: the built-in ones, and those that a program adds.

#[cfg(test)]
mod tests;

pub use crate::catalog::PolicyKind;
pub use crate::config::answer_kinds::{
    DrawnInterviews, DrawnOutcomes, InterviewsKind, OutcomesKind,
};
pub use crate::config::context::Context as SourceContext;
pub use crate::config::families::{MetricFamily, MetricRun};
pub use crate::config::pool_kinds::PoolKind;
pub use crate::config::sources::SourceKind;

use std::fmt;

use crate::catalog::{entry, kinds, measures};
use crate::config::families::families;
use crate::config::{feedback, outcomes, pool, sources};
use crate::document::kind_list::KindList;
use crate::document::param::{Entry, Shape};
use kleroterion_core::score::{MetricInfo, catalogue};

/// The kinds that a config may name, and the metrics that it may judge.
///
/// [`Registry::default`] has the built-in ones. A kind of a program's own is added to them, and is
/// then checked, listed, judged and swept like theirs: a config names it as it names theirs. Its keys
/// are declared as theirs are, each a [`ConfigKey`](crate::document::ConfigKey), in a list by
/// [`keys!`](crate::keys).
#[derive(Clone)]
pub struct Registry {
    policies: Vec<PolicyKind>,
    sources: Vec<SourceKind>,
    interviews: Vec<InterviewsKind>,
    outcomes: Vec<OutcomesKind>,
    pools: Vec<PoolKind>,
    families: Vec<MetricFamily>,
}

/// The error that a registry has a kind or a metric of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is already a {what} called `{name}`: give yours another name")]
pub struct NameTaken {
    /// The list that has the name, in a word.
    pub what: &'static str,
    /// The name.
    pub name: String,
}

/// Returns an error if `is_taken`.
fn unless(is_taken: bool, what: &'static str, name: &str) -> Result<(), NameTaken> {
    let name = || name.to_owned();
    match is_taken {
        true => Err(NameTaken { what, name: name() }),
        false => Ok(()),
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::built_in().expect("the names of the built-in kinds differ")
    }
}

/// The names of the kinds of each list.
impl fmt::Debug for Registry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = out.debug_struct("Registry");
        let lists = [
            ("policies", KindList::Policies),
            ("sources", KindList::Sources),
            ("interviews", KindList::Interviews),
            ("outcomes", KindList::Outcomes),
            ("pools", KindList::Pools),
        ];
        for (list, kinds) in lists {
            let kinds = self.entries(kinds).into_iter();
            all.field(list, &kinds.map(|kind| kind.name).collect::<Vec<_>>());
        }
        let metrics = self.metrics().map(|(name, _)| name);
        all.field("metrics", &metrics.collect::<Vec<_>>()).finish()
    }
}

/// Adding kinds and metrics.
impl Registry {
    /// The built-in kinds and metrics, added one by one.
    fn built_in() -> Result<Self, NameTaken> {
        let mut registry = Self {
            policies: Vec::new(),
            sources: Vec::new(),
            interviews: Vec::new(),
            outcomes: Vec::new(),
            pools: Vec::new(),
            families: Vec::new(),
        };
        registry = kinds().cloned().try_fold(registry, Self::policy)?;
        registry = sources::kinds().try_fold(registry, Self::source)?;
        registry = feedback::interview_kinds()
            .into_iter()
            .try_fold(registry, Self::interviews)?;
        registry = outcomes::kinds()
            .into_iter()
            .try_fold(registry, Self::outcomes)?;
        registry = pool::kinds().into_iter().try_fold(registry, Self::pool)?;
        families().try_fold(registry, Self::metric)
    }

    /// Adds a kind of policy.
    ///
    /// # Errors
    /// Returns an error if there is one of this name, or a metric called as one of its measures.
    pub fn policy(mut self, kind: PolicyKind) -> Result<Self, NameTaken> {
        let mut known = self.policies.iter();
        unless(known.any(|one| one.name == kind.name), "policy", kind.name)?;
        let mut added = self.families.iter().flat_map(|family| &family.metrics);
        if let Some((name, _)) = added.find(|(name, _)| kind.measures.contains(name)) {
            unless(true, METRIC, name)?;
        }
        self.policies.push(kind);
        Ok(self)
    }

    /// Adds a kind of source.
    ///
    /// # Errors
    /// Returns an error if there is one of this name.
    pub fn source(mut self, kind: SourceKind) -> Result<Self, NameTaken> {
        let mut known = self.sources.iter();
        unless(known.any(|one| one.name == kind.name), "source", kind.name)?;
        self.sources.push(kind);
        Ok(self)
    }

    /// Adds a kind of answers to interviews.
    ///
    /// # Errors
    /// Returns an error if there is one of this name.
    pub fn interviews(mut self, kind: InterviewsKind) -> Result<Self, NameTaken> {
        let is_taken = self.interviews.iter().any(|one| one.name == kind.name);
        unless(is_taken, "kind of interviews", kind.name)?;
        self.interviews.push(kind);
        Ok(self)
    }

    /// Adds a kind of outcomes.
    ///
    /// # Errors
    /// Returns an error if there is one of this name.
    pub fn outcomes(mut self, kind: OutcomesKind) -> Result<Self, NameTaken> {
        let is_taken = self.outcomes.iter().any(|one| one.name == kind.name);
        unless(is_taken, "kind of outcomes", kind.name)?;
        self.outcomes.push(kind);
        Ok(self)
    }

    /// Adds a kind of pool.
    ///
    /// # Errors
    /// Returns an error if there is one of this name.
    pub fn pool(mut self, kind: PoolKind) -> Result<Self, NameTaken> {
        let mut known = self.pools.iter();
        unless(known.any(|one| one.name == kind.name), "pool", kind.name)?;
        self.pools.push(kind);
        Ok(self)
    }

    /// Adds a family of metrics. Runs show them after the built-in ones.
    ///
    /// # Errors
    /// Returns an error if there is a metric of one of its names, or a kind of policy that reports
    /// one.
    pub fn metric(mut self, family: MetricFamily) -> Result<Self, NameTaken> {
        for (at, (name, _)) in family.metrics.iter().enumerate() {
            let mut before = family.metrics[..at].iter();
            let is_taken = self.is_metric(name) || before.any(|(known, _)| known == name);
            unless(is_taken, METRIC, name)?;
        }
        self.families.push(family);
        Ok(self)
    }
}

const METRIC: &str = "metric";

/// The kinds and metrics, in the order in which they were added.
impl Registry {
    /// The kinds of policies.
    #[must_use]
    pub fn policies(&self) -> &[PolicyKind] {
        &self.policies
    }

    /// The kinds of sources.
    #[must_use]
    pub fn sources(&self) -> &[SourceKind] {
        &self.sources
    }

    /// The kinds of answers to interviews.
    #[must_use]
    pub fn interview_kinds(&self) -> &[InterviewsKind] {
        &self.interviews
    }

    /// The kinds of outcomes.
    #[must_use]
    pub fn outcome_kinds(&self) -> &[OutcomesKind] {
        &self.outcomes
    }

    /// The kinds of pools.
    #[must_use]
    pub fn pools(&self) -> &[PoolKind] {
        &self.pools
    }

    /// The families of metrics.
    #[must_use]
    pub fn families(&self) -> &[MetricFamily] {
        &self.families
    }

    /// Returns all metrics by name: the catalogue's, then those that the program adds. The name of
    /// a family ends in `.GROUP`, `.ATTRIBUTE` or `.OBJECTIVE`.
    pub fn metrics(&self) -> impl Iterator<Item = (&'static str, MetricInfo)> {
        let added = self.families.iter().flat_map(|family| &family.metrics);
        catalogue().chain(added.cloned())
    }

    /// Returns the kinds of a list, each with all its keys. A kind of several forms has an entry
    /// for each, of which the first has the description.
    #[must_use]
    pub fn entries(&self, list: KindList) -> Vec<Entry> {
        match list {
            KindList::Policies => self.policies.iter().map(entry).collect(),
            KindList::Sources => {
                let of_kinds = self.sources.iter().map(sources::entries);
                of_kinds.flatten().collect()
            }
            KindList::Interviews => self.interviews.iter().map(InterviewsKind::entry).collect(),
            KindList::Outcomes => self.outcomes.iter().map(outcomes::entry).collect(),
            KindList::Pools => self.pools.iter().map(pool::entry).collect(),
        }
    }

    /// Returns the key that selects the kind of a table of this shape, and the kinds. `None` if it
    /// is of no kinds.
    pub(crate) fn kinds_of(&self, shape: &Shape) -> Option<(&'static str, Vec<Entry>)> {
        match shape {
            Shape::Kinds(tag, entries) => Some((tag, entries())),
            Shape::Registered(list) => Some((list.tag(), self.entries(*list))),
            _ => None,
        }
    }

    /// Returns the measures that policies of `kind` report themselves. `None` means all kinds.
    pub fn measures<'a>(
        &'a self,
        kind: Option<&'a str>,
    ) -> impl Iterator<Item = &'static str> + 'a {
        measures(&self.policies, kind)
    }

    /// Returns true if there is a metric of this name, or if a kind of policy reports it.
    #[must_use]
    pub fn is_metric(&self, name: &str) -> bool {
        let listed = |pattern: &str| match pattern.strip_suffix("GROUP") {
            Some(stem) => name.starts_with(stem),
            None => pattern == name,
        };
        self.metrics().any(|(pattern, _)| listed(pattern))
            || self.measures(None).any(|own| own == name)
    }
}
