//! Every policy by its `kind`: a new one is a line here.

use crate::arena::Prototype;
use crate::config::Reader;
use crate::policy::committee::build;
use crate::protocol::{Known, Quota, Rules, Schema, Target};

/// What a policy may know when it is set up.
pub struct Brief<'a> {
    /// The candidates' columns.
    pub schema: &'a Schema,
    /// The rules.
    pub rules: &'a Rules,
    /// The shares that are wanted, where there are any.
    pub target: Option<&'a Target>,
    /// Quotas of an organiser's file, where the target is one: a row an attribute of the schema, an empty row sets none.
    pub quotas: Option<&'a [Vec<Quota>]>,
    /// What is known of the world.
    pub known: &'a Known,
}

/// A policy ready to play, and what it assumed or found out when it was set up.
pub struct Ready {
    /// The policy.
    pub prototype: Box<dyn Prototype>,
    /// Sentences for the reader of the run.
    pub notes: Vec<String>,
}

/// Sets a policy up from its table in the config; what is wrong is noted with the reader.
type Build = fn(&mut Reader<'_>, &Brief<'_>) -> Option<Ready>;

/// One kind of policy.
pub struct Kind {
    /// Its name in configs.
    pub name: &'static str,
    /// Its setting.
    pub setting: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its parameters beside `label` and `kind`.
    pub parameters: &'static str,
    build: Build,
}

/// All kinds, by setting.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "accept_all",
        setting: "committee",
        about: "accepts everybody while there are places",
        parameters: "",
        build: build::accept_all,
    },
    Kind {
        name: "greedy",
        setting: "committee",
        about: "accepts while no quota is exceeded (Do 2021, Section 3.2)",
        parameters: "tolerance (0 or more, default 0; without one the caps are the maximums of a categories file, where there is one)",
        build: build::greedy,
    },
    Kind {
        name: "cmdp",
        setting: "committee",
        about: "accepts with the probabilities that solve the constrained program; needs p (Do 2021, Section 4)",
        parameters: "",
        build: build::cmdp,
    },
    Kind {
        name: "proportional",
        setting: "committee",
        about: "accepts in proportion to target over share, attribute by attribute; needs p",
        parameters: "",
        build: build::proportional,
    },
    Kind {
        name: "rl_cmdp",
        setting: "committee",
        about: "learns p and plans with optimism, episode by episode (Do 2021, Algorithm 1)",
        parameters: "delta (default .05), confidence_scale (default 1 = as printed), program (\"full\" or \"small\"), zero_rule (\"half\", \"accept\", \"reject\", \"plugin\")",
        build: build::rl_cmdp,
    },
    Kind {
        name: "plugin_cmdp",
        setting: "committee",
        about: "learns p and plans as if the counts were the law: no optimism",
        parameters: "",
        build: build::plugin_cmdp,
    },
    Kind {
        name: "quota_lookahead",
        setting: "committee",
        about: "accepts under every maximum while the seats left cover every unmet minimum; quotas are those of a categories file, else the target's seats rounded down and up",
        parameters: "",
        build: build::quota_lookahead,
    },
    Kind {
        name: "virtual_queue",
        setting: "committee",
        about: "accepts who lengthens the queues of over-represented values by at most v; knows nothing of p",
        parameters: "v (0 or more, default 2; or \"pilot\": the smallest that screens no more than cmdp, found by simulation; needs p)",
        build: build::virtual_queue,
    },
];

/// Sets up the policy that a `[[policy]]` table describes, once its `label` has been read.
pub fn set_up(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<(&'static str, Ready)> {
    let names: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind)).collect();
    let kind = table.need("kind", "kind = \"greedy\"").choice(&names)?;
    Some((kind.name, (kind.build)(table, brief)?))
}
