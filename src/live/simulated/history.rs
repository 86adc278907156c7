//! A history: lives of a run, one after another, until all is acknowledged.

use std::ops::AddAssign;
use std::path::Path;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::task::LocalSet;

use super::check::{self, Row};
use super::life::{Ends, Run};
use super::promises::Promises;
use crate::config::{Document, Plan, check as checked};
use crate::journal::simulated::{Chances, Fault, MountedDisk, Plant, mount};
use crate::live::clock;

/// Lives before the one in which nothing fails.
const LIVES: u64 = 6;

/// What was survived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survived {
    pub(super) histories: u64,
    pub(super) power_cuts: u64,
    pub(super) broken: u64,
    pub(super) full: u64,
    pub(super) kills: u64,
    pub(super) stops: u64,
    /// Runs that were cut off before they had begun.
    pub(super) unbegun: u64,
    pub(super) clocks_set: u64,
    pub(super) operations: u64,
    pub(super) people: u64,
    pub(super) outcomes: u64,
    pub(super) late: u64,
    pub(super) decisions: u64,
}

impl AddAssign for Survived {
    fn add_assign(&mut self, other: Self) {
        self.histories += other.histories;
        self.power_cuts += other.power_cuts;
        self.broken += other.broken;
        self.full += other.full;
        self.kills += other.kills;
        self.stops += other.stops;
        self.unbegun += other.unbegun;
        self.clocks_set += other.clocks_set;
        self.operations += other.operations;
        self.people += other.people;
        self.outcomes += other.outcomes;
        self.late += other.late;
        self.decisions += other.decisions;
    }
}

impl Survived {
    /// Asserts that each kind of fault happened, and often.
    pub(super) fn is_varied(&self) {
        let often = [
            self.power_cuts,
            self.broken,
            self.full,
            self.kills,
            self.stops,
        ];
        assert!(
            often.iter().all(|times| *times >= self.histories / 4),
            "{self:?}"
        );
        assert!(
            self.unbegun > 0 && self.late > 0 && self.clocks_set > 0,
            "{self:?}"
        );
    }
}

/// A history.
pub(super) struct History {
    plan: Plan,
    disk: MountedDisk,
    promises: Promises,
    chances: Chances,
    people: u64,
    is_begun: bool,
    /// The entries at the end of the last life.
    before: Vec<Row>,
    /// What the clock of the wall shows, in milliseconds.
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
    pub(super) fn new(seed: u64, plant: Option<Plant>) -> Self {
        let mut chances = Chances::new(seed);
        let disk = mount(chances.any(), plant);
        Self {
            plan: plan(&mut chances),
            disk,
            promises: Promises::default(),
            people: 4 + chances.below(24),
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

    /// Plays all lives; what was survived, or what was wrong.
    pub(super) fn play(mut self) -> Result<Survived, String> {
        for _ in 0..LIVES {
            let ends = self.fault();
            self.live(ends)?;
        }
        self.live(Ends::Done)?;
        let promises = self.promises.clone();
        promises.with(|promised| {
            self.survived.people = promised.people.len() as u64;
            self.survived.outcomes = promised.outcomes.len() as u64;
            self.survived.late = promised.late.len() as u64;
            self.survived.decisions = promised.shown.len() as u64;
        });
        self.survived.operations = self.disk.operations();
        self.survived.power_cuts = self.disk.happened(Fault::PowerCut);
        self.survived.broken = self.disk.happened(Fault::Broken);
        self.survived.full = self.disk.happened(Fault::Full);
        match self.survived.decisions < self.survived.people {
            true => Err(format!("not all were decided: {:?}", self.survived)),
            false => Ok(self.survived),
        }
    }

    /// What befalls the next life, and how it ends at the latest.
    fn fault(&mut self) -> Ends {
        for _ in 0..self.chances.below(3) {
            let operations = 1 + self.chances.below(240);
            let fault = match self.chances.below(3) {
                0 => Fault::PowerCut,
                1 => Fault::Broken,
                _ => Fault::Full,
            };
            self.disk.fault_after(operations, fault);
        }
        let after = Duration::from_millis(self.chances.below(2000));
        match self.chances.one_in(2) {
            true => {
                self.survived.kills += 1;
                Ends::Killed(after)
            }
            false => {
                self.survived.stops += 1;
                Ends::Stopped(after)
            }
        }
    }

    /// Plays one life, and holds what is left against what was promised.
    fn live(&mut self, ends: Ends) -> Result<(), String> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
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
        self.hold()
            .map_err(|wrong| format!("after {ends:?}: {wrong}"))?;
        match ended {
            Err(_) if had_fault => Ok(()),
            ended => ended.map_err(|wrong| format!("with nothing wrong: {wrong}")),
        }
    }

    /// The process of a life: why it ended before its time, where it did.
    async fn process(&mut self, ends: Ends, mut chances: Chances) -> Result<(), String> {
        if chances.one_in(3) {
            // The clock jumps.
            let jump = chances.below(7_200_000);
            self.clock = self.clock + jump - 3_600_000;
            self.survived.clocks_set += 1;
        }
        clock::set(Some(self.clock));
        let run = Run {
            plan: &self.plan,
            disk: &self.disk,
            promises: &self.promises,
            people: self.people,
        };
        let opened = match run.open(self.is_begun) {
            Err(wrong) if !self.is_begun => {
                self.survived.unbegun += 1;
                // What its user is advised to do.
                self.disk.remove_all();
                return Err(wrong);
            }
            opened => opened?,
        };
        self.is_begun = true;
        let lived = run.live(opened, ends, chances).await;
        self.clock += 3_000;
        lived.map_err(|error| error.to_string())
    }

    /// Holds the journal against the promises, and against what it was before.
    fn hold(&mut self) -> Result<(), String> {
        if let Some(wrong) = self.promises.with(|promised| promised.wrong.take()) {
            return Err(wrong);
        }
        let rows = check::rows(&self.disk.as_it_is())?;
        check::hold(&rows, &self.promises)?;
        if !rows.starts_with(&self.before) {
            return Err("entries are not as they were before".into());
        }
        self.before = rows;
        Ok(())
    }
}
