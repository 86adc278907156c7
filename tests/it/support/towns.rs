//! Towns that are not there, as organisers' two files.

use kleroterion::draw::{Key, Purpose};

use super::terminal::Terminal;

pub use kleroterion_testkit::town::TOWNS;
use kleroterion_testkit::town::Town;

/// Writes the two files.
pub fn put(town: &Town, terminal: &Terminal) {
    let mut draw = Key::new(town.people as u64, 0).draw(Purpose::World, 0, 0);
    let people = town.draw(&mut |n| draw.below(n));
    let heads: String = (0..town.values.len()).map(|c| format!(",c{c}")).collect();
    let mut respondents = format!("id,home{heads}\n");
    for (one, (values, home)) in people.values.iter().zip(&people.homes).enumerate() {
        let cells: String = values.iter().map(|value| format!(",v{value}")).collect();
        respondents += &format!("p{one},h{home}{cells}\n");
    }
    let mut categories = "feature,value,min,max\n".to_owned();
    for (category, row) in people.quotas.iter().enumerate() {
        for (value, [min, max]) in row.iter().enumerate() {
            categories += &format!("c{category},v{value},{min},{max}\n");
        }
    }
    terminal.put("respondents.csv", respondents);
    terminal.put("categories.csv", categories);
}
