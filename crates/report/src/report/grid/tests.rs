//! Tests of columns side by side.

use super::*;

fn words(head: &str, cells: &[&str]) -> GridColumn {
    GridColumn::words(head, cells.iter().map(|cell| (*cell).to_owned()).collect())
}

fn figure(values: &[f64]) -> Option<MetricCell> {
    Stats::of(values).as_ref().map(MetricCell::from)
}

#[test]
fn labels_of_wide_letters_keep_the_columns_in_line() {
    let labels = words("policy", &["\u{5148}\u{7740}\u{9806}", "queue"]);
    let shown = render(&[labels], &[words("n", &["1", "2"])], &Medium::default());
    let ends: Vec<_> = shown.lines().map(width).collect();
    assert_eq!(ends, [10, 10, 10], "{shown}");
}

#[test]
fn points_stand_under_points() {
    let rows = [
        figure(&[8000.0, 10000.0]),
        None,
        figure(&[1.5, 2.25]),
        figure(&[7.0, 7.0]),
        figure(&[3.25]),
    ];
    let first = words("policy", &["a", "b", "c", "d", "e"]);
    let column = GridColumn::figures("cost", &rows, true, &[2, 2, 2, 2, 2]);
    let known = "                                  cost
policy           mean \u{b1} se   median  n
a        9,000.0 \u{b1} 1,000.0  9,000.0
b                        -
c            1.9 \u{b1} 0.4          1.9
d            7.0 \u{b1} 0            7.0
e            3.2                3.2  1
";
    let shown = render(std::slice::from_ref(&first), &[column], &Medium::default());
    assert_eq!(shown, known, "\n{shown}\n{known}");
}

#[test]
fn what_does_not_vary_shows_values_alone() {
    for (values, full) in [(vec![3.25], 1), (vec![3.25; 7], 7)] {
        let rows = [figure(&values), None];
        let column = GridColumn::figures("cost", &rows, true, &[full, full]);
        let shown = render(
            &[words("policy", &["a", "b"])],
            &[column],
            &Medium::default(),
        );
        assert_eq!(shown, "policy   cost\na        3.25\nb           -\n");
    }
}

#[test]
fn rounding_is_no_spread() {
    // 0.3 in two ways of adding up.
    let rows = [figure(&[0.3, 0.1 + 0.2]), figure(&[0.5, 0.5])];
    let column = GridColumn::figures("loss", &rows, false, &[2, 2]);
    assert_eq!(column.cells, ["0.3", "0.5"]);
    let rows = [figure(&[0.3, 0.300_000_1])];
    let column = GridColumn::figures("loss", &rows, false, &[2]);
    assert!(column.cells[0].contains('\u{b1}'), "{:?}", column.cells);
}

#[test]
fn blocks_repeat_the_first_column_and_keep_to_the_width() {
    let first = words("policy", &["a"]);
    let columns: Vec<_> = (0..5).map(|_| words(&"x".repeat(50), &["1"])).collect();
    let shown = render(std::slice::from_ref(&first), &columns, &Medium::default());
    assert_eq!(shown.matches("policy").count(), 3);
    assert!(shown.lines().all(|line| width(line) <= 120));
    let wide = [words(&"x".repeat(200), &["1"])];
    assert_eq!(
        render(std::slice::from_ref(&first), &wide, &Medium::default())
            .lines()
            .count(),
        2
    );
    assert_eq!(
        render(std::slice::from_ref(&first), &[], &Medium::default()),
        "policy\na\n"
    );
}

#[test]
fn keys_that_leave_no_room_are_a_word_a_line() {
    let lead = [words("policy.\"greedy .05\".tolerance", &["0.02"])];
    let column = [words("x", &["1"])];
    let shown = render(&lead, &column, &Medium::default());
    assert_eq!(shown.lines().count(), 2, "{shown}");
    let wide = [words(&"x".repeat(100), &["1"])];
    let shown = render(&lead, &wide, &Medium::default());
    let heads: Vec<_> = shown
        .lines()
        .map(|line| line.split("  ").next().unwrap())
        .collect();
    assert_eq!(heads, ["policy.", "\"greedy .05\".", "tolerance", "0.02"]);
}

#[test]
fn a_note_is_behind_the_row_of_the_last_block_or_below_it() {
    let first = [words("policy", &["a", "b"])];
    let columns = [
        words(&"x".repeat(30), &["1", "2"]),
        words(&"y".repeat(30), &["3", "4"]),
    ];
    let notes = ["short".to_owned(), "long ".repeat(16)];
    let shown = render_with_notes(&first, &columns, &notes, &Medium::text(60));
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[1..3], ["a        1", "b        2"]);
    assert!(
        lines[5].starts_with("a        3 ") && lines[5].ends_with("   short"),
        "{shown}"
    );
    assert!(lines[6].starts_with("b        4"), "{shown}");
    assert!(
        lines[7..].iter().all(|line| line.starts_with("    long")),
        "{shown}"
    );
    assert!(
        lines.len() > 8 && lines.iter().all(|line| width(line) <= 60),
        "{shown}"
    );
}
