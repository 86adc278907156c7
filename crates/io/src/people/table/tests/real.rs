//! Real files, held to counts that other programs (Python's csv, awk) made of them.

use super::*;
use kleroterion_testkit::wants::data;

fn ages() -> Levels {
    banded(&[
        ("18-34", 18.0, 35.0),
        ("35-54", 35.0, 55.0),
        ("55+", 55.0, f64::INFINITY),
    ])
}

#[track_caller]
fn assert_shares(found: &[f64], due: &[f64], of: f64) {
    assert_eq!(found.len(), due.len());
    for (found, due) in found.iter().zip(due) {
        assert!((found - due / of).abs() < 1e-12, "{found} {due}");
    }
}

#[test]
fn adults_of_the_american_community_survey() {
    let Some(path) = data("acs-national2018.csv") else {
        return;
    };
    let by = |column| (column, column, Levels::Distinct);
    let attributes = vec![
        ("age", "AGEP", ages()),
        by("SEX"),
        by("RAC1P"),
        by("EDU"),
        by("MSP"),
    ];
    let mut spec = spec(&path, csv(), attributes);
    spec.filters = filters(&["AGEP >= 18"]);
    spec.weight = Some("PWGTP".into());
    let table = PeopleTable::load(&spec).unwrap();
    assert_eq!(
        (table.rows_read, table.len(), &table.removed[..]),
        (27_111, 21_832, &[5_279][..])
    );
    assert_eq!((table.id(0).as_ref(), table.line(0)), ("1", 2));
    let (heads, weighted) = (table.shares(false), table.shares(true));
    assert_shares(&heads[0], &[6_549.0, 6_648.0, 8_635.0], 21_832.0);
    assert_shares(
        &weighted[0],
        &[783_337.0, 715_615.0, 753_900.0],
        2_252_852.0,
    );
    assert_shares(&heads[1], &[10_346.0, 11_486.0], 21_832.0);
    assert_shares(&weighted[1], &[1_079_882.0, 1_172_970.0], 2_252_852.0);
    assert_eq!(
        table.attributes()[3].1,
        (1..=12).map(|n| n.to_string()).collect::<Vec<_>>()
    );
    let races = [
        12_199.0, 5_851.0, 611.0, 4.0, 57.0, 1_752.0, 19.0, 743.0, 596.0,
    ];
    assert_shares(&heads[2], &races, 21_832.0);
    let joint = table.joint(false);
    assert_eq!(joint.len(), 1_430);
    let largest = joint.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    assert_shares(&[largest], &[418.0], 21_832.0);
    assert!((joint.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn people_with_work_and_pay_of_the_american_community_survey() {
    let Some(path) = data("acs-national2018.csv") else {
        return;
    };
    let mut spec = spec(&path, csv(), vec![]);
    let texts = [
        "AGEP > 16",
        "PINCP > 100",
        "INDP_CAT != 'N'",
        "RAC1P in [1, 2, 3, 6, 8, 9]",
    ];
    spec.filters = filters(&texts);
    let table = PeopleTable::load(&spec).unwrap();
    assert_eq!(table.len(), 15_495);
    let removed = [22_156, 19_721, 16_406, 27_005].map(|kept| 27_111 - kept);
    assert_eq!(table.removed, removed);
    // As one filter, and with the cells that are no number named.
    spec.filters = filters(&[&texts.join(" and ")]);
    assert_eq!(PeopleTable::load(&spec).unwrap().len(), 15_495);
    spec.filters = filters(&["PINCP == 'N'"]);
    assert_eq!(PeopleTable::load(&spec).unwrap().len(), 4_337);
    spec.filters = filters(&["AGE > 16"]);
    let told = PeopleTable::load(&spec).unwrap_err().to_string();
    assert!(
        told.contains("did you mean `AGEP`? The columns are PUMA, AGEP, SEX,"),
        "{told}"
    );
}

#[test]
fn the_census_of_adults_without_a_header() {
    let Some(path) = data("adult.data") else {
        return;
    };
    let columns = "age workclass fnlwgt education education-num marital-status occupation \
                   relationship race sex capital-gain capital-loss hours-per-week \
                   native-country income";
    let columns: Vec<_> = columns.split_whitespace().collect();
    let mut spec = spec(
        &path,
        headless(&columns),
        vec![("sex", "sex", Levels::Distinct)],
    );
    spec.weight = Some("fnlwgt".into());
    let table = PeopleTable::load(&spec).unwrap();
    assert_eq!(
        (table.len(), table.line(0), table.line(32_560)),
        (32_561, 1, 32_561)
    );
    assert_eq!(table.attributes()[0].1, ["Female", "Male"]);
    assert_shares(&table.shares(false)[0], &[10_771.0, 21_790.0], 32_561.0);
    spec.filters = filters(&[
        "income == '>50K' and hours-per-week >= 40",
        "workclass != '?'",
    ]);
    assert_eq!(PeopleTable::load(&spec).unwrap().len(), 6_982);
    spec.filters = filters(&["age >= 25"]);
    assert_eq!(PeopleTable::load(&spec).unwrap().len(), 26_991);
}

#[test]
fn credit_applicants_between_tabs() {
    let Some(path) = data("german.data") else {
        return;
    };
    let columns = (1..=21).map(|n| format!("c{n}")).collect();
    let codec = (How::default(), Some(columns));
    let sex = listed(&[
        ("A91", "man"),
        ("A92", "woman"),
        ("A93", "man"),
        ("A94", "man"),
        ("A95", "woman"),
    ]);
    let table = PeopleTable::load(&spec(&path, codec, vec![("sex", "c9", sex)])).unwrap();
    assert_shares(&table.shares(false)[0], &[690.0, 310.0], 1_000.0);
}

#[test]
fn law_students() {
    let Some(path) = data("lawschool.csv") else {
        return;
    };
    let white = listed(&[("1", "white"), ("0", "other")]);
    let table = PeopleTable::load(&spec(&path, csv(), vec![("race", "race7", white)])).unwrap();
    assert_eq!(table.len(), 1_823);
    assert_shares(&table.shares(false)[0], &[1_363.0, 460.0], 1_823.0);
}
