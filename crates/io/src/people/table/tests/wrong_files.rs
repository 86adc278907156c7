//! Files with something wrong: the problem, its place, and that nothing panics.

use super::*;

/// A file, and of each of its problems how it begins and what else it holds.
type Case<'a> = (&'a [u8], &'a [(&'a str, &'a str)]);

#[test]
fn wrong_csv() {
    let cases: &[Case] = &[
        (b"", &[(": the file is empty", "one row")]),
        (b"\n \n\r\n", &[(": the file is empty", "")]),
        (b"\xef\xbb\xbf", &[(": the file is empty", "")]),
        (b"a,b\n", &[(": the file has no row", "")]),
        (
            b"a,b\n1,x\n2\n",
            &[(":3: the row has 1 field where the header has 2", "correct")],
        ),
        (
            b"a,b\n1,x,\n2,y",
            &[(":2: the row has 3 fields", "blank before")],
        ),
        (
            b"a,b\n1,\"x\n2,y\n3,\"y\n4,x\n",
            &[(
                ":2:2: after the quoted field that begins here text follows on line 4",
                "left open",
            )],
        ),
        (
            b"a,b\n1,x\n\n2,\"y\n3,x\n",
            &[(
                ":4:2: the quoted field that begins here never ends",
                "cut off",
            )],
        ),
        (
            b"a,b\r\n1,x\r\n\"1\n\",\"y",
            &[(":4:2: the quoted field", "cut off")],
        ),
        (b"a,b\n1,x\n\"", &[(":3:1: the quoted field", "")]),
        (b"a,\"b", &[(":1:2: the quoted field", "")]),
        (
            // Most letters beyond ASCII are UTF-8, so the file is.
            b"a,b,\xc3\xa9\xc3\xa9\xc3\xa9\n1,x,\n2,\xff,\n\xfe,\xff,\n",
            &[(
                ":3:2: the field holds bytes that are not UTF-8, and so it is in 2 rows",
                "UTF-8",
            )],
        ),
        (
            b"a,b,a\n1,x,1\n",
            &[(":1:3: there is more than one column 'a'", "its own")],
        ),
        (
            b"a,c\n1,x\n",
            &[(
                ":1: there is no column `b`, wanted by the attribute `b`",
                "columns are a, c",
            )],
        ),
        (
            b"1,x\n2,y\n",
            &[
                (":1: there is no column `a`", "header = false"),
                (":1: there is no column `b`", ""),
            ],
        ),
        (
            b"a,b\n1,x\nN,y\n",
            &[(":3:1: 'N' in `a` is not a number", "where = [\"a >= 0\"]")],
        ),
        (
            b"a,b\n10,x\n-1,y\n",
            &[
                (":2:1: '10' in `a` is in no band of `a`", "a != 10"),
                (":3:1: '-1'", "a >= 0"),
            ],
        ),
        (
            b"a,b\n1,z\n2,\n",
            &[
                (":2:2: 'z' in `b` is not among", "add it to `values`, or"),
                (":3:2: ''", "b != ''"),
            ],
        ),
        (
            b"a,b\n1,q\n1,x y\n",
            &[
                (":2:2: 'q'", ""),
                (":3:2: 'x y'", "where = [\"b != 'x y'\"]"),
            ],
        ),
        (
            b"a,b\n1\nN,z\n",
            &[
                (":2: the row has 1", ""),
                (":3:1: 'N'", ""),
                (":3:2: 'z'", ""),
            ],
        ),
        (b"\0\n", &[(": this is no text", "separated text")]),
        (b"a,b\n1,x\n\0", &[(": this is no text", "workbook")]),
    ];
    for (bytes, due) in cases {
        let file = made(bytes);
        println!("{}", String::from_utf8_lossy(bytes));
        assert_told(&spec(&file.path, csv(), ab()), due);
    }
}

#[test]
fn wrong_ndjson() {
    let good = "{\"a\":1,\"b\":\"x\"}\n";
    let cases: &[Case] = &[
        (b"", &[(": the file is empty", "")]),
        (b"{\"a\":1,\"b\":\"x\"", &[(":2:", "cut off")]),
        (b"[1, 2]", &[(":2:", "expected a JSON object")]),
        (b"\"\xc3\xa9\" x", &[(":2:", "JSON object")]),
        (
            b"{\"a\":1,\"b\":\"x\"} {}",
            &[(
                ":2:17: the line is not a JSON object: trailing",
                "one JSON object a line",
            )],
        ),
        (b"a,b\n1,x", &[(":2:1: the line is not", ""), (":3:", "")]),
        (
            b"{\"a\":1,\"b\":\"\xc3\xa9\xff\"}",
            &[(":2:14: the line holds bytes", "UTF-8")],
        ),
        (
            b"{\"a\":1,\"a\":2,\"b\":\"x\"}",
            &[(":2: the member 'a' is there twice", "once")],
        ),
        (
            b"{\"a\":[1],\"b\":\"x\"}",
            &[(":2: the member 'a' is an object or a list", "")],
        ),
        (
            b"{\"a\":1}",
            &[(":2: the record has no `b`", "where = [\"b != ''\"]")],
        ),
        (
            b"{\"a\":1,\"b\":null}",
            &[(":2: the record has no `b`", "")],
        ),
        (
            b"{\"a\":1,\"b\":\" z\"}",
            &[(":2: ' z' in `b` is not among", "")],
        ),
        (b"{\"a\":1,\"b\":true}", &[(":2: 'true' in `b`", "")]),
    ];
    for (bytes, due) in cases {
        let file = made(
            [
                if bytes.is_empty() {
                    b""
                } else {
                    good.as_bytes()
                },
                bytes,
            ]
            .concat(),
        );
        println!("{}", String::from_utf8_lossy(bytes));
        assert_told(&spec(&file.path, json(), ab()), due);
    }
    let file = made("{\"a\":1,\"groups\":{\"bb\":\"x\"}}\n".repeat(30));
    let help = "the columns are a, bb, groups";
    assert_told(
        &spec(&file.path, json(), ab()),
        &[(": there is no column `b`", help)],
    );
    let file = made("{]\n".repeat(30));
    let told = problems(&spec(&file.path, json(), ab()));
    assert_eq!(
        (told.len(), told[20].as_str()),
        (21, ": and 10 more like these")
    );
}

#[test]
fn many_of_a_kind_are_counted_and_none_hides_another() {
    let rows = ["N,x\n", "1\n", "1,z\n"].map(|row| row.repeat(30)).concat();
    let file = made(format!("a,b\n{rows}"));
    let told = problems(&spec(&file.path, csv(), ab()));
    assert_eq!(told.len(), 63);
    assert_eq!(
        told[20],
        ": and 10 more like these (help: rows by value refused: 'N' in 30)"
    );
    assert_eq!(told[41], ": and 10 more like these");
    assert!(told[42].starts_with(":62:2: 'z'"), "{}", told[42]);
}

#[test]
fn no_bytes_make_it_panic() {
    // Every string of five of these pieces, by every codec.
    let pieces = [
        "a", ",", "\"", "\n", "\r\n", "{", "\u{feff}", "\0", ":1", "}",
    ]
    .map(str::as_bytes);
    let file = made("");
    for n in 0..10_usize.pow(5) {
        let bytes: Vec<&[u8]> = (0..5).map(|k| pieces[n / 10_usize.pow(k) % 10]).collect();
        if n % 97 == 0 {
            std::fs::write(&file.path, bytes.concat()).unwrap();
            for codec in [csv(), headless(&["a", "b"]), json()] {
                _ = PeopleTable::load(&spec(&file.path, codec, ab()));
            }
        }
    }
}
