//! A second draw: some members stay, others have left, and the remaining places are drawn anew.
//!
//! The question is reduced before any policy is set up, so that each policy can play it.

use std::collections::BTreeSet;

use super::code::Codes;
use super::earlier::Earlier;
use super::folder::{DrawFolder, RECORD};
use super::hash::sha256;
use super::inputs::Inputs;
use super::less::{everybody, less};
use super::lists::Lists;
use super::question::DrawQuestion;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::record::outside;

/// The remaining places of a panel, to be drawn.
pub struct Again {
    /// The question of the whole panel.
    pub whole: DrawQuestion,
    /// The members who stay, in the order of their list.
    pub kept: Vec<u32>,
    /// The number of them who stepped in as alternates of the draw before.
    pub stepped_in: usize,
    /// The respondents who no longer take part, in the order of the file.
    pub out: Vec<u32>,
    /// For each respondent of the reduced question, the respondent of the whole.
    pub people: Vec<u32>,
    /// The inputs of the reduced question.
    pub reduced: Inputs,
    /// Notes on the lists.
    pub notes: Vec<String>,
}

impl Again {
    /// Returns the remaining places, if the inputs say that members stay.
    ///
    /// # Errors
    /// Where the lists name people who are not there or were no members, or no one can join those
    /// who stay.
    pub fn of(inputs: &Inputs) -> Result<Option<Self>, Problems> {
        let Some((whole, lists)) = whole_and_lists(inputs)? else {
            return Ok(None);
        };
        lists.problems.or(())?;
        let (kept, out, notes) = (lists.kept, lists.out, lists.notes);
        let people = free(&whole, &kept, &out);
        let reduced = less(inputs, &whole, &kept, &people)?;
        Ok(Some(Self {
            whole,
            kept,
            stepped_in: lists.stepped_in,
            out,
            people,
            reduced,
            notes,
        }))
    }
}

/// Returns the number of alternates among those who stay for a second draw, and the problems of its
/// lists. `None` if the inputs are those of a first draw.
///
/// # Errors
/// Where the question of the whole panel can't be read.
pub(super) fn checked_lists(inputs: &Inputs) -> Result<Option<(usize, Problems)>, Problems> {
    let read = whole_and_lists(inputs)?;
    Ok(read.map(|(_, lists)| (lists.stepped_in, lists.problems)))
}

/// The question of the whole panel, and the lists of who stays and who left.
fn whole_and_lists(inputs: &Inputs) -> Result<Option<(DrawQuestion, Lists)>, Problems> {
    let Some(earlier) = Earlier::of(inputs)? else {
        return Ok(None);
    };
    let whole = DrawQuestion::of(&everybody(inputs))?;
    let people = inputs.everyone();
    if !whole.is_named() && earlier.is_of_others(people.as_deref()) {
        let what = "people are named by the numbers of their rows, and the file of people is not \
                    that of the draw before: a number may be another person's now";
        let help = "leave out the config, to draw from the files of the draw before; or give both \
                    draws a column of ids: `id` in [source]";
        return Err(Problem::of_request(what).help(help).into());
    }
    let lists = Lists::of(inputs, &whole, &earlier);
    Ok(Some((whole, lists)))
}

/// Returns the facts of the draw in a folder that a second draw needs.
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
    let record: serde_json::Value = outside::read(&record).map_err(|error| {
        let what = format!("this is no record of a draw: {error}");
        let problem = Problem::of_file(folder.path().join(RECORD), what);
        problem.help("take the folder as the draw left it")
    })?;
    let texts = |list: &serde_json::Value| {
        let list = list.as_array().into_iter().flatten();
        let texts = list.filter_map(|text| text.as_str().map(str::to_owned));
        texts.collect::<Vec<String>>()
    };
    let inputs = folder.inputs(&commitment)?;
    let whole = DrawQuestion::of(&everybody(&inputs))?;
    let codes = Codes::of(&inputs, &whole.panel.respondents);
    let roster = whole.roster(&codes);
    let ids = |list: &serde_json::Value| {
        let ids = texts(list).into_iter().map(|name| {
            let one = roster.find(&name)?;
            Some(roster.id(one).to_owned())
        });
        ids.collect::<Option<Vec<String>>>()
    };
    let (Some(members), Some(alternates)) = (ids(&record["panel"]), ids(&record["alternates"]))
    else {
        let what = format!(
            "{RECORD} in {} has a member or an alternate who is no respondent",
            folder.path().display()
        );
        let help = "take the folder as the draw left it";
        return Err(Problem::of_request(what).help(help).into());
    };
    let mut randomness = texts(&record["again"]["earlier"]);
    let last = record["randomness"]["sha256"].as_str();
    randomness.extend(last.map(str::to_owned));
    Ok(Earlier {
        randomness,
        members,
        alternates: Some(alternates),
        people: inputs.everyone().map(|bytes| sha256(&bytes)),
    })
}

/// Returns the respondents who can be drawn. They are neither on the panel nor out, and share no
/// household with a member who stays.
fn free(whole: &DrawQuestion, kept: &[u32], out: &[u32]) -> Vec<u32> {
    let all = &*whole.panel.respondents;
    let home = |one: u32| all.households().map(|homes| homes[one as usize]);
    let homes: BTreeSet<u32> = kept.iter().filter_map(|one| home(*one)).collect();
    let is_free = |one: &u32| {
        let is_kin = home(*one).is_some_and(|home| homes.contains(&home));
        !is_kin && !kept.contains(one) && !out.contains(one)
    };
    (0..all.len() as u32).filter(is_free).collect()
}
