//! Small invented files, right and wrong.

mod cells;
mod people;
mod right;
mod wrong_categories;
mod wrong_respondents;

use crate::record::file::How;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Categories, Intersections, QuotaNames, QuotaSpec, RespondentsSpec};
use crate::people::table::{LoadError, PeopleTable};

/// Loads a file with these bytes, which is removed afterwards.
fn read<T>(bytes: impl AsRef<[u8]>, load: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("file.csv");
    std::fs::write(&path, bytes).expect("a file for the test");
    load(&path)
}

fn categories(bytes: impl AsRef<[u8]>, members: Option<u64>) -> Result<Categories, LoadError> {
    read(bytes, |path| {
        Categories::load(path, &How::default(), members)
    })
}

/// Gender and age, for committees of 4.
fn two() -> Categories {
    let text =
        "feature,value,min,max\ngender,female,2,2\ngender,male,2,2\nage,18-39,1,3\nage,40+,1,3\n";
    categories(text, Some(4)).expect("a categories file")
}

fn respondents(
    bytes: impl AsRef<[u8]>,
    id: Option<&str>,
    unique: &[&str],
) -> Result<PeopleTable, LoadError> {
    let unique: Vec<String> = unique.iter().map(|name| (*name).to_owned()).collect();
    read(bytes, |path| {
        let spec = RespondentsSpec {
            how: &How::default(),
            filters: &[],
            bands: &[],
            keeps_others: false,
            path,
            categories: &two(),
            id,
            unique: &unique,
        };
        spec.load()
    })
}

/// The problems, a line each, from the file's name on.
fn told<T>(result: Result<T, LoadError>) -> String {
    let Err(error) = result else {
        return String::new();
    };
    let problems = error.problems.0.iter().map(|problem| {
        let text = problem.to_string();
        match text.find("file.csv") {
            Some(at) => text[at + "file.csv".len()..].to_owned(),
            None => text,
        }
    });
    problems.collect::<Vec<_>>().join("\n")
}

proptest! {
    #[test]
    fn whatever_the_bytes_there_is_a_table_or_a_reason(
        header in select(vec!["", "feature,value,min,max\n", "\u{feff}category,feature,min,max\n", "gender,age\n"]),
        pieces in vec(
            select(vec![
                "feature", "value", "min", "gender", "age", "female", " Male ", "40+", "0", "3", "-1", "99999999999",
                ",", ",", ",", ",", "\n", "\n", "\r\n", "\"", " ", "é", "\0",
            ]),
            0..40,
        ),
    ) {
        let text = header.to_owned() + &pieces.concat();
        let (categories, people) = read(text, |path| {
            let spec = RespondentsSpec {
                how: &How::default(),
                path,
                categories: &two(),
                id: Some("gender"),
                unique: &["age".into()],
                filters: &[],
                bands: &[],
                keeps_others: false,
            };
            (Categories::load(path, &How::default(), Some(4)), spec.load())
        });
        prop_assert!(categories.map_or_else(|e| !e.problems.0.is_empty(), |c| !c.attributes().is_empty()));
        prop_assert!(people.map_or_else(|e| !e.problems.0.is_empty(), |table| table.len() > 0));
    }
}
