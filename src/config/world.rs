//! `[source]`: where candidates come from.

use super::context::{Built, Context, ReadSource};
use super::{
    admissions, arms, categorical, feed, file, gaussian_groups, linear_groups, respondents,
};
use crate::document::range;
use crate::document::{Reader, Value};

pub(super) fn world(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let kind = table.need("type", "type = \"categorical\"");
    let rate = table.get("volunteering_rate");
    let (rate_given, rate) = (rate.is_given(), rate.number_in(&range::PART));
    let pace = table.get("pace");
    let (pace_given, pace) = (pace.is_given(), feed::pace(&pace));
    let kinds: [(_, ReadSource); 7] = [
        ("admissions", admissions::people),
        ("arms", arms::people),
        ("categorical", categorical::people),
        ("file", file::people),
        ("gaussian_groups", gaussian_groups::people),
        ("linear_groups", linear_groups::people),
        ("respondents", respondents::people),
    ];
    let mut kinds: Vec<_> = kinds.into_iter().chain(feed::TYPES).collect();
    kinds.sort_by_key(|(name, _)| *name);
    let pooled = ["file", "gaussian_groups"];
    let feeds = |name| feed::TYPES.iter().any(|(known, _)| *known == name);
    if let Some(pool) = context.pool
        && let Some(name) = kind.text()
        && kinds.iter().any(|(known, _)| *known == name)
        && !pooled.contains(&name)
        && !feeds(name)
    {
        pool.refuse(
            format!("a pool lets some of many apply, and a source of type {name:?} has only those it shows"),
            format!("leave [pool] out, or take a source of type {}, or a feed", pooled.join(" or ")),
        );
    }
    let built: Option<Built> = kind.choice(&kinds)?(table, context);
    let unread = (rate_given && rate.is_none()) || (pace_given && pace.is_none());
    let mut built = built.filter(|_| !unread)?;
    built.world.volunteering_rate = rate;
    built.world.pace = pace;
    Some(built)
}

/// Whether a source makes nothing of a config without a target.
pub(super) fn needs_target(mut table: Reader<'_>) -> bool {
    let respondents = Value::Text("respondents".into());
    table.get("type").value() == Some(&respondents) || table.get("weights").is_given()
}
