//! The section on chances of the page of numbered panels.

use super::groups::ValueChances;
use super::list::PANEL_CHANCES;
use super::record::NumberedRecord;
use crate::page::section;
use crate::story::{group_row, table};
use kleroterion_report::report::page::{PagePart, PageSection};

/// The chances, how near they are to the lottery's, and why none are nearer.
pub(super) fn chances(record: &NumberedRecord) -> PageSection {
    let NumberedRecord {
        panels,
        difference,
        lottery,
        ..
    } = record;
    let mut prose = format!(
        "The chance of a respondent is the number of panels that they are on, of {panels}. The lottery \
         has {} panels; its least chance is {:.6}. No respondent's chance by the numbered panels differs \
         from that under the lottery by more than {:.9}, which is {:.3} of one panel.\n\nNo list of \
         {panels} panels can do better than {:.9}. {} {}",
        lottery.panels,
        lottery.least,
        difference.largest,
        difference.largest * f64::from(*panels),
        difference.bound,
        because(&difference.because),
        gap(record),
    );
    if record.impossible > 0 {
        let n = record.impossible;
        prose += &format!("\n\n{n} respondents can be on no panel that keeps the quotas.");
    }
    if !lottery.is_proved {
        let gap = lottery.gap;
        prose += &format!(
            "\n\nThe search for a fairer lottery ended before all was proved; one could be fairer by at \
             most {gap:.1e}."
        );
    }
    prose += &format!(
        "\n\nThe file `{PANEL_CHANCES}` has the number of panels, the chance and the lottery's chance \
         of each respondent, by code. The lottery's chances are rounded to nine decimals there, and \
         the differences are of these numbers."
    );
    let parts = vec![PagePart::Prose(prose), by_group(&record.groups)];
    section("The chances", parts)
}

/// Returns a sentence on the gap between the list and the bound.
fn gap(record: &NumberedRecord) -> String {
    let gap = record.difference.gap;
    match gap * f64::from(record.panels) < 1e-6 {
        true => "So these panels are as near to the lottery as any can be.".to_owned(),
        false => format!(
            "So the largest difference is at most {gap:.9} above the least that there can be, which is \
             {:.3} of one panel.",
            gap * f64::from(record.panels)
        ),
    }
}

/// Returns a sentence on the reason why no list is nearer than the bound.
fn because(word: &str) -> &'static str {
    match word {
        "nothing" => "Chances can't be nearer than equal.",
        "multiples" => {
            "Chances are whole multiples of that of one panel, and someone's chance under the lottery \
             lies between two of them."
        }
        "seats" => {
            "Everyone is on a whole number of panels, and these numbers sum to all seats of all panels."
        }
        "quota" => {
            "Everyone is on a whole number of panels, and for each value of the quotas these numbers sum \
             to no more and no fewer seats than all panels have for it."
        }
        "household" => {
            "Everyone is on a whole number of panels, and those of one household sum to no more than \
             there are panels."
        }
        _ => {
            "Everyone is on a whole number of panels, and no panels give more to those with the least \
             chances than the lottery does, by the weights that prove it fair."
        }
    }
}

fn by_group(groups: &[ValueChances]) -> PagePart {
    let headers = [
        "Attribute",
        "Value",
        "Respondents",
        "Mean under the lottery",
        "Mean by the panels",
        "Least",
        "Largest",
    ];
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let row = |group: &ValueChances| {
        let shares = [group.lottery, group.mean, group.least, group.largest].map(percent);
        group_row([&group.attribute, &group.value], group.respondents, shares)
    };
    PagePart::Table {
        caption: "Chances by group".to_owned(),
        table: table(&headers, groups.iter().map(row).collect()),
    }
}
