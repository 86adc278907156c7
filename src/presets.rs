//! Configs that come with the program.

/// A config under its name.
pub struct Preset {
    /// Its name, as `klero run` takes it.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All presets; the first is the main job, which runs where no config is named.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "committee-brexit-like",
        about: "a committee of 150 from six attributes, calibrated on the Citizens' Assembly on Brexit (not its own table)",
        text: include_str!("../configs/committee-brexit-like.toml"),
    },
    Preset {
        name: "committee-syn6",
        about: "a committee from six attributes given by a formula, for checks and tests",
        text: include_str!("../configs/committee-syn6.toml"),
    },
    Preset {
        name: "committee-acs",
        about: "a committee of 150 from the real respondents of the 2018 American Community Survey; needs their file",
        text: include_str!("../configs/committee-acs.toml"),
    },
];

/// The preset of a name.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
