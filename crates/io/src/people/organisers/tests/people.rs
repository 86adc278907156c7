//! Respondents: who is kept, numbers in bands, values that the quotas do not name.

use super::*;
use crate::record::{Filter, Levels};

/// The bands of an attribute: each with its ends.
type Bands<'a> = (&'a str, &'a [(&'a str, f64, f64)]);

/// The settings under which the respondents of some categories are read.
struct Asked<'a> {
    quotas: &'a str,
    filters: &'a [&'a str],
    bands: &'a [Bands<'a>],
    keeps_others: bool,
}

const PLAIN: Asked<'_> = Asked {
    quotas: "category,name,min,max\ng,F,1,9\ng,M,1,9\n",
    filters: &[],
    bands: &[],
    keeps_others: false,
};

fn load(text: &str, asked: &Asked<'_>) -> Result<PeopleTable, LoadError> {
    let categories = categories(asked.quotas, Some(10)).expect("quotas");
    let filters = asked
        .filters
        .iter()
        .map(|text| Filter::parse(text).expect("a filter"));
    let filters: Vec<Filter> = filters.collect();
    let bands = asked.bands.iter().map(|(name, bands)| {
        let bands = bands
            .iter()
            .map(|(name, from, to)| ((*name).to_owned(), *from, *to));
        (
            (*name).to_owned(),
            Levels::bands(bands.collect()).expect("bands"),
        )
    });
    let bands: Vec<(String, Levels)> = bands.collect();
    read(text, |path| {
        let spec = RespondentsSpec {
            how: &How::default(),
            path,
            categories: &categories,
            id: Some("id"),
            unique: &[],
            filters: &filters,
            bands: &bands,
            keeps_others: asked.keeps_others,
        };
        spec.load()
    })
}

fn ids(table: &PeopleTable) -> Vec<String> {
    (0..table.len())
        .map(|row| table.id(row).into_owned())
        .collect()
}

#[test]
fn those_who_withdrew_are_left_out_before_anything_is_counted() {
    let text = "id;G;zurückgezogen;alter\na;F;;20\nb;M;ja;30\nc;m; JA ;17,5\nd;weiblich;Ja;50\ne;f;;41,5\n";
    for (filters, kept, removed) in [
        (&["zurückgezogen != 'ja'"][..], &["a", "e"][..], &[3][..]),
        (&["Zurückgezogen == ''"], &["a", "e"], &[3]),
        (&["zurückgezogen == '' and alter >= 41"], &["e"], &[4]),
        (&["zurückgezogen != 'ja'", "alter < 41.5"], &["a"], &[3, 2]),
    ] {
        let table = load(text, &Asked { filters, ..PLAIN }).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(ids(&table), kept, "{filters:?}");
        assert_eq!(table.removed, removed, "{filters:?}");
        assert_eq!(table.rows_read, 5);
    }
    // The row that is left out has a value that there is not.
    assert!(told(load(text, &PLAIN)).contains("`g` has no value 'weiblich'"));
    let none = told(load(
        text,
        &Asked {
            filters: &["alter > 99"],
            ..PLAIN
        },
    ));
    assert_eq!(
        none,
        ": no row is kept of 5 that could be read (help: loosen `where`: `alter > 99` removes 5)"
    );
    let column = told(load(
        text,
        &Asked {
            filters: &["zurueck == 1"],
            ..PLAIN
        },
    ));
    assert!(column.contains("there is no column `zurueck`, wanted by the filter `zurueck == 1`"));
}

#[test]
fn ages_against_ranges_are_told_once_with_what_to_write() {
    let ages = "id,age\na,20\nb,41\nc,39\nd,60\n";
    for (quotas, help) in [
        (
            "category,name,min,max\nage,20-39,1,9\nage,40+,1,9\n",
            r#"bands = { age = { "20-39" = [20, 40], "40+" = [40, inf] } }"#,
        ),
        (
            "category,name,min,max\nage,unter 40,1,9\nage,40 und älter,1,9\n",
            r#"bands = { age = { "unter 40" = [-inf, 40], "40 und älter" = [40, inf] } }"#,
        ),
        (
            "category,name,min,max\nage,moins de 40 ans,1,9\nage,40 ans et plus,1,9\n",
            r#"bands = { age = { "moins de 40 ans" = [-inf, 40], "40 ans et plus" = [40, inf] } }"#,
        ),
        (
            "category,name,min,max\nage,young,1,9\nage,old,1,9\n",
            r#"bands = { age = { "young" = [FROM, TO], "old" = [FROM, TO] } }"#,
        ),
    ] {
        let said = told(load(ages, &Asked { quotas, ..PLAIN }));
        assert!(
            said.starts_with(":1: `age` holds numbers (20, 39, …), and the quotas name "),
            "{said}"
        );
        assert!(said.contains(help), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// A column is of numbers where more than half of the cells that are no value are numbers.
#[test]
fn ages_among_as_many_words_are_told_cell_by_cell() {
    let quotas = "category,name,min,max\nage,20-39,1,9\nage,40+,1,9\n";
    for (cells, is_column) in [
        ("x", true),
        ("x,y", false),
        ("x,y,z", false),
        ("40+,40+", true),
    ] {
        let mut ages = String::from("id,age\na,21\nb,41\n");
        for (one, cell) in cells.split(',').enumerate() {
            ages += &format!("c{one},{cell}\n");
        }
        let said = told(load(&ages, &Asked { quotas, ..PLAIN }));
        assert_eq!(
            said.starts_with(":1: `age` holds numbers (21, 41, …)"),
            is_column,
            "{said}"
        );
        assert_eq!(said.contains("has no value '21'"), !is_column, "{said}");
    }
}

#[test]
fn numbers_are_read_by_bands() {
    let asked = Asked {
        quotas: "category,name,min,max\nage,20-39,1,9\nage,40+,1,9\n",
        bands: &[(
            "Age",
            &[("40+", 40.0, f64::INFINITY), ("20-39", 20.0, 40.0)],
        )],
        ..PLAIN
    };
    let table = load("id;age\na;20\nb;41\nc;39,5\nd;60\n", &asked).expect("people");
    let values: Vec<u16> = (0..4).map(|row| table.values(row)[0]).collect();
    assert_eq!(values, [0, 1, 0, 1]);
    let said = told(load("id,age\na,19\nb,x\nc,\n", &asked));
    assert!(said.contains(":2:2: '19' is in no band of `age`"), "{said}");
    assert!(
        said.contains(":3:2: 'x' is not a number, which the bands of `age` need"),
        "{said}"
    );
    assert!(said.contains(":4:2: the cell of `age` is blank"), "{said}");
}

#[test]
fn people_with_other_values_are_kept_where_that_is_asked() {
    let text = "id,g\na,F\nb,divers\nc,M\nd,Divers\ne,Divers\nf,\ng,x\n";
    let table = load(
        text,
        &Asked {
            keeps_others: true,
            ..PLAIN
        },
    )
    .expect("people");
    let (name, values) = &table.attributes()[0];
    assert_eq!(
        (&**name, &**values),
        (
            "g",
            &["F", "M", "(blank)", "Divers", "x"].map(String::from)[..]
        )
    );
    let of: Vec<u16> = (0..table.len()).map(|row| table.values(row)[0]).collect();
    assert_eq!(of, [0, 3, 1, 3, 3, 2, 4]);
    let said = told(load(text, &PLAIN));
    assert_eq!(said.lines().count(), 5, "{said}");
}

#[test]
fn texts_that_look_the_same_are_one_value() {
    let quotas = "category,name,min,max\nregion,Québec,1,9\nregion,St. John's,1,9\n";
    for cell in [
        "Que\u{301}bec",
        "QUÉBEC",
        "Qu\u{e9}bec\u{a0}",
        "Qué\u{200b}bec",
        "\u{feff}québec",
    ] {
        let text = format!("id,region\na,{cell}\n");
        let table = load(&text, &Asked { quotas, ..PLAIN }).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(table.values(0), [0], "{cell:?}");
    }
    let text = "id,region\na,ST.\u{a0} JOHN'S\n";
    assert_eq!(
        load(text, &Asked { quotas, ..PLAIN })
            .expect("people")
            .values(0),
        [1]
    );
}
