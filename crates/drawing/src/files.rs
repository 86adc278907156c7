//! The files of a draw, with the readers of each and the personal data in it.

/// The readers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAudience {
    /// Everyone: the file is to be published.
    Public,
    /// The organiser only.
    You,
    /// The people who compute the draw again.
    Auditors,
}

impl FileAudience {
    /// The word for the readers.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Public => "the public",
            Self::You => "you",
            Self::Auditors => "auditors",
        }
    }
}

/// A file of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawFile {
    /// The path in the folder. A path that ends in `/` means all files below it that have no entry
    /// of their own.
    pub name: &'static str,
    /// The readers of the file.
    pub audience: FileAudience,
    /// The personal data in it. `None` if it names no one.
    pub people: Option<&'static str>,
    /// A one-line description.
    pub about: &'static str,
}

impl DrawFile {
    /// Returns true if the draw keeps the file for its own use, so that no check reads it.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        ["original.txt", "lotteries/"].contains(&self.name)
    }
}

/// A file that names no one.
const fn public(name: &'static str, about: &'static str) -> DrawFile {
    DrawFile {
        name,
        audience: FileAudience::Public,
        people: None,
        about,
    }
}

/// A table of people for the organiser.
const fn own(name: &'static str, about: &'static str) -> DrawFile {
    DrawFile {
        name,
        audience: FileAudience::You,
        people: Some(ALL),
        about,
    }
}

/// A file for those who compute the draw again.
const fn audited(
    name: &'static str,
    people: Option<&'static str>,
    about: &'static str,
) -> DrawFile {
    DrawFile {
        name,
        audience: FileAudience::Auditors,
        people,
        about,
    }
}

/// The data of people in tables.
const ALL: &str = "names and contacts, as your file has them";

/// The data of people in copies of their files.
const DECIDING: &str = "ids and the columns that decide";

/// The files of a draw, in the order in which they are described.
pub const DRAW_FILES: [DrawFile; 24] = [
    public(
        "commitment.json",
        "what was committed: hashes of the config and the files, rule, version, columns, name of the \
         randomness",
    ),
    public("randomness", "the randomness, byte for byte"),
    public(
        "draw.json",
        "the record: seed, quotas and how the panel meets them, members by code, the chances of a \
         lottery, hashes of all files",
    ),
    public(
        "index.html",
        "the same as a page, with the commands that check it",
    ),
    public(
        "panels.csv",
        "of numbered panels: the list, a number and its members by code in each row",
    ),
    public(
        "panel_chances.csv",
        "of numbered panels: the chance of each respondent by code, and that under the lottery",
    ),
    public(
        "numbered.json",
        "of numbered panels: the lottery, the largest difference and its bound, the chances by group",
    ),
    own("codes.csv", "of numbered panels: whose code is whose"),
    own(
        "panel.csv",
        "the members in order, with their codes, in the columns of your file",
    ),
    own("passed-over.csv", "everybody else, and why"),
    own(
        "alternates.csv",
        "who steps in where a member leaves, in this order; `like` lists the members most alike",
    ),
    own(
        "chances.csv",
        "with `--chances N`: how often the rule chose each respondent in N other draws",
    ),
    own("selected.csv", "the members, as rows of your file"),
    own(
        "remaining.csv",
        "those who could still be drawn, as rows of your file",
    ),
    DrawFile {
        name: "original.txt",
        audience: FileAudience::You,
        people: None,
        about: "where your file of people is, from which the other columns of the tables come",
    },
    audited("config.toml", None, "the config of this rule"),
    audited(
        "inputs/people.csv",
        Some(DECIDING),
        "the people: their ids and what decides of each; households are numbers",
    ),
    audited(
        "inputs/keep.csv",
        Some("codes or ids"),
        "of a second draw: the members who stay",
    ),
    audited(
        "inputs/without.csv",
        Some("codes or ids"),
        "of a second draw: others who no longer take part",
    ),
    audited(
        "inputs/earlier.json",
        Some("ids"),
        "of a second draw: the members of the draw before, and its randomness",
    ),
    audited(
        "inputs/",
        None,
        "quotas and other files that the config names: all that `verify` needs",
    ),
    audited(
        "reduced/inputs/people.csv",
        Some(DECIDING),
        "of a second draw: those who could join the members who stay",
    ),
    audited(
        "reduced/",
        None,
        "of a second draw: the question that was left, as a config with its files",
    ),
    audited(
        "lotteries/",
        None,
        "a lottery by kinds of people, kept so that it is computed once; it may be deleted",
    ),
];

/// The copies of files of people, whatever their endings.
const COPIES: [&str; 3] = ["people", "features", "reward"];

/// Returns the entry of a file by its path in the folder of a draw. `None` if no draw writes the
/// file.
#[must_use]
pub fn draw_file(path: &str) -> Option<&'static DrawFile> {
    let mut files = DRAW_FILES.iter();
    let copy = |folder: &str| {
        let name = path.strip_prefix(folder)?;
        let (stem, _) = name.split_once('.')?;
        COPIES
            .contains(&stem)
            .then(|| format!("{folder}people.csv"))
    };
    let copy = copy("inputs/").or_else(|| copy("reduced/inputs/"));
    let known = copy.as_deref().unwrap_or(path);
    let exact = files.find(|file| file.name == known);
    exact.or_else(|| {
        let mut folders = DRAW_FILES.iter().filter(|file| file.name.ends_with('/'));
        folders.find(|folder| path.starts_with(folder.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_one_line() {
        for (at, file) in DRAW_FILES.iter().enumerate() {
            assert!(DRAW_FILES[..at].iter().all(|other| other.name != file.name));
            assert_eq!(draw_file(file.name), Some(file), "{}", file.name);
            let is_public = file.audience == FileAudience::Public;
            assert!(!is_public || file.people.is_none(), "{}", file.name);
        }
        assert_eq!(
            draw_file("inputs/categories.csv").map(|f| f.name),
            Some("inputs/")
        );
        assert_eq!(
            draw_file("reduced/inputs/people.csv").map(|f| f.name),
            Some("reduced/inputs/people.csv")
        );
        for copy in [
            "inputs/people.txt",
            "inputs/features.csv",
            "inputs/reward.csv",
        ] {
            let file = draw_file(copy).expect("a line");
            assert_eq!(file.people, Some(DECIDING), "{copy}");
        }
        for strange in ["notes.txt", "panel", "inputs", "INPUTS/people.csv", ""] {
            assert_eq!(draw_file(strange), None, "{strange}");
        }
    }
}
