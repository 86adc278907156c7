//! The assignment of looks to names: policies by their places among all of a run.

use std::collections::BTreeMap;

use super::super::natural::{NaturalPiece, natural};
use super::look::SeriesLook;
use super::sheet::drawn_names;
use super::{Figure, SeriesKind};

/// The fewest labels that differ in one number for a ramp of colours.
const FAMILY: usize = 3;

/// The looks of a run's policies, the same in every figure, page and board. Labels are in natural
/// order: numbers in them sort as numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyLooks(Vec<(String, usize)>);

impl PolicyLooks {
    /// Assigns looks to policies by their places among these labels. Labels that differ in one
    /// number get a ramp of colours, from the least number to the greatest.
    pub fn of<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Self {
        let mut labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        labels.sort_by_key(|label| natural(label));
        labels.dedup();
        let family = family(&labels);
        let rest = |label: &&String| !family.contains(label);
        let others: Vec<&String> = labels.iter().filter(rest).collect();
        let look = |label: &String| {
            let of_family = family.iter().position(|member| *member == label);
            let of_others = || others.iter().position(|other| *other == label);
            match of_family {
                Some(place) => SeriesLook::on_ramp(place, family.len()),
                None => of_others().unwrap_or(0),
            }
        };
        let looks: Vec<usize> = labels.iter().map(look).collect();
        Self(labels.into_iter().zip(looks).collect())
    }

    /// The labels in natural order.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(label, _)| label.as_str())
    }

    /// The number of a policy's look. `None` for other names.
    pub fn look(&self, label: &str) -> Option<usize> {
        let mut known = self.0.iter().filter(|(known, _)| known == label);
        known.next().map(|(_, look)| *look)
    }

    /// Each label with the number of its look, in natural order.
    pub fn pairs(&self) -> &[(String, usize)] {
        &self.0
    }

    /// Gives the series of a figure the looks of the policies that they are named after.
    pub fn dress(&self, figure: &mut Figure) {
        for series in figure.panels.iter_mut().flat_map(|panel| &mut panel.series) {
            series.look = self.look(&series.name).or(series.look);
        }
    }
}

impl Figure {
    /// Draws the lines of all but these names thin and grey; the caption says whose they are.
    pub(crate) fn mute_all_but(&mut self, foremost: &[&str]) {
        let mut muted: Vec<String> = Vec::new();
        for series in self.panels.iter_mut().flat_map(|panel| &mut panel.series) {
            let is_line = matches!(series.kind, SeriesKind::Line | SeriesKind::Step);
            series.is_muted = is_line && !foremost.contains(&series.name.as_str());
            if series.is_muted && !muted.contains(&series.name) {
                muted.push(series.name.clone());
            }
        }
        if !muted.is_empty() {
            self.caption += &format!(" Thin and grey: {}.", muted.join(", "));
        }
    }
}

/// The most labels, and at least [`FAMILY`], that differ in one number alone, by that number.
fn family(labels: &[String]) -> Vec<&String> {
    let mut families: BTreeMap<(usize, Vec<NaturalPiece>), Vec<&String>> = BTreeMap::new();
    for label in labels {
        let pieces = natural(label);
        for (at, piece) in pieces.iter().enumerate() {
            if matches!(piece, NaturalPiece::Number(..)) {
                let mut rest = pieces.clone();
                rest.remove(at);
                families.entry((at, rest)).or_default().push(label);
            }
        }
    }
    let mut best: Vec<&String> = Vec::new();
    for members in families.into_values() {
        if members.len() >= FAMILY && members.len() > best.len() {
            best = members;
        }
    }
    best
}

/// Gives each name the same look in all of the figures: that of the first figure that draws it.
/// Names that are new to a figure get free looks.
pub fn alike(figures: &mut [Figure]) {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for figure in figures {
        let mut taken: BTreeMap<usize, &str> = BTreeMap::new();
        for series in figure.panels.iter_mut().flat_map(|panel| &mut panel.series) {
            // Two names that never met may share a look; where they meet, the first keeps it.
            let look = known.get(&series.name).copied();
            series.look =
                look.filter(|look| *taken.entry(*look).or_insert(&series.name) == series.name);
        }
        for (name, look) in drawn_names(figure) {
            known.entry(name.to_owned()).or_insert(look);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::look::PLAIN_LOOKS;
    use super::*;

    fn looks(labels: &[&str]) -> Vec<(String, usize)> {
        PolicyLooks::of(labels.iter().copied()).0
    }

    #[test]
    fn a_policy_has_the_look_of_its_place_among_all_labels() {
        let all = looks(&["queue", "cmdp", "accept all", "cmdp"]);
        let known = [("accept all", 0), ("cmdp", 1), ("queue", 2)];
        assert_eq!(all, known.map(|(label, look)| (label.to_owned(), look)));
    }

    #[test]
    fn labels_that_differ_in_one_number_are_a_ramp_in_its_order() {
        let all = looks(&["lambda 10", "lambda 0.5", "uniform", "lambda 2", "lambda 1"]);
        let labels: Vec<&str> = all.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(
            labels,
            ["lambda 0.5", "lambda 1", "lambda 2", "lambda 10", "uniform"]
        );
        let ramp: Vec<&str> = all[..4]
            .iter()
            .map(|(_, look)| SeriesLook::of(*look).paint.class)
            .collect();
        assert_eq!(ramp, ["r1", "r3", "r6", "r8"]);
        assert_eq!(all[4].1, 0, "what is none of them has the first look");
        let two = looks(&["greedy .05", "greedy .1", "queue"]);
        assert!(
            two.iter().all(|(_, look)| *look < PLAIN_LOOKS),
            "two are no family"
        );
    }

    #[test]
    fn forty_policies_have_forty_looks() {
        let labels: Vec<String> = (b'a'..)
            .take(40)
            .map(|c| format!("p{}", c as char))
            .collect();
        let mut all: Vec<usize> = PolicyLooks::of(labels)
            .0
            .into_iter()
            .map(|(_, look)| look)
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 40);
    }
}
