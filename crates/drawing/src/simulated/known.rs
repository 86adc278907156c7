//! The known state of a draw's folder, and the conditions that must hold from then on.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::process::{Announced, Command, From, NAMED};
use super::town::Town;
use crate::{
    COMMITMENT, DrawFolder, Held, PAGE, RANDOMNESS, RECORD, draw_file, sha256, verify_drawn,
    verify_numbered,
};
use kleroterion_report::report::files::LOCK;
use kleroterion_sortition::lottery::LotteryWatch;

/// The files of a folder by their paths.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

const AHEAD: &str = "A commitment was made before the randomness was given";
const NOT_AHEAD: &str = "No commitment was made in this folder before the randomness was given";

/// The known state of a draw's folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The commitment, the command that wrote it, and the version of the people that it is to.
    pub(super) commitment: Option<(Vec<u8>, Command, u64)>,
    /// The randomness.
    pub(super) randomness: Option<Vec<u8>>,
    /// The files of the draw, once it is complete.
    pub(super) finished: Option<Files>,
    /// The panel that was announced.
    announced: Option<Vec<String>>,
    /// The files that others put there.
    pub(super) foreign: BTreeSet<String>,
}

impl Known {
    /// The panels of a list, where the commitment is to one.
    pub(super) fn panels(&self) -> Option<u32> {
        match &self.commitment {
            Some((_, Command::Numbered(panels), _)) => Some(*panels),
            _ => None,
        }
    }

    /// Returns the earlier draw, if the commitment is that of a second draw.
    pub(super) fn after(&self) -> Option<&'static str> {
        match &self.commitment {
            Some((_, Command::Commit(from) | Command::Draw(from, _), _)) => match from {
                From::After(before, _) => Some(before),
                From::Config(_) => None,
            },
            _ => None,
        }
    }

    /// Returns true if the commitment is to the requested draw. `people` is the version of their
    /// file.
    pub(super) fn is_to(&self, asked: &From, people: u64) -> bool {
        match &self.commitment {
            Some((_, Command::Commit(from) | Command::Draw(from, _), of)) => {
                from == asked && (*of == people || matches!(from, From::After(..)))
            }
            _ => false,
        }
    }

    /// Sees what a folder has after a command, and what it announced.
    pub(super) fn see(
        &mut self,
        files: Files,
        (command, people): (&Command, u64),
        announced: Option<&Announced>,
    ) -> Result<(), String> {
        let held = [(COMMITMENT, self.commitment.as_ref().map(|one| &one.0))];
        let held = held
            .into_iter()
            .chain([(RANDOMNESS, self.randomness.as_ref())]);
        for (name, known) in held {
            if known.is_some() && known != files.get(name) {
                return Err(format!("{name} is another than it was"));
            }
        }
        if let (None, Some(bytes)) = (&self.commitment, files.get(COMMITMENT)) {
            self.commitment = Some((bytes.clone(), command.clone(), people));
        }
        self.randomness = files.get(RANDOMNESS).cloned();
        match (&self.finished, files.contains_key(RECORD)) {
            (Some(before), _) => {
                let is_same = |(name, bytes): (&String, &Vec<u8>)| files.get(name) == Some(bytes);
                if !before.iter().all(is_same) {
                    return Err("a draw that was made is another than it was".into());
                }
            }
            (None, true) => {
                self.claims(&files)?;
                let own = files.into_iter();
                let own = own.filter(|(name, _)| !self.foreign.contains(name) && *name != LOCK);
                self.finished = Some(own.collect());
            }
            (None, false) => {}
        }
        match announced {
            Some(announced) => self.announce(announced),
            None => Ok(()),
        }
    }

    /// Holds what a draw says of itself against what is known.
    fn claims(&self, files: &Files) -> Result<(), String> {
        let text = |name: &str| files.get(name).cloned().unwrap_or_default();
        let record: Value = serde_json::from_slice(&text(RECORD)).map_err(|why| why.to_string())?;
        let is_ahead = match &self.commitment {
            Some((_, Command::Commit(_) | Command::Numbered(_), _)) => true,
            Some(_) => false,
            None => return Err("a draw without a commitment".into()),
        };
        let name = if is_ahead { NAMED.into() } else { Value::Null };
        let due = [
            (
                "is_committed",
                &record["is_committed"],
                Value::from(is_ahead),
            ),
            (
                "commitment",
                &record["commitment"],
                sha256(&text(COMMITMENT)).into(),
            ),
            (
                "randomness",
                &record["randomness"]["sha256"],
                sha256(&text(RANDOMNESS)).into(),
            ),
            ("its name", &record["randomness"]["name"], name),
        ];
        for (what, found, due) in due {
            if *found != due {
                return Err(format!(
                    "draw.json says of {what}: {found}, and it is {due}"
                ));
            }
        }
        let page = String::from_utf8_lossy(&text(PAGE)).into_owned();
        let says = [page.contains(AHEAD), page.contains(NOT_AHEAD)];
        match self.panels().is_some() || says == [is_ahead, !is_ahead] {
            true => Ok(()),
            false => Err(format!("the page says of a commitment: {says:?}")),
        }
    }

    /// Takes what was announced: a panel once, that of the record.
    fn announce(&mut self, announced: &Announced) -> Result<(), String> {
        match announced {
            Announced::Commitment(hash) => match &self.commitment {
                Some((bytes, ..)) if *hash == sha256(bytes) => Ok(()),
                _ => Err(format!("{hash} was announced, and is not there")),
            },
            Announced::Panel(panel) => {
                if self.announced.replace(panel.clone()).is_some() {
                    return Err("two panels were announced".into());
                }
                let files = self.finished.as_ref().ok_or("a panel without a record")?;
                let record: Value = serde_json::from_slice(&files[RECORD]).unwrap_or_default();
                match record["panel"] == serde_json::json!(panel) {
                    true => Ok(()),
                    false => Err("the record has another panel than was announced".into()),
                }
            }
        }
    }

    /// Checks a draw that was made as `klero draw verify` does: all holds, and what is of others is
    /// named.
    pub(super) fn verified(&self, town: &Town, out: &str) -> Result<(), String> {
        let (folder, held) = (DrawFolder::at(&town.path(out)), Held::default());
        let findings = match self.panels() {
            Some(_) => verify_numbered(&folder, &held, &LotteryWatch::patient()),
            None => verify_drawn(&folder, &held, &LotteryWatch::patient()).map(Some),
        };
        let findings = findings.map_err(|why| format!("it can't be checked: {why}"))?;
        let findings = findings.ok_or("it is not of numbered panels")?;
        if let Some(wrong) = findings.iter().find(|one| one.differs.is_some()) {
            return Err(format!("the check says: {wrong:?}"));
        }
        let mut unread = findings.iter().filter(|one| !one.is_checked);
        let is_named = |name: &String| unread.clone().any(|one| one.what.starts_with(&**name));
        if let Some(name) = self.foreign.iter().find(|name| !is_named(name)) {
            return Err(format!("{name} is not named"));
        }
        let is_known = |what: &str| {
            let name = what.split(": ").next().unwrap_or_default();
            // A lock is left by a process that was killed.
            let is_left = name == LOCK || self.foreign.contains(name);
            is_left || draw_file(name).is_some_and(|file| file.is_unread())
        };
        match unread.find(|one| !is_known(&one.what)) {
            Some(other) => Err(format!("{} was not read", other.what)),
            None => Ok(()),
        }
    }
}
