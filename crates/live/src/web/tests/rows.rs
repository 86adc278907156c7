//! Rows of separated text.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::records::rejected;
use super::*;

fn separated(delimiter: u8, columns: Option<&[&str]>) -> Codec {
    Codec::Csv {
        delimiter,
        columns: columns.map(|names| names.iter().map(|name| (*name).into()).collect()),
    }
}

fn of(codec: Codec) -> Site {
    site(Set {
        codec,
        ..Set::default()
    })
}

impl Site {
    fn rows(&self, body: impl AsRef<[u8]>) -> TestReply {
        self.post("/v1/candidates", "text/csv", body)
    }

    /// The records of the persons taken, in order.
    fn records(&self) -> Vec<String> {
        let taken = self.taken.lock().unwrap();
        let records = taken.iter().filter_map(|item| match item {
            Item::Candidate(candidate) => Some(candidate.record.to_string()),
            _ => None,
        });
        records.collect()
    }
}

#[test]
fn rows_are_taken_as_records_are() {
    let site = of(Codec::Json);
    let body =
        "\u{feff}id,SEX,STATE,note\r\na,1,on,\"x,\n\"\"y\"\"\"\r\n\r\nb, 2 ,,\nc,1,off,\na,1,on,\n";
    let reply = site.rows(body);
    let answer =
        json!({"accepted": 2, "duplicates": 1, "left_out": 1, "rejected": [], "last_seq": 2});
    assert_eq!((reply.status, reply.json()), (202, answer));
    let records = [
        r#"{"id":"a","SEX":"1","STATE":"on","note":"x,\n\"y\""}"#,
        r#"{"id":"b","SEX":"2","STATE":"","note":""}"#,
    ];
    assert_eq!(site.records(), records);
    // Each body has names of its own.
    let reply = site.post(
        "/v1/candidates",
        "Text/CSV; charset=\"UTF-8\"",
        "SEX,id\n2,d",
    );
    let single = json!({"accepted": 1, "duplicates": 0, "rejected": [], "last_seq": 3, "seq": 3});
    assert_eq!((reply.status, reply.json()), (202, single));
    assert_eq!(site.ids(), ["a", "b", "d"]);
}

#[test]
fn rows_without_a_name_get_one_each() {
    let site = of(Codec::Json);
    for body in ["SEX\n1\n2\n", "SEX\n2"] {
        assert_eq!(site.rows(body).status, 202);
    }
    assert_eq!(site.candidates("{\"SEX\":1}").status, 202);
    assert_eq!(site.ids(), ["1", "2", "3", "4"]);
}

#[test]
fn what_is_wrong_with_a_row_is_told_with_the_line_on_which_it_begins() {
    let site = of(Codec::Json);
    let long = "y".repeat(1001);
    let body = format!(
        "id,SEX,note\na,1,\"two\nlines\"\nb,3,\nc,1\n\"d\"d,1,\ne,1,{long}\nf,2,\"\n\ng,1,\n"
    );
    let reply = site.rows(&body);
    assert_eq!((reply.status, &reply.json()["accepted"]), (202, &json!(1)));
    let told = rejected(&reply);
    for ((line, error), (at, part)) in told.iter().zip([
        (4, "'3' in `SEX` is not among the values"),
        (5, "the row has 2 fields where there are 3 columns"),
        (6, "field 1: text follows the closing quote"),
        (7, "the line is longer than one may be"),
        (8, "the quotes of field 3 never end"),
    ]) {
        assert!(*line == at && error.contains(part), "{line}: {error}");
    }
    assert_eq!(told.len(), 5);
    let refused = site.refused();
    assert_eq!((refused.len(), &refused[0]), (5, &(4, "b,3,".into())));

    let mut bytes = b"id,SEX\n".to_vec();
    bytes.extend(b"\xff,1\n");
    let error = &rejected(&site.rows(bytes))[0];
    assert!(
        error.0 == 2 && error.1.contains("field 1 holds bytes"),
        "{error:?}"
    );
}

#[test]
fn nothing_of_a_request_is_taken_where_nothing_can_be_read_or_where_that_is_asked_for() {
    let skip = of(Codec::Json);
    let reply = skip.rows("id,sx\na,1\nb,2\n");
    assert_eq!(reply.error(422), "2 of 2 records can't be read");
    assert!(rejected(&reply)[1].1.contains("did you mean `sx`?"));
    assert_eq!(skip.refused(), [(2, "a,1".into()), (3, "b,2".into())]);
    let reject = site(Set {
        on_error: OnError::Reject,
        ..Set::default()
    });
    let reply = reject.rows("id,SEX,STATE\na,1,\nb,,\nc,1,off\n");
    assert_eq!(reply.error(422), "1 of 3 records can't be read");
    assert_eq!(reject.ids(), [""; 0]);
    assert_eq!(reject.refused(), [(3, "b,,".into())]);
}

#[test]
fn a_body_whose_first_row_names_nothing_is_refused_at_once() {
    let site = of(Codec::Json);
    let long = "x".repeat(1500);
    for (body, part) in [
        ("id,SEX,id\na,1,b\n", "columns 1 and 3 have one name"),
        ("id,SEX,id", "columns 1 and 3 have one name"),
        ("id;SEX\na;1\nb;2\n", "set decoding.delimiter = \";\""),
        ("\"id\"x,SEX\na,1\n", "text follows the closing quote"),
        ("\"id,SEX\na,1\n", "the quotes of field 1 never end"),
        (&*format!("{long}\na\n"), "longer than one may be"),
    ] {
        let reply = site.rows(body);
        let error = reply.error(400);
        assert!(
            error.starts_with("the first row can't name the columns: "),
            "{error}"
        );
        let help = reply.json()["help"].to_string();
        assert!(help.contains("correct the first row"), "{help}");
        let places = rejected(&reply);
        assert_eq!((places.len(), places[0].0), (1, 1), "{body}");
        assert!(
            places[0].1.contains(part) && error.contains(part),
            "{error}"
        );
    }
    for body in ["", "\n \n", "id,SEX\n"] {
        let reply = site.rows(body);
        assert_eq!(reply.error(400), "there is no record in the body");
        assert!(reply.text.contains("names the columns"));
    }
    assert!(site.taken.lock().unwrap().is_empty());
}

#[test]
fn the_config_tells_the_delimiter_and_the_columns_and_the_body_whether_it_names_them() {
    let site = of(separated(b';', Some(&["id", "SEX"])));
    let post = |kind: &str, body: &str| {
        let head = match kind {
            "" => "POST /v1/candidates".to_owned(),
            kind => format!("POST /v1/candidates\r\nContent-Type: {kind}"),
        };
        site.ask(&head, body)
    };
    for (kind, body) in [
        ("text/csv", "a;1\n"),
        ("text/csv; header=absent", "b;1\n"),
        ("text/csv;header=Present", "SEX;id\n1;c\n"),
        // Nothing says what these are.
        ("", "d;1\n"),
        ("application/octet-stream", "e;1\n"),
        ("application/json", "{\"id\":\"f\",\"SEX\":1}"),
    ] {
        let reply = post(kind, body);
        assert_eq!(
            (reply.status, &reply.json()["accepted"]),
            (202, &json!(1)),
            "{kind}"
        );
    }
    assert_eq!(site.ids(), ["a", "b", "c", "d", "e", "f"]);
    assert!(
        post("text/csv", "")
            .text
            .contains("the config names the columns")
    );
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let error = post(kind, "g;1\n").error(415);
        assert!(error.contains(kind), "{error}");
    }
}

#[test]
fn rows_that_would_be_misread_are_refused() {
    let site = of(separated(b',', None));
    for (kind, part) in [
        (
            "text/csv; header=absent",
            "names no columns (decoding.columns)",
        ),
        ("text/csv; header=maybe", "neither present nor absent"),
        (
            "text/csv; charset=windows-1252",
            "rows in windows-1252 are not read",
        ),
        ("text/csv\r\nContent-Encoding: br", "encoded as br"),
    ] {
        let reply = site.post("/v1/candidates", kind, "id,SEX\na,1\n");
        assert!(reply.error(415).contains(part), "{reply:?}");
    }
    for path in ["/v1/outcomes", "/v1/decisions"] {
        let reply = site.post(path, "text/csv", "id,SEX\na,1\n");
        assert_eq!(
            reply.error(415),
            "rows are taken at /v1/candidates alone, not here"
        );
        let help = reply.json()["help"].to_string();
        assert!(!help.contains("csv"), "{help}");
        site.ask(&format!("POST {path}"), "id,SEX\na,1\n")
            .error(415);
    }
    let help = site.post("/v1/candidates", "text/xml", "<a/>").json()["help"].to_string();
    assert!(help.contains("text/csv"), "{help}");
    assert!(site.taken.lock().unwrap().is_empty());
}

#[test]
fn bodies_of_rows_are_bounded_as_others_are_and_what_becomes_of_them_too() {
    let site = site(Set {
        limits: Limits {
            body_bytes: 20_000,
            records: 1000,
            ..Limits::default()
        },
        ..Set::default()
    });
    let many = |rows: usize| format!("SEX\n{}", "1\n".repeat(rows));
    assert_eq!(site.rows(many(1000)).json()["accepted"], 1000);
    let error = site.rows(many(1001)).error(413);
    assert_eq!(error, "the body has more than 1000 records");
    let error = site.rows(many(20_000)).error(413);
    assert!(error.contains("longer than 20000 bytes"), "{error}");
    // A long name in each of many short rows.
    let named = |rows: usize| format!("SEX,{}\n{}", "x".repeat(900), "1,\n".repeat(rows));
    assert_eq!(site.rows(named(50)).status, 202);
    let error = site.rows(named(900)).error(413);
    assert!(
        error.contains("more than 60000 bytes, with the names"),
        "{error}"
    );
    // Reading those that are left out costs as much.
    let out = format!("STATE,{}\n{}", "x".repeat(900), "off,\n".repeat(900));
    assert!(site.rows(out).error(413).contains("more than 60000 bytes"));
    assert_eq!(site.ids().len(), 1050);
}

#[test]
fn records_that_find_no_room_are_refused_for_now() {
    let site = site(Set {
        limits: Limits {
            under_way: 40 << 10,
            ..Limits::default()
        },
        ..Set::default()
    });
    let named = |rows: usize| format!("SEX,{}\n{}", "x".repeat(900), "1,\n".repeat(rows));
    let refused = site.rows(named(100));
    assert!(refused.error(429).contains("under way") && refused.is("retry-after", "1"));
    assert_eq!(site.rows(named(10)).status, 202);
}

#[test]
fn rows_read_on_a_thread_of_their_own_are_the_same() {
    let site = of(Codec::Json);
    let rows: String = (0..5000)
        .map(|id| format!("p{id},{}\n", 1 + id % 2))
        .collect();
    let reply = site.rows(format!("id,SEX\n{rows}"));
    assert_eq!(reply.json()["accepted"], 5000);
    assert_eq!(site.records()[4999], r#"{"id":"p4999","SEX":"2"}"#);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_body_is_the_same_in_whatever_pieces_it_comes(
        text in "(id,SEX\r?\n)?([a-c]{1,2},[12]\r?\n|[a1,\"\n]{1,5}|\"[a\n]{0,3}\",1\n){0,12}",
        cuts in prop::collection::vec(1..9_usize, 1..5),
    ) {
        let told = |pieces: &[&[u8]]| {
            let site = of(Codec::Json);
            let mut connection = site.connect();
            let head = "POST /v1/candidates\r\nContent-Type: text/csv\r\nTransfer-Encoding: \
                        chunked";
            connection.request(head, b"");
            for piece in pieces {
                connection.write(format!("{:x}\r\n", piece.len()).as_bytes());
                connection.write(piece);
                connection.write(b"\r\n");
            }
            connection.write(b"0\r\n\r\n");
            let reply = connection.reply();
            let json: Value = reply.json();
            (reply.status, json, site.records(), site.refused())
        };
        let mut pieces = Vec::new();
        let mut rest = text.as_bytes();
        for cut in cuts.iter().cycle() {
            let (piece, more) = rest.split_at((*cut).min(rest.len()));
            if piece.is_empty() {
                break;
            }
            pieces.push(piece);
            rest = more;
        }
        let whole: Vec<&[u8]> = [text.as_bytes()].into_iter().filter(|text| !text.is_empty()).collect();
        prop_assert_eq!(told(&pieces), told(&whole));
    }
}
