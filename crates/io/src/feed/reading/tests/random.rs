//! Records of any shape.

use proptest::prelude::*;

use super::*;

/// JSON of any shape, with names that mean something among others.
fn json() -> impl Strategy<Value = String> {
    let names = "(SEX|AGEP|EDU|mark|id|groups|features|street|town|STATE|specversion|data|\"|\\\\|é|\u{1}|[a-z]{0,3})";
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("1".to_owned()),
        Just("2".to_owned()),
        Just("\"off\"".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        any::<f64>().prop_filter_map("JSON", |x| serde_json::to_string(&x).ok()),
        (10..60).prop_map(|n: i32| n.to_string()),
        ".{0,4}".prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        let member = (names, inner.clone(), "[ \t]{0,2}");
        let object = prop::collection::vec(member, 0..9).prop_map(|members| {
            let members = members.iter().map(|(name, value, blank)| {
                format!(
                    "{}{blank}:{blank}{value}",
                    serde_json::to_string(name).unwrap()
                )
            });
            format!("{{ {} }}", members.collect::<Vec<_>>().join(" , "))
        });
        let list = prop::collection::vec(inner, 0..4);
        let list = list.prop_map(|list| format!("[ {} ]", list.join(" , ")));
        prop_oneof![4 => object, 1 => list]
    })
}

/// A record in which most is right.
fn almost() -> impl Strategy<Value = String> {
    let sex = prop_oneof![Just("1"), Just("\"2\""), Just(" 2 "), Just("\"\\u0031\"")];
    let id = prop_oneof![
        Just(String::new()),
        Just("\"id\" : null,".to_owned()),
        Just("\"id\":12 ,".to_owned()),
        ".{1,5}".prop_map(|id| format!("\"id\":{},", serde_json::to_string(&id).unwrap())),
    ];
    (sex, id, json(), 18..90, any::<i32>()).prop_map(|(sex, id, other, age, edu)| {
        format!("{{{id}\"groups\" : {{\"SEX\":{sex}}},\"AGEP\":{age} , \"EDU\":{edu},\"mark\":0,\"x\": {other} }}")
    })
}

/// So many cases; fifty times as many in the long form (KLERO_LONG): a million in all.
fn cases(cases: u32) -> ProptestConfig {
    let long = std::env::var_os("KLERO_LONG").is_some();
    ProptestConfig::with_cases(if long { 50 * cases } else { cases })
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn read_again_it_is_the_same(text in prop_oneof![almost(), almost(), json()], envelope in 0..4) {
        let told = |more: &str| format!("{{\"specversion\":\"1.0\", \"id\":\"e\", {more} \"data\": {text}}}");
        let text = match envelope {
            0 => told(""),
            1 => told("\"source\": \"//\\u00e9/f#g\","),
            2 => told("\"source\": \"a b\","),
            _ => text,
        };
        for reading in [reading(), Reading::new(ReadingSpec::default()).unwrap()] {
            if let Ok(Read::Candidate(read)) = reading.json(&text, 7) {
                prop_assert!(!read.record.contains('\n'));
                let again = reading.json(&read.record, 8);
                let record = (&*read.record).into();
                let read = CandidateRecord { naming: Naming::Own, record, ..read };
                prop_assert_eq!(again, Ok(Read::Candidate(read)), "{}", text);
            }
        }
    }

    #[test]
    fn two_envelopes_have_one_name_only_where_source_and_id_are_the_same(
        pairs in prop::array::uniform2(("[a#:/% ]{1,3}", "[a#: ]{1,3}")),
    ) {
        let reading = Reading::new(ReadingSpec::default()).unwrap();
        let names = pairs.each_ref().map(|(source, id)| {
            let text = serde_json::json!({"specversion": "1.0", "source": source, "id": id, "data": {}});
            match reading.json(&text.to_string(), 1) {
                Ok(Read::Candidate(read)) => Some(read.id),
                _ => None,
            }
        });
        if let [Some(one), Some(other)] = &names {
            prop_assert_eq!(one == other, pairs[0] == pairs[1]);
        }
    }
}

proptest! {
    #![proptest_config(cases(16_000))]

    #[test]
    fn no_text_makes_it_panic(text in prop_oneof![".{0,40}", "[\\[\\]{}\":,a-z0-9\\\\ ]{0,40}", almost()], cut in 0..200_usize) {
        let end = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
        let _ = reading().json(&text[..end], 1);
    }
}
