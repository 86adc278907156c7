//! How far the run is, who leads, and the table of verdicts.

use maud::{Markup, html};

use super::end::over;
use super::moment::Moment;
use crate::compare::{Ground, Versus};
use crate::report::account::quoted;
use crate::report::markup::text;
use crate::report::page::{Findings, findings_html, parts_html, verdicts_html};
use crate::score::MetricInfo;
use crate::watch::{Acts, Stage};

/// The run's name and how far it is.
pub(super) fn stage(moment: &Moment<'_>) -> Markup {
    let (class, words) = match moment.stage {
        Stage::Replaying => (
            "replaying",
            "Replaying: what the journal holds is played again".to_owned(),
        ),
        Stage::Following => ("following", "Following the stream".to_owned()),
        Stage::Over => ("over", format!("Over: {}", over(moment))),
    };
    let label = |lane: usize| quoted(moment.label(lane));
    let acting = match moment.watched.acts() {
        Acts::NotAsked => String::new(),
        Acts::Plays(lane) | Acts::TakenOver { lane, .. } => format!(
            "; {} acts, the others only say what they would do",
            label(lane)
        ),
        Acts::Done(lane, stop) | Acts::Broken { lane, stop, .. } => format!(
            "; {}, which acted, has ended ({}): nothing counts that the others say",
            label(lane),
            stop.ending.word().replace('_', " ")
        ),
    };
    html! {
        h1 { (text(&moment.watched.name)) }
        p class={ "stage " (class) } { span { (text(&words)) (text(&acting)) "." } }
    }
}

/// What is to be said before all else: that the acting policy has ended otherwise than it was to.
fn acting_ended(moment: &Moment<'_>) -> Option<Findings> {
    let watched = moment.watched;
    let lines = vec![watched.acting_news()?];
    let (answer, lines) = match watched.acts() {
        Acts::TakenOver { lane, from, .. } => {
            let answer = format!(
                "{} decides from round {from} on",
                quoted(&watched.labels[lane])
            );
            (answer, lines)
        }
        _ => {
            let remedy = format!("What to do: {}.", watched.acting_remedy());
            let lines = lines.into_iter().chain([remedy]).collect();
            ("No policy decides".into(), lines)
        }
    };
    Some(Findings {
        question: "The acting policy has ended".into(),
        answer,
        lines,
        ..Findings::default()
    })
}

/// The answer so far, who leads on each measure that is compared, and what else is to be said.
pub(super) fn lead(moment: &Moment<'_>) -> Markup {
    let open = |question: &str, answer: &str, line: String| Findings {
        question: question.into(),
        answer: answer.into(),
        lines: vec![line],
        ..Findings::default()
    };
    let found = match moment.compared {
        Some(0) => open(
            "No verdict yet",
            "Nothing has been compared so far",
            "A comparison begins with the first round that two policies have decided.".into(),
        ),
        None => open("No verdict", "Nothing is compared", uncompared(moment)),
        Some(_) => moment.so_far.found.clone(),
    };
    let all: Vec<Findings> = acting_ended(moment).into_iter().chain([found]).collect();
    let first = all.first().map_or("", |found| &found.answer);
    let judge = &moment.watched.judge;
    let judged = || judge.metrics.iter();
    let of_run: Vec<&str> = judged()
        .filter(|metric| judge.ground(metric).is_none())
        .map(String::as_str)
        .collect();
    html! {
        div data-title=(text(first)) { @for found in &all { (findings_html(found)) } }
        @if moment.compared.is_some() && !of_run.is_empty() {
            p.note {
                "Shown, but not compared, as a round has no value of its own: "
                (text(&of_run.join(", "))) "."
            }
        }
    }
}

/// Why there are no verdicts.
fn uncompared(moment: &Moment<'_>) -> String {
    let judge = &moment.watched.judge;
    if moment.watched.labels.len() < 2 {
        return "There is one policy: nothing to compare it with.".into();
    }
    let are_outcomes = |metric: &String| judge.ground(metric) == Some(Ground::Outcomes);
    let acting = moment
        .watched
        .acting
        .filter(|_| judge.metrics.iter().all(are_outcomes));
    match &judge.versus {
        Versus::Nobody => {
            "The config names no policy to compare with: baseline or pairs in [report].".into()
        }
        Versus::Baseline(label)
            if !moment.watched.labels.iter().any(|known| **known == **label) =>
        {
            format!("The baseline {} does not play.", quoted(label))
        }
        _ if acting.is_some() => format!(
            "The mean outcome of the others is not known, because {} acts.",
            quoted(moment.label(acting.unwrap_or(0)))
        ),
        _ => format!(
            "What is judged ({}) has no value in a round, and one stream played once does not tell \
             how far apart policies would be on another.",
            judge.metrics.join(", ")
        ),
    }
}

/// The comparisons, a table a measure.
pub(super) fn verdicts(moment: &Moment<'_>) -> Markup {
    let picture = &moment.so_far.verdicts;
    let judged = moment.watched.judge.metrics.iter();
    html! {
        @if moment.compared > Some(0) {
            (verdicts_html(picture, usize::MAX))
            @for metric in judged {
                p.note { b { (text(metric)) } ": " (text(MetricInfo::of(metric).about)) "." }
            }
        }
    }
}

/// Whom each policy has selected so far, at what rates, and what became of them.
pub(super) fn streams(moment: &Moment<'_>) -> Markup {
    match moment.streams.as_slice() {
        [] => html! { p.note { "Nothing is known of groups or outcomes." } },
        parts => parts_html(parts),
    }
}
