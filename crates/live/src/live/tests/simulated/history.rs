//! A history: lives of a run, one after another, until all is acknowledged.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

use super::cast::{Before, Cast, PROGRAMS, SOUND};
use super::check::{self, Row};
use super::life::{Ends, Run};
use super::memory::SeatPlant;
use super::plainly::Plainly;
use super::promises::Promises;
use super::survived::Survived;
use crate::live::{RecorderError, clock};
use kleroterion_core::score::LaneResult;
use kleroterion_io::journal::simulated::{DiskFault, MountedDisk, Plant, mount};
use kleroterion_run::config::{Document, Plan, check as checked};
use kleroterion_testkit::Chances;

/// The number of lives before the one in which no fault happens.
const LIVES: u64 = 6;

/// The players of a history.
#[derive(Clone, Copy, Debug)]
pub(super) enum Players {
    /// A rule, whose seat is late at times.
    Rule,
    /// Programs; with a mistake in what is noted of them, maybe.
    Programs(Option<SeatPlant>),
}

/// The reason why a life ended before its time.
#[derive(Debug)]
enum Ended {
    /// The journal can't be opened.
    Unopened(String),
    Recorder(RecorderError),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unopened(why) => f.write_str(why),
            Self::Recorder(error) => error.fmt(f),
        }
    }
}

/// Creates a runtime whose clock advances when all tasks wait.
fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime")
}

/// A history.
pub(super) struct History {
    plan: Arc<Plan>,
    /// The programs, where some play.
    cast: Option<Cast>,
    plant: Option<SeatPlant>,
    disk: MountedDisk,
    promises: Promises,
    chances: Chances,
    people: u64,
    is_begun: bool,
    /// The entries at the end of the last life.
    before: Vec<Row>,
    /// The time of the wall clock, in milliseconds.
    clock: u64,
    survived: Survived,
}

fn plan(chances: &mut Chances) -> Plan {
    let horizon = match chances.below(3) {
        0 => "",
        1 => "\nhorizon = 6",
        _ => "\nhorizon = \"2s\"",
    };
    let text = format!(
        "name = \"simulated\"\nseed = 3\n\
         [source]\ntype = \"tcp\"\naddress = \"127.0.0.1:0\"\nid = \"id\"\n\
         [source.attributes]\nsex = {{ column = \"SEX\", values = {{ \"1\" = \"m\", \"2\" = \"f\" }} }}\n\
         [rules]\nslate = 1\nchoose = \"at_most_one\"\nuntil = {{ rounds = 100000 }}\n\
         [feedback.outcome]\ntype = \"reported\"{horizon}\n\
         [live]\nacting = \"rule\"\n\
         [[policy]]\nlabel = \"rule\"\nkind = \"accept_all\"\n"
    );
    let document = Document::parse(&text).expect("it parses");
    checked(&document, Path::new(".")).unwrap_or_else(|problems| panic!("{problems}"))
}

impl History {
    pub(super) fn new(seed: u64, plant: Option<Plant>, players: Players) -> Self {
        let mut chances = Chances::new(seed);
        let disk = mount(chances.any(), plant);
        let (people, cast, plan, plant) = match players {
            Players::Rule => {
                let plan = plan(&mut chances);
                (4 + chances.below(24), None, plan, None)
            }
            Players::Programs(plant) => {
                let people = 4 + chances.below(24);
                let cast = Cast::new(&mut chances, 2 * people, LIVES + 1);
                let plan = cast.plan(&mut chances);
                (people, Some(cast), plan, plant)
            }
        };
        Self {
            plan: Arc::new(plan),
            cast,
            plant,
            disk,
            promises: Promises::default(),
            people,
            is_begun: false,
            before: Vec::new(),
            clock: 1_700_000_000_000,
            survived: Survived {
                histories: 1,
                ..Survived::default()
            },
            chances,
        }
    }

    /// Plays all lives. Returns the faults survived, or the error.
    pub(super) fn play(mut self) -> Result<Survived, String> {
        for _ in 0..LIVES {
            let ends = self.fault();
            self.live(ends)?;
        }
        while !self.live(Ends::Done)? {
            if self.survived.refused > 2 * LIVES {
                return Err("it is refused for ever".to_owned());
            }
        }
        if self.cast.is_some() {
            let again = self.again();
            again.map_err(|wrong| format!("played again: {wrong}"))?;
        }
        let promises = self.promises.clone();
        promises.with(|promised| {
            self.survived.people = promised.people.len() as u64;
            self.survived.outcomes = promised.outcomes.len() as u64;
            self.survived.late = promised.late.len() as u64;
            self.survived.decisions = promised.shown.len() as u64;
        });
        self.survived.operations = self.disk.operations();
        self.survived.power_cuts = self.disk.happened(DiskFault::PowerCut);
        self.survived.broken = self.disk.happened(DiskFault::Broken);
        self.survived.full = self.disk.happened(DiskFault::Full);
        match self.cast.is_none() && self.survived.decisions < self.survived.people {
            true => Err(format!("not all were decided: {:?}", self.survived)),
            false => Ok(self.survived),
        }
    }

    /// Chooses the faults of the next life, and its latest end.
    fn fault(&mut self) -> Ends {
        for _ in 0..self.chances.below(3) {
            let operations = 1 + self.chances.below(240);
            let fault = match self.chances.below(3) {
                0 => DiskFault::PowerCut,
                1 => DiskFault::Broken,
                _ => DiskFault::Full,
            };
            self.disk.fault_after(operations, fault);
        }
        let after = Duration::from_millis(self.chances.below(2000));
        if self.chances.one_in(2) {
            self.survived.kills += 1;
            Ends::Killed(after)
        } else {
            self.survived.stops += 1;
            Ends::Stopped(after)
        }
    }

    /// Plays one life and checks the disk against the promises. Returns false if the run refused to
    /// go on, because a program ended in a round that it had decided.
    fn live(&mut self, ends: Ends) -> Result<bool, String> {
        if let Some(cast) = &self.cast {
            let plainly = Plainly::of(&self.plan, &check::entries(&self.before)?)?;
            let before = Before {
                known: PROGRAMS.map(|policy| plainly.known(policy)),
                rounds: plainly.rounds,
            };
            cast.begin(self.survived.lives, before);
        }
        self.survived.lives += 1;
        let runtime = runtime();
        let chances = self.chances.split();
        let local = LocalSet::new();
        let ended = local.block_on(&runtime, self.process(ends, chances));
        if matches!(ends, Ends::Killed(_)) {
            self.disk.kill();
        }
        drop((local, runtime));
        clock::set(None);
        let had_fault = self.disk.has_failed();
        // After a power failure, or that of the disk, the machine may be started anew.
        self.disk.restart();
        self.count_faults();
        let is_refused = ended.as_ref().is_err_and(|ended| self.may_end(ended));
        let plainly = self.hold();
        let plainly = plainly.map_err(|wrong| format!("after {ends:?}: {wrong}"))?;
        match ended {
            Err(_) if had_fault => Ok(true),
            Err(_) if is_refused => {
                self.survived.refused += 1;
                Ok(false)
            }
            Err(wrong) => Err(format!("with nothing wrong: {wrong}")),
            Ok(None) => Ok(true),
            Ok(Some(lanes)) => {
                let plainly = plainly.expect("programs play");
                plainly.hold_ends(&self.plan, &lanes).map(|()| true)
            }
        }
    }

    /// Notes the faults of programs that happened in a life.
    fn count_faults(&mut self) {
        let acting = self
            .plan
            .live
            .acting
            .map(|lane| &*self.plan.lanes[lane].label);
        for fault in self.cast.iter().flat_map(Cast::happened) {
            self.survived.faults[fault.what as usize] += 1;
            self.survived.points[fault.point as usize] += 1;
            self.survived.of_acting += u64::from(acting == Some(fault.policy));
        }
    }

    /// Returns true if a life may end like this: a program failed in a round that its lane was
    /// known to have decided.
    fn may_end(&self, ended: &Ended) -> bool {
        let (Some(cast), Ended::Recorder(RecorderError::Ended { policy, round, .. })) =
            (&self.cast, ended)
        else {
            return false;
        };
        let happened = cast.happened();
        let has_failed = happened.iter().any(|fault| *fault.policy == **policy);
        has_failed && *round <= cast.known(policy)
    }

    /// Replays the journal with programs that do not fail, and checks that all lanes decide and end
    /// as before.
    fn again(&mut self) -> Result<(), String> {
        let cast = self.cast.as_ref().expect("programs play");
        let known = [u64::MAX; 2];
        cast.begin(SOUND, Before { known, rounds: 0 });
        let run = Run {
            plan: &self.plan,
            cast: Some(cast),
            plant: None,
            disk: &self.disk,
            promises: &self.promises,
            people: self.people,
        };
        let (runtime, local) = (runtime(), LocalSet::new());
        let (lanes, decisions) = local.block_on(&runtime, run.again())?;
        let plainly = Plainly::of(&self.plan, &check::entries(&self.before)?)?;
        plainly.hold_ends(&self.plan, &lanes)?;
        plainly.hold_decisions(&decisions)?;
        for lane in plainly.lanes.values() {
            let late = lane.decided.values().filter(|(_, is_late)| *is_late);
            self.survived.forfeits += late.count() as u64;
            self.survived.ended += u64::from(lane.end.is_some());
        }
        self.survived.takeovers += u64::from(plainly.is_taken_over());
        plainly.hold_whole()
    }

    /// Plays the process of a life. The error is the reason why it ended early.
    async fn process(
        &mut self,
        ends: Ends,
        mut chances: Chances,
    ) -> Result<Option<Vec<LaneResult>>, Ended> {
        if chances.one_in(3) {
            // The clock jumps.
            let jump = chances.below(7_200_000);
            self.clock = self.clock + jump - 3_600_000;
            self.survived.clocks_set += 1;
        }
        clock::set(Some(self.clock));
        let run = Run {
            plan: &self.plan,
            cast: self.cast.as_ref(),
            plant: self.plant,
            disk: &self.disk,
            promises: &self.promises,
            people: self.people,
        };
        let opened = match run.open(self.is_begun) {
            Err(wrong) if !self.is_begun => {
                self.survived.unbegun += 1;
                // What its user is advised to do.
                self.disk.remove_all();
                return Err(Ended::Unopened(wrong));
            }
            opened => opened.map_err(Ended::Unopened)?,
        };
        self.is_begun = true;
        let lived = run.live(opened, ends, chances).await;
        self.clock += 3_000;
        lived.map_err(Ended::Recorder)
    }

    /// Checks the journal against the promises and against its earlier entries. Returns the lanes
    /// of programs, if there are any.
    fn hold(&mut self) -> Result<Option<Plainly>, String> {
        let wrong = self.promises.with(|promised| promised.wrong.take());
        if let Some(wrong) = wrong.or_else(|| self.cast.as_ref()?.wrong()) {
            return Err(wrong);
        }
        let rows = check::rows(&self.disk.as_it_is())?;
        let cast = self.cast.as_ref().map(|_| &*self.plan);
        check::hold(&rows, &self.promises, cast)?;
        if !rows.starts_with(&self.before) {
            return Err("entries are not as they were before".into());
        }
        self.before = rows;
        let plainly = |plan| Plainly::of(plan, &check::entries(&self.before)?);
        cast.map(plainly).transpose()
    }
}
