//! The true utilities of a run's applicants, drawn again from its source, and the parameters in its
//! config.

use crate::reproduce::prelude::*;
use crate::reproduce::redraw::Redraw;
use kleroterion_core::protocol::{Choose, Person};
use kleroterion_run::config::Document;
use kleroterion_run::document::Value;
use kleroterion_run::presets::preset;

/// Returns the utilities of the applicants on each replication's first slate, by slot: those that
/// the policies interviewed.
pub(super) fn utilities(run: &StudyRun) -> Result<Vec<Vec<f64>>> {
    let draw = |replication| {
        let batch = Redraw::of(run, replication)?.next(1)?;
        let merit = |row| {
            let merit = Person::new(&batch, row).merit();
            merit.ok_or_else(|| run.lacks("utilities"))
        };
        batch.roster(0).map(merit).collect()
    };
    (0..run.result.replications).map(draw).collect()
}

/// Returns the utilities of the first replication's applicants.
pub(super) fn first_utilities(run: &StudyRun) -> Result<Vec<f64>> {
    let first = utilities(run)?.into_iter().next();
    first.ok_or_else(|| run.lacks("any replication"))
}

/// Returns the group of each applicant of the first replication, by slot.
pub(super) fn groups(run: &StudyRun) -> Result<Vec<u16>> {
    let batch = Redraw::of(run, 0)?.next(1)?;
    let attribute = run.plan.world.known.group;
    let attribute = attribute.ok_or_else(|| run.lacks("groups"))?;
    let group = |row| Person::new(&batch, row).shown().values()[attribute];
    Ok(batch.roster(0).map(group).collect())
}

/// Returns K, the number of applicants chosen.
pub(super) fn members(run: &StudyRun) -> Result<usize> {
    match run.plan.rules.choose {
        Choose::Exactly(members) => Ok(members as usize),
        _ => Err(run.lacks("a cohort of a given size")),
    }
}

/// Returns sigma, the noise of a weak interview, whose gain is 1.
pub(super) fn noise(run: &StudyRun) -> Result<f64> {
    let noise = run.plan.world.known.look_noise.get();
    noise
        .copied()
        .ok_or_else(|| run.lacks("the noise of a look"))
}

/// Returns the delta of the preset's first policy, as its config gives it.
pub(super) fn delta(name: &str) -> Result<f64> {
    let found = || {
        let document = Document::parse(preset(name)?.text).ok()?;
        let Value::List(policies) = &document.root().get("policy")?.value else {
            return None;
        };
        let Value::Table(policy) = &policies.first()?.value else {
            return None;
        };
        match policy.get("delta")?.value {
            Value::Number(delta) => Some(delta),
            _ => None,
        }
    };
    found().ok_or_else(|| StudyError::Missing(format!("the preset {name} does not give delta")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_is_read_from_the_config() {
        assert_eq!(delta("schumann2019-fig2").unwrap(), 0.1);
        assert_eq!(delta("schumann2019-fig3a").unwrap(), 0.5);
        // A preset without one, and no preset.
        assert!(delta("do2021-fig1").is_err() && delta("mona-lisa").is_err());
    }
}
