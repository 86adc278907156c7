//! Figure 2 and Section 7, the US census by ethnicity, on the respondents of the 2018 American
//! Community Survey.

use super::courses::both;
use super::lanes::{
    FAIR, FAIR_REGRET, GREEDY, KNOWS_CDFS, KNOWS_MU, OFUL, ORACLE, PEOPLE, STANDARD, SUBLINEAR,
    UNIFORM, groups, name, notes, selected,
};
use super::regrets::{regrets, slow};
use crate::reproduce::prelude::*;

/// The rounds between which growth is measured.
const WINDOW: [u64; 2] = [500, 2500];

/// The candidates of a round.
const K: f64 = 10.0;

/// The groups of which OFUL and Greedy are said to select less: G2, G3, G5 and G6.
const LESS: [usize; 4] = [1, 2, 4, 5];

pub(super) const STUDY: Study = Study::new(
    "grazzi2022-fig2",
    "Figure 2 of Grazzi et al. 2022 on other people: ethnicity in the American Community Survey \
     (Section 7)",
    &[("grazzi2022-acs", 4)],
    find,
)
.needs(PEOPLE)
.on(ClaimGround::OtherPeople);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one("grazzi2022-acs")?;
    let all = [FAIR, OFUL, GREEDY, UNIFORM, ORACLE, KNOWS_MU, KNOWS_CDFS];
    Ok(StudyFindings {
        statements: vec![
            format!(
                "The people are real, but not the paper's: respondents of the 2018 American \
                 Community Survey of a public excerpt (NIST's); the paper draws from the whole \
                 survey by way of folktables, with d = 41. So its sentences are judged on people \
                 like theirs, not on theirs; for those who have the paper's extract there is the \
                 preset grazzi2022-census. {}",
                notes(run)
            ),
            format!(
                "Groups are taken in the order of the survey's codes: {}. That G1 to G6 are in \
                 this order is assumed. True ranks are by the CDF of all people of a group (the \
                 paper: 5,000 drawn of each); λ, OFUL's coefficient and the noise are those of the \
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

fn order(run: &StudyRun) -> Result<String> {
    let groups = groups(run)?.iter().zip(1..);
    let named: Vec<String> = groups.map(|(group, at)| format!("G{at} {group}")).collect();
    Ok(named.join(", "))
}

fn best(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 7: the census")
        .says(
            "“Similarly to the synthetic experiment in Sec. 6, the Fair-greedy policy achieves the \
             best fair pseudo-regret and standard regret better than Uniform Random.”",
        )
        .rule(
            "Fair-greedy's fair regret at 2,500 is below that of each other policy of the figure, \
             its standard regret below that of Uniform Random; in shape without the latter",
        );
    let mut least = Holds::Yes;
    for label in [OFUL, GREEDY, UNIFORM] {
        let gap = run.difference([FAIR, label], FAIR_REGRET, Some(2500))?;
        least &= gap.below(0.0);
        claim.measured(format!("fair regret less that of {}:", name(label)), gap);
    }
    let gap = run.difference([FAIR, UNIFORM], STANDARD, Some(2500))?;
    claim.measured("standard regret less that of Uniform Random:", gap);
    Ok(claim.judged(
        least & gap.below(0.0),
        least,
        "its standard regret is not surely better",
    ))
}

fn conservative(run: &StudyRun) -> Result<StudyClaim> {
    let standard = run.difference([GREEDY, OFUL], STANDARD, Some(2500))?;
    let fair = run.difference([GREEDY, OFUL], FAIR_REGRET, Some(2500))?;
    Ok(StudyClaim::at("Section 7: Greedy and OFUL")
        .says("“Note that Greedy outperforms OFUL, which is too conservative in this scenario.”")
        .rule(
            "Greedy's standard regret at 2,500, and its fair regret, are below OFUL's; in shape \
             where the standard regret is",
        )
        .measured("standard regret, Greedy less OFUL:", standard)
        .measured("fair regret, Greedy less OFUL:", fair)
        .judged(
            standard.below(0.0) & fair.below(0.0),
            standard.below(0.0),
            "in standard regret, not surely in fair regret",
        ))
}

/// Returns the share of each group's candidates that a policy chooses, as numbers.
fn shares(run: &StudyRun, label: &str) -> Result<Vec<(Number, StudyEstimate)>> {
    let shares = groups(run)?.iter().zip(selected(run, label)?).zip(1..);
    let number = |((group, share), at): ((&String, StudyEstimate), u32)| {
        let what = format!("{}, G{at} {group}:", name(label));
        (Number::measured(what, share), share)
    };
    Ok(shares.map(number).collect())
}

fn alike(run: &StudyRun) -> Result<StudyClaim> {
    let all = [shares(run, FAIR)?, shares(run, UNIFORM)?].concat();
    let (ours, shares): (Vec<Number>, Vec<StudyEstimate>) = all.into_iter().unzip();
    let within = |part: f64| {
        let each = shares.iter();
        Holds::all(each.map(|share| share.times(K).inside(1.0 - part, 1.0 + part)))
    };
    Ok(
        StudyClaim::at("Section 7, Fig. 2: Fair-greedy and the groups")
            .says(
                "“Furthermore, the Fair Greedy policy selects approximately the same percentage of \
             candidates from each group, similarly to Uniform Random …”",
            )
            .rule("both select of each group within a fifth of 1/K = 10 %; in shape within a half")
            .numbers(ours)
            .judged(within(0.2), within(0.5), "not surely within a fifth"),
    )
}

fn smaller(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 7, Fig. 2: OFUL, Greedy and the groups")
        .says("“… while OFUL and Greedy select smaller percentages from G2, G3, G5 and G6.”")
        .rule(
            "both select less than 1/K = 10 % of each of these groups and more of the other two; \
             in shape without the latter",
        );
    let (mut less, mut order) = (Holds::Yes, Holds::Yes);
    for label in [OFUL, GREEDY] {
        let shares = shares(run, label)?;
        for (at, (number, share)) in shares.into_iter().enumerate() {
            let holds = match LESS.contains(&at) {
                true => share.times(K).below(1.0),
                false => share.times(K).above(1.0),
            };
            if LESS.contains(&at) {
                less &= holds;
            }
            order &= holds;
            claim.numbers([number]);
        }
    }
    Ok(claim.judged(order, less, "not surely more of the other two"))
}

fn knowing(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 7, Appendix E.1: what is worth knowing")
        .says(
            "“… a comparison with two oracle fair policies which shows that knowing μ* plays a \
             more important role than knowing the true reward CDFs of each group.”",
        )
        .rule(
            "the oracle of μ gives away less than that of the CDFs, and both less than \
             Fair-greedy; in shape without the latter",
        );
    for label in [KNOWS_MU, KNOWS_CDFS, FAIR] {
        let regret = run.mean(label, FAIR_REGRET, Some(2500))?;
        claim.measured(format!("fair regret, {}:", name(label)), regret);
    }
    let gap = run.difference([KNOWS_MU, KNOWS_CDFS], FAIR_REGRET, Some(2500))?;
    claim.measured("oracle of μ less oracle of the CDFs:", gap);
    let learner = run.difference([KNOWS_CDFS, FAIR], FAIR_REGRET, Some(2500))?;
    claim.measured("oracle of the CDFs less Fair-greedy:", learner);
    let more = gap.below(0.0);
    Ok(claim.judged(
        more & learner.below(0.0),
        more,
        "so it is, but Fair-greedy is not surely worse than both",
    ))
}

fn figure(run: &StudyRun) -> Result<Figure> {
    let lanes = [UNIFORM, OFUL, FAIR, GREEDY];
    let bars = |label: &&str| {
        let shares = (0..).zip(selected(run, label)?);
        let points =
            shares.map(|(at, share)| Spread::Deviation.around(f64::from(at), share.times(100.0)));
        Ok(Series::new(name(label), SeriesKind::Bars, points))
    };
    let bars: Result<Vec<Series>> = lanes.iter().map(bars).collect();
    let shares = Panel {
        marks: vec![level(100.0 / K, "")],
        ..plot(
            "selected of those received",
            Axis::names("group", groups(run)?.iter().map(String::as_str)),
            Axis::linear("selected of received").unit("%"),
            bars?,
        )
    };
    let [fair, standard] = both(run, &lanes)?;
    Ok(Figure {
        title: "Figure 2 of Grazzi et al. 2022, on other people".into(),
        caption: format!(
            "Respondents of the 2018 American Community Survey (not the paper's extract), ten a \
             round, groups by ethnicity. Left: of those received of a group, how many were \
             selected by round 2,500; the line is 1/K. Mean of {} runs and ± one standard \
             deviation.",
            run.result.replications
        ),
        panels: vec![shares, fair, standard],
    })
}

fn oracles(run: &StudyRun) -> Result<Figure> {
    Ok(Figure {
        title: "The same without Uniform Random, with the oracles of Appendix E.1".into(),
        caption: format!(
            "Respondents of the 2018 American Community Survey (not the paper's extract), ten a \
             round, groups by ethnicity. Mean of {} runs and ± one standard deviation.",
            run.result.replications
        ),
        panels: both(run, &[OFUL, FAIR, GREEDY, KNOWS_MU, KNOWS_CDFS])?.into(),
    })
}
