//! SWAP against strong and against weak looks alone at each pair of s and j: the heat map, its
//! numbers, and where SWAP costs less.

use super::grid::{GainGrid, GridCell};
use super::lanes::{COST, STRONG, SWAP};
use crate::reproduce::claim::ClaimDraft;
use crate::reproduce::prelude::*;
use kleroterion_report::report::figure;

/// The runs of SWAP and of strong looks alone over the grid.
pub(super) const PRESET: &str = "schumann2019-fig3b";

/// The number of sure pairs that are more than chance: of pairs without a difference, about one in
/// a thousand is sure by chance.
const FEW: usize = 3;

/// The share of the pairs at which SWAP mixes both kinds of looks that make a zone, if they touch.
const ZONE: f64 = 0.1;

/// The differences of cost at a pair of s and j.
pub(super) struct GainPair {
    pub s: u64,
    pub j: u64,
    /// SWAP less weak looks alone.
    pub weak: StudyEstimate,
    /// SWAP less strong looks alone.
    pub strong: StudyEstimate,
}

/// The policy with which SWAP is compared.
pub(super) struct Rival {
    /// The rival's name, as in "strong looks alone".
    pub name: &'static str,
    pub gap: fn(&GainPair) -> StudyEstimate,
}

impl GainPair {
    /// All pairs of the grid.
    pub(super) fn all(grid: &GainGrid<'_>) -> Result<Vec<Self>> {
        let pair = |cell: &GridCell<'_>| {
            Ok(Self {
                s: cell.s,
                j: cell.j,
                weak: grid.mean_beyond_weak(cell, SWAP)?,
                strong: cell.run.difference([SWAP, STRONG], COST, None)?,
            })
        };
        grid.cells.iter().map(pair).collect()
    }

    /// Judges that SWAP costs less than both rivals.
    pub(super) fn best(&self) -> Holds {
        self.weak.below(0.0) & self.strong.below(0.0)
    }

    /// Returns true if Eq. 3 gives a probability between 0 and 1, so that SWAP mixes both kinds of
    /// interview.
    fn is_mixed(&self) -> bool {
        1 < self.j && self.j < self.s
    }
}

/// Judges that a statement holds at more pairs than chance would give.
fn some(each: &[Holds]) -> Holds {
    let sure = each.iter().filter(|holds| **holds == Holds::Yes).count();
    match (sure >= FEW, each.iter().all(|holds| *holds == Holds::No)) {
        (true, _) => Holds::Yes,
        (_, true) => Holds::No,
        _ => Holds::Unsure,
    }
}

/// Judges that a statement holds at more than half of the pairs.
fn mostly(each: &[Holds]) -> Holds {
    let count = |which| each.iter().filter(|holds| **holds == which).count();
    if 2 * count(Holds::Yes) > each.len() {
        Holds::Yes
    } else if 2 * count(Holds::No) >= each.len() {
        Holds::No
    } else {
        Holds::Unsure
    }
}

/// Returns the size of the largest zone: connected pairs at which SWAP surely costs less than both
/// rivals. Pairs are connected if they touch at a side or a corner.
fn zone(pairs: &[GainPair]) -> usize {
    let sure = pairs.iter().filter(|pair| pair.best() == Holds::Yes);
    let mut left: Vec<(u64, u64)> = sure.map(|pair| (pair.s, pair.j)).collect();
    let mut largest = 0;
    while let Some(first) = left.pop() {
        let (mut open, mut size) = (vec![first], 0);
        while let Some((s, j)) = open.pop() {
            size += 1;
            let touches = |at: &(u64, u64)| at.0.abs_diff(s) <= 1 && at.1.abs_diff(j) <= 1;
            let (near, far) = left.iter().partition(|at| touches(at));
            open.extend::<Vec<_>>(near);
            left = far;
        }
        largest = largest.max(size);
    }
    largest
}

/// The rule by which a zone is judged.
pub(super) const ZONE_RULE: &str = "a tenth of the pairs with 1 < j < s, at each of which SWAP surely costs less than weak and \
     than strong looks alone, touch each other on the map; in shape where it does at 3 or more \
     pairs";

/// The claim that there is a zone in which SWAP costs less than both.
pub(super) fn zoned(claim: &mut ClaimDraft, pairs: &[GainPair]) -> StudyClaim {
    let mixed = pairs.iter().filter(|pair| pair.is_mixed()).count();
    let each: Vec<Holds> = pairs.iter().map(GainPair::best).collect();
    let size = zone(pairs);
    claim.computed("pairs with 1 < j < s:", mixed as f64);
    claim.computed("in the largest zone:", size as f64);
    let large = match size as f64 >= ZONE * mixed as f64 {
        true => Holds::Yes,
        // More runs may show more of it.
        false => some(&each) & Holds::Unsure,
    };
    claim.judged(
        large,
        some(&each),
        "at some pairs it does, but they make no zone",
    )
}

/// In a sentence, what the pairs came to.
pub(super) fn counted(pairs: &[GainPair], rival: &Rival) -> String {
    let mixed: Vec<&GainPair> = pairs.iter().filter(|pair| pair.is_mixed()).collect();
    let count = |compared: fn(StudyEstimate, f64) -> Holds| {
        let sure = mixed
            .iter()
            .filter(|pair| compared((rival.gap)(pair), 0.0) == Holds::Yes);
        sure.count()
    };
    let (less, more) = (count(StudyEstimate::below), count(StudyEstimate::above));
    format!(
        "Of the {} pairs with 1 < j < s, at which Eq. 3 mixes both kinds of looks, SWAP surely \
         costs less than {} looks alone at {less} and surely more at {more}; at {} they are not \
         told apart.",
        mixed.len(),
        rival.name,
        mixed.len() - less - more
    )
}

/// Makes the claim of the figure's caption: the pairs at which SWAP costs less than its rival.
pub(super) fn where_better(
    pairs: &[GainPair],
    rival: &Rival,
    (place, paper): (&str, &str),
) -> Result<StudyClaim> {
    let mixed = || pairs.iter().filter(|pair| pair.is_mixed());
    let each: Vec<Holds> = mixed().map(|pair| (rival.gap)(pair).below(0.0)).collect();
    let by_mean =
        |a: &&GainPair, b: &&GainPair| (rival.gap)(a).mean.total_cmp(&(rival.gap)(b).mean);
    let ends = mixed().min_by(by_mean).zip(mixed().max_by(by_mean));
    let (least, most) = ends.ok_or_else(|| StudyError::Missing("the grid is empty".into()))?;
    let ours = [least, most].map(|pair| {
        let what = format!(
            "SWAP less {} at s = {}, j = {}:",
            rival.name, pair.s, pair.j
        );
        Number::measured(what, (rival.gap)(pair))
    });
    let rule = format!(
        "at more than half of the pairs with 1 < j < s SWAP surely costs less than {} looks alone; \
         in shape where at 3 or more; shown are the farthest pairs on either side. What the \
         paper's map shows pair by pair is not judged: it prints no numbers, and the instance is \
         not given",
        rival.name
    );
    let why = format!("at some of them it does. {}", counted(pairs, rival));
    Ok(StudyClaim::at(place)
        .says(paper)
        .rule(rule)
        .numbers(ours)
        .judged(mostly(&each), some(&each), why))
}

/// Makes the claim that SWAP equals its rival, run for run, at pairs where Eq. 3 gives 0 or 1.
pub(super) fn same(
    pairs: &[&GainPair],
    rival: &Rival,
    (place, paper): (&str, &str),
    rule: &str,
) -> Result<StudyClaim> {
    let gap = |pair: &&&GainPair| (rival.gap)(pair);
    // Where a mean is 0 and nothing varies, each replication's difference is 0.
    let equal = |gap: StudyEstimate| match gap.se {
        Some(se) => Holds::from(gap.mean == 0.0 && se == 0.0),
        None => Holds::Unsure,
    };
    let farthest = pairs
        .iter()
        .max_by(|a, b| gap(a).mean.abs().total_cmp(&gap(b).mean.abs()));
    let farthest =
        farthest.ok_or_else(|| StudyError::Missing("the grid lacks such pairs".into()))?;
    let what = format!(
        "SWAP less {} at s = {}, j = {}, the farthest of {} pairs:",
        rival.name,
        farthest.s,
        farthest.j,
        pairs.len()
    );
    Ok(StudyClaim::at(place)
        .says(paper)
        .rule(rule)
        .on(ClaimGround::Definition)
        .measured(what, gap(&farthest))
        .holds(
            Holds::all(pairs.iter().map(|pair| equal(gap(&pair)))),
            "in some run they differ",
        ))
}

/// The heat map.
pub(super) fn figure(title: &str, pairs: &[GainPair], rival: &Rival) -> Figure {
    let points = pairs.iter().map(|pair| {
        let gap = (rival.gap)(pair);
        FigurePoint::new(pair.s as f64, pair.j as f64).heated(gap.mean, gap.se)
    });
    Figure {
        title: title.into(),
        caption: format!(
            "What SWAP costs less {} interviews alone, in weak ones, at each gain s and cost j of \
             a strong one (the instance is ours: n = 50, K = 7). Mean of {} runs. Green: SWAP \
             costs less.",
            rival.name,
            pairs.first().map_or(0, |pair| pair.weak.n)
        ),
        panels: vec![plot(
            "",
            Axis::linear(GAIN),
            Axis::linear(PRICE),
            [Series::new(
                format!("SWAP less {} alone, in weak interviews", rival.name),
                SeriesKind::Cells,
                points,
            )],
        )],
    }
}

/// The axes of all maps over the grid.
pub(super) const GAIN: &str = "gain s of a strong interview";
pub(super) const PRICE: &str = "its cost j";

/// The means as a map of numbers: j downwards, s across, in brackets the differences that are not
/// surely other than 0.
pub(super) fn map(pairs: &[GainPair], rival: &Rival) -> (String, FigureTable) {
    let sorted = |of: fn(&GainPair) -> u64| {
        let mut values: Vec<u64> = pairs.iter().map(of).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let gains = sorted(|pair| pair.s);
    let cell = |s: u64, j: u64| {
        let Some(pair) = pairs.iter().find(|pair| (pair.s, pair.j) == (s, j)) else {
            return figure::Cell::Empty;
        };
        let gap = (rival.gap)(pair);
        let mean = figure::Cell::number(gap.mean).brief();
        let each = [gap.below(0.0), gap.above(0.0)];
        match each.contains(&Holds::Unsure) {
            true => text(format!("({mean})")),
            false => text(mean),
        }
    };
    let row = |j: u64| {
        let head = std::iter::once(figure::Cell::Number(j as f64));
        head.chain(gains.iter().map(|s| cell(*s, j))).collect()
    };
    let headers = std::iter::once("j".to_owned());
    let table = FigureTable {
        headers: headers
            .chain(gains.iter().map(|s| format!("s = {s}")))
            .collect(),
        rows: sorted(|pair| pair.j).into_iter().map(row).collect(),
    };
    let caption = format!(
        "SWAP less {} looks alone: mean difference of cost; in brackets what is not told apart \
         from 0",
        rival.name
    );
    (caption, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRONGER: Rival = Rival {
        name: "strong",
        gap: |pair| pair.strong,
    };

    fn pair(s: u64, j: u64, mean: f64, se: f64) -> GainPair {
        let strong = StudyEstimate {
            mean,
            se: Some(se),
            n: 9,
        };
        let weak = strong.times(-1.0);
        GainPair { s, j, weak, strong }
    }

    #[test]
    fn some_are_more_than_chance_and_most_more_than_half() {
        use Holds::{No, Unsure, Yes};
        for (each, found) in [
            (vec![Yes, Yes, Yes, No], [Yes, Yes]),
            (vec![Yes, Yes, No], [Unsure, Yes]),
            (vec![Yes, Unsure, Unsure, No], [Unsure, Unsure]),
            (vec![Yes, Yes, Yes, No, No, No], [Yes, No]),
            (vec![Yes, Yes, Yes, Unsure, Unsure, No, No], [Yes, Unsure]),
            (vec![No, No], [No, No]),
        ] {
            assert_eq!([some(&each), mostly(&each)], found, "{each:?}");
        }
    }

    /// 3 of 153 pairs are more than chance, and no zone; 16 that touch are one.
    #[test]
    fn a_zone_is_of_pairs_that_touch() {
        let grid = |is_best: &dyn Fn(u64, u64) -> bool| {
            let all = (1..20).flat_map(|s| (1..20).map(move |j| (s, j)));
            let pairs = all.map(|(s, j)| {
                let mean = if is_best(s, j) { -9.0 } else { 9.0 };
                let gap = StudyEstimate {
                    mean,
                    se: Some(1.0),
                    n: 9,
                };
                let (weak, strong) = (gap, gap);
                GainPair { s, j, weak, strong }
            });
            pairs.collect::<Vec<_>>()
        };
        let found = |pairs: &[GainPair]| {
            let claim = zoned(&mut StudyClaim::at(""), pairs);
            (zone(pairs), claim.finding.word())
        };
        let few = grid(&|s, j| [(19, 2), (10, 5), (12, 9)].contains(&(s, j)));
        assert_eq!(found(&few), (1, "reproduced in shape"));
        let apart = grid(&|s, j| s % 2 == 1 && j % 2 == 1 && s > 5);
        assert_eq!(found(&apart), (1, "reproduced in shape"));
        let block = grid(&|s, j| (12..16).contains(&s) && (6..10).contains(&j));
        assert_eq!(found(&block), (16, "reproduced"));
        assert_eq!(found(&grid(&|_, _| false)), (0, "not reproduced"));
        let one = grid(&|s, j| (s, j) == (19, 9));
        assert_eq!(found(&one), (1, "undecided"));
    }

    #[test]
    fn only_pairs_that_mix_are_counted() {
        let pairs = [
            pair(5, 1, -9.0, 1.0),
            pair(5, 2, -9.0, 1.0),
            pair(5, 3, 1.0, 1.0),
            pair(5, 5, 9.0, 1.0),
        ];
        let said = counted(&pairs, &STRONGER);
        assert!(
            said.starts_with("Of the 2 pairs")
                && said.contains("at 1 and surely more at 0; at 1 they"),
            "{said}"
        );
        let claim = where_better(&pairs, &STRONGER, ("", "")).unwrap();
        assert_eq!(claim.finding.word(), "undecided");
        let most = [(5, 2, -9.0), (6, 3, -9.0), (6, 4, -9.0), (6, 5, 9.0)];
        let most = most.map(|(s, j, mean)| pair(s, j, mean, 1.0));
        let claim = where_better(&most, &STRONGER, ("", "")).unwrap();
        assert_eq!(claim.finding.word(), "reproduced");
        let some = [3, 4, 5, 6, 7, 8, 9].map(|j| pair(19, j, if j < 6 { -9.0 } else { 9.0 }, 1.0));
        let claim = where_better(&some, &STRONGER, ("", "")).unwrap();
        assert_eq!(claim.finding.word(), "reproduced in shape");
    }

    #[test]
    fn the_same_is_the_same_in_every_run() {
        let word = |pair: &GainPair| {
            same(&[pair], &STRONGER, ("", ""), "")
                .unwrap()
                .finding
                .word()
        };
        assert_eq!(word(&pair(5, 1, 0.0, 0.0)), "by construction");
        assert_eq!(word(&pair(5, 1, 0.0, 0.1)), "not reproduced");
        assert_eq!(word(&pair(5, 1, 0.1, 0.0)), "not reproduced");
        assert!(same(&[], &STRONGER, ("", ""), "").is_err());
    }

    #[test]
    fn the_map_of_numbers_brackets_what_is_not_sure() {
        let pairs = [
            pair(2, 1, -9.0, 1.0),
            pair(3, 2, 1.0, 1.0),
            pair(2, 2, 0.0, 0.0),
        ];
        let (_, table) = map(&pairs, &STRONGER);
        let text: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| row.iter().map(figure::Cell::brief).collect())
            .collect();
        assert_eq!(table.headers, ["j", "s = 2", "s = 3"]);
        assert_eq!(text, [["1", "\u{2212}9", ""], ["2", "0", "(1)"]]);
    }
}
