//! The commands that draw, step by step as the command line runs them.

use crate::record::Publish;
use crate::{
    CheckedInputs, Commitment, DrawFolder, DrawnNumber, EARLIER, FinishedDraw, Inputs, KEEP,
    NumberedStage, Randomness, SeedOrigin, after, first, outputs,
};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_sortition::lottery::LotteryWatch;

use super::town::Town;

/// The origin of a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// The town's config with one of its policies.
    Config(&'static str),
    /// An earlier draw, with the number of members who stay.
    After(&'static str, usize),
}

/// A command of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `klero draw commit`.
    Commit(From),
    /// `klero draw CONFIG` or `--after`, by this value.
    Draw(From, &'static str),
    /// `klero draw DIR`, by this value.
    DrawFolder(&'static str),
    /// `klero draw numbered`, with the number of panels.
    Numbered(u32),
    /// `klero draw DIR --number`, by this number from an urn.
    ByHand(&'static str),
}

/// The name of the randomness that is committed to.
pub(super) const NAMED: &str = "the lottery of 3 May";

/// The announcement of a command that succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    /// The hash of a commitment.
    Commitment(String),
    /// The codes of the members of a panel.
    Panel(Vec<String>),
}

/// Runs a command into a folder; what it announces, or why it does not.
pub(super) fn run(town: &Town, command: &Command, out: &str) -> Result<Announced, String> {
    let folder = DrawFolder::at(&town.path(out));
    let ran = match command {
        Command::Commit(from) => commit(town, from, &folder),
        Command::Draw(from, value) => {
            inputs(town, from).and_then(|inputs| draw(inputs, value, &folder))
        }
        Command::DrawFolder(value) => {
            committed(&folder).and_then(|(commitment, inputs)| match commitment.numbered {
                Some(_) => number(&commitment, &inputs, (value, false), &folder),
                None => draw(inputs, value, &folder),
            })
        }
        Command::Numbered(panels) => numbered(town, *panels, &folder),
        Command::ByHand(value) => committed(&folder)
            .and_then(|(commitment, inputs)| number(&commitment, &inputs, (value, true), &folder)),
    };
    ran.map_err(|problems| problems.to_string())
}

fn inputs(town: &Town, from: &From) -> Result<Inputs, Problems> {
    let (before, keep) = match from {
        From::Config(policy) => return town.inputs(policy),
        From::After(before, keep) => (DrawFolder::at(&town.path(before)), keep),
    };
    let earlier = after(&before)?;
    let (commitment, inputs) = committed(&before)?;
    drop(commitment);
    let mut inputs = first(&inputs);
    let text = serde_json::to_string_pretty(&earlier).expect("plain data");
    inputs.put(EARLIER, (text + "\n").into_bytes(), EARLIER.into());
    let list = earlier.members[..*keep].join("\n");
    inputs.put(KEEP, list.into_bytes(), KEEP.into());
    Ok(inputs)
}

/// The commitment in a folder, and its inputs.
fn committed(folder: &DrawFolder) -> Result<(Commitment, Inputs), Problems> {
    folder.must_be()?;
    let commitment = folder.commitment()?;
    let commitment = commitment.ok_or_else(|| Problem::of_request("holds no commitment"))?;
    let mut inputs = folder.inputs(&commitment)?;
    // Where the people's file has changed the tables have the columns that decide.
    drop(folder.hold_original(&mut inputs));
    Ok((commitment, inputs))
}

fn commit(town: &Town, from: &From, folder: &DrawFolder) -> Result<Announced, Problems> {
    let mut inputs = inputs(town, from)?;
    let _held = folder.hold(false)?;
    let stage = CheckedInputs::of(&inputs)?;
    inputs.list_by_code(&stage);
    let policy = stage.question.policy();
    let commitment = Commitment::to(&inputs, policy, None, Some(NAMED), None);
    folder.commit(&inputs, &commitment)?;
    Ok(Announced::Commitment(commitment.sha256()))
}

fn draw(mut inputs: Inputs, value: &str, folder: &DrawFolder) -> Result<Announced, Problems> {
    let randomness = text(value);
    let _held = folder.hold(true)?;
    let stage = CheckedInputs::of(&inputs)?;
    inputs.list_by_code(&stage);
    let commitment = folder.followed(&inputs, &stage, None, None)?;
    let lottery = stage.question.plan.lanes[0].policy.lottery.as_ref();
    let lottery = lottery.map(|lottery| lottery.work_out_unless(&LotteryWatch::patient()));
    let failed = |why: String| Problem::of_request(why);
    lottery.transpose().map_err(|why| failed(why.to_string()))?;
    folder.begin(&inputs, &commitment, &randomness)?;
    let drawn = FinishedDraw::make(stage, commitment, randomness, Some(1));
    let drawn = drawn.map_err(|error| failed(error.to_string()))?;
    let (record, files) = outputs(&drawn, &inputs, &Publish::default());
    let reduced = drawn.stage.again.as_ref().map(|again| &again.reduced);
    folder.finish(&files, reduced)?;
    Ok(Announced::Panel(record.panel))
}

fn numbered(town: &Town, panels: u32, folder: &DrawFolder) -> Result<Announced, Problems> {
    let _held = folder.hold(false)?;
    let inputs = town.inputs(super::town::FAIR)?;
    let stage = NumberedStage::of(
        CheckedInputs::of(&inputs)?,
        panels,
        &LotteryWatch::patient(),
    )?;
    let commitment = stage.commitment(&inputs, None, Some(NAMED), None);
    let (record, files) = stage.files(&inputs, &commitment);
    folder.finish(&files, None)?;
    folder.commit(&inputs, &commitment)?;
    Ok(Announced::Commitment(record.commitment))
}

fn number(
    commitment: &Commitment,
    inputs: &Inputs,
    (value, by_hand): (&str, bool),
    folder: &DrawFolder,
) -> Result<Announced, Problems> {
    if commitment.numbered.is_none() {
        return Err(Problem::of_request("only numbered panels have numbers").into());
    }
    let _held = folder.hold(true)?;
    let randomness = text(value);
    let drawn = DrawnNumber::of(folder, inputs, commitment, &randomness, by_hand)?;
    folder.begin(inputs, commitment, &randomness)?;
    folder.finish(&drawn.files(), None)?;
    Ok(Announced::Panel(drawn.record.panel))
}

fn text(value: &str) -> Randomness {
    Randomness {
        bytes: value.as_bytes().to_vec(),
        origin: SeedOrigin::Text,
    }
}
