//! The programs of a run, and their faults.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::faults::{PlannedFault, ProgramFault};
use super::player::{self, Part};
use kleroterion_core::lock::locked;
use kleroterion_io::seat::played::PlayedProgram;
use kleroterion_run::config::{Document, Plan, check as checked};
use kleroterion_testkit::Chances;

/// The programs of a run, by label.
pub(super) const PROGRAMS: [&str; 2] = ["even", "odd"];

/// A life without a fault of a program.
pub(super) const SOUND: u64 = u64::MAX;

/// The state of a run when a life began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// The last round that each program was known to have decided.
    pub(super) known: [u64; 2],
    /// The rounds whose people had come.
    pub(super) rounds: u64,
}

/// The place of a fault in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    /// A round that its program was known to have decided.
    Shown,
    /// Another round whose people had come before this life.
    Backlog,
    /// A round of people who came in this life.
    New,
}

/// A fault that happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Happened {
    pub(super) policy: &'static str,
    pub(super) what: ProgramFault,
    pub(super) point: Point,
}

/// The programs of a run.
#[derive(Clone)]
pub(super) struct Cast(Arc<Mutex<State>>);

struct State {
    chances: Chances,
    life: u64,
    faults: Vec<PlannedFault>,
    /// The faults that happened in this life.
    happened: Vec<Happened>,
    before: Before,
    /// The first error.
    wrong: Option<String>,
}

impl Cast {
    /// Programs with some faults in the rounds of `people`, in some of `lives`.
    pub(super) fn new(chances: &mut Chances, people: u64, lives: u64) -> Self {
        let mut faults: Vec<PlannedFault> = Vec::new();
        for program in 0..PROGRAMS.len() {
            for _ in 0..chances.below(4) {
                let all = ProgramFault::ALL;
                let fault = PlannedFault {
                    program,
                    round: chances.below(people + 1),
                    what: all[chances.below(all.len() as u64) as usize],
                    life: (!chances.one_in(4)).then(|| chances.below(lives)),
                };
                // One that hides another once would have the round shown that the other ends for good.
                let is_same = |other: &PlannedFault| {
                    (other.program, other.round) == (fault.program, fault.round)
                };
                if !faults.iter().any(is_same) {
                    faults.push(fault);
                }
            }
        }
        Self(Arc::new(Mutex::new(State {
            chances: chances.split(),
            life: 0,
            faults,
            happened: Vec::new(),
            before: Before::default(),
            wrong: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.0)
    }

    /// Begins a life.
    pub(super) fn begin(&self, life: u64, before: Before) {
        let mut state = self.state();
        (state.life, state.before) = (life, before);
        state.happened.clear();
    }

    /// The last round that a program was known to have decided before this life.
    pub(super) fn known(&self, policy: &str) -> u64 {
        let place = PROGRAMS.iter().position(|program| *program == policy);
        place.map_or(0, |place| self.state().before.known[place])
    }

    /// Notes an error. The first one counts.
    pub(super) fn note_wrong(&self, what: String) {
        self.state().wrong.get_or_insert(what);
    }

    /// Takes the first error, if there was one.
    pub(super) fn wrong(&self) -> Option<String> {
        self.state().wrong.take()
    }

    /// The faults that happened in this life.
    pub(super) fn happened(&self) -> Vec<Happened> {
        self.state().happened.clone()
    }

    fn note(&self, program: usize, round: u64, what: ProgramFault) {
        let mut state = self.state();
        let before = state.before;
        let point = match round.max(1) {
            round if round <= before.known[program] => Point::Shown,
            round if round <= before.rounds => Point::Backlog,
            _ => Point::New,
        };
        let policy = PROGRAMS[program];
        state.happened.push(Happened {
            policy,
            what,
            point,
        });
    }

    /// A program that is about to start.
    fn part(&self, program: usize) -> Part {
        let mut state = self.state();
        let life = state.life;
        let is_sound = life == SOUND;
        let faults = state
            .faults
            .iter()
            .filter(|fault| fault.program == program && fault.life.is_none_or(|when| when == life));
        let faults = faults.copied().collect();
        let slow = !is_sound && state.chances.one_in(6);
        let cast = self.clone();
        Part {
            label: PROGRAMS[program],
            faults: if is_sound { Vec::new() } else { faults },
            ready_after: match slow {
                true => Duration::from_secs(1 + state.chances.below(50)),
                false => Duration::ZERO,
            },
            // Slow enough for a backlog, fast enough for every deadline.
            pace: state.chances.below(60),
            chances: state.chances.split(),
            note: Box::new(move |round, what| cast.note(program, round, what)),
        }
    }

    /// The config of a run of these programs, and of one policy that is none.
    pub(super) fn plan(&self, chances: &mut Chances) -> Plan {
        let live = [
            "acting = \"odd\"",
            "acting = \"odd\"\nfallback = \"even\"",
            "acting = \"odd\"\nfallback = \"all\"",
            "acting = \"all\"",
        ];
        let live = live[chances.below(4) as usize];
        let mut text = format!(
            "name = \"simulated\"\nseed = 3\n\
             [source]\ntype = \"tcp\"\naddress = \"127.0.0.1:0\"\nid = \"id\"\n\
             [source.attributes]\nsex = {{ column = \"SEX\", values = {{ \"1\" = \"m\", \"2\" = \"f\" }} }}\n\
             [rules]\nslate = 1\nchoose = \"at_most_one\"\nuntil = {{ rounds = 100000 }}\n\
             [feedback.outcome]\ntype = \"reported\"\n\
             [live]\n{live}\n\
             [[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n"
        );
        for program in PROGRAMS {
            let late = if chances.one_in(4) {
                "leave"
            } else {
                "forfeit"
            };
            text += &format!(
                "[[policy]]\nlabel = \"{program}\"\nkind = \"exec\"\ncommand = [\"sh\"]\n\
                 deadline = \"300ms\"\non_timeout = \"{late}\"\n"
            );
        }
        let document = Document::parse(&text).expect("it parses");
        let plan = checked(&document, Path::new("."));
        let mut plan = plan.unwrap_or_else(|problems| panic!("{problems}"));
        for (place, program) in PROGRAMS.iter().enumerate() {
            let mut lanes = plan.lanes_mut().iter_mut();
            let lane = lanes.find(|lane| lane.label == *program).expect("its lane");
            let mut spec = (**lane.policy.outside.as_ref().expect("a program")).clone();
            let cast = self.clone();
            spec.played = Some(PlayedProgram::new(move |pipes| {
                player::start(cast.part(place), pipes)
            }));
            lane.policy.outside = Some(Arc::new(spec));
        }
        plan
    }
}
