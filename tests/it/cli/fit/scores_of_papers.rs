//! `klero fit scores` on the files of Puranik et al. 2022, Table 1.

use std::path::Path;

use super::scores::{close, json, laws, slow, table};
use crate::support::data;
use crate::support::terminal::Terminal;

/// Puranik et al. 2022, Table 1, the law school: to the digits printed.
#[test]
fn the_law_school_meets_table_1() {
    let Some(file) = data("lawschool.csv") else {
        return;
    };
    let terminal = Terminal::new();
    let args = [&text(&file), "--label", "bar1", "--group", "race7=0"];
    let races = "race1,race2,race3,race4,race5,race6,race7,race8";
    let blind = [&args[..], &["--exclude", races]].concat();
    let people = table(&std::fs::read_to_string(&file).expect("a text"), ',').split_off(1);
    let labels: Vec<bool> = people.iter().map(|row| row[5] == "1").collect();
    let inside: Vec<bool> = people.iter().map(|row| row[16] == "0").collect();
    for (args, columns, printed, known) in [
        (
            &args[..],
            (0..18).collect(),
            [-1.46, 2.73, 0.79, 3.16],
            [-1.462, 2.726, 0.792, 3.163],
        ),
        (
            &blind[..],
            (0..10).collect::<Vec<_>>(),
            [-1.33, 2.85, 0.76, 3.23],
            [-1.334, 2.854, 0.762, 3.234],
        ),
    ] {
        let ours = json(&terminal, args);
        assert_eq!(ours["groups"][0]["people"], 460);
        let columns: Vec<usize> = columns.into_iter().filter(|column| *column != 5).collect();
        close(
            &laws(&ours),
            &slow(&people, &columns, &labels, &inside),
            1e-8,
        );
        close(&laws(&ours), &known, 0.0015);
        for (ours, printed) in laws(&ours).iter().zip(printed) {
            assert_eq!(format!("{ours:.2}"), format!("{printed:.2}"));
        }
        assert!(ours["convergence"]["gradient"].as_f64() < Some(1e-9));
    }
}

/// The paper's German credit is not met by a converged fit: the gap of the means is smaller than
/// .53, and larger than a quarter of it.
#[test]
fn german_credit_as_newtons_method_has_it_and_not_as_table_1() {
    let Some(file) = data("german.data") else {
        return;
    };
    let terminal = Terminal::new();
    let people = table(&std::fs::read_to_string(&file).expect("a text"), '\t');
    let labels: Vec<bool> = people.iter().map(|row| row[20] == "1").collect();
    let women: Vec<bool> = people.iter().map(|row| row[8] == "A92").collect();
    let args = [
        &text(&file),
        "--delimiter",
        "tab",
        "--no-header",
        "--label",
        "c21=1",
        "--group",
        "c9=A92,A95",
    ];
    let ours = json(&terminal, &args);
    assert_eq!(
        (ours["rows"].as_u64(), ours["start"].as_f64()),
        (Some(1000), Some(0.31))
    );
    let columns: Vec<usize> = (0..20).collect();
    close(
        &laws(&ours),
        &slow(&people, &columns, &labels, &women),
        1e-7,
    );
    let gap = laws(&ours)[2] - laws(&ours)[0];
    assert!(gap < 0.52, "{gap}: Table 1 has .53");
    let blind = json(&terminal, &[&args[..], &["--exclude", "c9"]].concat());
    assert!(laws(&blind)[2] - laws(&blind)[0] < gap / 2.0);
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
