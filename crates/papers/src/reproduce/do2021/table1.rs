//! Table 1, and what is known and what is ours of the instance of Section 6.

use super::instance::CALIBRATED;
use crate::reproduce::prelude::*;
use kleroterion_core::protocol::Law;
use kleroterion_report::report::page::ClaimFinding;

/// A value of an attribute of the instance.
struct AttributeValue {
    attribute: String,
    value: String,
    /// Wanted, rho.
    target: f64,
    /// Among the volunteers, q.
    volunteers: f64,
    /// The readiness to volunteer, relative to the readiest value of the attribute.
    weight: f64,
    /// In the committees of who accepts all, and of CMDP.
    drawn: StudyEstimate,
    chosen: StudyEstimate,
}

pub(super) const STUDY: Study = Study::new(
    "do2021-table1",
    "Table 1 of Do et al. 2021, and the calibrated instance of its experiments",
    &[("do2021-table1", 20), ("committee-brexit-like", 50)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let instance = runs.one("committee-brexit-like")?;
    let values = values(instance)?;
    Ok(StudyFindings {
        statements: vec![
            "Table 1 is the law of the paper's two examples, with ε′ left open; here ε′ = 1/6. The \
             numbers of people and volunteers per group on which the paper's experiments rest are \
             not printed in it.".into(),
            CALIBRATED.into(),
            "In the table of the instance the weights are ours, the shares among volunteers \
             computed from targets and weights (target times weight, scaled to sum to 1), those \
             among the drawn and in CMDP's committees simulated at K = 150.".into(),
        ],
        claims: vec![
            shares_of_types(runs.of("do2021-table1")?)?,
            attributes(instance),
            independence(instance, &values)?,
            StudyClaim::at("Section 6: the data")
                .says(
                    "“We use summary statistics published in the report [Renwick et al., 2017] to \
                     simulate an online recruitment process.”",
                )
                .rule("none: the report's table is not at hand")
                .found(ClaimFinding::CannotBe(
                    "the targets in the table below are public figures or unsourced, the \
                     volunteering weights ours"
                        .into(),
                )),
            lemma_1(&values),
            harsher(instance, &values)?,
        ],
        figures: vec![],
        tables: vec![("The calibrated instance".into(), table(&values))],
    })
}

fn shares_of_types(runs: &[StudyRun]) -> Result<StudyClaim> {
    // Table 1 with eps' = 1/6.
    let printed = [
        (["M", "S"], "1/2 − ε′", 0.5 - 1.0 / 6.0),
        (["M", "J"], "1/4", 0.25),
        (["F", "S"], "1/4", 0.25),
        (["F", "J"], "ε′", 1.0 / 6.0),
    ];
    let mut claim = StudyClaim::at("Table 1")
        .says(
            "“Example candidate distribution p with 2 binary features”: M S 1/2 − ε′, M J 1/4, F S \
             1/4, F J ε′.",
        )
        .rule("each share of the drawn people within 4 s.e. of the printed one at ε′ = 1/6")
        .on(ClaimGround::Definition);
    let mut agreed = Holds::Yes;
    for ([gender, age], text, p) in printed {
        let wants = |run: &&StudyRun| {
            let schema = &run.plan.world.schema;
            let rows = run.plan.target.iter().flat_map(|target| target.rows());
            let mut wanted = rows.map(|(a, shares)| {
                let attribute = &schema.attributes()[*a];
                let value = if attribute.name == "gender" {
                    gender
                } else {
                    age
                };
                attribute.index(value).is_some_and(|at| shares[at] == 1.0)
            });
            wanted.all(|wanted| wanted)
        };
        let run = runs.iter().find(wants);
        let run = run.ok_or_else(|| runs[0].lacks("a type of Table 1"))?;
        let rate = run.mean("this type alone", "selection_rate", None)?;
        agreed &= rate.agrees(p);
        claim
            .measured(format!("{gender} {age} ({text}):"), rate)
            .printed(p);
    }
    Ok(claim.holds(agreed, "the shares differ"))
}

fn attributes(run: &StudyRun) -> StudyClaim {
    let schema = &run.plan.world.schema;
    let printed = [2, 2, 3, 8, 2, 2];
    let ours = schema.attributes().iter().zip(printed);
    let ours = ours.map(|(attribute, printed)| {
        let n = attribute.values.len() as f64;
        Number::computed(format!("{}:", attribute.name), n).against(printed as f64)
    });
    let same = schema.levels() == printed;
    StudyClaim::at("Section 6: the attributes")
        .says(
            "“There are d = 6 features: the organisers expressed target quotas for 2 ethnicity \
             groups, 2 social classes, 3 age groups, 8 regions, 2 gender groups and 2 Brexit vote \
             groups (remain, leave).”",
        )
        .rule(
            "the instance, made after this sentence, has these attributes with as \
             many values",
        )
        .on(ClaimGround::Definition)
        .numbers(ours)
        .holds(same, "the instance is another")
}

fn independence(run: &StudyRun, values: &[AttributeValue]) -> Result<StudyClaim> {
    let product = matches!(run.law()?, Law::Product(_));
    let worst = values.iter().map(|v| off(v.drawn, v.volunteers));
    let worst = worst.fold(0.0, f64::max);
    let agreed = Holds::all(values.iter().map(|v| v.drawn.agrees(v.volunteers)));
    Ok(StudyClaim::at("Section 6: the joint law")
        .says(
            "“Since we only have access to the marginals, we compute the joint distribution as if \
             the features were independent”",
        )
        .rule(
            "the law is made as a product of marginals; the drawn people have \
             each marginal within 4 s.e.",
        )
        .on(ClaimGround::Definition)
        .computed("values of attributes:", values.len() as f64)
        .computed(
            "the farthest share of the drawn people is off by, in s.e.:",
            worst,
        )
        .holds(agreed & product, "the law is another"))
}

fn lemma_1(values: &[AttributeValue]) -> StudyClaim {
    let worst = values.iter().map(|v| off(v.chosen, v.target));
    let worst = worst.fold(0.0, f64::max);
    let agreed = Holds::all(values.iter().map(|v| v.chosen.agrees(v.target)));
    StudyClaim::at("Section 4.1, Lemma 1")
        .says(
            "“if π is feasible for CMDP (1), then: ∀i ∈ [d], ∀j ∈ [Di], P[xⁱ = j | a = 1] = ρⁱj.”",
        )
        .rule("the share of each value in CMDP's committees within 4 s.e. of its target")
        .computed(
            "the farthest share of CMDP's committees is off by, in s.e.:",
            worst,
        )
        .holds(agreed, "a share is off its target")
}

fn harsher(run: &StudyRun, values: &[AttributeValue]) -> Result<StudyClaim> {
    let women = values
        .iter()
        .find(|v| v.attribute == "gender" && v.value == "F");
    let gap = women.ok_or_else(|| run.lacks("women"))?.target;
    // Two gaps, that of the women and that of the men.
    let norms = [
        ("l∞", "representation_loss", gap),
        ("l1", "representation_loss_l1", 2.0 * gap),
        ("l2", "representation_loss_l2", libm::sqrt(2.0) * gap),
    ];
    let mut claim = StudyClaim::at("Section 3.1: why the largest gap")
        .says(
            "“We evaluate how much C matches the target ρ by the ℓ∞ metric, because it is harsher \
             than ℓ1, ℓ2 on committees that are unacceptable in our applications (e.g. committees \
             with no women that achieve perfect representation on all other categories than \
             gender).”",
        )
        .rule(
            "a committee without women and else on target is surely more times as bad as CMDP's of \
             K = 150 by the largest gap than by the gaps in l1 or l2",
        );
    let mut times = Vec::new();
    for (name, metric, without) in norms {
        // How many of CMDP's losses fit into it: above is harsher.
        let usual = run.mean("cmdp", metric, None)?.times(1.0 / without);
        let what = format!("{name}: {without:.3} without women; CMDP's loss over that");
        claim.measured(what, usual);
        times.push(usual);
    }
    let harsher = times[1..]
        .iter()
        .map(|other| times[0].less(*other).below(0.0));
    Ok(claim.holds(Holds::all(harsher), "another norm is harsher"))
}

/// Returns the distance of an estimate from a number in standard errors, to two decimals.
fn off(estimate: StudyEstimate, number: f64) -> f64 {
    let se = estimate.se.filter(|se| *se > 0.0);
    let off = se.map_or(0.0, |se| (estimate.mean - number).abs() / se);
    (off * 100.0).round() / 100.0
}

fn values(run: &StudyRun) -> Result<Vec<AttributeValue>> {
    let schema = &run.plan.world.schema;
    let marginals = run.law()?.marginals(&schema.levels());
    let target = run.plan.target.as_ref();
    let target = target.ok_or_else(|| run.lacks("a target"))?;
    let mut all = Vec::new();
    for (a, shares) in target.rows() {
        let attribute = &schema.attributes()[*a];
        let ratios = marginals[*a].iter().zip(shares).map(|(q, rho)| q / rho);
        let readiest = ratios.fold(0.0, f64::max);
        for ((value, rho), q) in attribute.values.iter().zip(shares).zip(&marginals[*a]) {
            let metric = format!("share.{}:{value}", attribute.name);
            all.push(AttributeValue {
                attribute: attribute.name.clone(),
                value: value.clone(),
                target: *rho,
                volunteers: *q,
                weight: q / rho / readiest,
                drawn: run.mean("accept all", &metric, None)?,
                chosen: run.mean("cmdp", &metric, None)?,
            });
        }
    }
    Ok(all)
}

fn table(values: &[AttributeValue]) -> FigureTable {
    let headers = [
        "attribute: value",
        "target ρ",
        "weight (ours)",
        "among volunteers q",
        "among the drawn",
        "± s.e.",
        "in CMDP's committees",
        "± s.e.",
    ];
    let row = |v: &AttributeValue| {
        let mut row = vec![text(format!("{}: {}", v.attribute, v.value))];
        let weight = (v.weight * 1e9).round() / 1e9;
        row.extend([v.target, weight, v.volunteers].map(Cell::number));
        row.extend([v.drawn, v.chosen].into_iter().flat_map(cells));
        row
    };
    tabulate(headers, values.iter().map(row))
}
