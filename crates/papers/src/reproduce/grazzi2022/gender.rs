//! The gender experiment: one woman and one man a round, on the respondents of the 2018 American
//! Community Survey.

use super::courses::{both, regret};
use super::lanes::{
    FAIR, FAIR_REGRET, GREEDY, KNOWS_CDFS, KNOWS_MU, OFUL, ORACLE, PEOPLE, SUBLINEAR, UNIFORM,
    groups, name, notes, selected,
};
use super::regrets::{regrets, slow, standard};
use crate::reproduce::prelude::*;

/// The rounds between which growth is measured.
const WINDOW: [u64; 2] = [1000, 5000];

/// The last round.
const T: u64 = 5000;

pub(super) const STUDY: Study = Study::new(
    "grazzi2022-gender",
    "The gender experiment of Grazzi et al. 2022 on other people: one woman and one man a round",
    &[("grazzi2022-gender", 4)],
    find,
)
.needs(PEOPLE)
.on(ClaimGround::OtherPeople);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one("grazzi2022-gender")?;
    let all = [FAIR, OFUL, GREEDY, UNIFORM, ORACLE, KNOWS_MU, KNOWS_CDFS];
    Ok(StudyFindings {
        statements: vec![
            format!(
                "The people are real, but not the paper's: respondents of the 2018 American \
                 Community Survey of a public excerpt (NIST's), one of each gender a round. \
                 Section 6 announces the experiment; Appendix D, which tells it, is not in the \
                 text at hand. So K = 2, T = 5,000, λ and OFUL's coefficient are those of the \
                 released code, and what is judged is what the paper says of all its experiments. \
                 There the income itself is heard; here its linear estimate, without noise. {}",
                notes(run)
            ),
            oracles(run)?,
        ],
        claims: vec![
            slow(run, SUBLINEAR, WINDOW)?,
            standard(
                run,
                "Section 6, said of the simulation: standard regret",
                WINDOW,
            )?,
            parity(run)?,
        ],
        figures: vec![figure(run)?],
        tables: vec![(
            "Fair and standard regret, gender".into(),
            regrets(run, &all, WINDOW)?,
        )],
    })
}

fn oracles(run: &StudyRun) -> Result<String> {
    let mut words = Vec::new();
    for label in [KNOWS_MU, KNOWS_CDFS, FAIR] {
        let regret = run.mean(label, FAIR_REGRET, Some(T))?;
        words.push(Number::measured(name(label), regret).text());
    }
    let gap = run.difference([KNOWS_MU, KNOWS_CDFS], FAIR_REGRET, Some(T))?;
    Ok(format!(
        "The two oracles of Appendix E.1, which the paper compares on ethnicity, stand beside: \
         fair regret at {T}, {}; {}. Without noise μ* is soon known to everyone.",
        words.join(", "),
        Number::measured("the first less the second", gap).text()
    ))
}

fn parity(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Remark 4.1: demographic parity")
        .says(
            "“… at any number of rounds T, the Fair-Greedy policy selects in expectation T/K \
             candidates from every group … This also holds for the GMF policy and the one \
             selecting arms uniformly at random.”",
        )
        .rule(
            "the shares of Fair-greedy, the fair oracle and Uniform Random at 5,000 are within 4 \
             s.e. of 1/2",
        );
    let mut even = Holds::Yes;
    for label in [FAIR, ORACLE, UNIFORM, OFUL, GREEDY] {
        for (group, share) in groups(run)?.iter().zip(selected(run, label)?) {
            if [FAIR, ORACLE, UNIFORM].contains(&label) {
                even &= share.agrees(0.5);
            }
            claim.measured(format!("{}, {group}:", name(label)), share);
        }
    }
    Ok(claim.holds(even, "a share is off 1/2"))
}

fn figure(run: &StudyRun) -> Result<Figure> {
    let lanes = [UNIFORM, OFUL, FAIR, GREEDY];
    let [fair, standard] = both(run, &lanes)?;
    let oracles = [FAIR, KNOWS_MU, KNOWS_CDFS];
    let oracles = regret(run, "fair pseudo-regret, oracles", FAIR_REGRET, &oracles)?;
    Ok(Figure {
        title: "The gender experiment of Grazzi et al. 2022, on other people".into(),
        caption: format!(
            "Respondents of the 2018 American Community Survey (not the paper's extract), one \
             woman and one man a round, no noise. Right: Fair-greedy beside the oracles of \
             Appendix E.1. Mean of {} runs and ± one standard deviation.",
            run.result.replications
        ),
        panels: vec![standard, fair, oracles],
    })
}
