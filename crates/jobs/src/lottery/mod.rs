//! The check of a lottery over panels: against its config's quotas, and by its claims.

mod findings;
mod named;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::named::{Claimed, Fairest, NamedLottery};
use crate::ahead::{PlansAhead, keep_lottery};
use crate::error::JobError;
use crate::run::{JobRun, unloaded};
use crate::watch::{JobProgress, JobWatch};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::people::organisers::{claimed_chances, listed_panels};
use kleroterion_io::people::table::LoadError;
use kleroterion_run::config::Plan;
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::lottery::{AwaitedLottery, LotteryRule, LotteryWatch};

pub use findings::LotteryFindings;

/// A lottery over panels in a file, and what is claimed of it.
#[derive(Clone, Debug)]
pub struct LotteryClaim {
    /// The file of panels with their probabilities.
    pub panels: PathBuf,
    /// The policy whose rows count, if the files have those of several.
    pub policy: Option<String>,
    /// The file of claimed chances.
    pub chances: Option<PathBuf>,
    /// The rule by which the lottery is claimed to be the fairest.
    pub rule: Option<LotteryRule>,
    /// The tolerance of probabilities and chances.
    pub within: f64,
}

impl LotteryClaim {
    /// Holds the lottery against a config and the claims.
    ///
    /// # Errors
    /// Fails if the config has no panels, if a file can't be read, or if the watch's interrupt ends
    /// the computation of the fairest lottery.
    pub fn check(&self, run: &JobRun, watch: &JobWatch<'_>) -> Result<LotteryFindings, JobError> {
        let question = run.plan.panel().ok_or_else(|| no_panel(&run.plan))?;
        let mut problems = Problems::default();
        let policy = self.policy.as_deref();
        let roster = run.roster(&question.respondents);
        let panels = listed_panels(&self.panels, policy, &roster);
        let panels = read(panels, &self.panels, &mut problems);
        let chances = self.chances.as_deref().and_then(|path| {
            let chances = claimed_chances(path, policy, &roster);
            read(chances, path, &mut problems)
        });
        let panels = problems.or(panels)?.unwrap_or_default();
        let fairest = |rule| Ok::<_, JobError>((rule, fairest(rule, &question, run, watch)?));
        let claimed = Claimed {
            chances: chances.as_deref(),
            rule: self.rule.map(fairest).transpose()?,
            within: self.within,
        };
        let lottery = NamedLottery::new(&question, &run.plan.world.schema, &panels);
        Ok(lottery.held_against(&claimed))
    }
}

/// The fairest lottery by a rule, read or computed now, or the reason why there is none.
fn fairest(
    rule: LotteryRule,
    question: &PanelQuestion,
    run: &JobRun,
    watch: &JobWatch<'_>,
) -> Result<Fairest, JobError> {
    let awaited = Arc::new(AwaitedLottery::new(rule, question.clone()));
    let kept = run.kept_lotteries();
    let supply = {
        let (awaited, kept) = (Arc::clone(&awaited), kept.clone());
        move |watch: &LotteryWatch<'_>| kept.supply(&awaited, watch).map(drop)
    };
    let what = format!("computing the fairest lottery by {}", rule.name());
    let ahead = PlansAhead::new(None, watch);
    let found = ahead.awaited(|come| JobProgress::Computes(&what, come), supply)?;
    keep_lottery(&awaited, &kept);
    Ok(found.and_then(|()| awaited.work_out().cloned()))
}

/// The content of a file, or `None` after its problems are noted.
fn read<T>(loaded: Result<T, LoadError>, path: &Path, problems: &mut Problems) -> Option<T> {
    let help = "give the path of a file of separated text";
    let noted = |error| problems.0.extend(unloaded(error, path, help).0);
    loaded.map_err(noted).ok()
}

/// The problem if a config has no panels.
fn no_panel(plan: &Plan) -> Problem {
    let (what, help) = match plan.world.known.respondents {
        None => (
            "the config's people are not known beforehand",
            "name a config with type = \"respondents\": klero verify lottery PANELS CONFIG",
        ),
        Some(_) => (
            "the config has no committee of some size",
            "set until = { accepted = 40 } in [rules]",
        ),
    };
    Problem::of_request(what).help(help)
}
