//! Claims on decisions, so that a repeated request gets the same answer.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use kleroterion_core::lock::locked;
use tokio::sync::watch;

use crate::limits::MOST_CLAIMS;

/// The place of a candidate in the journal and in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CandidateStanding {
    /// The number in the journal, from 1.
    pub(super) seq: u64,
    /// The round in which it is decided, from 1.
    pub(super) round: u64,
}

/// A receiver of a candidate's place, once it is known. It gets none if its sender was dropped.
type StandingReceiver = watch::Receiver<Option<CandidateStanding>>;

/// A request for a candidate's decision.
#[derive(Debug)]
pub(super) enum DecisionClaim {
    /// The first request for the candidate, which passes the place on to the others.
    First(watch::Sender<Option<CandidateStanding>>),
    /// A later request.
    Again(StandingReceiver),
}

/// The latest claims, by candidate.
#[derive(Debug, Default)]
pub(super) struct DecisionClaims(Mutex<KeptClaims>);

#[derive(Debug, Default)]
struct KeptClaims {
    claims: HashMap<Box<str>, StandingReceiver>,
    order: VecDeque<Box<str>>,
}

impl DecisionClaims {
    /// Makes a claim and delivers the candidate in one step, so that the first to claim is the
    /// first taken. If `hand_in` fails there is no claim.
    pub(super) fn claim<T, E>(
        &self,
        id: &str,
        hand_in: impl FnOnce() -> Result<T, E>,
    ) -> Result<(DecisionClaim, T), E> {
        let mut kept = locked(&self.0);
        let handed = hand_in()?;
        if let Some(told) = kept.claims.get(id) {
            let lost = told.borrow().is_none() && told.has_changed().is_err();
            if !lost {
                return Ok((DecisionClaim::Again(told.clone()), handed));
            }
        }
        let (first, told) = watch::channel(None);
        if kept.claims.insert(id.into(), told).is_none() {
            kept.order.push_back(id.into());
        }
        if kept.order.len() > MOST_CLAIMS
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.claims.remove(&oldest);
        }
        Ok((DecisionClaim::First(first), handed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(claims: &DecisionClaims, id: &str) -> DecisionClaim {
        claims.claim(id, || Ok::<_, ()>(())).unwrap().0
    }

    #[test]
    fn the_first_tells_the_others_unless_it_is_gone() {
        let claims = DecisionClaims::default();
        let DecisionClaim::First(first) = claim(&claims, "a") else {
            panic!("nobody was before");
        };
        let DecisionClaim::Again(again) = claim(&claims, "a") else {
            panic!("somebody was");
        };
        let standing = CandidateStanding { seq: 3, round: 2 };
        first.send_replace(Some(standing));
        drop(first);
        assert_eq!(*again.borrow(), Some(standing));
        assert!(matches!(claim(&claims, "a"), DecisionClaim::Again(_)));

        drop(claim(&claims, "b"));
        assert!(matches!(claim(&claims, "b"), DecisionClaim::First(_)));
        assert!(claims.claim("c", || Err::<(), _>(())).is_err());
        assert!(matches!(claim(&claims, "c"), DecisionClaim::First(_)));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let claims = DecisionClaims::default();
        let standing = Some(CandidateStanding { seq: 1, round: 1 });
        for n in 0..=MOST_CLAIMS {
            if let DecisionClaim::First(first) = claim(&claims, &n.to_string()) {
                first.send_replace(standing);
            }
        }
        assert!(matches!(claim(&claims, "1"), DecisionClaim::Again(_)));
        assert!(matches!(claim(&claims, "0"), DecisionClaim::First(_)));
        assert!(claims.0.lock().unwrap().claims.len() <= MOST_CLAIMS);
    }
}
