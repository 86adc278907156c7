//! First configs from tables of people.

use std::path::{Path, PathBuf};

use kleroterion::config::{ConfigInputs, Document, check};
use kleroterion::init::{
    InitFile, QuotaColumns, QuotaWishes, Roles, RowFaults, Setting, Wishes, draft,
};
use kleroterion::jobs::JobError;
use kleroterion::people::organisers::{Categories, MembersBy, QuotaSpec};
use kleroterion::problem::{Problem, Problems};
use kleroterion::record::Filter;
use kleroterion::record::file::{Grid, How, MemoryTable};
use pyo3::prelude::*;

use super::errors;
use super::request::{Sheet, memory_table};

/// The name of the table of people in configs, and that of quotas.
const PEOPLE: &str = "people";
const QUOTAS: &str = "quotas";

/// The head of the config.
const HEAD: &str = "A first config, written by `kleroterion.init`. `kleroterion.check` says what \
                    it assumes, and `kleroterion.run` plays it.";

/// A table of the program, and the text by which a config names it.
struct Named {
    path: PathBuf,
    how: How,
    held: Option<(&'static str, MemoryTable)>,
}

impl Named {
    fn of(sheet: Sheet, name: &'static str) -> Result<Self, Problem> {
        Ok(match sheet {
            Sheet::File(path) => Self {
                path: std::path::absolute(&path).unwrap_or(path),
                how: How::default(),
                held: None,
            },
            Sheet::Columns(columns) => {
                let table = memory_table(&columns)?;
                Self {
                    path: table.path(name),
                    how: How {
                        held: Some(table.clone()),
                        ..How::default()
                    },
                    held: Some((name, table)),
                }
            }
        })
    }

    fn grid(&self) -> Result<Grid, Problems> {
        Grid::read(&self.path, &self.how).map_err(Problems::from)
    }

    /// Its name in a draft, which has paths alone.
    fn drafted(&self) -> String {
        match &self.held {
            Some((name, _)) => format!("memory:{name}"),
            None => self.path.display().to_string(),
        }
    }

    /// The draft with tables from memory by their names.
    fn named(&self, text: String) -> String {
        match &self.held {
            Some((name, _)) => {
                let table = format!("{{ memory = \"{name}\" }}");
                text.replace(&format!("\"{}\"", self.drafted()), &table)
            }
            None => text,
        }
    }
}

/// Writes a first config. Returns it, and what was found and assumed.
#[pyfunction]
pub fn first_config(
    py: Python<'_>,
    people: Sheet,
    quotas: Option<Sheet>,
    places: Option<u64>,
) -> PyResult<(String, Vec<String>)> {
    let written = py.detach(|| {
        let people = Named::of(people, PEOPLE)?;
        let quotas = quotas.map(|quotas| Named::of(quotas, QUOTAS)).transpose()?;
        Ok(write(&people, quotas.as_ref(), places)?)
    });
    written.map_err(|error: JobError| errors::of_job(py, error))
}

fn write(
    people: &Named,
    quotas: Option<&Named>,
    places: Option<u64>,
) -> Result<(String, Vec<String>), Problems> {
    let read = quotas
        .map(|quotas| categories(quotas, places))
        .transpose()?;
    let (columns, categories) = read.unzip();
    let sheet = InitFile::of(&people.path, people.grid()?, None)?;
    let mut roles = Roles::guess(&sheet, &[], categories.as_ref())?;
    let mut said = sheet.found.clone();
    said.extend(roles.lines(&sheet, categories.is_some()));
    let faults = RowFaults::find(&sheet, &roles, categories.as_ref());
    said.extend(faults.said.iter().cloned());
    let sheet = kept(&sheet, &faults)?;
    if categories.is_none() {
        said.extend(roles.drop_alike(&sheet));
    }
    let (path, quotas_path) = (people.drafted(), quotas.map(Named::drafted));
    let wished = columns.as_ref().zip(categories.as_ref());
    let wishes = Wishes {
        sheet: &sheet,
        roles: &roles,
        filters: &faults.filters,
        quotas: wished.map(|(columns, categories)| QuotaWishes {
            categories,
            columns,
            path: quotas_path.as_deref().unwrap_or_default(),
            sheet: None,
        }),
        places,
        people: &path,
    };
    let mut drafted = draft(Setting::guess(&roles, quotas.is_some()), &wishes)?;
    for sentence in drafted.assumed.iter_mut().chain(&mut said) {
        *sentence = without_options(sentence);
    }
    said.extend(drafted.assumed.iter().cloned());
    let text = people.named(drafted.finish(HEAD));
    let text = match quotas {
        Some(quotas) => quotas.named(text),
        None => text,
    };
    let tables = [Some(people), quotas].into_iter().flatten();
    let tables = tables.filter_map(|one| one.held.clone());
    let inputs = tables.fold(ConfigInputs::default(), |inputs, (name, table)| {
        inputs.with_table(name, table)
    });
    check(&Document::parse(&text)?, inputs.in_folder("."))?;
    Ok((text, said))
}

/// A sentence without advice on options of the command line. The number of places is an argument.
fn without_options(sentence: &str) -> String {
    let sentence = sentence.replace("--places N", "places=N");
    let advice = sentence.split_once(" (otherwise: --");
    let around = advice.and_then(|(before, after)| Some((before, after.split_once(')')?.1)));
    match around {
        Some((before, after)) => format!("{before}{after}"),
        None => sentence,
    }
}

/// The people who are kept: rows that are no people are left out.
fn kept(sheet: &InitFile, faults: &RowFaults) -> Result<InitFile, Problems> {
    let parsed = faults.filters.iter().map(|text| {
        let filter = Filter::parse(text);
        filter.map_err(|error| Problem::of_file(&sheet.path, error.what))
    });
    let parsed: Vec<Filter> = parsed.collect::<Result<_, Problem>>()?;
    let kept = sheet.kept(&parsed, &faults.twins);
    if kept.people == 0 {
        let what = "no row is a person whose groups are known";
        let help = "correct the cells of the table";
        return Err(Problem::of_file(&sheet.path, what).help(help).into());
    }
    Ok(kept)
}

fn categories(quotas: &Named, places: Option<u64>) -> Result<(QuotaColumns, Categories), Problems> {
    let path: &Path = &quotas.path;
    let columns = QuotaColumns::guess(path, &quotas.grid()?.rows[0], &[])?;
    if !columns.missing().is_empty() {
        let mut problem = columns.unknown(path);
        problem.help = Some("name them category, name, min and max".into());
        return Err(problem.into());
    }
    let spec = QuotaSpec {
        how: quotas.how.clone(),
        members: places,
        members_by: MembersBy::Places,
        columns: columns.names(),
        ..QuotaSpec::default()
    };
    let categories = Categories::read(path, &spec).map_err(Problems::from)?;
    Ok((columns, categories))
}
