//! Figure 2, and the same with the radius as printed.

use super::configuration::{Configuration, KNOWN, LOSS, PRINTED, SCALED, TAU};
use crate::reproduce::do2021::instance::by_size;
use crate::reproduce::prelude::*;

/// The sizes at which a run was read.
const SIZES: [u64; 8] = [50, 100, 150, 250, 500, 1000, 1500, 2000];

/// A lane's metric over the sizes.
fn line(one: &Configuration<'_>, label: &str, name: &str, metric: &str) -> Result<Series> {
    let point = |k: u64| Ok(one.at(label, metric, k)?.at(k as f64));
    series_of(
        named(one, name),
        SeriesKind::Line,
        SIZES.into_iter().map(point),
    )
}

/// The name of a line, with the configuration.
fn named(one: &Configuration<'_>, name: &str) -> String {
    let short = match one.name {
        "three attributes" => "3 attr.",
        _ => "5 attr.",
    };
    format!("{name}, {short}")
}

pub(super) fn figure(both: &[&Configuration<'_>; 2]) -> Result<Figure> {
    let series = |metric: &str| {
        let mut all = Vec::new();
        for (label, name) in [(SCALED, "RL-CMDP"), (KNOWN, "CMDP, p known")] {
            for one in both {
                all.push(line(one, label, name, metric)?);
            }
        }
        for one in both {
            let greedy = one.greedy.iter();
            let points =
                greedy.map(|(k, run)| Ok(run.mean("greedy .05", metric, None)?.at(*k as f64)));
            all.push(series_of(
                named(one, "Greedy .05"),
                SeriesKind::Line,
                points,
            )?);
        }
        Ok::<_, StudyError>(all)
    };
    Ok(Figure {
        title: "Figure 2 of Do et al. 2021, on a calibrated instance, confidence scale .07".into(),
        caption: format!(
            "p unknown to RL-CMDP and Greedy; RL-CMDP with .07 of the printed radius. The instance \
             is calibrated, not the Citizens' Assembly's own table. Mean of {} simulations and ± 2 \
             standard errors.",
            both[0].learners.result.replications
        ),
        panels: by_size(series(TAU)?, series(LOSS)?),
    })
}

pub(super) fn scales(both: &[&Configuration<'_>; 2]) -> Result<Figure> {
    let [three, five] = both;
    let lines = [
        (three, PRINTED, "scale 1"),
        (five, PRINTED, "scale 1"),
        (three, SCALED, "scale .07"),
        (five, SCALED, "scale .07"),
        (
            three,
            "learner, scale .07, small program",
            "scale .07, small program",
        ),
        (three, "plug-in", "plug-in"),
    ];
    let series = |metric: &str| -> Result<Vec<Series>> {
        let lines = lines.iter();
        lines
            .map(|(one, label, name)| line(one, label, name, metric))
            .collect()
    };
    Ok(Figure {
        title: "RL-CMDP with the radius as printed and .07 of it, on a calibrated instance".into(),
        caption: "RL-CMDP with the radius of equation (3) as printed (scale 1) and .07 of it \
                  (scale .07), full program unless said otherwise; plug-in: no radius at all. \
                  Calibrated instance; mean and ± 2 standard errors."
            .into(),
        panels: by_size(series(TAU)?, series(LOSS)?),
    })
}
