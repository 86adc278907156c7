//! A list of numbered panels made from the inputs of a draw, and the files that follow from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::groups::groups;
use super::list::{PANEL_CHANCES, PANELS, written};
use super::page::{ListPage, list_page};
use super::record::{DifferenceFacts, LotteryFacts, NUMBERED, NumberedRecord};
use crate::commitment::{Commitment, CommittedPanels};
use crate::draw::CheckedInputs;
use crate::hash::sha256;
use crate::inputs::Inputs;
use crate::keyed::KEYED;
use crate::lists::CODE;
use crate::page::PAGE;
use crate::rows::Rows;
use kleroterion_core::problem::Problem;
use kleroterion_io::record::shortest;
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::lottery::{AwaitedLottery, LotteryWatch, PanelLottery};
use kleroterion_sortition::numbered::{BILLION, NumberedPanels};

/// The table of codes and respondents.
pub const CODES: &str = "codes.csv";

/// A list of numbered panels, with the inputs that it was made from.
pub struct NumberedStage {
    /// The inputs, checked.
    pub stage: CheckedInputs,
    /// The panels.
    pub numbered: NumberedPanels,
    awaited: Arc<AwaitedLottery>,
    lottery: Arc<PanelLottery>,
}

impl NumberedStage {
    /// Makes the list of `panels` panels for the lottery of the one policy. `watch` observes the
    /// computation of the lottery.
    ///
    /// # Errors
    /// Where the policy has no lottery, or there is none.
    pub fn of(
        stage: CheckedInputs,
        panels: u32,
        watch: &LotteryWatch<'_>,
    ) -> Result<Self, Problem> {
        let Some(awaited) = stage.question.plan.lanes[0].policy.lottery.clone() else {
            return Err(no_lottery(&stage));
        };
        let lottery = awaited.work_out_unless(watch).map_err(|why| {
            let help = "widen the quotas, or make the committee smaller";
            Problem::of_request(why.to_string()).help(help)
        })?;
        let (lottery, seed) = (Arc::clone(lottery), stage.question.plan.seed);
        let numbered = NumberedPanels::of(awaited.question(), &lottery, panels, seed);
        Ok(Self {
            stage,
            numbered,
            awaited,
            lottery,
        })
    }

    /// The conditions on each panel.
    #[must_use]
    pub fn panel(&self) -> &PanelQuestion {
        self.awaited.question()
    }

    /// Returns the bytes of the list.
    #[must_use]
    pub fn list(&self) -> Vec<u8> {
        written(&self.numbered.panels, &self.stage.codes)
    }

    /// Makes the commitment to the list and to the data that it follows from. `randomness` names
    /// the randomness that will decide the number.
    #[must_use]
    pub fn commitment(
        &self,
        inputs: &Inputs,
        alternates: Option<u32>,
        randomness: Option<&str>,
        title: Option<&str>,
    ) -> Commitment {
        let policy = self.stage.question.policy();
        let mut commitment = Commitment::to(inputs, policy, alternates, randomness, title);
        commitment.numbered = Some(CommittedPanels {
            panels: self.numbered.panels.len() as u32,
            sha256: sha256(&self.list()),
        });
        commitment
    }

    /// Returns the record, and the files by name. The page is that of a list from which no number
    /// was drawn.
    #[must_use]
    pub fn files(
        &self,
        inputs: &Inputs,
        commitment: &Commitment,
    ) -> (NumberedRecord, BTreeMap<String, Vec<u8>>) {
        let of_people = inputs.people_hash(commitment.schema);
        let hash = (commitment.schema >= KEYED).then(|| of_people.hash(&self.codes()));
        self.files_with(inputs, commitment, hash)
    }

    /// Returns the files, with this hash of the table of codes. That table may have more columns.
    pub(super) fn files_with(
        &self,
        inputs: &Inputs,
        commitment: &Commitment,
        codes: Option<String>,
    ) -> (NumberedRecord, BTreeMap<String, Vec<u8>>) {
        let public = [(PANELS, self.list()), (PANEL_CHANCES, self.chances())];
        let mut files: BTreeMap<String, Vec<u8>> =
            public.map(|(name, bytes)| (name.to_owned(), bytes)).into();
        let mut record = self.record(inputs, commitment, &files);
        record
            .files
            .extend(codes.map(|hash| (CODES.to_owned(), hash)));
        let page = ListPage {
            record: &record,
            panels: &self.numbered.panels,
            codes: &self.stage.codes,
            drawn: None,
        };
        let html = list_page(&page).html().into_bytes();
        files.insert(PAGE.to_owned(), html);
        files.insert(CODES.to_owned(), self.codes());
        files.insert(NUMBERED.to_owned(), record.text().into_bytes());
        (record, files)
    }

    fn record(
        &self,
        inputs: &Inputs,
        commitment: &Commitment,
        files: &BTreeMap<String, Vec<u8>>,
    ) -> NumberedRecord {
        let (question, numbered) = (&self.stage.question, &self.numbered);
        let panels = numbered.panels.len() as u32;
        let [largest, bound] =
            [numbered.largest(), numbered.least].map(|off| numbered.as_chance(off));
        let certificate = &self.lottery.certificate;
        let mut different: Vec<&Vec<u32>> = numbered.panels.iter().collect();
        different.sort_unstable();
        different.dedup();
        NumberedRecord {
            schema: 1,
            name: question.plan.name.clone(),
            commitment: commitment.sha256(),
            committed: commitment.clone(),
            panels,
            different: different.len(),
            members: question.panel.members,
            respondents: question.panel.respondents.len(),
            impossible: self.lottery.impossible.len(),
            lottery: LotteryFacts {
                panels: self.lottery.panels.len(),
                least: self.lottery.least(),
                gap: certificate.gap(),
                is_proved: !certificate.is_undecided(),
            },
            difference: DifferenceFacts {
                largest,
                bound,
                gap: numbered.as_chance(numbered.largest() - numbered.least),
                because: numbered.hindrance.word().to_owned(),
            },
            groups: groups(question, &numbered.aims, &numbered.counts(), panels),
            disclosures: question.plan.world.disclosures.clone(),
            files: files
                .iter()
                .map(|(name, bytes)| (name.clone(), sha256(bytes)))
                .collect(),
            config: inputs.config(),
        }
    }

    /// The chances by code, in the order of the codes.
    fn chances(&self) -> Vec<u8> {
        let mut text = "code,panels,chance,lottery\n".to_owned();
        let counts = self.numbered.counts();
        for (code, one) in self.stage.codes.by_code() {
            let [_, panels, chance, lottery] = self.cells(one, &counts);
            text += &format!("{code},{panels},{chance},{lottery}\n");
        }
        text.into_bytes()
    }

    /// Returns the table of codes and respondents, in the order of the file.
    pub(super) fn codes(&self) -> Vec<u8> {
        let own = [CODE, "panels", "chance", "lottery"];
        let mut rows = Rows::new(&self.stage.question, &own);
        let counts = self.numbered.counts();
        for one in 0..counts.len() as u32 {
            rows.add(&self.cells(one, &counts), one);
        }
        rows.finish()
    }

    /// A respondent's code, number of panels, chance by them and under the lottery.
    fn cells(&self, one: u32, counts: &[u32]) -> [String; 4] {
        let (count, aim) = (counts[one as usize], self.numbered.aims[one as usize]);
        [
            self.stage.codes.code(one).to_owned(),
            count.to_string(),
            shortest(f64::from(count) / self.numbered.panels.len() as f64),
            shortest(aim as f64 / BILLION as f64),
        ]
    }
}

fn no_lottery(stage: &CheckedInputs) -> Problem {
    let (label, kind) = stage.question.policy();
    let what =
        format!("a policy of kind {kind:?} gives no lottery that panels could be numbered by");
    let help = "name a policy of kind \"leximin\", \"maximin\" or \"nash\", or add one to the config: \
                [[policy]] with kind = \"leximin\"";
    Problem::of_option(format!("--policy {label}"), what).help(help)
}
