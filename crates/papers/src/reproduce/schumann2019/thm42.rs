//! Theorem 4.2: what strong looks alone cost; and the lemmas behind it and behind Theorem 4.4.

use super::applicants::{delta, first_utilities, members, noise};
use super::lanes::{COST, OPTIMAL, STRONG, SWAP};
use super::steps::{SwapStep, steps};
use crate::reproduce::prelude::*;
use kleroterion_policies::cohort::theory::{cost_bound, hardness, scaled_hardness};
use kleroterion_policies::cohort::{Strong, Tiers};

const PRESET: &str = "schumann2019-thm42";
const PULLS: &str = "pulls";

/// A radius is tried at this share of itself too.
const LESS: f64 = 0.3;

pub(super) const STUDY: Study = Study::new(
    "schumann2019-thm42",
    "Theorem 4.2 of Schumann et al. 2019: what strong interviews alone cost, and the radii of \
     Lemmas C.1 and C.2",
    &[(PRESET, 60)],
    find,
);

/// A gain and a cost of a strong look.
struct Pair<'a> {
    run: &'a StudyRun,
    s: f64,
    j: f64,
    /// Eq. 11 with its constant 499.
    bound: f64,
}

impl Pair<'_> {
    fn name(&self) -> String {
        format!("s = {}, j = {}", self.s, self.j)
    }
}

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let pairs = runs.of(PRESET)?.iter().map(pair);
    let pairs = pairs.collect::<Result<Vec<_>>>()?;
    Ok(StudyFindings {
        statements: vec![
            "The paper gives no instance for these. Ours: n = 10 worth 0, 1/9 … 1, K = 3, σ = 0.2, \
             δ = 0.05. Its theorem says that T is the total cost, and its proof bounds the number of \
             samples, Σ T(a)/s; both are judged. Policies here start with a weak look at each, and \
             their radius has Cost³ for t³j³; the runs of Lemma C.1 are the same ones, their radii \
             those of the lemma."
                .into(),
        ],
        claims: vec![
            optimal(&pairs)?,
            looks(&pairs)?,
            lemma(&pairs, &C1)?,
            lemma(&pairs, &C2)?,
        ],
        figures: vec![],
        tables: vec![("What strong interviews alone cost".into(), table(&pairs)?)],
    })
}

fn pair(run: &StudyRun) -> Result<Pair<'_>> {
    let tiers = Tiers::of(&run.plan.rules.interviews);
    let tiers = tiers.map_err(|_| run.lacks("two kinds of interview"))?;
    let utilities = first_utilities(run)?;
    let scaled = scaled_hardness(noise(run)?, hardness(&utilities, members(run)?));
    let (s, j) = (tiers.s(), tiers.j());
    let bound = cost_bound(utilities.len(), scaled, delta(PRESET)?, (j, s));
    Ok(Pair { run, s, j, bound })
}

fn optimal(pairs: &[Pair<'_>]) -> Result<StudyClaim> {
    let likely = 1.0 - delta(PRESET)?;
    let mut claim = StudyClaim::at("Theorem 4.2: the best cohort")
        .says(
            "“Then, with probability at least 1 − δ, the SWAP algorithm with only strong pulls where \
             j ≥ 1 and s > j returns the optimal set Out = M*”",
        )
        .rule("at each s and j the best cohort is returned in more than 1 − δ of the runs");
    let mut holds = Holds::Yes;
    for pair in pairs {
        let found = pair.run.rate(STRONG, OPTIMAL)?;
        holds &= found.above(likely);
        claim.share(
            format!("{}: share with the best cohort", pair.name()),
            found,
        );
    }
    claim.computed("1 − δ:", likely);
    Ok(claim.holds(holds, "it is returned less often"))
}

fn looks(pairs: &[Pair<'_>]) -> Result<StudyClaim> {
    let delta = delta(PRESET)?;
    let mut claim = StudyClaim::at("Theorem 4.2: the cost has a bound")
        .says(
            "“… and T ≤ O(σ² width(M)² H log(nj³σ²H/δ) / s), where T denotes the total cost used by \
             the SWAP algorithm”",
        )
        .rule(
            "at each s and j, in at most δ of the runs does the cost exceed 499 H̃ log(4nj³H̃/δ)/s + 2n, Eq. 11 of the proof; in \
             shape where the number of looks does not",
        );
    let (mut cost, mut number) = (Holds::Yes, Holds::Yes);
    for pair in pairs {
        let over = |metric: &str| {
            let values = pair.run.values(STRONG, metric, None)?;
            pair.run
                .share(values.into_iter().map(|value| value > pair.bound))
        };
        cost &= over(COST)?.at_most(delta);
        number &= over(PULLS)?.at_most(delta);
        let used = pair.run.mean(STRONG, COST, None)?;
        claim.measured(
            format!("{}: cost over the bound", pair.name()),
            used.times(1.0 / pair.bound),
        );
    }
    Ok(claim.judged(cost, number, "the proof bounds the looks, and each costs j"))
}

/// A lemma on radii: the lane it is about, its words, its radius.
struct Lemma {
    place: &'static str,
    paper: &'static str,
    label: &'static str,
    strong: Strong,
    /// The radius of an applicant, given those of the algorithm.
    radius: fn(&SwapStep, usize, &Radii) -> f64,
}

/// The constants in the formula of the radii.
struct Radii {
    sigma: f64,
    delta: f64,
    j: f64,
}

const C1: Lemma = Lemma {
    place: "Lemma C.1: strong looks alone",
    paper: "“… if the confidence radius rad_t(a) is given by σ√(2 log(4nt³j³/δ)/T_t(a)) … Then \
            Pr[∩ ξ_t] ≥ 1 − δ”, ξ_t: all means are within their radii",
    label: STRONG,
    strong: Strong::Always,
    radius: |step, slot, of| {
        let n = step.means.len() as f64;
        let tj = f64::from(step.looks) * of.j;
        of.sigma * (2.0 * libm::log(4.0 * n * tj * tj * tj / of.delta) / step.weights[slot]).sqrt()
    },
};

const C2: Lemma = Lemma {
    place: "Lemma C.2: strong and weak looks",
    paper: "“… the confidence radius rad_t(a) is given by σ√(2 log(4n Cost_t³/δ)/T_t(a)) … Then \
            Pr[∩ ξ_t] ≥ 1 − δ”, ξ_t: all means are within their radii",
    label: SWAP,
    strong: Strong::Paper,
    radius: |step, slot, _| step.radii[slot],
};

fn lemma(pairs: &[Pair<'_>], lemma: &Lemma) -> Result<StudyClaim> {
    let delta = delta(PRESET)?;
    let mut claim = StudyClaim::at(lemma.place).says(lemma.paper).rule(
        "at each s and j, in at most δ of the runs is a mean outside its radius at any step of the \
         run, played once more",
    );
    let mut holds = Holds::Yes;
    for pair in pairs {
        let utilities = first_utilities(pair.run)?;
        let of = Radii {
            sigma: noise(pair.run)?,
            delta,
            j: pair.j,
        };
        let all = steps(pair.run, PRESET, lemma.label, lemma.strong)?;
        let left = |scale: f64| {
            let out = |step: &SwapStep| {
                (0..utilities.len()).any(|slot| {
                    let gap = (step.means[slot] - utilities[slot]).abs();
                    gap > scale * (lemma.radius)(step, slot, &of)
                })
            };
            pair.run
                .share(all.iter().map(|steps| steps.iter().any(out)))
        };
        let whole = left(1.0)?;
        holds &= whole.at_most(delta);
        claim.share(
            format!("{}: share of runs that leave them", pair.name()),
            whole,
        );
        claim.share(format!("at {LESS} of the radius:"), left(LESS)?);
    }
    claim.computed("δ:", delta);
    Ok(claim.holds(holds, "they are left more often"))
}

fn table(pairs: &[Pair<'_>]) -> Result<FigureTable> {
    let columns = ["cost", "looks", "bound of Eq. 11"].map(str::to_owned);
    let row = |pair: &Pair<'_>| {
        let bound = StudyEstimate {
            mean: pair.bound,
            se: Some(0.0),
            n: pair.run.result.replications,
        };
        let estimates = vec![
            Some(pair.run.mean(STRONG, COST, None)?),
            Some(pair.run.mean(STRONG, PULLS, None)?),
            Some(bound),
        ];
        Ok((text(pair.name()), estimates))
    };
    let rows: Result<Vec<_>> = pairs.iter().map(row).collect();
    Ok(tabulate_estimates("strong look", columns, rows?))
}
