//! The posts from which witnesses watch the lanes of a plan.

use std::sync::Arc;

use crate::config::Plan;
use kleroterion_core::feedback::AnsweredBy;
use kleroterion_io::trace::{Interviewers, Names, Post, PostSetting};

/// Makes the post of a lane of a replication.
pub fn post(
    plan: &Plan,
    replication: u64,
    label: &str,
    names: Names,
    interviewers: Option<Interviewers>,
) -> Post {
    let kinds = plan.rules.interviews.iter();
    Post {
        replication,
        label: label.to_owned(),
        names,
        setting: Arc::new(PostSetting {
            kinds: kinds.map(|kind| kind.name.to_string()).collect(),
            pool: plan.pool.as_ref().map(|pool| pool.attribute),
            looks_by: by(plan.feedback.looks.as_ref()),
            offers_by: by(plan.feedback.offers.as_ref()),
            interviewers,
        }),
    }
}

/// Returns the source of answers, in a word.
fn by(who: Option<&AnsweredBy>) -> String {
    match who {
        Some(AnsweredBy::Drawn(_)) => "generated".into(),
        Some(AnsweredBy::Outside) => "program".into(),
        None => String::new(),
    }
}
