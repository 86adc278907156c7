//! The list of numbered panels by code: `panels.csv`.

use crate::code::Codes;

/// The file of the list. Each row has a panel's number and its members' codes, separated by blanks.
pub const PANELS: &str = "panels.csv";

/// The file of the chances by code.
pub const PANEL_CHANCES: &str = "panel_chances.csv";

/// The columns.
const HEADER: [&str; 2] = ["panel", "members"];

/// The bytes of the list. Codes are in their own order, which says nothing about the people's file.
pub(super) fn written(panels: &[Vec<u32>], codes: &Codes) -> Vec<u8> {
    let mut text = format!("{}\n", HEADER.join(","));
    for (number, members) in (1..).zip(panels) {
        let number: u32 = number;
        text += &format!("{number},{}\n", by_code(members, codes).join(" "));
    }
    text.into_bytes()
}

/// The codes of some members, in their order.
pub(super) fn by_code<'a>(members: &[u32], codes: &'a Codes) -> Vec<&'a str> {
    let mut members: Vec<&str> = members.iter().map(|one| codes.code(*one)).collect();
    members.sort_unstable();
    members
}

/// The panels of a list, each of respondents in increasing order.
///
/// # Errors
/// What is wrong with it, and in which line.
pub(super) fn read(bytes: &[u8], codes: &Codes) -> Result<Vec<Vec<u32>>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut lines = (1..).zip(text.lines());
    let header = lines.next().map(|(_, line)| line);
    if header != Some(&*HEADER.join(",")) {
        return Err(format!("line 1 is not {:?}", HEADER.join(",")));
    }
    let all = codes.by_code();
    let panel = |((at, line), due): ((usize, &str), usize)| {
        let members = line.strip_prefix(&format!("{due},"));
        let members = members.ok_or_else(|| format!("line {at} is not that of panel {due}"))?;
        let members = members.split(' ').map(|code| {
            let found = all.get(code).copied();
            found.ok_or_else(|| format!("line {at} has a code that is no respondent's"))
        });
        let mut members: Vec<u32> = members.collect::<Result<_, _>>()?;
        members.sort_unstable();
        Ok(members)
    };
    lines.zip(1..).map(panel).collect()
}
