//! The forecast of a run before anyone is drawn, in words and as JSON.

mod counted;

use serde::Serialize;

use counted::{Counted, TOO_MANY, UNKNOWN_YIELD};

use super::number::{brief, fixed};
use kleroterion_core::protocol::{Target, Until};
use kleroterion_policies::committee::outlook::{Loosening, Outlook, loosenings};
use kleroterion_policies::committee::program::ProgramError;
use kleroterion_run::config::Plan;

/// The forecast for the best stationary policy under a known law (`cmdp`; Do et al. 2021, Section
/// 4, Lemma 2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StationaryForecast {
    /// The gain g*: the probability that it accepts a candidate.
    pub gain: f64,
    /// The method by which the gain was computed.
    pub method: String,
    /// The size of the committee, if the rules set one.
    pub members: Option<u64>,
    /// The number of people, if each comes once.
    pub people: Option<u64>,
    /// y: the probability that an accepted candidate takes the place, if candidates may decline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<f64>,
    /// The reason why the number screened is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<&'static str>,
    /// The expected number of people screened, E tau = K/(g* y). With N people in all, it is E
    /// min(tau, N). With slates, all people on a slate count.
    pub expected_screened: Option<f64>,
    /// The chance that the people run out before the committee is filled, P(tau > N). Only if there
    /// are N in all.
    pub chance_unfilled: Option<f64>,
    /// The standard deviation of tau.
    pub sd_screened: Option<f64>,
    /// The expected number of people to contact, if the config says how many of them volunteer.
    pub expected_contacts: Option<f64>,
    /// The value that bounds the gain.
    pub bottleneck: Option<Limit>,
    /// The savings from moving one target by a seat, the largest first. Empty if the rules set no
    /// size.
    pub loosenings: Vec<Saving>,
}

/// A value that is rarer among the candidates than its target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    /// The attribute.
    pub attribute: String,
    /// The value.
    pub value: String,
    /// The share among the candidates, p.
    pub share: f64,
    /// The target, rho.
    pub target: f64,
    /// The bound p / rho. No policy has a larger gain.
    pub bound: f64,
    /// True if g* equals that bound. Otherwise the targets also hinder each other.
    pub attained: bool,
}

/// The saving from loosening one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Saving {
    /// The attribute.
    pub attribute: String,
    /// The value.
    pub value: String,
    /// The current target.
    pub from: f64,
    /// The target moved by one seat towards the value's share among the candidates.
    pub to: f64,
    /// The gain g* after the move.
    pub gain: f64,
    /// The expected number of people screened after the move.
    pub expected_screened: f64,
    /// The number of people saved.
    pub saved: f64,
}

/// A chance below this is not put into words.
const RARE: f64 = 0.0005;

impl StationaryForecast {
    /// Returns the forecast for a plan's run, or `None` if there is no target or the law is
    /// unknown. If `loosened` is true, it includes the savings, which take a linear program for
    /// each value.
    ///
    /// # Errors
    /// Where no policy meets the targets, or a program can't be solved.
    pub fn of(plan: &Plan, loosened: bool) -> Result<Option<Self>, ProgramError> {
        let (Some(target), Some(law)) = (plan.target.as_deref(), plan.world.known.law.get()) else {
            return Ok(None);
        };
        let schema = &plan.world.schema;
        let outlook = match &plan.outlook {
            Some(outlook) => outlook.clone(),
            None => Outlook::new(schema, target, law)?,
        };
        let members = match plan.rules.until {
            Until::Accepted(members) => Some(members),
            Until::Rounds(_) | Until::SourceEnds => None,
        };
        let counted = Counted::of(plan, law);
        let taken = counted.as_ref().map(|counted| counted.taken(&outlook));
        let (taken, mut uncounted) = match taken {
            Ok(Some(taken)) => (taken, None),
            Ok(None) => (1.0, Some(UNKNOWN_YIELD)),
            Err(why) => (1.0, Some(*why)),
        };
        let filled = match (&counted, members) {
            (Ok(counted), Some(members)) if uncounted.is_none() => {
                let filled = counted.screened(members, &outlook, taken);
                if filled.is_none() {
                    uncounted = Some(TOO_MANY);
                }
                filled
            }
            _ => None,
        };
        let found = match filled.and(members).filter(|_| loosened) {
            Some(members) => loosenings(schema, target, law, members)?,
            None => Vec::new(),
        };
        let name = |row: usize, value: usize| {
            let attribute = &schema.attributes()[target.rows()[row].0];
            (attribute.name.clone(), attribute.values[value].clone())
        };
        let bottleneck = limit(&outlook, target, name);
        let people = plan.world.people;
        let screened = filled.map(|filled| filled.mean);
        let saving = |found: &Loosening| {
            let mut saving = saving(found, target, name);
            let then = counted.as_ref().ok().zip(members);
            let then = then.and_then(|(counted, members)| counted.loosened(members, found, target));
            if let (Some(then), Some(screened)) = (then, screened) {
                saving.expected_screened = then.mean;
                saving.saved = screened - then.mean;
            }
            saving
        };
        let mut savings: Vec<Saving> = found.iter().map(saving).collect();
        savings.sort_by(|a, b| b.saved.total_cmp(&a.saved));
        let rate = plan.world.volunteering.as_ref();
        let rate = rate.map(|rate| rate.mean(law, schema));
        Ok(Some(Self {
            gain: outlook.gain,
            method: outlook.method.to_string(),
            members,
            people,
            taken: (plan.feedback.offers.is_some() && uncounted.is_none()).then_some(taken),
            uncounted: uncounted.filter(|_| members.is_some()),
            expected_screened: screened,
            chance_unfilled: filled.zip(people).map(|(filled, _)| filled.unfilled),
            sd_screened: filled.map(|filled| filled.sd),
            expected_contacts: screened.zip(rate).map(|(screened, rate)| screened / rate),
            bottleneck,
            loosenings: savings,
        }))
    }

    /// Returns the forecast in sentences.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut each = format!(
            "the best stationary policy accepts with probability {}",
            fixed(self.gain, 6)
        );
        if let Some(taken) = self.taken.filter(|_| self.uncounted.is_none()) {
            each += &format!(
                ", and one whom it accepts takes the place with probability {}",
                fixed(taken, 6)
            );
        }
        if let (Some(k), Some(screened), Some(sd)) =
            (self.members, self.expected_screened, self.sd_screened)
        {
            let contacts = self.expected_contacts;
            let contacts = contacts.map(|n| format!(", {} contacts", fixed(n, 0)));
            let (screened, contacts) = (fixed(screened, 1), contacts.unwrap_or_default());
            said.push(match (self.people, self.chance_unfilled) {
                (Some(people), Some(unfilled)) if unfilled >= RARE => format!(
                    "{each}: for {k} members expect {screened} screened of the {people} there are \
                     (mean){contacts}; \
                     the people run out before the committee is filled with a chance of {}",
                    share(unfilled)
                ),
                _ => format!(
                    "{each}: for {k} members expect {screened} +- {} screened (mean and standard \
                     deviation){contacts}",
                    fixed(sd, 1)
                ),
            });
        } else if let (Some(k), Some(why)) = (self.members, self.uncounted) {
            said.push(format!(
                "{each}; how many are screened for {k} members is not said: {why}"
            ));
        } else {
            said.push(each);
        }
        if let Some(limit) = &self.bottleneck
            && limit.bound < 1.0
        {
            let bound = if limit.attained {
                "which alone sets that probability".to_owned()
            } else {
                format!(
                    "which allows {}; the targets together allow less",
                    fixed(limit.bound, 6)
                )
            };
            said.push(format!(
                "the scarcest is {} = {}: {} of the candidates where {} are wanted, {bound}",
                limit.attribute,
                limit.value,
                share(limit.share),
                share(limit.target),
            ));
        }
        if let Some(best) = self.loosenings.first().filter(|best| best.saved > 0.0) {
            said.push(format!(
                "the one target whose loosening saves most is {} = {}: one seat ({} in place of \
                 {}) saves {} of those screened",
                best.attribute,
                best.value,
                share(best.to),
                share(best.from),
                fixed(best.saved, 1),
            ));
        }
        said
    }
}

/// The target that alone bounds the gain most, in words.
fn limit(
    outlook: &Outlook,
    target: &Target,
    name: impl Fn(usize, usize) -> (String, String),
) -> Option<Limit> {
    outlook.bottleneck.map(|found| {
        let (attribute, value) = name(found.attribute, found.value);
        let wanted = target.rows()[found.attribute].1[found.value];
        Limit {
            attribute,
            value,
            share: found.bound * wanted,
            target: wanted,
            bound: found.bound,
            attained: outlook.is_bound(),
        }
    })
}

fn saving(
    found: &Loosening,
    target: &Target,
    name: impl Fn(usize, usize) -> (String, String),
) -> Saving {
    let (attribute, value) = name(found.attribute, found.value);
    Saving {
        attribute,
        value,
        from: target.rows()[found.attribute].1[found.value],
        to: found.target[found.value],
        gain: found.gain,
        expected_screened: found.screened,
        saved: found.saved,
    }
}

fn share(share: f64) -> String {
    format!("{} %", brief(100.0 * share, 3))
}
