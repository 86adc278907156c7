//! One kind of policy: its name, its keys and the reader of its table.

use std::sync::Arc;

use super::ready::Ready;
use crate::document::Reader;
use crate::document::param::Param;
use kleroterion_core::arena::{Blind, Prototype, Sighted};
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{GroupTruth, Role};

/// The setting of a kind that can play every setting.
pub const ANY: &str = "any";

/// Reads the table of a policy and sets it up; what is wrong is noted with the reader.
type ReadPolicy = fn(&mut Reader<'_>, &Brief<'_>) -> Option<Ready>;

/// A function that reads the table of an oracle, which also needs the truth.
type ReadOracle = fn(&mut Reader<'_>, &Brief<'_>, Option<&GroupTruth>) -> Option<Ready>;

/// A function of a program's own, which reads the table of a policy or of an oracle.
type ReadOwn =
    dyn Fn(&mut Reader<'_>, &Brief<'_>, Option<&GroupTruth>) -> Option<Ready> + Send + Sync;

/// The function that builds a policy from its table in the config.
#[derive(Clone)]
enum Build {
    /// Builds it from the facts that a policy may know.
    Blind(ReadPolicy),
    /// Builds an oracle, which also needs the truth.
    Sighted(ReadOracle),
    /// Builds a policy of a program's own.
    Own(Arc<ReadOwn>),
}

/// One kind of policy.
///
/// ```
/// use kleroterion_run::document::ConfigKey;
/// use kleroterion_run::document::range::FINITE;
/// use kleroterion_run::registry::PolicyKind;
/// use kleroterion_run::{Registry, keys};
/// use kleroterion_core::protocol::{Move, Policy, View};
///
/// #[derive(Clone)]
/// struct Above(f64);
///
/// impl Policy for Above {
///     fn act(&mut self, view: &mut View<'_>) -> Move {
///         Move::decide(view.candidate(0).score().is_some_and(|score| score > self.0))
///     }
/// }
///
/// const CUT: ConfigKey<f64> = ConfigKey::number("cut", FINITE).about("the score to exceed").or(0.5);
///
/// let above = PolicyKind::new("above", "accepts whose score exceeds a cut", |table, _| {
///     Some(Above(CUT.value(table)?))
/// });
/// let registry = Registry::default().policy(above.with(keys![CUT]))?;
/// # Ok::<(), kleroterion_run::registry::NameTaken>(())
/// ```
#[derive(Clone)]
pub struct PolicyKind {
    /// The name in configs.
    pub name: &'static str,
    /// The setting that it belongs to, for example `committee`.
    pub setting: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its keys, except those that every policy has.
    pub params: &'static [Param],
    /// The names of the measures that the policy reports itself, besides those scored for all
    /// policies.
    pub measures: &'static [&'static str],
    /// Its role, unless the config sets another.
    pub role: Role,
    /// True if the policy can choose again in a round to fill places that were declined.
    pub refills: bool,
    /// True if it can be set up only where the truth is known.
    needs_truth: bool,
    build: Build,
}

/// The kinds of a program's own.
impl PolicyKind {
    /// A kind of policy without keys and measures of its own, which `read` sets up from its table
    /// and from the facts that a policy may know.
    ///
    /// `read` reads all its keys before it gives up, so that one wrong key hides no other. It notes
    /// what is wrong with the reader, and returns `None` then.
    pub fn new<P>(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>, &Brief<'_>) -> Option<P> + Send + Sync + 'static,
    ) -> Self
    where
        Blind<P>: Prototype + 'static,
    {
        Self::ready(name, about, move |table, brief| {
            read(table, brief).map(Ready::blind)
        })
    }

    /// A kind of policy that is set up with notes, an aim or an objective.
    pub fn ready(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>, &Brief<'_>) -> Option<Ready> + Send + Sync + 'static,
    ) -> Self {
        let read = Arc::new(
            move |table: &mut Reader<'_>, brief: &Brief<'_>, _: Option<&GroupTruth>| {
                read(table, brief)
            },
        );
        Self::of(ANY, name, about, Build::Own(read))
    }

    /// A kind of oracle: it knows the truth, so it is a yardstick. The truth is `None` where the
    /// source leaves it open, which is noted.
    pub fn oracle<O>(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>, &Brief<'_>, Option<&GroupTruth>) -> Option<O>
        + Send
        + Sync
        + 'static,
    ) -> Self
    where
        Sighted<O>: Prototype + 'static,
    {
        let read = Arc::new(
            move |table: &mut Reader<'_>, brief: &Brief<'_>, truth: Option<&GroupTruth>| {
                read(table, brief, truth).map(Ready::sighted)
            },
        );
        Self::of(ANY, name, about, Build::Own(read)).sighted()
    }
}

impl PolicyKind {
    /// A built-in kind of policy without keys and measures of its own.
    pub(super) const fn built_in(
        setting: &'static str,
        name: &'static str,
        about: &'static str,
        read: ReadPolicy,
    ) -> Self {
        Self::of(setting, name, about, Build::Blind(read))
    }

    /// A built-in kind of oracle.
    pub(super) const fn built_in_oracle(
        setting: &'static str,
        name: &'static str,
        about: &'static str,
        read: ReadOracle,
    ) -> Self {
        Self::of(setting, name, about, Build::Sighted(read)).sighted()
    }

    const fn of(
        setting: &'static str,
        name: &'static str,
        about: &'static str,
        build: Build,
    ) -> Self {
        Self {
            name,
            setting,
            about,
            params: &[],
            measures: &[],
            role: Role::Policy,
            refills: true,
            needs_truth: false,
            build,
        }
    }

    const fn sighted(mut self) -> Self {
        self.needs_truth = true;
        self.yardstick()
    }

    /// Sets its keys: those that its reader reads, no more and no fewer.
    #[must_use]
    pub const fn with(mut self, params: &'static [Param]) -> Self {
        self.params = params;
        self
    }

    /// Sets its own measures.
    #[must_use]
    pub const fn measuring(mut self, measures: &'static [&'static str]) -> Self {
        self.measures = measures;
        self
    }

    /// Limits the policy to one choice in a round. Choosing again would count the slate twice, or
    /// the policy shares its places among groups as a whole.
    #[must_use]
    pub const fn once_a_round(mut self) -> Self {
        self.refills = false;
        self
    }

    /// Makes the policy a yardstick.
    #[must_use]
    pub const fn yardstick(mut self) -> Self {
        self.role = Role::Yardstick;
        self
    }

    /// Returns the required keys, as lines of TOML.
    #[must_use]
    pub fn minimal(&self) -> String {
        let needed = self.params.iter().filter(|param| param.is_needed);
        let lines: Vec<&str> = needed.map(|param| param.example).collect();
        lines.join("\n")
    }

    /// Returns true if it comes with the program.
    pub(super) fn is_built_in(&self) -> bool {
        !matches!(self.build, Build::Own(_))
    }

    /// Returns true if it can be set up only where the truth is known.
    pub(super) fn needs_truth(&self) -> bool {
        self.needs_truth
    }

    /// Reads the table of a policy of this kind and sets it up.
    pub(super) fn read(
        &self,
        table: &mut Reader<'_>,
        brief: &Brief<'_>,
        truth: Option<&GroupTruth>,
    ) -> Option<Ready> {
        match &self.build {
            Build::Blind(read) => read(table, brief),
            Build::Sighted(read) => read(table, brief, truth),
            Build::Own(read) => read(table, brief, truth),
        }
    }
}
