//! The panels of people of a lottery over panels by kind.

use super::found::LotteryPanel;
use super::named::named;
use crate::PanelKinds;

/// The panels of people, and the chance of each respondent.
pub(super) fn people(
    kinds: &PanelKinds,
    lottery: &[(&[u32], f64)],
) -> (Vec<LotteryPanel>, Vec<f64>) {
    let whole: f64 = lottery.iter().map(|(_, probability)| probability).sum();
    let lottery = lottery.iter().map(|(counts, p)| (*counts, p / whole));
    let lottery: Vec<(&[u32], f64)> = lottery.collect();
    let panels = named(kinds, &lottery).into_iter();
    let panels = panels.map(|(members, probability)| LotteryPanel {
        probability,
        members,
    });
    let panels: Vec<LotteryPanel> = panels.collect();
    let mut chances = vec![0.0; kinds.respondents()];
    for panel in &panels {
        for &member in &panel.members {
            chances[member as usize] += panel.probability;
        }
    }
    (panels, chances)
}
