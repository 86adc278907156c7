//! The file `curves.csv`: the means of a run's measures at even steps, for figures.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::Deserialize;

use kleroterion_core::problem::{Place, Problem};
use kleroterion_core::score::{MetricNames, PARTS};
use kleroterion_io::record::{SheetWriter, read_row, shortest};
use kleroterion_stats::{CurvePoint, Curves, RunResult};

/// The file of the curves of each policy.
pub const CURVES: &str = "curves.csv";

/// The columns after those of a metric's name.
const COLUMNS: [&str; 5] = ["at", "n", "mean", "se", "name"];

/// A row of the file, as far as it is read.
#[derive(Deserialize)]
struct CurveRow {
    policy: String,
    at: u64,
    n: u64,
    mean: f64,
    se: Option<f64>,
    name: String,
}

/// Writes `curves.csv`, by label, metric and increasing `at` (in the unit of `report.at`). Numbers
/// have the shortest form that reads back equal. An empty `se` means that there is one value.
///
/// # Errors
/// Where `out` fails.
pub fn write_curves(run: &RunResult, names: &MetricNames, out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    csv.row(["policy"].into_iter().chain(PARTS).chain(COLUMNS))?;
    let labels = run.policies.iter().map(|policy| policy.label.as_str());
    let by_label: BTreeMap<&str, &Curves> = labels.zip(&run.curves).collect();
    for (label, curves) in by_label {
        for (name, points) in curves {
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
                    &point.se.map(shortest).unwrap_or_default(),
                    name,
                ])?;
            }
        }
    }
    csv.flush()
}

/// Reads the curves back, by label. `path` is the place that problems name.
///
/// # Errors
/// The first row that is none of such a file.
pub fn read_curves(path: &Path, text: impl Read) -> Result<BTreeMap<String, Curves>, Problem> {
    let mut all: BTreeMap<String, Curves> = BTreeMap::new();
    let mut csv = ::csv::Reader::from_reader(text);
    let heads = csv.headers().map_err(|error| broken(path, &error))?.clone();
    for row in csv.records() {
        let row = row.and_then(|row| read_row(&row).deserialize(Some(&heads)));
        let row: CurveRow = row.map_err(|error| broken(path, &error))?;
        let points = all.entry(row.policy).or_default().entry(row.name);
        points.or_default().push(CurvePoint {
            at: row.at,
            n: row.n,
            mean: row.mean,
            se: row.se,
        });
    }
    Ok(all)
}

fn broken(path: &Path, error: &::csv::Error) -> Problem {
    let place = Place::line(path, error.position().map(::csv::Position::line));
    let what = format!("this is no {CURVES} of a run: {error}");
    Problem::new(place, what).help("the file is cut short or was changed: run it again")
}

#[cfg(test)]
mod tests {
    use super::super::samples::run;
    use super::*;
    use kleroterion_core::protocol::{Attribute, Schema};
    use std::sync::Arc;

    fn point(at: u64, se: Option<f64>) -> CurvePoint {
        let (n, mean) = (3, 0.1 + 0.2);
        CurvePoint { at, n, mean, se }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut run = run(&[("b, c", vec![]), ("a", vec![])]);
        let curves = |name: &str| {
            let points = vec![point(4, None), point(8, Some(0.25))];
            Curves::from([(name.to_owned(), points)])
        };
        run.curves = vec![curves("share.F"), curves("cost")];
        let gender = Attribute {
            name: "gender".into(),
            values: vec!["F".into(), "M".into()],
        };
        let schema = Schema::new(vec![gender], Vec::new(), false).unwrap();
        let names = MetricNames::new(&Arc::new(schema), None);
        let mut bytes = Vec::new();
        write_curves(&run, &names, &mut bytes).unwrap();
        let known = "policy,metric,attribute,part,at,n,mean,se,name\n\
            a,cost,,,4,3,0.30000000000000004,,cost\n\
            a,cost,,,8,3,0.30000000000000004,0.25,cost\n\
            \"b, c\",share,gender,F,4,3,0.30000000000000004,,share.F\n\
            \"b, c\",share,gender,F,8,3,0.30000000000000004,0.25,share.F\n";
        assert_eq!(String::from_utf8(bytes.clone()).unwrap(), known);
        let read = read_curves(Path::new("x"), &*bytes).unwrap();
        assert_eq!(read["b, c"], run.curves[0]);
        assert_eq!(read["a"], run.curves[1]);
    }

    #[test]
    fn a_broken_file_is_named_with_its_line() {
        let text = "policy,metric,attribute,part,at,n,mean,se,name\na,m,,,x,1,0,,m\n";
        let problem = read_curves(Path::new("dir/curves.csv"), text.as_bytes()).unwrap_err();
        let said = problem.to_string();
        assert!(said.contains("curves.csv") && said.contains('2'), "{said}");
    }
}
