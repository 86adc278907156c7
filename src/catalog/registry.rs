//! Every policy by its `kind`.

use super::keys::policies as keys;
use super::param::Param;
use super::ready::Ready;
use super::{cohort, committee, exec, meritocratic, optimal, pool};
use crate::arena::FORFEITS;
use crate::document::Reader;
use crate::policy::Brief;
use crate::problem::Given;
use crate::protocol::{GroupTruth, Role};
use crate::score::catalogue;

/// How a policy is set up from its table in the config; what is wrong is noted with the reader.
enum Build {
    /// From what a policy may know.
    Blind(fn(&mut Reader<'_>, &Brief<'_>) -> Option<Ready>),
    /// An oracle, from the truth too.
    Sighted(fn(&mut Reader<'_>, &Brief<'_>, Option<&GroupTruth>) -> Option<Ready>),
}

/// One kind of policy.
pub struct Kind {
    /// Its name in configs.
    pub name: &'static str,
    /// Its setting.
    pub setting: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its keys, but for those that every policy has.
    pub params: &'static [Param],
    /// What it reports of itself, beside what is scored of everybody.
    pub measures: &'static [&'static str],
    build: Build,
}

/// The setting of a kind that plays all of them.
pub const ANY: &str = "any";

/// All kinds, by setting.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "accept_all",
        setting: "committee",
        about: "accepts everybody while there are places",
        params: &[],
        measures: &[],
        build: Build::Blind(committee::accept_all),
    },
    Kind {
        name: "greedy",
        setting: "committee",
        about: "accepts while no quota is exceeded (Do 2021, Section 3.2)",
        params: &[keys::TOLERANCE],
        measures: &[],
        build: Build::Blind(committee::greedy),
    },
    Kind {
        name: "cmdp",
        setting: "committee",
        about: "accepts with the probabilities that solve the constrained program; needs p (Do 2021, Section 4)",
        params: &[],
        measures: &[],
        build: Build::Blind(committee::cmdp),
    },
    Kind {
        name: "proportional",
        setting: "committee",
        about: "accepts in proportion to target over share, attribute by attribute; needs p",
        params: &[],
        measures: &[],
        build: Build::Blind(committee::proportional),
    },
    Kind {
        name: "rl_cmdp",
        setting: "committee",
        about: "learns p and plans with optimism, episode by episode (Do 2021, Algorithm 1)",
        params: &[
            keys::DELTA,
            keys::CONFIDENCE_SCALE,
            keys::PROGRAM,
            keys::ZERO_RULE,
        ],
        measures: &["unsolved"],
        build: Build::Blind(committee::rl_cmdp),
    },
    Kind {
        name: "plugin_cmdp",
        setting: "committee",
        about: "learns p and plans as if the counts were the law: no optimism",
        params: &[],
        measures: &["unsolved"],
        build: Build::Blind(committee::plugin_cmdp),
    },
    Kind {
        name: "quota_lookahead",
        setting: "committee",
        about: "accepts under every maximum while the seats left cover every unmet minimum; quotas are those of a categories file, else the target's seats rounded down and up",
        params: &[],
        measures: &[],
        build: Build::Blind(committee::quota_lookahead),
    },
    Kind {
        name: "virtual_queue",
        setting: "committee",
        about: "accepts who lengthens the queues of over-represented values by at most v; knows nothing of p",
        params: &[keys::V],
        measures: &[],
        build: Build::Blind(committee::virtual_queue),
    },
    Kind {
        name: "fair_greedy",
        setting: "meritocratic",
        about: "chooses the highest estimated rank within its own group (Grazzi 2022, Algorithm 1 and Section 7)",
        params: &[keys::RIDGE, keys::RHO, keys::RANKED_BY, keys::REFRESH],
        measures: &[],
        build: Build::Blind(meritocratic::fair_greedy),
    },
    Kind {
        name: "oful",
        setting: "meritocratic",
        about: "chooses the highest upper bound of the reward, groups unheeded (Abbasi-Yadkori 2011)",
        params: &[
            keys::RIDGE,
            keys::FORM,
            keys::EC,
            keys::NOISE,
            keys::NORM,
            keys::OFUL_DELTA,
        ],
        measures: &[],
        build: Build::Blind(meritocratic::oful),
    },
    Kind {
        name: "ridge_greedy",
        setting: "meritocratic",
        about: "chooses the highest estimated reward, groups unheeded",
        params: &[keys::RIDGE],
        measures: &[],
        build: Build::Blind(meritocratic::ridge_greedy),
    },
    Kind {
        name: "uniform_choice",
        setting: "meritocratic",
        about: "chooses anybody, each as likely",
        params: &[],
        measures: &[],
        build: Build::Blind(meritocratic::uniform_choice),
    },
    Kind {
        name: "gmf_oracle",
        setting: "meritocratic",
        about: "oracle: chooses the highest true rank (Grazzi 2022, Definition 3.1)",
        params: &[],
        measures: &[],
        build: Build::Sighted(meritocratic::gmf_oracle),
    },
    Kind {
        name: "oracle_mu",
        setting: "meritocratic",
        about: "oracle: knows what everybody is worth, learns the groups' distributions",
        params: &[],
        measures: &[],
        build: Build::Sighted(meritocratic::oracle_mu),
    },
    Kind {
        name: "oracle_cdf",
        setting: "meritocratic",
        about: "oracle: knows the groups' distributions, learns what features are worth",
        params: &[keys::RIDGE],
        measures: &[],
        build: Build::Sighted(meritocratic::oracle_cdf),
    },
    Kind {
        name: "best_reward",
        setting: "meritocratic",
        about: "oracle: chooses who is worth most, groups unheeded",
        params: &[],
        measures: &[],
        build: Build::Sighted(meritocratic::best_reward),
    },
    Kind {
        name: "swap",
        setting: "cohort",
        about: "interviews whom the choice hangs on, cheaply or thoroughly, until the best cohort is sure (Schumann 2019, Algorithm 1)",
        params: &[
            keys::OBJECTIVE,
            keys::COHORT_BY,
            keys::DELTA,
            keys::SIGMA,
            keys::STRONG,
            keys::STOP,
            keys::SCOPE,
            keys::BATCH,
            keys::FORECAST,
        ],
        measures: &["converged", "stop", "strong_share"],
        build: Build::Blind(cohort::swap),
    },
    Kind {
        name: "uniform_interviews",
        setting: "cohort",
        about: "interviews everybody in turn, cheaply then thoroughly, while there is money",
        params: &[keys::OBJECTIVE, keys::COHORT_BY, keys::FORECAST],
        measures: &["strong_share"],
        build: Build::Blind(cohort::uniform_interviews),
    },
    Kind {
        name: "random_interviews",
        setting: "cohort",
        about: "interviews everybody once, then anybody in any way, while there is money",
        params: &[keys::OBJECTIVE, keys::COHORT_BY, keys::FORECAST],
        measures: &["strong_share"],
        build: Build::Blind(cohort::random_interviews),
    },
    Kind {
        name: "fair_greedy_pool",
        setting: "pool",
        about: "admits so many of each group as make scores less lambda times unfairness the greatest (Puranik 2022, Eq. 4)",
        params: &[
            keys::TARGET.needed(),
            keys::LAMBDA.needed(),
            keys::GREEDY_TERM,
            keys::INFEASIBLE,
        ],
        measures: &["nominal_share"],
        build: Build::Blind(pool::fair_greedy_pool),
    },
    Kind {
        name: "score_greedy",
        setting: "pool",
        about: "admits the highest scores to be expected, groups unheeded (lambda = 0)",
        params: &[keys::GREEDY_TERM, keys::TARGET, keys::LAMBDA],
        measures: &[],
        build: Build::Blind(pool::score_greedy),
    },
    Kind {
        name: "proportional_pool",
        setting: "pool",
        about: "admits of each group in proportion to its applicants",
        params: &[keys::TARGET, keys::LAMBDA],
        measures: &[],
        build: Build::Blind(pool::proportional_pool),
    },
    Kind {
        name: "target_share",
        setting: "pool",
        about: "admits of each group as the target says, as far as there are applicants",
        params: &[keys::TARGET.needed(), keys::LAMBDA],
        measures: &[],
        build: Build::Blind(pool::target_share),
    },
    Kind {
        name: "optimal",
        setting: "pool",
        about: "admits so many of each group as make the discounted sum of all rounds' utilities the greatest (Puranik 2022, A.2)",
        params: &[
            keys::TARGET.needed(),
            keys::LAMBDA.needed(),
            keys::GAMMA.needed(),
            keys::STATE.needed(),
            keys::TRANSITIONS,
            keys::GREEDY_TERM,
            keys::INFEASIBLE,
        ],
        measures: &[],
        build: Build::Blind(optimal::optimal),
    },
    Kind {
        name: "exec",
        setting: ANY,
        about: "a program of your own, in any language, asked over its standard input and output",
        params: &[keys::COMMAND.needed(), keys::DEADLINE, keys::ON_TIMEOUT],
        measures: &[FORFEITS],
        build: Build::Blind(exec::exec),
    },
];

/// What kinds report of themselves; `None`: any kind.
pub fn measures(kind: Option<&str>) -> impl Iterator<Item = &'static str> {
    let kinds = KINDS
        .iter()
        .filter(move |known| kind.is_none_or(|kind| known.name == kind));
    kinds.flat_map(|kind| kind.measures).copied()
}

/// What policies of a kind are there for, where the config does not say: those that take anybody and
/// those that know the truth are yardsticks.
pub fn role(kind: &str) -> Role {
    let is_oracle = |known: &Kind| matches!(known.build, Build::Sighted(_));
    let oracle = KINDS
        .iter()
        .any(|known| known.name == kind && is_oracle(known));
    match kind {
        "accept_all" | "uniform_choice" => Role::Yardstick,
        _ if oracle => Role::Yardstick,
        _ => Role::Policy,
    }
}

/// Whether a metric of this name is in the catalogue, or some kind reports it of itself.
pub fn is_metric(name: &str) -> bool {
    let listed = |pattern: &str| match pattern.strip_suffix("GROUP") {
        Some(stem) => name.starts_with(stem),
        None => pattern == name,
    };
    catalogue().any(|(pattern, _)| listed(pattern)) || measures(None).any(|own| own == name)
}

/// Sets up the policy that a `[[policy]]` table describes, once its `label` has been read: its kind, where that is known, and
/// the policy, where nothing is wrong. All keys of the kind have been asked for then. `truth`: for oracles only.
pub fn set_up(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Given<&GroupTruth>,
) -> Option<(&'static str, Option<Ready>)> {
    let names: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind)).collect();
    let kind = table.need("kind", "kind = \"greedy\"").choice(&names)?;
    let ready = match &kind.build {
        Build::Blind(build) => build(table, brief),
        Build::Sighted(build) => {
            if truth.is_absent() {
                table.refuse(
                    "an oracle needs to know what everybody is worth, and this source doesn't tell",
                    "take a source of type \"linear_groups\", or a file with [source.features] and [source.reward]",
                );
            }
            build(table, brief, truth.is())
        }
    };
    Some((kind.name, ready))
}
