//! Figure 2: looking ahead by s, as the paper prints it, and by theta, against Fair-Greedy.

mod answers;
mod course;
mod courses;
mod way;

use super::fig1a::between;
use super::measures::{ADMITTED, APPLICANTS, LAST, NEAR, POOL, SHORT, after, late_mean, near};
use crate::reproduce::prelude::*;
use answers::PolicyShares;
use way::{AHEAD, Way, start};

pub(super) const PRESET: &str = "puranik2022-fig2";

/// Theta counts as settled where its mean moves by less in as many rounds again.
const SETTLED: f64 = 0.001;

/// The target, as the paper prints it.
const PRINTED: f64 = 0.4;

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig2",
    "Figure 2 of Puranik et al. 2022: looking ahead by s, as printed, and by theta, beside \
     Fair-Greedy",
    &[(PRESET, 100)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let [low, high] = runs.of(PRESET)? else {
        return Err(StudyError::Missing("two starts".into()));
    };
    let starts = [low, high];
    let answers = PolicyShares::of(low)?;
    let target = answers.setting.large.target;
    Ok(StudyFindings {
        statements: vec![
            setting(&answers),
            differ(low, &answers)?,
            rest(&answers),
            answers.reference(),
        ],
        claims: vec![
            convergence(starts)?,
            applicants(starts, target)?,
            admitted(starts, target)?,
            structure(&answers),
            equilibrium(starts, &answers)?,
            horizon(&answers, target)?,
        ],
        figures: vec![
            courses::as_printed(starts, &answers)?,
            courses::side_by_side(starts, &answers)?,
            answers.figure(),
        ],
        tables: vec![
            (
                "Where the pool is led, by policy and start".into(),
                courses::table(starts, &answers)?,
            ),
            ("What is admitted, by state".into(), answers.table()),
        ],
    })
}

fn setting(answers: &PolicyShares) -> String {
    let setting = answers.setting;
    let places = setting.places();
    format!(
        "The paper prints neither N nor the number of rounds; {} applicants a round, {LAST} rounds \
         and Blom's approximation of the order statistics are ours, and so is it that shares which \
         the applicants can't fill are no choice. {places} are admitted, so that actions lie on a \
         grid of 1/{places}. How near counts as “close” is not said either: ours is ±{NEAR}.",
        setting.applicants
    )
}

/// Describes the difference between the two states.
fn differ(run: &StudyRun, answers: &PolicyShares) -> Result<String> {
    let [share, theta] = AHEAD.map(Way::label);
    let apart = |rounds| run.difference([share, theta], POOL, Some(after(rounds)));
    let words = |estimate: StudyEstimate| Number::measured("", estimate).text();
    let [early, late] = [apart(100)?, apart(LAST)?];
    Ok(format!(
        "What is the state decides what is optimal. The paper lets the next s be drawn around s + \
         η (a − s) and looks ahead from s; what moves is θ + η (a − s), with s drawn around θ. \
         Looking ahead from s takes every swing of the applicants for a move of the pool. From θ₀ \
         = {} it has θ higher than looking ahead from θ by{} after 100 rounds and by{} after \
         {LAST} rounds (on the same people).",
        answers.setting.start,
        words(early),
        words(late)
    ))
}

fn rest(answers: &PolicyShares) -> String {
    let fixed = |rest: Option<f64>| rest.map_or("not defined".into(), |s| format!("{s:.4}"));
    let large = answers.setting.large;
    format!(
        "For many applicants the closed forms (not in the paper) let θ come to rest at {} under \
         the optimal policy and at {} under Fair-Greedy: with identical scores the same, for what \
         a larger s adds to the scores of one group it takes from the other's. Looking ahead \
         changes how fast the pool gets there.",
        fixed(large.optimal_fixed_point(answers.gamma, answers.setting.eta)),
        fixed(large.fixed_point())
    )
}

fn convergence(starts: [&StudyRun; 2]) -> Result<StudyClaim> {
    let [low, high] = starts;
    let mut claim = StudyClaim::at("A.4.1, Figure 2: convergence").says(
        "“We see in the figure that beginning the process from different initial states θ₀ = 0.1, \
         0.9, we observe convergence of the applicant pool proportion for group u.”",
    );
    let (mut moves, mut meet) = (Holds::Yes, Holds::Yes);
    for way in AHEAD {
        let label = way.label();
        for run in starts {
            let from = start(run)?;
            let theta = run.mean(label, POOL, Some(after(LAST)))?;
            let gone = theta.minus(from);
            moves &= match from < 0.5 {
                true => gone.above(0.0),
                false => gone.below(0.0),
            };
            let what = format!("{}, θ after {LAST} rounds from {from}:", way.name());
            claim.measured(what, theta);
        }
        let apart = high.beyond(low, label, POOL, Some(after(LAST)))?;
        meet &= near(apart, 0.0);
        let what = format!("{}, from above less from below:", way.name());
        claim.measured(what, apart);
    }
    Ok(claim
        .rule(format!(
            "with either state θ surely rises from .1 and falls from .9, and after {LAST} rounds \
             the two are surely within {NEAR} of each other; in shape without the latter"
        ))
        .judged(moves & meet, moves, "they do not surely meet"))
}

/// Returns a share's level by state and start, and a judgement that each is at the target.
fn levels(
    starts: [&StudyRun; 2],
    target: f64,
    metric: &str,
    sign: &str,
) -> Result<(Vec<Number>, [Holds; 2])> {
    let mut ours = Vec::new();
    let mut there = [Holds::Yes; 2];
    for (way, there) in AHEAD.into_iter().zip(&mut there) {
        for run in starts {
            let level = late_mean(run, way.label(), metric, SHORT)?;
            *there &= near(level, target);
            let what = format!("{}, {sign} from θ₀ = {}:", way.name(), start(run)?);
            ours.push(Number::measured(what, level).against(PRINTED));
        }
    }
    Ok((ours, there))
}

fn applicants(starts: [&StudyRun; 2], target: f64) -> Result<StudyClaim> {
    let (ours, [share, theta]) = levels(starts, target, APPLICANTS, "s")?;
    Ok(StudyClaim::at("A.4.1, Figure 2: who applies")
        .says(
            "“The optimal policy under the evolution model considered has resulted in close to 40% \
             of the applicants belonging to group u, …”",
        )
        .rule(format!(
            "from both starts the mean of s over every tenth round from {SHORT} to {LAST} is \
             surely within {NEAR} of .4, with s for the state (as printed) and with θ; in shape \
             with one of them"
        ))
        .numbers(ours)
        .judged(
            share & theta,
            either(share, theta),
            "it is so with one of the two states",
        ))
}

fn admitted(starts: [&StudyRun; 2], target: f64) -> Result<StudyClaim> {
    let (ours, [share, theta]) = levels(starts, target, ADMITTED, "a")?;
    Ok(StudyClaim::at("A.4.1, Figure 2: who is admitted")
        .says(
            "“… and also approximately the same proportion of the admitted candidates are from \
             group u.”",
        )
        .rule(format!(
            "the same of a; in the long run the means of s and a are one, or θ would move on \
             ({NEAR} as above)"
        ))
        .numbers(ours)
        .judged(
            share & theta,
            either(share, theta),
            "it is so with one of the two states",
        ))
}

fn either(a: Holds, b: Holds) -> Holds {
    match a {
        Holds::Yes => a,
        _ => b,
    }
}

fn structure(answers: &PolicyShares) -> StudyClaim {
    let n = answers.setting.applicants;
    let target = answers.setting.large.target;
    let kept = |a: &dyn Fn(f64) -> f64| {
        let kept = (1..100).map(|s| f64::from(s) / 100.0);
        f64::from(kept.filter(|&s| between(s, a(s), target)).count() as u32)
    };
    let many = [
        kept(&|s| answers.mean_field(s)),
        kept(&|s| answers.setting.large.best_response(s)),
    ];
    let few = [
        kept(&|s| answers.ahead(Way::Share, s, s)),
        kept(&|s| answers.greedy(s)),
    ];
    let all = |kept: [f64; 2]| Holds::from(kept == [99.0, 99.0]);
    let ours = [
        ("optimal, many applicants:".to_owned(), many[0]),
        ("Fair-Greedy, many applicants:".into(), many[1]),
        (format!("optimal by s, N = {n}:"), few[0]),
        (format!("Fair-Greedy, N = {n}:"), few[1]),
    ];
    let ours = ours.map(|(what, kept)| Number::computed(format!("states of 99, {what}"), kept));
    StudyClaim::at("Section 2: the structure of the optimal policy")
        .says(
            "“We observe through simulations that the structure of the optimal policy π*(s) is \
             similar to that of the simpler Fair-Greedy policy proposed next, …”",
        )
        .rule(format!(
            "both follow the structure of Theorem 2.2 (s < a < s̄ where s < s̄, s̄ < a < s where s \
             > s̄, a = s̄ where s = s̄) at every s = .01 … .99, for many applicants and at N = \
             {n}; in shape where only for many applicants"
        ))
        .numbers(ours)
        .judged(
            all(many) & all(few),
            all(many),
            format!(
                "it is so for many applicants; at N = {n} the grid of 1/{} has no action in \
                 between, or rounds off",
                answers.setting.places()
            ),
        )
}

fn equilibrium(starts: [&StudyRun; 2], answers: &PolicyShares) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 2: an equilibrium point")
        .says("“… and that the applicant pool evolution converges to an equilibrium point.”")
        .rule(format!(
            "θ after {LAST} rounds is within 4 s.e. of the mean of its exact law at N by then, and \
             that mean is within {SETTLED} of where it is after {} rounds. Neither is in the paper",
            2 * LAST
        ));
    let mut holds = Holds::Yes;
    for way in AHEAD {
        for run in starts {
            let from = start(run)?;
            let theta = run.mean(way.label(), POOL, Some(after(LAST)))?;
            let [(by_then, _), (later, _)] = [
                answers.carried(way, from, LAST)?,
                answers.carried(way, from, 2 * LAST)?,
            ];
            holds &= theta.agrees(by_then);
            holds &= (later - by_then).abs() < SETTLED;
            claim.measured(format!("{}, θ from {from}:", way.name()), theta);
            claim.computed("its exact mean by then:", by_then);
            claim.computed(format!("after {} rounds:", 2 * LAST), later);
        }
    }
    Ok(claim.holds(holds, "θ is elsewhere"))
}

/// Rounds of the finite horizon: those of the paper's figures.
const ROUNDS: u32 = 300;

fn horizon(answers: &PolicyShares, target: f64) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 2: simple, yet effective")
        .says(
            "“Finding an optimal policy is computationally expensive as the state space grows \
             larger. We therefore propose a simple, yet effective, Fair-Greedy (FG) policy that \
             optimizes the instantaneous overall utility in (1)”",
        )
        .rule(format!(
            "of what the best policy of {ROUNDS} rounds without discount gains in the sum of R over \
             admitting as people apply, Fair-Greedy gains nine tenths, from θ₀ = .1 and from .9; in \
             shape half. All by exact expectation at N"
        ));
    let mut least = f64::INFINITY;
    for from in [0.1, 0.9] {
        let [best, discounted, greedy, plain] = answers.sums(ROUNDS, from)?;
        let part = |sum: f64| (sum - plain) / (best - plain);
        least = least.min(part(greedy));
        claim.computed(format!("from {from}: the best policy gains"), best - plain);
        claim.computed("Fair-Greedy's part of it:", part(greedy));
        let what = format!("that of looking ahead with γ = {}:", answers.gamma);
        claim.computed(what, part(discounted));
    }
    claim.computed("target:", target);
    Ok(claim.judged(
        least >= 0.9,
        least >= 0.5,
        "what it does not foresee costs more",
    ))
}

#[cfg(test)]
mod tests {
    use super::way::ALL;
    use super::*;
    use kleroterion_run::presets::preset;

    /// The preset plays the policies that the study describes.
    #[test]
    fn the_preset_has_three_policies_of_one_greedy_term_and_feasible_shares() {
        let text = preset(PRESET).expect("it comes with the program").text;
        // The report measures all by the same.
        let (policies, report) = text.split_once("[report]").expect("a report");
        assert!(report.contains("lambda = 1.5"));
        let text = policies;
        for what in [
            "[[policy]]",
            "greedy_term = \"blom\"",
            "infeasible = \"feasible\"",
            "lambda = 1.5",
        ] {
            assert_eq!(text.matches(what).count(), 3, "{what}");
        }
        assert!(ALL.iter().all(|way| text.contains(way.label())));
    }
}
