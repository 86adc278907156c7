//! Lanes that make a run fail: policies that could not be started and, under `--strict`, lanes that
//! broke off.

use std::collections::BTreeSet;

use super::failure::Failure;
use super::failure::failed;
use super::result::Done;
use super::show;
use kleroterion::protocol::Ending;
use kleroterion::report::plain;

/// Fails if a policy's program could not be started, since its lane measured nothing.
pub(super) fn unstarted(all: &[Done]) -> Result<(), Failure> {
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
pub(super) fn strict(all: &[Done]) -> Result<(), Failure> {
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
