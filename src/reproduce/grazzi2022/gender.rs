//! The gender experiment: one woman and one man a round, on the respondents of the 2018 American Community Survey.

use super::super::Findings;
use super::super::claim::{Told, agrees, verdict};
use super::{
    Claim, FAIR, FAIR_REGRET, GREEDY, KNOWS_CDFS, KNOWS_MU, Number, OFUL, ORACLE, Played, Runs,
    STANDARD, SUBLINEAR, Spread, StudyError, UNIFORM, claim, courses, groups, name, notes, regrets,
    selected, slow, standard,
};
use crate::report::figure::{Axis, Figure, Panel};

/// Where growth is measured.
const WINDOW: [u64; 2] = [1000, 5000];

/// The last round.
const T: u64 = 5000;

pub(super) fn find(runs: &Runs) -> Result<Findings, StudyError> {
    let run = runs.one("grazzi2022-gender")?;
    let all = [FAIR, OFUL, GREEDY, UNIFORM, ORACLE, KNOWS_MU, KNOWS_CDFS];
    Ok(Findings {
        statements: vec![
            format!(
                "The people are real, but not the paper's: respondents of the 2018 American Community Survey of a public excerpt \
                 (NIST's), one of each gender a round. Section 6 announces the experiment; Appendix D, which tells it, is not in the \
                 text at hand. So K = 2, T = 5,000, λ and OFUL's coefficient are those of the released code, and what is judged is what \
                 the paper says of all its experiments. There the income itself is heard; here its linear estimate, without noise. {}",
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

fn oracles(run: &Played) -> Result<String, StudyError> {
    let mut words = Vec::new();
    for label in [KNOWS_MU, KNOWS_CDFS, FAIR] {
        let regret = run.mean(label, FAIR_REGRET, Some(T))?;
        words.push(Number::measured(name(label), regret).text());
    }
    let gap = run.difference([KNOWS_MU, KNOWS_CDFS], FAIR_REGRET, Some(T))?;
    Ok(format!(
        "The two oracles of Appendix E.1, which the paper compares on ethnicity, stand beside: fair regret at {T}, {}; {}. Without noise \
         μ* is soon known to everyone.",
        words.join(", "),
        Number::measured("the first less the second", gap).text()
    ))
}

fn parity(run: &Played) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    let mut even = Told::Yes;
    for label in [FAIR, ORACLE, UNIFORM, OFUL, GREEDY] {
        for (group, share) in groups(run)?.iter().zip(selected(run, label)?) {
            if [FAIR, ORACLE, UNIFORM].contains(&label) {
                even = even.and(agrees(share, 0.5));
            }
            let what = format!("{}, {group}:", name(label));
            ours.push(Number::measured(what, share));
        }
    }
    Ok(claim(
        "Remark 4.1: demographic parity",
        "“… at any number of rounds T, the Fair-Greedy policy selects in expectation T/K candidates from every group … This also holds \
         for the GMF policy and the one selecting arms uniformly at random.”",
        "the shares of Fair-greedy, the fair oracle and Uniform Random at 5,000 are within 4 s.e. of 1/2",
        ours,
        verdict(even, Told::No, "a share is off 1/2"),
    ))
}

fn figure(run: &Played) -> Result<Figure, StudyError> {
    let panel = |title: &str, metric: &str, lanes: &[&str]| {
        Ok::<Panel, StudyError>(Panel {
            title: title.into(),
            x: Axis::linear("# of rounds"),
            y: Axis::linear("summed over the rounds"),
            series: courses(run, lanes, metric, Spread::Deviation)?,
            marks: vec![],
        })
    };
    let figure = [UNIFORM, OFUL, FAIR, GREEDY];
    Ok(Figure {
        title: "The gender experiment of Grazzi et al. 2022, on other people".into(),
        caption: format!(
            "Respondents of the 2018 American Community Survey (not the paper's extract), one woman and one man a round, no noise. \
             Right: Fair-greedy beside the oracles of Appendix E.1. Mean of {} runs and ± one standard deviation.",
            run.result.replications
        ),
        panels: vec![
            panel("standard pseudo-regret", STANDARD, &figure)?,
            panel("fair pseudo-regret", FAIR_REGRET, &figure)?,
            panel(
                "fair pseudo-regret, oracles",
                FAIR_REGRET,
                &[FAIR, KNOWS_MU, KNOWS_CDFS],
            )?,
        ],
    })
}
