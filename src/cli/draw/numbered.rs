//! `klero draw numbered`, and the number that is drawn from its folder.

use std::path::{Path, PathBuf};

use clap::Args;

use super::asked::{undrawn, wrong};
use super::randomness;
use crate::cli::args::{inputs, whole};
use crate::cli::failure::{Failure, failed, print, print_words};
use crate::cli::show;
use crate::cli::watched::awaiting;
use kleroterion::drawing::{
    ALTERNATES, CODES, COMMITMENT, Commitment, DrawFolder, DrawnNumber, NUMBERED, NumberRecord,
    NumberedRecord, PAGE, PANEL, PANEL_CHANCES, PANELS, RANDOMNESS, RECORD, Randomness, SeedOrigin,
};
use kleroterion::jobs::{AskedDraw, ConfigSource, DrawRequest, make_numbered};
use kleroterion::problem::Problem;
use kleroterion::report::plain;
use kleroterion_sortition::limits::MOST_PANELS;

/// Options of `klero draw numbered`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero draw numbered my.toml --policy leximin --randomness 'drand round 4711' --out panels
  klero draw panels --seed-from 8c1f…               once the value is known
  klero draw panels --number 417                    where the number is drawn from an urn
  klero draw verify panels")]
pub(super) struct NumberedArgs {
    /// A config of people who are known beforehand
    config: String,
    /// The label of the policy whose lottery the panels stand in for: leximin, maximin or nash
    #[arg(long, value_name = "LABEL")]
    policy: Option<String>,
    /// How many panels
    #[arg(long, value_name = "M", default_value = "1000", allow_negative_numbers = true, value_parser = whole(1..=MOST_PANELS as i64))]
    panels: i64,
    /// The name of what will decide the number: of public randomness to come, or where and when an
    /// urn is drawn from
    #[arg(long, value_name = "NAME")]
    randomness: String,
    /// Set a key of the config: path.to.key=value; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the panels into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The title of the page [default: with the config's name]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// How many alternates are listed at most, once the number is drawn [default: as many as leave in
    /// the mean by `[dropout]`, else as many as members]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0..=1_000_000))]
    alternates: Option<i64>,
}

/// Makes a list of numbered panels, and commits to it.
pub(super) fn numbered(args: &NumberedArgs) -> Result<(), Failure> {
    let name = args.randomness.trim();
    if name.is_empty() {
        let help = "say where and when the number will be drawn: \"drand round 4711\", \"an urn in \
                    the town hall on 3 May\"";
        let what = "what decides the number has no name";
        return Err(wrong(Problem::of_option("--randomness", what).help(help)));
    }
    let request = DrawRequest {
        config: Some(ConfigSource::Named(args.config.clone())),
        policy: args.policy.clone(),
        set: args.set.clone(),
        out: Some(args.out.clone()),
        alternates: args.alternates.map(|n| n as u32),
        title: args.title.clone(),
        outside: inputs(),
        ..DrawRequest::default()
    };
    let panels = args.panels as u32;
    let made = awaiting(|watch| Ok(make_numbered(&request, panels, name, watch)))?;
    let (record, commitment) = made.map_err(undrawn)?;
    let line = format!(
        "klero draw commitment {}: {} numbered panels of {} of {} respondents by “{}” ({}), one of \
         them by {name} (klero {})",
        record.commitment,
        record.panels,
        record.members,
        record.respondents,
        commitment.policy,
        commitment.kind,
        commitment.klero,
    );
    print_words(&format!(
        "{}
",
        plain(&line)
    ))?;
    said(&record, &args.out);
    Ok(())
}

/// Prints the properties of a list and its next steps.
fn said(record: &NumberedRecord, folder: &Path) {
    let (at, difference) = (folder.display(), &record.difference);
    show::say(&format!(
        "the chances differ from the lottery's by at most {:.9}, which is {:.3} of one of {} panels; no \
         list has less than {:.9}",
        difference.largest,
        difference.largest * f64::from(record.panels),
        record.panels,
        difference.bound,
    ));
    show::say(&format!(
        "to publish: this line and {at}/{COMMITMENT}, {PANELS}, {PANEL_CHANCES}, {NUMBERED}, {PAGE}, \
         before the number is drawn; {CODES} holds people's data"
    ));
    show::say(&format!(
        "then: klero draw {at} --seed-from VALUE, or --number N where it is drawn by hand"
    ));
}

/// The way in which a number is drawn.
pub(super) struct Drawing<'a> {
    /// The value of `--seed-from`.
    pub(super) seed_from: Option<&'a str>,
    /// The number drawn by hand.
    pub(super) number: Option<u32>,
    /// True to print draw.json.
    pub(super) json: bool,
}

/// Draws the number of a panel.
pub(super) fn draw(
    asked: &AskedDraw,
    commitment: &Commitment,
    by: &Drawing<'_>,
) -> Result<(), Failure> {
    let (folder, inputs) = (&asked.folder, &asked.inputs);
    let _held = folder.hold(true).map_err(wrong)?;
    let randomness = match (by.seed_from, by.number) {
        (Some(value), _) => randomness::read(value).map_err(wrong)?,
        (None, Some(number)) => Randomness {
            bytes: number.to_string().into_bytes(),
            origin: SeedOrigin::Text,
        },
        (None, None) => {
            let what = "it is not said what decides the number";
            let help = "give the public randomness with --seed-from TEXT|FILE, or with --number N the \
                        number that was drawn by hand";
            return Err(wrong(Problem::of_request(what).help(help)));
        }
    };
    let by_hand = by.seed_from.is_none();
    let drawn = DrawnNumber::of(folder, inputs, commitment, &randomness, by_hand);
    let drawn = drawn.map_err(wrong)?;
    let begun = folder.begin(inputs, commitment, &randomness);
    begun.map_err(wrong)?;
    if !by_hand {
        randomness::note(&randomness);
    }
    let written = folder.finish(&drawn.files(), None);
    written.map_err(|problems| failed(&problems.to_string()))?;
    match by.json {
        true => print(&drawn.record.text()),
        false => print_words(&result(&drawn.record, folder)),
    }
}

/// The result of a draw as text.
fn result(record: &NumberRecord, folder: &DrawFolder) -> String {
    let (at, number) = (folder.path().display(), &record.number);
    let from = match &number.sha256 {
        Some(sha256) => format!("from {sha256}"),
        None => "drawn by hand".to_owned(),
    };
    format!(
        "{}\nPanel {} of {} was drawn: {} members of {} respondents.\n\
         commitment  {}\n\
         number      {} ({from})\n\
         to publish  {at}: {PAGE}, {RECORD}, {RANDOMNESS}, as {COMMITMENT}, {PANELS}, \
         {PANEL_CHANCES} and {NUMBERED} before\n\
         to keep     {at}: {PANEL}, {ALTERNATES}, {CODES} and all else: they hold people's data\n\
         to check    klero draw verify {at}\n",
        plain(&record.name),
        number.value,
        number.of,
        record.panel.len(),
        record.respondents,
        record.commitment,
        number.value,
    )
}
