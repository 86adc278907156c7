//! The lotteries over panels in the folder of a run: their panels, their chances, and the
//! certificates of their fairness.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use kleroterion_io::record::{SheetWriter, shortest};
use kleroterion_io::trace::Names;
use kleroterion_run::config::Plan;
use kleroterion_sortition::lottery::{AwaitedLottery, LotteryCertificate, PanelLottery};

/// The file of the panels of all lotteries, with a row for each member.
pub const LOTTERIES: &str = "lotteries.csv";
/// The file of the chances that the lotteries give.
pub const LOTTERY_CHANCES: &str = "lottery_chances.csv";
/// The file of the certificates.
pub const CERTIFICATES: &str = "certificates.json";

/// The lotteries of a plan's policies, by label, with the names of the respondents.
pub struct Lotteries {
    all: Vec<(String, Arc<AwaitedLottery>)>,
    names: Vec<String>,
    /// The respondents in the order in which they are written.
    order: Vec<u32>,
}

impl Lotteries {
    /// Collects the lotteries of a plan, known or not yet. `None` if no policy has one.
    #[must_use]
    pub fn of(plan: &Plan, names: &Names) -> Option<Self> {
        let lanes = plan.lanes.iter();
        let all = lanes.filter_map(|lane| Some((lane.label.clone(), lane.policy.lottery.clone()?)));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let respondents = plan.world.known.respondents.as_ref()?;
        let called: Vec<String> = respondents
            .names()
            .iter()
            .map(|id| names.called(id))
            .collect();
        let mut order: Vec<u32> = (0..called.len() as u32).collect();
        if names.is_hidden() {
            // The order of the file would lead back to them.
            order.sort_by(|a, b| called[*a as usize].cmp(&called[*b as usize]));
        }
        let names = called;
        (!all.is_empty()).then_some(Self { all, names, order })
    }

    /// The lotteries that are known.
    fn known(&self) -> impl Iterator<Item = (&str, &PanelLottery)> {
        let all = self.all.iter();
        all.filter_map(|(label, awaited)| Some((label.as_str(), &**awaited.lottery()?)))
    }

    /// Writes `lotteries.csv`, which `klero verify lottery` reads.
    ///
    /// # Errors
    /// Where `out` fails.
    pub fn write_panels(&self, out: impl Write) -> io::Result<()> {
        let mut csv = SheetWriter::to(out);
        csv.row(["policy", "panel", "probability", "id"])?;
        for (label, lottery) in self.known() {
            for (number, panel) in (1..).zip(self.panels(lottery)) {
                let (members, probability) = panel;
                for member in members {
                    let number: u32 = number;
                    csv.row([label, &number.to_string(), &shortest(probability), member])?;
                }
            }
        }
        csv.flush()
    }

    /// The members of each panel by name, and its probability; in an order that names alone give.
    fn panels<'a>(&'a self, lottery: &PanelLottery) -> Vec<(Vec<&'a str>, f64)> {
        let panels = lottery.panels.iter().map(|panel| {
            let members = panel.members.iter().map(|&one| self.name(one));
            let mut members: Vec<&str> = members.collect();
            members.sort_unstable();
            (members, panel.probability)
        });
        let mut panels: Vec<_> = panels.collect();
        panels.sort_by(|(a, _), (b, _)| a.cmp(b));
        panels
    }

    fn name(&self, one: u32) -> &str {
        &self.names[one as usize]
    }

    /// Writes `lottery_chances.csv`.
    ///
    /// # Errors
    /// Where `out` fails.
    pub fn write_chances(&self, out: impl Write) -> io::Result<()> {
        let mut csv = SheetWriter::to(out);
        csv.row(["policy", "id", "chance"])?;
        for (label, lottery) in self.known() {
            for &one in &self.order {
                let chance = shortest(lottery.chances[one as usize]);
                csv.row([label, self.name(one), &chance])?;
            }
        }
        csv.flush()
    }

    /// Returns the text of `certificates.json`.
    #[must_use]
    pub fn certificates(&self) -> String {
        let all = self.known().map(|(label, lottery)| {
            let impossible: Vec<&str> = self.listed(&lottery.impossible);
            let mut object = json!({
                "least": lottery.least(),
                "gap": lottery.certificate.gap(),
                "proved": !lottery.certificate.is_undecided(),
                "impossible": impossible,
            });
            object["certificate"] = match &lottery.certificate {
                LotteryCertificate::Nash { weights, bound, .. } => {
                    json!({ "bound": bound, "weights": self.weights(weights) })
                }
                LotteryCertificate::Stages(stages) => stages
                    .iter()
                    .map(|stage| {
                        json!({
                            "level": stage.level,
                            "bound": stage.bound,
                            "gap": stage.gap,
                            "settled": self.listed(&stage.settled),
                            "weights": self.weights(&stage.weights),
                        })
                    })
                    .collect(),
            };
            (label.to_owned(), object)
        });
        let all: Map<String, Value> = all.collect();
        format!("{:#}\n", Value::from(all))
    }

    fn listed(&self, people: &[u32]) -> Vec<&str> {
        let mut listed: Vec<&str> = people.iter().map(|&one| self.name(one)).collect();
        listed.sort_unstable();
        listed
    }

    /// The weights above 0, by name.
    fn weights(&self, weights: &[f64]) -> Map<String, Value> {
        let weighty = self
            .order
            .iter()
            .filter(|&&one| weights[one as usize] > 0.0);
        let named = weighty.map(|&one| (self.name(one).to_owned(), weights[one as usize].into()));
        named.collect()
    }
}
