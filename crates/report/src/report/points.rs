//! The file `points.csv`: the runs of a sweep, each in a folder of its own.

use std::io::{self, Write};
use std::path::Path;

use super::plain;
use kleroterion_core::problem::{Place, Problem};
use kleroterion_io::record::{SheetWriter, read_row};

/// The list of a sweep's runs, in its folder.
pub const POINTS: &str = "points.csv";

/// The prefix of each run's folder.
const PREFIX: &str = "point-";

/// A run of a sweep: the name of its folder and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointEntry {
    /// The name of the folder, for example `point-003`.
    pub name: String,
    /// The settings: each path with its value, as written.
    pub set: Vec<(String, String)>,
}

impl PointEntry {
    /// Returns the settings of the run, for example `seed = 1, rules.slate = 2`.
    #[must_use]
    pub fn settings(&self) -> String {
        let parts = self.set.iter();
        let parts = parts.map(|(key, value)| format!("{key} = {value}"));
        plain(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// Returns the name of the folder of run `number` of `all`, from 1. Names sort like the numbers.
#[must_use]
pub fn point_name(number: usize, all: usize) -> String {
    let digits = all.to_string().len().max(3);
    format!("{PREFIX}{number:0digits$}")
}

/// Writes `points.csv`. Each row has a run's name and the values of the sweep's keys.
pub fn write_points(points: &[PointEntry], out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    let keys = points.first().map_or(&[][..], |point| &point.set).iter();
    csv.row(std::iter::once("point").chain(keys.map(|(key, _)| key.as_str())))?;
    for point in points {
        let values = point.set.iter().map(|(_, value)| value.as_str());
        csv.row(std::iter::once(point.name.as_str()).chain(values))?;
    }
    csv.flush()
}

/// Reads the runs of the sweep in a folder, in its order. `None` if the folder holds no sweep.
///
/// # Errors
/// A list that is no list of runs.
pub fn read_points(folder: &Path) -> Option<Result<Vec<PointEntry>, Problem>> {
    let path = folder.join(POINTS);
    path.exists().then(|| {
        let wrong = |line, what: String| {
            let problem = Problem::new(Place::line(&path, line), what);
            problem.help("the file was changed since the sweep: run it again with --force")
        };
        let unread = |error: ::csv::Error| {
            let line = error.position().map(::csv::Position::line);
            wrong(line, format!("this is no list of a sweep's runs: {error}"))
        };
        let mut csv = ::csv::Reader::from_path(&path).map_err(unread)?;
        let keys = read_row(csv.headers().map_err(unread)?).into_owned();
        let mut points = Vec::new();
        for record in csv.records() {
            let record = record.map_err(unread)?;
            let record = read_row(&record);
            let name = record.get(0).unwrap_or_default();
            if !is_point_name(name) {
                let line = record.position().map(::csv::Position::line);
                return Err(wrong(line, "its first column names no run".to_owned()));
            }
            let set = keys.iter().zip(record.iter()).skip(1);
            points.push(PointEntry {
                name: name.to_owned(),
                set: set.map(|(key, value)| (key.into(), value.into())).collect(),
            });
        }
        Ok(points)
    })
}

/// Returns true if a name can be that of a run's folder. Nothing outside the sweep's folder is ever
/// named.
fn is_point_name(name: &str) -> bool {
    let number = name.strip_prefix(PREFIX).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, value: &str) -> PointEntry {
        PointEntry {
            name: name.into(),
            set: vec![("policy.\"a, b\".v".into(), value.into())],
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let home = tempfile::tempdir().unwrap();
        assert!(read_points(home.path()).is_none());
        let points = vec![entry("point-001", "1"), entry("point-002", "\"x\",\ny")];
        let file = std::fs::File::create(home.path().join(POINTS)).unwrap();
        write_points(&points, file).unwrap();
        assert_eq!(read_points(home.path()), Some(Ok(points)));
    }

    #[test]
    fn names_sort_as_numbers() {
        assert_eq!(point_name(3, 12), "point-003");
        let names: Vec<_> = (1..=1000).map(|number| point_name(number, 1000)).collect();
        assert!(names.is_sorted());
        assert!(names.iter().all(|name| is_point_name(name)));
    }

    #[test]
    fn a_list_that_names_other_folders_is_refused() {
        let home = tempfile::tempdir().unwrap();
        for name in ["..", "point-../x", "point-", "/", "", "point-1/.."] {
            std::fs::write(home.path().join(POINTS), format!("point,seed\n{name},1\n")).unwrap();
            let problem = read_points(home.path()).unwrap().unwrap_err();
            assert!(problem.help.unwrap().contains("--force"), "{name}");
        }
        std::fs::write(home.path().join(POINTS), "point,seed\npoint-001,1,2\n").unwrap();
        assert!(read_points(home.path()).unwrap().is_err());
    }
}
