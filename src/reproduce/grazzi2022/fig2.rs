//! Figure 2 and Section 7, the US census by ethnicity, on the respondents of the 2018 American Community Survey.

use super::super::Findings;
use super::super::claim::{Told, above, below, inside, verdict};
use super::{
    Claim, Estimate, FAIR, FAIR_REGRET, GREEDY, KNOWS_CDFS, KNOWS_MU, Number, OFUL, ORACLE, Played,
    Runs, STANDARD, SUBLINEAR, Spread, StudyError, UNIFORM, claim, courses, groups, name, notes,
    regrets, selected, slow,
};
use crate::report::figure::{At, Axis, Figure, Kind, Mark, Panel, Series};

/// Where growth is measured.
const WINDOW: [u64; 2] = [500, 2500];

/// The candidates of a round.
const K: f64 = 10.0;

/// The groups of which OFUL and Greedy are said to select less: G2, G3, G5 and G6.
const LESS: [usize; 4] = [1, 2, 4, 5];

pub(super) fn find(runs: &Runs) -> Result<Findings, StudyError> {
    let run = runs.one("grazzi2022-acs")?;
    let all = [FAIR, OFUL, GREEDY, UNIFORM, ORACLE, KNOWS_MU, KNOWS_CDFS];
    Ok(Findings {
        statements: vec![
            format!(
                "The people are real, but not the paper's: respondents of the 2018 American Community Survey of a public excerpt \
                 (NIST's); the paper draws from the whole survey by way of folktables, with d = 41. So its sentences are judged on \
                 people like theirs, not on theirs; for those who have the paper's extract there is the preset grazzi2022-census. {}",
                notes(run)
            ),
            format!(
                "Groups are taken in the order of the survey's codes: {}. That G1 to G6 are in this order is assumed. True ranks are by \
                 the CDF of all people of a group (the paper: 5,000 drawn of each); λ, OFUL's coefficient and the noise are those of the \
                 released code. The paper averages 10 runs, this one {}.",
                order(run)?,
                run.result.replications
            ),
        ],
        claims: vec![
            best(run)?,
            slow(run, SUBLINEAR, WINDOW)?,
            conservative(run)?,
            alike(run)?,
            smaller(run)?,
            knowing(run)?,
        ],
        figures: vec![figure(run)?, oracles(run)?],
        tables: vec![(
            "Fair and standard regret on the American Community Survey".into(),
            regrets(run, &all, WINDOW)?,
        )],
    })
}

fn order(run: &Played) -> Result<String, StudyError> {
    let groups = groups(run)?.iter().zip(1..);
    let named: Vec<String> = groups.map(|(group, at)| format!("G{at} {group}")).collect();
    Ok(named.join(", "))
}

fn best(run: &Played) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    let mut least = Told::Yes;
    for label in [OFUL, GREEDY, UNIFORM] {
        let gap = run.difference([FAIR, label], FAIR_REGRET, Some(2500))?;
        least = least.and(below(gap, 0.0));
        ours.push(Number::measured(
            format!("fair regret less that of {}:", name(label)),
            gap,
        ));
    }
    let gap = run.difference([FAIR, UNIFORM], STANDARD, Some(2500))?;
    ours.push(Number::measured(
        "standard regret less that of Uniform Random:",
        gap,
    ));
    Ok(claim(
        "Section 7: the census",
        "“Similarly to the synthetic experiment in Sec. 6, the Fair-greedy policy achieves the best fair pseudo-regret and standard \
         regret better than Uniform Random.”",
        "Fair-greedy's fair regret at 2,500 is below that of each other policy of the figure, its standard regret below that of Uniform \
         Random; in shape without the latter",
        ours,
        verdict(
            least.and(below(gap, 0.0)),
            least,
            "its standard regret is not surely better",
        ),
    ))
}

fn conservative(run: &Played) -> Result<Claim, StudyError> {
    let standard = run.difference([GREEDY, OFUL], STANDARD, Some(2500))?;
    let fair = run.difference([GREEDY, OFUL], FAIR_REGRET, Some(2500))?;
    Ok(claim(
        "Section 7: Greedy and OFUL",
        "“Note that Greedy outperforms OFUL, which is too conservative in this scenario.”",
        "Greedy's standard regret at 2,500, and its fair regret, are below OFUL's; in shape where the standard regret is",
        vec![
            Number::measured("standard regret, Greedy less OFUL:", standard),
            Number::measured("fair regret, Greedy less OFUL:", fair),
        ],
        verdict(
            below(standard, 0.0).and(below(fair, 0.0)),
            below(standard, 0.0),
            "in standard regret, not surely in fair regret",
        ),
    ))
}

/// How often a policy chooses whom it receives of each group, as numbers.
fn shares(run: &Played, label: &str) -> Result<Vec<(Number, Estimate)>, StudyError> {
    let shares = groups(run)?.iter().zip(selected(run, label)?).zip(1..);
    let number = |((group, share), at): ((&String, Estimate), u32)| {
        let what = format!("{}, G{at} {group}:", name(label));
        (Number::measured(what, share), share)
    };
    Ok(shares.map(number).collect())
}

fn alike(run: &Played) -> Result<Claim, StudyError> {
    let all = [shares(run, FAIR)?, shares(run, UNIFORM)?].concat();
    let (ours, shares): (Vec<Number>, Vec<Estimate>) = all.into_iter().unzip();
    let within = |part: f64| {
        let each = shares.iter();
        Told::all(each.map(|share| inside(share.times(K), 1.0 - part, 1.0 + part)))
    };
    Ok(claim(
        "Section 7, Fig. 2: Fair-greedy and the groups",
        "“Furthermore, the Fair Greedy policy selects approximately the same percentage of candidates from each group, similarly to \
         Uniform Random …”",
        "both select of each group within a fifth of 1/K = 10 %; in shape within a half",
        ours,
        verdict(within(0.2), within(0.5), "not surely within a fifth"),
    ))
}

fn smaller(run: &Played) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    let (mut less, mut order) = (Told::Yes, Told::Yes);
    for label in [OFUL, GREEDY] {
        let shares = shares(run, label)?;
        for (at, (number, share)) in shares.into_iter().enumerate() {
            let told = match LESS.contains(&at) {
                true => below(share.times(K), 1.0),
                false => above(share.times(K), 1.0),
            };
            if LESS.contains(&at) {
                less = less.and(told);
            }
            order = order.and(told);
            ours.push(number);
        }
    }
    Ok(claim(
        "Section 7, Fig. 2: OFUL, Greedy and the groups",
        "“… while OFUL and Greedy select smaller percentages from G2, G3, G5 and G6.”",
        "both select less than 1/K = 10 % of each of these groups and more of the other two; in shape without the latter",
        ours,
        verdict(order, less, "not surely more of the other two"),
    ))
}

fn knowing(run: &Played) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    for label in [KNOWS_MU, KNOWS_CDFS, FAIR] {
        let regret = run.mean(label, FAIR_REGRET, Some(2500))?;
        ours.push(Number::measured(
            format!("fair regret, {}:", name(label)),
            regret,
        ));
    }
    let gap = run.difference([KNOWS_MU, KNOWS_CDFS], FAIR_REGRET, Some(2500))?;
    ours.push(Number::measured(
        "oracle of μ less oracle of the CDFs:",
        gap,
    ));
    let learner = run.difference([KNOWS_CDFS, FAIR], FAIR_REGRET, Some(2500))?;
    ours.push(Number::measured(
        "oracle of the CDFs less Fair-greedy:",
        learner,
    ));
    let more = below(gap, 0.0);
    Ok(claim(
        "Section 7, Appendix E.1: what is worth knowing",
        "“… a comparison with two oracle fair policies which shows that knowing μ* plays a more important role than knowing the true \
         reward CDFs of each group.”",
        "the oracle of μ gives away less than that of the CDFs, and both less than Fair-greedy; in shape without the latter",
        ours,
        verdict(
            more.and(below(learner, 0.0)),
            more,
            "so it is, but Fair-greedy is not surely worse than both",
        ),
    ))
}

fn figure(run: &Played) -> Result<Figure, StudyError> {
    let lanes = [UNIFORM, OFUL, FAIR, GREEDY];
    let bars = |label: &&str| {
        let shares = selected(run, label)?.into_iter().enumerate();
        let points =
            shares.map(|(at, share)| Spread::Deviation.around(at as f64, share.times(100.0)));
        Ok(Series::new(name(label), Kind::Bars, points))
    };
    let bars: Result<Vec<Series>, StudyError> = lanes.iter().map(bars).collect();
    let panel = |title: &str, metric: &str| {
        Ok::<Panel, StudyError>(Panel {
            title: title.into(),
            x: Axis::linear("# of rounds"),
            y: Axis::linear("summed over the rounds"),
            series: courses(run, &lanes, metric, Spread::Deviation)?,
            marks: vec![],
        })
    };
    Ok(Figure {
        title: "Figure 2 of Grazzi et al. 2022, on other people".into(),
        caption: format!(
            "Respondents of the 2018 American Community Survey (not the paper's extract), ten a round, groups by ethnicity. Left: of \
             those received of a group, how many were selected by round 2,500; the line is 1/K. Mean of {} runs and ± one standard \
             deviation.",
            run.result.replications
        ),
        panels: vec![
            Panel {
                title: "selected of those received".into(),
                x: Axis::names("group", groups(run)?.iter().map(String::as_str)),
                y: Axis::linear("selected of received").unit("%"),
                series: bars?,
                marks: vec![Mark {
                    at: At::Y(100.0 / K),
                    label: String::new(),
                }],
            },
            panel("fair pseudo-regret", FAIR_REGRET)?,
            panel("standard pseudo-regret", STANDARD)?,
        ],
    })
}

fn oracles(run: &Played) -> Result<Figure, StudyError> {
    let panel = |title: &str, metric: &str| {
        let lanes = [OFUL, FAIR, GREEDY, KNOWS_MU, KNOWS_CDFS];
        Ok::<Panel, StudyError>(Panel {
            title: title.into(),
            x: Axis::linear("# of rounds"),
            y: Axis::linear("summed over the rounds"),
            series: courses(run, &lanes, metric, Spread::Deviation)?,
            marks: vec![],
        })
    };
    Ok(Figure {
        title: "The same without Uniform Random, with the oracles of Appendix E.1".into(),
        caption: format!(
            "Respondents of the 2018 American Community Survey (not the paper's extract), ten a round, groups by ethnicity. Mean of {} \
             runs and ± one standard deviation.",
            run.result.replications
        ),
        panels: vec![
            panel("fair pseudo-regret", FAIR_REGRET)?,
            panel("standard pseudo-regret", STANDARD)?,
        ],
    })
}
