//! A draw checked: everything computed again and held against its folder.

use std::path::PathBuf;

use serde_json::Value;

use super::again::checked_lists;
use super::commitment::{COMMITMENT, Commitment};
use super::draw::{Drawn, Stage};
use super::earlier::Earlier;
use super::files::draw_file;
use super::folder::{DrawFolder, RANDOMNESS, RECORD, REDUCED};
use super::hash::sha256;
use super::held::{held, line};
use super::inputs::{CONFIG, INPUTS, Inputs, KEEP, read_given, unread};
use super::outputs::finished;
use super::page::lead;
use super::record::Publish;
use super::seed::Randomness;
use super::tables::CHANCES;
use crate::panel::lottery::LotteryWatch;
use crate::problem::{Place, Problem, Problems};
use crate::record::outside;
use crate::report::files::LOCK;
use crate::run::RunError;

/// A check of a draw, and the difference found, where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The thing checked.
    pub what: String,
    /// The difference.
    pub differs: Option<String>,
    /// The file of the folder that was checked, by its path.
    file: Option<String>,
    /// Whether it was checked; else it is a file that is there and was not read.
    pub is_checked: bool,
}

impl Finding {
    pub(super) fn new(what: impl Into<String>, differs: Option<String>) -> Self {
        Self {
            what: what.into(),
            differs,
            file: None,
            is_checked: true,
        }
    }

    /// Of a file of the folder: its path, and how it was checked.
    pub(super) fn of_file(name: &str, how: &str, differs: Option<String>) -> Self {
        Self {
            file: Some(name.to_owned()),
            ..Self::new(format!("{name}: {how}"), differs)
        }
    }

    /// Of a file of the folder that was not read.
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

/// The most other draws whose chances a draw may have: as many as `--chances` takes.
pub const MOST_CHANCES: u64 = 10_000_000;

/// The things from elsewhere that the user holds a draw against.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The hash that was published as the commitment.
    pub commitment: Option<String>,
    /// The public randomness.
    pub randomness: Option<Randomness>,
    /// The inputs.
    pub config: Option<Inputs>,
    /// The file of people.
    pub respondents: Option<PathBuf>,
    /// The facts on the draw before.
    pub after: Option<Earlier>,
    /// The threads to play on.
    pub threads: Option<usize>,
}

/// Checks the draw in a folder, step by step, as far as it can be computed again.
///
/// # Errors
/// Where the folder holds no draw, or its files can't be read.
pub fn verify(folder: &DrawFolder, held: &Held) -> Result<Vec<Finding>, Problems> {
    verify_unless(folder, held, &LotteryWatch::patient())
}

/// The same for one who watches the lottery of the draw being computed: a check takes no lottery
/// that was kept.
///
/// # Errors
/// As [`verify`], and where it is stopped.
pub fn verify_unless(
    folder: &DrawFolder,
    held: &Held,
    watch: &LotteryWatch<'_>,
) -> Result<Vec<Finding>, Problems> {
    let (record, commitment) = folder.drawn()?;
    let mut inputs = folder.inputs(&commitment)?;
    let randomness = folder.randomness(&record)?;
    let mut findings = published(&commitment, Some(&randomness), held);
    findings.extend(versions(&commitment));
    findings.extend(unchanged(folder, &commitment, &inputs)?);
    findings.extend(elsewhere(&mut inputs, held)?);
    findings.extend(noted(RECORD, &record, &commitment, Some(&randomness)));
    let is_wrong = |findings: &[Finding]| findings.iter().any(|one| one.differs.is_some());
    match before(&inputs, held) {
        // Files that are others make no question.
        Err(_) if is_wrong(&findings) => {}
        checked => findings.extend(checked?),
    }
    findings.extend(endless(folder, &record)?);
    if is_wrong(&findings) {
        findings.extend(left(folder, &findings, Left::Unchecked)?);
        return Ok(findings);
    }
    let chances = record["chances"]["replications"].as_u64();
    let publish = Publish {
        ids: record["has_ids"].as_bool().unwrap_or_default(),
        title: record["title"].as_str().map(str::to_owned),
        for_spreadsheet: record["for_spreadsheet"].as_bool().unwrap_or_default(),
    };
    let again = Again {
        commitment,
        randomness,
        publish,
        written: record["files"].clone(),
        chances,
        threads: held.threads,
    };
    findings.extend(again.check(folder, &mut inputs, watch)?);
    findings.extend(left(folder, &findings, Left::Others)?);
    Ok(findings)
}

/// The commitment and the randomness, where there is any, against what is known of them from
/// elsewhere.
pub(super) fn published(
    commitment: &Commitment,
    randomness: Option<&Randomness>,
    held: &Held,
) -> Vec<Finding> {
    let sha256 = commitment.sha256();
    let how = format!("SHA-256 {sha256}");
    let mut findings = vec![Finding::of_file(COMMITMENT, &how, None)];
    findings.extend(held.commitment.as_ref().map(|known| {
        let is_same = known.trim().eq_ignore_ascii_case(&sha256);
        let what = "the commitment is the one that was published";
        Finding::hold(what, is_same, || format!("the folder's is {sha256}"))
    }));
    let Some(randomness) = randomness else {
        findings.extend(held.randomness.as_ref().map(|_| {
            let differs = "no number was drawn so far".to_owned();
            Finding::new("the randomness is the one that you gave", Some(differs))
        }));
        return findings;
    };
    let how = format!("SHA-256 {}", randomness.sha256());
    findings.push(Finding::of_file(RANDOMNESS, &how, None));
    findings.extend(held.randomness.as_ref().map(|known| {
        let is_same = known.bytes == randomness.bytes;
        Finding::hold("the randomness is the one that you gave", is_same, || {
            let (n, known) = (randomness.bytes.len(), known.bytes.len());
            format!("the folder's has {n} bytes, yours {known}")
        })
    }));
    findings
}

/// The version of the program.
pub(super) fn versions(commitment: &Commitment) -> Option<Finding> {
    let (drawn, own) = (&commitment.klero, env!("CARGO_PKG_VERSION"));
    let what = format!("the version: klero {drawn}");
    Some(Finding::hold(what, drawn == own, || {
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
) -> Result<Vec<Finding>, Problem> {
    const HOW: &str = "as committed";
    // The bytes, and not what they say: the hash that was published is theirs.
    let config = sha256(&folder.bytes(CONFIG)?.unwrap_or_default());
    let differs = |committed: &str| format!("its SHA-256 is not the committed {committed}");
    let differs_from = |is_same: bool, committed: &str| (!is_same).then(|| differs(committed));
    let of_config = differs_from(config == commitment.config, &commitment.config);
    let mut findings = vec![Finding::of_file(CONFIG, HOW, of_config)];
    let hashes = inputs.hashes(commitment.schema);
    findings.extend(commitment.files.iter().map(|(name, committed)| {
        let of_file = differs_from(hashes.get(name) == Some(committed), committed);
        Finding::of_file(&format!("{INPUTS}/{name}"), HOW, of_file)
    }));
    Ok(findings)
}

/// The commitment and the randomness, where the record of this name has others.
pub(super) fn noted(
    name: &str,
    record: &Value,
    commitment: &Commitment,
    randomness: Option<&Randomness>,
) -> Vec<Finding> {
    let randomness =
        randomness.map(|one| (RANDOMNESS, &record["randomness"]["sha256"], one.sha256()));
    let commitment = (COMMITMENT, &record["commitment"], commitment.sha256());
    let both = std::iter::once(commitment).chain(randomness);
    let others = both.filter_map(|(file, noted, found)| {
        let noted = noted.as_str().filter(|noted| *noted != found)?;
        let differs = Some(format!("{name} has {noted}"));
        Some(Finding::of_file(file, "the one of the draw", differs))
    });
    others.collect()
}

/// The number of other draws that a record says were made for the chances, where so many can't be made
/// again or the table of the chances is of another number.
fn endless(folder: &DrawFolder, record: &Value) -> Result<Option<Finding>, Problem> {
    let Some(n) = record["chances"]["replications"].as_u64() else {
        return Ok(None);
    };
    let what = "chances that can be computed";
    if n > MOST_CHANCES {
        let differs = format!("it says {n} other draws, and {MOST_CHANCES} are the most");
        return Ok(Some(Finding::of_file(RECORD, what, Some(differs))));
    }
    let table = folder.bytes(CHANCES)?.unwrap_or_default();
    let is_of_n = has_cell(&table, &n.to_string());
    let differs = || format!("{RECORD} says {n} other draws, and this table does not");
    Ok((!is_of_n).then(|| Finding::of_file(CHANCES, what, Some(differs()))))
}

/// Whether the second line of a table has a cell.
fn has_cell(table: &[u8], cell: &str) -> bool {
    let line = table.split(|byte| *byte == b'\n').nth(1);
    let mut cells = line
        .into_iter()
        .flat_map(|line| line.split(|byte| b",;\t".contains(byte)));
    cells.any(|found| found == cell.as_bytes())
}

/// Why files of a folder were not read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// The checks ended before them.
    Unchecked,
    /// They are not of the draw.
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
    findings: &[Finding],
    others: Left,
) -> Result<Vec<Finding>, Problem> {
    let is_checked = |name: &str| {
        let mut files = findings
            .iter()
            .filter_map(|finding| finding.file.as_deref());
        files.any(|file| file == name)
    };
    let finding = |name: &String| match draw_file(name) {
        _ if folder.is_linked(name) => {
            let differs = "it is a link, and what a draw reads is in its own folder".to_owned();
            Finding::of_file(name, "a folder of the draw", Some(differs))
        }
        _ if name == LOCK => Finding::unread(name, "of a process that draws; not read"),
        Some(file) if file.is_unread() => Finding::unread(name, "kept for who draws; not read"),
        Some(_) if others == Left::Unchecked => {
            Finding::unread(name, "not checked, because of what differs")
        }
        _ => Finding::unread(name, "not of this draw; not read"),
    };
    let all = folder.all()?;
    let names = all.iter().filter(|name| !is_checked(name));
    Ok(names.map(finding).collect())
}

/// The inputs against those that the user has from elsewhere.
pub(super) fn elsewhere(inputs: &mut Inputs, held: &Held) -> Result<Vec<Finding>, Problem> {
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
        findings.push(Finding::new(what, differs));
    }
    findings.extend(held.config.as_ref().map(|known| {
        let is_same = inputs.config() == known.config();
        let what = "the config is the one that you gave";
        Finding::hold(what, is_same, || "they ask for different things".to_owned())
    }));
    let files = held.config.iter().flat_map(|known| &known.files);
    findings.extend(files.map(|(name, bytes)| {
        let what = format!("{name} is the one that your config names");
        let is_same = inputs.files.get(name) == Some(bytes);
        Finding::hold(what, is_same, || "their bytes differ".to_owned())
    }));
    Ok(findings)
}

/// A draw to be made again.
struct Again {
    commitment: Commitment,
    randomness: Randomness,
    publish: Publish,
    /// The hashes of the files that the draw wrote, by its record.
    written: Value,
    /// How often its rule is played for the chances, where it was.
    chances: Option<u64>,
    threads: Option<usize>,
}

impl Again {
    /// The draw made again, and its files against those of the folder.
    fn check(
        &self,
        folder: &DrawFolder,
        inputs: &mut Inputs,
        watch: &LotteryWatch<'_>,
    ) -> Result<Vec<Finding>, Problems> {
        let stage = Stage::of(inputs)?;
        for lottery in stage
            .question
            .plan
            .lanes
            .iter()
            .filter_map(|lane| lane.policy.lottery.as_ref())
        {
            let found = lottery.work_out_unless(watch);
            found.map_err(|why| Problem::of_request(why.to_string()))?;
        }
        let (label, kind) = stage.question.policy();
        let committed = (&*self.commitment.policy, &*self.commitment.kind);
        let what = format!("the policy: {label} ({kind})");
        let mut findings = vec![Finding::hold(what, (label, kind) == committed, || {
            format!("{} ({}) was committed", committed.0, committed.1)
        })];
        let failed = |error: RunError| Problem::of_request(error.to_string());
        let (commitment, randomness) = (self.commitment.clone(), self.randomness.clone());
        let drawn = Drawn::make(stage, commitment, randomness, self.threads).map_err(failed)?;
        let mut drawn = match self.chances {
            Some(n) => drawn.with_chances(n, self.threads).map_err(failed)?,
            None => drawn,
        };
        let what = format!("the seed: {}", drawn.seed.number);
        findings.push(Finding::new(what, None));
        let tables = held(folder, inputs, &mut drawn, &self.publish, &self.written)?;
        let (record, files) = finished(&drawn, inputs, &self.publish, tables.hashes);
        let what = format!("drawn again: {}", lead(&record));
        findings.push(Finding::new(what, None));
        let of_tables = tables.findings.into_iter();
        findings
            .extend(of_tables.map(|(name, how, differs)| Finding::of_file(&name, &how, differs)));
        for (name, bytes) in reduced(&drawn).into_iter().chain(files) {
            findings.push(same(folder, &name, &bytes)?);
        }
        Ok(findings)
    }
}

/// The files of the reduced question of a second draw, by their paths.
fn reduced(drawn: &Drawn) -> Vec<(String, Vec<u8>)> {
    let Some(again) = &drawn.stage.again else {
        return Vec::new();
    };
    let config = (CONFIG.to_owned(), again.reduced.config().into_bytes());
    let files = again.reduced.files.iter();
    let files = files.map(|(name, bytes)| (format!("{INPUTS}/{name}"), bytes.clone()));
    let files = [config].into_iter().chain(files);
    files
        .map(|(name, bytes)| (format!("{REDUCED}/{name}"), bytes))
        .collect()
}

/// The lists of a second draw against the panel of the draw before, and this against the one that
/// the user has from elsewhere.
fn before(inputs: &Inputs, held: &Held) -> Result<Vec<Finding>, Problems> {
    let mut findings = Vec::new();
    if let Some(known) = &held.after {
        let earlier = Earlier::of(inputs)?;
        let is_same = earlier.is_some_and(|earlier| earlier.is_same(known));
        let what = "the draw before is the one that you gave";
        let differs = || "its members or its randomness are others".to_owned();
        findings.push(Finding::hold(what, is_same, differs));
    }
    if let Some((stepped_in, problems)) = checked_lists(inputs)? {
        let who = match stepped_in {
            0 => "members of the draw before".to_owned(),
            1 => "members of the draw before, or the alternate of it who stepped in".to_owned(),
            more => {
                format!("members of the draw before, or {more} alternates of it who stepped in")
            }
        };
        let what = format!("{INPUTS}/{KEEP}: those who stay were {who}");
        let line = |problem: &Problem| {
            let line = match &problem.place {
                Place::File { path, line, .. } => {
                    let file = path.file_name().unwrap_or_default();
                    let line = line.map_or(String::new(), |line| format!(" line {line}"));
                    format!("{}{line}: ", file.display())
                }
                _ => String::new(),
            };
            format!("{line}{}", problem.what)
        };
        let lines: Vec<String> = problems.0.iter().map(line).collect();
        findings.push(Finding::hold(what, lines.is_empty(), || lines.join("; ")));
    }
    Ok(findings)
}

/// A file of the folder against what it is to be.
pub(super) fn same(folder: &DrawFolder, name: &str, due: &[u8]) -> Result<Finding, Problem> {
    let found = folder.bytes(name)?;
    let differs = match &found {
        None => Some("it is missing".to_owned()),
        Some(found) if found == due => None,
        Some(found) if name == RECORD => Some(members(found, due)),
        Some(found) => Some(line(found, due)),
    };
    Ok(Finding::of_file(name, "computed again", differs))
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
