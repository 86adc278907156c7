//! Quotas as organisers write them: ranges, shares, blanks, headers in other languages.

use super::*;
use kleroterion_core::protocol::Quota;

fn read_as(text: &str, spec: &QuotaSpec) -> Result<Categories, LoadError> {
    read(text, |path| Categories::read(path, spec))
}

fn of(members: u64) -> QuotaSpec {
    QuotaSpec {
        members: Some(members),
        ..QuotaSpec::default()
    }
}

/// The bounds of all values, one after another.
fn bounds(categories: &Categories) -> Vec<(u32, u32)> {
    let quotas = categories.quotas().into_iter().flatten();
    quotas.map(|Quota { min, max }| (min, max)).collect()
}

#[test]
fn quotas_are_read_as_they_are_written() {
    for (text, due) in [
        // Blank bounds are none.
        (
            "category,name,min,max\ng,F,4,\ng,M,4,6\n",
            [(4, 10), (4, 6)],
        ),
        ("category,name,min,max\ng,F,,6\ng,M,4,6\n", [(0, 6), (4, 6)]),
        ("category,name,min,max\ng,F,,\ng,M,,\n", [(0, 10), (0, 10)]),
        // Ranges in one cell, in four languages.
        (
            "category,name,quota\ng,F,4-6\ng,M,4\u{2013}6\n",
            [(4, 6), (4, 6)],
        ),
        (
            "category;name;quota\ng;F;4 bis 6\ng;M;mind. 4\n",
            [(4, 6), (4, 10)],
        ),
        (
            "category;name;quotas\ng;F;4 à 6\ng;M;au plus 6\n",
            [(4, 6), (0, 6)],
        ),
        (
            "category;name;plazas\ng;F;4 a 6\ng;M;al menos 4\n",
            [(4, 6), (4, 10)],
        ),
        // Exact amounts.
        ("category,name,number\ng,F,5\ng,M,5\n", [(5, 5), (5, 5)]),
        ("category;name;Anzahl\ng;F;5,0\ng;M;5.0\n", [(5, 5), (5, 5)]),
        ("category;feature;Nombre\ng;F;5\ng;M;5\n", [(5, 5), (5, 5)]),
        (
            "category,name,min,max\ng,F,5,5.0\ng,M,\"5,0\",5\n",
            [(5, 5), (5, 5)],
        ),
        // Shares of the seats.
        (
            "category,name,quota\ng,F,48 %\ng,M,52 %\n",
            [(4, 5), (5, 6)],
        ),
        (
            "category;name;quota\ng;F;45,5 %\ng;M;54,5%\n",
            [(4, 5), (5, 6)],
        ),
        (
            "category;name;Anteil\ng;F;48,5\ng;M;51,5\n",
            [(4, 5), (5, 6)],
        ),
        ("category;name;Prozent\ng;F;50\ng;M;50\n", [(5, 5), (5, 5)]),
        (
            "category,name,share\ng,F,0.48\ng,M,0.52\n",
            [(4, 5), (5, 6)],
        ),
        ("category;name;share\ng;F;0,5\ng;M;0,5\n", [(5, 5), (5, 5)]),
        ("category,name,%\ng,F,40-60\ng,M,40-60\n", [(4, 6), (4, 6)]),
        (
            "category,name,min,max\ng,F,40 %,60 %\ng,M,45%,\n",
            [(4, 6), (4, 10)],
        ),
    ] {
        let read = read_as(text, &of(10)).unwrap_or_else(|e| panic!("{text}\n{e}"));
        assert_eq!(bounds(&read), due, "{text}");
    }
}

/// Merged cells of a spreadsheet are blank but for the first; rows of sums are no values.
#[test]
fn merged_cells_and_sums_are_read_and_said() {
    for (text, due, notes) in [
        (
            "category,name,min,max\ng,F,4,6\n,M,4,6\n",
            &[(4, 6), (4, 6)][..],
            &["a blank category is that of the row above (line 3)"][..],
        ),
        (
            "category;name;quota\ng;F;4-6\n;M;4-6\nSumme;;8-12\n;Gesamt;8-12\n",
            &[(4, 6), (4, 6)],
            &[
                "a blank category is that of the row above (line 3)",
                "rows of sums are left out (lines 4, 5)",
            ],
        ),
        (
            "feature,value,min,max\ng,F,4,6\ng,M,4,6\ng,TOTAL:,8,12\nTotale,,8,12\n",
            &[(4, 6), (4, 6)],
            &["rows of sums are left out (lines 4, 5)"],
        ),
    ] {
        let read = read_as(text, &of(10)).unwrap_or_else(|e| panic!("{text}\n{e}"));
        assert_eq!(bounds(&read), due, "{text}");
        assert_eq!(read.notes(), notes, "{text}");
    }
    let nameless = "category,name,min,max\ng,F,4,6\n,M,4,6\n,,8,12\n,,,\n";
    let read = read_as(nameless, &of(10)).expect("quotas");
    assert_eq!(
        read.notes()[1..],
        ["rows that name no value are left out (line 4)"]
    );
}

#[test]
fn what_was_filled_in_is_said() {
    let said = |text| read_as(text, &of(10)).expect("quotas").notes().to_vec();
    assert_eq!(
        said("category,name,min,max\ng,F,4,\ng,M,,\n"),
        ["a blank minimum is 0 (line 3), a blank maximum the committee's 10 (lines 2, 3)"]
    );
    assert_eq!(
        said("category,name,min,max\ng,F,4,\ng,M,4,6\n"),
        ["a blank maximum is the committee's 10 (line 2)"]
    );
    assert_eq!(
        said("category,name,quota\ng,F,48 %\ng,M,50 %\ng,X,2 %\n"),
        [
            "shares of 10 seats became seats, minimums rounded down and maximums up: F 48 %: 4 to 5, \
          M 50 %: 5, X 2 %: 0 to 1"
        ]
    );
    assert!(said("category,name,min,max\ng,F,4,6\ng,M,4,6\n").is_empty());
}

/// A target lies in the middle of the bounds: of a blank maximum that is what others leave.
#[test]
fn a_blank_maximum_pulls_no_target() {
    let text = "category,name,min,max\ng,F,4,\ng,M,4,6\n";
    let read = read_as(text, &of(10)).expect("quotas");
    assert_eq!(read.targets(), [[0.5, 0.5]]);
    let text = "category,name,min,max\ng,F,,\ng,M,,\n";
    let read = read_as(text, &of(10)).expect("quotas");
    assert_eq!(read.targets(), [[0.5, 0.5]]);
}

#[test]
fn headers_of_other_languages_are_named() {
    let named = |category: &str, name: &str, min: &str, max: &str| QuotaNames {
        category: Some(category.into()),
        name: Some(name.into()),
        min: Some(min.into()),
        max: Some(max.into()),
        ..QuotaNames::default()
    };
    for (text, columns) in [
        (
            "Kategorie;Wert;Min;Max\nG;F;4;6\nG;M;4;6\n",
            named("Kategorie", "Wert", "Min", "Max"),
        ),
        (
            "Merkmal;Ausprägung;mindestens;höchstens\nG;F;4;6\nG;M;4;6\n",
            named("merkmal", "AUSPRÄGUNG", "mindestens", "höchstens"),
        ),
        (
            "catégorie;valeur;minimum;maximum\nG;F;4;6\nG;M;4;6\n",
            QuotaNames {
                category: Some("cate\u{301}gorie".into()),
                name: Some("valeur".into()),
                ..QuotaNames::default()
            },
        ),
        (
            "categoría;nombre;cupo\nG;F;4 a 6\nG;M;4-6\n",
            QuotaNames {
                category: Some("categoría".into()),
                name: Some("nombre".into()),
                quota: Some("cupo".into()),
                ..QuotaNames::default()
            },
        ),
    ] {
        let spec = QuotaSpec { columns, ..of(10) };
        let read = read_as(text, &spec).unwrap_or_else(|e| panic!("{text}\n{e}"));
        assert_eq!(bounds(&read), [(4, 6), (4, 6)], "{text}");
    }
    for (text, help) in [
        (
            "Kategorie;Wert;Min;Max\nG;F;4;6\n",
            "columns = { category = \"Kategorie\", name = \"Wert\" }; the columns are Kategorie, Wert, Min, Max",
        ),
        (
            "Merkmal;Ausprägung;von;bis\nG;F;4;6\n",
            "columns = { category = \"Merkmal\", name = \"Ausprägung\", min = \"von\", max = \"bis\" }",
        ),
        (
            "groupe;critère;nombre\nG;F;4\n",
            "columns = { category = \"groupe\", name = \"critère\" }",
        ),
    ] {
        let said = told(read_as(text, &of(10)));
        assert!(said.contains(help), "{text}\n{said}");
    }
}

#[test]
fn pairs_are_named_alike() {
    let text = "Kategorie;Wert;Min;Max\nG;F;4;6\nG;M;4;6\nA;alt;4;6\nA;jung;4;6\n";
    let columns = QuotaNames {
        category: Some("Kategorie".into()),
        name: Some("Wert".into()),
        ..QuotaNames::default()
    };
    let spec = QuotaSpec { columns, ..of(10) };
    let categories = read_as(text, &spec).expect("categories");
    let pairs = "Kategorie 1;Wert 1;Kategorie 2;Wert 2;Min;Max\ng;f;a;ALT;20 %;\n";
    let read_pairs =
        |spec: &QuotaSpec| read(pairs, |path| Intersections::read(path, spec, &categories));
    let read = read_pairs(&spec).expect("pairs");
    assert_eq!(
        read.pairs()[0].values[0].quota.quota,
        Quota { min: 2, max: 10 }
    );
    assert_eq!(read.notes().len(), 2);
    let said = told(read_pairs(&of(10)));
    let help = "columns = { category = \"Kategorie\", name = \"Wert\" }";
    assert!(said.contains(help), "{said}");
}

/// Merged cells of pairs: a blank attribute is that of the row above, and so is a blank first
/// value.
#[test]
fn merged_cells_of_pairs_are_read_and_said() {
    let text = "category,name,min,max\nG,F,4,6\nG,M,4,6\nA,alt,4,6\nA,jung,4,6\n";
    let categories = read_as(text, &of(10)).expect("categories");
    let header = "category 1,name 1,category 2,name 2,min,max\n";
    for (rows, lines) in [
        (
            "G,F,A,alt,1,3\n,,,jung,2,4\n,M,,alt,1,5\n,,,jung,0,2\n",
            "lines 3, 4, 5",
        ),
        (
            "G,F,A,alt,1,3\n,,A,jung,2,4\nG,M,,alt,1,5\nG,M,A,jung,0,2\nSumme,,,,4,14\n",
            "lines 3, 4",
        ),
    ] {
        let text = format!("{header}{rows}");
        let read = read(&text, |path| {
            Intersections::read(path, &of(10), &categories)
        });
        let read = read.unwrap_or_else(|e| panic!("{text}\n{e}"));
        let values = read.pairs()[0].values.iter();
        let values: Vec<String> = values
            .map(|value| {
                let Quota { min, max } = value.quota.quota;
                format!("{} {min}-{max}", value.of.join(" "))
            })
            .collect();
        let due = ["F alt 1-3", "F jung 2-4", "M alt 1-5", "M jung 0-2"];
        assert_eq!(values, due, "{text}");
        assert_eq!(
            read.notes()[0],
            format!("a blank category is that of the row above ({lines})")
        );
    }
}

/// Sums that no committee can have are refused by the flexible bounds alone, where quotas may be
/// relaxed.
#[test]
fn flexible_bounds_reach_sums() {
    let text = "category,name,min,max,min_flex,max_flex\n\
                z,z1,4,5,2,6\nz,z2,4,5,2,6\nz,z3,4,5,2,6\nz,z4,4,5,2,6\n";
    let said = |members, is_flexible| {
        let spec = QuotaSpec {
            is_flexible,
            ..of(members)
        };
        told(read_as(text, &spec))
    };
    assert_eq!(
        said(12, false),
        ":2:3: the minimums of `z` sum to 16, more than the committee's 12 (help: lower some of them, or set \
         flexible = true in [target]: the flexible bounds allow it)"
    );
    assert_eq!(
        said(22, false),
        ":2:4: the maximums of `z` sum to 20, less than the committee's 22 (help: raise some of them, or set \
         flexible = true in [target]: the flexible bounds allow it)"
    );
    for members in [8, 12, 22, 24] {
        assert_eq!(said(members, true), "", "{members}");
    }
    assert!(
        said(7, true)
            .contains("the flexible minimums of `z` sum to 8, more than the committee's 7")
    );
    assert!(said(25, true).contains("the flexible maximums of `z` sum to 24, less than"));
    assert!(!said(7, false).contains("flexible = true"));
}

#[test]
fn each_letter_matters_where_that_is_asked() {
    let text = "category,name,min,max\ng,F,1,2\ng,f,1,2\n";
    let is_exact = true;
    let exact = read_as(text, &QuotaSpec { is_exact, ..of(3) }).expect("two values");
    assert_eq!(exact.value("g", "f").map(|value| value.line), Some(3));
    assert_eq!(exact.value("g", " F"), None);
    assert!(told(read_as(text, &of(3))).contains("case and blanks make no difference"));
}
