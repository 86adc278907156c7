//! `klero draw`: the one real panel.

mod asked;
mod commit;
mod files;
mod leave;
mod numbered;
mod randomness;
mod verify;

use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};

use self::asked::{WhatArgs, undrawn, wrong};
use super::args::{ForProgram, whole};
use super::failure::{Failure, failed, print, print_words};
use super::show;
use super::watched::{awaiting, watched};
use kleroterion::drawing::{
    COMMITMENT, Commitment, DrawFolder, FinishedDraw, PAGE, PANEL, PASSED, Publish, RANDOMNESS,
    RECORD, Record, lead, outputs, rule,
};
use kleroterion::jobs::{AskedDraw, await_lottery, keep_lottery};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;
use kleroterion_drawing::limits::MOST_CHANCES;
use kleroterion_sortition::limits::MOST_PANELS;

/// Options of `klero draw`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  klero draw commit my.toml --policy look-ahead --randomness 'drand round 4711' --out panel
  klero draw panel --seed-from 8c1f…               after the commitment, once the value is known
  klero draw my.toml --policy look-ahead --seed-from lotto.txt --out panel
  klero draw verify panel
  klero draw numbered my.toml --policy leximin --randomness 'drand round 4711' --out panels
  klero draw panel --leave 3,30                    who steps in for members 3 and 30
  klero draw files panel                           which files name people
  klero draw --after panel --keep staying.csv --seed-from 'another value' --out panel2

A config called commit, numbered or verify is named by its path: ./commit.")]
pub struct DrawArgs {
    #[command(subcommand)]
    command: Option<DrawCommand>,
    #[command(flatten)]
    what: WhatArgs,
    /// The public randomness: a text, or the path of a file whose bytes are taken. Write text:VALUE
    /// or file:PATH to say which
    #[arg(long, value_name = "TEXT|FILE")]
    seed_from: Option<String>,
    /// Of numbered panels, the number that was drawn by hand, from an urn, say
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "seed_from", value_parser = whole(1..=MOST_PANELS as i64))]
    number: Option<i64>,
    /// The page and draw.json name people by their ids, not by codes
    #[arg(long)]
    publish_ids: bool,
    /// Play the policy N times more, with other randomness: how chances are spread goes on the page,
    /// and every respondent's into chances.csv
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(2..=MOST_CHANCES as i64))]
    chances: Option<i64>,
    /// Play on this many threads; the panel does not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1024))]
    threads: Option<i64>,
    #[command(flatten)]
    leave: leave::LeaveArgs,
    /// Write the tables of people for this program
    #[arg(long = "for", value_name = "PROGRAM", value_enum)]
    for_program: Option<ForProgram>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: DrawForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DrawForm {
    /// For people
    Text,
    /// draw.json
    Json,
}

#[derive(Subcommand)]
enum DrawCommand {
    /// Fix all but the randomness: print the hash to publish before the randomness is known
    Commit(commit::CommitArgs),
    /// Make equally likely panels for a policy's lottery, of which a number is drawn
    Numbered(numbered::NumberedArgs),
    /// Compute a draw again from its folder, and say what differs
    Verify(verify::VerifyArgs),
    /// List the files of a draw: for whom each is, and which name people
    Files(files::FilesArgs),
}

impl DrawArgs {
    /// The names of the given options that only apply to a new draw.
    fn given(&self) -> Vec<&'static str> {
        let given = [
            ("--seed-from", self.seed_from.is_some()),
            ("--publish-ids", self.publish_ids),
            ("--chances", self.chances.is_some()),
            ("--for", self.for_program.is_some()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        given
            .map(|(option, _)| option)
            .chain(self.what.given())
            .collect()
    }
}

/// Makes a draw, makes a commitment to one, or checks one.
///
/// # Errors
/// Fails if the request is wrong, or if the panel does not meet it.
pub fn draw(args: &DrawArgs) -> Result<(), Failure> {
    match &args.command {
        Some(DrawCommand::Commit(args)) => commit::commit(args),
        Some(DrawCommand::Verify(args)) => verify::verify(args),
        Some(DrawCommand::Numbered(args)) => numbered::numbered(args),
        Some(DrawCommand::Files(args)) => files::files(args),
        None if args.leave.is_asked() => {
            let is_json = args.format == DrawForm::Json;
            leave::leave(&args.what, &args.leave, &args.given(), is_json)
        }
        None => match args.what.numbered() {
            Some(commitment) => number(args, &commitment),
            None => make(args),
        },
    }
}

/// Draws the number of a panel.
fn number(args: &DrawArgs, commitment: &Commitment) -> Result<(), Failure> {
    let asked = AskedDraw::of(&args.what.request(), &watched(false, &Arc::default()));
    let asked = asked.map_err(undrawn)?;
    let needless = [
        (
            "--publish-ids",
            args.publish_ids,
            "numbered panels are published by code",
        ),
        (
            "--chances",
            args.chances.is_some(),
            "the page of numbered panels has the exact chances",
        ),
        (
            "--title",
            asked.title.is_some(),
            "the title of numbered panels was committed with them",
        ),
        (
            "--for",
            args.for_program.is_some(),
            "the tables of numbered panels are plain CSV",
        ),
    ];
    let needless = needless.into_iter().filter(|(_, is_given, _)| *is_given);
    let problems = needless
        .map(|(option, _, what)| Problem::of_option(option, what).help("leave the option out"));
    Problems(problems.collect()).or(()).map_err(wrong)?;
    let by = numbered::Drawing {
        seed_from: args.seed_from.as_deref(),
        number: args.number.map(|number| number as u32),
        json: args.format == DrawForm::Json,
    };
    numbered::draw(&asked, commitment, &by)
}

fn make(args: &DrawArgs) -> Result<(), Failure> {
    if args.number.is_some() {
        let what = "only numbered panels have numbers, and this is no folder of some";
        let help = "name a folder that `klero draw numbered` wrote";
        return Err(wrong(Problem::of_option("--number", what).help(help)));
    }
    let watch = watched(false, &Arc::default());
    let mut asked = AskedDraw::of(&args.what.request(), &watch).map_err(undrawn)?;
    let Some(value) = &args.seed_from else {
        let what = "a draw needs public randomness";
        let help = "give it with --seed-from TEXT|FILE; to fix all else before it is known: klero \
                    draw commit";
        return Err(wrong(Problem::of_request(what).help(help)));
    };
    let randomness = randomness::read(value).map_err(wrong)?;
    let stage = asked.stage_for(true, &watch).map_err(undrawn)?;
    let folder = &asked.folder;
    let (alternates, title) = (asked.alternates, asked.title.as_deref());
    let commitment = folder.followed(&asked.inputs, &stage, alternates, title);
    let commitment = commitment.map_err(wrong)?;
    let kept = asked.kept_lotteries();
    let awaited = awaiting(|watch| await_lottery(&stage, &kept, watch))?;
    if !commitment.is_ahead() {
        show::say("note: no commitment was made in this folder before the randomness was given");
    }
    let begun = folder.begin(&asked.inputs, &commitment, &randomness);
    begun.map_err(wrong)?;
    awaited
        .iter()
        .for_each(|lottery| keep_lottery(lottery, &kept));
    randomness::note(&randomness);
    let threads = args.threads.map(|threads| threads as usize);
    let drawn = FinishedDraw::make(stage, commitment, randomness, threads);
    let drawn = drawn.and_then(|drawn| match args.chances {
        Some(n) => drawn.with_chances(n as u64, threads),
        None => Ok(drawn),
    });
    let drawn = drawn.map_err(|error| failed(&error.to_string()))?;
    let publish = Publish {
        ids: args.publish_ids,
        title: asked.title.clone(),
        for_spreadsheet: args.for_program.is_some(),
    };
    let (record, files) = outputs(&drawn, &asked.inputs, &publish);
    let reduced = drawn.stage.again.as_ref().map(|again| &again.reduced);
    let written = folder.finish(&files, reduced);
    written.map_err(|problems| failed(&problems.to_string()))?;
    match args.format {
        DrawForm::Json => print(&record.text()),
        DrawForm::Text => print_words(&said(&record, folder)),
    }?;
    match record.quotas_kept {
        true => Ok(()),
        false => Err(failed(
            "the panel is not as it was asked for; the record is kept",
        )),
    }
}

/// The result of a draw as text.
fn said(record: &Record, folder: &DrawFolder) -> String {
    let at = folder.path().display();
    let title = record.title.as_ref().unwrap_or(&record.name);
    let mut text = format!("{}\n{}\n", plain(title), plain(&lead(record)));
    text += &format!("rule        {}\n", plain(&rule(record)));
    for miss in &record.misses {
        text += &format!("misses      {}\n", plain(miss));
    }
    text += &format!("commitment  {}\n", record.commitment);
    text += &format!(
        "seed        {} (from {})\n",
        record.seed.number, record.seed.sha256
    );
    text += &format!("to publish  {at}: {PAGE}, {RECORD}, {COMMITMENT}, {RANDOMNESS}\n");
    text += &format!("to keep     {at}: {PANEL}, {PASSED} and all else: they hold people's data\n");
    text += &format!("to check    klero draw verify {at}\n");
    text
}
