//! What reading a config looks like: the rules of a committee, and a file as a source, read to plain values.

use crate::document::{Field, Reader, Value};

pub(super) type Shares = Vec<(String, Vec<(String, f64)>)>;

#[derive(Debug, PartialEq)]
pub(super) enum Source {
    Shares(Shares),
    Weights(Shares),
    Joint(String),
    File(FileSource),
}

#[derive(Debug, PartialEq)]
pub(super) struct FileSource {
    pub(super) path: String,
    pub(super) columns: Option<Vec<String>>,
    pub(super) keep: Vec<String>,
    pub(super) order: &'static str,
    pub(super) attributes: Vec<(String, (String, Cells))>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Cells {
    Values(Vec<(String, String)>),
    Bands(Vec<(String, (f64, f64))>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Choose {
    Any,
    AtMost(u64),
    Exactly(u64),
    Share(f64),
}

#[derive(Debug, PartialEq)]
pub(super) enum Until {
    Accepted(u64),
    Rounds(u64),
}

#[derive(Debug, PartialEq)]
pub(super) enum Slate {
    All,
    Each(u64),
    Listed(Vec<u64>),
    Poisson(f64),
}

#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    Greedy { tolerance: f64 },
    VirtualQueue { v: f64 },
    RlCmdp { delta: f64, full: bool },
}

pub(super) type Rules = (Slate, Choose, Until, Option<u64>);
pub(super) type Plan = (
    String,
    u64,
    u64,
    Source,
    Rules,
    Vec<(String, Kind)>,
    (Vec<u64>, f64),
);

pub(super) fn plan(mut top: Reader<'_>) -> Option<Plan> {
    let name = top
        .need("name", "name = \"committee\"")
        .text()
        .map(str::to_owned);
    let seed = top.need("seed", "seed = 2021").whole();
    let replications = top.get("replications").whole_in(1..).unwrap_or(1);
    let source = top.need("source", "[source]").table().and_then(source);
    let target = top.get("target").pairs(shares);
    let rules = top.need("rules", "[rules]").table().and_then(rules);
    let policies = top
        .need("policy", "[[policy]]")
        .each(|field| field.table().and_then(policy));
    let report = top.need("report", "[report]").table().and_then(report);
    top.finish();
    let _ = target;
    Some((
        name?,
        seed?,
        replications,
        source?,
        rules?,
        policies?,
        report?,
    ))
}

fn shares(field: &Field<'_>) -> Option<Vec<(String, f64)>> {
    let shares = field.pairs(Field::probability)?;
    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
    if (sum - 1.0).abs() > 1e-9 {
        field.refuse(
            format!("the shares of `{}` sum to {sum}", field.path()),
            "make them sum to 1",
        );
        return None;
    }
    Some(shares)
}

fn source(mut table: Reader<'_>) -> Option<Source> {
    let kinds = [("categorical", false), ("file", true)];
    if table
        .need("type", "type = \"categorical\"")
        .choice(&kinds)?
    {
        return file(table).map(Source::File);
    }
    let given = table.need_one(
        &["shares", "weights", "joint"],
        "shares = { side = { L = 0.5, R = 0.5 } }",
    );
    let source = given.and_then(|(key, field)| match key {
        "shares" => field.pairs(shares).map(Source::Shares),
        "weights" => field
            .pairs(|field| field.pairs(Field::positive))
            .map(Source::Weights),
        _ => field.text().map(|path| Source::Joint(path.to_owned())),
    });
    table.finish();
    source
}

fn file(mut table: Reader<'_>) -> Option<FileSource> {
    let path = table
        .need("path", "path = \"people.csv\"")
        .text()
        .map(str::to_owned);
    let header = table.get("header");
    let columns = table.get("columns");
    if header.flag() == Some(false) && !columns.is_given() {
        header.refuse(
            "without a header the columns need names",
            "add columns = [\"age\", …]",
        );
    }
    let columns = columns.texts();
    let keep = table.get("where").texts().unwrap_or_default();
    let orders = ["file", "shuffled", "resampled"].map(|order| (order, order));
    let order = table.get("order").choice(&orders).unwrap_or("file");
    let attributes = table
        .need("attributes", "[source.attributes]")
        .pairs(|field| {
            let mut table = field.table()?;
            let column = table
                .need("column", "column = \"AGEP\"")
                .text()
                .map(str::to_owned);
            let cells = table.need_one(&["values", "bands"], "bands = { \"18-34\" = [18, 35] }");
            table.finish();
            let cells = match cells? {
                ("values", field) => field
                    .pairs(|cell| cell.text().map(str::to_owned))
                    .map(Cells::Values),
                (_, field) => field.pairs(band).map(Cells::Bands),
            };
            Some((column?, cells?))
        });
    table.finish();
    Some(FileSource {
        path: path?,
        columns,
        keep,
        order,
        attributes: attributes?,
    })
}

fn band(field: &Field<'_>) -> Option<(f64, f64)> {
    match field.each(Field::number)?[..] {
        [from, to] if from < to => Some((from, to)),
        _ => field.expected("a band [from, to) with from below to"),
    }
}

fn rules(mut table: Reader<'_>) -> Option<Rules> {
    let slate = slate(&table.need("slate", "slate = 1"));
    let choose = table.need("choose", "choose = \"at_most_one\"");
    let until = table.need("until", "until = { accepted = 150 }");
    let max_rounds = table.get("max_rounds").whole_in(1..);
    table.finish();
    let words = ["any", "at_most_one", "exactly_one"];
    let choose = choose
        .form(&words, &["at_most", "exactly", "share"])
        .and_then(|form| match form {
            ("any", _) => Some(Choose::Any),
            ("at_most_one", _) => Some(Choose::AtMost(1)),
            ("exactly_one", _) => Some(Choose::Exactly(1)),
            ("at_most", field) => field.whole_in(1..).map(Choose::AtMost),
            ("exactly", field) => field.whole_in(1..).map(Choose::Exactly),
            (_, field) => field.probability().map(Choose::Share),
        });
    let until = until
        .form(&[], &["accepted", "rounds"])
        .and_then(|form| match form {
            ("accepted", field) => field.whole_in(1..).map(Until::Accepted),
            (_, field) => field.whole_in(1..).map(Until::Rounds),
        });
    Some((slate?, choose?, until?, max_rounds))
}

fn slate(field: &Field<'_>) -> Option<Slate> {
    match field.value()? {
        Value::Whole(_) => field.whole_in(1..).map(Slate::Each),
        Value::List(_) => field.each(|size| size.whole_in(1..)).map(Slate::Listed),
        Value::Text(_) | Value::Table(_) => match field.form(&["all"], &["poisson"])? {
            ("all", _) => Some(Slate::All),
            (_, field) => field.positive().map(Slate::Poisson),
        },
        _ => field.expected("a number, a list of them, \"all\" or { poisson = 100 }"),
    }
}

fn policy(mut table: Reader<'_>) -> Option<(String, Kind)> {
    let label = table
        .need("label", "label = \"greedy .05\"")
        .text()
        .map(str::to_owned);
    let kinds = ["greedy", "virtual_queue", "rl_cmdp"].map(|kind| (kind, kind));
    let kind = match table.need("kind", "kind = \"greedy\"").choice(&kinds)? {
        "greedy" => table
            .need("tolerance", "tolerance = 0.05")
            .probability()
            .map(|tolerance| Kind::Greedy { tolerance }),
        "virtual_queue" => table
            .need("v", "v = 2.0")
            .positive()
            .map(|v| Kind::VirtualQueue { v }),
        _ => {
            let delta = table.need("delta", "delta = 0.05").probability();
            let program = table
                .get("program")
                .choice(&[("full", true), ("small", false)]);
            delta.map(|delta| Kind::RlCmdp {
                delta,
                full: program.unwrap_or(true),
            })
        }
    };
    table.finish();
    Some((label?, kind?))
}

fn report(mut table: Reader<'_>) -> Option<(Vec<u64>, f64)> {
    let at = table.need("at", "at = [50, 100]").each(Field::whole);
    let alpha = table
        .get("alpha")
        .number_where("a number above 0 and below 1", |x| x > 0.0 && x < 1.0);
    table.finish();
    Some((at?, alpha.unwrap_or(0.05)))
}
