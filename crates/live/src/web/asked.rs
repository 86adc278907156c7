//! A candidate for whom a decision is requested: delivered, or found if the candidate came before.

use std::borrow::Cow;

use axum::http::StatusCode;

use super::answer::HttpRefusal;
use super::claims::{CandidateStanding, DecisionClaim};
use super::handover::{deliver, open, received};
use super::intake::refuse;
use super::parsed::{Parsed, RecordKind};
use super::state::Server;
use crate::watch::{Acts, Watched};
use kleroterion_io::feed::{Item, Taken};

/// Delivers a candidate. Returns the candidate's place in the journal and the stream, and whether
/// the candidate came before.
pub(super) async fn ask(
    server: &Server,
    mut parsed: Parsed,
) -> Result<(CandidateStanding, bool), HttpRefusal> {
    let id = match &*parsed.items {
        [Item::Candidate(candidate)] if parsed.left_out == 0 => candidate.id.clone(),
        _ => return Err(not_one(server, parsed).await),
    };
    let door = open(server, RecordKind::Candidate)?;
    let items = std::mem::take(&mut parsed.items);
    let (claim, receipt) = server.claims.claim(&id, || deliver(server, door, items))?;
    let receipt = received(server, RecordKind::Candidate, receipt).await?;
    let taken = receipt.taken.first();
    match (claim, taken) {
        (
            claim,
            Some(&Taken::Accepted {
                seq,
                person: Some(person),
            }),
        ) => Ok((found(claim, seq, person), false)),
        (DecisionClaim::Again(mut first), Some(Taken::Duplicate)) => {
            let standing = first.wait_for(Option::is_some).await.ok();
            let standing = standing.and_then(|standing| *standing);
            standing.map(|standing| (standing, true)).ok_or_else(known)
        }
        // As after a restart: the claims are forgotten, the journal knows.
        (claim, Some(&Taken::Known { seq, person })) => Ok((found(claim, seq, person), true)),
        (_, taken) => Err(not_taken(taken, &server.services.watched)),
    }
}

/// The place of a person. It is passed on to other requests for the same candidate.
fn found(claim: DecisionClaim, seq: u64, person: u64) -> CandidateStanding {
    let round = person + 1;
    let standing = CandidateStanding { seq, round };
    if let DecisionClaim::First(first) = claim {
        first.send_replace(Some(standing));
    }
    standing
}

/// The refusal of a body that is not one candidate whom the run takes.
async fn not_one(server: &Server, parsed: Parsed) -> HttpRefusal {
    match &*parsed.items {
        [Item::Refused(_)] if parsed.left_out == 0 => {
            refuse(server, RecordKind::Candidate, parsed).await
        }
        [] if parsed.left_out == 1 => {
            server.services.watched.gauges.left_out.add(1);
            let error = "the run leaves this candidate out";
            unprocessable(error, "`where` of the source says whom")
        }
        [] if parsed.left_out == 0 => unprocessable(
            "there is no candidate in the body",
            "send the one to be decided about",
        ),
        _ => {
            let error = "there is more than one candidate in the body";
            let help = "nothing of it was taken: ask for one at a time; /v1/candidates takes many";
            unprocessable(error, help)
        }
    }
}

/// The refusal if the recorder took no candidate.
fn not_taken(taken: Option<&Taken>, watched: &Watched) -> HttpRefusal {
    match taken {
        Some(Taken::Duplicate) => known(),
        Some(Taken::Over) | None if is_broken(watched) => undecided(watched),
        Some(Taken::Over) | None => HttpRefusal::over(),
        Some(Taken::Misnamed(naming)) => {
            let help = "nothing of it was taken, but for the note of it in bad.ndjson";
            unprocessable(naming.refusal(), help)
        }
        Some(differs @ Taken::Differs(_)) => {
            let why = differs.why_not().unwrap_or_default();
            let help = "nothing of it was taken, but for the note of it in bad.ndjson, \
                        and what came before holds: a new person needs an `id` of its own";
            HttpRefusal::new(StatusCode::CONFLICT, why, help)
        }
        _ => unprocessable(
            "the run could not take the candidate",
            "bad.ndjson in the run's folder says why",
        ),
    }
}

fn unprocessable(error: impl Into<Cow<'static, str>>, help: &'static str) -> HttpRefusal {
    HttpRefusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, help)
}

/// Returns true if the acting policy has broken off and no other policy decides.
pub(super) fn is_broken(watched: &Watched) -> bool {
    matches!(watched.acts(), Acts::Broken { .. })
}

/// Answers 503: the acting policy has ended.
pub(super) fn undecided(watched: &Watched) -> HttpRefusal {
    let news = watched.acting_news().unwrap_or_default();
    let status = StatusCode::SERVICE_UNAVAILABLE;
    HttpRefusal::new(status, news, watched.acting_remedy())
}

/// Answers 409: the candidate came before, and the decision is no longer kept here.
pub(super) fn known() -> HttpRefusal {
    let error = "a candidate of this id came before, and its decision is kept no more";
    let help = "once the run has ended `klero trace DIR --candidate ID` shows it, \
                where the run was begun with --trace decisions; where it was not, \
                `klero replay DIR --trace decisions --out OTHER` first, \
                and then `klero trace OTHER --candidate ID`";
    HttpRefusal::new(StatusCode::CONFLICT, error, help)
}
