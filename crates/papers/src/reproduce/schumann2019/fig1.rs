//! Figure 1 and its Example: a state of SWAP on three applicants, and the cheapest mix of
//! interviews.

use super::applicants::first_utilities;
use super::lanes::SWAP;
use super::mix::{Mix, MixNeed, needs};
use super::steps::{SwapStep, steps};
use crate::reproduce::prelude::*;
use kleroterion_policies::cohort::Strong;

const PRESET: &str = "schumann2019-fig1";

/// M = {a1, a2} and M~ = {a1, a3}, by slot.
const LEADING: [u32; 2] = [0, 1];
const RIVAL: [u32; 2] = [0, 2];

/// Returns true if a state is the paper's: its M, its M~, and a radius of a3 wider than that of a2.
fn is_figure_1(step: &SwapStep) -> bool {
    step.leading == LEADING && step.rival == RIVAL && step.radii[2] > step.radii[1]
}

/// Returns true if no interval overlaps with that of a1, so that only the other applicants are
/// undecided.
fn is_clear(step: &SwapStep) -> bool {
    (1..step.means.len()).all(|slot| step.high(slot) < step.low(0))
}

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig1",
    "Figure 1 of Schumann et al. 2019: a state of SWAP on three applicants, and the Example beside \
     it",
    &[("schumann2019-fig1", 100)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let steps = steps(run, PRESET, SWAP, Strong::Paper)?;
    let mut all = steps.iter().flatten();
    let shown = all.find(|step| is_figure_1(step) && is_clear(step));
    let shown = shown.ok_or_else(|| run.lacks("the state of Figure 1"))?;
    let utilities = first_utilities(run)?;
    Ok(StudyFindings {
        statements: vec![format!(
            "The paper's three applicants have no numbers. In ours u = {}, σ = 0.05, δ = 0.05, s = \
             5, j = 2. The state shown is the first of our runs in which M, M̃ and the wider \
             radius are those of the figure and the interval of a1 is clear of the others, after \
             {} looks; it was found by playing the runs once more, step by step, and not made up.",
            listed(&utilities),
            shown.looks
        )],
        claims: vec![
            widest(&steps),
            overlap(&steps),
            cheap_strong(),
            printed(),
            inverted(),
        ],
        figures: vec![figure(shown, &utilities)],
        tables: vec![("The state of the figure".into(), table(shown, &utilities))],
    })
}

/// Formats numbers for a sentence.
fn listed(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// Returns the number of steps of a kind in all runs, and the number of those for which `holds` is
/// true.
fn counted(
    steps: &[Vec<SwapStep>],
    of: impl Fn(&SwapStep) -> bool,
    holds: impl Fn(&SwapStep) -> bool,
) -> [f64; 2] {
    let some: Vec<&SwapStep> = steps.iter().flatten().filter(|step| of(step)).collect();
    let held = some.iter().filter(|step| holds(step)).count();
    [some.len(), held].map(|count| count as f64)
}

fn widest(all: &[Vec<SwapStep>]) -> StudyClaim {
    let [such, next] = counted(all, is_figure_1, |step| step.next == Some(2));
    StudyClaim::at("Section 4, Example and Figure 1: whom to look at")
        .says(
            "“In this case M = {a1, a2} and M̃ = {a1, a3}. Arm a3, therefore, is the arm in the \
             symmetric difference {a2, a3} with the highest uncertainty, which therefore needs to \
             be pulled.”",
        )
        .rule(
            "at every step of every run with these M and M̃ and a wider radius of a3 than of a2, \
             SWAP looks at a3, as its line 16 says",
        )
        .on(ClaimGround::Definition)
        .computed("such steps:", such)
        .computed("of them it looks at a3 at:", next)
        .holds(such > 0.0 && next == such, "at some it does not")
}

/// Returns true if the interval of a member of M overlaps with that of an applicant outside.
fn overlaps(step: &SwapStep) -> bool {
    let (members, others): (Vec<usize>, Vec<usize>) =
        (0..step.means.len()).partition(|slot| step.leads(*slot));
    let above = |&member: &usize| {
        others
            .iter()
            .all(|&other| step.high(other) <= step.low(member))
    };
    !members.iter().all(above)
}

fn overlap(all: &[Vec<SwapStep>]) -> StudyClaim {
    let on = |step: &SwapStep| step.next.is_some();
    let [steps, same] = counted(all, |_| true, |step| overlaps(step) == on(step));
    StudyClaim::at("Figure 1: overlapping intervals")
        .says("“Here, rad_t(a2) and rad_t(a3) overlap; SWAP may pull a3.”")
        .rule(
            "at every step of every run SWAP looks on exactly where the interval û ± rad of a \
             member of M overlaps with that of an applicant outside",
        )
        .computed("steps:", steps)
        .computed("of them it is so at:", same)
        .holds(same == steps, "at some it is not")
}

/// Returns the number of needs for which `holds` is true.
fn count(needs: &[MixNeed], holds: impl Fn(&MixNeed) -> bool) -> f64 {
    needs.iter().filter(|need| holds(need)).count() as f64
}

fn cheap_strong() -> StudyClaim {
    let needs: Vec<MixNeed> = needs(|y, z| y >= 1 && z == 1).collect();
    let best = count(&needs, |need| {
        need.is_cheapest(Mix::strong_alone(need)) && (need.y > 1 || need.cheapest() == need.x)
    });
    StudyClaim::at("Section 4, Example: strong looks at the price of weak ones")
        .says(
            "“When j = 1 and s = 1, the best pulling strategy would be to weak pull a3 for x \
             times. When j = 1 and s = y where y > 1, the best pulling strategy would be to strong \
             pull a3 for ceil(x/y) times.”",
        )
        .rule(
            "of all mixes of strong and weak looks that give x none is cheaper: for x up to 60, y \
             up to 12 by trying all",
        )
        .computed("combinations of x and y:", needs.len() as f64)
        .computed("of them none is cheaper in:", best)
        .holds(best == needs.len() as f64, "in some a mix is cheaper")
}

/// The paper's words on y > z > 1.
const DEAR: &str = "“Finally when j = z and s = y where y > z > 1, the best pulling strategy would \
                    be to strong pull a3 for floor(x/y) + 1[z − (x mod y)] times and weak pull a3 \
                    for 1[z − (x mod y)] ∗ (x mod y) times, where 1[a] = 1 when a ≥ 0 and 0 \
                    otherwise.”";

fn printed() -> StudyClaim {
    let needs: Vec<MixNeed> = needs(|y, z| y > z && z > 1).collect();
    let enough = count(&needs, |need| need.is_met(Mix::printed(need)));
    let best = count(&needs, |need| need.is_cheapest(Mix::printed(need)));
    StudyClaim::at("Section 4, Example: dearer strong looks, as printed")
        .says(DEAR)
        .rule(
            "the mix gives x, and no other that does is cheaper: for x up to 60, 1 < z < y up to \
             12 by trying all",
        )
        .computed("combinations of x, y and z:", needs.len() as f64)
        .computed("of them the mix gives x in:", enough)
        .computed("it does and none is cheaper in:", best)
        .holds(
            best == needs.len() as f64,
            "a slip: where z ≥ x mod y it has a strong look too many, and otherwise it falls short \
             of x by x mod y",
        )
}

fn inverted() -> StudyClaim {
    let needs: Vec<MixNeed> = needs(|y, z| y > z && z > 1).collect();
    let best = count(&needs, |need| need.is_cheapest(Mix::inverted(need)));
    StudyClaim::at(
        "Section 4, Example: dearer strong looks, the strong looks' indicator turned round",
    )
    .says(DEAR)
    .rule(
        "with floor(x/y) + 1 − 1[z − (x mod y)] strong looks and the weak ones as printed, the \
             mix gives x and none is cheaper: on the same combinations",
    )
    .computed("combinations of x, y and z:", needs.len() as f64)
    .computed("it does and none is cheaper in:", best)
    .holds(best == needs.len() as f64, "in some a mix is cheaper")
}

/// Returns the role of an applicant: in which of the two cohorts it is.
fn role(step: &SwapStep, slot: u32) -> &'static str {
    match (step.leads(slot as usize), step.rival.contains(&slot)) {
        (true, true) => "in M and in M̃",
        (true, false) => "in M alone",
        (false, true) => "in M̃ alone",
        (false, false) => "in neither",
    }
}

fn figure(step: &SwapStep, utilities: &[f64]) -> Figure {
    let slots = 0..step.means.len() as u32;
    let names = slots.clone().map(|slot| format!("a{}", slot + 1));
    let mut series: Vec<Series> = slots
        .map(|slot| {
            let at = slot as usize;
            let point = FigurePoint::new(f64::from(slot), step.means[at]);
            let point = point.y_from(step.low(at), step.high(at));
            let next = match step.next == Some(slot) {
                true => ", looked at next",
                false => "",
            };
            let name = format!("{}{next}", role(step, slot));
            Series::new(name, SeriesKind::Scatter, [point])
        })
        .collect();
    let truth = (0..).zip(utilities);
    let truth = truth.map(|(slot, u)| FigurePoint::new(f64::from(slot), *u));
    // Under the estimates.
    series.insert(0, Series::new("true utility u", SeriesKind::Scatter, truth));
    Figure {
        title: "Figure 1 of Schumann et al. 2019".into(),
        caption: format!(
            "A state of SWAP on three applicants (ours: u = {}), of whom two are to be chosen, \
             after {} looks: the estimates û and their radii of confidence. One run.",
            listed(utilities),
            step.looks
        ),
        panels: vec![plot(
            "",
            Axis::names("applicant", names),
            Axis::linear("utility: estimate û and its radius"),
            series,
        )],
    }
}

fn table(step: &SwapStep, utilities: &[f64]) -> FigureTable {
    let headers = [
        "applicant",
        "u",
        "û",
        "rad",
        "ũ",
        "cohorts",
        "looked at next",
    ];
    let row = |slot: u32| {
        let at = slot as usize;
        let at_worst = match step.leads(at) {
            true => step.low(at),
            false => step.high(at),
        };
        let next = if step.next == Some(slot) { "yes" } else { "no" };
        vec![
            text(format!("a{}", slot + 1)),
            Cell::number(utilities[at]),
            Cell::number(step.means[at]),
            Cell::number(step.radii[at]),
            Cell::number(at_worst),
            text(role(step, slot)),
            text(next),
        ]
    };
    tabulate(headers, (0..step.means.len() as u32).map(row))
}
