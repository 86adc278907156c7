//! The model of a moment, part by part.

use super::charts::{Followed, funnel, lines};
use super::committee::{committees, groups};
use super::decisions::{BoardColumn, newest};
use super::model::Model;
use super::moment::Moment;
use super::{answer, end, health, interviews, lanes, pairs};

/// Builds the content of the page at a moment.
pub(super) fn filled(
    moment: &Moment<'_>,
    followed: Option<&Followed>,
    columns: &[BoardColumn],
) -> Model {
    let mut model = Model::default();
    answer::stage(&mut model, moment);
    end::end(&mut model, moment);
    end::alerts(&mut model, moment);
    interviews::interviews(&mut model, moment);
    answer::answer(&mut model, moment);
    funnel(&mut model, moment, followed);
    lanes::lanes(&mut model, moment);
    committees(&mut model, moment);
    newest(&mut model, moment, columns);
    pairs::pairs(&mut model, moment);
    lines(&mut model, moment);
    groups(&mut model, moment);
    health::health(&mut model, moment);
    model
}
