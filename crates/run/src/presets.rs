//! The configs that come with the program: files of the folder `configs`, compiled into it.

use std::borrow::Cow;

use crate::document::Document;

/// A config that comes with the program.
pub struct Preset {
    /// The name, as `klero run` takes it and as its file has it.
    pub name: &'static str,
    /// The text of the config.
    pub text: &'static str,
    /// The files of people that its text names, with their contents. Empty if it names none, or
    /// only files that do not come with the program.
    pub files: &'static [(&'static str, &'static str)],
}

/// The presets of some names, with the texts of their files.
macro_rules! presets {
    ($($name:literal $(with $($file:literal)*)?,)*) => {
        &[$(Preset {
            name: $name,
            text: include_str!(concat!("../configs/", $name, ".toml")),
            files: &[$($(($file, include_str!(concat!("../configs/", $file))),)*)?],
        },)*]
    };
}

/// All presets. The first is the default of `klero run`.
pub const PRESETS: &[Preset] = presets![
    "committee-brexit-like",
    "committee-syn6",
    "committee-acs",
    "committee-merit",
    "organiser" with "organiser/categories.csv" "organiser/respondents.csv",
    "do2021-table1",
    "do2021-example1",
    "do2021-example2",
    "do2021-fig1",
    "do2021-fig2",
    "do2021-fig2-five",
    "do2021-fig2-greedy",
    "do2021-fig2-five-greedy",
    "do2021-thm1",
    "do2021-thm1-gain",
    "do2021-thm1-many",
    "grazzi2022-fig1",
    "grazzi2022-released",
    "grazzi2022-prop31",
    "grazzi2022-thm1",
    "grazzi2022-core1",
    "grazzi2022-core1-rare",
    "grazzi2022-appf",
    "grazzi2022-remark31",
    "grazzi2022-groups",
    "grazzi2022-delay",
    "fair-greedy-all",
    "fair-greedy-all-groups",
    "late-group",
    "grazzi2022-acs",
    "grazzi2022-gender",
    "grazzi2022-census",
    "schumann2019-t2",
    "schumann2019-thm42",
    "schumann2019-fig1",
    "schumann2019-fig2",
    "schumann2019-fig3a",
    "schumann2019-fig3b",
    "schumann2019-fig3-weak",
    "schumann2019-example61",
    "schumann2019-fig4a",
    "schumann2019-fig4b",
    "schumann2019-sensitivity",
    "schumann2019-stalled",
    "schumann2019-season",
    "schumann2019-season-noise",
    "schumann2019-fig6",
    "schumann2019-fig6-noise",
    "schumann2019-fig9-masters",
    "schumann2019-fig9-phd",
    "puranik2022-fig1a",
    "puranik2022-thm22",
    "puranik2022-thm22-many",
    "puranik2022-fig1b",
    "puranik2022-fig1c",
    "puranik2022-fig1d",
    "puranik2022-fig1f",
    "puranik2022-fig2",
    "puranik2022-fig4",
    "puranik2022-table1-law",
    "puranik2022-table1-german",
    "puranik2024-institutions",
    "puranik2024-institutions-unlike",
    "applicants" with "applicants/applicants.csv",
    "cohort-yield",
    "hiring-live",
    "hiring-seasons",
    "people-world",
    "pool-bandit" with "pool-bandit/entrants.csv",
    "pool-cohorts",
    "live-show",
    "live-http",
    "live-stdin",
];

impl Preset {
    /// The description of the preset in one line: its key `about`.
    #[must_use]
    pub fn about(&self) -> String {
        let document = Document::parse(self.text).ok();
        let about = document
            .as_ref()
            .and_then(|one| one.root().value("about")?.text());
        about.unwrap_or_default().to_owned()
    }
}

/// Returns the preset with this name.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    let name = renamed(name);
    PRESETS.iter().find(|preset| preset.name == name)
}

/// Beginnings of the names of presets and studies as they were once, and as they are now.
const RENAMED: &[(&str, &str)] = &[("puranik-", "puranik2022-")];

/// Returns the current name of a preset or a study. Older names are accepted.
#[must_use]
pub fn renamed(name: &str) -> Cow<'_, str> {
    let newer = RENAMED.iter().find_map(|(then, now)| {
        let rest = name.strip_prefix(then)?;
        Some(format!("{now}{rest}"))
    });
    newer.map_or(Cow::Borrowed(name), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A config of the folder that is not a preset: others build on it.
    const OTHERS: [&str; 1] = ["do2021-example"];

    #[test]
    fn presets_are_the_configs_of_the_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
        let paths = std::fs::read_dir(folder).unwrap();
        let paths = paths.map(|file| file.unwrap().path());
        let configs = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let mut found: Vec<_> = configs.map(|path| path.with_extension("")).collect();
        found.sort();
        let found = found.iter().filter_map(|path| path.file_name()?.to_str());
        let known = PRESETS.iter().map(|preset| preset.name);
        let mut known: Vec<&str> = known.chain(OTHERS).collect();
        known.sort_unstable();
        assert_eq!(found.collect::<Vec<_>>(), known);
    }

    #[test]
    fn every_preset_says_what_it_is() {
        for preset in PRESETS {
            let about = preset.about();
            assert!(
                !about.is_empty() && !about.contains('\n'),
                "{}",
                preset.name
            );
        }
    }

    #[test]
    fn older_names_are_still_taken() {
        let named = |name: &str| preset(name).map(|preset| preset.name);
        assert_eq!(named("puranik-fig1a"), Some("puranik2022-fig1a"));
        assert_eq!(named("puranik2022-fig1a"), Some("puranik2022-fig1a"));
        assert_eq!(named("puranik-fig9"), None);
        assert_eq!(named("committee-acs"), Some("committee-acs"));
    }
}
