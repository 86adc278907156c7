//! Towns that are not there: organisers' two files, of a shape that public ones have.

use kleroterion::draw::{Draw, Key, Purpose};

use super::terminal::Terminal;

/// A town's files are drawn to this shape.
pub struct Town {
    pub seed: u64,
    pub people: usize,
    /// How many values each category has.
    pub values: &'static [u64],
    pub members: usize,
    /// By how many seats at most a quota is wider to either side than one known committee needs.
    pub slack: u64,
}

/// Three towns: 200 to 800 respondents, 4 to 6 categories.
pub const TOWNS: [Town; 3] = [
    Town {
        seed: 1,
        people: 200,
        values: &[2, 4, 3, 4],
        members: 24,
        slack: 1,
    },
    Town {
        seed: 2,
        people: 400,
        values: &[2, 5, 4, 3, 3],
        members: 40,
        slack: 1,
    },
    Town {
        seed: 3,
        people: 800,
        values: &[2, 6, 5, 4, 3, 4],
        members: 60,
        slack: 1,
    },
];

impl Town {
    /// Writes the two files: first values volunteer more than the quotas ask for, and of the last
    /// value of the last category there are as many as its minimum asks for. One committee that
    /// keeps all quotas is known. Some live at one address.
    pub fn put(&self, terminal: &Terminal) {
        let mut draw = Key::new(self.seed, 0).draw(Purpose::World, 0, 0);
        let few = self.members / 8;
        let people: Vec<Vec<u64>> = (0..self.people)
            .map(|one| self.person(one < few, &mut draw))
            .collect();
        let home = |one: usize, draw: &mut Draw| match one < few {
            true => one,
            false => few + draw.below(2 * self.people as u64) as usize,
        };
        let homes: Vec<usize> = (0..self.people).map(|one| home(one, &mut draw)).collect();
        let members = self.committee(few, &people, &homes, &mut draw);
        let heads: String = (0..self.values.len()).map(|c| format!(",c{c}")).collect();
        let mut respondents = format!("id,home{heads}\n");
        for (one, (values, home)) in people.iter().zip(&homes).enumerate() {
            let cells: String = values.iter().map(|value| format!(",v{value}")).collect();
            respondents += &format!("p{one},h{home}{cells}\n");
        }
        let mut categories = "feature,value,min,max\n".to_owned();
        for (category, values) in self.values.iter().enumerate() {
            for value in 0..*values {
                let has = |one: &&usize| people[**one][category] == value;
                let seats = members.iter().filter(has).count() as u64;
                let [less, more] = [0; 2].map(|_| draw.below(self.slack + 1));
                let is_scarce = category + 1 == self.values.len() && value + 1 == *values;
                let min = seats.saturating_sub(if is_scarce { 0 } else { less });
                categories += &format!("c{category},v{value},{min},{}\n", seats + more);
            }
        }
        terminal.put("respondents.csv", respondents);
        terminal.put("categories.csv", categories);
    }

    fn person(&self, is_scarce: bool, draw: &mut Draw) -> Vec<u64> {
        let mut skewed = |n: u64| draw.below(n).min(draw.below(n));
        let mut values: Vec<u64> = self.values.iter().map(|n| skewed(*n)).collect();
        let (last, n) = (values.len() - 1, self.values[self.values.len() - 1]);
        values[last] = if is_scarce { n - 1 } else { skewed(n - 1) };
        values
    }

    /// The first people and others, more of later values than volunteer.
    fn committee(
        &self,
        few: usize,
        people: &[Vec<u64>],
        homes: &[usize],
        draw: &mut Draw,
    ) -> Vec<usize> {
        let mut members: Vec<usize> = (0..few).collect();
        while members.len() < self.members {
            let one = few + draw.below((self.people - few) as u64) as usize;
            let is_taken = members.iter().any(|other| homes[*other] == homes[one]);
            let mut pairs = people[one].iter().zip(self.values);
            let is_late = pairs.any(|(value, n)| value * 2 >= *n);
            if !is_taken && (is_late || draw.below(3) == 0) {
                members.push(one);
            }
        }
        members
    }
}
