//! A picture of very many marks: PNG, one color that shines through where little is.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Steps of the color.
const STEPS: u8 = 64;
/// A blue that suits a page by day, by night and on paper.
const BLUE: [u8; 3] = [0x1f, 0x6f, 0xb4];
/// On paper without color.
const BLACK: [u8; 3] = [0; 3];

/// Shares from 0 to 1, row by row: opaque at 1 and clear at 0.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) steps: Vec<u8>,
}

impl Picture {
    pub(crate) fn of(width: usize, shares: &[f64]) -> Self {
        let step = |s: &f64| (s.clamp(0.0, 1.0) * f64::from(STEPS - 1)).round() as u8;
        Picture { width: width.max(1), steps: shares.iter().map(step).collect() }
    }

    pub(crate) fn height(&self) -> usize {
        self.steps.len() / self.width
    }

    /// The picture as an address.
    pub(crate) fn address(&self, monochrome: bool) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(self.png(monochrome)))
    }

    /// Its one color.
    pub(crate) fn color(&self, monochrome: bool) -> [u8; 3] {
        if monochrome { BLACK } else { BLUE }
    }

    /// How opaque its pixels are, of 255.
    #[cfg(feature = "figures")]
    pub(crate) fn opacities(&self) -> impl Iterator<Item = u8> {
        self.steps.iter().map(|&step| opacity(step))
    }

    fn png(&self, monochrome: bool) -> Vec<u8> {
        let color = self.color(monochrome);
        let clear: Vec<u8> = (0..STEPS).map(opacity).collect();
        let about = [(*b"PLTE", color.repeat(usize::from(STEPS))), (*b"tRNS", clear)];
        png((self.width, self.height()), PALETTE, &about, &self.steps)
    }
}

/// How opaque a step is, of 255.
fn opacity(step: u8) -> u8 {
    (u32::from(step) * 255 / u32::from(STEPS - 1)) as u8
}

/// A byte a pixel, which stands for a color.
const PALETTE: u8 = 3;
/// Three bytes a pixel.
#[cfg(feature = "figures")]
pub(crate) const COLORS: u8 = 2;

/// A PNG of 8 bits a channel with the chunks `about` its pixels, which go row by row.
pub(crate) fn png(
    (width, height): (usize, usize),
    kind: u8,
    about: &[([u8; 4], Vec<u8>)],
    pixels: &[u8],
) -> Vec<u8> {
    let mut lines = Vec::with_capacity(pixels.len() + height);
    for line in pixels.chunks_exact((pixels.len() / height.max(1)).max(1)) {
        lines.push(0); // no filter
        lines.extend(line);
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend((width as u32).to_be_bytes());
    head.extend((height as u32).to_be_bytes());
    head.extend([8, kind, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &head);
    about.iter().for_each(|(name, data)| chunk(&mut out, name, data));
    chunk(&mut out, b"IDAT", &packed(&lines));
    chunk(&mut out, b"IEND", &[]);
    out
}

pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
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
        let picture = Picture::of(3, &shares);
        let bytes = picture.png(false);
        assert_eq!(&bytes[16..24], [0, 0, 0, 3, 0, 0, 0, 2]);
        let at = bytes.windows(4).position(|w| w == b"IDAT").expect("data");
        let mut lines = Vec::new();
        flate2::read::ZlibDecoder::new(&bytes[at + 4..]).read_to_end(&mut lines).expect("packed");
        assert_eq!(lines, [0, 0, 63, 32, 0, 16, 63, 0]);
        assert!(picture.address(false).starts_with("data:image/png;base64,iVBOR"));
        assert_ne!(picture.address(false), picture.address(true));
    }
}
