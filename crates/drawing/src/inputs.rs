//! The inputs of a draw: the config and copies of the files that it names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::hash::sha256;
use super::hidden::{Hidden, rows_of};
use super::keyed::PeopleHash;
use super::taken::{CommittedPeople, ragged};
use crate::limits::MOST_DRAW_FILE_BYTES;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::people::table::RawRows;
use kleroterion_io::record::read_whole;
use kleroterion_report::report::files::Folder;
use kleroterion_run::config::{ConfigInputs, NamedFile, check};
use kleroterion_run::document::{Document, Value, read_text};

/// The file of the config in the folder of a draw.
pub const CONFIG: &str = "config.toml";

/// The folder of the files that the config names, in the folder of a draw.
pub const INPUTS: &str = "inputs";

/// The file of those who can be drawn.
const PEOPLE: &str = "people";

/// The files of people, of which a draw takes the columns that decide.
const OF_PEOPLE: [&str; 3] = [PEOPLE, "features", "reward"];

/// The list of members who stay, among the inputs.
pub const KEEP: &str = "keep.csv";

/// The list of respondents who no longer take part, among the inputs.
pub const WITHOUT: &str = "without.csv";

/// The file of facts on earlier draws, among the inputs.
pub const EARLIER: &str = "earlier.json";

/// The config of a draw and the files that it names.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The config, with a single policy. It names its files in [`INPUTS`].
    pub document: Document,
    /// The files by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The paths that the files were read from.
    origins: BTreeMap<String, PathBuf>,
    /// The columns taken from the organiser's file of people. `None` if the whole file was taken.
    pub(super) taken: Option<CommittedPeople>,
    /// The organiser's own rows with all their columns, if available.
    pub(super) original: Option<RawRows>,
    /// The config as the user named it, with the folder of its files.
    asked: Option<(Document, ConfigInputs)>,
}

impl Inputs {
    /// Reads the inputs of a config. From files of people it takes the columns that decide, as CSV
    /// in UTF-8. `outside` are the inputs that the config is checked with.
    ///
    /// # Errors
    /// Where a file can't be read.
    pub fn of(document: &Document, outside: &ConfigInputs) -> Result<Self, Problems> {
        let copied = |file: &NamedFile| match OF_PEOPLE.contains(&file.role) {
            true => format!("{}.csv", file.role),
            false => name(file),
        };
        let (renamed, named) =
            document.with_files(outside, |file| format!("{INPUTS}/{}", copied(file)));
        let mut inputs = Self::empty(entitled(renamed.of_plain_people(), document.name()));
        inputs.asked = Some((document.clone(), outside.clone()));
        let written = document.written_people();
        let how = CommittedPeople {
            delimiter: written.delimiter,
            sheet: written.sheet,
            names: written.names,
            ..CommittedPeople::default()
        };
        let mut hidden = Hidden::default();
        for file in named {
            let taken = match file.role {
                PEOPLE => {
                    let taken = inputs.take(&file, how.clone(), (document, outside));
                    taken.map(|(bytes, found)| {
                        hidden = found;
                        bytes
                    })
                }
                role if OF_PEOPLE.contains(&role) => {
                    let names = hidden.applied(document.clone()).deciding_columns(outside);
                    more(&file, how.clone(), &names, &hidden)
                }
                _ => copied_bytes(&file).map_err(Problems::from),
            };
            // What is wrong is said as a run says it.
            let bytes = taken.map_err(|problems| inputs.as_asked(problems))?;
            inputs.put(&copied(&file), bytes, file.path);
        }
        Ok(inputs)
    }

    /// The columns that decide of the file of people, and what of the config they hide; `asked`: the
    /// config as the user named it, and where its files are looked for.
    fn take(
        &mut self,
        file: &NamedFile,
        how: CommittedPeople,
        (asked, outside): (&Document, &ConfigInputs),
    ) -> Result<(Vec<u8>, Hidden), Problems> {
        let rows = how.rows(&file.path, file.held.as_ref());
        let rows = rows.map_err(|error| error.problems)?;
        let hidden = Hidden::of(asked, &rows);
        let names = hidden.applied(asked.clone()).deciding_columns(outside);
        let taken = how.taking(&rows, &names);
        let hidden = hidden.without_blank_rows(&taken, &rows);
        let taken = hidden.added(taken, &rows);
        let bytes = taken.reduced(&rows, &hidden.left_out(&rows));
        let bytes = bytes.map_err(|rows| ragged(&file.path, &rows))?;
        self.document = hidden.applied(self.document.clone());
        (self.taken, self.original) = (Some(taken), Some(rows));
        Ok((bytes, hidden))
    }

    /// Reads the inputs of a config with its files as they are, for commitments to whole files.
    ///
    /// # Errors
    /// Where a file can't be read.
    pub fn whole(document: &Document, outside: &ConfigInputs) -> Result<Self, Problems> {
        let (renamed, named) =
            document.with_files(outside, |file| format!("{INPUTS}/{}", name(file)));
        let mut inputs = Self::empty(renamed);
        inputs.asked = Some((document.clone(), outside.clone()));
        for file in named {
            let bytes = copied_bytes(&file).map_err(|unread| inputs.as_asked(unread.into()))?;
            inputs.put(&name(&file), bytes, file.path);
        }
        Ok(inputs)
    }

    /// A config without its files.
    fn empty(document: Document) -> Self {
        Self {
            document,
            files: BTreeMap::new(),
            origins: BTreeMap::new(),
            taken: None,
            original: None,
            asked: None,
        }
    }

    /// Returns the problems of the config as the user named it, with the places in its own files.
    /// Without any it returns `problems`.
    fn as_asked(&self, problems: Problems) -> Problems {
        let asked = self.asked.as_ref();
        let own = asked.and_then(|(document, outside)| check(document, outside).err());
        own.unwrap_or(problems)
    }

    /// Takes the organiser's own rows from a file, so that tables of people have all their columns.
    ///
    /// # Errors
    /// Where the file can't be read, or the columns that decide are others than those of these
    /// inputs, why.
    pub fn hold(&mut self, path: &Path) -> Result<(), String> {
        let (Some(taken), Some((name, bytes))) = (&self.taken, self.people()) else {
            return Ok(());
        };
        let (rows, name) = (taken.held(path, bytes)?, name.to_owned());
        self.original = Some(rows);
        self.origins.insert(name, path.to_owned());
        Ok(())
    }

    /// The path of the organiser's file of people, if its rows were read. A table from memory has
    /// none.
    #[must_use]
    pub fn original(&self) -> Option<&Path> {
        self.original.as_ref()?;
        let (name, _) = self.people()?;
        let path = self.origins.get(name)?;
        matches!(Place::file(path), Place::File { .. }).then_some(path.as_path())
    }

    /// Reads the inputs in the folder of a draw: its config and the files of these names. Those of
    /// people have the columns `taken`.
    ///
    /// # Errors
    /// Where one can't be read.
    pub fn read<'a>(
        folder: &Path,
        names: impl IntoIterator<Item = &'a String>,
        taken: Option<CommittedPeople>,
    ) -> Result<Self, Problems> {
        let path = folder.join(CONFIG);
        read_file(&path).map_err(|error| unread(path.clone(), &error))?;
        let text = read_text(&path)?;
        let document = Document::parse(&text).map_err(|problems| {
            let what = problems.0.first().map_or("", |problem| &problem.what);
            let what = format!("it was changed since it was written, and is no config: {what}");
            let help = "take the folder as the draw left it";
            Problem::of_file(folder.join(CONFIG), what).help(help)
        })?;
        let mut inputs = Self::empty(document.named(CONFIG));
        inputs.taken = taken;
        let names: Vec<&String> = names.into_iter().collect();
        let mut problems = inputs.refuse_strangers(&names);
        for name in names.into_iter().filter(|name| is_plain(name)) {
            let path = folder.join(INPUTS).join(name);
            match read_file(&path) {
                Ok(bytes) => inputs.put(name, bytes, path),
                Err(error) => problems.push(unread(path, &error)),
            }
        }
        problems.or(inputs)
    }

    /// Refuses names of files that are no plain names, and a config that names other files: what a
    /// folder from elsewhere holds is never read or written outside of it.
    fn refuse_strangers(&self, names: &[&String]) -> Problems {
        let mut problems = Problems::default();
        let help = "take the folder as the draw left it";
        if !names.iter().all(|name| is_plain(name)) {
            let what = "the commitment names a file outside of the folder of the draw";
            problems.push(Problem::of_request(what).help(help));
        }
        let (_, named) = self.document.with_files(Path::new(""), |_| String::new());
        let is_known = |file: &NamedFile| {
            let name = file.path.strip_prefix(INPUTS).ok().and_then(Path::to_str);
            name.is_some_and(|name| names.iter().any(|known| *known == name))
        };
        if !named.iter().all(is_known) {
            let what = format!("{CONFIG} names a file that was not committed");
            problems.push(Problem::of_request(what).help(help));
        }
        problems
    }

    /// Refuses conditions that would identify people, for existing inputs. Their config is
    /// published as it is.
    ///
    /// # Errors
    /// That there is one.
    pub fn refuse_telling(&self) -> Result<(), Problem> {
        let (Some(_), Some((_, bytes))) = (&self.taken, self.people()) else {
            return Ok(());
        };
        if Hidden::of(&self.document, &rows_of(bytes)).has_conditions() {
            let what = "a condition of `where` would tell who someone is, and the config of a draw \
                            is published";
            let help = "name the people on a list: --without FILE; or name the config, with the \
                            condition in it, and --policy";
            Err(Problem::of_option("--set", what).help(help))
        } else {
            Ok(())
        }
    }

    /// Adds a file.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>, origin: PathBuf) {
        self.files.insert(name.to_owned(), bytes);
        self.origins.insert(name.to_owned(), origin);
    }

    /// Returns the text of the config.
    #[must_use]
    pub fn config(&self) -> String {
        self.document.to_toml()
    }

    /// Returns the SHA-256 of each file. Files that name a few people have keyed hashes, as a
    /// commitment of this version has them.
    #[must_use]
    pub fn hashes(&self, schema: u32) -> BTreeMap<String, String> {
        let of_people = self.people_hash(schema);
        let hash = |name: &str, bytes: &[u8]| match [KEEP, WITHOUT, EARLIER].contains(&name) {
            true => of_people.hash(bytes),
            false => sha256(bytes),
        };
        let files = self.files.iter();
        files
            .map(|(name, bytes)| (name.clone(), hash(name, bytes)))
            .collect()
    }

    /// The hash of files that name people, as a commitment of this version has it.
    pub(super) fn people_hash(&self, schema: u32) -> PeopleHash {
        PeopleHash::of(&self.everyone().unwrap_or_default(), schema)
    }

    /// Writes the config and the files.
    ///
    /// # Errors
    /// Where one can't be written.
    pub fn write(&self, folder: &Folder) -> Result<(), Problem> {
        folder.write(CONFIG, |out| out.write_all(self.config().as_bytes()))?;
        let inputs = folder.within(INPUTS)?;
        for (name, bytes) in &self.files {
            inputs.write_own(name, |out| out.write_all(bytes))?;
        }
        Ok(())
    }

    /// Returns the name and the bytes of the file of people.
    #[must_use]
    pub fn people(&self) -> Option<(&str, &[u8])> {
        let mut files = self.files.iter();
        let (name, bytes) = files.find(|(name, _)| stem(name) == PEOPLE)?;
        Some((name, bytes))
    }

    /// The file of people as it is whoever of them takes part: what their codes are keyed by.
    pub(super) fn everyone(&self) -> Option<Cow<'_, [u8]>> {
        let (_, bytes) = self.people()?;
        Some(match &self.taken {
            Some(taken) => taken.everyone(bytes),
            None => Cow::Borrowed(bytes),
        })
    }

    /// The path that a file was read from.
    pub(super) fn origin(&self, name: &str) -> PathBuf {
        let origin = self.origins.get(name).cloned();
        origin.unwrap_or_else(|| PathBuf::from(name))
    }

    /// Problems whose files are named as the user knows them; `copies`: where the copies lay.
    pub(super) fn as_known(&self, problems: Problems, copies: &Path) -> Problems {
        let mut problems = self.as_asked(problems);
        let folder = copies.join(INPUTS);
        for problem in &mut problems.0 {
            if let Place::File { path, line, column } = &problem.place
                && let Ok(name) = path.strip_prefix(&folder)
                && let Some(origin) = name.to_str().and_then(|name| self.origins.get(name))
            {
                problem.place = Place::field(origin, *line, *column);
            }
        }
        problems
    }
}

/// The columns that decide of another file of people.
fn more(
    file: &NamedFile,
    how: CommittedPeople,
    names: &[String],
    hidden: &Hidden,
) -> Result<Vec<u8>, Problems> {
    let rows = how.rows(&file.path, file.held.as_ref());
    let rows = rows.map_err(|error| error.problems)?;
    let taken = hidden.added(how.taking(&rows, names), &rows);
    let taken = CommittedPeople {
        households: Vec::new(),
        ..taken
    };
    let bytes = taken.reduced(&rows, &hidden.left_out(&rows));
    bytes.map_err(|rows| ragged(&file.path, &rows))
}

/// The bytes of a file that the user names, or of a table from memory.
fn copied_bytes(file: &NamedFile) -> Result<Vec<u8>, Problem> {
    match &file.held {
        Some(table) => Ok(table.bytes().to_vec()),
        None => read_given(&file.path).map_err(|error| unread(file.path.clone(), &error)),
    }
}

/// A config with a name: without one it has that of its `file`, and its copy is another file.
fn entitled(mut document: Document, file: &str) -> Document {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    let root = document.root_mut();
    if let (None, Some(stem)) = (root.get("name"), stem) {
        root.put("name", Value::Text(stem.to_owned()));
    }
    document
}

/// The name of a file among the inputs: what it is, with its own ending, which says its format.
fn name(file: &NamedFile) -> String {
    if file.held.is_some() {
        return format!("{}.csv", file.role);
    }
    let ending = file.path.extension().and_then(|ending| ending.to_str());
    let ending = ending.filter(|ending| ending.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    match ending {
        Some(ending) => format!("{}.{}", file.role, ending.to_lowercase()),
        None => file.role.to_owned(),
    }
}

/// Returns true if a name is that of a file directly in a folder.
fn is_plain(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    !name.starts_with('.') && !name.is_empty() && name.chars().all(is_letter)
}

/// A name without its ending.
pub(super) fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// The bytes of a file in the folder of a draw. What is no file is not read: a pipe may never end, and a
/// link leads elsewhere.
pub(super) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    match fs::symlink_metadata(path)?.is_symlink() {
        true => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link")),
        false => read_given(path),
    }
}

/// The bytes of a file that the user names, who may name a link.
pub(super) fn read_given(path: &Path) -> io::Result<Vec<u8>> {
    read_whole(path, MOST_DRAW_FILE_BYTES)
}

/// Returns the problem of a file that can't be read.
pub(super) fn unread(path: PathBuf, error: &std::io::Error) -> Problem {
    let what = format!("the file cannot be read: {error}");
    Problem::of_file(path, what).help("name a file that you may read")
}
