//! Claims: a sentence of a paper, our numbers on it, and the rule that judges them.

use super::estimate::StudyEstimate;
use super::ground::ClaimGround;
use super::holds::Holds;
use super::number::Number;
use super::share::StudyShare;
use kleroterion_report::report::page::ClaimFinding;

/// A sentence of a paper, with our numbers and the verdict on it.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyClaim {
    /// The place in the paper, and the topic in a few words.
    pub place: String,
    /// The sentence, in the paper's words.
    pub paper: String,
    /// Our numbers on the sentence.
    pub ours: Vec<Number>,
    /// The rule that reached the verdict.
    pub rule: String,
    /// The ground on which the sentence was judged.
    pub ground: ClaimGround,
    /// The verdict.
    pub finding: ClaimFinding,
}

impl StudyClaim {
    /// Returns our numbers in words.
    #[must_use]
    pub fn ours(&self) -> String {
        let numbers: Vec<String> = self.ours.iter().map(Number::text).collect();
        numbers.join("; ")
    }

    /// Returns the claim on this ground, if it has none of its own, with its finding limited by the
    /// ground.
    pub(super) fn grounded_else(self, ground: ClaimGround) -> Self {
        match self.ground {
            ClaimGround::Open => Self {
                ground,
                finding: ground.allows(self.finding),
                ..self
            },
            _ => self,
        }
    }

    /// Starts the draft of a claim, at a place of the paper.
    pub(super) fn at(place: impl Into<String>) -> ClaimDraft {
        ClaimDraft {
            place: place.into(),
            ..ClaimDraft::default()
        }
    }
}

/// A claim without its verdict.
#[derive(Default)]
pub(super) struct ClaimDraft {
    place: String,
    paper: String,
    ours: Vec<Number>,
    rule: String,
    ground: ClaimGround,
}

impl ClaimDraft {
    /// Adds the paper's words to the draft.
    pub(super) fn says(mut self, paper: impl Into<String>) -> Self {
        self.paper = paper.into();
        self
    }

    /// Adds the rule that judges the draft.
    pub(super) fn rule(mut self, rule: impl Into<String>) -> Self {
        self.rule = rule.into();
        self
    }

    /// Sets the ground on which the draft is judged.
    pub(super) fn on(mut self, ground: ClaimGround) -> Self {
        self.ground = ground;
        self
    }

    /// Adds numbers.
    pub(super) fn numbers(&mut self, numbers: impl IntoIterator<Item = Number>) -> &mut Self {
        self.ours.extend(numbers);
        self
    }

    /// Adds a number that was simulated.
    pub(super) fn measured(
        &mut self,
        what: impl Into<String>,
        estimate: StudyEstimate,
    ) -> &mut Self {
        self.numbers([Number::measured(what, estimate)])
    }

    /// Adds a share of replications, or of instances.
    pub(super) fn share(&mut self, what: impl Into<String>, share: StudyShare) -> &mut Self {
        self.numbers([Number::share(what, share)])
    }

    /// Adds a number that was computed.
    pub(super) fn computed(&mut self, what: impl Into<String>, value: f64) -> &mut Self {
        self.numbers([Number::computed(what, value)])
    }

    /// Adds the p-value of a test on `n` values.
    pub(super) fn tested(&mut self, what: impl Into<String>, p: f64, n: u64) -> &mut Self {
        self.numbers([Number::tested(what, p, n)])
    }

    /// Adds a number from a file of people, with its standard error.
    pub(super) fn recorded(
        &mut self,
        what: impl Into<String>,
        estimate: StudyEstimate,
    ) -> &mut Self {
        self.numbers([Number::recorded(what, estimate)])
    }

    /// Adds a number that was counted, or measured, among `n` people of a file.
    pub(super) fn counted(&mut self, what: impl Into<String>, value: f64, n: u64) -> &mut Self {
        self.numbers([Number::counted(what, value, n)])
    }

    /// Adds the paper's printed number to the number last added.
    pub(super) fn printed(&mut self, paper: f64) -> &mut Self {
        if let Some(last) = self.ours.last_mut() {
            last.paper = Some(paper);
        }
        self
    }

    /// Completes the claim: reproduced if `holds`, in shape if `in_shape`. `why` describes the
    /// difference.
    pub(super) fn judged(
        &mut self,
        holds: impl Into<Holds>,
        in_shape: impl Into<Holds>,
        why: impl Into<String>,
    ) -> StudyClaim {
        self.found(holds.into().verdict(in_shape, why))
    }

    /// Completes the claim: reproduced if `holds`, else not reproduced. `why` describes the
    /// difference.
    pub(super) fn holds(&mut self, holds: impl Into<Holds>, why: impl Into<String>) -> StudyClaim {
        self.judged(holds, Holds::No, why)
    }

    /// Completes the claim with a finding, limited by its ground.
    pub(super) fn found(&mut self, finding: ClaimFinding) -> StudyClaim {
        let Self {
            place,
            paper,
            ours,
            rule,
            ground,
        } = std::mem::take(self);
        let claim = StudyClaim {
            place,
            paper,
            ours,
            rule,
            ground: ClaimGround::Open,
            finding,
        };
        claim.grounded_else(ground)
    }
}
