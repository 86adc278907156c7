//! Every policy by its `kind`.

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
    /// Its parameters beside `label` and `kind`.
    pub parameters: &'static str,
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
        parameters: "",
        measures: &[],
        build: Build::Blind(committee::accept_all),
    },
    Kind {
        name: "greedy",
        setting: "committee",
        about: "accepts while no quota is exceeded (Do 2021, Section 3.2)",
        parameters: "tolerance (0 or more, default 0; without one the caps are the maximums of a categories file, where there is one)",
        measures: &[],
        build: Build::Blind(committee::greedy),
    },
    Kind {
        name: "cmdp",
        setting: "committee",
        about: "accepts with the probabilities that solve the constrained program; needs p (Do 2021, Section 4)",
        parameters: "",
        measures: &[],
        build: Build::Blind(committee::cmdp),
    },
    Kind {
        name: "proportional",
        setting: "committee",
        about: "accepts in proportion to target over share, attribute by attribute; needs p",
        parameters: "",
        measures: &[],
        build: Build::Blind(committee::proportional),
    },
    Kind {
        name: "rl_cmdp",
        setting: "committee",
        about: "learns p and plans with optimism, episode by episode (Do 2021, Algorithm 1)",
        parameters: "delta (default .05), confidence_scale (default 1 = as printed), program (\"full\" or \"small\"), zero_rule (\"half\", \"accept\", \"reject\", \"plugin\")",
        measures: &["unsolved"],
        build: Build::Blind(committee::rl_cmdp),
    },
    Kind {
        name: "plugin_cmdp",
        setting: "committee",
        about: "learns p and plans as if the counts were the law: no optimism",
        parameters: "",
        measures: &["unsolved"],
        build: Build::Blind(committee::plugin_cmdp),
    },
    Kind {
        name: "quota_lookahead",
        setting: "committee",
        about: "accepts under every maximum while the seats left cover every unmet minimum; quotas are those of a categories file, else the target's seats rounded down and up",
        parameters: "",
        measures: &[],
        build: Build::Blind(committee::quota_lookahead),
    },
    Kind {
        name: "virtual_queue",
        setting: "committee",
        about: "accepts who lengthens the queues of over-represented values by at most v; knows nothing of p",
        parameters: "v (0 or more, default 2; or \"pilot\": the smallest that screens no more than cmdp, found by simulation; needs p)",
        measures: &[],
        build: Build::Blind(committee::virtual_queue),
    },
    Kind {
        name: "fair_greedy",
        setting: "meritocratic",
        about: "chooses the highest estimated rank within its own group (Grazzi 2022, Algorithm 1 and Section 7)",
        parameters: "lambda (default .1), rho (default 1e-8), by (the groups' attribute, where the source doesn't say), refresh (another algorithm: estimates anew only when t has grown by this factor)",
        measures: &[],
        build: Build::Blind(meritocratic::fair_greedy),
    },
    Kind {
        name: "oful",
        setting: "meritocratic",
        about: "chooses the highest upper bound of the reward, groups unheeded (Abbasi-Yadkori 2011)",
        parameters: "lambda (default .1), form (\"authors\" with ec, default 1; or \"abbasi_yadkori\" with R, S and delta, default .01)",
        measures: &[],
        build: Build::Blind(meritocratic::oful),
    },
    Kind {
        name: "ridge_greedy",
        setting: "meritocratic",
        about: "chooses the highest estimated reward, groups unheeded",
        parameters: "lambda (default .1)",
        measures: &[],
        build: Build::Blind(meritocratic::ridge_greedy),
    },
    Kind {
        name: "uniform_choice",
        setting: "meritocratic",
        about: "chooses anybody, each as likely",
        parameters: "",
        measures: &[],
        build: Build::Blind(meritocratic::uniform_choice),
    },
    Kind {
        name: "gmf_oracle",
        setting: "meritocratic",
        about: "oracle: chooses the highest true rank (Grazzi 2022, Definition 3.1)",
        parameters: "",
        measures: &[],
        build: Build::Sighted(meritocratic::gmf_oracle),
    },
    Kind {
        name: "oracle_mu",
        setting: "meritocratic",
        about: "oracle: knows what everybody is worth, learns the groups' distributions",
        parameters: "",
        measures: &[],
        build: Build::Sighted(meritocratic::oracle_mu),
    },
    Kind {
        name: "oracle_cdf",
        setting: "meritocratic",
        about: "oracle: knows the groups' distributions, learns what features are worth",
        parameters: "lambda (default .1)",
        measures: &[],
        build: Build::Sighted(meritocratic::oracle_cdf),
    },
    Kind {
        name: "best_reward",
        setting: "meritocratic",
        about: "oracle: chooses who is worth most, groups unheeded",
        parameters: "",
        measures: &[],
        build: Build::Sighted(meritocratic::best_reward),
    },
    Kind {
        name: "swap",
        setting: "cohort",
        about: "interviews whom the choice hangs on, cheaply or thoroughly, until the best cohort is sure (Schumann 2019, Algorithm 1)",
        parameters: "objective (\"top_k\", \"diverse\", \"quota\"; default \"top_k\"), by, delta (default .05), sigma (default: the looks' own noise), strong (\"paper\", \"never\", \"always\" or a probability), stop (\"exact\", { within = .01 }, \"budget\"), scope (\"symmetric_difference\", \"hybrid\"), batch (looks a step, default 1), forecast ({ spread, doubt, by }: starts from the score and what was heard in earlier rounds; ours)",
        measures: &["converged", "stop", "strong_share"],
        build: Build::Blind(cohort::swap),
    },
    Kind {
        name: "uniform_interviews",
        setting: "cohort",
        about: "interviews everybody in turn, cheaply then thoroughly, while there is money",
        parameters: "objective, by, forecast",
        measures: &["strong_share"],
        build: Build::Blind(cohort::uniform_interviews),
    },
    Kind {
        name: "random_interviews",
        setting: "cohort",
        about: "interviews everybody once, then anybody in any way, while there is money",
        parameters: "objective, by, forecast",
        measures: &["strong_share"],
        build: Build::Blind(cohort::random_interviews),
    },
    Kind {
        name: "fair_greedy_pool",
        setting: "pool",
        about: "admits so many of each group as make scores less lambda times unfairness the greatest (Puranik 2022, Eq. 4)",
        parameters: "target (shares by group; one may be left out), lambda (0 or more), greedy_term (\"blom\", \"exact\", \"mean_field\", \"realised\"; default \"blom\"), infeasible (\"feasible\", \"authors\"; default \"feasible\")",
        measures: &["nominal_share"],
        build: Build::Blind(pool::fair_greedy_pool),
    },
    Kind {
        name: "score_greedy",
        setting: "pool",
        about: "admits the highest scores to be expected, groups unheeded (lambda = 0)",
        parameters: "greedy_term; target and lambda, to be scored by",
        measures: &[],
        build: Build::Blind(pool::score_greedy),
    },
    Kind {
        name: "proportional_pool",
        setting: "pool",
        about: "admits of each group in proportion to its applicants",
        parameters: "target and lambda, to be scored by",
        measures: &[],
        build: Build::Blind(pool::proportional_pool),
    },
    Kind {
        name: "target_share",
        setting: "pool",
        about: "admits of each group as the target says, as far as there are applicants",
        parameters: "target; lambda, to be scored by",
        measures: &[],
        build: Build::Blind(pool::target_share),
    },
    Kind {
        name: "optimal",
        setting: "pool",
        about: "admits so many of each group as make the discounted sum of all rounds' utilities the greatest (Puranik 2022, A.2)",
        parameters: "target, lambda, gamma (0 to below 1), state (\"theta\", \"share\"), transitions (\"poisson\", \"mean_field\"; default \"poisson\"), greedy_term, infeasible",
        measures: &[],
        build: Build::Blind(optimal::optimal),
    },
    Kind {
        name: "exec",
        setting: ANY,
        about: "a program of your own, in any language, asked over its standard input and output",
        parameters: "command (a list: the program and its arguments), deadline (of an answer in live runs, default \"250ms\"), on_timeout (\"forfeit\", \"leave\"; default \"forfeit\")",
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
