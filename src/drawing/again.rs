//! A second draw: some members stay, others have left, and the rest is drawn anew.
//!
//! The question is reduced before any policy is set up, so that each policy can play it.

use std::collections::BTreeSet;

use super::code::Codes;
use super::earlier::{Earlier, KEEP, WITHOUT};
use super::folder::{DrawFolder, RECORD};
use super::inputs::Inputs;
use super::less::{everybody, less};
use super::lists::Index;
use super::question::Question;
use crate::document::Value;
use crate::problem::{Problem, Problems};

/// The rest of a panel, to be drawn.
pub struct Again {
    /// The question of the whole panel.
    pub whole: Question,
    /// The members who stay, in the order of their list.
    pub kept: Vec<u32>,
    /// Those who no longer take part, in the order of the file.
    pub out: Vec<u32>,
    /// Of each respondent of the reduced question, the one of the whole.
    pub people: Vec<u32>,
    /// The inputs of the reduced question.
    pub reduced: Inputs,
}

impl Again {
    /// The rest of a panel, where the inputs say that members stay.
    ///
    /// # Errors
    /// Where the lists name people who are not there, or no one can join those who stay.
    pub fn of(inputs: &Inputs) -> Result<Option<Self>, Problems> {
        let Some(earlier) = Earlier::of(inputs)? else {
            return Ok(None);
        };
        let whole = Question::of(&everybody(inputs))?;
        let (kept, out) = {
            let codes = Codes::of(inputs, &whole.panel.respondents);
            let index = Index::new(&whole.panel.respondents, &codes, id_column(inputs));
            let mut problems = Problems::default();
            let kept = index.list(KEEP, inputs, &mut problems);
            let left = index.list(WITHOUT, inputs, &mut problems);
            if left.iter().any(|one| kept.contains(one)) {
                let what = "a respondent is on the list of those who stay and of those who left";
                problems.push(Problem::of_request(what).help("take them off one of the lists"));
            }
            problems.or(())?;
            let gone = earlier.members.iter().filter_map(|name| index.find(name));
            let out: BTreeSet<u32> = left.into_iter().chain(gone).collect();
            let out = out.into_iter().filter(|one| !kept.contains(one));
            (kept.clone(), out.collect::<Vec<u32>>())
        };
        let people = free(&whole, &kept, &out);
        let reduced = less(inputs, &whole, &kept, &people)?;
        Ok(Some(Self {
            whole,
            kept,
            out,
            people,
            reduced,
        }))
    }
}

/// What a second draw has to know of the draw in a folder.
///
/// # Errors
/// Where the folder holds no draw, or its files can't be read.
pub fn after(folder: &DrawFolder) -> Result<Earlier, Problems> {
    folder.must_be()?;
    let (Some(record), Some(commitment)) = (folder.bytes(RECORD)?, folder.commitment()?) else {
        let what = format!("{} holds no draw", folder.path().display());
        let help = "give the folder that the first `klero draw` wrote";
        return Err(Problem::of_request(what).help(help).into());
    };
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap_or_default();
    let texts = |list: &serde_json::Value| {
        let list = list.as_array().into_iter().flatten();
        let texts = list.filter_map(|text| text.as_str().map(str::to_owned));
        texts.collect::<Vec<String>>()
    };
    let inputs = folder.inputs(&commitment)?;
    let whole = Question::of(&everybody(&inputs))?;
    let codes = Codes::of(&inputs, &whole.panel.respondents);
    let index = Index::new(&whole.panel.respondents, &codes, None);
    let panel = texts(&record["panel"]);
    let members = panel.iter().filter_map(|name| index.find(name));
    let names = whole.panel.respondents.names();
    let members = members.map(|one| names[one as usize].to_string()).collect();
    let mut randomness = texts(&record["again"]["earlier"]);
    let last = record["randomness"]["sha256"].as_str();
    randomness.extend(last.map(str::to_owned));
    Ok(Earlier {
        randomness,
        members,
    })
}

/// Those who can be drawn: neither on the panel nor out, and with no one who stays in a household.
fn free(whole: &Question, kept: &[u32], out: &[u32]) -> Vec<u32> {
    let all = &*whole.panel.respondents;
    let home = |one: u32| all.households().map(|homes| homes[one as usize]);
    let homes: BTreeSet<u32> = kept.iter().filter_map(|one| home(*one)).collect();
    let is_free = |one: &u32| {
        let is_kin = home(*one).is_some_and(|home| homes.contains(&home));
        !is_kin && !kept.contains(one) && !out.contains(one)
    };
    (0..all.len() as u32).filter(is_free).collect()
}

/// The column that names people, where the config says which.
fn id_column(inputs: &Inputs) -> Option<&str> {
    let Value::Table(source) = &inputs.document.root().get("source")?.value else {
        return None;
    };
    match &source.get("id")?.value {
        Value::Text(id) => Some(id),
        _ => None,
    }
}
