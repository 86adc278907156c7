//! The book of interviews: which lanes want them, and what became of each.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::lanes::{LookLanes, Standing};

/// A candidate's id.
pub type Candidate = Box<str>;

/// The name of one interview. Lanes that buy the same interview share its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LookKey {
    /// The id of the candidate to interview.
    pub candidate: Candidate,
    /// The kind of interview, as an index into the interviews of the rules.
    pub kind: usize,
    /// The number of interviews of this kind that a lane has bought of the candidate before.
    pub nth: u64,
}

/// An interview that people are newly asked to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The interview.
    pub look: LookKey,
    /// The time at which people were asked, in milliseconds since 1970.
    pub at: u64,
}

/// The state of an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LookState {
    /// The interview is to be held.
    Open,
    /// The interview was answered.
    Answered,
    /// Its deadline has passed.
    Missed,
    /// The candidate withdrew.
    Withdrawn,
}

impl LookState {
    /// The state's word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered => "answered",
            Self::Missed => "missed",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// An interview that people were asked to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedLook {
    /// The interview.
    pub look: LookKey,
    /// The time at which people were asked, in milliseconds since 1970.
    pub since: u64,
    /// The places of the lanes that want it.
    pub wanted_by: Vec<usize>,
    /// Its state.
    pub state: LookState,
    /// The answer, if there is one.
    pub value: Option<f64>,
}

/// The final state of an interview.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Answered(f64),
    /// The deadline passed without an answer.
    Missed,
}

/// The state of one interview.
#[derive(Clone, Debug, Default)]
struct LookRecord {
    /// The time at which people were asked, in milliseconds since 1970; `None` if they were not.
    since: Option<u64>,
    /// True if the journal says that people were asked.
    is_past: bool,
    /// The places of the lanes that want it.
    wanted_by: BTreeSet<usize>,
    fate: Option<Fate>,
    /// The interviewer's name, if they gave one.
    by: Option<Box<str>>,
}

/// The result of receiving an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// The answer is taken for this interview, and counts once it is committed.
    Taken(LookKey),
    /// The same answer was given before.
    Repeated,
    /// Another answer, with this value, was given before.
    Contradicts(f64),
    /// No policy wants this interview.
    Unasked,
    /// The deadline of the interview has passed.
    Missed,
    /// The candidate withdrew.
    Withdrawn,
}

/// The state of all interviews, and the withdrawals of candidates.
#[derive(Clone, Debug)]
pub struct LookBook {
    lanes: LookLanes,
    /// The kind of interview that offers a place, if people are asked about offers.
    pub(super) offers: Option<usize>,
    looks: BTreeMap<LookKey, LookRecord>,
    withdrawn: BTreeSet<Candidate>,
    /// Interviews whose fate is not committed yet: lanes may not see it.
    fresh: BTreeSet<LookKey>,
    leaving: BTreeSet<Candidate>,
}

impl LookBook {
    /// Creates an empty book.
    #[must_use]
    pub fn new(lanes: LookLanes) -> Self {
        Self {
            lanes,
            offers: None,
            looks: BTreeMap::new(),
            withdrawn: BTreeSet::new(),
            fresh: BTreeSet::new(),
            leaving: BTreeSet::new(),
        }
    }

    /// The progress of the lanes.
    pub fn lanes(&mut self) -> &mut LookLanes {
        &mut self.lanes
    }

    /// Returns the answers to a lane's interviews of a round, in the order of `wanted`.
    ///
    /// An answer is `None` if it will never come. Returns `None` while some answers may still come.
    /// Interviews that people are newly asked to hold are added to `asked`.
    pub fn consult(
        &mut self,
        lane: usize,
        round: u64,
        wanted: &[LookKey],
        now: u64,
        asked: &mut Vec<Asked>,
    ) -> Option<Vec<Option<f64>>> {
        let standing = self.lanes.standing(lane, round);
        let mut answers = Some(Vec::with_capacity(wanted.len()));
        for look in wanted {
            match self.answer(lane, look, standing, now, asked) {
                Some(answer) => answers.iter_mut().for_each(|all| all.push(answer)),
                None => answers = None,
            }
        }
        if answers.is_none() {
            self.lanes.wait(lane);
        }
        answers
    }

    /// Returns an interview that people were asked to hold according to the journal, but that no
    /// lane wants.
    ///
    /// Such an interview means that the lanes do not repeat what they did before. Returns `None`
    /// before all lanes have caught up with the journal. It also returns `None` once a lane has
    /// broken off, since no other lane may want that lane's interviews.
    #[must_use]
    pub fn forgotten(&self) -> Option<&LookKey> {
        let mut looks = self.looks.iter();
        let is_forgotten = |record: &LookRecord| record.is_past && record.wanted_by.is_empty();
        let found = looks.find(|(_, record)| is_forgotten(record));
        found
            .map(|(look, _)| look)
            .filter(|_| self.lanes.have_caught_up() && !self.lanes.has_broken_off())
    }

    /// Returns the answer to one interview, or `None` while it may still come.
    fn answer(
        &mut self,
        lane: usize,
        look: &LookKey,
        standing: Standing,
        now: u64,
        asked: &mut Vec<Asked>,
    ) -> Option<Option<f64>> {
        let record = self.looks.entry(look.clone()).or_default();
        record.wanted_by.insert(lane);
        let fate = record.fate.filter(|_| !self.fresh.contains(look));
        // Who does not reply to an offer, or withdraws, does not take the place.
        let is_offer = self.offers == Some(look.kind);
        let silence = is_offer.then_some(0.0);
        match fate {
            Some(Fate::Answered(value)) => return Some(Some(value)),
            Some(Fate::Missed) => return Some(silence),
            None => {}
        }
        // An answer that is still to be committed came before the withdrawal.
        let is_gone = self.withdrawn.contains(&look.candidate) && record.fate.is_none();
        // An offer to who has withdrawn is on record too: other lanes learn of no other offer.
        let is_new = standing == Standing::Asks && record.since.is_none();
        if is_new && (is_offer || !is_gone) {
            record.since = Some(now);
            asked.push(Asked {
                look: look.clone(),
                at: now,
            });
        }
        if is_gone && (!is_offer || record.since.is_some()) {
            return Some(silence);
        }
        match standing {
            Standing::Asks | Standing::Waits => None,
            // What the lane that counts has asked is settled once it has closed the round.
            Standing::Over => Some(None),
        }
    }

    /// Receives an answer to the interview `nth` of its kind. Without `nth` it is for the first
    /// open interview, or else for the last answered one.
    pub fn receive(
        &mut self,
        candidate: &str,
        kind: usize,
        nth: Option<u64>,
        value: f64,
    ) -> Received {
        let Some(look) = self.meant(candidate, kind, nth) else {
            return match self.has_withdrawn(candidate) {
                true => Received::Withdrawn,
                false => Received::Unasked,
            };
        };
        let has_withdrawn = self.has_withdrawn(candidate);
        let Some(record) = self.looks.get_mut(&look) else {
            return Received::Unasked;
        };
        match record.fate {
            Some(Fate::Answered(before)) if before == value => Received::Repeated,
            Some(Fate::Answered(before)) => Received::Contradicts(before),
            Some(Fate::Missed) => Received::Missed,
            None if has_withdrawn => Received::Withdrawn,
            None => {
                record.fate = Some(Fate::Answered(value));
                self.fresh.insert(look.clone());
                Received::Taken(look)
            }
        }
    }

    /// Returns the interview that an answer is for, among those that people were asked to hold.
    fn meant(&self, candidate: &str, kind: usize, nth: Option<u64>) -> Option<LookKey> {
        let of = |nth| LookKey {
            candidate: candidate.into(),
            kind,
            nth,
        };
        let all = self.looks.range(of(0)..=of(u64::MAX));
        let mut put = all.filter(|(_, record)| record.since.is_some());
        if let Some(nth) = nth {
            return put
                .find(|(look, _)| look.nth == nth)
                .map(|(look, _)| look.clone());
        }
        let mut last = None;
        for (look, record) in put {
            last = Some(look);
            if record.fate.is_none() {
                break;
            }
        }
        last.cloned()
    }

    /// Notes that a candidate withdrew. Returns false if that was known.
    pub fn withdraw(&mut self, candidate: &str) -> bool {
        !self.withdrawn.contains(candidate) && self.leaving.insert(candidate.into())
    }

    /// Returns true if a candidate withdrew, committed or not.
    #[must_use]
    pub fn has_withdrawn(&self, candidate: &str) -> bool {
        self.withdrawn.contains(candidate) || self.leaving.contains(candidate)
    }

    /// Notes that the deadline of an interview has passed.
    pub fn miss(&mut self, look: &LookKey) {
        if let Some(record) = self.looks.get_mut(look) {
            record.fate.get_or_insert(Fate::Missed);
            self.fresh.insert(look.clone());
        }
    }

    /// Returns the open interviews that people were asked to hold at `since` or before.
    #[must_use]
    pub fn overdue(&self, since: u64) -> Vec<LookKey> {
        let open = self.open().filter(|(_, at)| *at <= since);
        open.map(|(look, _)| look.clone()).collect()
    }

    /// The time at which people were asked for the oldest open interview, in milliseconds since
    /// 1970.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.open().map(|(_, at)| at).min()
    }

    /// Iterates over the open interviews, each with the time at which people were asked.
    fn open(&self) -> impl Iterator<Item = (&LookKey, u64)> {
        let looks = self.looks.iter();
        looks.filter_map(|(look, record)| {
            let is_open = record.fate.is_none() && !self.has_withdrawn(&look.candidate);
            record.since.filter(|_| is_open).map(|at| (look, at))
        })
    }

    /// Makes answers, missed deadlines and withdrawals visible to lanes, now that they are
    /// committed. Returns true if there were any.
    pub fn commit(&mut self) -> bool {
        let leaving = std::mem::take(&mut self.leaving);
        let is_new = !(leaving.is_empty() && self.fresh.is_empty());
        self.withdrawn.extend(leaving);
        self.fresh.clear();
        is_new
    }

    /// Notes from the journal that people were asked to hold an interview.
    pub fn note_asked(&mut self, asked: Asked) {
        let record = self.looks.entry(asked.look).or_default();
        record.since.get_or_insert(asked.at);
        record.is_past = true;
    }

    /// Notes an answer from the journal. The first answer to an interview counts.
    pub fn note_answer(&mut self, look: LookKey, value: f64) {
        let record = self.looks.entry(look).or_default();
        record.since.get_or_insert(0);
        record.fate.get_or_insert(Fate::Answered(value));
    }

    /// Notes the name of the interviewer. The first name counts.
    pub fn note_interviewer(&mut self, look: &LookKey, by: &str) {
        if let Some(record) = self.looks.get_mut(look) {
            record.by.get_or_insert_with(|| by.into());
        }
    }

    /// Returns the interviewer's name, if they gave one, and the time at which people were asked.
    #[must_use]
    pub fn answered(&self, look: &LookKey) -> (Option<&str>, Option<u64>) {
        let record = self.looks.get(look);
        let by = record.and_then(|record| record.by.as_deref());
        (by, record.and_then(|record| record.since))
    }

    /// Returns the first candidate with an interview whose id satisfies `is`.
    #[must_use]
    pub fn called(&self, is: impl Fn(&str) -> bool) -> Option<&str> {
        let mut candidates = self.looks.keys().map(|look| &*look.candidate);
        candidates.find(|candidate| is(candidate))
    }

    /// Returns the numbers of open, answered and missed interviews, in this order.
    #[must_use]
    pub fn counts(&self) -> [u64; 3] {
        let fate = |fate: fn(&Fate) -> bool| {
            let records = self.looks.values();
            records
                .filter(|record| record.fate.as_ref().is_some_and(fate))
                .count() as u64
        };
        let answered = fate(|fate| matches!(fate, Fate::Answered(_)));
        let missed = fate(|fate| matches!(fate, Fate::Missed));
        [self.open().count() as u64, answered, missed]
    }

    /// Lists the interviews in these states: the oldest open ones first, then by candidate.
    #[must_use]
    pub fn listed(&self, states: RangeInclusive<LookState>) -> Vec<ListedLook> {
        let looks = self.looks.iter();
        let listed = looks.filter_map(|(look, record)| {
            let (state, value) = match record.fate {
                Some(Fate::Answered(value)) => (LookState::Answered, Some(value)),
                Some(Fate::Missed) => (LookState::Missed, None),
                None if self.has_withdrawn(&look.candidate) => (LookState::Withdrawn, None),
                // After a restart lanes ask once more, as soon as they have come so far.
                None if record.wanted_by.is_empty() => return None,
                None => (LookState::Open, None),
            };
            Some(ListedLook {
                look: look.clone(),
                since: record.since?,
                wanted_by: record.wanted_by.iter().copied().collect(),
                state,
                value,
            })
        });
        let mut listed: Vec<_> = listed.filter(|one| states.contains(&one.state)).collect();
        listed.sort_by_key(|one| one.since);
        listed
    }
}
