//! A figure as a PDF of one page: the outlines as they are.
//!
//! A PDF is numbered objects and a table of where each begins. Here: the page and what leads to it, one stream of what is drawn, the
//! degrees of opacity that it refers to, and pictures. It has no date in it, so that the same figure is the same bytes.

use std::fmt::Write;

use usvg::tiny_skia_path::{PathSegment, Point, Transform};
use usvg::{Fill, FillRule, LineCap, LineJoin, Path, Stroke};

use super::{Place, Sheet, UNITS, color};
use crate::picture::{Picture, packed};

/// Points of PDF an inch.
const POINTS: f32 = 72.0;
/// The first object that is a picture, after those of [`Page::file`].
const FIRST: usize = 6;

/// A page in the making.
pub(super) struct Page {
    size: (f32, f32),
    drawn: String,
    /// Opacities in thousandths; what is drawn refers to them by their places.
    opacities: Vec<u32>,
    pictures: Vec<Picture>,
    monochrome: bool,
}

impl Page {
    /// A page of so many units of SVG.
    pub(super) fn new((width, height): (f32, f32), monochrome: bool) -> Self {
        let scale = POINTS / UNITS;
        let size = (width * scale, height * scale);
        Page { size, drawn: String::new(), opacities: Vec::new(), pictures: Vec::new(), monochrome }
    }

    /// Units of SVG as points of PDF, whose pages begin below.
    pub(super) fn scale(&self) -> Transform {
        let scale = POINTS / UNITS;
        Transform::from_row(scale, 0.0, 0.0, -scale, 0.0, self.size.1)
    }

    #[cfg(test)]
    pub(super) fn drawn(&self) -> &str {
        &self.drawn
    }

    fn place(&mut self, t: Transform) {
        let [a, b, c, d] = [t.sx, t.ky, t.kx, t.sy].map(fine);
        let _ = write!(self.drawn, "q {a} {b} {c} {d} {} {} cm ", number(t.tx), number(t.ty));
    }

    fn opacity(&mut self, opacity: f32) {
        let opacity = (opacity * 1000.0).round() as u32;
        let known = self.opacities.iter().position(|o| *o == opacity);
        let at = known.unwrap_or_else(|| {
            self.opacities.push(opacity);
            self.opacities.len() - 1
        });
        let _ = write!(self.drawn, "/G{at} gs ");
    }

    /// The file: objects one after the other, and a table of where each begins.
    pub(super) fn file(&self, title: &str) -> Vec<u8> {
        let (wide, high) = self.size;
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R /Resources << {} >> >>",
            number(wide),
            number(high),
            self.resources()
        );
        let mut objects = vec![
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            page.into_bytes(),
            stream("", self.drawn.as_bytes()),
            format!("<< /Title {} /Producer (fiedler) >>", words(title)).into_bytes(),
        ];
        for picture in &self.pictures {
            let mask = objects.len() + 2;
            objects.extend(self.picture_objects(picture, mask));
        }
        bound(&objects)
    }

    fn resources(&self) -> String {
        let mut out = String::from("/ExtGState <<");
        for (i, opacity) in self.opacities.iter().enumerate() {
            let opacity = number(*opacity as f32 / 1000.0);
            let _ = write!(out, " /G{i} << /ca {opacity} /CA {opacity} >>");
        }
        out.push_str(" >> /XObject <<");
        for i in 0..self.pictures.len() {
            let _ = write!(out, " /I{i} {} 0 R", FIRST + 2 * i);
        }
        out + " >>"
    }

    /// The color of a picture, and how much of it is seen, which is the object `mask`.
    fn picture_objects(&self, picture: &Picture, mask: usize) -> [Vec<u8>; 2] {
        let about = |kind: &str| {
            format!(
                "/Type /XObject /Subtype /Image /Width {} /Height {} /BitsPerComponent 8 /ColorSpace /{kind} ",
                picture.width,
                picture.height()
            )
        };
        let cover: Vec<u8> = picture.opacities().collect();
        let colors = picture.color(self.monochrome).repeat(cover.len());
        let masked = format!("{}/SMask {mask} 0 R ", about("DeviceRGB"));
        [stream(&masked, &colors), stream(&about("DeviceGray"), &cover)]
    }
}

impl Sheet for Page {
    fn area(&mut self, path: &Path, fill: &Fill, at: Place) {
        self.place(at.transform);
        self.opacity(fill.opacity().get() * at.opacity);
        let how = if fill.rule() == FillRule::EvenOdd { "f*" } else { "f" };
        let _ = writeln!(self.drawn, "{} rg {}{how} Q", shares(color(fill.paint())), outline(path));
    }

    fn line(&mut self, path: &Path, stroke: &Stroke, at: Place) {
        self.place(at.transform);
        self.opacity(stroke.opacity().get() * at.opacity);
        let cap = match stroke.linecap() {
            LineCap::Butt => 0,
            LineCap::Round => 1,
            LineCap::Square => 2,
        };
        let join = match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => 0,
            LineJoin::Round => 1,
            LineJoin::Bevel => 2,
        };
        let dashes: Vec<String> = stroke.dasharray().unwrap_or(&[]).iter().map(|d| number(*d)).collect();
        let _ = writeln!(
            self.drawn,
            "{} RG {} w {cap} J {join} j {} M [{}] {} d {}S Q",
            shares(color(stroke.paint())),
            number(stroke.width().get()),
            number(stroke.miterlimit().get()),
            dashes.join(" "),
            number(stroke.dashoffset()),
            outline(path)
        );
    }

    fn picture(&mut self, picture: &Picture, at: Place) {
        self.place(at.transform);
        self.opacity(at.opacity);
        // A picture of PDF is a unit wide and high, and stands on its feet.
        let (w, h) = (picture.width, picture.height());
        let _ = writeln!(self.drawn, "{w} 0 0 -{h} 0 {h} cm /I{} Do Q", self.pictures.len());
        self.pictures.push(picture.clone());
    }
}

/// Objects as a file.
fn bound(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = String::new();
    for (i, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        out.extend(format!("{} 0 obj\n", i + 1).as_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let (count, at) = (objects.len() + 1, out.len());
    let end = format!(
        "xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R /Info 5 0 R >>\n\
         startxref\n{at}\n%%EOF\n"
    );
    out.extend(end.as_bytes());
    out
}

fn stream(about: &str, bytes: &[u8]) -> Vec<u8> {
    let packed = packed(bytes);
    let head = format!("<< {about}/Filter /FlateDecode /Length {} >>\nstream\n", packed.len());
    [head.as_bytes(), &packed, b"\nendstream"].concat()
}

/// Any words: UTF-16 in hexadecimal digits.
fn words(text: &str) -> String {
    let digits: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{digits}>")
}

fn outline(path: &Path) -> String {
    let mut out = String::new();
    let mut last = Point::zero();
    let curve = |out: &mut String, points: [Point; 3]| {
        points.iter().for_each(|p| push(out, *p));
        out.push_str("c ");
    };
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(p) => {
                push(&mut out, p);
                out.push_str("m ");
                last = p;
            }
            PathSegment::LineTo(p) => {
                push(&mut out, p);
                out.push_str("l ");
                last = p;
            }
            PathSegment::QuadTo(by, p) => {
                // The cubic curve that is the same.
                let third =
                    |end: Point| end + Point::from_xy((by.x - end.x) * 2.0 / 3.0, (by.y - end.y) * 2.0 / 3.0);
                curve(&mut out, [third(last), third(p), p]);
                last = p;
            }
            PathSegment::CubicTo(a, b, p) => {
                curve(&mut out, [a, b, p]);
                last = p;
            }
            PathSegment::Close => out.push_str("h "),
        }
    }
    out
}

fn push(out: &mut String, p: Point) {
    let _ = write!(out, "{} {} ", number(p.x), number(p.y));
}

fn shares(color: [u8; 3]) -> String {
    color.map(|c| number(f32::from(c) / 255.0)).join(" ")
}

/// A number to a thousandth, which is finer than any print.
fn number(v: f32) -> String {
    let v = (f64::from(v) * 1e3).round() / 1e3;
    // No negative zero.
    (v + 0.0).to_string()
}

/// A number that others are multiplied by.
fn fine(v: f32) -> String {
    ((f64::from(v) * 1e6).round() / 1e6 + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_plain() {
        assert_eq!([0.1f32, -0.0, 12.345_678, 1e-9, -3.0].map(number), ["0.1", "0", "12.346", "0", "-3"]);
        assert_eq!(words("α²"), "<FEFF03B100B2>");
    }

    #[test]
    fn the_table_says_where_every_object_begins() {
        let file = bound(&[b"one".to_vec(), b"two".to_vec(), b"three".to_vec()]);
        let text = String::from_utf8_lossy(&file[15..]).into_owned();
        let table = &text[text.find("xref").expect("a table")..];
        let begins =
            table.lines().filter(|l| l.ends_with(" n ")).map(|l| l[..10].parse::<usize>().expect("a place"));
        for (i, at) in begins.enumerate() {
            assert!(file[at..].starts_with(format!("{} 0 obj\n", i + 1).as_bytes()), "{i}");
        }
        let at: usize = table.lines().rev().nth(1).expect("a line").parse().expect("a place");
        assert!(file[at..].starts_with(b"xref"));
    }
}
