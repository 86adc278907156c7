//! `[live]` and `[board]`: what a live run does beyond a run. Where nothing is run live they change nothing.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::plan::LivePlan;
use super::{Reader, feed, nearest};

/// Where the board is, unless told otherwise.
const BOARD: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7717);

/// Reads `[live]` and `[board]`; `labels`: the policies', where they can be read.
pub(super) fn read(
    top: &mut Reader<'_>,
    labels: Option<&[String]>,
    reported: bool,
) -> Option<LivePlan> {
    let (live, board) = (top.get("live"), top.get("board"));
    let mut acting = Some(None);
    if live.is_given() {
        acting = live.table().and_then(|mut live| {
            let field = live.get("acting");
            let wanted = field.text();
            let found = match (wanted, labels) {
                (Some(wanted), Some(labels)) => {
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
                _ => (!field.is_given()).then_some(None),
            };
            live.finish();
            found
        });
    }
    let mut address = Some(BOARD);
    if board.is_given() {
        address = board.table().and_then(|mut board| {
            let field = board.get("address");
            let address = match field.is_given() {
                true => feed::guarded(&field),
                false => Some(BOARD),
            };
            board.finish();
            address
        });
    }
    Some(LivePlan {
        acting: acting?,
        board: address?,
        reported,
        outcome_range: None,
    })
}
