//! Numbered panels checked: the list, its chances and the number that was drawn, held against the
//! folder.

use std::collections::BTreeMap;

use serde_json::Value;

use super::drawn::DrawnNumber;
use super::list::{self, PANELS};
use super::record::{NUMBERED, NumberedRecord};
use super::stage::NumberedStage;
use crate::drawing::columns::{Wider, wider};
use crate::drawing::commitment::{Commitment, CommittedPanels};
use crate::drawing::draw::Stage;
use crate::drawing::files::draw_file;
use crate::drawing::folder::{DrawFolder, RECORD};
use crate::drawing::hash::sha256;
use crate::drawing::inputs::Inputs;
use crate::drawing::page::PAGE;
use crate::drawing::seed::Randomness;
use crate::drawing::verify::{
    Finding, Held, elsewhere, left, published, same, unchanged, versions,
};
use crate::panel::PanelQuestion;
use crate::panel::lottery::LotteryWatch;
use crate::panel::numbered::{counts, largest};
use crate::problem::{Problem, Problems};
use crate::record::outside;

/// Checks the numbered panels in a folder and the number, where one was drawn; none where the folder
/// has no numbered panels. A check takes no lottery that was kept: `watch` sees it being computed.
///
/// # Errors
/// Where its files can't be read.
pub fn verify_numbered(
    folder: &DrawFolder,
    held: &Held,
    watch: &LotteryWatch<'_>,
) -> Result<Option<Vec<Finding>>, Problems> {
    let Some(commitment) = folder.commitment()? else {
        return Ok(None);
    };
    let Some(committed) = commitment.numbered.clone() else {
        return Ok(None);
    };
    let mut inputs = folder.inputs(&commitment)?;
    let drawn = drawn_by(folder)?;
    let randomness = drawn.as_ref().map(|(randomness, _)| randomness);
    let mut findings = published(&commitment, randomness, held);
    findings.extend(versions(&commitment));
    findings.extend(unchanged(folder, &commitment, &inputs)?);
    findings.extend(elsewhere(&mut inputs, held)?);
    // Tables are held against those of the columns that were committed.
    inputs.original = None;
    let has_inputs = findings.iter().all(|finding| finding.differs.is_none());
    let list = folder.bytes(PANELS)?.unwrap_or_default();
    let found = sha256(&list);
    let is_same = found == committed.sha256;
    let how = format!("SHA-256 {}, as committed", committed.sha256);
    let differs = (!is_same).then(|| format!("the file's is {found}"));
    findings.push(Finding::of_file(PANELS, &how, differs));
    if !has_inputs {
        return Ok(Some(findings));
    }
    let again = Again {
        stage: NumberedStage::of(Stage::of(&inputs)?, committed.panels, watch)?,
        folder,
        inputs: &inputs,
        commitment: &commitment,
    };
    findings.extend(again.check_list(&list, &committed)?);
    match drawn {
        None => findings.push(Finding::new("no number was drawn so far", None)),
        Some((randomness, by_hand)) if is_same => {
            findings.extend(again.check_number(&randomness, by_hand)?);
        }
        Some(_) => {}
    }
    findings.extend(left(folder, &findings)?);
    Ok(Some(findings))
}

/// The randomness in a folder, and whether it is a number that was drawn by hand; none where no
/// number was drawn.
fn drawn_by(folder: &DrawFolder) -> Result<Option<(Randomness, bool)>, Problems> {
    let Some(record) = folder.bytes(RECORD)? else {
        return Ok(None);
    };
    let record: Value = outside::read(&record).unwrap_or_default();
    let by_hand = record["number"]["by"].as_str() == Some("hand");
    Ok(Some((folder.randomness(&record)?, by_hand)))
}

/// The list made again.
struct Again<'a> {
    stage: NumberedStage,
    folder: &'a DrawFolder,
    inputs: &'a Inputs,
    commitment: &'a Commitment,
}

impl Again<'_> {
    /// The list of the folder: what its panels are, what chances they give, and that it is the one
    /// that the rule makes.
    fn check_list(
        &self,
        bytes: &[u8],
        committed: &CommittedPanels,
    ) -> Result<Vec<Finding>, Problems> {
        let mut findings = Vec::new();
        let question = self.stage.panel();
        let n = committed.panels;
        let what = format!(
            "{PANELS}: {n} panels of {} members by code",
            question.members
        );
        match list::read(bytes, &self.stage.stage.codes) {
            Err(why) => findings.push(Finding::new(what, Some(why))),
            Ok(panels) => {
                let is_whole = panels.len() == n as usize;
                let differs = || format!("it has {}", panels.len());
                findings.push(Finding::hold(what, is_whole, differs));
                findings.push(quotas_kept(&panels, question));
                findings.push(self.difference(&panels)?);
            }
        }
        let (_, files) = self.stage.files(self.inputs, self.commitment);
        let is_drawn = self.folder.bytes(RECORD)?.is_some();
        for (name, due) in files {
            if !(is_drawn && name == PAGE) {
                findings.push(self.same(&name, &due)?);
            }
        }
        Ok(findings)
    }

    /// A file of the folder against what it is to be; of a table of people the columns that were
    /// committed.
    fn same(&self, name: &str, due: &[u8]) -> Result<Finding, Problem> {
        let is_of_people = draw_file(name).is_none_or(|file| file.people.is_some());
        let found = self.folder.bytes(name)?;
        let (Some(taken), Some(found), true) = (&self.inputs.taken, found, is_of_people) else {
            return same(self.folder, name, due);
        };
        let differs = match wider(&found, due, b',', taken.names.as_deref()) {
            Wider::Same => None,
            Wider::Row(row) => Some(format!("row {row} is another")),
            Wider::Other => Some("it has not the columns that it must have".to_owned()),
        };
        let how = "computed again, in the columns that were committed";
        Ok(Finding::of_file(name, how, differs))
    }

    /// The largest difference of the chances that the list gives from the lottery's.
    fn difference(&self, panels: &[Vec<u32>]) -> Result<Finding, Problem> {
        let numbered = &self.stage.numbered;
        let counts = counts(panels, numbered.aims.len());
        let most = largest(&counts, &numbered.aims, panels.len() as u64);
        let [most, bound] = [most, numbered.least].map(|off| numbered.as_chance(off));
        let stated = self.folder.bytes(NUMBERED)?.unwrap_or_default();
        let stated: Result<NumberedRecord, _> = outside::read(&stated);
        let what = format!(
            "the chances by the list: the largest difference is {most:.9}, and no list has less than \
             {bound:.9}"
        );
        Ok(match stated {
            Err(_) => Finding::new(what, Some(format!("{NUMBERED} can't be read"))),
            Ok(stated) => {
                let said = [stated.difference.largest, stated.difference.bound];
                let near = |[a, b]: [f64; 2]| (a - b).abs() < 1e-9;
                let is_same = near([said[0], most]) && near([said[1], bound]);
                Finding::hold(what, is_same, || {
                    format!("{:.9} and {:.9} were stated", said[0], said[1])
                })
            }
        })
    }

    /// The number and its panel, and the files that follow.
    fn check_number(
        &self,
        randomness: &Randomness,
        by_hand: bool,
    ) -> Result<Vec<Finding>, Problems> {
        let drawn = DrawnNumber::of(
            self.folder,
            self.inputs,
            self.commitment,
            randomness,
            by_hand,
        )?;
        let number = &drawn.record.number;
        let what = match by_hand {
            true => format!("the number: {}, drawn by hand", number.value),
            false => format!("the number: {}, from the randomness", number.value),
        };
        let mut findings = vec![Finding::new(what, None)];
        let files: BTreeMap<String, Vec<u8>> = drawn.files();
        for (name, due) in files {
            findings.push(self.same(&name, &due)?);
        }
        Ok(findings)
    }
}

/// Each panel against what it must be.
fn quotas_kept(panels: &[Vec<u32>], question: &PanelQuestion) -> Finding {
    let broken = (1..)
        .zip(panels)
        .filter(|(_, panel)| !question.breaches(panel).is_empty());
    let broken: Vec<String> = broken
        .map(|(number, _): (u32, _)| number.to_string())
        .collect();
    let what = "each panel is filled and keeps the quotas and households";
    Finding::hold(what, broken.is_empty(), || match broken.len() {
        1 => format!("panel {} does not", broken[0]),
        n => format!("{n} do not, the first is {}", broken[0]),
    })
}
