//! The page of a draw for the public: `index.html`.

use super::commitment::{COMMITMENT, Commitment};
use super::folder::{RANDOMNESS, RECORD};
use super::record::{AgainRecord, DropOutRecord, QuotaRow, RandomnessRecord, Record};
use super::seed::lines;
use super::story::{counted, exact, left_out, story};
use kleroterion_report::report::figure::ValueSpan;
use kleroterion_report::report::page::{
    Bullet, BulletTable, Findings, HashCheck, HashedFile, HashedLot, Mood, Page, PagePart,
    PageSection, PageStep,
};

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
        found: Some(found(&lead(record), record.quotas_kept)),
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

/// Returns the answer at the top of the page, from its sentences.
pub(super) fn found(sentences: &str, is_kept: bool) -> Findings {
    Findings {
        answer: sentences.trim_end_matches('.').to_owned(),
        mood: match is_kept {
            true => Mood::Settled,
            false => Mood::Open,
        },
        ..Findings::default()
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
    let parts = vec![PagePart::Steps(steps(record)), PagePart::Prose(prose)];
    section("How the panel was drawn", parts)
}

/// The steps from what was fixed to the panel.
fn steps(record: &Record) -> Vec<PageStep> {
    let Record {
        randomness, seed, ..
    } = record;
    let named = match (&randomness.name, &randomness.text) {
        (Some(name), _) => format!("the public randomness “{name}”"),
        (None, Some(text)) => format!("the text `{text}`"),
        (None, None) => format!("a file of {} bytes", randomness.bytes),
    };
    let panel = format!(
        "only one panel follows from 1 and 2, by the seed {}. The hashes can be computed in this \
         browser, under “{CHECK}”",
        seed.number
    );
    vec![
        fixed(&record.commitment, record.is_committed),
        lot(named, &randomness.sha256),
        PageStep {
            title: "The panel followed".to_owned(),
            words: panel,
            hash: Some(seed.sha256.clone()),
        },
    ]
}

/// The step that fixes all but the randomness.
pub(super) fn fixed(commitment: &str, is_committed: bool) -> PageStep {
    let title = match is_committed {
        true => "Fixed, to be published beforehand",
        false => "Fixed, with no commitment beforehand",
    };
    PageStep {
        title: title.to_owned(),
        words: "people, quotas, rule and version".to_owned(),
        hash: Some(commitment.to_owned()),
    }
}

/// The step in which the lot was decided.
pub(super) fn lot(words: String, sha256: &str) -> PageStep {
    PageStep {
        title: "Then the lot was decided".to_owned(),
        words,
        hash: Some(sha256.to_owned()),
    }
}

fn quotas(record: &Record) -> PageSection {
    let said = match (record.quotas_kept, record.has_quotas()) {
        (true, true) => "The panel keeps every quota.".to_owned(),
        (true, false) => "There are no quotas; the rule aims at shares.".to_owned(),
        (false, _) => format!("The panel misses this:\n\n{}.", record.misses.join(".\n\n")),
    };
    compared([PagePart::Prose(said)], &record.quotas)
}

/// Returns a section that compares the members with the quotas or the target, after the parts in
/// `first`.
pub(super) fn compared(
    first: impl IntoIterator<Item = PagePart>,
    quotas: &[QuotaRow],
) -> PageSection {
    let attributes = quotas.chunk_by(|one, other| one.attribute == other.attribute);
    let rows: Vec<Bullet> = attributes.flat_map(bullets).collect();
    let mut parts: Vec<PagePart> = first.into_iter().collect();
    if !rows.is_empty() {
        parts.push(PagePart::Bullets(BulletTable {
            caption: "Members by value of each attribute:".to_owned(),
            axis: "Members, from 0".to_owned(),
            rows,
        }));
    }
    section("Who was wanted, and who is on the panel", parts)
}

/// The values of one attribute, which every person has one of.
fn bullets(rows: &[QuotaRow]) -> impl Iterator<Item = Bullet> {
    let members = rows.iter().map(|row| row.members).sum::<usize>() as f64;
    let respondents = rows.iter().map(|row| row.respondents).sum::<usize>();
    let bullet = move |row: &QuotaRow| Bullet {
        group: row.attribute.clone(),
        name: row.value.clone(),
        wanted: match (row.min, row.target) {
            (Some(min), _) => Some(ValueSpan {
                lo: f64::from(min),
                hi: row.max.map_or(f64::INFINITY, f64::from),
            }),
            (None, Some(target)) => Some(ValueSpan {
                lo: target * members,
                hi: target * members,
            }),
            (None, None) => None,
        },
        words: wanted(row),
        members: row.members,
        respondents: row.respondents,
        even: members * row.respondents as f64 / respondents.max(1) as f64,
        is_kept: row.is_kept(),
    };
    rows.iter().map(bullet)
}

/// Returns the quota or the target of a value in words.
fn wanted(row: &QuotaRow) -> String {
    match (row.min, row.max, row.target) {
        (Some(min), Some(max), _) if min == max => min.to_string(),
        (Some(min), Some(max), _) => format!("{min} to {max}"),
        (Some(min), None, _) => format!("at least {min}"),
        (None, _, Some(target)) => format!("{:.1} %", 100.0 * target),
        (None, ..) => "–".to_owned(),
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
    let check = HashCheck {
        files: vec![
            commitment_file(&record.committed, &record.commitment),
            randomness_file(&record.randomness),
        ],
        lot: Some(HashedLot {
            name: "the seed".to_owned(),
            lines: lines("{commitment}", "{randomness}"),
            sha256: record.seed.sha256.clone(),
            number: record.seed.number,
            panels: None,
        }),
    };
    how_to_check([public, whole], check, shell, &record.commitment)
}

/// The commitment, whose text the page has.
pub(super) fn commitment_file(commitment: &Commitment, sha256: &str) -> HashedFile {
    HashedFile {
        name: COMMITMENT.to_owned(),
        bytes: Some(commitment.text().into_bytes()),
        sha256: sha256.to_owned(),
    }
}

/// The randomness, which the page has if it was given as a text.
pub(super) fn randomness_file(randomness: &RandomnessRecord) -> HashedFile {
    HashedFile {
        name: RANDOMNESS.to_owned(),
        bytes: randomness
            .text
            .as_ref()
            .map(|text| text.clone().into_bytes()),
        sha256: randomness.sha256.clone(),
    }
}

/// The heading of the section on checks.
pub(super) const CHECK: &str = "How to check it";

/// Returns the section on checks: those that anyone can make in a shell, and those by the program
/// with the people's file.
pub(super) fn how_to_check(
    [public, whole]: [String; 2],
    hashes: HashCheck,
    shell: &str,
    commitment: &str,
) -> PageSection {
    let verify = format!(
        "klero draw verify DIR\nklero draw verify DIR --commitment {commitment} --respondents people.csv"
    );
    let parts = vec![
        PagePart::Prose(public),
        PagePart::Hashes(hashes),
        PagePart::Code(shell.to_owned()),
        PagePart::Prose(whole),
        PagePart::Code(verify),
    ];
    section(CHECK, parts)
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
