use std::path::Path;

use crate::config::{ConfigInputs, Document, Plan, check};
use crate::run::{Settings, run};
use kleroterion_core::problem::{Place, Problems};
use kleroterion_io::record::file::{MemoryCell, MemoryTable};

/// The people: a cell with the delimiter, one with a quote, one that is blank, one twice.
const NAMES: [&str; 4] = ["id", "sex", "age", "note"];
const PEOPLE: [[&str; 4]; 7] = [
    ["a", "F", "20", "one, two"],
    ["b", "M", "31", "a \"quote\""],
    ["c", "F", "64", ""],
    ["d", "M", "18", "é"],
    ["e", "F", "45", "x"],
    ["f", "M", "52", "x"],
    ["g", "F", "33", "x"],
];

const CONFIG: &str = r#"name = "people"
seed = 3
replications = 4

[source]
type = "file"
path = "people.csv"
order = "shuffled"
id = "id"
where = ["age >= 19"]

[source.attributes]
sex = { column = "sex" }
age = { column = "age", bands = { young = [0, 40], old = [40, inf] } }

[target]
sex = { F = 0.5, M = 0.5 }

[rules]
choose = "at_most_one"
until = { accepted = 3 }

[[policy]]
label = "all"
kind = "accept_all"

[[policy]]
label = "queue"
kind = "virtual_queue"
"#;

fn text() -> String {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let line = |cells: &[&str]| {
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        cells.join(",") + "\n"
    };
    let rows: String = PEOPLE.iter().map(|row| line(row)).collect();
    line(&NAMES) + &rows
}

fn columns(rows: &[[&str; 4]]) -> MemoryTable {
    let columns = NAMES.iter().enumerate().map(|(at, name)| {
        let cells = rows.iter().map(|row| match row[at].parse::<i64>() {
            Ok(number) => MemoryCell::from(number),
            Err(_) => row[at].into(),
        });
        (*name, cells.collect())
    });
    MemoryTable::of_columns(columns).unwrap()
}

fn records(rows: &[[&'static str; 4]]) -> MemoryTable {
    MemoryTable::of_records(rows.iter().map(|row| {
        let named = NAMES
            .iter()
            .zip(row)
            .map(|(name, cell)| (*name, (*cell).into()));
        // What is missing is blank.
        let given = named.filter(|(_, cell)| *cell != MemoryCell::default());
        given.collect::<Vec<(&str, MemoryCell)>>()
    }))
}

fn in_memory() -> Document {
    let text = CONFIG.replace("\"people.csv\"", "{ memory = \"people\" }");
    Document::parse(&text).unwrap()
}

fn checked(table: MemoryTable) -> Result<Plan, Problems> {
    checked_as(&in_memory(), table)
}

fn checked_as(document: &Document, table: MemoryTable) -> Result<Plan, Problems> {
    check(
        document,
        ConfigInputs::default().with_table("people", table),
    )
}

/// Who is chosen in each replication and what comes of it, with the notes but for the file's name.
fn played(plan: &Plan, name: &str) -> String {
    let result = run(plan, &Settings::default(), |_| Ok(())).unwrap();
    let notes: Vec<String> = plan
        .notes
        .iter()
        .map(|note| note.replace(name, "FILE"))
        .collect();
    let respondents = plan.world.known.respondents.as_ref().unwrap();
    let ids = respondents.names();
    let lanes = result
        .policies
        .iter()
        .map(|policy| format!("{:?}", policy.lanes()));
    format!(
        "{notes:?} {ids:?} {:?} {:?}",
        plan.world.rows_read,
        lanes.collect::<Vec<_>>()
    )
}

#[test]
fn features_are_standardised_by_a_table_from_memory() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["people.csv", "other.csv"] {
        std::fs::write(folder.path().join(name), text()).unwrap();
    }
    let of = |fit: &str| {
        let features = format!(
            "[source.features]\nnumeric = [\"age\"]\nstandardise = {{ fit = {fit} }}\n\n\
             [source.attributes]"
        );
        let config = CONFIG.replace("[source.attributes]", &features);
        let other = MemoryTable::of_file(text().into_bytes());
        let inputs = ConfigInputs::of_folder(folder.path()).with_table("other", other);
        let plan = check(&Document::parse(&config).unwrap(), inputs);
        played(
            &plan.unwrap_or_else(|wrong| panic!("{wrong}")),
            "people.csv",
        )
    };
    assert_eq!(of("{ memory = \"other\" }"), of("\"other.csv\""));
}

#[test]
fn a_file_its_bytes_its_columns_and_its_records_are_one_run() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), text()).unwrap();
    let plan = check(&Document::parse(CONFIG).unwrap(), folder.path());
    let file = played(
        &plan.unwrap_or_else(|wrong| panic!("{wrong}")),
        "people.csv",
    );
    assert!(file.contains("FILE: 6 of 7 rows kept"), "{file}");
    for table in [
        MemoryTable::of_file(text().into_bytes()),
        columns(&PEOPLE),
        records(&PEOPLE),
    ] {
        let plan = checked(table).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(played(&plan, "table `people` in memory"), file);
    }
}

#[test]
fn the_resolved_config_has_the_hash_and_the_rows_and_needs_the_same_table_again() {
    let inputs = ConfigInputs::default().with_table("people", columns(&PEOPLE));
    let plan = check(&in_memory(), &inputs).unwrap();
    let text = in_memory().resolved(&plan, &inputs).to_toml();
    let line = text.lines().find(|line| line.starts_with("path")).unwrap();
    let (before, after) = line.split_once("sha256 = \"").unwrap();
    assert_eq!(before, "path = { memory = \"people\", ");
    assert_eq!(
        (after.find('"'), &after[64..]),
        (Some(64), "\", rows = 7 }")
    );
    let hash = &after[..64];

    let again = Document::parse(&text).unwrap();
    assert!(check(&again, &inputs).is_ok());
    assert_eq!(again.resolved(&plan, &inputs).to_toml(), text);
    // Not handed in, it keeps what is known of it.
    assert_eq!(again.resolved(&plan, Path::new("")).to_toml(), text);
    let wrong = check(&again, Path::new("")).err().unwrap();
    assert_eq!(
        wrong.0[0].what,
        "the table `people` is from the memory of a program, and was not handed in"
    );
    let help = wrong.0[0].help.as_deref().unwrap();
    assert_eq!(
        help,
        format!(
            "hand it in under this name (7 rows, SHA-256 {hash}), or write it to a file and set \
             source.path = \"people.csv\""
        )
    );
    let other = ConfigInputs::default().with_table("people", columns(&PEOPLE[..6]));
    let wrong = check(&again, &other).err().unwrap().to_string();
    assert!(wrong.contains("is not the one of this config"), "{wrong}");
    let other = ConfigInputs::default().with_table("peple", columns(&PEOPLE));
    let wrong = check(&again, &other).err().unwrap().to_string();
    assert!(
        wrong.contains("did you mean `peple`, which was handed in?"),
        "{wrong}"
    );
}

#[test]
fn a_wrong_cell_has_its_row_and_its_column_and_no_path() {
    let mut document = in_memory();
    document.take_keys("source", &["where"]);
    let mut wrong = PEOPLE;
    wrong[4][2] = "old";
    let rows = checked_as(&document, columns(&wrong)).err().unwrap();
    let [row] = &rows.0[..] else { panic!("{rows}") };
    let place = |line, row| Place::Memory {
        table: "people".into(),
        line,
        row,
        column: Some(3),
    };
    assert_eq!(row.place, place(None, Some(5)));
    assert!(
        rows.to_string()
            .starts_with("table `people` in memory, row 5, column 3: "),
        "{rows}"
    );
    let text = text().replace("\"45\"", "\"old\"");
    let file = checked_as(&document, MemoryTable::of_file(text.into_bytes()))
        .err()
        .unwrap();
    assert_eq!(file.0[0].place, place(Some(6), None));
    assert_eq!(file.0[0].what, row.what);
    // A column that is missing, and one that is there twice.
    let mut names = columns(&PEOPLE[..0]);
    let said = checked(names).err().unwrap().to_string();
    assert!(said.starts_with("table `people` in memory: "), "{said}");
    names = MemoryTable::of_columns([("id", vec!["a".into()]), ("id", vec!["b".into()])]).unwrap();
    let said = checked(names).err().unwrap().to_string();
    assert!(
        !said.contains('/') && !said.contains('\0') && said.contains("`people`"),
        "{said}"
    );
}

#[test]
fn rows_have_no_format_and_columns_one_length() {
    let mut document = in_memory();
    document.set("source.delimiter=';'").unwrap();
    let inputs = ConfigInputs::default().with_table("people", columns(&PEOPLE));
    let said = check(&document, &inputs).err().unwrap().to_string();
    assert!(
        said.contains("`delimiter` is for files; these rows are from memory"),
        "{said}"
    );
    let uneven = [
        ("a", MemoryTable::cells([1, 2])),
        ("b", MemoryTable::cells([1])),
    ];
    let problem = MemoryTable::of_columns(uneven).err().unwrap();
    assert_eq!(problem.what, "the column `b` has 1 cells, and `a` has 2");
}

#[test]
fn respondents_and_quotas_come_from_memory_too() {
    let config = r#"seed = 1
[source]
type = "respondents"
path = { memory = "people" }
id = "id"
[target]
categories = { memory = "quotas" }
[rules]
choose = "at_most_one"
until = { accepted = 3 }
[[policy]]
label = "lots"
kind = "maximin"
[dropout]
column = "age"
"#;
    let document = Document::parse(config).unwrap();
    let quotas = MemoryTable::of_records([
        [
            ("category", "sex".into()),
            ("name", "F".into()),
            ("min", 1.into()),
            ("max", MemoryCell::from(2)),
        ],
        [
            ("category", "sex".into()),
            ("name", "M".into()),
            ("min", 1.into()),
            ("max", MemoryCell::from(2)),
        ],
    ]);
    let inputs = ConfigInputs::default()
        .with_table("people", records(&PEOPLE))
        .with_table("quotas", quotas);
    let said = check(&document, &inputs)
        .err()
        .map(|wrong| wrong.to_string())
        .unwrap_or_default();
    // The ages are no probabilities: the column was found, and its first cell has its row.
    assert!(
        said.contains("table `people` in memory, row 1, column 3: "),
        "{said}"
    );
    let mut document = document;
    document.take("dropout");
    let plan = check(&document, &inputs).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(plan.world.rows_read, Some(7));
}
