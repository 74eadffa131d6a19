#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fiedler_fuzz::read("kgml", bytes));
