//! Whom the policies have selected so far: shares against the target, and committees that fill up.

use maud::{Markup, PreEscaped, html};

use super::moment::Moment;
use crate::compare::{AttributeRates, Composition};
use crate::protocol::Until;
use crate::report::account::quoted;
use crate::report::figure::{
    CompositionAttribute, CompositionGroup, Figure, GroupShare, PolicyLooks, WAFFLE_GROUPS,
    composition, seats_a_square, waffle, waffle_sample,
};
use crate::report::markup::text;
use crate::report::number::grouped;
use crate::watch::Acts;

/// The most attributes with a panel, and the most groups in one.
const PANELS: usize = 6;
const GROUPS: usize = 12;
/// The most committees that are drawn.
const COMMITTEES: usize = 4;

/// A panel an attribute, a row a group, a dot a policy; none before the first person is selected.
pub(super) fn shares(moment: &Moment<'_>, looks: &PolicyLooks) -> Option<Figure> {
    let (_, first) = moment.composed.first()?;
    if moment.composed.iter().all(|(_, one)| one.selected == 0) {
        return None;
    }
    let attributes = first.attributes.iter().enumerate().take(PANELS);
    let attributes: Vec<CompositionAttribute> = attributes
        .map(|(at, attribute)| CompositionAttribute {
            name: attribute.attribute.clone(),
            groups: groups(moment, at, attribute),
        })
        .collect();
    let mut drawn = attributes.iter().flat_map(|attribute| &attribute.groups);
    let has_target = drawn.any(|group| group.target.is_some());
    let (title, line) = match has_target {
        true => (
            "Who is selected, against the target",
            " The line at 0 is the target, whose share is next to the group's name.",
        ),
        false => ("Who is selected", ""),
    };
    let is_cut = first.attributes.len() > PANELS
        || first.attributes.iter().any(|one| one.groups.len() > GROUPS);
    let rest = if is_cut {
        " The tables hold all groups."
    } else {
        ""
    };
    Some(Figure {
        title: title.into(),
        caption: format!(
            "Each group's share of those whom a policy has selected: facts of this stream.{line}{rest}"
        ),
        ..composition(&attributes, looks)
    })
}

/// The first groups of an attribute, each with its share under each policy.
fn groups(moment: &Moment<'_>, at: usize, attribute: &AttributeRates) -> Vec<CompositionGroup> {
    let groups = attribute.groups.iter().enumerate().take(GROUPS);
    let share = |lane: usize, of: &Composition, place: usize| {
        Some(GroupShare {
            policy: moment.label(lane).to_owned(),
            share: of.attributes[at].groups[place].share?,
            interval: None,
        })
    };
    let group = |(place, group): (usize, &crate::compare::GroupRate)| CompositionGroup {
        name: group.group.clone(),
        target: group.target,
        shares: {
            let lanes = moment.composed.iter();
            lanes
                .filter_map(|(lane, of)| share(*lane, of, place))
                .collect()
        },
    };
    groups.map(group).collect()
}

/// A committee by the groups of an attribute.
struct Committee<'a> {
    label: &'a str,
    attribute: &'a str,
    /// Each group and how many of it are seated; of many the rest as one.
    groups: Vec<(&'a str, u64)>,
    seats: u64,
}

/// The committee of the policy that acts, by each attribute that has a target; where none acts,
/// the committees of the first policies by the first of them.
pub(super) fn committees(moment: &Moment<'_>) -> Markup {
    let Some(Until::Accepted(seats)) = moment.watched.until else {
        return html! {};
    };
    let acting = match moment.watched.acts() {
        Acts::NotAsked => None,
        Acts::Plays(lane)
        | Acts::Done(lane, _)
        | Acts::TakenOver { lane, .. }
        | Acts::Broken { lane, .. } => Some(lane),
    };
    let lanes = moment.composed.iter();
    let lanes = lanes.filter(|(lane, _)| acting.is_none_or(|acting| acting == *lane));
    let most = if acting.is_some() { COMMITTEES } else { 1 };
    let drawn = lanes.take(COMMITTEES).flat_map(|(lane, of)| {
        let label = moment.label(*lane);
        let attributes = targeted(of).into_iter().take(most);
        attributes.map(move |attribute| committee(label, attribute, seats))
    });
    let drawn: Vec<Committee<'_>> = drawn.collect();
    let all = moment
        .composed
        .first()
        .map_or(0, |(_, of)| targeted(of).len());
    let is_part = !drawn.is_empty() && all > most;
    html! {
        @if !drawn.is_empty() {
            div.committees { @for committee in &drawn { (committee.html()) } }
            @if is_part { p.note { "The dots above have the other attributes." } }
        }
    }
}

/// The attributes that have a target; all where none has.
fn targeted(of: &Composition) -> Vec<&AttributeRates> {
    let has_target = |one: &&AttributeRates| one.groups.iter().any(|group| group.target.is_some());
    let with: Vec<&AttributeRates> = of.attributes.iter().filter(has_target).collect();
    match with.is_empty() {
        true => of.attributes.iter().collect(),
        false => with,
    }
}

fn committee<'a>(label: &'a str, attribute: &'a AttributeRates, seats: u64) -> Committee<'a> {
    let all = attribute.groups.iter();
    let all: Vec<(&str, u64)> = all.map(|one| (one.group.as_str(), one.selected)).collect();
    let own = match all.len() > WAFFLE_GROUPS {
        true => WAFFLE_GROUPS - 1,
        false => all.len(),
    };
    let (named, rest) = all.split_at(own);
    let mut groups = named.to_vec();
    if !rest.is_empty() {
        groups.push(("others", rest.iter().map(|(_, seated)| seated).sum()));
    }
    Committee {
        label,
        attribute: &attribute.attribute,
        groups,
        seats,
    }
}

impl Committee<'_> {
    fn html(&self) -> Markup {
        let seated: Vec<u64> = self.groups.iter().map(|(_, seated)| *seated).collect();
        let filled: u64 = seated.iter().sum();
        let each = seats_a_square(self.seats.max(filled));
        html! {
            figure {
                figcaption {
                    b { "The committee of " (text(&quoted(self.label))) " by " (text(self.attribute)) } " "
                    span { (grouped(filled)) " of " (grouped(self.seats)) " seats filled." }
                    @if each > 1 { " A square is " (grouped(each)) " seats." }
                }
                (PreEscaped(waffle(&seated, self.seats)))
                ul.k-legend {
                    @for (place, (group, seated)) in self.groups.iter().enumerate() {
                        li {
                            (PreEscaped(waffle_sample(place, self.groups.len())))
                            span { (text(group)) } span { (grouped(*seated)) }
                        }
                    }
                }
            }
        }
    }
}
