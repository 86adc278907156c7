//! The files `curves.csv`, the means of a run's measures at even steps, and `course.csv`, the
//! course of each comparison. Figures are drawn from both.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use kleroterion_core::problem::{Place, Problem};
use kleroterion_core::score::{MetricNames, PARTS};
use kleroterion_io::record::{SheetWriter, read_row, shortest};
use kleroterion_stats::{CurvePoint, Curves, DifferencePoint, PairCourse, RunResult, Verdict};

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
    for row in rows::<CurveRow>((path, CURVES), text, "run it again")? {
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

/// The file of the courses of comparisons.
pub const COURSE: &str = "course.csv";

const HEADER: [&str; 8] = ["metric", "a", "b", "n", "mean", "lo", "hi", "verdict"];

/// A row of the file.
#[derive(Deserialize)]
struct CourseRow {
    metric: String,
    a: String,
    b: String,
    n: u64,
    mean: f64,
    lo: Option<f64>,
    hi: Option<f64>,
    verdict: Verdict,
}

/// Writes `course.csv`: a row for each point, by course and then by increasing n.
///
/// # Errors
/// Where `out` fails.
pub fn write_courses(courses: &[PairCourse], out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    csv.row(HEADER)?;
    for course in courses {
        for point in &course.points {
            let (lo, hi) = point.interval.unzip();
            let end = |end: Option<f64>| end.map(shortest).unwrap_or_default();
            csv.row([
                &course.metric,
                &course.a,
                &course.b,
                &point.n.to_string(),
                &shortest(point.mean),
                &end(lo),
                &end(hi),
                point.verdict.word(),
            ])?;
        }
    }
    csv.flush()
}

/// Reads the courses back. `path` is the place that problems name.
///
/// # Errors
/// The first row that does not belong in this file.
pub fn read_courses(path: &Path, text: impl Read) -> Result<Vec<PairCourse>, Problem> {
    let mut courses: Vec<PairCourse> = Vec::new();
    let remedy = "run it again, or delete the file";
    for row in rows::<CourseRow>((path, COURSE), text, remedy)? {
        let point = DifferencePoint {
            n: row.n,
            mean: row.mean,
            interval: row.lo.zip(row.hi),
            verdict: row.verdict,
        };
        match courses.last_mut() {
            Some(last) if (&last.metric, &last.a, &last.b) == (&row.metric, &row.a, &row.b) => {
                last.points.push(point);
            }
            _ => courses.push(PairCourse {
                metric: row.metric,
                a: row.a,
                b: row.b,
                points: vec![point],
            }),
        }
    }
    Ok(courses)
}

/// Reads the rows of a file, given by its place and its name.
fn rows<T: DeserializeOwned>(
    (path, file): (&Path, &str),
    text: impl Read,
    remedy: &str,
) -> Result<Vec<T>, Problem> {
    let broken = |error: ::csv::Error| {
        let place = Place::line(path, error.position().map(::csv::Position::line));
        let problem = Problem::new(place, format!("this is no {file} of a run: {error}"));
        problem.help(format!("the file is cut short or was changed: {remedy}"))
    };
    let mut csv = ::csv::Reader::from_reader(text);
    let heads = csv.headers().map_err(broken)?.clone();
    let rows = csv.records();
    let rows = rows.map(|row| read_row(&row?).deserialize(Some(&heads)));
    rows.collect::<Result<_, _>>().map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::run;
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

#[cfg(test)]
mod course_tests {
    use super::*;

    fn point(n: u64, interval: Option<(f64, f64)>, verdict: Verdict) -> DifferencePoint {
        let mean = 0.1 + n as f64;
        DifferencePoint {
            n,
            mean,
            interval,
            verdict,
        }
    }

    #[test]
    fn courses_read_back() {
        let course = |b: &str| PairCourse {
            metric: "selection_rate".into(),
            a: "a, \"1\"".into(),
            b: b.into(),
            points: vec![
                point(1, None, Verdict::Undecided),
                point(2, Some((-0.1, 1e-300)), Verdict::NotComparable),
                point(7, Some((0.1, 0.3)), Verdict::Better),
            ],
        };
        let all = [course("b"), course("c")];
        let mut file = Vec::new();
        write_courses(&all, &mut file).unwrap();
        assert_eq!(read_courses(Path::new("x"), &*file).unwrap(), all);
    }

    #[test]
    fn a_broken_file_is_named_with_its_line() {
        let text = "metric,a,b,n,mean,lo,hi,verdict\nm,a,b,1,0,,,better\nm,a,b,x,0,,,better\n";
        let problem = read_courses(Path::new("dir/course.csv"), text.as_bytes()).unwrap_err();
        let said = problem.to_string();
        assert!(said.contains("course.csv") && said.contains('3'), "{said}");
    }
}
