//! The five settings in which runs are killed: who acts, whom programs shadow, how people come.

use super::odd::Odd;
use super::{FAULTS, LIVES, MANY};
use crate::live::interviews::kit;
use crate::live::outcomes::REPORTED;
use crate::live::people::{self, HTTP};

/// People on a slate, where slates are closed.
pub const SLATE: usize = 6;

/// A way to set up a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A policy of klero's own acts, programs shadow it.
    Native,
    /// A program acts, and another policy takes over from it.
    Fallback,
    /// No policy acts, and the stream waits for programs.
    Shadows,
    /// A committee whose members' outcomes are reported.
    Committee,
    /// Slates that are closed, with interviews that people hold.
    Interviews,
}

impl Setting {
    /// The config of a course: the number of its first kill chooses what its programs do.
    pub fn config(self, number: usize) -> String {
        let odd = (0..FAULTS).map(|nth| self.odd(number, nth));
        let odd: String = odd.map(|odd| odd.policy()).collect();
        // Another program acts from course to course.
        let program = format!("odd{}", number / FAULTS % FAULTS);
        let (acting, fallback) = match self {
            Self::Native => (Some("queue".to_owned()), None),
            Self::Fallback => (Some(program), Some("queue")),
            Self::Shadows => (None, None),
            Self::Committee if (number / FAULTS).is_multiple_of(2) => (Some(program), Some("all")),
            Self::Committee => (Some("queue".to_owned()), None),
            Self::Interviews => {
                let acts = (number / FAULTS).is_multiple_of(2);
                (acts.then(|| "SWAP".to_owned()), None)
            }
        };
        let line = |key: &str, label: &str| format!("{key} = \"{label}\"\n");
        let acting = acting.map(|label| line("acting", &label));
        let fallback = fallback.map(|label| line("fallback", label));
        let live: String = acting.into_iter().chain(fallback).collect();
        let more = format!("[live]\n{live}{odd}");
        match self {
            Self::Native | Self::Fallback | Self::Shadows => {
                people::config(HTTP, &format!("until = {{ rounds = {MANY} }}"), &more)
            }
            Self::Committee => {
                let rules = format!("until = {{ accepted = 24 }}\nmax_rounds = {MANY}");
                let reported = format!("{REPORTED}horizon = 15\n");
                people::config(HTTP, &rules, &(reported + &more))
            }
            Self::Interviews => {
                let text = kit::config(HTTP, kit::PEOPLE, kit::TWO, &more);
                let text = text.replace("exactly = 8", "exactly = 2");
                let text = text.replace("rounds = 1", &format!("rounds = {}", MANY / SLATE));
                text.replace("budget = 200", "budget = 12")
            }
        }
    }

    /// The program that fails in a life.
    fn odd(self, number: usize, life: usize) -> Odd {
        let kill = number + life;
        let is_slates = self == Self::Interviews;
        let rounds = if is_slates { MANY / SLATE } else { MANY };
        // In what comes in this life, or in what came before.
        let round = 1 + kill * 37 % (rounds * (life + 1) / LIVES);
        Odd {
            label: format!("odd{life}"),
            number: kill + 7 * self as usize,
            life,
            round,
            looks: is_slates && kill.is_multiple_of(2),
            chosen: if is_slates { ("[0,1]", 1) } else { ("[0]", 3) },
        }
    }

    /// The people of a life, a line each.
    pub fn people(self) -> Vec<String> {
        match self {
            Self::Interviews => kit::people().lines().map(str::to_owned).collect(),
            _ => people::people(MANY),
        }
    }
}
