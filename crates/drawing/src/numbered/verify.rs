//! The check of numbered panels: the list, its chances and the number drawn are compared with the
//! folder.

use serde_json::Value;

use super::drawn::DrawnNumber;
use super::list::{self, PANELS};
use super::record::{NUMBERED, NumberedRecord};
use super::stage::{CODES, NumberedStage};
use crate::checks::{
    DrawCheck, Held, Left, elsewhere, left, noted, published, same, unchanged, versions,
};
use crate::columns::{Wider, wider};
use crate::commitment::{COMMITMENT, Commitment, CommittedPanels};
use crate::draw::CheckedInputs;
use crate::files::draw_file;
use crate::folder::{DrawFolder, RANDOMNESS, RECORD};
use crate::hash::sha256;
use crate::inputs::Inputs;
use crate::keyed::KEYED;
use crate::page::PAGE;
use crate::seed::Randomness;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::record::outside;
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::limits::MOST_PANELS;
use kleroterion_sortition::lottery::LotteryWatch;
use kleroterion_sortition::numbered::{counts, largest};

/// Checks the numbered panels in a folder, and the number if one was drawn. Returns `None` if the
/// folder has no numbered panels. A check uses no kept lottery, and `watch` observes its
/// computation.
///
/// # Errors
/// Where its files can't be read.
pub fn verify_numbered(
    folder: &DrawFolder,
    held: &Held,
    watch: &LotteryWatch<'_>,
) -> Result<Option<Vec<DrawCheck>>, Problems> {
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
    let listed = read(folder, NUMBERED)?;
    findings.extend(noted(NUMBERED, &listed, &commitment, None));
    let number = drawn.as_ref().map(|(_, record)| record);
    let number = number.map(|record| noted(RECORD, record, &commitment, randomness));
    findings.extend(number.into_iter().flatten());
    let is_cut = drawn.is_none() && folder.bytes(RANDOMNESS)?.is_some();
    findings.extend(is_cut.then(|| {
        let differs = "it is missing, and a number was to be drawn".to_owned();
        DrawCheck::of_file(RECORD, "the record of the number", Some(differs))
    }));
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
    findings.push(DrawCheck::of_file(PANELS, &how, differs));
    let many = (1..=MOST_PANELS).contains(&committed.panels);
    let differs = format!(
        "{} panels, and {MOST_PANELS} are the most",
        committed.panels
    );
    let of_list = "the list that can be computed";
    findings.extend((!many).then(|| DrawCheck::of_file(COMMITMENT, of_list, Some(differs))));
    if !(has_inputs && many) {
        findings.extend(left(folder, &findings, Left::Unchecked)?);
        return Ok(Some(findings));
    }
    let again = Again {
        stage: NumberedStage::of(CheckedInputs::of(&inputs)?, committed.panels, watch)?,
        folder,
        inputs: &inputs,
        commitment: &commitment,
    };
    findings.extend(again.check_list(&list, &committed)?);
    match drawn {
        None => findings.push(DrawCheck::new("no number was drawn so far", None)),
        Some((randomness, record)) if is_same => {
            let by_hand = record["number"]["by"].as_str() == Some("hand");
            findings.extend(again.check_number(&randomness, by_hand)?);
        }
        Some(_) => {}
    }
    let others = match is_same {
        true => Left::Others,
        false => Left::Unchecked,
    };
    findings.extend(left(folder, &findings, others)?);
    Ok(Some(findings))
}

/// The randomness in a folder, and the record of the number; none where no number was drawn.
fn drawn_by(folder: &DrawFolder) -> Result<Option<(Randomness, Value)>, Problems> {
    if folder.bytes(RECORD)?.is_none() {
        return Ok(None);
    }
    let record = read(folder, RECORD)?;
    Ok(Some((folder.randomness(&record)?, record)))
}

/// A record in a folder; null where it is none.
fn read(folder: &DrawFolder, name: &str) -> Result<Value, Problem> {
    let bytes = folder.bytes(name)?.unwrap_or_default();
    Ok(outside::read(&bytes).unwrap_or_default())
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
    ) -> Result<Vec<DrawCheck>, Problems> {
        let mut findings = Vec::new();
        let question = self.stage.panel();
        let n = committed.panels;
        let what = format!(
            "{PANELS}: {n} panels of {} members by code",
            question.members
        );
        match list::read(bytes, &self.stage.stage.codes) {
            Err(why) => findings.push(DrawCheck::new(what, Some(why))),
            Ok(panels) => {
                let is_whole = panels.len() == n as usize;
                let differs = || format!("it has {}", panels.len());
                findings.push(DrawCheck::hold(what, is_whole, differs));
                findings.push(quotas_kept(&panels, question));
                findings.push(self.difference(&panels)?);
            }
        }
        let written = read(self.folder, NUMBERED)?;
        let (codes, hash) = self.table(CODES, &self.stage.codes(), &written["files"])?;
        findings.push(codes);
        let (_, mut files) = self.stage.files_with(self.inputs, self.commitment, hash);
        files.remove(CODES);
        let is_drawn = self.folder.bytes(RECORD)?.is_some();
        for (name, due) in files {
            if !(is_drawn && name == PAGE) {
                findings.push(same(self.folder, &name, &due)?);
            }
        }
        Ok(findings)
    }

    /// A table of people against what it is to be, in the columns that were committed; and the hash
    /// that the record is to have of it: where the table is another, what the record says, so that a
    /// difference is said once. `written`: the hashes in the record.
    fn table(
        &self,
        name: &str,
        due: &[u8],
        written: &Value,
    ) -> Result<(DrawCheck, Option<String>), Problem> {
        let found = self.folder.bytes(name)?;
        let schema = self.commitment.schema;
        let noted = written[name].as_str().filter(|_| schema >= KEYED);
        let (Some(taken), Some(found)) = (&self.inputs.taken, found) else {
            return Ok((same(self.folder, name, due)?, noted.map(str::to_owned)));
        };
        let hash = self.inputs.people_hash(schema).hash(&found);
        let differs = match wider(&found, due, b',', taken.names.as_deref()) {
            Wider::Same if schema >= KEYED && noted != Some(&hash) => {
                Some("its hash is not the one in the record".to_owned())
            }
            Wider::Same => None,
            Wider::Row(row) => Some(format!("row {row} is another")),
            Wider::Other => Some("it has not the columns that it must have".to_owned()),
        };
        let how = "computed again, in the columns that were committed";
        let hash = noted
            .map(str::to_owned)
            .or((schema >= KEYED).then_some(hash));
        Ok((DrawCheck::of_file(name, how, differs), hash))
    }

    /// The largest difference of the chances that the list gives from the lottery's.
    fn difference(&self, panels: &[Vec<u32>]) -> Result<DrawCheck, Problem> {
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
            Err(_) => DrawCheck::new(what, Some(format!("{NUMBERED} can't be read"))),
            Ok(stated) => {
                let said = [stated.difference.largest, stated.difference.bound];
                let near = |[a, b]: [f64; 2]| (a - b).abs() < 1e-9;
                let is_same = near([said[0], most]) && near([said[1], bound]);
                DrawCheck::hold(what, is_same, || {
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
    ) -> Result<Vec<DrawCheck>, Problems> {
        let mut drawn = DrawnNumber::of(
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
        let mut findings = vec![DrawCheck::new(what, None)];
        let written = read(self.folder, RECORD)?;
        for (name, due) in drawn.tables() {
            let (table, hash) = self.table(&name, &due, &written["files"])?;
            findings.push(table);
            drawn.record.files.extend(hash.map(|hash| (name, hash)));
        }
        for (name, due) in drawn.files() {
            if draw_file(&name).is_some_and(|file| file.people.is_none()) {
                findings.push(same(self.folder, &name, &due)?);
            }
        }
        Ok(findings)
    }
}

/// Each panel against what it must be.
fn quotas_kept(panels: &[Vec<u32>], question: &PanelQuestion) -> DrawCheck {
    let broken = (1..)
        .zip(panels)
        .filter(|(_, panel)| !question.breaches(panel).is_empty());
    let broken: Vec<String> = broken
        .map(|(number, _): (u32, _)| number.to_string())
        .collect();
    let what = "each panel is filled and keeps the quotas and households";
    DrawCheck::hold(what, broken.is_empty(), || match broken.len() {
        1 => format!("panel {} does not", broken[0]),
        n => format!("{n} do not, the first is {}", broken[0]),
    })
}
