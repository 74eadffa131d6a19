//! Names, numbers and lists as a page shows them. Every text of the data goes through [`escape`].

use std::borrow::Cow;

/// A text as HTML: markup is text, and what would steer a terminal or turn the direction of writing is written out.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_obeyed(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// A text for scripts: as [`escape`], but markup is left to the script, which writes text alone.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let each = |c: char| if is_obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(each).collect())
}

fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name of the data as an element of its own, so that letters that run from right to left turn nothing around them.
pub(crate) fn name(text: &str) -> String {
    format!("<bdi class=\"name\">{}</bdi>", escape(text))
}

/// The middle of a long text left out: at most `most` characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let (head, tail) = ((most - 1).div_ceil(2), (most - 1) / 2);
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

/// Pixels of the largest type of a chart.
const TYPE: f64 = 13.5;

/// About how wide a text is in a chart, in the boldest and largest type there: so that it stays inside.
pub(crate) fn width(text: &str) -> f64 {
    let each = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.37,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        c if c.is_ascii_uppercase() => 0.78,
        c if c.is_ascii() => 0.68,
        c if c < '\u{2e80}' => 0.72,
        _ => 1.05,
    };
    TYPE * text.chars().map(each).sum::<f64>()
}

/// A text with its middle left out until it is no wider than `room`.
pub(crate) fn fit(text: &str, room: f64) -> String {
    let mut most = text.chars().count().min(400);
    let mut shown = short(text, most);
    while most > 3 && width(&shown) > room {
        most -= 1;
        shown = short(text, most);
    }
    shown
}

/// A text whose long numbers, as those that were fitted, are told to the digits that matter.
pub(crate) fn shorter_numbers(text: &str) -> String {
    let short = |word: &str| {
        let bare = word.trim_end_matches(',');
        match bare.parse::<f64>() {
            Ok(v) if bare.len() > 8 && bare.contains('.') => number(v) + &word[bare.len()..],
            _ => word.to_owned(),
        }
    };
    text.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// A whole number with its thousands set apart.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 feature`, `1,797 samples`.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A number with three or four digits that matter.
pub(crate) fn number(v: f64) -> String {
    let size = v.abs();
    if v == 0.0 {
        return "0".to_owned();
    }
    if !v.is_finite() {
        return "none".to_owned();
    }
    let text = match size {
        s if !(1e-4..1e6).contains(&s) => return power(v),
        s if s >= 1000.0 => return thousands(v),
        s if s >= 100.0 => format!("{v:.1}"),
        s if s >= 10.0 => format!("{v:.2}"),
        s if s >= 1.0 => format!("{v:.3}"),
        s if s >= 0.1 => format!("{v:.4}"),
        s if s >= 0.01 => format!("{v:.5}"),
        _ => format!("{v:.6}"),
    };
    minus(text.trim_end_matches('0').trim_end_matches('.'))
}

fn thousands(v: f64) -> String {
    let whole = count(v.abs().round() as usize);
    if v < 0.0 { format!("−{whole}") } else { whole }
}

fn power(v: f64) -> String {
    let text = format!("{v:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let superscript: String = exponent
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or('⁰'),
        })
        .collect();
    minus(&format!("{digits}·10{superscript}"))
}

fn minus(text: &str) -> String {
    text.replacen('-', "−", 1)
}

/// A correlation.
pub(crate) fn correlation(r: f64) -> String {
    // What is 0 after rounding has no sign.
    minus(&format!("{:.2}", (r * 100.0).round() / 100.0 + 0.0))
}

/// Numbers of a column, all with as many digits after the point, so that they align: four that matter of the smallest.
/// Columns that span too much for that are told by [`number`].
pub(crate) struct Column(Option<usize>);

impl Column {
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let sizes = || values.clone().map(f64::abs).filter(|v| *v > 0.0 && v.is_finite());
        let (low, high) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
        let fits = high < 1e5 && low > 1e-4 && high / low < 1e5;
        // Four digits of the smallest, unless the largest would have more than six.
        let digits = (3.0 - low.log10().floor()).min(5.0 - high.log10().floor().max(0.0));
        Column(fits.then(|| digits.clamp(0.0, 7.0) as usize))
    }

    pub(crate) fn show(&self, v: f64) -> String {
        match self.0 {
            Some(digits) if v.is_finite() => minus(&format!("{v:.digits$}")),
            _ => number(v),
        }
    }
}

/// A share in percent: no digits after the point but near the ends.
pub(crate) fn percent(share: f64) -> String {
    let p = 100.0 * share;
    if p > 0.0 && p < 1.0 || p > 99.0 && p < 100.0 { format!("{p:.1} %") } else { format!("{p:.0} %") }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A class by its name, short and harmless; a number is told to be one of a class.
pub(crate) fn class(name: &str) -> String {
    let name = short(&harmless(name), 24);
    if name.parse::<f64>().is_ok() { format!("class {name}") } else { name }
}

/// Several of them: `setosa`, `class 4`, `classes 2 and 7`.
pub(crate) fn classes(names: &[String]) -> String {
    let numbers = names.iter().all(|n| n.parse::<f64>().is_ok());
    let short: Vec<String> = names.iter().map(|n| short(&harmless(n), 24)).collect();
    match (numbers, names.len()) {
        (true, 1) => format!("class {}", short[0]),
        (true, _) => format!("classes {}", list(&short)),
        _ => list(&short),
    }
}

/// Seconds as a reader wants them.
pub(crate) fn seconds(s: f64) -> String {
    match s {
        s if s < 0.01 => "less than 0.01 s".to_owned(),
        s if s < 1.0 => format!("{s:.2} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{} s", count(s.round() as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_commands_are_text() {
        assert_eq!(escape("</script>\"'&"), "&lt;/script&gt;&quot;&#39;&amp;");
        assert_eq!(escape("a\u{1b}[31m\u{202e}b"), "a\\u{1b}[31m\\u{202e}b");
        assert_eq!(harmless("שלום"), "שלום");
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.123456, -2.5, 1234.6, 1.5e-7, 2e9, 12.0, f64::NAN].map(number);
        assert_eq!(shown, ["0", "0.1235", "−2.5", "1,235", "1.50·10⁻⁷", "2.00·10⁹", "12", "none"]);
        assert_eq!([0.5, 0.004, 0.996, 1.0, 0.0].map(percent), ["50 %", "0.4 %", "99.6 %", "100 %", "0 %"]);
        assert_eq!(plural(1797, "sample"), "1,797 samples");
        assert_eq!(short("abcdefghij", 5), "ab…ij");
        assert_eq!(
            [0.005168, 0.09, 12.345, 1234.5].map(seconds),
            ["less than 0.01 s", "0.09 s", "12.3 s", "1,235 s"]
        );
        assert_eq!(fit("petal length", 141.0), "petal length");
        for name in
            ["n".repeat(500), "W".repeat(60), "世界".repeat(20), "mixed_CASE_name.of.a.gene".to_owned()]
        {
            assert!(width(&fit(&name, 138.0)) <= 138.0, "{name}");
        }
        assert_eq!(
            shorter_numbers("0.03826738689583, 0.5 of 1234567890 x0.123456789"),
            "0.03827, 0.5 of 1234567890 x0.123456789"
        );
        let named = |names: &[&str]| classes(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            [named(&["4"]), named(&["2", "7"]), named(&["setosa"])],
            ["class 4", "classes 2 and 7", "setosa"]
        );
        let column = Column::of([0.012, 0.5, -2.0, 0.0].into_iter());
        assert_eq!([0.012, -2.0, 0.0].map(|v| column.show(v)), ["0.01200", "−2.00000", "0.00000"]);
        assert_eq!(Column::of([1e-9, 1.0].into_iter()).show(0.5), "0.5");
        assert_eq!(Column::of(std::iter::empty()).show(3.0), "3");
    }

    #[test]
    fn a_correlation_that_is_rounded_to_none_has_no_sign() {
        assert_eq!([-0.004, 0.004, -0.006, 0.95].map(correlation), ["0.00", "0.00", "−0.01", "0.95"]);
    }
}
