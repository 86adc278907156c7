//! Wrong options: each is refused with what, where and what to do, and nothing is written.

use crate::support::terminal::Terminal;

const QUOTAS: &str = "category,name,min,max\ngender,F,4,6\ngender,M,4,6\n";

#[test]
fn wrong_options_are_refused_and_nothing_is_written() {
    let terminal = Terminal::new();
    let rows: String = (0..40)
        .map(|at| {
            format!(
                "p{at},{},{},{}\n",
                ["F", "M"][at % 2],
                at % 5 + 1,
                ["x", "y"][at / 2 % 2]
            )
        })
        .collect();
    terminal.put("people.csv", format!("id,gender,mark,area\n{rows}"));
    terminal.put("quotas.csv", QUOTAS);
    terminal.put(
        "records.ndjson",
        "{\"id\":1,\"g\":\"a\"}\n{\"id\":2,\"g\":\"b\"}\n",
    );
    terminal.put("wrapped.json", "{\"people\":[{\"id\":\"a\",\"g\":\"F\"}]}");
    terminal.put("title.csv", "List of people\nid,gender\na,F\nb,M\n");
    let (one, two) = (&["people.csv"][..], &["people.csv", "quotas.csv"][..]);
    for (files, options, what, help) in [
        (
            one,
            &["--columns", "mark"][..],
            "`mark` names no role",
            "NAME=ROLE",
        ),
        (
            one,
            &["--columns", "mark=skore"],
            "`skore` is no role",
            "did you mean `score`?",
        ),
        (
            one,
            &["--columns", "marc=score"],
            "no column `marc`",
            "did you mean `mark`?",
        ),
        (
            one,
            &["--columns", "mark=min"],
            "no file of quotas is named",
            "klero init people.csv quotas.csv",
        ),
        (
            one,
            &["--columns", "mark=score", "--columns", "mark=out"],
            "can't both be",
            "one role",
        ),
        (
            one,
            &["--columns", "id=attribute"],
            "makes no groups",
            "2 to 16 values",
        ),
        (
            two,
            &["--columns", "Thema=category"],
            "no column `Thema`",
            "its columns are",
        ),
        (
            two,
            &["--columns", "area=attribute"],
            "the quotas do not name `area`",
            "rows in the quotas",
        ),
        (
            two,
            &["--columns", "gender=out"],
            "the quotas name `gender`",
            "leave it out",
        ),
        (
            two,
            &["--columns", "mark=score"],
            "reads no score",
            "--setting merit",
        ),
        (
            one,
            &["--id", "gendr"],
            "no column `gendr`",
            "did you mean `gender`?",
        ),
        (
            one,
            &["--id", "gender"],
            "2 different cells in 40 rows",
            "differs for each person",
        ),
        (
            one,
            &["--id", "id", "--columns", "area=id"],
            "can't both be",
            "one role",
        ),
        (
            one,
            &["--outcome", "area"],
            "which is good is not known",
            "--outcome 'area=x'",
        ),
        (
            one,
            &["--outcome", "area=z"],
            "no value 'z'",
            "its values are 'x', 'y'",
        ),
        (
            one,
            &["--outcome", "id"],
            "40 different texts",
            "--outcome 'id=TEXT'",
        ),
        (
            two,
            &["--outcome", "mark"],
            "reads no outcome",
            "leave it out",
        ),
        (
            one,
            &["--score", "area"],
            "'x' in line 2 of `area` is not a number",
            "column of numbers",
        ),
        (
            one,
            &["--score", "marks"],
            "no column `marks`",
            "did you mean `mark`?",
        ),
        (
            one,
            &["--score", "mark", "--setting", "committee"],
            "reads no score",
            "--setting cohort",
        ),
        (
            one,
            &["--setting", "merit", "--outcome", "mark", "--places", "3"],
            "no number of places",
            "leave it out",
        ),
        (
            two,
            &["--setting", "merit"],
            "quotas go with a committee",
            "leave out the quotas",
        ),
        (
            one,
            &["--where", "mark > "],
            "a value belongs here",
            "a number",
        ),
        (
            one,
            &["--where", "marc > 2"],
            "no column `marc`",
            "did you mean `mark`?",
        ),
        (
            one,
            &["--where", "mark > 9"],
            "no one is kept of 40 people",
            "loosen --where",
        ),
        (
            one,
            &["--header", "no", "--id", "id"],
            "no column `id`",
            "column_1",
        ),
        (
            one,
            &["--header", "perhaps"],
            "invalid value 'perhaps'",
            "yes, no",
        ),
        (
            one,
            &["--sheet", "Leute"],
            "is no workbook",
            "leave out the sheet",
        ),
        (
            two,
            &["--quotas-sheet", "Quoten"],
            "is no workbook",
            "leave out the sheet",
        ),
        (one, &["--quotas-sheet", "Quoten"], "required", "QUOTAS"),
        (
            &["quotas.csv", "people.csv"],
            &[],
            "holds quotas and no people",
            "swap the two files: klero init people.csv quotas.csv",
        ),
        (
            &["quotas.csv"],
            &[],
            "holds quotas and no people",
            "klero init people.csv quotas.csv",
        ),
        (
            &["quotas.csv", "quotas.csv"],
            &[],
            "holds quotas and no people",
            "name the people first",
        ),
        (
            &["people.csv", "people.csv"],
            &[],
            "no column of the quotas is known as",
            "--columns",
        ),
        (&["title.csv"], &[], "a title", "delete the rows above"),
        (
            &["records.ndjson"],
            &["--where", "h == 1"],
            "no column `h`",
            "the columns are",
        ),
        (
            &["records.ndjson"],
            &["--header", "no"],
            "records name their members",
            "leave out --header",
        ),
        (
            &["wrapped.json"],
            &[],
            "this is one record, and its member `people` is no text and no number",
            "save the list of people alone: [{",
        ),
        (&["nobody.csv"], &[], "the file cannot be found", ""),
    ] {
        let args = [&["init"], files, options, &["-o", "none.toml"]].concat();
        let said = terminal.exits(2, &args);
        let complete = said.stderr.contains(what) && said.stderr.contains(help);
        assert!(complete, "{args:?}: {}", said.stderr);
        assert!(!terminal.path("none.toml").exists(), "{args:?}");
    }
}
