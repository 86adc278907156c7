//! Small invented files, right and wrong.

mod right;
mod wrong_categories;
mod wrong_respondents;

use std::path::Path;

use super::{Categories, RespondentsSpec};
use crate::source::table::{LoadError, Table};

/// What is made of a file of some bytes, which is gone afterwards.
fn read<T>(bytes: impl AsRef<[u8]>, load: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("file.csv");
    std::fs::write(&path, bytes).expect("a file for the test");
    load(&path)
}

fn categories(bytes: impl AsRef<[u8]>, members: Option<u64>) -> Result<Categories, LoadError> {
    read(bytes, |path| Categories::load(path, members))
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
) -> Result<Table, LoadError> {
    let unique: Vec<String> = unique.iter().map(|name| (*name).to_owned()).collect();
    read(bytes, |path| {
        let spec = RespondentsSpec {
            path,
            categories: &two(),
            id,
            unique: &unique,
        };
        spec.load()
    })
}

/// All that is told, each problem a line, from the file's name on.
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
