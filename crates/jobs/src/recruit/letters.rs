//! The letters of a plan, in words and as JSON.

use kleroterion_core::problem::Problems;
use kleroterion_report::report::grouped;
use kleroterion_run::config::{LetterPopulation, Plan, Recruitment};
use kleroterion_sortition::feasibility::Bound;
use kleroterion_sortition::letters::{LettersPlan, LettersSettings, Needed, RecruitmentWait, plan};
use serde_json::{Value, json};

use crate::error::JobError;

/// The share of the simulations below which waits are summed up.
const FEW: f64 = 0.01;

/// The number of letters to send, and the inputs of its computation.
pub(crate) struct Letters {
    found: LettersPlan,
    population: LetterPopulation,
    sure: f64,
    simulations: u32,
    minimums: Vec<Vec<u32>>,
}

impl Letters {
    /// Computes the letters of a recruitment. `sure` is the probability from the command line, if
    /// given.
    pub(crate) fn of(
        run: &Plan,
        of: &Recruitment,
        sure: Option<f64>,
        simulations: u32,
    ) -> Result<Self, JobError> {
        let sure = sure.unwrap_or(of.sure);
        let settings = LettersSettings {
            seed: run.seed,
            simulations,
            sure,
        };
        let found = plan(&of.question, settings).map_err(|none| {
            let label = |bound: &Bound| {
                let attribute = &run.world.schema.attributes()[bound.attribute];
                format!("{} {}", attribute.name, attribute.values[bound.value])
            };
            let problem = none.problem(of.question.members, label);
            Problems(problem.into_iter().collect())
        })?;
        let quotas = of.question.quotas.iter();
        let minimums = quotas.map(|row| row.iter().map(|quota| quota.min).collect());
        Ok(Self {
            found,
            population: of.population,
            sure,
            simulations,
            minimums: minimums.collect(),
        })
    }

    /// The letters as lines of text.
    pub(crate) fn sentences(&self, plan: &Plan) -> Vec<String> {
        let LettersPlan {
            letters, interval, ..
        } = &self.found;
        let (sure, n) = (percent(self.sure), grouped(self.simulations.into()));
        let mut lines = match letters {
            Some(_) => vec![format!(
                "  {} letters bring a pool with a committee that keeps all quotas with {sure} \
                 (simulation error: {} to {}); they bring {:.0} answers in the mean",
                needed(*letters),
                needed(interval[0]),
                needed(interval[1]),
                self.found.answers,
            )],
            None => vec![format!(
                "  no number of letters was found that brings a pool with a committee with {sure}: \
                 some quotas wait for people who hardly ever answer"
            )],
        };
        if let Some([fewest, most]) = self.found.range {
            lines.push(format!(
                "  the rates are uncertain: were they known, {} to {} letters (the 5 % of rates at \
                 each end left out)",
                needed(fewest),
                needed(most)
            ));
        }
        lines.push(format!(
            "  {}; {n} recruitments were simulated",
            self.assumed(plan)
        ));
        lines.extend(self.waits(plan));
        lines.extend(self.without(plan));
        if self.found.undecided > 0 {
            lines.push(format!(
                "  of {} pools it was not decided whether they have a committee: they count as \
                 having none, so fewer letters may do",
                grouped(self.found.undecided)
            ));
        }
        lines
    }

    /// The last requirement that pools waited for, as lines of text.
    fn waits(&self, plan: &Plan) -> Vec<String> {
        let mut lines = vec!["  pools waited last for, in how many of a hundred:".to_owned()];
        let waits = self.found.waits.iter();
        let (often, seldom): (Vec<_>, Vec<_>) = waits.partition(|(_, share)| *share >= FEW);
        for (wait, share) in often {
            let name = self.wait(wait, plan);
            lines.push(format!("    {:>6.0}  {name}", 100.0 * share));
        }
        let rest: f64 = seldom.iter().map(|(_, share)| share).sum();
        if rest > 0.0 {
            lines.push(format!("    {:>6.1}  others", 100.0 * rest));
        }
        lines
    }

    /// The letters needed without the quotas of each attribute, as lines of text.
    fn without(&self, plan: &Plan) -> Vec<String> {
        let line = |(attribute, without): &(usize, Needed)| {
            let name = &plan.world.schema.attributes()[*attribute].name;
            let both = self.found.letters.zip(*without);
            let fewer = both.map(|(with, without)| with.saturating_sub(without));
            let fewer = match fewer {
                Some(0) | None => String::new(),
                Some(fewer) => format!(" ({} fewer)", grouped(fewer)),
            };
            format!("    {:>6}  {name}{fewer}", needed(*without))
        };
        let head = "  letters without the quotas of an attribute:".to_owned();
        let lines = self.found.without.iter().map(line);
        [head].into_iter().chain(lines).collect()
    }

    /// The letters as an object for programs.
    pub(crate) fn object(&self, plan: &Plan) -> Value {
        let found = &self.found;
        let attribute = |at: usize| &plan.world.schema.attributes()[at];
        let wait = |(wait, share): &(RecruitmentWait, f64)| match *wait {
            RecruitmentWait::Size => json!({"for": "size", "share": share}),
            RecruitmentWait::Together => json!({"for": "together", "share": share}),
            RecruitmentWait::Maximums { attribute: of } => {
                json!({"for": "maximums", "attribute": attribute(of).name, "share": share})
            }
            RecruitmentWait::Value {
                attribute: of,
                value,
            } => json!({
                "for": "value", "attribute": attribute(of).name,
                "value": attribute(of).values[value], "share": share,
            }),
        };
        let without = |(of, letters): &(usize, Needed)| json!({"attribute": attribute(*of).name, "letters": letters});
        let population = match self.population {
            LetterPopulation::Target => "target",
            LetterPopulation::Source => "source",
            LetterPopulation::Types => "types",
        };
        json!({
            "letters": found.letters,
            "sure": self.sure,
            "interval": found.interval,
            "answers": found.answers,
            "range": found.range,
            "waits": found.waits.iter().map(wait).collect::<Vec<_>>(),
            "without": found.without.iter().map(without).collect::<Vec<_>>(),
            "population": population,
            "simulations": self.simulations,
            "undecided": found.undecided,
        })
    }

    /// The assumption about the people who get letters.
    fn assumed(&self, plan: &Plan) -> String {
        match self.population {
            LetterPopulation::Target => {
                "letters go to people with the target's shares, attributes independent of each \
                 other (population = \"types.csv\" in [letters] says it better)"
                    .into()
            }
            LetterPopulation::Types => {
                "letters go to people as [letters] population has them".into()
            }
            LetterPopulation::Source => {
                let world = &plan.world;
                let rate = world.volunteering.as_ref().zip(world.known.law.get());
                let of = match rate {
                    Some((rate, law)) => {
                        let mean = rate.mean(law, &world.schema);
                        format!(" ({} of letters are answered)", percent(mean))
                    }
                    None => String::new(),
                };
                format!("those who answer are like the people of [source]{of}")
            }
        }
    }

    fn wait(&self, wait: RecruitmentWait, plan: &Plan) -> String {
        let attribute = |at: usize| &plan.world.schema.attributes()[at];
        match wait {
            RecruitmentWait::Size => "people enough for the committee's size".into(),
            RecruitmentWait::Together => "people who keep all quotas at once".into(),
            RecruitmentWait::Maximums { attribute: of } => {
                format!("{}: people enough under its maximums", attribute(of).name)
            }
            RecruitmentWait::Value {
                attribute: of,
                value,
            } => {
                let least = self.minimums[of][value];
                let of = attribute(of);
                format!("{} {}: at least {least}", of.name, of.values[value])
            }
        }
    }
}

/// A number of letters such as "2,480", or "too many" if there is none.
fn needed(letters: Needed) -> String {
    letters.map_or_else(|| "too many".into(), grouped)
}

/// A share as a percentage: "95 %", "99.5 %".
pub(crate) fn percent(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
