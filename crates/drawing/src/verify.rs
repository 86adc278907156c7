//! A draw checked: all of it is computed again and compared with its folder.

use serde_json::Value;

use super::again::checked_lists;
use super::checks::{
    DrawCheck, Held, Left, elsewhere, left, noted, published, same, unchanged, versions,
};
use super::commitment::Commitment;
use super::draw::{CheckedInputs, FinishedDraw};
use super::earlier::Earlier;
use super::folder::{DrawFolder, RECORD, REDUCED};
use super::held::held;
use super::inputs::{CONFIG, INPUTS, Inputs, KEEP};
use super::outputs::finished;
use super::page::lead;
use super::record::Publish;
use super::seed::Randomness;
use super::tables::CHANCES;
use crate::limits::MOST_CHANCES;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_run::run::RunError;
use kleroterion_sortition::lottery::LotteryWatch;

/// Checks the draw in a folder, step by step, as far as it can be computed again, for one who
/// watches its lottery being computed: a check takes no lottery that was kept.
///
/// # Errors
/// Where the folder holds no draw, or its files can't be read, and where it is stopped.
pub fn verify_drawn(
    folder: &DrawFolder,
    held: &Held,
    watch: &LotteryWatch<'_>,
) -> Result<Vec<DrawCheck>, Problems> {
    let (record, commitment) = folder.drawn()?;
    let mut inputs = folder.inputs(&commitment)?;
    let randomness = folder.randomness(&record)?;
    let mut findings = published(&commitment, Some(&randomness), held);
    findings.extend(versions(&commitment));
    findings.extend(unchanged(folder, &commitment, &inputs)?);
    findings.extend(elsewhere(&mut inputs, held)?);
    findings.extend(noted(RECORD, &record, &commitment, Some(&randomness)));
    let is_wrong = |findings: &[DrawCheck]| findings.iter().any(|one| one.differs.is_some());
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

/// The number of other draws that a record says were made for the chances, where those are too many
/// to make again or the table of the chances is of another number.
fn endless(folder: &DrawFolder, record: &Value) -> Result<Option<DrawCheck>, Problem> {
    let Some(n) = record["chances"]["replications"].as_u64() else {
        return Ok(None);
    };
    let what = "chances that can be computed";
    if n > MOST_CHANCES {
        let differs = format!("it says {n} other draws, and {MOST_CHANCES} are the most");
        return Ok(Some(DrawCheck::of_file(RECORD, what, Some(differs))));
    }
    let table = folder.bytes(CHANCES)?.unwrap_or_default();
    let is_of_n = has_cell(&table, &n.to_string());
    let differs = || format!("{RECORD} says {n} other draws, and this table does not");
    Ok((!is_of_n).then(|| DrawCheck::of_file(CHANCES, what, Some(differs()))))
}

/// Returns true if the second line of a table has a cell with this text.
fn has_cell(table: &[u8], cell: &str) -> bool {
    let line = table.split(|byte| *byte == b'\n').nth(1);
    let mut cells = line
        .into_iter()
        .flat_map(|line| line.split(|byte| b",;\t".contains(byte)));
    cells.any(|found| found == cell.as_bytes())
}

/// A draw to be made again.
struct Again {
    commitment: Commitment,
    randomness: Randomness,
    publish: Publish,
    /// The hashes of the files that the draw wrote, from its record.
    written: Value,
    /// The number of replications for the chances, if they were computed.
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
    ) -> Result<Vec<DrawCheck>, Problems> {
        let stage = CheckedInputs::of(inputs)?;
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
        let mut findings = vec![DrawCheck::hold(what, (label, kind) == committed, || {
            format!("{} ({}) was committed", committed.0, committed.1)
        })];
        let failed = |error: RunError| Problem::of_request(error.to_string());
        let (commitment, randomness) = (self.commitment.clone(), self.randomness.clone());
        let drawn =
            FinishedDraw::make(stage, commitment, randomness, self.threads).map_err(failed)?;
        let mut drawn = match self.chances {
            Some(n) => drawn.with_chances(n, self.threads).map_err(failed)?,
            None => drawn,
        };
        let what = format!("the seed: {}", drawn.seed.number);
        findings.push(DrawCheck::new(what, None));
        let tables = held(folder, inputs, &mut drawn, &self.publish, &self.written)?;
        let (record, files) = finished(&drawn, inputs, &self.publish, tables.hashes);
        let what = format!("drawn again: {}", lead(&record));
        findings.push(DrawCheck::new(what, None));
        let of_tables = tables.findings.into_iter();
        findings
            .extend(of_tables.map(|(name, how, differs)| DrawCheck::of_file(&name, &how, differs)));
        for (name, bytes) in reduced(&drawn).into_iter().chain(files) {
            findings.push(same(folder, &name, &bytes)?);
        }
        Ok(findings)
    }
}

/// The files of the reduced question of a second draw, by their paths.
fn reduced(drawn: &FinishedDraw) -> Vec<(String, Vec<u8>)> {
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
fn before(inputs: &Inputs, held: &Held) -> Result<Vec<DrawCheck>, Problems> {
    let mut findings = Vec::new();
    if let Some(known) = &held.after {
        let earlier = Earlier::of(inputs)?;
        let is_same = earlier.is_some_and(|earlier| earlier.is_same(known));
        let what = "the draw before is the one that you gave";
        let differs = || "its members or its randomness are others".to_owned();
        findings.push(DrawCheck::hold(what, is_same, differs));
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
        findings.push(DrawCheck::hold(what, lines.is_empty(), || lines.join("; ")));
    }
    Ok(findings)
}
