//! A file of the chances that a lottery is claimed to give.

use std::path::Path;

use super::lists::{NamingColumns, Roster};
use super::lottery::{of_policy, stated_chance};
use crate::people::table::LoadError;
use crate::people::table::sheet::Sheet;
use crate::record::file::How;

/// The known names of the column of chances.
const CHANCE: [&str; 4] = ["chance", "share", "probability", "p"];

/// A chance as a file claims it: the line, the name of the respondent, and the chance, any number.
pub type ClaimedChance = (u64, String, f64);

/// Reads the columns of ids or codes (or, without any, the first other column) and `chance`. From a
/// file with chances under several policies it reads those under `policy`. Respondents get their
/// names in the `roster`; unknown names stay as written.
///
/// # Errors
/// All that is wrong with the file: columns that are missing, chances that are no numbers, a code
/// and an id that are two respondents', and
/// whatever keeps the file from being read. Problems say where a name is, and not the name.
pub fn claimed_chances(
    path: &Path,
    policy: Option<&str>,
    roster: &Roster,
) -> Result<Vec<ClaimedChance>, LoadError> {
    let mut sheet = Sheet::open(path, "each respondent", &How::default())?;
    let chance = CHANCE.iter().find_map(|name| sheet.find(name));
    let chance = chance.or_else(|| sheet.need(CHANCE[0], "the chances"));
    let first_other = || (0..sheet.columns().len()).find(|column| Some(*column) != chance);
    let id = NamingColumns::of(&sheet, roster).or_else(|| first_other().map(NamingColumns::alone));
    let id = id.or_else(|| {
        sheet
            .need("id", "the respondents")
            .map(NamingColumns::alone)
    });
    let (Some(chance), Some(id)) = (chance, id) else {
        return Err(sheet.tally.finish().into());
    };
    let all: Vec<usize> = (0..sheet.columns().len()).collect();
    let rows = sheet.rows(&all);
    let rows = of_policy(rows, policy, &mut sheet);
    sheet.note_marks(&rows, chance, chance);
    let id = id.of_rows(&rows, roster);
    let mut claimed = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(value) = stated_chance(&row, chance, "chance", &mut sheet) else {
            continue;
        };
        let name = id.name(&row, roster, &mut sheet).unwrap_or_default();
        claimed.push((row.line, name, value));
    }
    sheet.tally.finish().or(claimed).map_err(LoadError::from)
}
