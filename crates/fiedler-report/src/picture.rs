//! A picture of very many marks: PNG, one color that shines through where little is.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Steps of the color.
const STEPS: u8 = 64;

/// Shares from 0 to 1, row by row, as the address of a picture: blue, opaque at 1 and clear at 0, so that it suits a page
/// by day, by night and on paper.
pub(crate) fn of_shares(width: usize, shares: &[f64]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png(width, shares)))
}

fn png(width: usize, shares: &[f64]) -> Vec<u8> {
    let height = shares.len() / width.max(1);
    let mut lines = Vec::with_capacity((width + 1) * height);
    for line in shares.chunks_exact(width.max(1)) {
        lines.push(0); // no filter
        lines.extend(line.iter().map(|s| (s.clamp(0.0, 1.0) * f64::from(STEPS - 1)).round() as u8));
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend((width as u32).to_be_bytes());
    head.extend((height as u32).to_be_bytes());
    head.extend([8, 3, 0, 0, 0]); // 8 bits, a palette
    chunk(&mut out, b"IHDR", &head);
    chunk(&mut out, b"PLTE", &[0x1f, 0x6f, 0xb4].repeat(usize::from(STEPS)));
    let clear: Vec<u8> = (0..STEPS).map(|s| (u32::from(s) * 255 / u32::from(STEPS - 1)) as u8).collect();
    chunk(&mut out, b"tRNS", &clear);
    chunk(&mut out, b"IDAT", &packed(&lines));
    chunk(&mut out, b"IEND", &[]);
    out
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut coder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing into memory does not fail.
    let _ = coder.write_all(bytes);
    coder.finish().unwrap_or_default()
}

fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let from = out.len();
    out.extend(kind);
    out.extend(data);
    let mut sum = flate2::Crc::new();
    sum.update(&out[from..]);
    out.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_picture_has_the_pixels_that_went_in() {
        let shares = [0.0, 1.0, 0.5, 0.25, 1.0, 0.0];
        let bytes = png(3, &shares);
        assert_eq!(&bytes[16..24], [0, 0, 0, 3, 0, 0, 0, 2]);
        let at = bytes.windows(4).position(|w| w == b"IDAT").expect("data");
        let mut lines = Vec::new();
        flate2::read::ZlibDecoder::new(&bytes[at + 4..]).read_to_end(&mut lines).expect("packed");
        assert_eq!(lines, [0, 0, 63, 32, 0, 16, 63, 0]);
        assert!(of_shares(3, &shares).starts_with("data:image/png;base64,iVBOR"));
    }
}
