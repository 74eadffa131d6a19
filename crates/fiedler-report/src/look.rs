//! Colors and type: one table of colors for the page by day, the page by night, and figures on paper.
//!
//! The colors of classes are told apart by people who see red and green alike, and names stand beside the marks wherever
//! there is room, so that nothing hangs on color alone.

/// The style of charts, with colors by name.
const CHART: &str = include_str!("assets/chart.css");
/// The style of everything else.
const PAGE: &str = include_str!("assets/page.css");

/// A color by name: by day, by night, without color.
type Color = (&'static str, &'static str, &'static str, &'static str);

const COLORS: &[Color] = &[
    ("paper", "#ffffff", "#15181d", "#ffffff"),
    ("panel", "#ffffff", "#1b1f26", "#ffffff"),
    ("ink", "#1a1e24", "#e9e7e2", "#000000"),
    ("soft", "#57606c", "#a3abb5", "#444444"),
    ("rule", "#d8dce1", "#343b45", "#bbbbbb"),
    ("faint", "#eceef1", "#262c35", "#dddddd"),
    ("accent", "#0b5fa5", "#6cb5f2", "#000000"),
    ("wash", "#dbe9f6", "#1f3a55", "#cccccc"),
    ("warn", "#9a4300", "#f2aa6b", "#000000"),
    ("c0", "#0072b2", "#56b4e9", "#000000"),
    ("c1", "#d55e00", "#f28e4a", "#777777"),
    ("c2", "#009e73", "#3fc79a", "#aaaaaa"),
    ("c3", "#aa4499", "#d98cc8", "#333333"),
    ("c4", "#b07d00", "#e6b93c", "#999999"),
    ("c5", "#3b9fd6", "#9ad4f5", "#555555"),
    ("c6", "#882255", "#e0719f", "#222222"),
    ("c7", "#6b6b00", "#c3c35a", "#888888"),
    ("c8", "#4433a8", "#9d8ff0", "#666666"),
    ("c9", "#7a7a7a", "#b5b5b5", "#c0c0c0"),
    ("d0", "#2166ac", "#4a9be8", "#222222"),
    ("d1", "#6aa0cc", "#33699c", "#777777"),
    ("d2", "#b5d1e6", "#264560", "#bbbbbb"),
    ("d3", "#f3f4f5", "#21262d", "#ffffff"),
    ("d4", "#f6cfa6", "#5c3d20", "#bbbbbb"),
    ("d5", "#e08a3c", "#a8642a", "#777777"),
    ("d6", "#b35806", "#f0913c", "#222222"),
    ("q0", "#f0f3f6", "#20262e", "#ffffff"),
    ("q1", "#d5e2ee", "#243647", "#e0e0e0"),
    ("q2", "#b0cbe1", "#284a66", "#c4c4c4"),
    ("q3", "#82aed1", "#2d6089", "#a0a0a0"),
    ("q4", "#528fbf", "#3f7fb0", "#7a7a7a"),
    ("q5", "#2a6ea8", "#66a6d8", "#545454"),
    ("q6", "#11508a", "#97cbf2", "#2e2e2e"),
    ("q7", "#083866", "#d3ebfc", "#000000"),
];

/// How a figure for a paper looks.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// How wide it is, in millimeters: 85 for a column, 170 for a page, of most journals.
    pub width_mm: f64,
    /// The typeface.
    pub font: String,
    /// Grays in place of colors.
    pub monochrome: bool,
}

impl Default for Look {
    fn default() -> Self {
        Look {
            width_mm: 85.0,
            font: "Helvetica, Arial, 'Liberation Sans', sans-serif".to_owned(),
            monochrome: false,
        }
    }
}

impl Look {
    /// The style sheet of a figure: plain colors, for programs that know no names of colors.
    pub(crate) fn style(&self) -> String {
        let mut style = CHART.to_owned();
        for (name, day, _, gray) in COLORS {
            style = style.replace(&format!("var(--{name})"), if self.monochrome { gray } else { day });
        }
        // A quote could end the style sheet's string, and nothing in a typeface's name needs these.
        let font: String =
            self.font.chars().filter(|c| !matches!(c, '<' | '>' | '{' | '}' | ';' | '&')).collect();
        format!("text{{font-family:{font}}}{style}")
    }
}

/// The style sheet of the page.
pub(crate) fn page_style() -> String {
    let side = |pick: fn(&Color) -> &'static str| -> String {
        COLORS.iter().map(|color| format!("--{}:{};", color.0, pick(color))).collect()
    };
    let (day, night) = (side(|c| c.1), side(|c| c.2));
    format!(
        ":root{{color-scheme:light;{day}}}\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{night}}}}}\
         :root[data-theme=dark]{{color-scheme:dark;{night}}}\
         @media print{{:root,:root:not([data-theme=light]),:root[data-theme=dark]{{color-scheme:light;{day}}}}}\
         {PAGE}{CHART}"
    )
}

/// The class of a mark for a value from 0 to 1.
pub(crate) fn step(share: f64) -> String {
    format!("q{}", (share.clamp(0.0, 1.0) * 7.999) as usize)
}

/// The class of a mark for a value from -1 to 1.
pub(crate) fn signed_step(value: f64) -> String {
    format!("d{}", ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * 6.999) as usize)
}

/// Whether the mark of a value from -1 to 1 is so deep that words on it must be light.
pub(crate) fn is_deep(value: f64) -> bool {
    ["d0", "d6"].contains(&signed_step(value).as_str())
}

/// The class of a mark for a class of samples.
pub(crate) fn class(code: Option<u32>) -> String {
    match code {
        Some(code) if (code as usize) < CLASSES => format!("c{code}"),
        _ => "c9".to_owned(),
    }
}

/// Classes that have a color of their own; the others share the last, a gray.
pub(crate) const CLASSES: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_plain_colors_alone() {
        for monochrome in [false, true] {
            let style = Look { monochrome, ..Look::default() }.style();
            assert!(!style.contains("var("), "{style}");
        }
        let nasty = Look { font: "x</style><script>".into(), ..Look::default() };
        assert!(!nasty.style().contains('<'));
    }

    #[test]
    fn the_ends_of_a_range_have_steps() {
        assert_eq!([0.0, 0.5, 1.0, 2.0].map(step), ["q0", "q3", "q7", "q7"]);
        assert_eq!([-1.0, 0.0, 1.0].map(signed_step), ["d0", "d3", "d6"]);
    }
}
