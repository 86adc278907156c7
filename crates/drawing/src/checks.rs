//! The checks that draws and numbered panels share, and their findings.

use std::path::PathBuf;

use serde_json::Value;

use super::commitment::{COMMITMENT, Commitment};
use super::earlier::Earlier;
use super::files::draw_file;
use super::folder::{DrawFolder, RANDOMNESS, RECORD};
use super::hash::sha256;
use super::held::line;
use super::inputs::{CONFIG, INPUTS, Inputs, read_given, unread};
use super::seed::Randomness;
use kleroterion_core::problem::Problem;
use kleroterion_io::record::outside;
use kleroterion_report::report::files::LOCK;

/// A check of a draw, and the difference found, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawCheck {
    /// The thing checked.
    pub what: String,
    /// The difference. `None` if there is none.
    pub differs: Option<String>,
    /// The path of the file in the folder that was checked, if the check concerns one.
    file: Option<String>,
    /// True if the thing was checked. False for a file that is present and was not read.
    pub is_checked: bool,
}

impl DrawCheck {
    pub(super) fn new(what: impl Into<String>, differs: Option<String>) -> Self {
        Self {
            what: what.into(),
            differs,
            file: None,
            is_checked: true,
        }
    }

    /// Makes the finding on a file of the folder, from its path and the way it was checked.
    pub(super) fn of_file(name: &str, how: &str, differs: Option<String>) -> Self {
        Self {
            file: Some(name.to_owned()),
            ..Self::new(format!("{name}: {how}"), differs)
        }
    }

    /// Makes the finding on a file of the folder that was not read.
    fn unread(name: &str, why: &str) -> Self {
        Self {
            is_checked: false,
            ..Self::of_file(name, why, None)
        }
    }

    pub(super) fn hold(
        what: impl Into<String>,
        is_same: bool,
        differs: impl FnOnce() -> String,
    ) -> Self {
        Self::new(what, (!is_same).then(differs))
    }
}

/// The data from elsewhere that the user has a draw checked against.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The hash that was published as the commitment.
    pub commitment: Option<String>,
    /// The public randomness.
    pub randomness: Option<Randomness>,
    /// The inputs of the user's own config.
    pub config: Option<Inputs>,
    /// The file of people.
    pub respondents: Option<PathBuf>,
    /// The facts on the draw before.
    pub after: Option<Earlier>,
    /// The number of threads to play on.
    pub threads: Option<usize>,
}

/// The commitment and the randomness, where there is any, against what is known of them from
/// elsewhere.
pub(super) fn published(
    commitment: &Commitment,
    randomness: Option<&Randomness>,
    held: &Held,
) -> Vec<DrawCheck> {
    let sha256 = commitment.sha256();
    let how = format!("SHA-256 {sha256}");
    let mut findings = vec![DrawCheck::of_file(COMMITMENT, &how, None)];
    findings.extend(held.commitment.as_ref().map(|known| {
        let is_same = known.trim().eq_ignore_ascii_case(&sha256);
        let what = "the commitment is the one that was published";
        DrawCheck::hold(what, is_same, || format!("the folder's is {sha256}"))
    }));
    let Some(randomness) = randomness else {
        findings.extend(held.randomness.as_ref().map(|_| {
            let differs = "no number was drawn so far".to_owned();
            DrawCheck::new("the randomness is the one that you gave", Some(differs))
        }));
        return findings;
    };
    let how = format!("SHA-256 {}", randomness.sha256());
    findings.push(DrawCheck::of_file(RANDOMNESS, &how, None));
    findings.extend(held.randomness.as_ref().map(|known| {
        let is_same = known.bytes == randomness.bytes;
        DrawCheck::hold("the randomness is the one that you gave", is_same, || {
            let (n, known) = (randomness.bytes.len(), known.bytes.len());
            format!("the folder's has {n} bytes, yours {known}")
        })
    }));
    findings
}

/// The version of the program.
pub(super) fn versions(commitment: &Commitment) -> Option<DrawCheck> {
    let (drawn, own) = (&commitment.klero, env!("CARGO_PKG_VERSION"));
    let what = format!("the version: klero {drawn}");
    Some(DrawCheck::hold(what, drawn == own, || {
        format!("this is klero {own}: install klero {drawn} and check with that")
    }))
}

/// The config and the files against the commitment.
///
/// # Errors
/// Where the config can't be read.
pub(super) fn unchanged(
    folder: &DrawFolder,
    commitment: &Commitment,
    inputs: &Inputs,
) -> Result<Vec<DrawCheck>, Problem> {
    const HOW: &str = "as committed";
    // The bytes, and not what they say: the hash that was published is theirs.
    let config = sha256(&folder.bytes(CONFIG)?.unwrap_or_default());
    let differs = |committed: &str| format!("its SHA-256 is not the committed {committed}");
    let differs_from = |is_same: bool, committed: &str| (!is_same).then(|| differs(committed));
    let of_config = differs_from(config == commitment.config, &commitment.config);
    let mut findings = vec![DrawCheck::of_file(CONFIG, HOW, of_config)];
    let hashes = inputs.hashes(commitment.schema);
    findings.extend(commitment.files.iter().map(|(name, committed)| {
        let of_file = differs_from(hashes.get(name) == Some(committed), committed);
        DrawCheck::of_file(&format!("{INPUTS}/{name}"), HOW, of_file)
    }));
    Ok(findings)
}

/// The commitment and the randomness, where the record of this name has others.
pub(super) fn noted(
    name: &str,
    record: &Value,
    commitment: &Commitment,
    randomness: Option<&Randomness>,
) -> Vec<DrawCheck> {
    let randomness =
        randomness.map(|one| (RANDOMNESS, &record["randomness"]["sha256"], one.sha256()));
    let commitment = (COMMITMENT, &record["commitment"], commitment.sha256());
    let both = std::iter::once(commitment).chain(randomness);
    let others = both.filter_map(|(file, noted, found)| {
        let noted = noted.as_str().filter(|noted| *noted != found)?;
        let differs = Some(format!("{name} has {noted}"));
        Some(DrawCheck::of_file(file, "the one of the draw", differs))
    });
    others.collect()
}

/// The reason why files of a folder were not read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// The checks ended before these files.
    Unchecked,
    /// The files do not belong to the draw.
    Others,
}

/// The files of the folder that no check of these has read: those that the draw keeps for itself, those
/// that are not of the draw, and all others where the checks ended early. Links in place of folders
/// of the draw are refused.
///
/// # Errors
/// Where the folder can't be listed.
pub(super) fn left(
    folder: &DrawFolder,
    findings: &[DrawCheck],
    others: Left,
) -> Result<Vec<DrawCheck>, Problem> {
    let is_checked = |name: &str| {
        let mut files = findings
            .iter()
            .filter_map(|finding| finding.file.as_deref());
        files.any(|file| file == name)
    };
    let finding = |name: &String| match draw_file(name) {
        _ if folder.is_linked(name) => {
            let differs = "it is a link, and what a draw reads is in its own folder".to_owned();
            DrawCheck::of_file(name, "a folder of the draw", Some(differs))
        }
        _ if name == LOCK => DrawCheck::unread(name, "of a process that draws; not read"),
        Some(file) if file.is_unread() => DrawCheck::unread(name, "kept for who draws; not read"),
        Some(_) if others == Left::Unchecked => {
            DrawCheck::unread(name, "not checked, because of what differs")
        }
        _ => DrawCheck::unread(name, "not of this draw; not read"),
    };
    let all = folder.all()?;
    let names = all.iter().filter(|name| !is_checked(name));
    Ok(names.map(finding).collect())
}

/// The inputs against those that the user has from elsewhere.
pub(super) fn elsewhere(inputs: &mut Inputs, held: &Held) -> Result<Vec<DrawCheck>, Problem> {
    let mut findings = Vec::new();
    if let Some(path) = &held.respondents {
        let bytes = read_given(path).map_err(|error| unread(path.clone(), &error))?;
        let is_same = inputs.people().is_some_and(|(_, own)| own == bytes);
        let differs = match (is_same, inputs.taken.is_some()) {
            (true, _) => None,
            (false, true) => inputs.hold(path).err(),
            (false, false) => Some("their bytes differ".to_owned()),
        };
        let what = "the file of people is the one that you gave";
        findings.push(DrawCheck::new(what, differs));
    }
    findings.extend(held.config.as_ref().map(|known| {
        let is_same = inputs.config() == known.config();
        let what = "the config is the one that you gave";
        DrawCheck::hold(what, is_same, || "they ask for different things".to_owned())
    }));
    let files = held.config.iter().flat_map(|known| &known.files);
    findings.extend(files.map(|(name, bytes)| {
        let what = format!("{name} is the one that your config names");
        let is_same = inputs.files.get(name) == Some(bytes);
        DrawCheck::hold(what, is_same, || "their bytes differ".to_owned())
    }));
    Ok(findings)
}

/// A file of the folder against what it is to be.
pub(super) fn same(folder: &DrawFolder, name: &str, due: &[u8]) -> Result<DrawCheck, Problem> {
    let found = folder.bytes(name)?;
    let differs = match &found {
        None => Some("it is missing".to_owned()),
        Some(found) if found == due => None,
        Some(found) if name == RECORD => Some(members(found, due)),
        Some(found) => Some(line(found, due)),
    };
    Ok(DrawCheck::of_file(name, "computed again", differs))
}

/// The members in which two records differ.
fn members(found: &[u8], due: &[u8]) -> String {
    let read = |bytes| outside::read::<serde_json::Map<String, Value>>(bytes);
    let (Ok(found), Ok(due)) = (read(found), read(due)) else {
        return "it is no JSON object".to_owned();
    };
    let names = due
        .keys()
        .chain(found.keys().filter(|name| !due.contains_key(*name)));
    let differ: Vec<&str> = names
        .filter(|name| found.get(*name) != due.get(*name))
        .map(String::as_str)
        .collect();
    match differ.is_empty() {
        true => "it is written in another way".to_owned(),
        false => format!("these members differ: {}", differ.join(", ")),
    }
}
