//! The subject of a draw: a config and one of its policies, or the inputs committed to in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::ahead::Ahead;
use crate::cli::args::{ConfigArgs, whole};
use crate::cli::failure::Failure;
use crate::cli::limits::LONGEST_TITLE;
use crate::cli::text::ConfigText;
use crate::cli::{load, show};
use kleroterion::config::{Document, check};
use kleroterion::document::Value;
use kleroterion::drawing::{
    CheckedInputs, Commitment, DrawFolder, EARLIER, Earlier, HeldDraw, Inputs, KEEP, WITHOUT,
    after, first,
};
use kleroterion::nearest::listed;
use kleroterion::panel::lottery::AwaitedLottery;
use kleroterion::presets::preset;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::record::{MOST_WHOLE, read_given};
use kleroterion::report::kept_lotteries::KeptLotteries;
use kleroterion::report::plain;

/// What is to be drawn.
#[derive(Args)]
pub(super) struct WhatArgs {
    /// A config of people who are known beforehand; or the folder of a commitment, to draw by it
    #[arg(value_name = "CONFIG|DIR")]
    config: Option<String>,
    /// The label of the policy that draws
    #[arg(long, value_name = "LABEL")]
    policy: Option<String>,
    /// Set a key of the config: path.to.key=value; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the draw into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many alternates are listed at most [default: as many as leave in the mean by `[dropout]`,
    /// else as many as members]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0..=1_000_000))]
    alternates: Option<i64>,
    /// The title of the draw's page [default: with the config's name]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// A second draw: the folder of the draw before. Its members are out, but for those who stay
    #[arg(long, value_name = "DIR")]
    after: Option<PathBuf>,
    /// Of a second draw, who stays: a file with an id or a code a line, or rows of panel.csv
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Of a second draw, who else no longer takes part: a file like that of --keep
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
}

impl WhatArgs {
    /// The commitment in the named folder, if it is to numbered panels.
    pub(super) fn numbered(&self) -> Option<Commitment> {
        let folder = DrawFolder::at(Path::new(self.config.as_ref()?));
        let commitment = folder.commitment().ok().flatten();
        commitment.filter(|commitment| commitment.numbered.is_some())
    }

    /// The folder that is named instead of a config.
    pub(super) fn folder(&self) -> Result<&str, Problem> {
        self.config.as_deref().ok_or_else(|| {
            let what = "it is not said from which draw members leave";
            Problem::of_request(what).help("name its folder: klero draw DIR --leave 3,30")
        })
    }

    /// The names of the given options, except the config.
    pub(super) fn given(&self) -> impl Iterator<Item = &'static str> + use<> {
        let given = [
            ("--policy", self.policy.is_some()),
            ("--set", !self.set.is_empty()),
            ("--out", self.out.is_some()),
            ("--alternates", self.alternates.is_some()),
            ("--title", self.title.is_some()),
            ("--after", self.after.is_some()),
            ("--keep", self.keep.is_some()),
            ("--without", self.without.is_some()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(option, _)| option)
    }
}

/// The inputs of a draw, and its folder.
pub(super) struct Asked {
    /// The inputs.
    pub(super) inputs: Inputs,
    /// The folder.
    pub(super) folder: DrawFolder,
    /// The most alternates listed, if the user gave a number.
    pub(super) alternates: Option<u32>,
    /// The title, if the user gave one.
    pub(super) title: Option<String>,
    /// The config as the user wrote it.
    text: Option<ConfigText>,
    /// The lock on the folder, once it is held.
    held: Option<HeldDraw>,
}

/// Returns true if a name is that of a config: a file or a preset.
fn is_config(name: &str) -> bool {
    name.ends_with(".toml") || Path::new(name).exists() || preset(name).is_some()
}

/// The problem if the named folder does not exist.
fn no_folder(name: &str) -> Problem {
    let what = format!("there is no folder and no config {name:?}");
    let help = "correct the name: a folder that `klero draw commit` wrote; or draw from a config: klero \
                draw my.toml --policy LABEL --seed-from VALUE --out DIR";
    Problem::of_request(what).help(help)
}

/// Uses the organiser's own rows if they are available. Otherwise prints which columns the tables
/// will lack.
fn hold_original(folder: &DrawFolder, inputs: &mut Inputs) {
    if let Err(why) = folder.hold_original(inputs) {
        show::say(&format!(
            "note: the tables have the columns that were committed alone, without names and contacts: \
             the organiser's file of people can't be taken: {why}"
        ));
    }
}

/// The failure with all problems of a request to draw.
pub(super) fn wrong(problems: impl Into<Problems>) -> Failure {
    wrong_in(problems, None)
}

fn wrong_in(problems: impl Into<Problems>, text: Option<&ConfigText>) -> Failure {
    let problems = problems.into();
    show::wrong(&problems, text, problems.0.len(), "nothing was drawn");
    Failure::Wrong
}

impl Asked {
    /// Reads the request of the command line.
    pub(super) fn of(what: &WhatArgs) -> Result<Self, Failure> {
        let title = what.title.as_deref().map(title).transpose();
        let title = title.map_err(wrong)?;
        let asked = match &what.config {
            Some(folder) if Path::new(folder).is_dir() => Self::committed(Path::new(folder), what),
            Some(name) if what.out.is_none() && !is_config(name) => Err(wrong(no_folder(name))),
            _ => Self::anew(what),
        };
        asked.map(|asked| Self { title, ..asked })
    }

    /// The inputs to which a folder is committed.
    fn committed(path: &Path, what: &WhatArgs) -> Result<Self, Failure> {
        let given = what.given().filter(|option| *option != "--title");
        let problems = given.map(|option| {
            let what = "the commitment in the folder says it already";
            let help = "leave the option out, or name the config instead of the folder";
            Problem::of_option(option, what).help(help)
        });
        Problems(problems.collect()).or(()).map_err(wrong)?;
        let folder = DrawFolder::at(path);
        let Some(commitment) = folder.commitment().map_err(wrong)? else {
            let what = format!("the folder {} holds no commitment", path.display());
            let help = "make one: klero draw commit CONFIG --policy LABEL --randomness NAME --out \
                        DIR; or draw from a config: klero draw CONFIG --policy LABEL --seed-from \
                        VALUE --out DIR";
            return Err(wrong(Problem::of_request(what).help(help)));
        };
        let mut inputs = folder.inputs(&commitment).map_err(wrong)?;
        hold_original(&folder, &mut inputs);
        Ok(Self {
            inputs,
            folder,
            alternates: None,
            title: None,
            text: None,
            held: None,
        })
    }

    /// The inputs of a config and the options.
    fn anew(what: &WhatArgs) -> Result<Self, Failure> {
        let Some(out) = &what.out else {
            let help = "give a new folder: --out DIR";
            let what = "a draw is kept in a folder of its own, and none is named";
            return Err(wrong(Problem::of_request(what).help(help)));
        };
        let before = earlier(what)?;
        let (mut inputs, text) = match (&what.config, &what.after) {
            (None, Some(folder)) => (committed_inputs(folder, what)?, None),
            (None, None) => {
                let help =
                    "name one: klero draw my.toml --policy LABEL --seed-from VALUE --out DIR";
                let problem = Problem::of_request("it is not said which config is drawn from");
                return Err(wrong(problem.help(help)));
            }
            (Some(_), _) => {
                let (inputs, text) = named_inputs(what)?;
                (inputs, Some(text))
            }
        };
        if let Some(earlier) = before {
            add_lists(&mut inputs, what, &earlier)?;
        }
        Ok(Self {
            inputs,
            folder: DrawFolder::at(out),
            alternates: what.alternates.map(|n| n as u32),
            title: None,
            text,
            held: None,
        })
    }

    /// The folders of its lottery: that of the draw, and that of the config, in which a run may
    /// have kept one.
    pub(super) fn kept_lotteries(&self) -> KeptLotteries {
        let config = self.text.as_ref().map(|text| Path::new(text.name()));
        let config = config.filter(|path| path.is_file()).and_then(Path::parent);
        KeptLotteries::of_folders([Some(self.folder.path()), config].into_iter().flatten())
    }

    /// Checks the inputs, for a folder that can take the draw or a commitment to it. Its lists then
    /// go by codes. It prints notes on how people are identified.
    pub(super) fn stage_for(&mut self, takes_commitment: bool) -> Result<CheckedInputs, Failure> {
        self.held = Some(self.folder.hold(takes_commitment).map_err(wrong)?);
        let stage = CheckedInputs::of(&self.inputs);
        let stage = stage.map_err(|problems| wrong_in(problems, self.text.as_ref()))?;
        if !stage.whole().is_named() {
            show::say(
                "warning: the config names no column of ids, so people go by the numbers of their \
                 rows: rows that are the same can't be told apart, and no row may move; set `id` \
                 in [source]",
            );
        }
        if stage
            .again
            .as_ref()
            .is_some_and(|again| again.kept.is_empty())
        {
            let what = "the list names no one, so no member would stay";
            let problem = Problem::of_option(option(KEEP), what);
            return Err(wrong(problem.help(
                "list those who stay, an id or a code a line; a draw of a whole panel needs no --after",
            )));
        }
        let lists = stage.again.iter().flat_map(|again| &again.notes);
        lists.for_each(|note| show::say(&plain(&format!("note: {note}"))));
        self.inputs.list_by_code(&stage);
        Ok(stage)
    }
}

/// The earlier draw that a second draw builds on; `None` for a first draw.
fn earlier(what: &WhatArgs) -> Result<Option<Earlier>, Failure> {
    let problem = match (&what.after, &what.keep, &what.without) {
        (None, None, None) => return Ok(None),
        (Some(folder), Some(_), _) => {
            return after(&DrawFolder::at(folder)).map(Some).map_err(wrong);
        }
        (None, ..) => {
            let what = "members stay from an earlier draw, and it is not said from which";
            Problem::of_request(what).help("name its folder: --after DIR")
        }
        (Some(_), None, _) => {
            let what = "a second draw keeps members, and it is not said whom";
            Problem::of_request(what).help("name a file of their ids or codes: --keep FILE")
        }
    };
    Err(wrong(problem))
}

/// The inputs of the draw in a folder, as if it were a first draw.
fn committed_inputs(folder: &Path, what: &WhatArgs) -> Result<Inputs, Failure> {
    let folder = DrawFolder::at(folder);
    let commitment = folder.commitment().map_err(wrong)?;
    // That there is one was seen when the draw before was read.
    let commitment = commitment.ok_or(Failure::Wrong)?;
    let mut inputs = first(&folder.inputs(&commitment).map_err(wrong)?);
    hold_original(&folder, &mut inputs);
    let set = what.set.iter();
    let problems = set.filter_map(|assignment| inputs.document.set(assignment).err());
    Problems(problems.collect()).or(()).map_err(wrong)?;
    if !what.set.is_empty() {
        inputs.refuse_telling().map_err(wrong)?;
    }
    let label = what.policy.as_ref().unwrap_or(&commitment.policy);
    only(&mut inputs.document, label).map_err(wrong)?;
    Ok(inputs)
}

/// The inputs of the named config.
pub(super) fn named_inputs(what: &WhatArgs) -> Result<(Inputs, ConfigText), Failure> {
    let config = what.config.clone().unwrap_or_default();
    let (document, text, folder) = document_of(config, &what.set, what.policy.as_deref())?;
    // The organiser's own files have columns that the inputs may lack.
    let plan = check(&document, &folder).map_err(|problems| wrong_in(problems, Some(&text)))?;
    if let Some(file) = &plan.world.file {
        let doubles = file.doubles.sentences(&file.path.display().to_string());
        let doubles = doubles.iter().map(|said| plain(&format!("note: {said}")));
        doubles.for_each(|said| show::say(&said));
    }
    // A draw follows the commitment that it is made by, a second draw the draw before.
    let before = what.out.iter().chain(&what.after);
    let mut before = before.filter_map(|path| DrawFolder::at(path).commitment().ok().flatten());
    let is_whole = before.next().is_some_and(|one| one.is_of_whole_files());
    inputs_in(document, text, &folder, is_whole)
}

/// The inputs of a config with the changes of `--set` and one of its policies. With `is_whole` they
/// have the whole file of people, as in earlier commitments.
pub(super) fn inputs_as(
    config: String,
    set: &[String],
    policy: Option<&str>,
    is_whole: bool,
) -> Result<(Inputs, ConfigText), Failure> {
    let (document, text, folder) = document_of(config, set, policy)?;
    inputs_in(document, text, &folder, is_whole)
}

/// Loads a config with the changes of `--set` and one of its policies. Returns it with its text and
/// the folder of its files.
fn document_of(
    config: String,
    set: &[String],
    policy: Option<&str>,
) -> Result<(Document, ConfigText, PathBuf), Failure> {
    let args = ConfigArgs {
        set: set.to_vec(),
        ..ConfigArgs::of(config)
    };
    let (mut document, text, folder) = load::changed(&args)?;
    let Some(policy) = policy else {
        let what = "it is not said which policy draws";
        let help = format!(
            "name one: --policy LABEL; the labels are: {}",
            labels(&document)
        );
        return Err(wrong(Problem::of_request(what).help(help)));
    };
    only(&mut document, policy).map_err(wrong)?;
    Ok((document, text, folder))
}

/// The inputs of a config whose files are in a folder; `is_whole` as in [`inputs_as`].
fn inputs_in(
    document: Document,
    text: ConfigText,
    folder: &Path,
    is_whole: bool,
) -> Result<(Inputs, ConfigText), Failure> {
    let inputs = match is_whole {
        true => Inputs::whole(&document, folder),
        false => Inputs::of(&document, folder),
    };
    match inputs {
        Ok(inputs) => Ok((inputs, text)),
        Err(problems) => Err(wrong_in(problems, Some(&text))),
    }
}

/// Removes all policies but one from a config.
fn only(document: &mut Document, label: &str) -> Result<(), Problem> {
    let place = Place::Option(format!("--policy {label}"));
    let all = labels(document);
    document
        .keep_only(&[label.to_owned()])
        .map_err(|problem| Problem {
            place: place.clone(),
            ..problem
        })?;
    if labels(document) == listed([label]) {
        Ok(())
    } else {
        let what = "a draw is made by one policy";
        Err(Problem::new(place, what).help(format!("name one of: {all}")))
    }
}

/// The labels of a config's policies, as text.
fn labels(document: &Document) -> String {
    match document.root().value("policy").and_then(Value::list) {
        Some(_) => listed(document.labels()),
        None => "none".to_owned(),
    }
}

/// Adds the lists that make the draw a second one.
fn add_lists(inputs: &mut Inputs, what: &WhatArgs, earlier: &Earlier) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(earlier).unwrap_or_default();
    inputs.put(EARLIER, (text + "\n").into_bytes(), EARLIER.into());
    for (name, path) in [(KEEP, &what.keep), (WITHOUT, &what.without)] {
        if let Some(path) = path {
            let bytes = read_given(path, MOST_WHOLE).map_err(|error| {
                let what = format!("the file cannot be read: {error}");
                let help = "give a file with an id or a code a line, or rows of panel.csv";
                wrong(
                    Problem::of_option(format!("{} {}", option(name), path.display()), what)
                        .help(help),
                )
            })?;
            inputs.put(name, bytes, path.clone());
        }
    }
    Ok(())
}

/// The option that names this list.
fn option(list: &str) -> &'static str {
    match list {
        KEEP => "--keep",
        _ => "--without",
    }
}

/// Returns a title that fits on a line.
///
/// # Errors
/// Fails if the title is empty, too long, or not fit for a line.
pub(super) fn title(given: &str) -> Result<String, Problem> {
    let title = given.trim();
    let letters = title.chars().count();
    let (what, help) = if title.is_empty() {
        (
            "the title is empty".to_owned(),
            "write it out, or leave out --title",
        )
    } else if title.chars().any(char::is_control) {
        (
            "the title is more than a line, or has characters that can't be shown".to_owned(),
            "write it in one line of letters",
        )
    } else if letters > LONGEST_TITLE {
        (
            format!("the title has {letters} characters, and at most {LONGEST_TITLE} fit"),
            "shorten it",
        )
    } else {
        return Ok(title.to_owned());
    };
    Err(Problem::of_option("--title", what).help(help))
}

/// Makes the lottery of the drawing policy known, if the policy has one.
pub(super) fn await_lottery(
    stage: &CheckedInputs,
    kept: &KeptLotteries,
) -> Result<Option<Arc<AwaitedLottery>>, Failure> {
    let lane = stage.question.plan.lanes.first();
    let Some((lane, lottery)) = lane.and_then(|lane| Some((lane, lane.policy.lottery.as_ref()?)))
    else {
        return Ok(None);
    };
    let ahead = Ahead::listening();
    let said = ahead.lottery(&lane.label, lottery, kept)?;
    let known = lottery.lottery();
    if known.is_some_and(|known| known.certificate.is_undecided()) {
        for sentence in said {
            show::say(&format!("note: {}", plain(&sentence)));
        }
    }
    ahead.over();
    Ok(Some(Arc::clone(lottery)))
}
