//! Tables of people that have more columns than can be recomputed.

use std::path::Path;

use kleroterion_io::record::file::{Grid, How};
use kleroterion_io::record::row::DELIMITERS;

/// A table held against one that was computed again of fewer columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wider {
    /// It has these columns, with the same cells in the same rows, and columns of its own.
    Same,
    /// It has these columns, and this row of data, from 1, is another.
    Row(usize),
    /// It has not these columns.
    Other,
}

/// Holds a table against one of fewer columns, or as many, by their names. Which mark is between its
/// fields does not matter; `delimiter` is between those of the other. `names`: those of the columns
/// of tables without a header.
pub(super) fn wider(found: &[u8], due: &[u8], delimiter: u8, names: Option<&[String]>) -> Wider {
    let mut due = rows(due, delimiter);
    if let (Some(names), Some(first)) = (names, due.first())
        && is_bare(first, names)
    {
        due.insert(0, names.to_vec());
    }
    let marks = DELIMITERS.into_iter();
    let held = marks.map(|mark| held(&rows(found, mark), &due, names));
    held.fold(Wider::Other, |best, next| match (best, next) {
        (Wider::Other, next) => next,
        (best, _) => best,
    })
}

fn held(found: &[Vec<String>], due: &[Vec<String>], names: Option<&[String]>) -> Wider {
    let ([heads, due_rows @ ..], [found_heads, found_rows @ ..]) = (due, found) else {
        return Wider::Other;
    };
    let (found_heads, found_rows) = match names.filter(|names| is_bare(found_heads, names)) {
        Some(names) => (names, found),
        None => (&found_heads[..], found_rows),
    };
    let Some(places) = places(heads, found_heads) else {
        return Wider::Other;
    };
    let same = |at: usize| {
        let (Some(found), Some(due)) = (found_rows.get(at), due_rows.get(at)) else {
            return false;
        };
        let cells = places.iter().map(|place| found.get(*place));
        found.len() == found_heads.len() && cells.eq(due.iter().map(Some))
    };
    let rows = found_rows.len().max(due_rows.len());
    match (0..rows).find(|at| !same(*at)) {
        Some(at) => Wider::Row(at + 1),
        None => Wider::Same,
    }
}

/// Returns true if the first row of a table does not name these columns. The organiser's table then
/// has no header and keeps none.
fn is_bare(first: &[String], names: &[String]) -> bool {
    names.len() == first.len() && names != first
}

/// The place of each column among others, where all are there.
fn places(heads: &[String], among: &[String]) -> Option<Vec<usize>> {
    let mut free = vec![true; among.len()];
    let place = |head: &String| {
        // Ours is called otherwise where a column of the organiser's has its name.
        let ours = format!("draw_{head}");
        let is_ours = !heads.contains(&ours) && among.contains(&ours);
        let called = if is_ours { &ours } else { head };
        let at = (0..among.len()).find(|at| free[*at] && among[*at] == *called)?;
        free[at] = false;
        Some(at)
    };
    heads.iter().map(place).collect()
}

/// The rows of separated text, as all commands read them. Empty if it is no table.
fn rows(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    let how = How::separated(Some(delimiter));
    let grid = Grid::of(Path::new(""), bytes.to_vec(), &how).unwrap_or_default();
    grid.rows.into_iter().map(|row| row.cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_held_against_those_of_the_columns_that_both_have() {
        use Wider::{Other, Row, Same};
        let due = b"order,id,Age\n1,a,old\n2,b,\"x, y\"\n";
        for (found, is) in [
            ("order;id;E-mail;Age\n1;a;m@x;old\n2;b;;x, y\n", Same),
            ("\u{feff}order\tid\tAge\n1\ta\told\n2\tb\tx, y\n", Same),
            ("Age,order,id,n\nold,1,a,9\n\"x, y\",2,b,9\n", Same),
            (
                "draw_order;order;id;Age\n1;pizza;a;old\n2;soup;b;x, y\n",
                Same,
            ),
            ("draw_order;order;id;Age\n1;1;a;old\n1;2;b;x, y\n", Row(2)),
            ("order;id;E-mail;Age\n1;a;m@x;young\n2;b;;x, y\n", Row(1)),
            ("order;id;E-mail;Age\n2;b;;x, y\n1;a;m@x;old\n", Row(1)),
            ("order;id;E-mail;Age\n1;a;m@x;old\n", Row(2)),
            (
                "order;id;E-mail;Age\n1;a;m@x;old\n2;b;;x, y\n3;c;;old\n",
                Row(3),
            ),
            ("order;id;E-mail;Age\n1;a;old\n2;b;x, y\n", Row(1)),
            ("order;id;E-mail\n1;a;m@x\n2;b;\n", Other),
            ("", Other),
        ] {
            assert_eq!(wider(found.as_bytes(), due, b',', None), is, "{found}");
        }
    }

    #[test]
    fn a_table_without_a_header_is_read_by_the_names_of_its_columns() {
        let names = ["who", "mail", "sex"].map(str::to_owned);
        let due = b"who,sex\nann,F\nbob,M\n";
        for (found, is) in [
            ("ann\ta@x\tF\nbob\tb@x\tM\n", Wider::Same),
            ("ann\ta@x\tM\nbob\tb@x\tM\n", Wider::Row(1)),
            ("who\tmail\tsex\nann\ta@x\tF\nbob\tb@x\tM\n", Wider::Same),
            ("ann\tF\nbob\tM\n", Wider::Other),
        ] {
            assert_eq!(
                wider(found.as_bytes(), due, b',', Some(&names)),
                is,
                "{found}"
            );
        }
        let all = b"ann;a@x;F\nbob;b@x;M\n";
        for (found, is) in [
            ("ann\ta@x\tF\nbob\tb@x\tM\n", Wider::Same),
            ("ann\ta@x\tF\nbob\tc@x\tM\n", Wider::Row(2)),
            ("who,mail,sex\nann,a@x,F\nbob,b@x,M\n", Wider::Same),
        ] {
            assert_eq!(
                wider(found.as_bytes(), all, b';', Some(&names)),
                is,
                "{found}"
            );
        }
    }
}
