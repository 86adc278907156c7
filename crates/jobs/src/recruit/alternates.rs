//! The alternates of a panel, in words and as JSON.

use std::path::Path;

use kleroterion_core::problem::Problem;
use kleroterion_io::people::organisers::panel_members;
use kleroterion_run::config::Plan;
use kleroterion_sortition::alternates::{
    AlternateRule, AlternateSettings, Alternates, ExpectedOff, alternates,
};
use serde_json::{Value, json};

use super::letters::percent;
use crate::error::JobError;
use crate::run::{JobRun, unloaded};

/// The alternates of a panel, and the inputs of their computation.
pub(crate) struct PanelAlternates {
    found: Alternates,
    members: usize,
    /// The number of rules that the panel itself breaks.
    breaches: usize,
    settings: AlternateSettings,
}

impl PanelAlternates {
    /// Computes the alternates of the panel in a file. Without a number there are as many as the
    /// expected leavers.
    pub(crate) fn of(run: &JobRun, file: &Path, how_many: Option<u32>) -> Result<Self, JobError> {
        let plan = &run.plan;
        let question = plan.panel();
        let (Some(question), Some(chances)) = (question, &plan.dropout) else {
            let what = match plan.dropout {
                None => "the config does not say how likely members are to leave",
                Some(_) => "the config has no committee to be filled from people known beforehand",
            };
            let help = "write [dropout] with rate = 0.1, or with by = { age = { \"18-29\" = 0.2 } }; \
                        it needs until = { accepted = 40 } in [rules]";
            return Err(Problem::of_request(what).help(help).into());
        };
        let panel = panel_members(file, &run.roster(&question.respondents));
        let help = "give the path of a file with the ids of the members";
        let panel = panel.map_err(|error| unloaded(error, file, help))?;
        let most = question.members as usize;
        if panel.len() > most {
            let what = format!(
                "the panel has {} members, the committee {most}",
                panel.len()
            );
            let help = "list the members alone, or change `until` in [rules]";
            return Err(Problem::of_file(file, what).help(help).into());
        }
        let leavers: f64 = panel.iter().map(|member| chances[*member as usize]).sum();
        let how_many = how_many.unwrap_or((leavers - 1e-9).ceil() as u32);
        let settings = AlternateSettings::new(plan.seed);
        Ok(Self {
            found: alternates(&question, &panel, chances, how_many, settings),
            members: panel.len(),
            breaches: question.breaches(&panel).len(),
            settings,
        })
    }

    /// The alternates as lines of text.
    pub(crate) fn sentences(&self, plan: &Plan) -> Vec<String> {
        let found = &self.found;
        let mut lines = vec![format!(
            "  {} alternates of a panel of {}, of whom {:.1} leave in the mean",
            found.who.len(),
            self.members,
            found.leavers
        )];
        if self.breaches > 0 {
            lines.push(format!(
                "  the panel as it is breaks {} of the config's rules",
                self.breaches
            ));
        }
        lines.push(format!(
            "  seats off once the best replacement is made, the mean over {} drop-outs; in how \
             many all quotas are kept:",
            self.settings.fresh
        ));
        for of in &found.expected_off {
            let name = match of.rule {
                AlternateRule::Chosen => "these alternates",
                AlternateRule::NextOfKind => "the next of their kind",
                AlternateRule::None => "no alternates",
            };
            lines.push(format!(
                "    {:>6.2} +- {:.2}  {:>7}  {name}",
                of.mean,
                of.se,
                percent((1e3 * of.kept).round() / 1e3)
            ));
        }
        lines.push(format!(
            "  in the {} drop-outs they were chosen by they are off by {:.2}; no choice of as many \
             is off by less than {:.2}",
            self.settings.samples, found.sampled_off, found.least_off
        ));
        lines.push(format!("  {}", names(plan, &found.who).join(", ")));
        lines
    }

    /// The alternates as an object for programs.
    pub(crate) fn object(&self, plan: &Plan) -> Value {
        let found = &self.found;
        let expected = |of: &ExpectedOff| {
            let rule = match of.rule {
                AlternateRule::Chosen => "chosen",
                AlternateRule::NextOfKind => "next_of_kind",
                AlternateRule::None => "none",
            };
            json!({"rule": rule, "seats_off": of.mean, "se": of.se, "kept": of.kept})
        };
        json!({
            "members": self.members,
            "breaches": self.breaches,
            "leavers": found.leavers,
            "alternates": names(plan, &found.who),
            "next_of_kind": names(plan, &found.next_of_kind),
            "expected": found.expected_off.iter().map(expected).collect::<Vec<_>>(),
            "sampled_off": found.sampled_off,
            "least_off": found.least_off,
            "gap": found.gap(),
            "samples": self.settings.samples,
            "fresh": self.settings.fresh,
        })
    }
}

fn names(plan: &Plan, who: &[u32]) -> Vec<String> {
    let respondents = plan.world.known.respondents.as_ref();
    let name = |one: &u32| respondents.map(|all| all.names()[*one as usize].to_string());
    who.iter().filter_map(name).collect()
}
