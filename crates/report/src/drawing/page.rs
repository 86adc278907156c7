//! The page of a draw for the public: `index.html`.

use super::commitment::Commitment;
use super::folder::RECORD;
use super::record::{AgainRecord, DropOutRecord, QuotaRow, Record};
use super::seed::lines;
use super::story::{counted, exact, left_out, story};
use crate::report::figure::{Cell, FigureTable};
use crate::report::page::{Page, PagePart, PageSection};

/// The file of the page in the folder of a draw.
pub const PAGE: &str = "index.html";

/// Makes the page of a draw.
#[must_use]
pub fn page(record: &Record) -> Page {
    let mut sections = vec![how(record), quotas(record), randomness(record)];
    sections.extend([
        panel(record),
        chances(record),
        check(record),
        committed(&record.commitment, &record.committed, &record.config),
    ]);
    Page {
        title: title(record),
        lead: lead(record),
        sections,
        ..Page::default()
    }
}

/// The title: the organiser's own, else with the name of the config.
#[must_use]
fn title(record: &Record) -> String {
    match &record.title {
        Some(title) => title.clone(),
        None => format!("The draw of a panel: {}", record.name),
    }
}

pub(super) fn section(heading: &str, parts: Vec<PagePart>) -> PageSection {
    PageSection {
        heading: heading.to_owned(),
        parts,
    }
}

/// Returns the sentences under the title.
#[must_use]
pub fn lead(record: &Record) -> String {
    let Record {
        places,
        respondents,
        ..
    } = record;
    let members = record.panel.len();
    let drawn = match &record.again {
        None => format!(
            "{members} members were drawn by lot from {respondents} respondents, for {places} \
             places."
        ),
        Some(AgainRecord { kept, .. }) => format!(
            "{kept} members stay, and {} were drawn by lot to join them, for {places} places. \
             There are {respondents} respondents.",
            members - kept
        ),
    };
    let quotas = match (record.quotas_kept, record.has_quotas()) {
        (true, true) => "Every place is taken and every quota is kept.",
        (true, false) => "Every place is taken.",
        (false, _) => "The panel is not as it was asked for.",
    };
    format!("{drawn} {quotas}")
}

fn how(record: &Record) -> PageSection {
    let mut prose = story(record);
    if let Some(again) = &record.again {
        let AgainRecord { kept, out, .. } = again;
        let stepped_in = match again.stepped_in {
            0 => String::new(),
            some => format!(" (of whom {some} stepped in as alternates of the draw before)"),
        };
        prose += &format!(
            "\n\nThis is a second draw. {kept} members stay{stepped_in} and {out} respondents no longer take \
             part. The places and quotas of this draw are those of the whole panel less the members \
             who stay."
        );
    }
    prose += &left_out(&record.committed);
    for disclosure in &record.disclosures {
        prose += &format!("\n\n{disclosure}.");
    }
    prose += &if record.is_committed {
        format!(
            "\n\nA commitment was made before the randomness was given: the hash of {}, the quotas, the \
             config, the rule and the version of the program. Where its hash was published before the \
             randomness was known, no one could choose them by their result: compare the hash below \
             with the one that was published.",
            match record.is_first_layout() {
                true => "the people's file",
                false => "the columns of the people's file that decide",
            }
        )
    } else {
        "\n\nNo commitment was made in this folder before the randomness was given. What was \
             published elsewhere can still be compared with the hash of the commitment below."
            .to_owned()
    };
    section("How the panel was drawn", vec![PagePart::Prose(prose)])
}

fn quotas(record: &Record) -> PageSection {
    let said = match (record.quotas_kept, record.has_quotas()) {
        (true, true) => "The panel keeps every quota.".to_owned(),
        (true, false) => "There are no quotas; the rule aims at shares.".to_owned(),
        (false, _) => format!("The panel misses this:\n\n{}.", record.misses.join(".\n\n")),
    };
    compared([PagePart::Prose(said)], &record.quotas)
}

/// Returns a section that compares the members with the quotas or the target. After the parts in
/// `first` it has a table for each attribute.
pub(super) fn compared(
    first: impl IntoIterator<Item = PagePart>,
    quotas: &[QuotaRow],
) -> PageSection {
    let attributes = quotas.chunk_by(|one, other| one.attribute == other.attribute);
    let tables = attributes.map(|rows| of_attribute(&rows[0].attribute, rows));
    let parts = first.into_iter().chain(tables).collect();
    section("Who was wanted, and who is on the panel", parts)
}

fn of_attribute(attribute: &str, rows: &[QuotaRow]) -> PagePart {
    let wanted = match rows.iter().any(|row| row.min.is_some()) {
        true => "Members wanted",
        false => "Share wanted",
    };
    let headers = ["Value", "Respondents", wanted, "Members", "Quota"];
    let row = |row: &QuotaRow| {
        let count = |n: usize| Cell::Number(n as f64);
        let kept = match row.is_kept() {
            None => "",
            Some(true) => "kept",
            Some(false) => "not kept",
        };
        vec![
            Cell::Text(row.value.clone()),
            count(row.respondents),
            asked(row),
            count(row.members),
            Cell::Text(kept.to_owned()),
        ]
    };
    PagePart::Table {
        caption: attribute.to_owned(),
        table: FigureTable {
            headers: headers.map(str::to_owned).to_vec(),
            rows: rows.iter().map(row).collect(),
        },
    }
}

/// Returns the quota or the target of a value.
fn asked(row: &QuotaRow) -> Cell {
    match (row.min, row.max, row.target) {
        (Some(min), Some(max), _) if min == max => Cell::Text(min.to_string()),
        (Some(min), Some(max), _) => Cell::Text(format!("{min} to {max}")),
        (Some(min), None, _) => Cell::Text(format!("at least {min}")),
        (None, _, Some(target)) => Cell::Text(format!("{:.1} %", 100.0 * target)),
        (None, ..) => Cell::Text("–".to_owned()),
    }
}

fn randomness(record: &Record) -> PageSection {
    let randomness = &record.randomness;
    let named = match &randomness.name {
        Some(name) => format!("Its name was published beforehand: “{name}”. "),
        None => String::new(),
    };
    let value = match &randomness.text {
        Some(text) => format!("It is this text: `{text}`."),
        None => format!("It is a file of {} bytes.", randomness.bytes),
    };
    let prose = format!(
        "The lot is decided by public randomness. {named}{value} The file `randomness` has it byte \
         for byte, and its SHA-256 is `{}`.\n\nThe seed is computed from the commitment and the \
         randomness: the SHA-256 of these three lines, each ended by a line feed.",
        randomness.sha256
    );
    let hashed = lines(&record.commitment, &randomness.sha256);
    let number = format!(
        "That hash is `{}`. Its first 15 digits, read as a hexadecimal number, are the seed {}.",
        record.seed.sha256, record.seed.number
    );
    let parts = vec![
        PagePart::Prose(prose),
        PagePart::Code(hashed),
        PagePart::Prose(number),
    ];
    section("The randomness", parts)
}

fn panel(record: &Record) -> PageSection {
    let key = match record.is_first_layout() {
        true => "the whole file of people",
        false => "the columns of all people that decide",
    };
    let said = match record.has_ids {
        true => "Members and alternates by their ids, in order.".to_owned(),
        false => format!(
            "Members and alternates by code, in order. Respondents who ask are given their own code \
             by the organiser. No one else can tell whose a code is: the codes are hashes keyed by \
             {key}."
        ),
    };
    let list = |people: &[String]| PagePart::Code(people.join("\n"));
    let fold = PagePart::Fold {
        summary: format!("The {} alternates", record.alternates.len()),
        parts: vec![list(&record.alternates)],
    };
    let members = PagePart::Fold {
        summary: format!("The {} members", record.panel.len()),
        parts: vec![list(&record.panel)],
    };
    let mut parts = vec![PagePart::Prose(said), members];
    if !record.alternates.is_empty() {
        parts.push(fold);
    }
    parts.extend(record.drop_outs.as_ref().map(drop_outs));
    section("The panel", parts)
}

/// Returns the forecast for the alternates, in words.
fn drop_outs(found: &DropOutRecord) -> PagePart {
    PagePart::Prose(format!(
        "Of the members {:.1} are expected to leave. The alternates were chosen to keep the quotas \
         then. With these alternates {:.2} seats miss a quota on average once the best \
         replacement is made. With the next of each member's kind {:.2} do, and without \
         alternates {:.2}.",
        found.leavers,
        found.seats_off.mean,
        found.seats_off_next_of_kind.mean,
        found.seats_off_without.mean
    ))
}

fn chances(record: &Record) -> PageSection {
    let mut parts = match &record.lottery {
        Some(found) => exact(record, found),
        None => Vec::new(),
    };
    parts.extend(record.chances.iter().flat_map(counted));
    if record.lottery.is_none() {
        parts.extend(to_be_counted(record));
    }
    section("The chances", parts)
}

/// The chances that no one has counted yet: the command that does.
fn to_be_counted(record: &Record) -> [PagePart; 2] {
    let folder = match record.again.is_some() {
        true => "DIR/reduced",
        false => "DIR",
    };
    let prose = "The chance of a respondent is the share of draws, with other randomness, in which \
                 the rule accepts them. Who has the folder of the draw can play the rule many \
                 times. This command writes every respondent's chance:";
    let command = format!("klero run {folder}/config.toml --replications 10000 --out chances");
    [PagePart::Prose(prose.to_owned()), PagePart::Code(command)]
}

fn check(record: &Record) -> PageSection {
    let version = &record.committed.klero;
    let public = format!(
        "Everybody can check the hashes with the four public files `commitment.json`, `randomness`, \
         `{RECORD}` and this page:"
    );
    let shell = "sha256sum commitment.json randomness\n\
                 printf 'klero draw seed 1\\ncommitment: %s\\nrandomness: %s\\n' \\\n\
                 \x20 \"$(sha256sum < commitment.json | cut -c1-64)\" \\\n\
                 \x20 \"$(sha256sum < randomness | cut -c1-64)\" | sha256sum";
    let whole = format!(
        "Who is also given the people's file, say an auditor, can compute the panel again with \
         klero {version} on any machine. DIR is the folder of the draw. The second command compares \
         with the commitment that was published and with a copy of the file from elsewhere."
    );
    how_to_check([public, whole], shell, &record.commitment)
}

/// Returns the section on checks: those that anyone can make in a shell, and those by the program
/// with the people's file.
pub(super) fn how_to_check(
    [public, whole]: [String; 2],
    shell: &str,
    commitment: &str,
) -> PageSection {
    let verify = format!(
        "klero draw verify DIR\nklero draw verify DIR --commitment {commitment} --respondents people.csv"
    );
    let parts = vec![
        PagePart::Prose(public),
        PagePart::Code(shell.to_owned()),
        PagePart::Prose(whole),
        PagePart::Code(verify),
    ];
    section("How to check it", parts)
}

/// The commitment to all that was fixed before a draw, and the config.
pub(super) fn committed(hash: &str, commitment: &Commitment, config: &str) -> PageSection {
    let prose =
        format!("The hash of the commitment is `{hash}`. It is the SHA-256 of `commitment.json`:");
    let parts = vec![
        PagePart::Prose(prose),
        PagePart::Code(commitment.text()),
        PagePart::Fold {
            summary: "The config".to_owned(),
            parts: vec![PagePart::Code(config.to_owned())],
        },
    ];
    section("What was fixed before the draw", parts)
}
