//! `course.csv`: the course of each comparison of a run.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::Deserialize;

use kleroterion_core::problem::{Place, Problem};
use kleroterion_io::record::{SheetWriter, read_row, shortest};
use kleroterion_stats::{DifferencePoint, PairCourse, Verdict};

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
    let mut csv = ::csv::Reader::from_reader(text);
    let heads = csv.headers().map_err(|error| broken(path, &error))?.clone();
    for row in csv.records() {
        let row = row.and_then(|row| read_row(&row).deserialize(Some(&heads)));
        let row: CourseRow = row.map_err(|error| broken(path, &error))?;
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

fn broken(path: &Path, error: &::csv::Error) -> Problem {
    let place = Place::line(path, error.position().map(::csv::Position::line));
    let help = "the file is cut short or was changed: run it again, or delete the file";
    Problem::new(place, format!("this is no {COURSE} of a run: {error}")).help(help)
}

#[cfg(test)]
mod tests {
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
