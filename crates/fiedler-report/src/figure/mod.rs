//! A chart as PNG or PDF, for papers and slides that take no SVG.
//!
//! ```text
//!  Chart ──► SVG ──► usvg ──► areas, lines, pictures ──► dots (PNG)
//!                                                   └─► the same outlines (PDF)
//! ```
//! `usvg` resolves the style sheet and turns words into outlines by the fonts of this machine. What is left is so little
//! that it is drawn here: by `tiny-skia` as dots, and as it is into a PDF, which has no font to embed then.

mod fonts;
mod pdf;
mod png;

use usvg::tiny_skia_path::Transform;
use usvg::{Fill, Group, Node, Options, Paint, PaintOrder, Path, Stroke, Tree};

use crate::picture::Picture;
use crate::{Chart, Look};

/// Units of SVG an inch.
const UNITS: f32 = 96.0;
/// Millimeters an inch.
const INCH: f64 = 25.4;
/// Dots of a PNG at most.
const MOST: f64 = 1e8;

impl Chart {
    /// The chart as a PNG of so many dots an inch.
    ///
    /// # Errors
    /// A sentence: no font is installed, not the one that is asked for, or the figure has too many dots.
    pub fn png(&self, look: &Look, dots_per_inch: usize) -> Result<Vec<u8>, String> {
        let dots = |mm: f64| (mm / INCH * dots_per_inch as f64).round().max(1.0);
        let (wide, high) = (dots(look.width_mm), dots(look.width_mm * self.height / self.width));
        if wide * high > MOST {
            return Err(format!(
                "{wide} × {high} dots are more than a picture can have here; make it less wide, with fewer dots an \
                 inch, or .svg or .pdf, which have any size"
            ));
        }
        let tree = self.tree(look)?;
        let mut dots =
            png::Dots::new(wide as u32, high as u32, look.monochrome).ok_or("the figure has no size")?;
        let size = tree.size();
        let scale = Transform::from_scale(wide as f32 / size.width(), high as f32 / size.height());
        self.draw(&tree, scale, &mut dots);
        Ok(dots.file(dots_per_inch))
    }

    /// The chart as a PDF of one page.
    ///
    /// # Errors
    /// A sentence: no font is installed, or not the one that is asked for.
    pub fn pdf(&self, look: &Look) -> Result<Vec<u8>, String> {
        let tree = self.tree(look)?;
        let mut page = pdf::Page::new((tree.size().width(), tree.size().height()), look.monochrome);
        self.draw(&tree, page.scale(), &mut page);
        Ok(page.file(&self.title))
    }

    fn tree(&self, look: &Look) -> Result<Tree, String> {
        let (fonts, usual) = fonts::installed(&look.font)?;
        let options = Options { fontdb: fonts.into(), font_family: usual, dpi: UNITS, ..Options::default() };
        Tree::from_str(&self.figure(look), &options).map_err(|error| error.to_string())
    }

    fn draw(&self, tree: &Tree, scale: Transform, sheet: &mut dyn Sheet) {
        let mut pictures = self.pictures.iter();
        draw(tree.root(), Place { transform: scale, opacity: 1.0 }, &mut pictures, sheet);
    }
}

/// What a figure is drawn on.
trait Sheet {
    fn area(&mut self, path: &Path, fill: &Fill, at: Place);
    fn line(&mut self, path: &Path, stroke: &Stroke, at: Place);
    /// A picture, a unit a pixel.
    fn picture(&mut self, picture: &Picture, at: Place);
}

/// Where something is drawn, and how much of it shines through.
#[derive(Debug, Clone, Copy)]
struct Place {
    transform: Transform,
    opacity: f32,
}

/// Draws what is in a group, with the pictures of the chart in their order.
fn draw(group: &Group, at: Place, pictures: &mut dyn Iterator<Item = &Picture>, sheet: &mut dyn Sheet) {
    let at = Place {
        transform: at.transform.pre_concat(group.transform()),
        opacity: at.opacity * group.opacity().get(),
    };
    for node in group.children() {
        match node {
            Node::Group(inner) => draw(inner, at, pictures, sheet),
            // A font may have pictures of its own, which are left out.
            Node::Text(text) => draw(text.flattened(), at, &mut std::iter::empty(), sheet),
            Node::Path(path) if path.is_visible() => outline(path, at, sheet),
            Node::Image(_) => pictures.next().into_iter().for_each(|picture| sheet.picture(picture, at)),
            Node::Path(_) => {}
        }
    }
}

fn outline(path: &Path, at: Place, sheet: &mut dyn Sheet) {
    let area = |sheet: &mut dyn Sheet| path.fill().into_iter().for_each(|f| sheet.area(path, f, at));
    let line = |sheet: &mut dyn Sheet| path.stroke().into_iter().for_each(|s| sheet.line(path, s, at));
    match path.paint_order() {
        PaintOrder::FillAndStroke => (area(sheet), line(sheet)),
        PaintOrder::StrokeAndFill => (line(sheet), area(sheet)),
    };
}

/// Red, green and blue; black for gradients, which no chart has.
fn color(paint: &Paint) -> [u8; 3] {
    match paint {
        Paint::Color(c) => [c.red, c.green, c.blue],
        _ => [0; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of the first class, and a picture of two by two pixels on the right.
    fn chart() -> Chart {
        let mut chart = Chart::new(200.0, 100.0, "A square");
        chart.rect("c0", (20.0, 20.0), (60.0, 60.0), "");
        chart.picture((120.0, 20.0), (60.0, 60.0), Picture::of(2, &[1.0, 0.0, 0.0, 1.0]), "");
        chart
    }

    /// A figure without words, which needs no fonts.
    fn tree(look: &Look) -> Tree {
        Tree::from_str(&chart().figure(look), &Options::default()).expect("a figure")
    }

    #[test]
    fn marks_and_pictures_are_where_the_chart_has_them() {
        for (monochrome, square, pixel) in
            [(false, [0x00, 0x72, 0xb2], [0x1f, 0x6f, 0xb4]), (true, [0; 3], [0; 3])]
        {
            let tree = tree(&Look { monochrome, ..Look::default() });
            let mut dots = png::Dots::new(200, 100, monochrome).expect("a size");
            let scale = Transform::from_scale(200.0 / tree.size().width(), 100.0 / tree.size().height());
            chart().draw(&tree, scale, &mut dots);
            let expected = [
                ((50, 50), square),
                ((10, 50), [255; 3]),
                ((90, 50), [255; 3]),
                ((50, 90), [255; 3]),
                ((135, 35), pixel),
                ((165, 35), [255; 3]),
                ((135, 65), [255; 3]),
                ((165, 65), pixel),
            ];
            expected.iter().for_each(|(at, color)| assert_eq!(dots.at(*at), *color, "{at:?}"));
        }
    }

    #[test]
    fn a_page_has_them_in_its_own_units() {
        let tree = tree(&Look { width_mm: 25.4 * 200.0 / 72.0, ..Look::default() });
        let mut page = pdf::Page::new((tree.size().width(), tree.size().height()), false);
        chart().draw(&tree, page.scale(), &mut page);
        // A unit of this chart is a point, but for the hundredths of a millimeter that a figure has.
        let drawn = page.drawn();
        assert!(drawn.contains("0 0.447 0.698 rg 20 20 m 80 20 l 80 80 l 20 80 l h f Q"), "{drawn}");
        assert!(drawn.contains("2 0 0 -2 0 2 cm /I0 Do Q"), "{drawn}");
    }
}
