//! The calibrated instance, and the types of the small ones.

use crate::reproduce::prelude::*;
use kleroterion_core::protocol::Law;

/// The caveat of every output that shows the instance of Section 6.
pub(super) const CALIBRATED: &str = "The instance is calibrated (\"brexit-like\"), NOT the \
                                     Citizens' Assembly on Brexit's own table, which is not \
                                     available: targets from the 2011 census (ethnicity), NRS 2016 \
                                     (social class), the 2016 electorates (region) and the 2016 \
                                     result (vote), those of age and gender without a source; \
                                     volunteering weights of our choice. So the paper's sentences \
                                     are judged on an instance like theirs, not on theirs.";

/// The law of a run's candidates, a type at a time: its values by name, and its share. Types that
/// never come are among them.
pub(super) fn types(run: &StudyRun) -> Result<Vec<(Vec<&str>, f64)>> {
    let schema = &run.plan.world.schema;
    let Law::Cells(cells) = run.law()? else {
        return Err(run.lacks("a joint law"));
    };
    let all = (0..schema.cells()).map(|cell| {
        let values = schema.values(cell);
        let named = schema.attributes().iter().zip(values);
        let named = named.map(|(a, v)| a.values[usize::from(v)].as_str());
        let share = cells.iter().find(|(known, _)| *known == cell);
        (named.collect(), share.map_or(0.0, |(_, p)| *p))
    });
    Ok(all.collect())
}

/// The share of a type.
pub(super) fn share_of(types: &[(Vec<&str>, f64)], wanted: &[&str; 2]) -> f64 {
    let found = types.iter().find(|(values, _)| values.iter().eq(wanted));
    found.map_or(0.0, |(_, p)| *p)
}

/// Screened people and loss over the committee's size, a panel each.
pub(super) fn by_size(screened: Vec<Series>, losses: Vec<Series>) -> Vec<Panel> {
    let x = || Axis::linear("committee size K");
    let loss = Panel {
        marks: vec![level(0.05, ".05")],
        ..plot(
            "representation loss",
            x(),
            Axis::linear("max |λ − ρ|"),
            losses,
        )
    };
    let tau = Axis::log("people screened τ");
    vec![plot("sample complexity", x(), tau, screened), loss]
}
