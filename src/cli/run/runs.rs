//! The runs of one command: played, written down as a whole, and printed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::args::Format;
use super::super::failure::{Failure, READ_NOBODY, failed};
use super::super::interrupts::watch_for_interrupts;
use super::super::load::Job;
use super::super::output::finish_played;
use super::super::result::{self, Done};
use super::super::show;
use super::kept::was_played;
use super::player::{Before, Beginning, Player};
use kleroterion::protocol::Ending;
use kleroterion::report::files::{Folder, HeldFolder, KEPT, REPLACED, SWEEP, VERDICTS};
use kleroterion::report::flat::{FlatRun, write_summaries, write_verdicts};
use kleroterion::report::plain;
use kleroterion::report::points::{POINTS, PointEntry};
use kleroterion::run::Settings;

/// The way in which runs are played and printed.
pub(super) struct RunHow {
    pub(super) settings: Settings,
    pub(super) format: Format,
    pub(super) full: bool,
    pub(super) quiet: bool,
    pub(super) strict: bool,
}

/// The runs of one command.
pub(super) struct Runs {
    pub(super) jobs: Vec<Job>,
    /// The folder of each job's files, if files are written.
    pub(super) folders: Vec<Option<PathBuf>>,
    /// The folder of all runs.
    pub(super) out: Option<PathBuf>,
    /// The held folder of a sweep.
    pub(super) sweep: Option<HeldFolder>,
    /// The part that was played before, and the options kept.
    pub(super) beginning: Beginning,
}

impl Runs {
    /// Plays all runs, writes their files and prints their results.
    pub(super) fn play(self, how: &RunHow) -> Result<(), Failure> {
        let out = self.out.clone();
        let played = self.play_all(how);
        if let Some(out) = out.filter(|out| played.is_err() && out.join(REPLACED).is_dir()) {
            let kept = out.join(REPLACED);
            show::say(&format!(
                "note: the run that was there before is kept in {}, until the new one is whole",
                plain(&kept.display().to_string())
            ));
        }
        played
    }

    fn play_all(self, how: &RunHow) -> Result<(), Failure> {
        watch_for_interrupts(Arc::clone(&how.settings.interrupt));
        let is_new = matches!(self.beginning.before, Before::Nothing);
        let out = self.out.as_deref();
        let mut player = Player::new(out, self.beginning, how.settings.clone(), how.quiet);
        let mut all = Vec::new();
        for (point, (job, folder)) in (0..).zip(self.jobs.into_iter().zip(self.folders)) {
            match player.play(point, job, folder.as_deref()) {
                // While a plan was worked out.
                Err(Failure::Interrupted) if all.is_empty() && is_new => {
                    show::say("interrupted: nothing was run");
                    forget_sweep(self.sweep);
                    return Err(Failure::Interrupted);
                }
                Err(Failure::Interrupted) => break,
                done => all.push(done.inspect_err(|_| player.say_notes())?),
            }
            if player.is_interrupted() {
                break;
            }
        }
        finish_sweep(&all, self.sweep.as_ref(), player.is_interrupted())?;
        let text = result::text(how.format, how.full, &all);
        let text = text.map_err(|error| failed(&error.to_string()))?;
        let printed = show::print(&text);
        player.say_notes();
        printed.map_err(|error| failed(&format!("can't print: {error}")))?;
        let can_go_on = out.filter(|out| was_played(out));
        ended(&all, player.is_interrupted(), how.strict, can_go_on)
    }
}

/// The result of the command, once its results are printed.
fn ended(
    all: &[Done],
    is_interrupted: bool,
    strict: bool,
    can_go_on: Option<&Path>,
) -> Result<(), Failure> {
    let any = |ending| {
        let mut policies = all.iter().flat_map(|done| done.summary.policies.values());
        policies.any(|policy| policy.endings.contains_key(&ending))
    };
    if is_interrupted {
        show::say(match any(Ending::Interrupted) {
            false => "interrupted: the result holds the replications that were finished",
            true => "interrupted: the result holds the first replication as far as it came",
        });
        if let Some(folder) = can_go_on {
            let folder = plain(&folder.display().to_string());
            show::say(&format!("help: `klero resume {folder}` goes on with it"));
        }
        return Err(Failure::Interrupted);
    }
    if any(Ending::SourceFailed) {
        return Err(failed(
            "the stream broke off; the results are of what came before",
        ));
    }
    if all.iter().any(|done| done.read_nobody) {
        return Err(failed(READ_NOBODY));
    }
    unstarted(all)?;
    if strict { whole(all) } else { Ok(()) }
}

/// Fails if a policy's program could not be started, since its lane measured nothing.
fn unstarted(all: &[Done]) -> Result<(), Failure> {
    let mut said = BTreeSet::new();
    for lane in all.iter().flat_map(|done| &done.job.plan.lanes) {
        let Some(spec) = &lane.policy.outside else {
            continue;
        };
        if let Some(why) = spec.unstarted()
            && said.insert(&lane.label)
        {
            failed(&format!(
                "policy {} could not be started: {why}",
                lane.label
            ));
            let command = plain(&spec.command.join(" "));
            show::say(&format!(
                "help: `klero seat check {command}` shows what it reads and writes"
            ));
        }
    }
    match said.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed),
    }
}

/// Fails if a lane broke off.
fn whole(all: &[Done]) -> Result<(), Failure> {
    let bad = [Ending::Disqualified, Ending::Panicked, Ending::Left];
    let mut broken = BTreeSet::new();
    for (label, policy) in all.iter().flat_map(|done| &done.summary.policies) {
        let endings = policy.endings.keys().filter(|ending| bad.contains(ending));
        broken.extend(endings.map(|ending| format!("{label} {ending}")));
    }
    if !broken.is_empty() {
        let broken: Vec<_> = broken.into_iter().collect();
        return Err(failed(&format!("--strict: {}", broken.join(", "))));
    }
    Ok(())
}

/// Removes the list of a sweep of which nothing was run, and its folder if that is otherwise empty.
fn forget_sweep(sweep: Option<HeldFolder>) {
    if let Some(sweep) = sweep {
        // The first word, that nothing was run, is the one to say.
        drop(sweep.remove(POINTS).and_then(|()| sweep.remove(KEPT)));
        let path = sweep.path().to_owned();
        drop(sweep);
        drop(std::fs::remove_dir(path));
    }
}

/// Writes the whole sweep: `sweep.csv` and `verdicts.csv`. After a complete sweep it also removes
/// the kept replications.
fn finish_sweep(
    all: &[Done],
    sweep: Option<&HeldFolder>,
    is_interrupted: bool,
) -> Result<(), Failure> {
    let runs = all
        .iter()
        .filter_map(|done| Some((done.job.entry.as_ref()?, done)));
    let runs: Vec<(&PointEntry, &Done)> = runs.collect();
    let (Some(folder), Some((first, _))) = (sweep, runs.first()) else {
        return Ok(());
    };
    let keys = first.set.iter().map(|(key, _)| key.as_str());
    let lead: Vec<&str> = std::iter::once("point").chain(keys).collect();
    let names: Vec<_> = runs
        .iter()
        .map(|(_, done)| done.job.plan.metric_names())
        .collect();
    let flat = runs.iter().zip(&names).map(|((entry, done), names)| {
        let values = entry.set.iter().map(|(_, value)| value.as_str());
        FlatRun {
            lead: std::iter::once(entry.name.as_str()).chain(values).collect(),
            summary: &done.summary,
            names,
        }
    });
    let flat: Vec<FlatRun<'_>> = flat.collect();
    let is_whole = !is_interrupted;
    let finish = || {
        if is_whole {
            let mut points = runs.iter().map(|(entry, _)| folder.file(&entry.name));
            points.try_for_each(|point| Folder::at(point).remove(KEPT))?;
            finish_played(folder)
        } else {
            Ok(())
        }
    };
    folder
        .write(SWEEP, |to| write_summaries(&lead, &flat, to))
        .and_then(|()| folder.write(VERDICTS, |to| write_verdicts(&lead, &flat, to)))
        .and_then(|()| finish())
        .map_err(|problem| failed(&problem.to_string()))
}
