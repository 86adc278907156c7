//! A plan made in a program, without TOML.

use super::inputs::ConfigInputs;
use super::own::CUSTOM;
use super::{Document, Plan, check};
use crate::document::{Table, Value};
use kleroterion_core::arena::Prototype;
use kleroterion_core::problem::{Place, Problem, Problems};

impl Plan {
    /// Begins a plan, of which nothing is said so far.
    ///
    /// ```
    /// use kleroterion_run::config::Plan;
    /// use kleroterion_run::document::Value;
    ///
    /// let half = Value::of([("M", 0.5), ("F", 0.5)]);
    /// let plan = Plan::builder()
    ///     .name("two policies")
    ///     .seed(1)
    ///     .replications(200)
    ///     .source("categorical", |keys| {
    ///         keys.set("shares.gender.M", 0.6).set("shares.gender.F", 0.4)
    ///     })
    ///     .target(|keys| keys.set("gender", half))
    ///     .rules(|keys| keys.set("choose", "at_most_one").set("until.accepted", 50))
    ///     .policy("everybody", "accept_all", |keys| keys)
    ///     .policy("queue", "virtual_queue", |keys| keys)
    ///     .judge(["representation_loss"])
    ///     .baseline("everybody")
    ///     .build()?;
    /// assert_eq!(plan.lanes.len(), 2);
    ///
    /// let wrong = Plan::builder().rules(|keys| keys.set("choose", "some")).build();
    /// let problems = wrong.err().unwrap();
    /// assert!(problems.to_string().contains("at rules.choose: unknown word `some`"));
    /// # Ok::<(), kleroterion_core::problem::Problems>(())
    /// ```
    pub fn builder() -> PlanBuilder {
        PlanBuilder::of(Document::of(Table::default()).named("run"))
    }
}

/// The values of a config, put together by a program. What is wrong is said all at once by
/// [`build`](Self::build), at the path of each key.
#[must_use = "build it"]
pub struct PlanBuilder {
    document: Document,
    inputs: ConfigInputs,
    /// The paths that led nowhere.
    problems: Problems,
}

/// The keys of a section.
#[must_use = "return them"]
pub struct Keys(Vec<(String, Value)>);

impl Keys {
    /// Sets a key, or a key of a table within the section: `until.accepted`.
    pub fn set(mut self, path: &str, value: impl Into<Value>) -> Self {
        self.0.push((path.to_owned(), value.into()));
        self
    }
}

impl PlanBuilder {
    /// Goes on from a document, for example a preset.
    pub fn of(document: Document) -> Self {
        Self {
            document,
            inputs: ConfigInputs::default(),
            problems: Problems::default(),
        }
    }

    /// Sets the name of the run.
    pub fn name(self, name: &str) -> Self {
        self.set("name", name)
    }

    /// Sets the seed of every random number.
    pub fn seed(self, seed: u64) -> Self {
        self.set("seed", seed)
    }

    /// Sets the number of replications.
    pub fn replications(self, replications: u64) -> Self {
        self.set("replications", replications)
    }

    /// Says where people come from: `[source]` with a type and its keys.
    pub fn source(self, kind: &str, keys: impl FnOnce(Keys) -> Keys) -> Self {
        self.set("source.type", kind).section("source", keys)
    }

    /// Says what composition is wanted: `[target]`.
    pub fn target(self, keys: impl FnOnce(Keys) -> Keys) -> Self {
        self.section("target", keys)
    }

    /// Says what a policy may do, and when a run ends: `[rules]`.
    pub fn rules(self, keys: impl FnOnce(Keys) -> Keys) -> Self {
        self.section("rules", keys)
    }

    /// Sets keys of a section of any name.
    pub fn section(mut self, name: &str, keys: impl FnOnce(Keys) -> Keys) -> Self {
        let all = keys(Keys(Vec::new()));
        if self.document.root().get(name).is_none() {
            self = self.set(name, Table::default());
        }
        for (path, value) in all.0 {
            self = self.set(&format!("{name}.{path}"), value);
        }
        self
    }

    /// Adds a policy of a kind of the catalogue.
    pub fn policy(mut self, label: &str, kind: &str, keys: impl FnOnce(Keys) -> Keys) -> Self {
        let all = keys(Keys(Vec::new()).set("label", label).set("kind", kind));
        let mut policy = Document::of(Table::default());
        let assign = |(path, value): (String, Value)| policy.assign(&path, value).err();
        let wrong: Vec<Problem> = all.0.into_iter().filter_map(assign).collect();
        let at = self.document.push("policy", policy.root().clone());
        self.problems.0.extend(wrong.into_iter().map(|mut problem| {
            if let Place::Key(path) = &mut problem.place {
                *path = format!("{at}.{path}");
            }
            problem
        }));
        self
    }

    /// Adds a policy of one's own, which is an object of this program. The config has it as
    /// `kind = "custom"`.
    pub fn own_policy(self, label: &str, policy: Box<dyn Prototype>) -> Self {
        let mut built = self.policy(label, CUSTOM, |keys| keys);
        built.inputs = built.inputs.with_policy(label, policy);
        built
    }

    /// Sets the metrics by which policies are judged.
    pub fn judge<M: Into<Value>>(self, metrics: impl IntoIterator<Item = M>) -> Self {
        let metrics: Vec<M> = metrics.into_iter().collect();
        self.set("report.judge", metrics)
    }

    /// Sets the label of the policy with which the others are compared.
    pub fn baseline(self, label: &str) -> Self {
        self.set("report.baseline", label)
    }

    /// Sets any key by its path, as `--set` does on the command line: `policy.queue.tolerance`.
    pub fn set(mut self, path: &str, value: impl Into<Value>) -> Self {
        let assigned = self.document.assign(path, value);
        self.problems.0.extend(assigned.err());
        self
    }

    /// Sets what the config refers to outside: the folder of its files, people from memory. The
    /// policies that were added stay.
    pub fn inputs(mut self, inputs: impl Into<ConfigInputs>) -> Self {
        self.inputs = inputs.into().with_policies_of(&self.inputs);
        self
    }

    /// Returns the document so far, and what it refers to. It is what `resolved` writes out.
    #[must_use]
    pub fn parts(&self) -> (&Document, &ConfigInputs) {
        (&self.document, &self.inputs)
    }

    /// Checks the config and makes its plan.
    ///
    /// # Errors
    /// All that is wrong, at the paths of the keys.
    pub fn build(mut self) -> Result<Plan, Problems> {
        let plan = check(&self.document, &self.inputs);
        let found = plan.as_ref().err();
        self.problems
            .0
            .extend(found.into_iter().flat_map(|found| found.0.clone()));
        self.problems.or(()).and(plan)
    }
}

#[cfg(test)]
mod tests;
