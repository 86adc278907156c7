//! The run's progress, and the policy that leads.

use super::end::{over, progress};
use super::model::{HELD, Model, Words};
use super::moment::Moment;
use crate::watch::rates::a_second;
use crate::watch::{Acts, Stage};
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::number::grouped;
use kleroterion_report::report::page::{Findings, MeasureFinding, Mood};
use kleroterion_stats::{Ground, Standing, Versus};

/// Fills the head line with the run's stage and progress.
pub(super) fn stage(model: &mut Model, moment: &Moment<'_>) {
    let (class, words) = match moment.stage {
        Stage::Replaying => (
            "replaying",
            "Replaying: what the journal holds is played again".to_owned(),
        ),
        Stage::Following => ("following", "Following the stream".to_owned()),
        Stage::Over => ("over", format!("Over: {}", over(moment))),
    };
    model.text("stage", Words::new(words).looking(class));
    let n = format!("{} {}", moment.unit(), grouped(moment.cut.round));
    model.text("n", n);
    let rate = moment
        .rates
        .as_ref()
        .filter(|_| moment.stage != Stage::Over);
    model.text(
        "rate",
        rate.map_or_else(String::new, |rates| a_second(rates.accepted)),
    );
    let progress = progress(moment).map(|progress| progress + ".");
    model.text("progress", progress.unwrap_or_default());
    model.text("acts", acts(moment));
}

/// The policy whose decisions count, as a sentence.
fn acts(moment: &Moment<'_>) -> String {
    let label = |lane: usize| quoted(moment.label(lane));
    match moment.watched.acts() {
        Acts::NotAsked => String::new(),
        Acts::Plays(lane) | Acts::TakenOver { lane, .. } => format!(
            "{} acts, the others only say what they would do.",
            label(lane)
        ),
        Acts::Done(lane, stop) | Acts::Broken { lane, stop, .. } => format!(
            "{}, which acted, has ended ({}): nothing counts that the others say.",
            label(lane),
            stop.ending.word().replace('_', " ")
        ),
    }
}

/// Fills the news that precedes all else: the acting policy has broken off.
fn acting_ended(model: &mut Model, moment: &Moment<'_>) {
    let watched = moment.watched;
    let news = watched.acting_news();
    let answer = match (&news, watched.acts()) {
        (None, _) => String::new(),
        (_, Acts::TakenOver { lane, from, .. }) => format!(
            "The acting policy has ended: {} decides from round {from} on.",
            quoted(&watched.labels[lane])
        ),
        _ => "The acting policy has ended: no policy decides.".into(),
    };
    let is_broken = matches!(watched.acts(), Acts::Broken { .. });
    let remedy = is_broken.then(|| format!("What to do: {}.", watched.acting_remedy()));
    let remedy = remedy.filter(|_| news.is_some());
    model.text("news", answer);
    model.list("news-lines", news.into_iter().chain(remedy));
}

/// Fills the answer so far, the leader on each compared measure, and the notes.
pub(super) fn answer(model: &mut Model, moment: &Moment<'_>) {
    acting_ended(model, moment);
    let found = &moment.so_far.found;
    let (calm, dated) = calm(found);
    let (question, headline, look) = match moment.compared {
        Some(0) => ("No verdict yet", "Nothing has been compared so far", "open"),
        None => ("No verdict", "Nothing is compared", "open"),
        Some(_) => (&*found.question, &*calm, look(found.mood)),
    };
    let mut lines = match moment.compared {
        Some(0) => vec![
            "A comparison begins with the first round that two policies have decided.".to_owned(),
        ],
        None => vec![uncompared(moment)],
        Some(_) => found.lines.iter().cloned().chain(dated).collect(),
    };
    let judge = &moment.watched.judge;
    let of_run = judge.metrics.iter();
    let of_run: Vec<&str> = of_run
        .filter(|metric| judge.ground(metric).is_none())
        .map(String::as_str)
        .collect();
    if moment.compared.is_some() && !of_run.is_empty() {
        lines.push(format!(
            "Shown, but not compared, as a round has no value of its own: {}.",
            of_run.join(", ")
        ));
    }
    model.text("question", question);
    model.text(HELD, Words::new(format!("{headline}.")).looking(look));
    model.list("answer-lines", lines);
    let is_compared = moment.compared > Some(0);
    let measures = found.measures.iter().filter(|_| is_compared);
    model.table("findings", measures.map(finding).collect());
}

/// The answer without its dates and numbers, so that it can be held, and what was left out: all
/// from the first colon or semicolon that is in no label.
fn calm(found: &Findings) -> (String, Vec<String>) {
    let mut is_label = false;
    let end = found.answer.char_indices().find(|(at, c)| {
        match c {
            '\u{201c}' => is_label = true,
            '\u{201d}' => is_label = false,
            _ => {}
        }
        !is_label
            && [": ", "; "]
                .iter()
                .any(|end| found.answer[*at..].starts_with(end))
    });
    match end {
        None => (found.answer.clone(), Vec::new()),
        Some((at, _)) => {
            let rest = format!("{}.", &found.answer[at + 2..]);
            (found.answer[..at].to_owned(), vec![rest])
        }
    }
}

fn look(mood: Mood) -> &'static str {
    match mood {
        Mood::Settled | Mood::Differs => Standing::Sure.word(),
        Mood::SoFar => Standing::SoFar.word(),
        Mood::Open => Standing::Open.word(),
    }
}

/// The row of a measure: its standing and its leader.
fn finding(one: &MeasureFinding) -> Vec<Words> {
    let look = look(one.mood);
    let sign = match one.mood {
        Mood::Settled | Mood::Differs => "\u{2713} sure".to_owned(),
        Mood::SoFar | Mood::Open => look.replace('_', " "),
    };
    let (answer, detail) = match (one.mood, &*one.answer) {
        // A fact says itself that it is one.
        (Mood::SoFar, _) | (_, "") => ("", one.detail.trim_start_matches(": ")),
        (_, answer) => (answer, &*one.detail),
    };
    let words = format!("{} ({}): {answer}{detail}.", one.measure, one.side);
    vec![
        Words::new(sign).looking(format!("chip {look}")),
        words.into(),
    ]
}

/// The reason why there are no verdicts, as a sentence.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_has_neither_dates_nor_numbers() {
        let of = |answer: &str| {
            calm(&Findings {
                answer: answer.into(),
                ..Findings::default()
            })
        };
        let sure = "On this stream, \u{201c}a: b\u{201d} leads \u{201c}b\u{201d}";
        assert_eq!(of(sure), (sure.into(), vec![]));
        let dated = "15.0 more chosen of 100 screened, sure since round 254";
        assert_eq!(
            of(&format!("{sure}: {dated}")),
            (sure.into(), vec![format!("{dated}.")])
        );
        let open = "On this stream, open between \u{201c}a\u{201d} and \u{201c}b\u{201d}";
        let closes = "about 7 more people may decide it";
        let (headline, rest) = of(&format!("{open}: {closes}"));
        assert_eq!(
            (headline.as_str(), rest),
            (open, vec![format!("{closes}.")])
        );
    }
}
