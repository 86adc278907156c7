//! Table 1: scores by a predictor with and without the sensitive attribute, as printed and from the
//! files, and where the pool comes to rest with the printed ones.

use super::limits::{PoolLimit, grid, table};
use super::measures::{LAST, POOL, after, lambda};
use super::people::{ERRORS, FIT};
use super::setting::StudyPool;
use super::unaware::{CLEARLY, SLIGHTLY, Unaware};
use super::{fig1f, fig4};
use crate::reproduce::prelude::*;
use kleroterion_policies::pool::{ScoreLaw, density};

/// Without race, without gender.
pub(super) const LAW: &str = "puranik2022-table1-law";
pub(super) const GERMAN: &str = "puranik2022-table1-german";

/// The paper's sentences on the law school and on German credit.
const SLIGHT: &str = "“For the law school dataset, we observe that the score distributions are not \
                      very different, although the difference between the means of minority and \
                      majority groups has decreased slightly when the sensitive attribute is \
                      dropped during the learning.”";
const CLEAR: &str = "“For the German credit dataset, the distributions are significantly closer \
                     when the sensitive attribute is omitted, and there is a clear drop in the \
                     difference between the group means.”";

pub(super) const STUDY: Study = Study::new(
    "puranik2022-table1",
    "Table 1 of Puranik et al. 2022: scores with and without the sensitive attribute, and the pool \
     of either",
    &[
        (fig1f::PRESET, 40),
        (LAW, 40),
        (fig4::PRESET, 40),
        (GERMAN, 40),
    ],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let law = FitPair::of(runs, [fig1f::PRESET, LAW], "law school", "race")?;
    let german = FitPair::of(runs, [fig4::PRESET, GERMAN], "German credit", "gender")?;
    let pairs = [&law, &german];
    let rests = pairs.map(|pair| {
        Ok((
            format!(
                "Where θ comes to rest: {} without {}",
                pair.data, pair.attribute
            ),
            table(&PoolLimit::all(std::slice::from_ref(pair.without))?),
        ))
    });
    let rests: Result<Vec<_>> = rests.into_iter().collect();
    let mut tables = vec![("The scores, as printed".into(), scores(&pairs))];
    let files = [Unaware::law(runs.data())?, Unaware::german(runs.data())?];
    tables.extend(
        files
            .iter()
            .filter_map(|file| Some((file.caption(), file.table()?))),
    );
    tables.extend(rests?);
    let [law_file, german_file] = &files;
    let mut statements = vec![
        "Where a sentence is not said to be judged from the file, the parameters are those that \
         the paper prints: what is said of the means checks the paper's words against its own \
         table. What the pool makes of either fit is played, on the same people; it is not in the \
         paper. That a drop is slight where at most a tenth of the difference goes, and clear \
         where at least half does, is our reading."
            .into(),
        grid(&law.setting(law.with)?),
    ];
    let scorings: Vec<String> = files.iter().filter_map(Unaware::statement).collect();
    statements
        .extend((!scorings.is_empty()).then(|| format!("{} {FIT} {ERRORS}", scorings.join(" "))));
    Ok(StudyFindings {
        statements,
        claims: vec![
            law.drops(
                "A.4.2, Table 1: law school, as printed",
                SLIGHT,
                |drop| drop > 0.0 && drop <= SLIGHTLY,
                &format!("more than 0 and at most {SLIGHTLY}"),
            )?,
            german.drops(
                "A.4.2, Table 1: German credit, as printed",
                CLEAR,
                |drop| drop >= CLEARLY,
                &format!("at least {CLEARLY}"),
            )?,
            law_file.rows()?,
            law_file.slightly(SLIGHT),
            german_file.rows()?,
            german_file.clearly(CLEAR),
        ],
        figures: vec![figure(&pairs)],
        tables,
    })
}

/// A data set: the runs with scores of a predictor with the attribute, and of one without.
struct FitPair<'a> {
    data: &'static str,
    attribute: &'static str,
    with: &'a StudyRun,
    without: &'a StudyRun,
    laws: [[ScoreLaw; 2]; 2],
}

impl<'a> FitPair<'a> {
    fn of(
        runs: &'a StudyRuns,
        [with, without]: [&str; 2],
        data: &'static str,
        attribute: &'static str,
    ) -> Result<Self> {
        let (with, without) = (runs.one(with)?, runs.one(without)?);
        let laws = |run: &StudyRun| {
            let large = first(run)?.large;
            Ok::<_, StudyError>([large.u, large.v])
        };
        Ok(Self {
            data,
            attribute,
            with,
            without,
            laws: [laws(with)?, laws(without)?],
        })
    }

    fn setting(&self, run: &StudyRun) -> Result<StudyPool> {
        first(run)
    }

    /// Makes the claim that the difference between the means drops as the paper says. The pool must
    /// also come nearer to the target for it, at every weight that is played.
    fn drops(
        &self,
        place: &str,
        paper: &str,
        as_said: impl Fn(f64) -> bool,
        words: &str,
    ) -> Result<StudyClaim> {
        let [with, without] = self.laws.map(|[u, v]| v.mean - u.mean);
        let drop = 1.0 - without / with;
        let attribute = self.attribute;
        let mut claim = StudyClaim::at(place).says(paper).rule(format!(
            "the part of the difference between the printed means that goes is {words}, and at \
             each λ that is played θ, below the target with either fit, surely ends higher without \
             {attribute}; in shape without the latter"
        ));
        claim
            .computed(format!("difference of the means with {attribute}:"), with)
            .computed(format!("without {attribute}:"), without)
            .computed("part of it that goes:", drop);
        let mut nearer = Holds::Yes;
        for (label, setting) in StudyPool::all(self.without)? {
            let more = self
                .without
                .beyond(self.with, label, POOL, Some(after(LAST)))?;
            nearer &= more.above(0.0);
            let name = lambda(setting.large.lambda);
            claim.measured(
                format!("θ after {LAST} rounds without less with, {name}:"),
                more,
            );
        }
        let said = Holds::from(as_said(drop));
        Ok(claim.judged(
            said & nearer,
            said,
            "so it is, but the pool does not surely end higher",
        ))
    }
}

/// Returns the setting with the least weight.
fn first(run: &StudyRun) -> Result<StudyPool> {
    let lane = StudyPool::all(run)?.into_iter().next();
    lane.map(|(_, setting)| setting)
        .ok_or_else(|| run.lacks("a policy"))
}

fn scores(pairs: &[&FitPair<'_>]) -> FigureTable {
    let headers = ["", "attribute", "μ_u", "μ_v", "σ²_u", "σ²_v", "μ_v − μ_u"];
    let rows = pairs.iter().flat_map(|pair| {
        let laws = ["included", "excluded"].into_iter().zip(pair.laws);
        laws.map(|(word, [u, v])| {
            let numbers = [u.mean, v.mean, u.sd * u.sd, v.sd * v.sd, v.mean - u.mean];
            let mut row = vec![text(pair.data), text(format!("{} {word}", pair.attribute))];
            // Two digits are printed; products of roots have more.
            row.extend(numbers.map(|x| Cell::number((x * 1e4).round() / 1e4)));
            row
        })
    });
    tabulate(headers, rows)
}

fn figure(pairs: &[&FitPair<'_>]) -> Figure {
    let curve = |law: ScoreLaw| {
        const STEPS: i32 = 80;
        (-STEPS..=STEPS).map(move |n| {
            let z = 3.5 * f64::from(n) / f64::from(STEPS);
            FigurePoint::new(law.mean + law.sd * z, density(z) / law.sd)
        })
    };
    let panel = |pair: &&FitPair<'_>| {
        let laws = ["included", "excluded"].into_iter().zip(pair.laws);
        let series = laws.flat_map(|(word, [u, v])| {
            [("u", u), ("v", v)].map(|(group, law)| {
                Series::new(
                    format!("{group}, attribute {word}"),
                    SeriesKind::Line,
                    curve(law),
                )
            })
        });
        plot(
            pair.data,
            Axis::linear("score"),
            Axis::linear("density"),
            series,
        )
    };
    Figure {
        title: "Table 1 of Puranik et al. 2022, drawn".into(),
        caption: "The Gaussians of the scores of a predictor with and without the sensitive \
                  attribute, as printed."
            .into(),
        panels: pairs.iter().map(panel).collect(),
    }
}
