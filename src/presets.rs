//! Configs that come with the program.

use std::borrow::Cow;

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
    Preset {
        name: "do2021-table1",
        about: "Table 1 of Do et al. 2021: how often each type comes",
        text: include_str!("../configs/do2021-table1.toml"),
    },
    Preset {
        name: "do2021-example1",
        about: "Example 1 of Do et al. 2021: greedy waits for the rare",
        text: include_str!("../configs/do2021-example1.toml"),
    },
    Preset {
        name: "do2021-example2",
        about: "Example 2 of Do et al. 2021: the best stationary policy",
        text: include_str!("../configs/do2021-example2.toml"),
    },
    Preset {
        name: "do2021-fig1",
        about: "Figure 1 of Do et al. 2021: six attributes, p known, committees of 50 to 1000 (calibrated)",
        text: include_str!("../configs/do2021-fig1.toml"),
    },
    Preset {
        name: "do2021-fig2",
        about: "Figure 2 of Do et al. 2021: three attributes, p unknown, committees to 2000 (calibrated)",
        text: include_str!("../configs/do2021-fig2.toml"),
    },
    Preset {
        name: "do2021-fig2-five",
        about: "Figure 2 of Do et al. 2021: five attributes (calibrated)",
        text: include_str!("../configs/do2021-fig2-five.toml"),
    },
    Preset {
        name: "do2021-fig2-greedy",
        about: "greedy beside Figure 2, three attributes (calibrated)",
        text: include_str!("../configs/do2021-fig2-greedy.toml"),
    },
    Preset {
        name: "do2021-fig2-five-greedy",
        about: "greedy beside Figure 2, five attributes (calibrated)",
        text: include_str!("../configs/do2021-fig2-five-greedy.toml"),
    },
    Preset {
        name: "grazzi2022-fig1",
        about: "Figure 1 of Grazzi et al. 2022 (Section 6): four groups on different scales, one of each a round",
        text: include_str!("../configs/grazzi2022-fig1.toml"),
    },
    Preset {
        name: "grazzi2022-released",
        about: "Section 6 of Grazzi et al. 2022 with the biases of the authors' released code",
        text: include_str!("../configs/grazzi2022-released.toml"),
    },
    Preset {
        name: "grazzi2022-prop31",
        about: "Proposition 3.1 of Grazzi et al. 2022: relative ranks and who chooses the highest",
        text: include_str!("../configs/grazzi2022-prop31.toml"),
    },
    Preset {
        name: "grazzi2022-thm1",
        about: "Section 6 of Grazzi et al. 2022 for 20,000 rounds: how fair regret grows",
        text: include_str!("../configs/grazzi2022-thm1.toml"),
    },
    Preset {
        name: "grazzi2022-groups",
        about: "candidates of drawn groups, one of them rare (the setting of Section 7 of Grazzi et al. 2022; the instance is ours)",
        text: include_str!("../configs/grazzi2022-groups.toml"),
    },
    Preset {
        name: "grazzi2022-delay",
        about: "what it costs to hear late: Section 6 of Grazzi et al. 2022 with outcomes 0, 1, 10 and 100 rounds late",
        text: include_str!("../configs/grazzi2022-delay.toml"),
    },
    Preset {
        name: "grazzi2022-acs",
        about: "Figure 2 of Grazzi et al. 2022 on the respondents of the 2018 American Community Survey (not the paper's extract); needs their file",
        text: include_str!("../configs/grazzi2022-acs.toml"),
    },
    Preset {
        name: "grazzi2022-gender",
        about: "the gender experiment of Grazzi et al. 2022 and its oracles, on the same respondents; needs their file",
        text: include_str!("../configs/grazzi2022-gender.toml"),
    },
    Preset {
        name: "grazzi2022-census",
        about: "Figure 2 of Grazzi et al. 2022 on the paper's own extract; needs the PUMS files of 2017 and 2018",
        text: include_str!("../configs/grazzi2022-census.toml"),
    },
    Preset {
        name: "schumann2019-t2",
        about: "three of ten applicants through cheap and thorough interviews (the setting of Schumann et al. 2019; the instance is ours)",
        text: include_str!("../configs/schumann2019-t2.toml"),
    },
    Preset {
        name: "schumann2019-fig1",
        about: "Figure 1 of Schumann et al. 2019: two of three applicants through interviews (the numbers are ours)",
        text: include_str!("../configs/schumann2019-fig1.toml"),
    },
    Preset {
        name: "schumann2019-fig2",
        about: "Figure 2 of Schumann et al. 2019: the cost of interviews against hardness, on drawn instances",
        text: include_str!("../configs/schumann2019-fig2.toml"),
    },
    Preset {
        name: "schumann2019-fig3a",
        about: "Figure 3(a) of Schumann et al. 2019: strong interviews alone, whatever they tell and cost",
        text: include_str!("../configs/schumann2019-fig3a.toml"),
    },
    Preset {
        name: "schumann2019-fig3b",
        about: "Figure 3(b) of Schumann et al. 2019: SWAP and strong interviews alone, whatever they tell and cost",
        text: include_str!("../configs/schumann2019-fig3b.toml"),
    },
    Preset {
        name: "schumann2019-fig3-weak",
        about: "weak interviews alone, beside Figure 3 of Schumann et al. 2019",
        text: include_str!("../configs/schumann2019-fig3-weak.toml"),
    },
    Preset {
        name: "schumann2019-example61",
        about: "Example 6.1 of Schumann et al. 2019: two of three applicants, by the sum of utilities and by w_div",
        text: include_str!("../configs/schumann2019-example61.toml"),
    },
    Preset {
        name: "schumann2019-fig4a",
        about: "Figure 4(a) of Schumann et al. 2019: the cost of interviews with w_div until the cohort is certain, on drawn instances",
        text: include_str!("../configs/schumann2019-fig4a.toml"),
    },
    Preset {
        name: "schumann2019-fig4b",
        about: "Figure 4(b) of Schumann et al. 2019: the same within 0.01 of the best cohort",
        text: include_str!("../configs/schumann2019-fig4b.toml"),
    },
    Preset {
        name: "schumann2019-sensitivity",
        about: "Section 7.3 of Schumann et al. 2019: several delta and epsilon on the instance of schumann2019-t2",
        text: include_str!("../configs/schumann2019-sensitivity.toml"),
    },
    Preset {
        name: "schumann2019-stalled",
        about: "where SWAP stalls under w_div, and the scope that cures it (an instance of ours)",
        text: include_str!("../configs/schumann2019-stalled.toml"),
    },
    Preset {
        name: "schumann2019-season",
        about: "a generated season of graduate admissions (Tables 1, 2 and 5, Figures 5 and 6 of Schumann et al. 2019, whose data are private)",
        text: include_str!("../configs/schumann2019-season.toml"),
    },
    Preset {
        name: "schumann2019-season-noise",
        about: "the same season where a reviewer errs by 0.1 on a scale of 0 to 1",
        text: include_str!("../configs/schumann2019-season-noise.toml"),
    },
    Preset {
        name: "schumann2019-fig6",
        about: "Figure 6 of Schumann et al. 2019: uniform and random interviews at several budgets (a generated season)",
        text: include_str!("../configs/schumann2019-fig6.toml"),
    },
    Preset {
        name: "schumann2019-fig6-noise",
        about: "Figure 6 of Schumann et al. 2019 where a reviewer errs by 0.1 (a generated season)",
        text: include_str!("../configs/schumann2019-fig6-noise.toml"),
    },
    Preset {
        name: "schumann2019-fig9-masters",
        about: "Figure 9 of Schumann et al. 2019: Master's applicants, over values of s (a generated season)",
        text: include_str!("../configs/schumann2019-fig9-masters.toml"),
    },
    Preset {
        name: "schumann2019-fig9-phd",
        about: "Figure 9 of Schumann et al. 2019: Ph.D. applicants, over values of s (a generated season)",
        text: include_str!("../configs/schumann2019-fig9-phd.toml"),
    },
    Preset {
        name: "puranik2022-fig1a",
        about: "Figure 1(a) of Puranik et al. 2022: Fair-Greedy on a pool that answers, identical scores, from .1 and from .9",
        text: include_str!("../configs/puranik2022-fig1a.toml"),
    },
    Preset {
        name: "puranik2022-thm22",
        about: "Theorem 2.2 of Puranik et al. 2022: 1,000 applicants a round and steps that decay, from .1 and from .9",
        text: include_str!("../configs/puranik2022-thm22.toml"),
    },
    Preset {
        name: "puranik2022-fig1b",
        about: "Figure 1(b) of Puranik et al. 2022: identical scores, five weights of fairness",
        text: include_str!("../configs/puranik2022-fig1b.toml"),
    },
    Preset {
        name: "puranik2022-fig1c",
        about: "Figure 1(c) of Puranik et al. 2022: few places, a group of larger variance, from .1 and from .9",
        text: include_str!("../configs/puranik2022-fig1c.toml"),
    },
    Preset {
        name: "puranik2022-fig1d",
        about: "Figure 1(d) of Puranik et al. 2022: few places, a group of larger variance, five weights of fairness",
        text: include_str!("../configs/puranik2022-fig1d.toml"),
    },
    Preset {
        name: "puranik2022-fig1f",
        about: "Figure 1(f) of Puranik et al. 2022: law school, seven weights of fairness (the paper's Gaussian fit)",
        text: include_str!("../configs/puranik2022-fig1f.toml"),
    },
    Preset {
        name: "puranik2022-fig2",
        about: "Figure 2 of Puranik et al. 2022: looking ahead by s and by theta beside Fair-Greedy, from .1 and from .9",
        text: include_str!("../configs/puranik2022-fig2.toml"),
    },
    Preset {
        name: "puranik2022-fig4",
        about: "Figure 4 of Puranik et al. 2022: German credit, seven weights of fairness (the paper's Gaussian fit)",
        text: include_str!("../configs/puranik2022-fig4.toml"),
    },
    Preset {
        name: "puranik2022-table1-law",
        about: "Table 1 of Puranik et al. 2022: law school without race, three weights of fairness (the paper's Gaussian fit)",
        text: include_str!("../configs/puranik2022-table1-law.toml"),
    },
    Preset {
        name: "puranik2022-table1-german",
        about: "Table 1 of Puranik et al. 2022: German credit without gender, three weights of fairness (the paper's Gaussian fit)",
        text: include_str!("../configs/puranik2022-table1-german.toml"),
    },
    Preset {
        name: "hiring-seasons",
        about: "thirty hiring seasons: a pool that answers, interviews at two costs, a quota, outcomes a season late (of no paper)",
        text: include_str!("../configs/hiring-seasons.toml"),
    },
    Preset {
        name: "live-show",
        about: "to look at, with `klero live`: a committee of 1,000 from generated volunteers, 25 a second",
        text: include_str!("../configs/live-show.toml"),
    },
    Preset {
        name: "live-http",
        about: "for `klero live`: a panel of 30 from volunteers who come by HTTP; one policy counts, two stand in its shadow",
        text: include_str!("../configs/live-http.toml"),
    },
    Preset {
        name: "live-stdin",
        about: "for `klero live`: the panel from volunteers a line on the standard input",
        text: include_str!("../configs/live-stdin.toml"),
    },
];

/// The preset of a name.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    let name = renamed(name);
    PRESETS.iter().find(|preset| preset.name == name)
}

/// Beginnings of the names of presets and studies as they were once, and as they are now.
const RENAMED: &[(&str, &str)] = &[("puranik-", "puranik2022-")];

/// The name of today of a preset or a study; older names are taken too.
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

    /// A preset of a paper is called after its file, which bears the paper's year.
    #[test]
    fn presets_are_called_as_their_files() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
        for preset in PRESETS {
            let file = folder.join(format!("{}.toml", preset.name));
            let text = std::fs::read_to_string(&file);
            assert_eq!(text.ok().as_deref(), Some(preset.text), "{}", preset.name);
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
