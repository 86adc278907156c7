//! Wrong categories files and every problem that they give, apart from those of the integration
//! tests.

use super::*;

/// Text, the committee's size where known, and the problems.
type Case<'a> = (&'a str, Option<u64>, &'a str);

fn assert_told(cases: &[Case]) {
    let mut wrong = String::new();
    for (text, members, due) in cases {
        let told = told(categories(text, *members));
        if told != *due {
            wrong += &format!("{text:?}\n{told}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn headers() {
    assert_told(&[
        (
            "feature,value,min\ng,a,1\ng,,x\n",
            None,
            ":1: there is no column `max`, wanted by the maximums (help: the columns are feature, value, min)\n\
             :3:2: the value of `g` in `value` is blank (help: name the value, or leave out the row)\n\
             :3:3: `min` is not a whole number: 'x' (help: write a whole number in digits alone)",
        ),
        (
            "feature,min,max\ng,3,2\nh,1\n",
            None,
            ":1: there is no column `value`, wanted by the attributes' values (help: the columns are feature, min, max)\n\
             :2:2: `min` 3 is over `max` 2 (help: lower the one or raise the other)\n\
             :3: the row has 2 fields where the header has 3 (help: correct the row; a field that holds the \
             delimiter must be in quotes, with no blank before them)",
        ),
        (
            "category,nam,min,max\ng,a,1,2\n",
            None,
            ":1: there is no column `name`, wanted by the attributes' values (help: did you mean `nam`? The columns are \
             category, nam, min, max)",
        ),
        (
            "feature,value,min,max,max_flex,MAX_FLEX\ng,a,1,2,3,3\n",
            None,
            ":1:6: there is more than one column `max_flex`, wanted by the flexible maximums (help: keep one of them, or \
             rename the others)",
        ),
        (
            "Feature,feature,value,min,max\ng,g,a,1,2\n",
            None,
            ":1:2: there is more than one column `feature`, wanted by the attributes (help: keep one of them, or rename the \
             others)",
        ),
    ]);
}

#[test]
fn rows() {
    assert_told(&[(
        "category,feature,min,max\ng,,1,2\ng,b,1,2\n",
        None,
        ":2:2: the value of `g` in `feature` is blank (help: name the value, or leave out the row)",
    )]);
}

#[test]
fn numbers() {
    assert_told(&[
        (
            "feature,value,min,max\ng,a,1.5,2\ng,b,one,2.0\ng,c,+1,1e3\n",
            None,
            ":2:3: `min` is not a whole number: '1.5' (help: write a whole number, or a share of the seats with its mark, as in 24.5 %)\n\
             :3:3: `min` is not a whole number: 'one' (help: write a whole number in digits alone)\n\
             :4:3: `min` is not a whole number: '+1' (help: write a whole number in digits alone)\n\
             :4:4: `max` is not a whole number: '1e3' (help: write a whole number in digits alone)",
        ),
        (
            "feature,value,min,max\ng,a,-1,2\ng,b,-1.5,2\n",
            None,
            ":2:3: `min` is negative: '-1' (help: write 0 or more)\n\
             :3:3: `min` is not a whole number: '-1.5' (help: write a whole number in digits alone)",
        ),
        (
            "category,name,max,min\ng,a,2,3\n",
            None,
            ":2:4: `min` 3 is over `max` 2 (help: lower the one or raise the other)",
        ),
        (
            "feature,value,min,max,min_flex,max_flex\ng,a,1,2,2,2\ng,b,1,2,1,1\ng,c,1,2,x,-4\n",
            None,
            ":2:5: `min_flex` 2 is over `min` 1 (help: a flexible minimum is the minimum or less)\n\
             :3:6: `max_flex` 1 is under `max` 2 (help: a flexible maximum is the maximum or more)\n\
             :4:5: `min_flex` is not a whole number: 'x' (help: write a whole number in digits alone)\n\
             :4:6: `max_flex` is negative: '-4' (help: write 0 or more)",
        ),
        (
            "feature,value,max_flex,min,max\ng,a,0,1,2\n",
            None,
            ":2:3: `max_flex` 0 is under `max` 2 (help: a flexible maximum is the maximum or more)",
        ),
        (
            "feature,value,min,max\ng,A,1,2\nh,a,1,2\nG, a ,1,2\n",
            None,
            ":4:2: the value 'a' of `g` is on line 2 already (help: keep one row a value; case and blanks make no difference)",
        ),
    ]);
}

#[test]
fn sums() {
    let people = "feature,value,min,max\ng,a,14,16\ng,b,14,16\nh,x,10,12\nh,y,17,20\n";
    assert_told(&[
        (
            people,
            Some(27),
            ":2:3: the minimums of `g` sum to 28, more than the committee's 27 (help: lower some of them)",
        ),
        (
            people,
            Some(33),
            ":2:4: the maximums of `g` sum to 32, less than the committee's 33 (help: raise some of them)\n\
             :4:4: the maximums of `h` sum to 32, less than the committee's 33 (help: raise some of them)",
        ),
        (people, Some(28), ""),
        (people, Some(32), ""),
        (
            "feature,value,min,max\ng,a,5,6\ng,b,5,6\nh,x,7,7\nh,y,7,7\nl,u,1,1\nl,v,1,9\n",
            None,
            ":2:4: the maximums of `g` sum to 12, less than the 14 that the minimums of `h` sum to (help: raise the former or \
             lower the latter)\n\
             :6:4: the maximums of `l` sum to 10, less than the 14 that the minimums of `h` sum to (help: raise the \
             former or lower the latter)",
        ),
        (
            "feature,value,min,max\ngender,a,5,6\ngendre,b,7,9\n",
            None,
            ":2:4: the maximums of `gender` sum to 6, less than the 7 that the minimums of `gendre` sum to (help: raise the \
             former or lower the latter; it has one value only: did you mean `gendre`?)",
        ),
        // A value that is there twice is not summed up.
        (
            "feature,value,min,max\ng,a,2,2\ng,A,2,2\n",
            Some(2),
            ":3:2: the value 'A' of `g` is on line 2 already (help: keep one row a value; case and blanks make no \
             difference)",
        ),
        // Nor is an attribute that could not be read.
        (
            "feature,value,min,max\ng,a,5,6\ng,b,x,6\nh,x,50,60\n",
            Some(10),
            ":3:3: `min` is not a whole number: 'x' (help: write a whole number in digits alone)\n\
             :4:3: the minimums of `h` sum to 50, more than the committee's 10 (help: lower some of them)",
        ),
        (
            "feature,value,min,max\ng,a,4000000000,4000000000\ng,b,4000000000,4294967295\n",
            Some(5),
            ":2:3: the minimums of `g` sum to 8000000000, more than the committee's 5 (help: lower some of them)",
        ),
    ]);
}

#[test]
fn bytes_that_are_no_text_and_files_that_are_none() {
    let text = b"feature,value,min,max,\xc3\xa9\xc3\xa9\xc3\xa9\ng,\xe9t\xe9,1,2,\ng,b,x,2,\n";
    assert_eq!(
        told(categories(text, None)),
        ":2:2: the field holds bytes that are not UTF-8 (help: save the file as UTF-8 (a spreadsheet calls it CSV UTF-8))\n\
             :3:3: `min` is not a whole number: 'x' (help: write a whole number in digits alone)"
    );
    let folder = tempfile::tempdir().expect("a folder for the test");
    let load = |path: &std::path::Path| {
        Categories::load(path, &How::default(), None).expect_err("no file")
    };
    let error = load(&folder.path().join("absent/file.csv"));
    assert_eq!(error.unopened, Some(std::io::ErrorKind::NotFound));
    assert_eq!(
        told::<()>(Err(error)),
        ": the file cannot be found (help: correct the path; it starts at the folder in which klero runs)"
    );
    let error = load(folder.path()).problems.to_string();
    assert!(error.ends_with("this is a folder and not a file (help: name a file in it)"));
}
