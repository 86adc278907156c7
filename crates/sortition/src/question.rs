//! The requirements of a panel: respondents, quotas and members.

use std::collections::BTreeMap;
use std::sync::Arc;

use kleroterion_core::protocol::{Quota, Respondents, Side};

/// The requirements of a panel: the respondents it is chosen from, its quotas and its size.
#[derive(Clone, Debug)]
pub struct PanelQuestion {
    /// Those who may be members.
    pub respondents: Arc<Respondents>,
    /// The fewest and most members with each value: a row per attribute. An empty row sets no
    /// quotas.
    pub quotas: Vec<Vec<Quota>>,
    /// The number of members.
    pub members: u32,
}

/// A rule of a panel that a set of people breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelBreach {
    /// The number of members is wrong.
    Size {
        /// The panel's number of members.
        members: usize,
    },
    /// A number names no respondent.
    Stranger {
        /// The number given.
        respondent: u32,
    },
    /// A respondent is named twice.
    Twice {
        /// The respondent, as an index.
        respondent: u32,
    },
    /// Two members live in the same household.
    Household {
        /// The two members.
        members: [u32; 2],
    },
    /// A value has too few or too many members.
    Quota {
        /// The index of the attribute.
        attribute: usize,
        /// The index of the value.
        value: usize,
        /// The side of the quota that is not met.
        side: Side,
        /// The number of members with the value.
        members: u32,
    },
}

impl PanelQuestion {
    /// Returns the rules that a set of respondents breaks as a panel. Empty if it is a panel.
    #[must_use]
    pub fn breaches(&self, panel: &[u32]) -> Vec<PanelBreach> {
        let mut breaches = Vec::new();
        if panel.len() != self.members as usize {
            let members = panel.len();
            breaches.push(PanelBreach::Size { members });
        }
        let mut members = panel.to_vec();
        members.sort_unstable();
        let twice = members.windows(2).filter(|pair| pair[0] == pair[1]);
        breaches.extend(twice.map(|pair| PanelBreach::Twice {
            respondent: pair[0],
        }));
        members.dedup();
        let known = self.respondents.len();
        let (members, strangers): (Vec<u32>, Vec<u32>) =
            members.into_iter().partition(|one| (*one as usize) < known);
        let strangers = strangers.into_iter();
        breaches.extend(strangers.map(|respondent| PanelBreach::Stranger { respondent }));
        breaches.extend(self.shared_households(&members));
        breaches.extend(self.missed_quotas(&members));
        breaches
    }

    fn shared_households(&self, members: &[u32]) -> Vec<PanelBreach> {
        let Some(households) = self.respondents.households() else {
            return Vec::new();
        };
        let mut first = BTreeMap::new();
        let shared = members.iter().filter_map(|&member| {
            let other = first.insert(households[member as usize], member)?;
            let members = [other, member];
            Some(PanelBreach::Household { members })
        });
        shared.collect()
    }

    fn missed_quotas(&self, members: &[u32]) -> Vec<PanelBreach> {
        let mut missed = Vec::new();
        for (attribute, row) in self.quotas.iter().enumerate() {
            for (value, quota) in row.iter().enumerate() {
                let has =
                    |one: &&u32| usize::from(self.respondents.values(**one)[attribute]) == value;
                let members = members.iter().filter(has).count() as u32;
                let side = match members {
                    few if few < quota.min => Side::Min,
                    many if many > quota.max => Side::Max,
                    _ => continue,
                };
                missed.push(PanelBreach::Quota {
                    attribute,
                    value,
                    side,
                    members,
                });
            }
        }
        missed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four people of one attribute in three households; two members, one of each value.
    fn question() -> PanelQuestion {
        let names = ["a", "b", "c", "d"].map(Box::from).into();
        let one = Quota { min: 1, max: 1 };
        PanelQuestion {
            respondents: Arc::new(Respondents::new(
                1,
                vec![0, 1, 0, 1],
                Some(vec![7, 7, 8, 9]),
                names,
            )),
            quotas: vec![vec![one, one]],
            members: 2,
        }
    }

    #[test]
    fn a_panel_breaks_nothing() {
        assert_eq!(question().breaches(&[3, 0]), []);
        assert_eq!(question().breaches(&[1, 2]), []);
    }

    #[test]
    fn each_rule_can_be_broken() {
        let quota = |value, side, members| PanelBreach::Quota {
            attribute: 0,
            value,
            side,
            members,
        };
        let breaches = |panel: &[u32]| question().breaches(panel);
        assert_eq!(
            breaches(&[0, 1]),
            [PanelBreach::Household { members: [0, 1] }]
        );
        assert_eq!(
            breaches(&[0, 2]),
            [quota(0, Side::Max, 2), quota(1, Side::Min, 0)]
        );
        assert_eq!(
            breaches(&[3, 2, 4]),
            [
                PanelBreach::Size { members: 3 },
                PanelBreach::Stranger { respondent: 4 }
            ]
        );
        assert_eq!(
            breaches(&[3, 3]),
            [PanelBreach::Twice { respondent: 3 }, quota(0, Side::Min, 0)]
        );
    }
}
