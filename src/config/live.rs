//! `[live]` and `[board]`: what a live run does beyond a run. Where nothing is run live they change
//! nothing.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::origins::origin;
use super::plan::LivePlan;
use super::sources::feed;
use crate::document::{Field, Reader};
use crate::nearest::nearest;

/// The address of the board, where the config gives none.
const BOARD: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7717);

/// Reads `[live]` and `[board]`; `labels`: the policies', where they can be read.
pub(super) fn read(
    top: &mut Reader<'_>,
    labels: Option<&[String]>,
    reported: bool,
) -> Option<LivePlan> {
    let read = top.get("live").section(|mut live| {
        let (acting, fallback) = (live.get("acting"), live.get("fallback"));
        let origins = live.get("origins").optional(|field| field.each(origin));
        live.finish();
        let roles = roles_of(&acting, &fallback, labels);
        Some((roles?, origins.or(Vec::new())?))
    });
    let board = top.get("board").section(|mut board| {
        let address = board.get("address").optional(feed::guarded);
        board.finish();
        address.or(BOARD)
    });
    let ((acting, fallback), origins) = read.or(((None, None), Vec::new()))?;
    Some(LivePlan {
        acting,
        fallback,
        board: board.or(BOARD)?,
        origins: origins.into(),
        reported,
        outcome_range: None,
    })
}

/// The places of the policy that counts and of the one that takes over from it.
fn roles_of(
    acting: &Field<'_>,
    fallback: &Field<'_>,
    labels: Option<&[String]>,
) -> Option<(Option<usize>, Option<usize>)> {
    let (first, second) = (role(acting, labels), role(fallback, labels));
    if fallback.is_given() && !acting.is_given() {
        let help = "name the policy that decides as `acting`, or leave `fallback` out";
        fallback.refuse("there is no `acting` policy to take over from", help);
        return None;
    }
    let (first, second) = (first?, second?);
    if second.is_some() && first == second {
        let help = "name another policy: it decides once the acting policy has ended";
        fallback.refuse("this is the acting policy itself", help);
        return None;
    }
    Some((first, second))
}

/// The place of the policy of a label; `Some(None)` where none is given.
fn role(field: &Field<'_>, labels: Option<&[String]>) -> Option<Option<usize>> {
    let wanted = field.optional(Field::text);
    let Some(wanted) = wanted.unless_bad()? else {
        return Some(None);
    };
    let labels = labels?;
    let place = labels.iter().position(|label| label == wanted);
    if place.is_none() {
        let near = nearest(wanted, labels.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("the policies are {}", labels.join(", ")),
        };
        field.refuse(format!("there is no policy {wanted:?}"), help);
    }
    place.map(Some)
}
