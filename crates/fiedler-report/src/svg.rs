//! A chart: marks with the names of their roles, of which the style sheet makes colors.
//!
//! The same marks serve the page, where the style sheet has a light and a dark side, and figures for papers, where
//! [`Chart::figure`] puts a style sheet of plain colors inside.

use std::fmt::Write;

use crate::picture::Picture;
use crate::scale::{Scale, label};
use crate::text::escape;

/// A chart of some size, in points of its own.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What it is, for those who cannot see it.
    pub title: String,
    /// What it says, for those who cannot see it.
    pub says: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) body: String,
    pub(crate) class: &'static str,
    /// The pictures in it; the body refers to them by their places.
    pub(crate) pictures: Vec<Picture>,
}

/// Where the marks of a chart with two axes go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Chart {
    pub(crate) fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        let title = title.into();
        Chart {
            title,
            says: String::new(),
            width,
            height,
            body: String::new(),
            class: "",
            pictures: Vec::new(),
        }
    }

    /// The same with a sentence for those who cannot see it.
    pub(crate) fn saying(mut self, says: impl Into<String>) -> Self {
        self.says = says.into();
        self
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ = write!(self.body, "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>");
    }

    pub(crate) fn polyline(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.marked_line(class, points, "");
    }

    /// The same with more attributes.
    pub(crate) fn marked_line(
        &mut self,
        class: &str,
        points: impl IntoIterator<Item = (f64, f64)>,
        more: &str,
    ) {
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{}\"{more}/>", path(points));
    }

    /// The area between two lines over the same places.
    pub(crate) fn band(&mut self, class: &str, upper: &[(f64, f64)], lower: &[(f64, f64)]) {
        let around = upper.iter().chain(lower.iter().rev()).copied();
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{}Z\"/>", path(around));
    }

    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64), more: &str) {
        let (w, h) = (w.max(0.0), h.max(0.0));
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"{more}/>"
        );
    }

    /// A picture; every pixel of it a square.
    pub(crate) fn picture(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), picture: Picture, more: &str) {
        let _ = write!(
            self.body,
            "<image class=\"pixels\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" \
             preserveAspectRatio=\"none\" href=\"picture:{}\"{more}/>",
            self.pictures.len()
        );
        self.pictures.push(picture);
    }

    /// The body with its pictures inside. Quotes in words are escaped, so that no word is taken for a reference.
    fn whole_body(&self, monochrome: bool) -> String {
        let mut body = self.body.clone();
        for (i, picture) in self.pictures.iter().enumerate() {
            let inside = format!("href=\"{}\"", picture.address(monochrome));
            body = body.replace(&format!("href=\"picture:{i}\""), &inside);
        }
        body
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): (f64, f64), r: f64, more: &str) {
        let _ = write!(self.body, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"{more}/>");
    }

    /// A text; classes `end` and `mid` say where its place is.
    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        self.label(class, (x, y), text, "");
    }

    /// The same with more attributes.
    pub(crate) fn label(&mut self, class: &str, (x, y): (f64, f64), text: &str, more: &str) {
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{more}>{}</text>",
            escape(text)
        );
    }

    /// What colors stand for, below everything else: for a figure, which has no page around it.
    pub(crate) fn key(mut self, items: &[(String, String)]) -> Self {
        const ACROSS: usize = 4;
        let room = (self.width - 12.0) / ACROSS as f64;
        for (i, (class, word)) in items.iter().enumerate() {
            let at = (6.0 + (i % ACROSS) as f64 * room, self.height + 6.0 + (i / ACROSS) as f64 * 20.0);
            self.rect(class, at, (10.0, 10.0), "");
            self.text(
                "t",
                (at.0 + 15.0, at.1 + 9.5),
                &crate::text::fit(&crate::text::harmless(word), room - 20.0),
            );
        }
        self.height += if items.is_empty() { 0.0 } else { 20.0 * items.len().div_ceil(ACROSS) as f64 + 6.0 };
        self
    }

    /// An axis below, with its title.
    pub(crate) fn axis_below(&mut self, frame: Frame, x: Scale, title: &str) {
        let ticks = x.ticks(5);
        for &tick in &ticks {
            let at = x.at(tick);
            self.line("tick", (at, frame.bottom), (at, frame.bottom + 4.0));
            let word = label(tick, &ticks);
            // A long number at the end of the axis stays inside.
            let half = crate::text::width(&word) / 2.0;
            self.text("t mid", (at.min(self.width - half), frame.bottom + 17.0), &word);
        }
        self.line("axis", (frame.left, frame.bottom), (frame.right, frame.bottom));
        self.text("t mid", ((frame.left + frame.right) / 2.0, frame.bottom + 35.0), title);
    }

    /// An axis on the left, with lines across and its title above.
    pub(crate) fn axis_left(&mut self, frame: Frame, y: Scale, title: &str) {
        let ticks = y.ticks(6);
        for &tick in &ticks {
            let at = y.at(tick);
            self.line("grid", (frame.left, at), (frame.right, at));
            self.text("t end", (frame.left - 7.0, at + 4.0), &label(tick, &ticks));
        }
        self.text("t", (2.0, frame.top - 12.0), title);
    }

    /// The chart inside a page.
    pub(crate) fn inline(&self, id: &str) -> String {
        format!(
            "<svg id=\"{id}\" class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
             <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{}</svg>",
            self.class,
            self.width,
            self.height,
            escape(&self.title),
            escape(&self.says),
            self.whole_body(false)
        )
    }

    /// The chart as a file of its own.
    pub fn figure(&self, look: &crate::Look) -> String {
        let height = look.width_mm * self.height / self.width;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.2}mm\" height=\"{height:.2}mm\" \
             viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}\n</svg>\n",
            look.width_mm,
            self.width,
            self.height,
            escape(&self.title),
            escape(&self.says),
            look.style(),
            self.whole_body(look.monochrome)
        )
    }
}

fn path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.into_iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
    }
    d
}

/// ` data-KEY="text"`, escaped.
pub(crate) fn data(key: &str, value: &str) -> String {
    format!(" data-{key}=\"{}\"", escape(value))
}
