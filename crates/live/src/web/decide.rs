//! A decision on request: `POST /v1/decisions`.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};

use super::answer::{HttpRefusal, json};
use super::asked::{ask, is_broken, known, undecided};
use super::body;
use super::claims::CandidateStanding;
use super::parsed::RecordKind;
use super::reading::receive;
use super::state::{Server, stopped};
use crate::watch::decisions::LaneDecision;
use crate::watch::{Acts, DecidedRound, WaitFor, Watched};
use kleroterion_core::protocol::Ending;
use kleroterion_io::trace::Decision;

/// The answer of `POST /v1/decisions` to a candidate who was taken: the decision of each policy,
/// and the one that counts. A refused request is answered `{error, help}`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Answer")]
pub struct DecisionAnswer<'a> {
    /// The number of the candidate in the journal, from 1.
    seq: u64,
    /// The round in which it is decided, from 1.
    round: u64,
    /// True if the candidate came before; left out otherwise.
    #[serde(skip_serializing_if = "is_false")]
    duplicate: bool,
    /// The policy whose decision counts.
    acting: Option<&'a str>,
    /// Its decision; null if it has not decided yet, or has ended.
    decision: Option<DecisionWord>,
    /// The ending of the acting policy, if it ended as intended.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Ending>,
    /// The decision of each policy, by label. Without `?wait=all` it has the policies that have
    /// decided by now.
    policies: BTreeMap<&'a str, PolicyAnswer<'a>>,
    /// The reason why no decision counts, if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

/// The decision of one policy, or its ending if it ended before.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum PolicyAnswer<'a> {
    Decided {
        /// The cost of its interviews.
        cost: f64,
        /// The decision.
        decision: DecisionWord,
        /// The probability of the choice, if it was random.
        p: Option<f64>,
        /// The reasons, by the names of their terms.
        reason: BTreeMap<&'a str, Option<f64>>,
    },
    Ended {
        /// The ending of the policy.
        ended: Option<Ending>,
    },
}

/// The decision of a policy about a candidate.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DecisionWord {
    /// The candidate is selected.
    Selected,
    /// The candidate is not selected.
    NotSelected,
    /// The candidate was selected, and declined the place.
    Declined,
    /// The policy did not answer in time.
    Forfeit,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(is: &bool) -> bool {
    !is
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    #[serde(default)]
    wait: WaitFor,
}

/// Serves `POST /v1/decisions`.
pub(super) async fn decide(
    State(server): State<Arc<Server>>,
    query: Result<Query<Wait>, QueryRejection>,
    request: Request,
) -> Result<Response, HttpRefusal> {
    let (head, body) = request.into_parts();
    let Ok(Query(Wait { wait: whom })) = query else {
        body::discard(&head.headers, body).await;
        let help =
            "/v1/decisions?wait=all waits for all policies, /v1/decisions for the acting one";
        let error = "what follows `?` is not known";
        return Err(HttpRefusal::new(StatusCode::BAD_REQUEST, error, help));
    };
    if let Some(intake) = &server.services.intake
        && !intake.decides
    {
        body::discard(&head.headers, body).await;
        let error = "this run decides on no candidate alone";
        let help = "post to /v1/candidates and follow GET /v1/decisions; \
                    a slate of one person without a pool would answer here";
        return Err(HttpRefusal::new(StatusCode::CONFLICT, error, help));
    }
    let (parsed, room) = receive(&server, RecordKind::Candidate, &head.headers, body).await?;
    let asking = server.clone();
    // On a task of its own: later askers get the answer, whether or not the first still waits.
    let asked = tokio::spawn(async move {
        let standing = ask(&asking, parsed).await;
        standing.map(|standing| (standing, room))
    });
    let broken = || HttpRefusal::unavailable("asking failed", "this is a bug of klero; ask again");
    // It keeps its place until it is answered.
    let ((standing, duplicate), _room) = asked.await.unwrap_or_else(|_| Err(broken()))?;
    let watched = &server.services.watched;
    let mut answer = answer(watched, standing, duplicate);
    match wait(&server, standing, whom).await {
        Some(DecidedRound::Decided(decisions)) => decided(watched, answer, &decisions),
        None => {
            answer.note = Some("undecided yet");
            Ok(json(StatusCode::ACCEPTED, &answer))
        }
        Some(DecidedRound::Forgotten) => Err(known()),
        Some(DecidedRound::Over) if is_broken(watched) => {
            Err(undecided(watched).taken(standing.seq))
        }
        Some(DecidedRound::Over) => {
            let help = "the candidate is in the journal, but no policy decided";
            Err(HttpRefusal::over().saying(help).taken(standing.seq))
        }
    }
}

/// The answer before anything is decided.
fn answer(watched: &Watched, standing: CandidateStanding, duplicate: bool) -> DecisionAnswer<'_> {
    DecisionAnswer {
        seq: standing.seq,
        round: standing.round,
        duplicate,
        acting: acting(watched, watched.acts()),
        decision: None,
        ended: None,
        policies: BTreeMap::new(),
        note: None,
    }
}

/// The answer once the round is decided.
fn decided<'a>(
    watched: &'a Watched,
    mut answer: DecisionAnswer<'a>,
    decisions: &'a [Arc<LaneDecision>],
) -> Result<Response, HttpRefusal> {
    match (decisions.iter().find(|told| told.acts), watched.acts()) {
        (Some(told), _) => {
            answer.acting = Some(&watched.labels[told.lane]);
            answer.decision = Some(word(&told.event.decision));
        }
        (None, Acts::Broken { .. }) => {
            return Err(undecided(watched).taken(answer.seq));
        }
        (None, Acts::Done(_, stop)) => {
            answer.ended = Some(stop.ending);
            answer.note = Some(match stop.ending {
                Ending::Filled => {
                    "the acting policy has filled all places: no more candidates are chosen"
                }
                _ => "the acting policy has ended: no more candidates are chosen",
            });
        }
        _ => {}
    }
    answer.policies = policies(watched, decisions);
    Ok(json(StatusCode::OK, &answer))
}

/// Waits until the round is decided. `None` once the time for an answer is up.
async fn wait(server: &Server, standing: CandidateStanding, whom: WaitFor) -> Option<DecidedRound> {
    let until = Instant::now() + server.limits.decision;
    let mut stop = server.stop.clone();
    tokio::select! {
        biased;
        decided = server.services.watched.decided(standing.round, whom) => Some(decided),
        () = stopped(&mut stop) => None,
        () = sleep_until(until) => None,
    }
}

/// The word for a decision in answers.
fn word(decision: &Decision) -> DecisionWord {
    match (decision.forfeit, decision.chosen.is_empty()) {
        (true, _) => DecisionWord::Forfeit,
        (false, true) if !decision.declined.is_empty() => DecisionWord::Declined,
        (false, true) => DecisionWord::NotSelected,
        (false, false) => DecisionWord::Selected,
    }
}

/// The label of the policy whose decisions count.
fn acting(watched: &Watched, acts: Acts) -> Option<&str> {
    let lane = match acts {
        Acts::TakenOver { lane, .. } => Some(lane),
        _ => watched.acting,
    };
    lane.map(|lane| &*watched.labels[lane])
}

/// The decision of each lane in a round, or its ending if it ended before.
fn policies<'a>(
    watched: &'a Watched,
    decisions: &'a [Arc<LaneDecision>],
) -> BTreeMap<&'a str, PolicyAnswer<'a>> {
    let of = |lane: usize| match decisions.iter().find(|told| told.lane == lane) {
        Some(told) => Some({
            let decision = &told.event.decision;
            let terms = decision.reason.iter();
            PolicyAnswer::Decided {
                cost: decision.cost,
                decision: word(decision),
                p: decision.p,
                reason: terms.map(|(name, value)| (&**name, *value)).collect(),
            }
        }),
        // One that still plays has not decided yet.
        None => {
            let ended = Some(watched.ending_of(lane)?.ending);
            Some(PolicyAnswer::Ended { ended })
        }
    };
    let labels = watched.labels.iter().enumerate();
    labels
        .filter_map(|(lane, label)| Some((&**label, of(lane)?)))
        .collect()
}
