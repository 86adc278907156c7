//! A town whose panel is drawn, with its files and the folders of its draws.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Inputs;
use kleroterion_core::problem::Problems;
use kleroterion_run::document::Document;

/// The policies that draw.
pub(super) const POLICIES: [&str; 3] = ["first", "old", "fair"];

/// The policy that has a lottery.
pub(super) const FAIR: &str = "fair";

/// Five members of these people.
const CONFIG: &str = r#"name = "a town"
[source]
type = "respondents"
path = "people.csv"
id = "id"
[target]
categories = "quotas.csv"
[rules]
choose = "at_most_one"
until = { accepted = 5 }
[[policy]]
label = "first"
kind = "quota_lookahead"
[[policy]]
label = "old"
kind = "legacy"
[[policy]]
label = "fair"
kind = "leximin"
"#;

const QUOTAS: &str = "category,name,min,max\nsex,F,2,3\nsex,M,2,3\nage,young,1,4\nage,old,1,4\n";

/// A town in a folder of its own.
pub(super) struct Town {
    home: TempDir,
}

impl Town {
    pub(super) fn new() -> Self {
        // In memory, where the system has that.
        let memory = Path::new("/dev/shm");
        let home = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir());
        let town = Self {
            home: home.expect("a temporary folder"),
        };
        town.put("my.toml", CONFIG);
        town.put("quotas.csv", QUOTAS);
        town.put_people(0);
        town
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(super) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    /// Puts a version of the people's file: others of the first kind live elsewhere, of the second
    /// kind they are of another sex.
    pub(super) fn put_people(&self, version: u64) {
        let mut text = "id,Sex,Age,Street\n".to_owned();
        for k in 0..16_u64 {
            let sex = ["F", "M"][((k + version / 2) % 2) as usize];
            let age = ["young", "old"][(k / 2 % 2) as usize];
            text += &format!("p{k:02},{sex},{age},street {}\n", k + version % 2);
        }
        self.put("people.csv", text);
    }

    /// The inputs of the config with one of its policies.
    pub(super) fn inputs(&self, policy: &str) -> Result<Inputs, Problems> {
        let mut document = Document::read(&self.path("my.toml"))?;
        document.keep_only(&[policy.to_owned()])?;
        Inputs::of(&document, &self.home.path().into())
    }

    /// Returns all files below a folder, by their paths.
    pub(super) fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        below(&self.path(folder), "", &mut found);
        found
    }

    /// Has a folder hold these files and no others; none where it is not there.
    pub(super) fn set(&self, folder: &str, files: Option<&BTreeMap<String, Vec<u8>>>) {
        // It need not be there.
        drop(fs::remove_dir_all(self.path(folder)));
        let Some(files) = files else { return };
        fs::create_dir_all(self.path(folder)).expect("a folder");
        for (name, bytes) in files {
            self.put(&format!("{folder}/{name}"), bytes);
        }
    }
}

fn below(folder: &Path, before: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => below(&entry.path(), &format!("{name}/"), found),
            false => drop(found.insert(name, fs::read(entry.path()).expect("a file"))),
        }
    }
}
