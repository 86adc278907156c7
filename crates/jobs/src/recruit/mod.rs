//! The plan of a recruitment: how many letters to send, and the alternates of a panel.

mod alternates;
mod letters;

use std::path::PathBuf;

use serde_json::Value;

use self::alternates::PanelAlternates;
use self::letters::Letters;
use crate::error::JobError;
use crate::run::JobRun;
use kleroterion_core::problem::Problem;
use kleroterion_report::report::plain;

/// The request for a plan of a recruitment.
#[derive(Clone, Debug)]
pub struct RecruitRequest {
    /// The probability with which the pool is to have a committee that keeps all quotas, if it is
    /// not the config's own.
    pub sure: Option<f64>,
    /// The number of recruitments that are simulated.
    pub simulations: u32,
    /// A file with the ids of a panel, whose alternates are planned in place of letters.
    pub panel: Option<PathBuf>,
    /// The number of alternates; as many as leave in the mean if it is not given.
    pub alternates: Option<u32>,
}

/// The plan of a config's recruitment.
pub struct RecruitPlan {
    letters: Option<Letters>,
    alternates: Option<PanelAlternates>,
}

impl RecruitPlan {
    /// Plans the recruitment of a run.
    ///
    /// # Errors
    /// Fails if the config lacks the data for a plan, or the panel can't be read.
    pub fn of(run: &JobRun, request: &RecruitRequest) -> Result<Self, JobError> {
        let plan = &run.plan;
        if plan.recruitment.is_none() && request.panel.is_none() {
            let what = "the config does not say how many answer a letter";
            let help = "write [letters] with rate = 0.03, or volunteering_rate = 0.03 in [source]; \
                        both need a [target] and a committee (until = { accepted = 40 })";
            return Err(Problem::of_request(what).help(help).into());
        }
        let alternates = request.panel.as_deref();
        let alternates = alternates.map(|file| PanelAlternates::of(run, file, request.alternates));
        let alternates = alternates.transpose()?;
        let letters = plan
            .recruitment
            .as_ref()
            .filter(|_| request.panel.is_none());
        let letters = letters.map(|of| Letters::of(plan, of, request.sure, request.simulations));
        Ok(Self {
            letters: letters.transpose()?,
            alternates,
        })
    }

    /// The plan as lines of text.
    pub fn text(&self, run: &JobRun) -> String {
        let mut lines = vec![run.title()];
        let letters = self.letters.iter();
        lines.extend(letters.flat_map(|of| of.sentences(&run.plan)));
        if self.letters.is_some() && run.plan.dropout.is_some() {
            let say = "  alternates are those of a panel: klero plan … --panel panel.csv";
            lines.push(say.into());
        }
        let alternates = self.alternates.iter();
        lines.extend(alternates.flat_map(|of| of.sentences(&run.plan)));
        let disclosed = run.plan.world.disclosures.iter();
        lines.extend(disclosed.map(|disclosed| format!("  {disclosed}")));
        let lines = lines.iter().map(|line| format!("{}\n", plain(line)));
        lines.collect()
    }

    /// The plan as an object for programs.
    pub fn object(&self, run: &JobRun) -> Value {
        let plan = &run.plan;
        let mut object = run.object(&plan.world.disclosures);
        if let Some(letters) = &self.letters {
            object.insert("letters".into(), letters.object(plan));
        }
        if let Some(alternates) = &self.alternates {
            object.insert("alternates".into(), alternates.object(plan));
        }
        Value::Object(object)
    }
}
