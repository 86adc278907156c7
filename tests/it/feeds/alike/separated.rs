//! Rows of separated text.

use super::*;

#[test]
fn rows_of_separated_text() {
    let semicolons = delimited(
        "delimiter = \";\"",
        "decoding = { codec = \"csv\", delimiter = \";\" }",
    );
    let tabs = delimited(
        "delimiter = \"\\t\"",
        "decoding = { codec = \"csv\", delimiter = \"\\t\" }",
    );
    let headless = delimited(
        "header = false\ncolumns = [\"SEX\", \"AGE\", \"EDU\", \"mark\", \"STATE\"]",
        "decoding = { codec = \"csv\", columns = [\"SEX\", \"AGE\", \"EDU\", \"mark\", \
         \"STATE\"] }",
    );
    assert_alike(
        &[
            (
                "commas",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20,3,0.5,on\n2,50,4,1,on\n",
                Ok(&["1", "2"]),
            ),
            (
                "semicolons, the last line without an end",
                semicolons,
                b"SEX;AGE;EDU;mark;STATE\n1;20;3;0,5;on\n2;50;4;1;a,b",
                Ok(&["1", "2"]),
            ),
            (
                "no header",
                headless,
                b"\xef\xbb\xbf1,20,3,0.5,on\n2,99,4,1,on\n1,30,1,1,on\n",
                Ok(&["1", "3"]),
            ),
            (
                "quotes, line breaks within them, a quote within quotes",
                COMMAS,
                b"SEX,AGE,EDU,mark,\"STATE\"\n\"1\",20,3,.5,\"a\nb\r\n\"\"c\"\"\"\n\
                  2,\"50\" ,4,1,5\" pipe\n",
                Ok(&["1", "2"]),
            ),
            (
                "a mark at the beginning, line feeds after carriage returns",
                COMMAS,
                b"\xef\xbb\xbfSEX,AGE,EDU,mark,STATE\r\n1,20,3,.5,on\r\n\r\n2,50,4,1,on\r\n",
                Ok(&["1", "2"]),
            ),
            (
                "a mark at the beginning of a later row",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20,3,.5,on\n\xef\xbb\xbf2,50,4,1,on\n",
                Ok(&["1", "2"]),
            ),
            (
                "blanks round headers and cells, in quotes or not",
                COMMAS,
                b" SEX , AGE,\" EDU \",mark\t,STATE\n 1, 20 ,\" 3 \",\t.5,on \n\
                  2,\xc2\xa050,4,1,on\n",
                Ok(&["1", "2"]),
            ),
            (
                "blank lines, one of which is a quoted nothing",
                COMMAS,
                b"\n  \nSEX,AGE,EDU,mark,STATE\n\n1,20,3,.5,on\n\t\r\n\"\"\n\" \"\n2,50,4,1,on\n\n",
                Ok(&["1", "2"]),
            ),
            (
                "empty cells at the end of rows of tabs",
                tabs,
                b"SEX\tAGE\tEDU\tmark\tSTATE\n1\t20\t3\t.5\t\n2\t50\t4\t1\t\r\n",
                Ok(&["1", "2"]),
            ),
            (
                "a row of tabs alone",
                tabs,
                b"SEX\tAGE\tEDU\tmark\tSTATE\n\t\t\t\t\n1\t20\t3\t.5\ton\n",
                Ok(&["1"]),
            ),
            (
                "columns and values as people spell them, numbers with commas",
                COMMAS,
                "Sex, age ,EDU,MARK,state\n\u{c9},20,\"3,25\",\"0,5\",on\ne\u{301},50,4,1,on\n"
                    .as_bytes(),
                Ok(&["1", "2"]),
            ),
            (
                "numbers that may be either",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20,3,\"1,234\",on\n2,50,4,1,on\n",
                Err(&[2]),
            ),
            (
                "Latin-1 in a cell that is read",
                COMMAS,
                // Most letters are UTF-8: else the file would be read as Latin-1, which no feed is.
                b"SEX,AGE,EDU,mark,STATE\n\xe9,20,3,.5,on\n2,50,4,1,\xc3\xa9\xc3\xa9\n",
                Err(&[2]),
            ),
            (
                "Latin-1 in a cell that nothing reads",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE,NAME\n\xc3\xa9,20,3,.5,on,Jos\xe9\n",
                Ok(&["1"]),
            ),
            (
                "cells that are no numbers, an empty feature, one left out",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,N,3,.5,on\n1,20,,.5,on\n3,99,1,.5,on\n1,20,1,,on\n\
                  1,20,1,inf,on\n",
                Err(&[2, 5, 6]),
            ),
            (
                "too few and too many fields, wrong quotes",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20\n1,20,3,.5,on,\n1,20,3,.5,\"on\"x\n1,20,3,.5,\"on\n",
                Err(&[2, 3, 4, 5]),
            ),
        ],
        "",
    );
}
