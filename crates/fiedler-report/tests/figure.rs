//! Figures as PNG and PDF: the size that was asked for, the same bytes twice, and the same ink in both.
#![cfg(feature = "figures")]
#![allow(clippy::unwrap_used)]

use std::io::Read;

use fiedler::dataset::demo;
use fiedler::{Analysis, Silent, Wanted};
use fiedler_report::{CHARTS, Chart, Look, Story, chart};

/// Every chart that there is of digits by two methods.
fn charts() -> Vec<(&'static str, Chart)> {
    let methods = vec!["mrsf".to_owned(), "fisher".to_owned()];
    let analysis = Analysis { methods, count: Wanted::Count(8), portrait: true, ..Analysis::default() };
    let found = analysis.run(&demo::digits().unwrap(), "digits", &Silent).unwrap();
    let story = Story { image_shape: Some((8, 8)), ..Story::of(&found) };
    CHARTS.iter().filter_map(|name| Some((*name, chart(&story, name)?))).collect()
}

/// What was drawn; nothing on a machine without fonts, which says so.
fn drawn(figure: Result<Vec<u8>, String>) -> Option<Vec<u8>> {
    match figure {
        Ok(bytes) => Some(bytes),
        Err(sentence) => {
            assert!(sentence.starts_with("no font is installed on this machine"), "{sentence}");
            None
        }
    }
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::ZlibDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

/// Width, height and colors of a PNG, by the letter of its specification.
fn decoded(png: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let four = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
    let (width, height) = (four(16), four(20));
    assert_eq!(png[24..29], [8, 2, 0, 0, 0], "8 bits, three colors");
    let (mut at, mut packed) = (8, Vec::new());
    while at < png.len() {
        let (length, kind) = (four(at), &png[at + 4..at + 8]);
        let mut sum = flate2::Crc::new();
        sum.update(&png[at + 4..at + 8 + length]);
        assert_eq!(sum.sum() as usize, four(at + 8 + length));
        if kind == b"IDAT" {
            packed.extend(&png[at + 8..at + 8 + length]);
        }
        at += 12 + length;
    }
    let lines = unpacked(&packed);
    assert_eq!(lines.len(), (3 * width + 1) * height);
    let colors = lines.chunks_exact(3 * width + 1).flat_map(|line| {
        assert_eq!(line[0], 0);
        line[1..].chunks_exact(3).map(|c| [c[0], c[1], c[2]])
    });
    (width, height, colors.collect())
}

#[test]
fn a_png_has_the_size_that_was_asked_for_and_ink() {
    for (name, chart) in charts() {
        for (width_mm, dpi, wide) in [(85.0, 300, 1004), (170.0, 100, 669)] {
            let look = Look { width_mm, ..Look::default() };
            let Some(png) = drawn(chart.png(&look, dpi)) else { return };
            assert_eq!(png, chart.png(&look, dpi).unwrap(), "{name}: the same bytes");
            let (width, height, colors) = decoded(&png);
            let svg = chart.figure(&look);
            let high = svg.split("height=\"").nth(1).unwrap().split("mm").next().unwrap();
            let high = high.parse::<f64>().unwrap() / 25.4 * f64::from(dpi as u32);
            assert!(width == wide && (height as f64 - high).abs() < 1.0, "{name}: {width} × {height}");
            let ink = colors.iter().filter(|c| **c != [255; 3]).count();
            assert!(ink > 1000 && ink < colors.len() * 9 / 10, "{name}: {ink} of {}", colors.len());
        }
    }
}

#[test]
fn without_color_there_is_none() {
    for (name, chart) in charts() {
        let look = Look { monochrome: true, ..Look::default() };
        let Some(png) = drawn(chart.png(&look, 100)) else { return };
        assert!(decoded(&png).2.iter().all(|[r, g, b]| r == g && g == b), "{name}");
        let pdf = drawing(&chart.pdf(&look).unwrap());
        for line in pdf.lines().filter(|l| l.contains(" rg ")) {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|w| *w == "rg").unwrap();
            assert!(words[at - 3] == words[at - 2] && words[at - 2] == words[at - 1], "{name}: {line}");
        }
    }
}

/// What a PDF draws: its first stream.
fn drawing(pdf: &[u8]) -> String {
    let find = |what: &[u8]| pdf.windows(what.len()).position(|w| w == what).unwrap();
    String::from_utf8(unpacked(&pdf[find(b"stream\n") + 7..])).unwrap()
}

#[test]
fn a_pdf_is_one_page_of_outlines() {
    for (name, chart) in charts() {
        let Some(pdf) = drawn(chart.pdf(&Look::default())) else { return };
        assert!(pdf.starts_with(b"%PDF-1.4\n") && pdf.ends_with(b"%%EOF\n"), "{name}");
        assert_eq!(pdf, chart.pdf(&Look::default()).unwrap(), "{name}: the same bytes");
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/MediaBox [0 0 240.9"), "{name}: 85 mm in points");
        assert!(!text.contains("/Font"), "{name}: words are outlines");
        let drawing = drawing(&pdf);
        assert_eq!(drawing.matches("q ").count(), drawing.matches(" Q\n").count(), "{name}");
        assert!(drawing.matches(" c ").count() > 100, "{name}: letters are curves");
        assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{name}");
    }
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let (_, chart) = charts().remove(0);
    let Some(_) = drawn(chart.pdf(&Look::default())) else { return };
    let strange = Look { font: "No Such Face, 'Nor This'".into(), ..Look::default() };
    let sentence = chart.pdf(&strange).unwrap_err();
    assert!(sentence.starts_with("the typeface `No Such Face, 'Nor This'` is not installed"), "{sentence}");
    let kind = Look { font: "No Such Face, serif".into(), ..Look::default() };
    assert_ne!(chart.pdf(&kind).unwrap(), chart.pdf(&Look::default()).unwrap());
    let large = Look { width_mm: 2000.0, ..Look::default() };
    let sentence = chart.png(&large, 2400).unwrap_err();
    assert!(sentence.contains("dots are more than a picture can have here"), "{sentence}");
}
