#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kleroterion_live::web::hostile::http(bytes));
