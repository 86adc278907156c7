//! The subject of a draw: a config and one of its policies, or the inputs committed to in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ahead::PlansAhead;
use crate::checked::checked;
use crate::draw_list::{DrawList, add_lists, option};
use crate::error::JobError;
use crate::limits::LONGEST_TITLE;
use crate::load::{ConfigSource, JobRequest, LoadedConfig};
use crate::text::ConfigText;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::nearest::listed;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_drawing::{
    CheckedInputs, DrawFolder, Earlier, HeldDraw, Inputs, KEEP, after, first,
};
use kleroterion_report::report::kept_lotteries::KeptLotteries;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::document::{Document, Value};
use kleroterion_run::presets::preset;
use kleroterion_sortition::lottery::AwaitedLottery;

/// A request for a draw.
#[derive(Clone, Debug, Default)]
pub struct DrawRequest {
    /// A config of people who are known beforehand; or the name of the folder of a commitment, to
    /// draw by it.
    pub config: Option<ConfigSource>,
    /// The label of the policy that draws.
    pub policy: Option<String>,
    /// Assignments `path.to.key=value`.
    pub set: Vec<String>,
    /// The folder of the draw.
    pub out: Option<PathBuf>,
    /// The most alternates that are listed.
    pub alternates: Option<u32>,
    /// The title of the draw's page.
    pub title: Option<String>,
    /// The folder of the draw before, if this is a second one.
    pub after: Option<PathBuf>,
    /// Those who stay in a second draw.
    pub keep: Option<DrawList>,
    /// Others who no longer take part in a second draw.
    pub without: Option<DrawList>,
    /// All that the config refers to outside its text.
    pub outside: ConfigInputs,
}

impl DrawRequest {
    /// The inputs of the named config with one of its policies. With `is_whole` they have the whole
    /// file of people, as in earlier commitments.
    ///
    /// # Errors
    /// Fails if the config or a file of it is wrong.
    pub fn inputs(&self, is_whole: bool) -> Result<(Inputs, ConfigText), JobError> {
        let LoadedConfig {
            document,
            text,
            inputs,
        } = self.document()?;
        inputs_in(&document, text, &inputs, is_whole)
    }

    /// Loads the named config with its changes and one of its policies.
    fn document(&self) -> Result<LoadedConfig, JobError> {
        let request = JobRequest {
            set: self.set.clone(),
            inputs: self.outside.clone(),
            ..JobRequest::from(self.config.clone().unwrap_or_default())
        };
        let mut loaded = request.changed()?;
        let Some(policy) = &self.policy else {
            let what = "it is not said which policy draws";
            let help = format!(
                "name one: --policy LABEL; the labels are: {}",
                labels(&loaded.document)
            );
            return Err(Problem::of_request(what).help(help).into());
        };
        only(&mut loaded.document, policy)?;
        Ok(loaded)
    }

    /// The name of the config or of the folder, if it has one.
    fn named(&self) -> Option<&str> {
        match &self.config {
            Some(ConfigSource::Named(name)) => Some(name),
            _ => None,
        }
    }

    /// The options that the request makes use of, by their names on the command line. The config is
    /// none.
    #[must_use]
    pub fn given(&self) -> Vec<&'static str> {
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
        given.map(|(option, _)| option).collect()
    }
}

/// The inputs of a draw, and its folder.
pub struct AskedDraw {
    /// The inputs.
    pub inputs: Inputs,
    /// The folder.
    pub folder: DrawFolder,
    /// The most alternates listed, if the user gave a number.
    pub alternates: Option<u32>,
    /// The title, if the user gave one.
    pub title: Option<String>,
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

/// Uses the organiser's own rows if they are available. Otherwise the watch hears which columns the tables
/// will lack.
fn hold_original(folder: &DrawFolder, inputs: &mut Inputs, watch: &JobWatch<'_>) {
    if let Err(why) = folder.hold_original(inputs) {
        watch.alert(JobAlert::Note(&format!(
            "the tables have the columns that were committed alone, without names and contacts: \
             the organiser's file of people can't be taken: {why}"
        )));
    }
}

impl AskedDraw {
    /// Reads what a request names. The watch hears notes on the people.
    ///
    /// # Errors
    /// Fails if the request is wrong or incomplete, or a file can't be read.
    pub fn of(what: &DrawRequest, watch: &JobWatch<'_>) -> Result<Self, JobError> {
        let title = what.title.as_deref().map(draw_title).transpose()?;
        let asked = match what.named() {
            Some(folder) if Path::new(folder).is_dir() => {
                Self::committed(Path::new(folder), what, watch)
            }
            Some(name) if what.out.is_none() && !is_config(name) => Err(no_folder(name).into()),
            _ => Self::anew(what, watch),
        };
        asked.map(|asked| Self { title, ..asked })
    }

    /// The inputs to which a folder is committed.
    fn committed(path: &Path, what: &DrawRequest, watch: &JobWatch<'_>) -> Result<Self, JobError> {
        let given = what
            .given()
            .into_iter()
            .filter(|option| *option != "--title");
        let problems = given.map(|option| {
            let what = "the commitment in the folder says it already";
            let help = "leave the option out, or name the config instead of the folder";
            Problem::of_option(option, what).help(help)
        });
        Problems(problems.collect()).or(())?;
        let folder = DrawFolder::at(path);
        let Some(commitment) = folder.commitment()? else {
            let what = format!("the folder {} holds no commitment", path.display());
            let help = "make one: klero draw commit CONFIG --policy LABEL --randomness NAME --out \
                        DIR; or draw from a config: klero draw CONFIG --policy LABEL --seed-from \
                        VALUE --out DIR";
            return Err(Problem::of_request(what).help(help).into());
        };
        let mut inputs = folder.inputs(&commitment)?;
        hold_original(&folder, &mut inputs, watch);
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
    fn anew(what: &DrawRequest, watch: &JobWatch<'_>) -> Result<Self, JobError> {
        let Some(out) = &what.out else {
            let help = "give a new folder: --out DIR";
            let what = "a draw is kept in a folder of its own, and none is named";
            return Err(Problem::of_request(what).help(help).into());
        };
        let before = earlier(what)?;
        let (mut inputs, text) = match (&what.config, &what.after) {
            (None, Some(folder)) => (committed_inputs(folder, what, watch)?, None),
            (None, None) => {
                let help =
                    "name one: klero draw my.toml --policy LABEL --seed-from VALUE --out DIR";
                let problem = Problem::of_request("it is not said which config is drawn from");
                return Err(problem.help(help).into());
            }
            (Some(_), _) => {
                let (inputs, text) = named_inputs(what, watch)?;
                (inputs, Some(text))
            }
        };
        if let Some(earlier) = before {
            let (keep, without) = (what.keep.as_ref(), what.without.as_ref());
            add_lists(&mut inputs, &earlier, keep, without)?;
        }
        Ok(Self {
            inputs,
            folder: DrawFolder::at(out),
            alternates: what.alternates,
            title: None,
            text,
            held: None,
        })
    }

    /// The folders of its lottery: that of the draw, and that of the config, in which a run may
    /// have kept one.
    pub fn kept_lotteries(&self) -> KeptLotteries {
        kept_lotteries(&self.folder, self.text.as_ref())
    }

    /// Checks the inputs, for a folder that can take the draw or a commitment to it. Its lists then
    /// go by codes. The watch hears how people are identified.
    ///
    /// # Errors
    /// Fails if the folder is in use or the inputs are wrong.
    pub fn stage_for(
        &mut self,
        takes_commitment: bool,
        watch: &JobWatch<'_>,
    ) -> Result<CheckedInputs, JobError> {
        self.held = Some(self.folder.hold(takes_commitment)?);
        let stage = CheckedInputs::of(&self.inputs);
        let stage = stage.map_err(|problems| JobError::Wrong(problems, self.text.clone()))?;
        if !stage.whole().is_named() {
            watch.warn(
                "the config names no column of ids, so people go by the numbers of their \
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
            let help = "list those who stay, an id or a code a line; a draw of a whole panel needs no --after";
            return Err(problem.help(help).into());
        }
        let lists = stage.again.iter().flat_map(|again| &again.notes);
        lists.for_each(|note| watch.alert(JobAlert::Note(note)));
        self.inputs.list_by_code(&stage);
        Ok(stage)
    }
}

/// The folders of a lottery: that of a draw, and that of its config.
pub(crate) fn kept_lotteries(folder: &DrawFolder, text: Option<&ConfigText>) -> KeptLotteries {
    let config = text.map(|text| Path::new(text.name()));
    let config = config.filter(|path| path.is_file()).and_then(Path::parent);
    KeptLotteries::of_folders([Some(folder.path()), config].into_iter().flatten())
}

/// The earlier draw that a second draw builds on; `None` for a first draw.
fn earlier(what: &DrawRequest) -> Result<Option<Earlier>, JobError> {
    let problem = match (&what.after, &what.keep, &what.without) {
        (None, None, None) => return Ok(None),
        (Some(folder), Some(_), _) => {
            return Ok(Some(after(&DrawFolder::at(folder))?));
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
    Err(problem.into())
}

/// The inputs of the draw in a folder, as if it were a first draw.
fn committed_inputs(
    folder: &Path,
    what: &DrawRequest,
    watch: &JobWatch<'_>,
) -> Result<Inputs, JobError> {
    let folder = DrawFolder::at(folder);
    let commitment = folder.commitment()?;
    let none = || Problem::of_request("the draw before has no commitment");
    let commitment = commitment.ok_or_else(none)?;
    let mut inputs = first(&folder.inputs(&commitment)?);
    hold_original(&folder, &mut inputs, watch);
    let set = what.set.iter();
    let problems = set.filter_map(|assignment| inputs.document.set(assignment).err());
    Problems(problems.collect()).or(())?;
    if !what.set.is_empty() {
        inputs.refuse_telling()?;
    }
    let label = what.policy.as_ref().unwrap_or(&commitment.policy);
    only(&mut inputs.document, label)?;
    Ok(inputs)
}

/// The inputs of the named config.
fn named_inputs(
    what: &DrawRequest,
    watch: &JobWatch<'_>,
) -> Result<(Inputs, ConfigText), JobError> {
    let LoadedConfig {
        document,
        text,
        inputs,
    } = what.document()?;
    // The organiser's own files have columns that the inputs may lack.
    let plan = checked(&document, &inputs).map_err(|found| JobError::in_text(found, &text))?;
    if let Some(file) = &plan.world.file {
        let doubles = file.doubles.sentences(&file.path.display().to_string());
        let doubles = doubles.iter();
        doubles.for_each(|said| watch.alert(JobAlert::Note(said)));
    }
    // A draw follows the commitment that it is made by, a second draw the draw before.
    let before = what.out.iter().chain(&what.after);
    let mut before = before.filter_map(|path| DrawFolder::at(path).commitment().ok().flatten());
    let is_whole = before.next().is_some_and(|one| one.is_of_whole_files());
    inputs_in(&document, text, &inputs, is_whole)
}

/// The inputs of a config; `is_whole` as in [`DrawRequest::inputs`].
fn inputs_in(
    document: &Document,
    text: ConfigText,
    outside: &ConfigInputs,
    is_whole: bool,
) -> Result<(Inputs, ConfigText), JobError> {
    let inputs = match is_whole {
        true => Inputs::whole(document, outside),
        false => Inputs::of(document, outside),
    };
    match inputs {
        Ok(inputs) => Ok((inputs, text)),
        Err(problems) => Err(JobError::in_text(problems, &text)),
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

/// Returns a title that fits on a line.
///
/// # Errors
/// Fails if the title is empty, too long, or not fit for a line.
pub fn draw_title(given: &str) -> Result<String, Problem> {
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

/// Makes the lottery of the drawing policy known, if the policy has one. The watch hears of a lottery
/// that is not proved to be the best.
///
/// # Errors
/// Fails if there can be no lottery, or if the watch's interrupt ends the wait.
pub fn await_lottery(
    stage: &CheckedInputs,
    kept: &KeptLotteries,
    watch: &JobWatch<'_>,
) -> Result<Option<Arc<AwaitedLottery>>, JobError> {
    let lane = stage.question.plan.lanes.first();
    let Some((lane, lottery)) = lane.and_then(|lane| Some((lane, lane.policy.lottery.as_ref()?)))
    else {
        return Ok(None);
    };
    let said = PlansAhead::new(None, watch).lottery(&lane.label, lottery, kept)?;
    let known = lottery.lottery();
    if known.is_some_and(|known| known.certificate.is_undecided()) {
        let said = said.iter();
        said.for_each(|sentence| watch.alert(JobAlert::Note(sentence)));
    }
    Ok(Some(Arc::clone(lottery)))
}
