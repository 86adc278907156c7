//! The answers of policies.

/// The answer of a policy that is asked to act.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Buys interviews. `act` is called again with the answers on file.
    Interview(Pulls),
    /// Chooses candidates, perhaps none. This ends the round.
    Select(Selection),
    /// Gives up, because no candidate who can still come would be chosen. The round ends without a
    /// choice, and the lane as `stalled`.
    Stall,
}

impl Move {
    /// Chooses no one.
    #[inline]
    #[must_use]
    pub fn pass() -> Self {
        Self::Select(Selection::of(Chosen::None))
    }

    /// Chooses one slot.
    #[inline]
    #[must_use]
    pub fn take(slot: u32) -> Self {
        Self::Select(Selection::of(Chosen::One(slot)))
    }

    /// Chooses these slots.
    #[must_use]
    pub fn take_all(slots: Vec<u32>) -> Self {
        Self::Select(Selection::of(Chosen::Many(slots)))
    }

    /// Chooses slot 0 or no one: the decision on a slate of one.
    #[inline]
    #[must_use]
    pub fn decide(accept: bool) -> Self {
        Self::Select(Selection::of(if accept {
            Chosen::One(0)
        } else {
            Chosen::None
        }))
    }
}

/// An interview to buy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    /// The slot of the candidate to interview.
    pub slot: u32,
    /// The kind of interview: an index into the rules' interviews.
    pub kind: usize,
}

/// The interviews of one move, served in order until one does not fit the budget or the cap. One
/// interview takes no heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pulls {
    /// One interview.
    One(Pull),
    /// Several interviews; an empty list is a foul.
    Many(Vec<Pull>),
}

impl Pulls {
    /// The interviews, in order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Pull] {
        match self {
            Self::One(pull) => std::slice::from_ref(pull),
            Self::Many(pulls) => pulls,
        }
    }
}

/// The chosen slots, in any order. None and one take no heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// No slot.
    None,
    /// One slot.
    One(u32),
    /// These slots.
    Many(Vec<u32>),
}

impl Chosen {
    /// The slots as chosen.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::One(slot) => std::slice::from_ref(slot),
            Self::Many(slots) => slots,
        }
    }
}

/// A choice, its propensity and the shares declared for it.
///
/// `p` is the propensity of the choice as a whole, given all that the policy knew when it chose:
/// the round so far (interviews and their answers, whoever drew whom to interview), earlier rounds,
/// and what it had drawn before (a noisy estimate, say). Of several chosen it is the probability of
/// just these and no others, not that of any one of them; where no one is chosen, that of choosing
/// no one. Where two choices were possible there is a `p`; where one was there is none, which reads
/// as 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The candidates chosen.
    pub chosen: Chosen,
    /// The propensity: the probability of this choice, above 0 and at most 1, if it was random.
    pub p: Option<f64>,
    /// The nominal share of each group among the chosen, if it differs from the head-count.
    pub declared: Option<Box<[f64]>>,
}

impl Selection {
    /// Makes a choice that was not random.
    #[inline]
    #[must_use]
    pub fn of(chosen: Chosen) -> Self {
        Self {
            chosen,
            p: None,
            declared: None,
        }
    }

    /// Sets the probability `p` of the choice.
    #[inline]
    #[must_use]
    pub fn with_probability(mut self, p: f64) -> Self {
        self.p = Some(p);
        self
    }
}
