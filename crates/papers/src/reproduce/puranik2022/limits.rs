//! The theta after the last round, and its limit in theory. The limit is a closed form for many
//! applicants, and the zero of the drift for N of them.

use super::measures::{LAST, POOL, after, lambda};
use super::setting::StudyPool;
use crate::reproduce::prelude::*;

/// Theta counts as settled where its drift alone has brought it so near to where the drift is 0.
const SETTLED: f64 = 0.001;

/// The N of which the table also says where theta comes to rest.
const MANY: u32 = 1_000;

/// A lane's name, its setting, and theta after the last round.
pub(super) struct PoolLimit {
    pub name: String,
    pub setting: StudyPool,
    pub theta: StudyEstimate,
}

impl PoolLimit {
    /// Collects the limits of the lanes of some runs, by lambda. Each is named after its lambda, or
    /// after the setting of the sweep.
    pub(super) fn all(runs: &[StudyRun]) -> Result<Vec<Self>> {
        let mut limits = Vec::new();
        for run in runs {
            for (label, setting) in StudyPool::all(run)? {
                let name = match run.set.is_empty() {
                    true => lambda(setting.large.lambda),
                    false => format!("θ₀ = {}", setting.start),
                };
                limits.push(Self {
                    name,
                    setting,
                    theta: run.mean(label, POOL, Some(after(LAST)))?,
                });
            }
        }
        Ok(limits)
    }
}

/// Makes the claim that theta is at the end of its drift at N, within four standard errors. `paper`
/// is the sentence that it comes to rest.
pub(super) fn agreement(place: &str, paper: &str, limits: &[PoolLimit]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at(place).says(paper);
    let mut holds = Holds::Yes;
    let mut moving = Vec::new();
    for limit in limits {
        let PoolLimit {
            name,
            setting,
            theta,
        } = limit;
        let zero = setting.finite().drift_zero();
        let zero = zero.ok_or_else(|| StudyError::Missing(format!("no rest for {name}")))?;
        let drifted = setting.drifted(LAST);
        if (drifted - zero).abs() > SETTLED {
            moving.push(format!(
                "{name}, which by its drift is at {drifted:.4} and to be at {zero:.4} in the end"
            ));
        }
        holds &= theta.agrees(drifted);
        claim.measured(format!("{name}, θ:"), *theta);
        let rest = setting.large.fixed_point();
        if let Some(rest) = rest {
            claim.computed("s*:", rest);
        }
        let n = setting.applicants;
        claim.computed(format!("drift zero at N = {n}:"), zero);
    }
    let settled = match moving.is_empty() {
        true => format!("it has settled by then (within {SETTLED})"),
        false => format!(
            "it has settled by then (within {SETTLED}) but for {}",
            moving.join(", ")
        ),
    };
    let rule = format!(
        "θ after {LAST} rounds is within 4 s.e. of where the exact drift at N leads by then; \
         {settled}. s* is its closed form for many applicants. Neither is in the paper"
    );
    Ok(claim.rule(rule).holds(holds, "θ is elsewhere"))
}

/// Tabulates one row per lane.
pub(super) fn table(limits: &[PoolLimit]) -> FigureTable {
    let applicants = limits.first().map_or(0, |limit| limit.setting.applicants);
    let headers = vec![
        String::new(),
        "s* (many applicants)".into(),
        format!("rest at N = {applicants}"),
        format!("rest at N = {MANY}, feasible"),
        format!("θ after {LAST} rounds"),
        "± s.e.".into(),
        "s.d. of the runs".into(),
        "s.d. by theory".into(),
        "time constant (rounds)".into(),
    ];
    let number = |x: Option<f64>| x.map_or(Cell::Empty, Cell::number);
    let row = |limit: &PoolLimit| {
        let StudyPool { large, eta, .. } = limit.setting;
        let (finite, theta) = (limit.setting.finite(), limit.theta);
        vec![
            text(limit.name.clone()),
            number(large.fixed_point()),
            number(finite.drift_zero()),
            number(limit.setting.feasible(MANY).drift_zero()),
            Cell::number(theta.mean),
            number(theta.se),
            number(theta.se.map(|se| se * (theta.n as f64).sqrt())),
            number(finite.stationary_sd(eta)),
            number(large.time_constant(eta)),
        ]
    };
    FigureTable {
        headers,
        rows: limits.iter().map(row).collect(),
    }
}

/// Returns the statement on N, which every figure needs.
pub(super) fn grid(setting: &StudyPool) -> String {
    let places = setting.places();
    format!(
        "The paper does not print N; {} applicants a round, the greedy term (Blom's approximation \
         of the order statistics) and the clipping of shares that can't be filled are those of the \
         released code. {places} are admitted, so that actions lie on a grid of 1/{places}: where \
         θ comes to rest at this N, and that it comes to rest at the target for a λ that is large \
         but finite, is partly that grid. s* is the fixed point for many applicants; the rest at N \
         is the zero of the exact drift.",
        setting.applicants
    )
}
