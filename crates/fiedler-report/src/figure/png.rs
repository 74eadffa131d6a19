//! A figure as dots.

use tiny_skia::{Color, FillRule, FilterQuality, Paint, Pixmap, PixmapPaint, PremultipliedColorU8};
use usvg::{Fill, Path, Stroke};

use super::{INCH, Place, Sheet, color};
use crate::picture::{COLORS, Picture, png};

/// A sheet of dots, white at first.
pub(super) struct Dots {
    map: Pixmap,
    monochrome: bool,
}

impl Dots {
    pub(super) fn new(width: u32, height: u32, monochrome: bool) -> Option<Self> {
        let mut map = Pixmap::new(width, height)?;
        map.fill(Color::WHITE);
        Some(Dots { map, monochrome })
    }

    #[cfg(test)]
    pub(super) fn at(&self, (x, y): (u32, u32)) -> [u8; 3] {
        let dot = self.map.pixel(x, y).expect("inside");
        [dot.red(), dot.green(), dot.blue()]
    }

    /// The file, which says how large a dot is.
    pub(super) fn file(&self, dots_per_inch: usize) -> Vec<u8> {
        let per_meter = (dots_per_inch as f64 / INCH * 1000.0).round() as u32;
        let [x, y] = [per_meter.to_be_bytes(); 2];
        let scale = [&x[..], &y, &[1]].concat();
        let colors: Vec<u8> = self.map.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
        let size = (self.map.width() as usize, self.map.height() as usize);
        png(size, COLORS, &[(*b"pHYs", scale)], &colors)
    }
}

fn paint(what: &usvg::Paint, opacity: f32) -> Paint<'static> {
    let [r, g, b] = color(what);
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (opacity * 255.0).round() as u8);
    paint
}

impl Sheet for Dots {
    fn area(&mut self, path: &Path, fill: &Fill, at: Place) {
        let rule = match fill.rule() {
            usvg::FillRule::NonZero => FillRule::Winding,
            usvg::FillRule::EvenOdd => FillRule::EvenOdd,
        };
        let paint = paint(fill.paint(), fill.opacity().get() * at.opacity);
        self.map.fill_path(path.data(), &paint, rule, at.transform, None);
    }

    fn line(&mut self, path: &Path, stroke: &Stroke, at: Place) {
        let paint = paint(stroke.paint(), stroke.opacity().get() * at.opacity);
        self.map.stroke_path(path.data(), &paint, &stroke.to_tiny_skia(), at.transform, None);
    }

    fn picture(&mut self, picture: &Picture, at: Place) {
        let Some(mut map) = Pixmap::new(picture.width as u32, picture.height() as u32) else { return };
        let [r, g, b] = picture.color(self.monochrome);
        for (pixel, cover) in map.pixels_mut().iter_mut().zip(picture.opacities()) {
            let part = |c: u8| (u32::from(c) * u32::from(cover) / 255) as u8;
            // No part is more than the cover, so that this is a color.
            *pixel = PremultipliedColorU8::from_rgba(part(r), part(g), part(b), cover)
                .unwrap_or(PremultipliedColorU8::TRANSPARENT);
        }
        let how =
            PixmapPaint { opacity: at.opacity, quality: FilterQuality::Nearest, ..PixmapPaint::default() };
        self.map.draw_pixmap(0, 0, map.as_ref(), &how, at.transform, None);
    }
}
