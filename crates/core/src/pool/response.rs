//! Responses of a pool to admissions: the built-in ones, and those of a program's own.

use std::fmt;
use std::sync::Arc;

use super::PoolRound;
use crate::draw::Draw;

/// The response of a pool to the gap x = a - s between a group's share of the admitted and of the
/// applicants.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// No response: the shares stay.
    None,
    /// The gap x itself (Eq. 3).
    Share,
    /// x, with the share among the best-scored floor(rho A) of the admitted (at least one; ties by
    /// slot) in the place of a.
    RoleModel {
        /// The share of the admitted that applicants look up to, in (0, 1].
        rho: f64,
    },
    /// sign(x) |x|^beta.
    Order {
        /// The order, above 0.
        beta: f64,
    },
    /// w x, with a weight per group.
    Weighted(Vec<f64>),
    /// A response of a program's own. Theory foretells nothing of its pool.
    Own(OwnResponse),
}

impl Response {
    /// Makes the response of a program's own.
    #[must_use]
    pub fn own(response: Arc<dyn PoolResponse>) -> Self {
        Self::Own(OwnResponse(response))
    }

    /// The muster of a program's own, if it has one.
    pub(super) fn muster(
        &self,
        shares: &[f64],
        round: &PoolRound<'_>,
        draw: &mut Draw,
    ) -> Option<Vec<u32>> {
        match self {
            Self::Own(own) => own.0.muster(shares, round, draw),
            _ => None,
        }
    }

    /// The response to each group's gap, before it is scaled by eta.
    pub(super) fn to(&self, gaps: &PoolGaps<'_>) -> Vec<f64> {
        let weights = match self {
            Self::Own(own) => {
                let moves = own.0.moves(gaps);
                assert_eq!(moves.len(), gaps.shares.len(), "one move for each group");
                return moves;
            }
            Self::Weighted(weights) => &weights[..],
            _ => &[],
        };
        let of_gap = |(group, x): (usize, f64)| match self {
            Self::None => 0.0,
            Self::Order { beta } => libm::pow(x.abs(), *beta).copysign(x),
            Self::Weighted(_) => weights[group] * x,
            Self::Share | Self::RoleModel { .. } | Self::Own(_) => x,
        };
        gaps.all().enumerate().map(of_gap).collect()
    }
}

/// A response of a program's own, shared by the lanes of a run.
#[derive(Clone)]
pub struct OwnResponse(Arc<dyn PoolResponse>);

impl fmt::Debug for OwnResponse {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("OwnResponse")
    }
}

/// Two are the same if they are one.
impl PartialEq for OwnResponse {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The shares that a pool responds to, each with an entry per group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolGaps<'a> {
    /// The round that was played, from 1.
    pub round: u64,
    /// theta: the share of each group in the pool.
    pub shares: &'a [f64],
    /// s: the share of each group among the applicants.
    pub applicants: &'a [f64],
    /// a: the share of each group among the admitted, or the shares that the policy declared.
    pub admitted: &'a [f64],
}

impl PoolGaps<'_> {
    /// x = a - s of each group.
    pub fn all(&self) -> impl Iterator<Item = f64> {
        self.applicants
            .iter()
            .zip(self.admitted)
            .map(|(s, a)| a - s)
    }
}

/// A response of a program's own to a round's admissions, and how it musters who applies. Both are
/// pure functions: all lanes and replications share them.
pub trait PoolResponse: Send + Sync {
    /// Returns the move of each group's share, before it is scaled by eta. The shares are then
    /// clipped to \[0, 1\] and divided by their sum.
    fn moves(&self, gaps: &PoolGaps<'_>) -> Vec<f64>;

    /// Returns the positions in the roster of those who apply, by slot: as many as the roster has
    /// people for each group. `shares` are those of the groups now. `None`, as by default, has each
    /// group's number drawn by its share.
    fn muster(&self, shares: &[f64], round: &PoolRound<'_>, draw: &mut Draw) -> Option<Vec<u32>> {
        let _ = (shares, round, draw);
        None
    }
}

impl<F: Fn(&PoolGaps<'_>) -> Vec<f64> + Send + Sync> PoolResponse for F {
    fn moves(&self, gaps: &PoolGaps<'_>) -> Vec<f64> {
        self(gaps)
    }
}
