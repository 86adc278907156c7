//! The policies over all panels of respondents who are known beforehand: their entries.

use std::sync::Arc;

use super::kind::PolicyKind;
use super::ready::Ready;
use crate::document::Reader;
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{Choose, Until};
use kleroterion_policies::committee::{ByLottery, Legacy, quotas_around};
use kleroterion_sortition::heaviest::PanelSearch;
use kleroterion_sortition::lottery::{AwaitedLottery, LotteryRule, NODES, NoLottery};
use kleroterion_sortition::{PanelKinds, PanelQuestion};

/// The setting.
const SETTING: &str = "panel";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[
    PolicyKind::built_in(
        SETTING,
        "maximin",
        "draws a panel from the lottery over all panels whose least chance of a respondent is \
         largest; needs respondents who are known beforehand",
        |table, brief| lottery(table, brief, LotteryRule::Maximin),
    ),
    PolicyKind::built_in(
        SETTING,
        "leximin",
        "the same with the next least chance as large as can be, and so on (Flanigan 2021)",
        |table, brief| lottery(table, brief, LotteryRule::Leximin),
    ),
    PolicyKind::built_in(
        SETTING,
        "nash",
        "draws a panel from the lottery over all panels whose product of the chances is largest",
        |table, brief| lottery(table, brief, LotteryRule::Nash),
    ),
    PolicyKind::built_in(
        SETTING,
        "legacy",
        "draws a panel by the greedy of most tools in use: next is one at random of the value \
         whose minimum is nearest to being missed",
        legacy,
    )
    .measuring(&["restarts"]),
];

fn legacy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let question = question(table, brief)?;
    Some(Ready::blind(Legacy::new(Arc::new(question))))
}

/// The policy of a lottery that is computed when it is needed. That there is a panel is seen now.
fn lottery(table: &Reader<'_>, brief: &Brief<'_>, rule: LotteryRule) -> Option<Ready> {
    let question = question(table, brief)?;
    let kinds = PanelKinds::new(&question);
    if PanelSearch::new(&kinds).any(NODES).is_none() {
        return table.refused(
            NoLottery::NoPanel.to_string(),
            "widen the quotas, or make the committee smaller",
        );
    }
    let lottery = Arc::new(AwaitedLottery::new(rule, question));
    let mut ready = Ready::blind(ByLottery::new(Arc::clone(&lottery)));
    ready.lottery = Some(lottery);
    Some(ready)
}

/// Returns the panel to choose, and notes the parts of the config that are missing for it.
fn question(table: &Reader<'_>, brief: &Brief<'_>) -> Option<PanelQuestion> {
    let rules = brief.rules;
    if rules.is_some_and(|rules| matches!(rules.choose, Choose::Exactly(_) | Choose::Share(_))) {
        return table.refused(
            "this policy seats a panel as its members come, and the rules fix how many of a slate",
            "set choose = \"at_most_one\", \"any\" or { at_most = 2 } in [rules]",
        );
    }
    let members = rules.and_then(|rules| match rules.until {
        Until::Accepted(members) => u32::try_from(members).ok(),
        Until::Rounds(_) | Until::SourceEnds => None,
    });
    if rules.is_some() && members.is_none() {
        table.refuse(
            "this policy needs the committee's size, at most 4,294,967,295",
            "end the run with until = { accepted = 40 } in [rules]",
        );
    }
    if brief.quotas.is_none() && brief.target.is_absent() {
        table.refuse(
            "this policy needs quotas, and the config has no [target]",
            "for example: [target] with categories = \"categories.csv\"",
        );
    }
    let respondents = brief.known?.respondents.as_ref();
    if respondents.is_none() {
        table.refuse(
            "this policy needs respondents who are known beforehand, each of whom comes once",
            "take a source of type \"respondents\" or \"file\" with order = \"shuffled\" and no \
             [pool], or quota_lookahead, which needs none",
        );
    }
    let members = members?;
    let quotas = match brief.quotas {
        Some(quotas) => quotas.to_vec(),
        None => quotas_around(brief.schema?, brief.target.is()?, members),
    };
    Some(PanelQuestion {
        respondents: Arc::clone(respondents?),
        quotas,
        members,
    })
}
