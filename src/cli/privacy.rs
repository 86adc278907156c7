//! The personal data in outputs: hidden ids and dropped attributes.

use std::hash::{BuildHasher, RandomState};

use clap::Args;
use kleroterion::config::Plan;
use kleroterion::nearest::nearest;
use kleroterion::problem::{Problem, Problems};
use kleroterion::trace::Names;

use super::failure::{Failure, wrong};

/// What outputs say of people.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PrivacyArgs {
    /// People go by hashes of their ids in traces, in selected.csv, in people.csv and on the board;
    /// the key is kept with a live run's journal, else nowhere
    #[arg(long)]
    pub(super) hide_identities: bool,
    /// Attributes that selected.csv and people.csv leave out
    #[arg(long, value_name = "ATTRIBUTE,…", value_delimiter = ',')]
    pub(super) drop_attributes: Vec<String>,
}

impl PrivacyArgs {
    /// The names under which outputs show people. `key` is the key of the run, if it has one
    /// already.
    ///
    /// # Errors
    /// Fails if no attribute has this name.
    pub(super) fn names(&self, plan: &Plan, key: Option<[u8; 32]>) -> Result<Names, Failure> {
        let attributes = plan.world.schema.attributes();
        let known = || attributes.iter().map(|a| a.name.as_str());
        let mut problems = Problems::default();
        for dropped in &self.drop_attributes {
            if !known().any(|name| name == dropped) {
                let names: Vec<&str> = known().collect();
                let help = match nearest(dropped, known()) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("the attributes are {}", names.join(", ")),
                };
                let what = format!("there is no attribute {dropped:?}");
                problems.push(Problem::of_option("--drop-attributes", what).help(help));
            }
        }
        let names = match self.hide_identities {
            true => Names::hidden(key.unwrap_or_else(random_key)),
            false => Names::default(),
        };
        let names = names.dropping(&self.drop_attributes);
        problems.or(names).map_err(wrong)
    }
}

/// A key that can't be guessed, from the system's randomness.
pub(super) fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    for part in key.chunks_mut(8) {
        // Keyed by the system anew for each process, and differently each time.
        let word = RandomState::new().hash_one(part.len());
        part.copy_from_slice(&word.to_le_bytes());
    }
    key
}

/// Makes the files that this process creates from now on readable by its user alone, since they
/// hold people's records.
pub fn keep_to_user() {
    #[cfg(unix)]
    {
        use rustix::fs::Mode;
        let others = Mode::RWXG | Mode::RWXO;
        let before = rustix::process::umask(others);
        rustix::process::umask(before | others);
    }
}
