//! The page of numbered panels for the public: `index.html`.

use super::chances::chances;
use super::list::{PANEL_CHANCES, PANELS};
use super::listing::panels;
use super::number::{limit, lines};
use super::outcome::NumberRecord;
use super::record::{NUMBERED, NumberedRecord};
use crate::code::Codes;
use crate::page::{
    commitment_file, committed, compared, fixed, found, how_to_check, lot, randomness_file, section,
};
use crate::spread::spread;
use crate::story::left_out;
use kleroterion_report::report::page::{
    HashCheck, HashedLot, Page, PagePart, PageSection, PageStep,
};

/// The data that a page shows.
pub(super) struct ListPage<'a> {
    pub record: &'a NumberedRecord,
    pub panels: &'a [Vec<u32>],
    pub codes: &'a Codes,
    /// The number that was drawn, if one was.
    pub drawn: Option<&'a NumberRecord>,
}

/// The page of a list of panels.
pub(super) fn list_page(page: &ListPage<'_>) -> Page {
    let record = page.record;
    let mut sections = Vec::new();
    if let Some(drawn) = page.drawn {
        sections.extend([panel(drawn), compared([], &drawn.quotas)]);
    }
    sections.extend([
        how(record, page.drawn),
        with_spread(chances(record), page),
        number(record, page.drawn),
        panels(page.panels, page.codes),
        check(record, page.drawn),
        committed(&record.commitment, &record.committed, &record.config),
    ]);
    Page {
        title: match &record.committed.title {
            Some(title) => title.clone(),
            None => format!("{} numbered panels: {}", record.panels, record.name),
        },
        found: Some(found(&lead(record, page.drawn), page.drawn.is_some())),
        sections,
        ..Page::default()
    }
}

fn lead(record: &NumberedRecord, drawn: Option<&NumberRecord>) -> String {
    let NumberedRecord {
        panels,
        members,
        respondents,
        ..
    } = record;
    match drawn {
        None => format!(
            "Here are {panels} panels of {members} of the {respondents} respondents. Each panel keeps \
             every quota. One number will be drawn, each with the same chance, and decides the panel."
        ),
        Some(drawn) => format!(
            "Number {} of {panels} was drawn: a panel of {members} of the {respondents} respondents. \
             Every number had the same chance.",
            drawn.number.value
        ),
    }
}

/// The chances, with a figure of those by the numbered panels.
fn with_spread(mut section: PageSection, page: &ListPage<'_>) -> PageSection {
    let mut on = vec![0_u32; page.record.respondents];
    for one in page.panels.iter().flatten() {
        on[*one as usize] += 1;
    }
    let panels = page.panels.len().max(1) as f64;
    let chances: Vec<f64> = on.iter().map(|n| f64::from(*n) / panels).collect();
    section.parts.insert(1, spread(&chances));
    section
}

/// The steps from the list to the panel, once a number was drawn.
fn steps(drawn: &NumberRecord) -> Vec<PageStep> {
    let (number, randomness) = (&drawn.number, &drawn.randomness);
    let words = match (&number.sha256, &randomness.name) {
        (None, _) => "a number drawn by hand".to_owned(),
        (_, Some(name)) => format!("the public randomness “{name}”"),
        (_, None) => "public randomness".to_owned(),
    };
    vec![
        fixed(&drawn.commitment, true),
        lot(words, &randomness.sha256),
        PageStep {
            title: "The panel followed".to_owned(),
            words: format!("panel {} of {}", number.value, number.of),
            hash: number.sha256.clone(),
        },
    ]
}

fn how(record: &NumberedRecord, drawn: Option<&NumberRecord>) -> PageSection {
    let NumberedRecord {
        panels,
        different,
        committed,
        ..
    } = record;
    let mut prose = format!(
        "The rule “{}” (`{}`) computed a lottery: panels with probabilities that treat the respondents \
         as fairly as the quotas allow. The {panels} numbered panels stand in for it. {} Each has \
         all its places taken and keeps every quota, and each household has at most one member on it \
         where households count.",
        committed.policy,
        committed.kind,
        match *different == *panels as usize {
            true => "All are different.".to_owned(),
            false => format!("{different} of them are different."),
        }
    );
    prose += if drawn.is_some() {
        "\n\nThe list of the panels was made before the number was drawn: its hash is in the commitment \
             below. Where that was published before, no one could choose the list by the number."
    } else {
        "\n\nThe list of the panels is to be published before the number is drawn, so that no one can \
             choose it by the number. Its hash is in the commitment below."
    };
    prose += &left_out(committed);
    for disclosure in &record.disclosures {
        prose += &format!("\n\n{disclosure}.");
    }
    let steps = drawn.map(|drawn| PagePart::Steps(steps(drawn)));
    let parts = steps.into_iter().chain([PagePart::Prose(prose)]);
    section("How the panel is drawn", parts.collect())
}

fn number(record: &NumberedRecord, drawn: Option<&NumberRecord>) -> PageSection {
    let m = record.panels;
    let named = match &record.committed.randomness {
        Some(name) => format!("What decides the number was named beforehand: “{name}”. "),
        None => String::new(),
    };
    let rule = format!(
        "From public randomness the number is computed from the SHA-256 of four lines, each ended by a \
         line feed. Its first 15 digits are read as a hexadecimal number. Below {}, the largest \
         multiple of {m} up to 2^60, the remainder by {m}, plus 1, is the panel's number. Any other \
         number is passed over, and the hash with the next try counts. So each panel has exactly the \
         same share of the numbers.",
        limit(m)
    );
    let (randomness, tries) = match drawn {
        Some(drawn) => (drawn.randomness.sha256.as_str(), drawn.number.tries),
        None => ("<SHA-256 of randomness>", Some(1)),
    };
    let mut parts = Vec::new();
    match (drawn, tries) {
        (Some(drawn), None) => {
            let value = drawn.number.value;
            let prose = format!("{named}The number {value} was drawn by hand.");
            parts.push(PagePart::Prose(prose));
        }
        (_, tries) => {
            parts.push(PagePart::Prose(format!("{named}{rule}")));
            let code = lines(&record.commitment, randomness, tries.unwrap_or(1));
            parts.push(PagePart::Code(code));
        }
    }
    match drawn {
        None => {
            let prose =
                "The number can also be drawn by hand, from an urn, say, with all numbers in it.";
            parts.push(PagePart::Prose(prose.to_owned()));
        }
        Some(NumberRecord { number, .. }) => {
            parts.extend(number.sha256.as_ref().map(|sha256| {
                PagePart::Prose(format!(
                    "That hash is `{sha256}`, which gives the number {}.",
                    number.value
                ))
            }));
        }
    }
    section("The number", parts)
}

fn panel(drawn: &NumberRecord) -> PageSection {
    let said = "Members and alternates by code. Respondents who ask are given their own code by the \
                organiser. No one else can tell whose a code is: the codes are hashes keyed by the \
                columns of all people that decide.";
    let mut parts = vec![
        PagePart::Prose(said.to_owned()),
        PagePart::Code(drawn.panel.join("\n")),
    ];
    if !drawn.alternates.is_empty() {
        parts.push(PagePart::Fold {
            summary: format!("The {} alternates", drawn.alternates.len()),
            parts: vec![PagePart::Code(drawn.alternates.join("\n"))],
        });
    }
    section(&format!("Panel {}", drawn.number.value), parts)
}

fn check(record: &NumberedRecord, drawn: Option<&NumberRecord>) -> PageSection {
    let public = format!(
        "Everybody can check the hash of the list and how often each code is on it, with the public \
         files `commitment.json`, `{PANELS}`, `{PANEL_CHANCES}`, `{NUMBERED}` and, after the draw, \
         `randomness` and `draw.json`:"
    );
    let shell = "sha256sum commitment.json panels.csv\n\
                 tail -n +2 panels.csv | cut -d, -f2 | tr ' ' '\\n' | sort | uniq -c\n\
                 printf 'klero draw number 1\\ncommitment: %s\\nrandomness: %s\\ntry: 1\\n' \\\n\
                 \x20 \"$(sha256sum < commitment.json | cut -c1-64)\" \\\n\
                 \x20 \"$(sha256sum < randomness | cut -c1-64)\" | sha256sum";
    let whole = format!(
        "Who is also given the people's file, say an auditor, can check with klero {} that each panel \
         keeps the quotas, that the chances and their difference are as stated, and that the list was \
         made by the rule. DIR is the folder.",
        record.committed.klero
    );
    let hashes = HashCheck {
        files: std::iter::once(commitment_file(&record.committed, &record.commitment))
            .chain(drawn.map(|drawn| randomness_file(&drawn.randomness)))
            .collect(),
        lot: drawn.and_then(|drawn| hashed(record, drawn)),
    };
    how_to_check([public, whole], hashes, shell, &record.commitment)
}

/// The number and the lines of its hash, if it came from randomness.
fn hashed(record: &NumberedRecord, drawn: &NumberRecord) -> Option<HashedLot> {
    Some(HashedLot {
        name: "the number".to_owned(),
        lines: lines("{commitment}", "{randomness}", drawn.number.tries?),
        sha256: drawn.number.sha256.clone()?,
        number: drawn.number.value.into(),
        panels: Some(record.panels),
    })
}
