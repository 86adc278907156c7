//! What Figure 2 draws, and the same with the radius as printed.

use super::super::super::StudyError;
use super::super::point;
use super::{Configuration, KNOWN, LOSS, PRINTED, SCALED, TAU};
use crate::report::figure::{At, Axis, Figure, Kind, Mark, Panel, Point, Series};

/// The sizes at which a run was read.
const SIZES: [u64; 8] = [50, 100, 150, 250, 500, 1000, 1500, 2000];

fn line(
    one: &Configuration<'_>,
    label: &str,
    name: String,
    metric: &str,
) -> Result<Series, StudyError> {
    let points = SIZES
        .iter()
        .map(|&k| Ok(point(k as f64, one.at(label, metric, k)?)));
    let points: Result<Vec<Point>, StudyError> = points.collect();
    Ok(Series::new(name, Kind::Line, points?))
}

fn panels(
    series: impl Fn(&str) -> Result<Vec<Series>, StudyError>,
) -> Result<Vec<Panel>, StudyError> {
    let x = || Axis::linear("committee size K");
    let mark = Mark {
        at: At::Y(0.05),
        label: ".05".into(),
    };
    Ok(vec![
        Panel {
            title: "sample complexity".into(),
            x: x(),
            y: Axis::log("people screened τ"),
            series: series(TAU)?,
            marks: vec![],
        },
        Panel {
            title: "representation loss".into(),
            x: x(),
            y: Axis::linear("max |λ − ρ|"),
            series: series(LOSS)?,
            marks: vec![mark],
        },
    ])
}

fn short(one: &Configuration<'_>) -> &'static str {
    match one.name {
        "three attributes" => "3 attr.",
        _ => "5 attr.",
    }
}

pub(super) fn figure(both: &[&Configuration<'_>; 2]) -> Result<Figure, StudyError> {
    let series = |metric: &str| {
        let mut all = Vec::new();
        for one in both {
            all.push(line(
                one,
                SCALED,
                format!("RL-CMDP, {}", short(one)),
                metric,
            )?);
        }
        for one in both {
            all.push(line(
                one,
                KNOWN,
                format!("CMDP, p known, {}", short(one)),
                metric,
            )?);
        }
        for one in both {
            let points = one
                .greedy
                .iter()
                .map(|(k, run)| Ok(point(*k as f64, run.mean("greedy .05", metric, None)?)));
            let points: Result<Vec<Point>, StudyError> = points.collect();
            all.push(Series::new(
                format!("Greedy .05, {}", short(one)),
                Kind::Line,
                points?,
            ));
        }
        Ok(all)
    };
    Ok(Figure {
        title: "Figure 2 of Do et al. 2021, on a calibrated instance, confidence scale .07".into(),
        caption: format!(
            "p unknown to RL-CMDP and Greedy; RL-CMDP with .07 of the printed radius. The instance is calibrated, not the Citizens' \
             Assembly's own table. Mean of {} simulations and ± 2 standard errors.",
            both[0].learners.result.replications
        ),
        panels: panels(series)?,
    })
}

pub(super) fn scales(both: &[&Configuration<'_>; 2]) -> Result<Figure, StudyError> {
    let series = |metric: &str| {
        let mut all = Vec::new();
        for (label, name) in [(PRINTED, "scale 1"), (SCALED, "scale .07")] {
            for one in both {
                all.push(line(one, label, format!("{name}, {}", short(one)), metric)?);
            }
        }
        let three = both[0];
        all.push(line(
            three,
            "learner, scale .07, small program",
            "scale .07, small program, 3 attr.".into(),
            metric,
        )?);
        all.push(line(three, "plug-in", "plug-in, 3 attr.".into(), metric)?);
        Ok(all)
    };
    Ok(Figure {
        title: "RL-CMDP with the radius as printed and .07 of it, on a calibrated instance".into(),
        caption: "RL-CMDP with the radius of equation (3) as printed (scale 1) and .07 of it (scale .07), full program unless said \
            otherwise; plug-in: no radius at all. Calibrated instance; mean and ± 2 standard errors."
            .into(),
        panels: panels(series)?,
    })
}
