//! A number that was drawn, and the panel that it names.

use std::collections::BTreeMap;

use super::list::{self, PANELS};
use super::number::{HashedNumber, hashed_number};
use super::outcome::{NumberFacts, NumberRecord};
use super::page::{ListPage, list_page};
use super::record::{NUMBERED, NumberedRecord};
use crate::code::Codes;
use crate::commitment::Commitment;
use crate::folder::{DrawFolder, RECORD};
use crate::hash::sha256;
use crate::inputs::Inputs;
use crate::keyed::KEYED;
use crate::less::everybody;
use crate::lists::CODE;
use crate::page::PAGE;
use crate::question::DrawQuestion;
use crate::record::{DropOutRecord, QuotaRow, RandomnessRecord};
use crate::rows::Rows;
use crate::seed::{DrawSeed, Randomness};
use crate::stand_ins::StandIns;
use crate::tables::{ALTERNATES, PANEL, alternates};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::record::outside;

/// A number that was drawn, with its panel.
pub struct DrawnNumber {
    /// The record of the draw.
    pub record: NumberRecord,
    list: NumberedRecord,
    question: DrawQuestion,
    codes: Codes,
    panels: Vec<Vec<u32>>,
    members: Vec<u32>,
    alternates: StandIns,
}

impl DrawnNumber {
    /// Computes the number that some randomness gives, for the panels in a folder. If `by_hand` is
    /// true, the randomness is the number itself, drawn by other means.
    ///
    /// # Errors
    /// Where what was committed to has changed, or the number is that of no panel.
    pub fn of(
        folder: &DrawFolder,
        inputs: &Inputs,
        commitment: &Commitment,
        randomness: &Randomness,
        by_hand: bool,
    ) -> Result<Self, Problems> {
        unchanged(inputs, commitment)?;
        let question = DrawQuestion::of(&everybody(inputs))?;
        let codes = Codes::of(inputs, &question.panel.respondents);
        let panels = panels(folder, commitment, &codes)?;
        let list = list_record(folder)?;
        let of = panels.len() as u32;
        let sha256 = commitment.sha256();
        let hashed = (!by_hand).then(|| hashed_number(&sha256, &randomness.sha256(), of));
        let value = match &hashed {
            Some(hashed) => hashed.number,
            None => by_hand_number(randomness, of)?,
        };
        let members = panels[value as usize - 1].iter().copied();
        let mut members: Vec<u32> = members.collect();
        members.sort_by(|a, b| codes.code(*a).cmp(codes.code(*b)));
        let seed = DrawSeed::of(&sha256, &randomness.sha256()).number;
        let alternates = StandIns::of(&question, &[], &members, commitment.alternates, seed);
        let facts = facts(value, of, hashed);
        let mut drawn = Self {
            record: record(commitment, randomness, facts, &question),
            list,
            question,
            codes,
            panels,
            members,
            alternates,
        };
        drawn.fill();
        if commitment.schema >= KEYED {
            let of_people = inputs.people_hash(commitment.schema);
            let tables = drawn.tables().into_iter();
            let hashes = tables.map(|(name, bytes)| (name, of_people.hash(&bytes)));
            drawn.record.files.extend(hashes);
        }
        Ok(drawn)
    }

    /// Fills in the parts of the record that depend on the members and the alternates.
    fn fill(&mut self) {
        let called = |one: &u32| self.codes.code(*one).to_owned();
        self.record.quotas_kept = self.question.panel.breaches(&self.members).is_empty();
        self.record.quotas = QuotaRow::all(&self.question, &self.members);
        self.record.panel = self.members.iter().map(called).collect();
        self.record.alternates = self.alternates.who.iter().map(called).collect();
        self.record.drop_outs = self.alternates.forecast.as_ref().map(DropOutRecord::of);
        let list = list::written(&self.panels, &self.codes);
        self.record.files = [(PANELS.to_owned(), sha256(&list))].into();
    }

    /// Returns the files of the draw, by name.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let page = ListPage {
            record: &self.list,
            panels: &self.panels,
            codes: &self.codes,
            drawn: Some(&self.record),
        };
        let mut files = self.tables();
        files.insert(PAGE.to_owned(), list_page(&page).html().into_bytes());
        files.insert(RECORD.to_owned(), self.record.text().into_bytes());
        files
    }

    pub(super) fn tables(&self) -> BTreeMap<String, Vec<u8>> {
        let mut panel = Rows::new(&self.question, &["order", CODE]);
        for (at, one) in self.members.iter().enumerate() {
            panel.add(
                &[(at + 1).to_string(), self.codes.code(*one).to_owned()],
                *one,
            );
        }
        let who = &self.alternates.who;
        let alternates = alternates(&self.question, &self.codes, &self.members, who);
        let tables = [(PANEL, panel.finish()), (ALTERNATES, alternates)];
        tables.map(|(name, bytes)| (name.to_owned(), bytes)).into()
    }
}

fn facts(value: u32, of: u32, hashed: Option<HashedNumber>) -> NumberFacts {
    NumberFacts {
        value,
        of,
        by: match &hashed {
            Some(_) => "randomness",
            None => "hand",
        },
        tries: hashed.as_ref().map(|hashed| hashed.tries),
        sha256: hashed.map(|hashed| hashed.sha256),
    }
}

/// A record without people.
fn record(
    commitment: &Commitment,
    randomness: &Randomness,
    number: NumberFacts,
    question: &DrawQuestion,
) -> NumberRecord {
    NumberRecord {
        schema: 1,
        name: question.plan.name.clone(),
        commitment: commitment.sha256(),
        is_committed: commitment.is_ahead(),
        committed: commitment.clone(),
        randomness: RandomnessRecord {
            name: commitment.randomness.clone(),
            from: randomness.origin.word(),
            text: randomness.text().map(str::to_owned),
            bytes: randomness.bytes.len(),
            sha256: randomness.sha256(),
        },
        number,
        respondents: question.panel.respondents.len(),
        places: question.panel.members,
        quotas_kept: false,
        quotas: Vec::new(),
        has_ids: false,
        panel: Vec::new(),
        alternates: Vec::new(),
        drop_outs: None,
        files: BTreeMap::new(),
    }
}

/// Refuses inputs that are not those of a commitment.
fn unchanged(inputs: &Inputs, commitment: &Commitment) -> Result<(), Problems> {
    let policy = (&*commitment.policy, &*commitment.kind);
    let (alternates, name) = (commitment.alternates, commitment.randomness.as_deref());
    let title = commitment.title.as_deref();
    let now = Commitment::to(inputs, policy, alternates, name, title);
    let mut now = now.in_version(commitment.schema, inputs);
    now.numbered.clone_from(&commitment.numbered);
    let help = "draw from the folder as `klero draw numbered` wrote it";
    let changes = commitment.changes(&now).into_iter();
    let changes = changes.map(|what| Problem::of_request(what).help(help));
    Problems(changes.collect()).or(())
}

/// The panels of the list in a folder, which must be the committed one.
fn panels(
    folder: &DrawFolder,
    commitment: &Commitment,
    codes: &Codes,
) -> Result<Vec<Vec<u32>>, Problem> {
    let wrong = |what: String| {
        let help = "take the list that was published with the commitment";
        Problem::of_file(folder.path().join(PANELS), what).help(help)
    };
    let bytes = folder.bytes(PANELS)?;
    let bytes = bytes.ok_or_else(|| wrong("the list of panels is missing".to_owned()))?;
    let found = sha256(&bytes);
    let due = commitment.numbered.as_ref();
    let due = due.map_or("", |numbered| numbered.sha256.as_str());
    if found != due {
        let what = format!("the list has changed: SHA-256 {due} was committed, this is {found}");
        return Err(wrong(what));
    }
    let panels = list::read(&bytes, codes).map_err(&wrong)?;
    match panels.is_empty() {
        true => Err(wrong("the list has no panels".to_owned())),
        false => Ok(panels),
    }
}

/// The record of the list in a folder.
fn list_record(folder: &DrawFolder) -> Result<NumberedRecord, Problem> {
    let wrong = |what: String| {
        let help = "take the file as `klero draw numbered` wrote it";
        Problem::of_file(folder.path().join(NUMBERED), what).help(help)
    };
    let bytes = folder.bytes(NUMBERED)?;
    let bytes = bytes.ok_or_else(|| wrong("the record of the panels is missing".to_owned()))?;
    outside::read(&bytes).map_err(|error| wrong(format!("this is no record: {error}")))
}

/// A number that was drawn by hand.
fn by_hand_number(randomness: &Randomness, of: u32) -> Result<u32, Problem> {
    let text = randomness.text().unwrap_or_default();
    let number = text.parse().ok().filter(|number| (1..=of).contains(number));
    number.ok_or_else(|| {
        let problem = Problem::of_option(
            format!("--number {text}"),
            format!("there are panels 1 to {of}"),
        );
        problem.help("give the number that was drawn")
    })
}
