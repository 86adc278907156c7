//! Policies that a program hands in as objects.

use std::sync::Arc;

use super::handed::HandedIn;
use crate::catalog::Ready;
use crate::catalog::lane::{self, KIND, LABEL};
use crate::document::{Reader, Value, meant};
use kleroterion_core::arena::{CannotBegin, LaneState, Play, Prototype, Seat};
use kleroterion_core::nearest::nearest;

/// The kind of a policy that a program hands in as an object.
pub const CUSTOM: &str = "custom";

/// A policy of which every plan of the program may have a copy.
struct Shared(Arc<dyn Prototype>);

impl Prototype for Shared {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        self.0.lane(state)
    }

    fn corrects(&self) -> bool {
        self.0.corrects()
    }

    fn seat(&self, state: &LaneState) -> Result<Option<Box<dyn Seat>>, CannotBegin> {
        self.0.seat(state)
    }
}

/// A policy that was not handed in, in a config that is only read.
struct Absent;

impl Prototype for Absent {
    fn lane(&self, _: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        Err("it is an object of a program, which was not handed in".into())
    }
}

/// Returns true if a table is of a policy that a program hands in.
pub(super) fn is_custom(table: &Reader<'_>) -> bool {
    KIND.param.peek(table).and_then(Value::text) == Some(CUSTOM)
}

/// The policy that the program handed in for a table. Notes a problem if it handed in none.
pub(super) fn take(table: &mut Reader<'_>, inputs: &HandedIn) -> Option<Ready> {
    table.declare(lane::keys(&[]));
    let (kind, label) = (KIND.field(table), LABEL.param.again(table).text()?);
    if let Some(policy) = inputs.policy(label) {
        return Some(Ready::new(Box::new(Shared(Arc::clone(policy)))));
    }
    if inputs.is_unplayed {
        return Some(Ready::new(Box::new(Absent)));
    }
    let near = nearest(label, inputs.labels()).map(|near| format!("the label {near:?}"));
    kind.refused(
        format!("the policy {label:?} is an object of a program, which was not handed in"),
        meant(
            near,
            "play it in the program that hands it in under this label; klero run --only LABEL \
             plays others alone"
                .to_owned(),
        ),
    )
}
