//! The tags of a small XML file, one after the other. What stands between tags is not looked at, as no format here keeps
//! anything there.

/// An opening tag, or a closing one, which has no attributes.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// Its line, from 1.
    pub(super) line: usize,
    /// Its name; `/NAME` of a closing one.
    pub(super) name: &'a str,
    /// Whether it ends with itself: `<NAME/>`.
    pub(super) closed: bool,
    attributes: Vec<(&'a str, &'a str)>,
}

impl Tag<'_> {
    /// The value of an attribute, as it is meant.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(n, _)| *n == name).map(|(_, value)| meant(value))
    }
}

/// What is wrong, and in which line.
type Wrong = (usize, String);

/// The tags of a text.
pub(super) fn tags(text: &str) -> impl Iterator<Item = Result<Tag<'_>, Wrong>> {
    let mut scanner = Scanner { rest: text, line: 1 };
    std::iter::from_fn(move || scanner.next().transpose())
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Result<Option<Tag<'a>>, Wrong> {
        while let Some(start) = self.rest.find('<') {
            self.skip(start + 1);
            let line = self.line;
            if self.rest.starts_with("!--") {
                self.skip_past("-->").ok_or_else(|| (line, "a comment that does not end".to_owned()))?;
            } else if self.rest.starts_with(['!', '?']) {
                self.skip_past(">").ok_or_else(|| (line, "a tag that does not end".to_owned()))?;
            } else if self.rest.starts_with('/') {
                let rest = self.rest;
                self.skip_past(">").ok_or_else(|| (line, "a tag that does not end".to_owned()))?;
                let name = rest[..rest.len() - self.rest.len() - 1].trim_end();
                return Ok(Some(Tag { line, name, closed: true, attributes: Vec::new() }));
            } else {
                return self.tag(line).map(Some);
            }
        }
        Ok(None)
    }

    fn tag(&mut self, line: usize) -> Result<Tag<'a>, Wrong> {
        let end =
            self.rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        self.skip(end);
        let mut attributes = Vec::new();
        loop {
            let space = self.rest.len() - self.rest.trim_start().len();
            self.skip(space);
            if let Some(end) = [">", "/>"].into_iter().find(|end| self.rest.starts_with(end)) {
                self.skip(end.len());
                return Ok(Tag { line, name, closed: end == "/>", attributes });
            }
            let wrong = || {
                (
                    line,
                    format!(
                        "expected `name=\"value\"` or `>` in <{}>",
                        name.chars().take(40).collect::<String>()
                    ),
                )
            };
            let (attribute, after) = self.rest.split_once('=').ok_or_else(wrong)?;
            let quote =
                after.trim_start().chars().next().filter(|q| ['"', '\''].contains(q)).ok_or_else(wrong)?;
            let opened = after.trim_start().get(1..).ok_or_else(wrong)?;
            let (value, left) = opened.split_once(quote).ok_or_else(wrong)?;
            if attribute.trim().is_empty() || attribute.contains(['<', '>', '"', '\'']) {
                return Err(wrong());
            }
            attributes.push((attribute.trim(), value));
            self.skip(self.rest.len() - left.len());
        }
    }

    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.bytes().filter(|&b| b == b'\n').count();
        self.rest = rest;
    }

    fn skip_past(&mut self, end: &str) -> Option<()> {
        let at = self.rest.find(end)?;
        self.skip(at + end.len());
        Some(())
    }
}

/// A value with its entities resolved; what is no entity stays as it is.
fn meant(value: &str) -> String {
    let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    known.iter().fold(value.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}
