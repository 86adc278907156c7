//! A history: a user's commands on a few folders, in sequence and concurrently.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::known::{Files, Known};
use super::process::{Announced, Command, From, run};
use super::town::{POLICIES, Town};
use super::tried::Tried;
use crate::{COMMITMENT, draw_file};
use kleroterion_report::report::files::LOCK;
use kleroterion_report::report::files::door::simulated::{
    self, EndedProcess, PlantedMistake, ProcessFate,
};
use kleroterion_testkit::Chances;

/// The folders of draws.
const FOLDERS: [&str; 4] = ["a", "b", "c", "d"];

/// The folder in which a command is repeated without disturbance.
const TWIN: &str = "twin";

/// Values of randomness, and numbers of an urn of [`PANELS`].
const VALUES: [&str; 4] = ["3 14 15", "6 9 21", "4711", "2"];

const PANELS: u32 = 3;

/// The steps of a history.
const STEPS: u64 = 9;

/// The state that the processes of a history share.
struct World {
    town: Town,
    known: RefCell<BTreeMap<&'static str, Known>>,
    /// The version of the people's file.
    people: Cell<u64>,
    /// The number of the next process.
    next: Cell<u32>,
    tried: RefCell<Tried>,
}

/// A history.
pub(super) struct History {
    world: Rc<World>,
    chances: Chances,
}

type Answer = Result<Announced, String>;

impl World {
    /// Runs a command in a process of its own.
    fn run(&self, command: &Command, out: &str, fate: ProcessFate) -> EndedProcess<Answer> {
        let number = self.next.get();
        self.next.set(number + 1);
        simulated::run(number, fate, || run(&self.town, command, out))
    }

    /// Sees what a folder has after a command, holds it against what is known, and checks a draw
    /// that is whole.
    fn see(
        &self,
        out: &'static str,
        command: &Command,
        announced: Option<&Announced>,
    ) -> Result<(), String> {
        let mut known = self.known.borrow_mut();
        let known = known.get_mut(out).expect("a folder");
        known.see(
            self.town.files(out),
            (command, self.people.get() / 2),
            announced,
        )?;
        if known.finished.is_none() {
            return Ok(());
        }
        self.tried.borrow_mut().checks += 1;
        let checked = simulated::run(0, ProcessFate::Lives, || known.verified(&self.town, out));
        checked.with
    }

    /// Returns the reason why a command must be refused, as far as is known. `None` if it must
    /// succeed.
    fn refusal(&self, command: &Command, out: &str) -> Option<&'static str> {
        let known = self.known.borrow();
        let own = &known[out];
        let before = match command {
            Command::Commit(From::After(before, _)) | Command::Draw(From::After(before, _), _) => {
                Some(*before)
            }
            _ => None,
        };
        if before.is_some_and(|before| known[before].finished.is_none()) {
            return Some("");
        }
        let begins = !matches!(command, Command::DrawFolder(_) | Command::ByHand(_));
        if own.finished.is_some() {
            return Some("already holds a draw");
        }
        if own.commitment.is_none() {
            return match (begins, own.foreign.is_empty()) {
                (false, _) => Some(""),
                (true, false) => Some("is not empty"),
                (true, true) => self.repeated(command, before),
            };
        }
        let is_of_list = own.panels().is_some();
        let other = match command {
            Command::Commit(_) | Command::Numbered(_) => Some("already holds a commitment"),
            Command::Draw(from, _) if !own.is_to(from, self.people.get() / 2) => Some(""),
            Command::ByHand(_) if !is_of_list => Some("only numbered panels"),
            Command::ByHand(number) => {
                let is_one = number.parse().is_ok_and(|n: u32| (1..=PANELS).contains(&n));
                (!is_one).then_some("there are panels 1 to")
            }
            _ => None,
        };
        let value = value(command).map(str::as_bytes);
        let begun = own.randomness.as_deref();
        let is_other = begun.is_some() && begun != value;
        other
            .or_else(|| self.repeated(command, own.after()))
            .or(is_other.then_some("begun with other randomness"))
    }

    /// Returns a reason if the value of a command already decided an earlier draw.
    fn repeated(&self, command: &Command, before: Option<&str>) -> Option<&'static str> {
        let value = value(command)?.as_bytes();
        let known = self.known.borrow();
        let mut before = before;
        while let Some(draw) = before.map(|name| &known[name]) {
            if draw.randomness.as_deref() == Some(value) {
                return Some("decided an earlier draw");
            }
            before = draw.after();
        }
        None
    }

    /// Checks that a command that was not killed leaves only files of a draw and those of others in
    /// a folder.
    fn is_tidy(&self, out: &str) -> Result<(), String> {
        let known = self.known.borrow();
        let is_known = |name: &String| {
            let is_own = draw_file(name).is_some() && !name.ends_with(".tmp");
            is_own || known[out].foreign.contains(name)
        };
        let files = self.town.files(out);
        match files.keys().find(|name| !is_known(name)) {
            Some(name) => Err(format!("{name} is left")),
            None => Ok(()),
        }
    }
}

/// The value of randomness that a command gives.
fn value(command: &Command) -> Option<&'static str> {
    match command {
        Command::Draw(_, value) | Command::DrawFolder(value) | Command::ByHand(value) => {
            Some(value)
        }
        Command::Commit(_) | Command::Numbered(_) => None,
    }
}

impl History {
    pub(super) fn new(seed: u64, plant: Option<PlantedMistake>) -> Self {
        simulated::plant(plant);
        let known = FOLDERS.map(|name| (name, Known::default()));
        let world = World {
            town: Town::new(),
            known: RefCell::new(known.into()),
            people: Cell::default(),
            next: Cell::new(1),
            tried: RefCell::new(Tried {
                histories: 1,
                ..Tried::default()
            }),
        };
        Self {
            world: Rc::new(world),
            chances: Chances::new(seed),
        }
    }

    /// Plays all steps; what was tried, or what was wrong.
    pub(super) fn play(mut self) -> Result<Tried, String> {
        for step in 0..STEPS {
            match self.chances.below(10) {
                0 => self.others_file(),
                1 => {
                    self.world.people.set(self.chances.below(4));
                    self.world.town.put_people(self.world.people.get());
                }
                _ => {
                    let (out, command) = self.command();
                    self.step(out, &command)
                        .map_err(|wrong| format!("step {step}, {command:?} into {out}: {wrong}"))?;
                }
            }
        }
        let tried = *self.world.tried.borrow();
        Ok(tried)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.chances.below(of.len() as u64) as usize]
    }

    /// A file of others' appears in a folder.
    fn others_file(&mut self) {
        let out = self.one(&FOLDERS);
        let mut known = self.world.known.borrow_mut();
        let known = known.get_mut(out).expect("a folder");
        let names: &[&str] = match known.commitment {
            Some(_) => &["notes.txt", "chances.csv", "inputs/more.csv"],
            None => &["notes.txt"],
        };
        let name = names[self.chances.below(names.len() as u64) as usize];
        self.world.town.put(&format!("{out}/{name}"), "another's\n");
        known.foreign.insert(name.to_owned());
    }

    /// A command, and the folder that it is to write into; some suit what is there.
    fn command(&mut self) -> (&'static str, Command) {
        let out = self.one(&FOLDERS);
        let value = self.one(&VALUES);
        let from = if self.chances.one_in(3) {
            let others: Vec<&str> = FOLDERS.into_iter().filter(|name| *name != out).collect();
            let known = self.world.known.borrow();
            let done = others.iter().find(|name| known[**name].finished.is_some());
            let done = done.copied();
            drop(known);
            let before = done.unwrap_or_else(|| self.one(&others));
            From::After(before, 1 + self.chances.below(3) as usize)
        } else {
            From::Config(self.one(&POLICIES))
        };
        let has_commitment = self.world.known.borrow()[out].commitment.clone();
        let command = match (has_commitment, self.chances.below(8)) {
            (Some((_, Command::Numbered(_), _)), 0..5) => Command::ByHand(value),
            (Some(_), 0..4) => Command::DrawFolder(value),
            (Some((_, Command::Draw(from, _) | Command::Commit(from), _)), 4 | 5) => {
                Command::Draw(from, value)
            }
            (_, 0..3) => Command::Draw(from, value),
            (_, 3) => Command::Numbered(PANELS),
            (_, 4) => Command::DrawFolder(value),
            (_, 5) => Command::ByHand(value),
            _ => Command::Commit(from),
        };
        (out, command)
    }

    /// Runs a command as if nothing befell it, elsewhere; then in its folder, where something may.
    fn step(&mut self, out: &'static str, command: &Command) -> Result<(), String> {
        let world = Rc::clone(&self.world);
        let there = world.town.path(out).exists().then(|| world.town.files(out));
        world.town.set(TWIN, there.as_ref());
        let alone = world.run(command, TWIN, ProcessFate::Lives);
        let (changes, due) = (alone.changes, named(alone.with, TWIN, out));
        let whole = world.town.files(TWIN);
        world.town.set(TWIN, None);
        match (world.refusal(command, out), &due) {
            (None, Ok(_)) => {}
            (Some(why), Err(said)) if said.contains(why) => {}
            (why, due) => return Err(format!("{why:?} is due, and it says {due:?}")),
        }
        {
            let mut tried = world.tried.borrow_mut();
            tried.commands += 1;
            tried.changes += changes;
            tried.succeeded += u64::from(due.is_ok());
        }
        let at = self.chances.below(changes + 1);
        match self.chances.below(10) {
            0..3 => {
                let ended = world.run(command, out, ProcessFate::Lives);
                self.ended(out, command, &ended)?;
                self.as_due(out, &ended.with, &due, &whole)
            }
            3..7 => self.killed(out, command, (&due, &whole, changes)),
            7 => {
                let ended = world.run(command, out, ProcessFate::Killed(at));
                self.ended(out, command, &ended)
            }
            _ => self.met(out, command, at, &due),
        }
    }

    /// Notes how a process ended, and sees what is there.
    fn ended(
        &self,
        out: &'static str,
        command: &Command,
        ended: &EndedProcess<Answer>,
    ) -> Result<(), String> {
        self.world.see(out, command, ended.with.as_ref().ok())?;
        self.world.tried.borrow_mut().kills += u64::from(ended.is_killed);
        if let (Ok(_), false) = (&ended.with, ended.is_killed) {
            self.world.is_tidy(out)?;
            let mut tried = self.world.tried.borrow_mut();
            match command {
                Command::Commit(_) | Command::Numbered(_) => tried.commitments += 1,
                Command::Draw(From::After(..), _) => tried.second += 1,
                Command::ByHand(_) => tried.numbers += 1,
                _ => tried.draws += 1,
            }
        }
        Ok(())
    }

    /// Kills a command again and again, then lets it be: it ends as without that.
    fn killed(
        &mut self,
        out: &'static str,
        command: &Command,
        (due, whole, changes): (&Answer, &Files, u64),
    ) -> Result<(), String> {
        for _ in 0..=self.chances.below(3) {
            let at = self.chances.below(changes + 1);
            let ended = self.world.run(command, out, ProcessFate::Killed(at));
            self.ended(out, command, &ended)?;
        }
        let ended = self.world.run(command, out, ProcessFate::Lives);
        self.ended(out, command, &ended)?;
        self.world.tried.borrow_mut().repeated += 1;
        let is_there = |why: &String| due.is_ok() && why.contains("already holds a");
        match &ended.with {
            Err(why) if is_there(why) => self.as_due(out, due, due, whole),
            answer => self.as_due(out, answer, due, whole),
        }
    }

    /// Holds an answer, and what is there then, against those of a process that nothing befell.
    fn as_due(
        &self,
        out: &str,
        answer: &Answer,
        due: &Answer,
        whole: &Files,
    ) -> Result<(), String> {
        if answer != due {
            return Err(format!("it says {answer:?}, and without a kill {due:?}"));
        }
        let found = self.world.town.files(out);
        match found == *whole {
            true => Ok(()),
            false => Err(format!(
                "{:?} are there, and without a kill {:?}, or others differ",
                found.keys(),
                whole.keys()
            )),
        }
    }

    /// Has two others meet a command: while it holds the folder they are refused.
    fn met(
        &mut self,
        out: &'static str,
        command: &Command,
        at: u64,
        due: &Answer,
    ) -> Result<(), String> {
        let others: [Command; 2] = [(); 2].map(|()| {
            loop {
                let (folder, other) = self.command();
                if folder == out {
                    break other;
                }
            }
        });
        let world = Rc::clone(&self.world);
        let number = world.next.get();
        let wrong: Rc<RefCell<Option<String>>> = Rc::default();
        let was_held: Rc<Cell<Option<bool>>> = Rc::default();
        let meet = {
            let (world, wrong, was_held) =
                (Rc::clone(&world), Rc::clone(&wrong), Rc::clone(&was_held));
            let command = command.clone();
            move || {
                let lock = world.town.files(out).remove(LOCK);
                let is_held = lock.as_deref() == Some(number.to_string().as_bytes());
                was_held.set(Some(is_held));
                let met = match is_held {
                    true => refused(&world, out, &others, number),
                    false => free(&world, out, &command, &others),
                };
                *wrong.borrow_mut() = met.err();
            }
        };
        let ended = world.run(command, out, ProcessFate::Meets(at, Box::new(meet)));
        if let Some(wrong) = wrong.take() {
            return Err(wrong);
        }
        self.ended(out, command, &ended)?;
        world.tried.borrow_mut().races += u64::from(was_held.get().is_some());
        match was_held.get() {
            Some(false) => Ok(()),
            _ if ended.with == *due => Ok(()),
            _ => Err(format!("it says {:?}, and alone {due:?}", ended.with)),
        }
    }
}

/// Checks that other commands are refused while process `number` holds the folder, and that they
/// leave the folder unchanged.
fn refused(world: &World, out: &str, others: &[Command], number: u32) -> Result<(), String> {
    let before = world.town.files(out);
    for other in others {
        let ended = world.run(other, out, ProcessFate::Lives);
        let Err(why) = ended.with else {
            return Err(format!(
                "{other:?} succeeds while process {number} holds it"
            ));
        };
        let who = "is being written by another klero";
        if why.contains(who) && !why.contains(&format!("{who}, process {number}")) {
            return Err(format!("{other:?} is told {why}"));
        }
        world.tried.borrow_mut().refused_in_races += 1;
        if world.town.files(out) != before {
            return Err(format!("{other:?} changed a folder that is held"));
        }
    }
    Ok(())
}

/// Runs other commands before or after the time in which a process holds its folder, and records
/// their results.
fn free(
    world: &World,
    out: &'static str,
    command: &Command,
    others: &[Command],
) -> Result<(), String> {
    if world.town.files(out).contains_key(COMMITMENT) {
        world.see(out, command, None)?;
    }
    for other in others {
        let ended = world.run(other, out, ProcessFate::Lives);
        world.see(out, other, ended.with.as_ref().ok())?;
    }
    Ok(())
}

/// An answer with a folder called otherwise.
fn named(answer: Answer, from: &str, to: &str) -> Answer {
    answer.map_err(|why| why.replace(&format!("/{from}"), &format!("/{to}")))
}
