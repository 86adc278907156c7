//! Made-up towns: respondents and quotas with the shape of public files. Used by unit tests, tests
//! of the binary and a benchmark.

/// The shape to which a town is drawn.
pub struct Town {
    /// The number of respondents.
    pub people: usize,
    /// The number of values of each category.
    pub values: &'static [u16],
    /// The number of members of the committee.
    pub members: usize,
    /// The most seats by which a quota is wider, to either side, than a known committee needs.
    pub slack: u64,
}

/// Three towns: 200 to 800 respondents, 4 to 6 categories.
pub const TOWNS: [Town; 3] = [
    Town {
        people: 200,
        values: &[2, 4, 3, 4],
        members: 24,
        slack: 1,
    },
    Town {
        people: 400,
        values: &[2, 5, 4, 3, 3],
        members: 40,
        slack: 1,
    },
    Town {
        people: 800,
        values: &[2, 6, 5, 4, 3, 4],
        members: 60,
        slack: 1,
    },
];

/// A town's respondents and quotas.
pub struct TownPeople {
    /// The values of each respondent, one per category.
    pub values: Vec<Vec<u16>>,
    /// The household of each respondent.
    pub homes: Vec<u32>,
    /// The fewest and the most members with each value, with a row per category.
    pub quotas: Vec<Vec<[u32; 2]>>,
}

impl Town {
    /// Draws the people and quotas, from numbers `below` a limit. First values volunteer more than
    /// the quotas ask for. The last value of the last category has exactly as many people as its
    /// minimum. One committee that keeps all quotas is known.
    pub fn draw(&self, below: &mut dyn FnMut(u64) -> u64) -> TownPeople {
        let few = self.few();
        let values = (0..self.people).map(|one| self.person(one < few, below));
        let values: Vec<Vec<u16>> = values.collect();
        // The scarce live alone.
        let home = |one: usize| match one < few {
            true => one as u32,
            false => few as u32 + below(2 * self.people as u64) as u32,
        };
        let homes: Vec<u32> = (0..self.people).map(home).collect();
        let members = self.committee(&values, &homes, below);
        let mut row = |category: usize| {
            let quota = |value: u16| {
                let has = |one: &&usize| values[**one][category] == value;
                let seats = members.iter().filter(has).count() as u32;
                let [less, more] = [0; 2].map(|_| below(self.slack + 1) as u32);
                let last = self.values.len() - 1;
                let is_scarce = category == last && value + 1 == self.values[last];
                let less = if is_scarce { 0 } else { less };
                [seats.saturating_sub(less), seats + more]
            };
            (0..self.values[category]).map(quota).collect()
        };
        let quotas = (0..self.values.len()).map(&mut row).collect();
        TownPeople {
            values,
            homes,
            quotas,
        }
    }

    /// The number of people with the scarce value.
    fn few(&self) -> usize {
        self.members / 8
    }

    fn person(&self, is_scarce: bool, below: &mut dyn FnMut(u64) -> u64) -> Vec<u16> {
        let mut skewed = |n: u16| below(n.into()).min(below(n.into())) as u16;
        let mut values: Vec<u16> = self.values.iter().map(|n| skewed(*n)).collect();
        let last = values.len() - 1;
        let n = self.values[last];
        values[last] = if is_scarce { n - 1 } else { skewed(n - 1) };
        values
    }

    /// The scarce and others, more of later values than volunteer.
    fn committee(
        &self,
        values: &[Vec<u16>],
        homes: &[u32],
        below: &mut dyn FnMut(u64) -> u64,
    ) -> Vec<usize> {
        let few = self.few();
        let mut members: Vec<usize> = (0..few).collect();
        while members.len() < self.members {
            let one = few + below((self.people - few) as u64) as usize;
            let is_taken = members.iter().any(|other| homes[*other] == homes[one]);
            let mut pairs = values[one].iter().zip(self.values);
            let is_late = pairs.any(|(value, n)| value * 2 >= *n);
            if !is_taken && (is_late || below(3) == 0) {
                members.push(one);
            }
        }
        members
    }
}
