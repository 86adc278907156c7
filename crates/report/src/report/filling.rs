//! The number of people that each policy needed to fill its places on one stream. It is a fact, and
//! the comparison over common rounds does not include it.

use std::collections::BTreeMap;

use kleroterion_core::protocol::Ending;
use kleroterion_stats::PolicySummary;

/// The number of people that a policy was shown on its one stream.
pub(super) fn shown(policy: &PolicySummary) -> Option<u64> {
    Some(policy.stream.as_ref()?.composition.shown)
}

/// Returns a phrase on the rounds over which two policies are compared if one ended before the
/// other. `many` is their number, with the unit.
pub(super) fn common(many: &str) -> String {
    format!("over the {many} that both played")
}

/// Returns a phrase with the number of people that each policy needed to fill its places, the
/// fewest first. `None` if no policy filled them. An example is `“a” filled its 30 places after 34
/// people, “b” after 71`.
pub(crate) fn filling(policies: &BTreeMap<String, PolicySummary>) -> Option<String> {
    let lane = |(label, policy): (&String, &PolicySummary)| {
        let is_full = policy.endings.contains_key(&Ending::Filled);
        let selected = policy.stream.as_ref()?.composition.selected;
        Some((!is_full, shown(policy)?, label.clone(), selected))
    };
    let mut lanes: Vec<_> = policies.iter().filter_map(lane).collect();
    lanes.sort();
    let (is_open, _, _, seats) = lanes.first()?.clone();
    if is_open || lanes.len() < 2 {
        return None;
    }
    let each = lanes.iter().enumerate().map(|(at, lane)| {
        let (is_open, shown, label, selected) = lane;
        let label = format!("\u{201c}{label}\u{201d}");
        match (at, is_open) {
            (0, _) => format!("{label} filled its {seats} places after {shown} people"),
            (_, false) if *selected == seats => format!("{label} after {shown}"),
            (_, false) => format!("{label} its {selected} after {shown}"),
            (_, true) => format!("{label} has filled {selected} after {shown}"),
        }
    });
    Some(format!("So far: {}", each.collect::<Vec<_>>().join(", ")))
}
