//! Tables loaded from small files made here, and from the real ones that `KLERO_DATA` has.

mod real;
mod right;
mod values;
mod wrong_files;
mod wrong_specs;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::record::Levels;

/// A folder with one file, removed when dropped.
struct Made {
    _folder: TempDir,
    path: PathBuf,
}

fn made(bytes: impl AsRef<[u8]>) -> Made {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("people");
    std::fs::write(&path, bytes).expect("a file for the test");
    Made {
        _folder: folder,
        path,
    }
}

/// The way in which a file is opened, and its columns where it has no header.
type Layout = (How, Option<Vec<String>>);

fn csv() -> Layout {
    (How::separated(Some(b',')), None)
}

/// CSV without a header.
fn headless(columns: &[&str]) -> Layout {
    let columns = columns.iter().copied().map(String::from);
    (How::separated(Some(b',')), Some(columns.collect()))
}

/// JSON records.
fn json() -> Layout {
    let how = How {
        records: true,
        ..How::default()
    };
    (how, None)
}

/// A spec with the attributes `(name, column, levels)` and nothing else.
fn spec(path: &Path, layout: Layout, attributes: Vec<(&str, &str, Levels)>) -> TableSpec {
    let attributes = attributes.into_iter();
    TableSpec {
        path: path.to_owned(),
        how: layout.0,
        columns: layout.1,
        filters: Vec::new(),
        id: None,
        attributes: attributes
            .map(|(name, column, levels)| AttributeSpec {
                name: name.into(),
                column: column.into(),
                levels,
            })
            .collect(),
        weight: None,
        unique: vec![],
        numbers: Default::default(),
    }
}

fn filters(texts: &[&str]) -> Vec<Filter> {
    let parse = |text: &&str| Filter::parse(text).expect("a filter");
    texts.iter().map(parse).collect()
}

fn listed(pairs: &[(&str, &str)]) -> Levels {
    let pairs = pairs.iter().map(|(a, b)| ((*a).into(), (*b).into()));
    Levels::values(pairs.collect()).expect("a list of values")
}

fn banded(bands: &[(&str, f64, f64)]) -> Levels {
    let bands = bands
        .iter()
        .map(|(name, from, to)| ((*name).into(), *from, *to));
    Levels::bands(bands.collect()).expect("bands")
}

/// Each kept row as its id, its line and the names of its values.
fn told(table: &PeopleTable) -> Vec<String> {
    let row = |row: usize| {
        let values = table.values(row).iter().zip(table.attributes());
        let values: Vec<_> = values
            .map(|(value, (_, levels))| levels[usize::from(*value)].as_str())
            .collect();
        format!(
            "{} @{} {}",
            table.id(row),
            table.line(row),
            values.join(" ")
        )
    };
    (0..table.len()).map(row).collect()
}

/// The problems of a file, without the file's path.
fn problems(spec: &TableSpec) -> Vec<String> {
    let error = PeopleTable::load(spec).expect_err("something is wrong");
    let path = spec.path.display().to_string();
    let problems = error.problems.0.iter();
    problems
        .map(|p| p.to_string().replacen(&path, "", 1))
        .collect()
}

/// Holds problems against those expected, one by one: each begins with the first text and holds
/// the second.
fn assert_told(spec: &TableSpec, due: &[(&str, &str)]) {
    let told = problems(spec);
    let all = told.join("\n");
    assert_eq!(told.len(), due.len(), "{all}");
    for (told, (begins, holds)) in told.iter().zip(due) {
        assert!(
            told.starts_with(begins) && told.contains(holds),
            "{told}\nlacks {begins} … {holds}"
        );
    }
}

/// Two attributes that most of the wrong files are read for.
fn ab() -> Vec<(&'static str, &'static str, Levels)> {
    let bands = banded(&[("lo", 0.0, 5.0), ("hi", 5.0, 10.0)]);
    vec![
        ("a", "a", bands),
        ("b", "b", listed(&[("x", "ex"), ("y", "why")])),
    ]
}
