#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kleroterion_io::seat::hostile::seat(bytes));
