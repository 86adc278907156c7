//! The alternates who replace members that leave. They are chosen by sampled drop-outs if the
//! config sets their probabilities, else by the kind of each member.

use super::alternates::alternates;
use super::question::DrawQuestion;
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::Respondents;
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::alternates::{self as by_drop_out, AlternateSettings, ExpectedOff};

/// The alternates who replace members that leave.
pub struct StandIns {
    /// The respondents, in the order in which they are asked.
    pub who: Vec<u32>,
    /// The forecast for the alternates, if the config sets the probabilities of drop-out.
    pub forecast: Option<StandInForecast>,
}

/// The forecast for alternates who were chosen by sampled drop-outs.
pub struct StandInForecast {
    /// The mean number of members who leave.
    pub leavers: f64,
    /// The expected seats off the quotas under each of three rules for alternates.
    pub expected_off: [ExpectedOff; 3],
}

impl StandIns {
    /// The alternates of a panel, of all but those who are `out`. Without a number as many as leave in
    /// the mean, where it is known how likely that is, else as many as there are members.
    pub(super) fn of(
        whole: &DrawQuestion,
        out: &[u32],
        members: &[u32],
        how_many: Option<u32>,
        seed: u64,
    ) -> Self {
        let people = (0..whole.panel.respondents.len() as u32).filter(|one| !out.contains(one));
        let people: Vec<u32> = people.collect();
        let question = among(&whole.panel, &people);
        let place = |member: &u32| people.binary_search(member).ok();
        let panel: Vec<u32> = members
            .iter()
            .filter_map(place)
            .map(|at| at as u32)
            .collect();
        let mut draw = Key::new(seed, 0).draw(Purpose::Alternates, 0, 0);
        let in_whole = |who: Vec<u32>| who.into_iter().map(|one| people[one as usize]).collect();
        let Some(chances) = &whole.plan.dropout else {
            let how_many = how_many.unwrap_or(members.len() as u32);
            return Self {
                who: in_whole(alternates(&question, &panel, how_many, &mut draw)),
                forecast: None,
            };
        };
        let chances: Vec<f64> = people.iter().map(|one| chances[*one as usize]).collect();
        let leavers: f64 = panel.iter().map(|member| chances[*member as usize]).sum();
        let how_many = how_many.unwrap_or((leavers - 1e-9).ceil() as u32);
        let settings = AlternateSettings::new(seed);
        let found = by_drop_out::alternates(&question, &panel, &chances, how_many, settings);
        let mut lots: Vec<(u64, u32)> = found.who.iter().map(|one| (draw.word(), *one)).collect();
        lots.sort_unstable();
        Self {
            who: in_whole(lots.into_iter().map(|(_, one)| one).collect()),
            forecast: Some(StandInForecast {
                leavers: found.leavers,
                expected_off: found.expected_off,
            }),
        }
    }
}

/// Returns the question for some of its respondents.
fn among(whole: &PanelQuestion, people: &[u32]) -> PanelQuestion {
    let all = &*whole.respondents;
    let homes = all.households();
    let values = people.iter().flat_map(|one| all.values(*one).to_vec());
    let respondents = Respondents::new(
        whole.quotas.len(),
        values.collect(),
        homes.map(|homes| people.iter().map(|one| homes[*one as usize]).collect()),
        people
            .iter()
            .map(|one| all.names()[*one as usize].clone())
            .collect(),
    );
    PanelQuestion {
        respondents: respondents.into(),
        ..whole.clone()
    }
}
