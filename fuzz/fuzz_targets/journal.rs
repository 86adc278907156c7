#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kleroterion::hostile::eat("journal", bytes));
