//! CSV files of a run. `replications.csv` has every value of every lane, and all summaries follow
//! from it. `long.csv` has those at the end in tidy form. `endings.csv` has the endings, and
//! `series.csv` the summaries during the run.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::plain;
use crate::limits::MOST_LONG_REPLICATIONS;
use kleroterion_core::score::{MetricAt, MetricNames, MetricParts, PARTS, PolicyRun};
use kleroterion_io::record::{SheetWriter, shortest};
use kleroterion_stats::RunResult;
use kleroterion_stats::Summary;

/// The columns of `replications.csv`.
pub const HEADER: [&str; 5] = ["replication", "policy", "metric", "at", "value"];

/// Writes `replications.csv`, by replication, label and the order of the lane's rows. Numbers have
/// the shortest form that reads back equal. An empty `at` means the end.
pub fn write_replications(run: &RunResult, out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    csv.row(HEADER)?;
    replication_rows(run, |row| csv.row(row))?;
    csv.flush()
}

/// Writes the `replications.csv` of all runs of a sweep as one file. The values of the sweep's
/// keys, `(key, value)`, come first in each row.
pub fn write_sweep_replications<'a>(
    runs: impl IntoIterator<Item = (Vec<(String, String)>, &'a RunResult)>,
    out: impl Write,
) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    for (place, (set, run)) in runs.into_iter().enumerate() {
        if place == 0 {
            csv.row(set.iter().map(|(key, _)| &**key).chain(HEADER))?;
        }
        replication_rows(run, |row| {
            for (_, value) in &set {
                csv.begin([value])?;
            }
            csv.row(row)
        })?;
    }
    csv.flush()
}

/// Hands on the rows of `replications.csv`, without its header.
fn replication_rows(
    run: &RunResult,
    mut each: impl FnMut([&str; 5]) -> io::Result<()>,
) -> io::Result<()> {
    lanes(run, |replication, number, policy| {
        for (place, value) in written(run, policy, replication) {
            let at = place.at.map(|at| at.to_string()).unwrap_or_default();
            each([number, &policy.label, &place.metric, &at, &shortest(value)])?;
        }
        Ok(())
    })
}

/// Hands on each lane by replication and label, with the replication's number as text.
fn lanes<'a>(
    run: &'a RunResult,
    mut each: impl FnMut(usize, &str, &'a PolicyRun) -> io::Result<()>,
) -> io::Result<()> {
    let policies = run.in_label_order();
    let most = policies.iter().map(|policy| policy.replications()).max();
    for replication in 0..most.unwrap_or(0) {
        let number = replication.to_string();
        let has_it = |policy: &&&PolicyRun| replication < policy.replications();
        for policy in policies.iter().filter(has_it) {
            each(replication, &number, policy)?;
        }
    }
    Ok(())
}

/// The values of a lane that are written down.
fn written<'a>(
    run: &'a RunResult,
    policy: &'a PolicyRun,
    replication: usize,
) -> impl Iterator<Item = (&'a MetricAt, f64)> {
    let row = policy.row(replication);
    row.filter(|(place, _)| run.written.holds(place))
}

/// Returns true if the run is small enough to have a `long.csv`.
#[must_use]
pub fn has_long(run: &RunResult) -> bool {
    run.replications <= MOST_LONG_REPLICATIONS
}

/// Writes `long.csv`: the values of `replications.csv` at the end of the run, with the parts of a
/// metric's name as columns.
pub fn write_long(run: &RunResult, names: &MetricNames, out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    let first = ["replication", "policy"].into_iter();
    csv.row(first.chain(PARTS).chain(["value"]))?;
    let mut known: BTreeMap<&str, MetricParts<'_>> = BTreeMap::new();
    lanes(run, |replication, number, policy| {
        let rows = written(run, policy, replication);
        for (place, value) in rows.filter(|(place, _)| place.at.is_none()) {
            let name = &*place.metric;
            let parts = known.entry(name).or_insert_with(|| names.parts(name));
            let [metric, attribute, part] = parts.fields();
            let value = shortest(value);
            csv.row([number, &policy.label, metric, attribute, part, &value])?;
        }
        Ok(())
    })?;
    csv.flush()
}

/// The columns of `endings.csv`.
pub const ENDINGS: [&str; 4] = ["replication", "policy", "ending", "detail"];

/// Writes `endings.csv`, by replication and label: the ending of each lane, with details if there
/// are any.
pub fn write_endings(run: &RunResult, out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    csv.row(ENDINGS)?;
    lanes(run, |replication, number, policy| {
        let detail = policy
            .details()
            .get(&replication)
            .map(|detail| plain(detail));
        let ending = policy.endings()[replication].word();
        csv.row([number, &policy.label, ending, &detail.unwrap_or_default()])
    })?;
    csv.flush()
}

/// The columns of `series.csv` after those of a metric's name.
pub const SERIES: [&str; 6] = ["at", "n", "mean", "sd", "median", "name"];

/// Writes `series.csv`: the series of a summary, by label, metric and increasing `at` (in the unit
/// of `report.at`). Numbers have the shortest form that reads back equal. An empty `sd` means that
/// there is one value.
pub fn write_series(summary: &Summary, names: &MetricNames, out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    csv.row(["policy"].into_iter().chain(PARTS).chain(SERIES))?;
    for (label, policy) in &summary.policies {
        for (name, points) in &policy.series {
            let [metric, attribute, part] = names.parts(name).fields();
            for point in points {
                csv.row([
                    label,
                    metric,
                    attribute,
                    part,
                    &point.at.to_string(),
                    &point.n.to_string(),
                    &shortest(point.mean),
                    &point.sd.map(shortest).unwrap_or_default(),
                    &shortest(point.median),
                    name,
                ])?;
            }
        }
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::{endings, lane, row, run, written};
    use super::*;
    use kleroterion_core::protocol::{Attribute, Ending, Schema};
    use kleroterion_stats::Judge;
    use std::sync::Arc;
    #[test]
    fn series_by_label_metric_and_moment() {
        let lane = |loss: f64, cost| {
            let rows = vec![
                row("share.F", Some(10), loss),
                row("loss", Some(5), 2.0 * loss),
                row("cost", Some(5), cost),
                row("loss", None, 9.0),
            ];
            lane(Ending::Filled, rows)
        };
        let one = vec![lane(0.1, f64::NAN)];
        let run = run(&[("b, c", one), ("a", vec![lane(0.5, 1.0), lane(1.5, 4.0)])]);
        let mut bytes = Vec::new();
        let summary = Summary::of(&run, &Judge::default());
        let gender = Attribute {
            name: "gender".into(),
            values: vec!["F".into(), "M".into()],
        };
        let schema = Schema::new(vec![gender], Vec::new(), false).unwrap();
        let names = MetricNames::new(&Arc::new(schema), None);
        write_series(&summary, &names, &mut bytes).unwrap();
        let known = "policy,metric,attribute,part,at,n,mean,sd,median,name\n\
            a,cost,,,5,2,2.5,2.1213203435596424,2.5,cost\n\
            a,loss,,,5,2,2,1.4142135623730951,2,loss\n\
            a,share,gender,F,10,2,1,0.7071067811865476,1,share.F\n\
            \"b, c\",loss,,,5,1,0.2,,0.2,loss\n\
            \"b, c\",share,gender,F,10,1,0.1,,0.1,share.F\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), known);
    }

    #[test]
    fn a_run_of_very_many_replications_has_its_values_once() {
        let mut run = run(&[]);
        for (replications, has) in [(1, true), (100_000, true), (100_001, false)] {
            run.replications = replications;
            assert_eq!(has_long(&run), has, "{replications}");
        }
    }

    #[test]
    fn rows_by_replication_then_label_then_as_given() {
        let loss = |at, value| row("loss", at, value);
        let first = lane(
            Ending::Filled,
            vec![loss(Some(5), 0.5), row("cost", None, 150.0)],
        );
        let second = lane(
            Ending::Stalled,
            vec![loss(None, 0.1 + 0.2), loss(None, f64::NAN)],
        );
        let run = run(&[
            ("b", vec![first.clone(), second]),
            ("a, \"x\"", vec![first]),
        ]);
        let known = "replication,policy,metric,at,value\n\
            0,\"a, \"\"x\"\"\",loss,5,0.5\n\
            0,\"a, \"\"x\"\"\",cost,,150\n\
            0,b,loss,5,0.5\n\
            0,b,cost,,150\n\
            1,b,loss,,0.30000000000000004\n";
        assert_eq!(written(&run), known);
        let known = "replication,policy,ending,detail\n\
            0,\"a, \"\"x\"\"\",filled,\n\
            0,b,filled,\n\
            1,b,stalled,\n";
        assert_eq!(endings(&run), known);
    }
}
