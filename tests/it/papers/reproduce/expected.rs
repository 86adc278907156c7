//! The studies, how many figures each has, and the claims that are known not to hold.

/// What every output of some studies says of what it shows: of an instance that is calibrated, of
/// people who are not the paper's, of a season that is generated. The paper's own people need no
/// caveat, but their file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Caveat {
    None,
    Calibrated,
    OtherPeople,
    Generated,
    ThePeople(&'static str),
}

impl Caveat {
    /// The file without which nothing of the study is made.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Self::OtherPeople => Some("acs-national2018.csv"),
            Self::ThePeople(file) => Some(file),
            _ => None,
        }
    }
}

/// The studies, how many figures each has, and its caveat.
pub const STUDIES: [(&str, usize, Caveat); 42] = [
    ("do2021-table1", 0, Caveat::Calibrated),
    ("do2021-example1", 1, Caveat::None),
    ("do2021-example2", 1, Caveat::None),
    ("do2021-fig1", 1, Caveat::Calibrated),
    ("do2021-fig2", 2, Caveat::Calibrated),
    ("do2021-thm1", 1, Caveat::None),
    ("grazzi2022-fig1", 2, Caveat::None),
    ("grazzi2022-prop31", 1, Caveat::None),
    ("grazzi2022-thm1", 2, Caveat::None),
    ("grazzi2022-core1", 0, Caveat::None),
    ("grazzi2022-appf", 1, Caveat::None),
    ("grazzi2022-fig2", 2, Caveat::OtherPeople),
    ("grazzi2022-gender", 1, Caveat::OtherPeople),
    ("schumann2019-fig1", 1, Caveat::None),
    ("schumann2019-fig2", 1, Caveat::None),
    ("schumann2019-thm42", 0, Caveat::None),
    ("schumann2019-fig3a", 1, Caveat::None),
    ("schumann2019-fig3b", 1, Caveat::None),
    ("schumann2019-fig4a", 1, Caveat::None),
    ("schumann2019-fig4b", 1, Caveat::None),
    ("schumann2019-fig5", 1, Caveat::Generated),
    ("schumann2019-fig6", 2, Caveat::Generated),
    ("schumann2019-fig7", 1, Caveat::None),
    ("schumann2019-fig8", 1, Caveat::None),
    ("schumann2019-fig9", 1, Caveat::Generated),
    ("schumann2019-table1", 0, Caveat::Generated),
    ("schumann2019-table2", 0, Caveat::Generated),
    ("schumann2019-table4", 0, Caveat::None),
    ("schumann2019-table5", 0, Caveat::Generated),
    ("schumann2019-example61", 0, Caveat::None),
    ("schumann2019-sensitivity", 1, Caveat::None),
    ("puranik2022-fig1a", 1, Caveat::None),
    ("puranik2022-fig1b", 2, Caveat::None),
    ("puranik2022-fig1c", 1, Caveat::None),
    ("puranik2022-fig1d", 2, Caveat::None),
    ("puranik2022-fig1e", 1, Caveat::ThePeople("lawschool.csv")),
    ("puranik2022-fig1f", 2, Caveat::None),
    ("puranik2022-fig2", 3, Caveat::None),
    ("puranik2022-fig3", 1, Caveat::ThePeople("german.data")),
    ("puranik2022-fig4", 2, Caveat::None),
    ("puranik2022-table1", 1, Caveat::None),
    ("puranik2024-institutions", 1, Caveat::None),
];

/// The sentences that are known not to hold, in the order of the studies: with the radius as printed, with the indicator as
/// printed, nine times a cost that can be seven times at most, and on the generated season, where
/// SWAP comes to no higher utility than others at their budgets and to a higher one than our chair.
pub const KNOWN: [(&str, &str); 7] = [
    (
        "do2021-fig2",
        "Section 6, (A2): the same sentence at scale 1, the radius as printed",
    ),
    (
        "schumann2019-fig1",
        "Section 4, Example: dearer strong looks, as printed",
    ),
    (
        "schumann2019-fig6",
        "Section 6.3: what uniform interviews cost",
    ),
    (
        "schumann2019-fig6",
        "Section 6.3, Figure 6: against both baselines",
    ),
    ("schumann2019-table2", "Section 6.3, Table 2: utility"),
    ("schumann2019-table2", "Section 6.3: no PAC stop is needed"),
    ("schumann2019-table5", "Appendix E.2, Table 5: utility"),
];

/// And where KLERO_DATA has the people: a converged fit does not give German credit's rows.
pub const KNOWN_OF_PEOPLE: (&str, &str) = (
    "puranik2022-table1",
    "Table 1: German credit, from the file",
);

/// Whether the studies are made in full, in the long form of the tests.
pub fn full() -> bool {
    std::env::var_os("KLERO_LONG").is_some()
}
