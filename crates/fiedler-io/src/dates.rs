//! Days written as text, and as numbers: days since 1970-01-01, with the time of day as a part of one.

/// The order in which day, month and year are written: a set of those that are possible, for `1/2/2020` may be either of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Orders(u8);

impl Orders {
    /// Year, month, day.
    const YEAR: Orders = Orders(1);
    /// Month, day, year.
    const MONTH: Orders = Orders(2);
    /// Day, month, year.
    const DAY: Orders = Orders(4);
    /// Nothing is known yet.
    pub(crate) const ANY: Orders = Orders(7);

    /// Those in which a text is a day, perhaps with a time behind it: 2020-01-31, 31.1.2020, 1/31/20, 2020/01/31 10:00.
    pub(crate) fn of(text: &str) -> Orders {
        let possible =
            [Orders::YEAR, Orders::MONTH, Orders::DAY].into_iter().filter(|o| number(text, *o).is_some());
        possible.fold(Orders(0), |all, one| Orders(all.0 | one.0))
    }

    /// Those that are in both.
    pub(crate) fn and(self, other: Orders) -> Orders {
        Orders(self.0 & other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one that is meant: where two are possible, the month comes first, as the stroke is used.
    pub(crate) fn settled(self) -> Orders {
        [Orders::YEAR, Orders::MONTH, Orders::DAY]
            .into_iter()
            .find(|o| !self.and(*o).is_empty())
            .unwrap_or(Orders::YEAR)
    }

    /// As a note tells it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Orders::MONTH => "month, day, year",
            Orders::DAY => "day, month, year",
            _ => "year, month, day",
        }
    }
}

/// The days since 1970-01-01 of a text that is written in this order.
pub(crate) fn number(text: &str, order: Orders) -> Option<f64> {
    let (day, time) = text.trim().split_once([' ', 'T']).unwrap_or((text.trim(), ""));
    let mark = day.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '-' | '/' | '.'))?;
    let parts: Vec<Option<u32>> = day.split(mark).map(digits).collect();
    let &[Some(a), Some(b), Some(c)] = parts.as_slice() else { return None };
    let (year, month, day) = match order {
        Orders::YEAR if a > 31 => (a, b, c),
        Orders::MONTH if mark != '.' => (full(c), a, b),
        Orders::DAY => (full(c), b, a),
        _ => return None,
    };
    let known = (1..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=in_month(year, month)).contains(&day);
    if !known {
        return None;
    }
    Some(days(year, month, day) + of_day(time)?)
}

/// The day, and the time where it is not midnight, of so many days since 1970-01-01, year first.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(crate) fn text(since: f64) -> String {
    let whole = since.floor();
    let shifted = whole as i64 + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let microseconds = ((since - whole) * 86_400e6).round() as u64;
    let (seconds, rest) = (microseconds / 1_000_000, microseconds % 1_000_000);
    if microseconds == 0 {
        return date;
    }
    let time = format!("{date} {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (rest, rest % 1000) {
        (0, _) => time,
        (_, 0) => format!("{time}.{:03}", rest / 1000),
        _ => format!("{time}.{rest:06}"),
    }
}

/// At most four digits and nothing else.
fn digits(text: &str) -> Option<u32> {
    let plain = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// A year of two digits is one from 1970 to 2069.
fn full(year: u32) -> u32 {
    match year {
        0..=69 => 2000 + year,
        70..=99 => 1900 + year,
        _ => year,
    }
}

fn in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01. Years begin in March here, so that the day that comes and goes is the last of the year.
fn days(year: u32, month: u32, day: u32) -> f64 {
    let years = i64::from(year) - i64::from(month < 3);
    let day_of_year = (153 * i64::from((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    (years * 365 + years / 4 - years / 100 + years / 400 + day_of_year - 719_468) as f64
}

/// The part of a day that a time is: `10:00`, `10:00:30.5`, `10:00Z`, `10:00+02:00`. Nothing is the beginning.
fn of_day(time: &str) -> Option<f64> {
    let time = time.trim();
    if time.is_empty() {
        return Some(0.0);
    }
    let plain = time.strip_suffix('Z').unwrap_or(time);
    let (clock, zone) = match plain.rfind(['+', '-']) {
        Some(at) => (&plain[..at], Some(&plain[at..])),
        None => (plain, None),
    };
    let east = match zone {
        None => 0.0,
        Some(zone) => {
            let sign = if zone.starts_with('-') { -1.0 } else { 1.0 };
            sign * seconds(&zone[1..])?
        }
    };
    Some((seconds(clock)? - east) / 86_400.0)
}

/// The seconds of `hours:minutes` or `hours:minutes:seconds`.
fn seconds(clock: &str) -> Option<f64> {
    let parts: Vec<f64> = clock.split(':').map(|p| p.parse().ok()).collect::<Option<_>>()?;
    let &[hours, minutes, ..] = parts.as_slice() else { return None };
    let seconds = parts.get(2).copied().unwrap_or(0.0);
    let known = parts.len() <= 3
        && (0.0..=24.0).contains(&hours)
        && [minutes, seconds].iter().all(|p| (0.0..61.0).contains(p));
    known.then_some(3600.0 * hours + 60.0 * minutes + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_known() {
        for text in ["2020-01-31", "31.1.2020", "1/31/20", "2020/01/31 10:00:00", "2020-01-31T10:00Z"] {
            assert!(!Orders::of(text).is_empty(), "{text}");
        }
        for text in [
            "1.2.3.4",
            "2020-13-32",
            "a-b-c",
            "2020",
            "10:00",
            "99-99-99",
            "--",
            "1-2",
            "192.168.0.1",
            "2021-02-29",
        ] {
            assert!(Orders::of(text).is_empty(), "{text}");
        }
    }

    /// Every day of eight centuries, counted one by one.
    #[test]
    fn days_are_counted_as_a_calendar_does() {
        let mut expected = -(370.0 * 365.0 + 90.0);
        for year in 1600..2400 {
            for month in 1..=12 {
                for day in 1..=in_month(year, month) {
                    let text = format!("{year}-{month:02}-{day:02}");
                    assert_eq!(number(&text, Orders::YEAR), Some(expected), "{text}");
                    #[cfg(any(feature = "arrow", feature = "parquet"))]
                    assert_eq!(super::text(expected), text);
                    expected += 1.0;
                }
            }
        }
        assert_eq!(number("1970-01-01", Orders::YEAR), Some(0.0));
        assert_eq!(number("2000-01-01", Orders::YEAR), Some(10_957.0));
    }

    #[test]
    fn times_are_parts_of_a_day() {
        assert_eq!(number("1970-01-02 12:00", Orders::YEAR), Some(1.5));
        assert_eq!(number("1970-01-01T06:00:00Z", Orders::YEAR), Some(0.25));
        assert_eq!(number("1970-01-01T06:00+06:00", Orders::YEAR), Some(0.0));
        #[cfg(any(feature = "arrow", feature = "parquet"))]
        assert_eq!(
            [text(1.5), text(0.25 + 0.5 / 86_400.0)],
            ["1970-01-02 12:00:00", "1970-01-01 06:00:00.500000"]
        );
        assert_eq!(number("1970-01-01 soon", Orders::YEAR), None);
    }

    #[test]
    fn one_value_settles_the_order_of_a_column() {
        let of = |texts: &[&str]| texts.iter().fold(Orders::ANY, |all, t| all.and(Orders::of(t)));
        assert_eq!(of(&["1/2/2020", "3/4/2020"]).settled(), Orders::MONTH);
        assert_eq!(of(&["1/2/2020", "31/4/2020"]), Orders(0));
        assert_eq!(of(&["1/2/2020", "31/3/2020"]).settled(), Orders::DAY);
        assert_eq!(of(&["1.2.2020"]).settled(), Orders::DAY);
        assert!(of(&["31/1/2020", "1/31/2020"]).is_empty());
    }
}
