//! Whom to seat of a slate where a round's size is fixed: the choice that keeps quotas nearest.

use good_lp::{Expression, ProblemVariables, SolverModel, Variable, microlp, variable};

use super::NODES;
use super::program::{SeatingProgram, Solved};
use super::supply::Supply;
use kleroterion_core::protocol::Quota;

/// Returns the slots of `members` candidates who miss the quotas by the fewest seats. Of candidates
/// with the same values the first are taken. `None` if the integer program has no proven answer
/// within [`NODES`] nodes.
///
/// `quotas` has what is left of each quota, a row per attribute; an empty row sets none. `slate`
/// has each candidate's values, one per attribute. `later` is the number of seats left for later
/// rounds, which can still meet minimums.
pub fn nearest_seating(
    quotas: &[&[Quota]],
    slate: &[&[u16]],
    members: u32,
    later: u32,
) -> Option<Vec<u32>> {
    // Attributes without quotas would only multiply the kinds of people.
    let ruled: Vec<usize> = (0..quotas.len())
        .filter(|&i| !quotas[i].is_empty())
        .collect();
    let project = |values: &&[u16]| ruled.iter().map(|&i| values[i]).collect();
    let people: Vec<Vec<u16>> = slate.iter().map(project).collect();
    let supply = Supply::people(people.iter().map(Vec::as_slice), None);
    let program = SeatingProgram::new(&supply, members, NODES);
    let mut variables = ProblemVariables::new();
    let counts = program.people(&mut variables, true);
    let over = variables.add_vector(
        variable().min(0),
        ruled.iter().map(|&i| quotas[i].len()).sum(),
    );
    let unmet = variables.add_vector(variable().min(0), over.len());
    let short = variables.add_vector(variable().min(0), ruled.len());
    let missed: Expression = over.iter().chain(&short).sum();
    let mut model = variables.minimise(missed).using(microlp);
    program.constrain(&mut model, &counts);
    let mut place = 0;
    for (row, (&i, &short)) in ruled.iter().zip(&short).enumerate() {
        let first = place;
        for (value, quota) in quotas[i].iter().enumerate() {
            let with = || -> Expression { with(&supply, &counts, row, value).sum() };
            model.add_constraint((with() - over[place]).leq(f64::from(quota.max)));
            model.add_constraint((with() + unmet[place]).geq(f64::from(quota.min)));
            place += 1;
        }
        let owed: Expression = unmet[first..place].iter().sum();
        model.add_constraint((owed - short).leq(f64::from(later)));
    }
    let Solved::Values {
        values,
        proved: true,
    } = program.solve(&model)
    else {
        return None;
    };
    let wanted = program.whole(&values[..counts.len()])?;
    first_of_each(&supply, &people, wanted)
}

/// The slots of the first people of each kind, as many as are `wanted` of it.
fn first_of_each(supply: &Supply, people: &[Vec<u16>], mut wanted: Vec<u64>) -> Option<Vec<u32>> {
    let mut slots = Vec::new();
    for (slot, values) in (0..).zip(people) {
        let same = |kind: &Vec<(usize, u16)>| kind.iter().map(|(_, value)| value).eq(values);
        let wanted = &mut wanted[supply.kinds.iter().position(same)?];
        if *wanted > 0 {
            *wanted -= 1;
            slots.push(slot);
        }
    }
    Some(slots)
}

/// The counts of the kinds of people who have a value.
fn with(
    supply: &Supply,
    counts: &[Variable],
    attribute: usize,
    value: usize,
) -> impl Iterator<Item = Variable> {
    let kinds = supply.kinds.iter().zip(counts);
    let has = move |kind: &[(usize, u16)]| usize::from(kind[attribute].1) == value;
    kinds
        .filter(move |(kind, _)| has(kind))
        .map(|(_, count)| *count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of seats by which a choice misses quotas, counted as the documentation
    /// states.
    fn missed(quotas: &[Vec<Quota>], chosen: &[&[u16]], later: u32) -> u32 {
        let of_attribute = |(i, row): (usize, &Vec<Quota>)| {
            let count = |j: usize| {
                let with = chosen.iter().filter(|values| usize::from(values[i]) == j);
                with.count() as u32
            };
            let counts: Vec<u32> = (0..row.len()).map(count).collect();
            let rows = || row.iter().zip(&counts);
            let over: u32 = rows().map(|(quota, n)| n.saturating_sub(quota.max)).sum();
            let unmet: u32 = rows().map(|(quota, n)| quota.min.saturating_sub(*n)).sum();
            over + unmet.saturating_sub(later)
        };
        quotas.iter().enumerate().map(of_attribute).sum()
    }

    /// The fewest seats missed by any choice of `members`.
    fn fewest(quotas: &[Vec<Quota>], slate: &[&[u16]], members: u32, later: u32) -> u32 {
        let choices = (0_u32..1 << slate.len()).filter(|set| set.count_ones() == members);
        let missed_by = |set: u32| {
            let chosen = slate
                .iter()
                .enumerate()
                .filter(|(k, _)| set & (1 << k) != 0);
            missed(quotas, &chosen.map(|(_, v)| *v).collect::<Vec<_>>(), later)
        };
        choices.map(missed_by).min().expect("there is a choice")
    }

    #[test]
    fn no_other_choice_misses_fewer_seats() {
        let mut word = 5_u64;
        let mut next = |below: u64| {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (word >> 33) % below
        };
        let mut kept = 0;
        for _ in 0..60 {
            let levels = [2, 3, 2];
            let person = |next: &mut dyn FnMut(u64) -> u64| levels.map(|n| next(n) as u16);
            let people: Vec<[u16; 3]> = (0..9).map(|_| person(&mut next)).collect();
            let slate: Vec<&[u16]> = people.iter().map(<[u16; 3]>::as_slice).collect();
            let mut row = |n: u64| -> Vec<Quota> {
                let quota = |_| {
                    let min = next(3) as u32;
                    let max = min + next(2) as u32;
                    Quota { min, max }
                };
                (0..n).map(quota).collect()
            };
            // The attribute in the middle sets none.
            let quotas = vec![row(2), Vec::new(), row(2)];
            let (members, later) = (3 + next(3) as u32, next(3) as u32);
            let rows: Vec<&[Quota]> = quotas.iter().map(Vec::as_slice).collect();
            let slots = nearest_seating(&rows, &slate, members, later).expect("it is solved");
            assert_eq!(slots.len(), members as usize);
            assert!(slots.windows(2).all(|pair| pair[0] < pair[1]), "{slots:?}");
            let chosen: Vec<&[u16]> = slots.iter().map(|&slot| slate[slot as usize]).collect();
            let (found, least) = (
                missed(&quotas, &chosen, later),
                fewest(&quotas, &slate, members, later),
            );
            assert_eq!(found, least, "{quotas:?} {people:?} {members} {later}");
            kept += u32::from(least == 0);
        }
        assert!((5..55).contains(&kept), "{kept} of 60 keep all quotas");
    }

    #[test]
    fn without_quotas_the_first_are_taken() {
        let slate: [&[u16]; 3] = [&[0], &[1], &[0]];
        assert_eq!(nearest_seating(&[&[]], &slate, 2, 0), Some(vec![0, 1]));
    }
}
