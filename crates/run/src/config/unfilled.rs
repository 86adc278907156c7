//! The key `[report] unfilled`: the treatment of replications in which a lane did not fill its
//! committee.

use crate::document::{ConfigKey, Field};
use kleroterion_core::protocol::{Rules, Until};
use kleroterion_stats::{FILLED, Judge, Unfilled};

pub(super) const UNFILLED: ConfigKey<Unfilled> = ConfigKey::word(
    "unfilled",
    &[("left_out", Unfilled::LeftOut), ("worst", Unfilled::Worst)],
)
.about("how a replication counts in which a committee was not filled")
.or_word("left_out");

/// Reads what the config asks for; `None`: it is wrong, which is noted.
pub(super) fn read(field: &Field<'_>, rules: Option<&Rules>) -> Option<Unfilled> {
    let fills = rules.map(|rules| matches!(rules.until, Until::Accepted(_)));
    let asked = UNFILLED.given(field);
    if fills == Some(false) && asked.as_ref().is().is_some() {
        return field.refused(
            "no lane of this run is to fill a committee, so none can leave places empty",
            "leave `unfilled` out, or set until = { accepted = 150 } in [rules]",
        );
    }
    asked.or_else(|| match fills {
        Some(true) => UNFILLED.assumed(),
        _ => Some(Unfilled::NoCommittee),
    })
}

/// Returns true if each judged metric has a worst value, or if none is needed. Notes a problem
/// otherwise.
pub(super) fn has_worst(field: &Field<'_>, judge: &Judge) -> bool {
    if judge.unfilled != Unfilled::Worst {
        return true;
    }
    let without = judge
        .metrics
        .iter()
        .filter(|metric| judge.worst(metric).is_none());
    let without: Vec<&str> = without.map(String::as_str).collect();
    if without.is_empty() {
        return true;
    }
    field.refuse(
        format!(
            "there is no worst value of {}: it takes a declared range and a better side",
            without.join(", ")
        ),
        format!(
            "judge measures such as {FILLED}, quotas_kept, seats_off, selection_rate or \
             representation_loss, or leave `unfilled` out: then replications with empty \
             places are left out of the others"
        ),
    );
    false
}
