//! Members who leave after a draw: the alternates who step in, and the quotas afterwards.

use serde::Serialize;
use serde_json::Value;

use super::alternates::alike;
use super::code::Codes;
use super::folder::{DrawFolder, RECORD};
use super::less::everybody;
use super::question::DrawQuestion;
use super::record::QuotaRow;
use super::tables::{ALTERNATES, PANEL};
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::people::organisers::Roster;
use kleroterion_sortition::alternates::{Replacement, replacement};

/// The nodes after which the search for who steps in is given up.
const NODES: u64 = 100_000;

/// The people who left or joined a panel since its draw, by orders, codes or ids.
#[derive(Clone, Debug, Default)]
pub struct Leaving {
    /// The members who leave or have left.
    pub members: Vec<String>,
    /// The alternates who are on the panel already.
    pub joined: Vec<String>,
    /// The alternates who cannot step in.
    pub declined: Vec<String>,
}

/// A member or an alternate of a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedMember {
    /// The order, as in `panel.csv` or `alternates.csv`.
    pub order: usize,
    /// The code or, if the record names ids, the id.
    pub code: String,
}

/// An alternate who steps in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepsIn {
    /// The alternate.
    #[serde(flatten)]
    pub alternate: ListedMember,
    /// The order of the leaving member who is most similar and has no other alternate.
    pub replaces: usize,
}

/// A panel after members left and alternates stepped in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Left {
    /// The members who leave.
    pub leave: Vec<ListedMember>,
    /// The alternates who step in, in the order of their list.
    pub step_in: Vec<StepsIn>,
    /// The number of places that stay empty.
    pub empty: usize,
    /// Each value with its quota and its members after the change.
    pub quotas: Vec<QuotaRow>,
    /// The quotas that are broken after the change, a sentence each.
    pub broken: Vec<String>,
    /// The most seats by which another choice of the alternates could do better. 0 if no choice is
    /// better, by proof.
    pub gap: u32,
}

impl Left {
    /// Returns true if every place is taken and every quota is kept.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.empty == 0 && self.broken.is_empty()
    }
}

/// Returns the panel after members of the draw in a folder leave, with the alternates who step in.
///
/// # Errors
/// Where the folder holds no draw, its files were changed, or a name is no member's.
pub fn leave(folder: &DrawFolder, leaving: &Leaving) -> Result<Left, Problems> {
    let held = Held::of(folder)?;
    let mut problems = Problems::default();
    let mut gone = held.places(Asked::Members, "--leave", &leaving.members, &mut problems);
    let joined = held.places(
        Asked::Alternates,
        "--joined",
        &leaving.joined,
        &mut problems,
    );
    let declined = held.places(
        Asked::Alternates,
        "--declined",
        &leaving.declined,
        &mut problems,
    );
    gone.sort_unstable();
    if let Some(both) = joined.iter().find(|at| declined.contains(at)) {
        let what = format!("alternate {} is on --joined and on --declined", both + 1);
        problems.push(Problem::of_request(what).help("name them on one of the two"));
    }
    if joined.len() > gone.len() && problems.0.is_empty() {
        let what = format!(
            "{} alternates joined, and {} members left",
            joined.len(),
            gone.len()
        );
        let help = "name on --leave all members who left since the draw";
        problems.push(Problem::of_request(what).help(help));
    }
    problems.or(())?;
    let seated = held.members.iter().enumerate();
    let seated = seated
        .filter(|(at, _)| !gone.contains(at))
        .map(|(_, one)| *one);
    let joining = joined.iter().map(|at| held.alternates[*at]);
    let stay: Vec<u32> = seated.chain(joining).collect();
    let free: Vec<usize> = (0..held.alternates.len())
        .filter(|at| !joined.contains(at) && !declined.contains(at))
        .collect();
    let list: Vec<u32> = free.iter().map(|at| held.alternates[*at]).collect();
    let found = replacement(&held.whole.panel, &stay, &list, NODES);
    let step_in: Vec<usize> = found.who.iter().map(|at| free[*at]).collect();
    Ok(held.answer(&gone, &joined, &step_in, &stay, &found))
}

/// The list that an option names people of.
#[derive(Clone, Copy)]
enum Asked {
    Members,
    Alternates,
}

impl Asked {
    fn other(self) -> Self {
        match self {
            Self::Members => Self::Alternates,
            Self::Alternates => Self::Members,
        }
    }

    /// The words for one of them and for many, and the table that has them.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Members => ("member", "members", PANEL),
            Self::Alternates => ("alternate", "alternates", ALTERNATES),
        }
    }
}

/// A draw as read from its folder.
struct Held {
    whole: DrawQuestion,
    codes: Codes,
    /// The respondents as lists name them.
    roster: Roster,
    members: Vec<u32>,
    alternates: Vec<u32>,
    /// True if the record names people by their ids.
    has_ids: bool,
}

impl Held {
    fn of(folder: &DrawFolder) -> Result<Self, Problems> {
        let (record, commitment) = folder.drawn()?;
        let inputs = folder.inputs(&commitment)?;
        if inputs.hashes(commitment.schema) != commitment.files {
            let what = "files of the draw were changed since it was made";
            let at = folder.path().display();
            let help = format!("klero draw verify {at} says which: take them as they were");
            return Err(Problem::of_request(what).help(help).into());
        }
        let mut whole = DrawQuestion::of(&everybody(&inputs))?;
        wanted(&mut whole, &record);
        let codes = Codes::of(&inputs, &whole.panel.respondents);
        let names = whole.panel.respondents.names();
        let find = |name: &str| {
            let id = names.iter().position(|id| **id == *name);
            let code = || (0..names.len()).find(|one| codes.code(*one as u32) == name);
            id.or_else(code).map(|at| at as u32)
        };
        let people = |list: &str| -> Option<Vec<u32>> {
            let list = record[list].as_array()?;
            list.iter().map(|name| find(name.as_str()?)).collect()
        };
        let (Some(members), Some(alternates)) = (people("panel"), people("alternates")) else {
            let what = format!("{RECORD} names people who are not among the respondents");
            let help = "take the folder as the draw left it";
            return Err(Problem::of_request(what).help(help).into());
        };
        let has_ids = record["has_ids"].as_bool().unwrap_or_default();
        Ok(Self {
            members,
            alternates,
            has_ids,
            roster: whole.roster(&codes),
            codes,
            whole,
        })
    }

    /// The places of some people on a list, each once; what names none of them is noted.
    fn places(
        &self,
        list: Asked,
        option: &str,
        named: &[String],
        problems: &mut Problems,
    ) -> Vec<usize> {
        let mut places = Vec::new();
        for name in named.iter().map(|name| name.trim()) {
            match self.place(list, name) {
                Ok(place) if places.contains(&place) => {}
                Ok(place) => places.push(place),
                Err((what, help)) => {
                    problems.push(Problem::of_option(format!("{option} {name}"), what).help(help));
                }
            }
        }
        places
    }

    fn list(&self, list: Asked) -> &[u32] {
        match list {
            Asked::Members => &self.members,
            Asked::Alternates => &self.alternates,
        }
    }

    /// The place of one on a list by code or id, as lists of people name them.
    fn named(&self, list: Asked, name: &str) -> Option<usize> {
        let one = self.roster.find(name)?;
        self.list(list).iter().position(|other| *other == one)
    }

    /// The place of one on a list, by order, code or id.
    fn place(&self, list: Asked, name: &str) -> Result<usize, (String, String)> {
        let (prefix, bare) = name.split_once(':').unwrap_or(("", name));
        let (by_order, by_name) = match prefix {
            "order" => (true, false),
            "id" | "code" => (false, true),
            _ => (true, true),
        };
        let bare = if by_order && by_name { name } else { bare }.trim();
        let n = self.list(list).len();
        let order: Option<usize> = bare.parse().ok().filter(|_| by_order);
        let order = order.and_then(|order| order.checked_sub(1));
        let at = order.filter(|at| *at < n);
        let named = by_name.then(|| self.named(list, bare)).flatten();
        match (at, named) {
            (Some(at), Some(other)) if at != other => Err((
                format!("{bare} is the order of one and the id of another"),
                format!("say which is meant: order:{bare} or id:{bare}"),
            )),
            (Some(at), _) | (None, Some(at)) => Ok(at),
            (None, None) => Err(self.unnamed(list, bare, [by_order, by_name])),
        }
    }

    /// Returns the problem with a text that does not name a person of a list, and the remedy.
    fn unnamed(&self, list: Asked, name: &str, [by_order, by_name]: [bool; 2]) -> (String, String) {
        let (one, many, table) = list.words();
        let n = self.list(list).len();
        let other = by_name.then(|| self.named(list.other(), name)).flatten();
        if let Some(at) = other {
            let (other, _, _) = list.other().words();
            let what = format!("this is {other} {}, and no {one}", at + 1);
            return (what, format!("name {many}, as {table} has them"));
        }
        if by_name && self.roster.find(name).is_some() {
            let what = format!("this is a respondent who is no {one}");
            return (what, format!("name {many}, as {table} has them"));
        }
        if let (true, Ok(order)) = (by_order, name.parse::<usize>()) {
            let by = if by_name { "order or id" } else { "order" };
            let also = match (1..=self.list(list.other()).len()).contains(&order) {
                true => format!("; there is {} {order}", list.other().words().0),
                false => String::new(),
            };
            let what = format!("there is no {one} of {by} {order}; the orders are 1 to {n}{also}");
            return (what, format!("take the orders, codes or ids from {table}"));
        }
        if self.names_several(list, name) {
            let what = "it names more than one, and only commas are read between them";
            let help = "write each out, with commas between: 1,2,3";
            return (what.to_owned(), help.to_owned());
        }
        let codes = self.list(list).iter().map(|one| self.codes.code(*one));
        let help = match nearest(name, codes) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("take the orders, codes or ids from {table}"),
        };
        (format!("it names no {one}"), help)
    }

    /// Returns true if a text is a list with other marks than commas, or a range of orders.
    fn names_several(&self, list: Asked, text: &str) -> bool {
        let order = |text: &str| {
            let order: Option<usize> = text.trim().parse().ok();
            order.is_some_and(|order| (1..=self.list(list).len()).contains(&order))
        };
        let ends = text.split_once(['-', '\u{2013}']);
        if ends.is_some_and(|(from, to)| order(from) && order(to)) {
            return true;
        }
        let parts = text.split([';', ' ', '/', '|']).map(str::trim);
        let mut parts = parts.filter(|part| !part.is_empty()).peekable();
        let is_some = |part: &&str| part.len() < text.len();
        parts.peek().is_some_and(is_some) && parts.all(|part| self.place(list, part).is_ok())
    }

    fn listed(&self, list: &[u32], at: usize) -> ListedMember {
        let one = list[at];
        let code = match self.has_ids {
            true => self.whole.panel.respondents.names()[one as usize].to_string(),
            false => self.codes.code(one).to_owned(),
        };
        let order = at + 1;
        ListedMember { order, code }
    }

    fn answer(
        &self,
        gone: &[usize],
        joined: &[usize],
        step_in: &[usize],
        stay: &[u32],
        found: &Replacement,
    ) -> Left {
        let pairs = self.pairs(gone, joined, step_in);
        let steps = pairs.into_iter().map(|(alternate, member)| StepsIn {
            alternate: self.listed(&self.alternates, alternate),
            replaces: member + 1,
        });
        let steps_in = step_in.iter().map(|at| self.alternates[*at]);
        let panel: Vec<u32> = stay.iter().copied().chain(steps_in).collect();
        let quotas = QuotaRow::all(&self.whole, &panel);
        let broken = quotas.iter().filter_map(QuotaRow::broken).collect();
        Left {
            leave: gone
                .iter()
                .map(|at| self.listed(&self.members, *at))
                .collect(),
            step_in: steps.collect(),
            empty: (self.whole.panel.members as usize).saturating_sub(panel.len()),
            quotas,
            broken,
            gap: found.off - found.least.min(found.off),
        }
    }

    /// Each of those who step in with the member who left and is most like them: those who joined
    /// before have theirs first.
    fn pairs(&self, gone: &[usize], joined: &[usize], step_in: &[usize]) -> Vec<(usize, usize)> {
        let mut left = gone.to_vec();
        let mut pairs = Vec::new();
        for (at, is_new) in joined
            .iter()
            .map(|at| (*at, false))
            .chain(step_in.iter().map(|at| (*at, true)))
        {
            let likeness = |place: &usize| {
                let members = [self.alternates[at], self.members[left[*place]]];
                alike(&self.whole.panel, members[0], members[1])
            };
            // Of those most alike the first.
            let place = (0..left.len()).rev().max_by_key(likeness);
            if let Some(place) = place {
                let member = left.remove(place);
                pairs.extend(is_new.then_some((at, member)));
            }
        }
        pairs
    }
}

/// Sets the quotas to those that the panel was held against.
fn wanted(whole: &mut DrawQuestion, record: &Value) {
    let rows = record["quotas"].as_array().map_or(&[][..], Vec::as_slice);
    let attributes = whole.plan.world.schema.attributes();
    for (attribute, quotas) in attributes.iter().zip(&mut whole.panel.quotas) {
        for (name, quota) in attribute.values.iter().zip(quotas) {
            let has = |row: &&Value| row["attribute"] == *attribute.name && row["value"] == **name;
            if let Some(row) = rows.iter().find(has) {
                let bound = |end: &str| row[end].as_u64().and_then(|n| u32::try_from(n).ok());
                quota.min = bound("min").unwrap_or(quota.min);
                quota.max = bound("max").unwrap_or(u32::MAX);
            }
        }
    }
}
