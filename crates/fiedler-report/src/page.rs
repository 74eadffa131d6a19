//! The page around the panels: head, policy, order.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::panels::{self, Panel};
use crate::text::{escape, plural};
use crate::view::View;
use crate::{look, payload, sentences};

const SCRIPT: &str = include_str!("assets/report.js");

/// The document.
pub(crate) fn document(view: &View<'_>) -> String {
    let style = look::page_style();
    let data = &view.found.data;
    let title = format!("{} · fiedler", crate::text::short(file_name(&data.name), 60));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(SCRIPT),
        hash(&style)
    );
    let panels = panels::all(view);
    let mut body = String::new();
    // What is told of the graph stands side by side.
    for group in panels.chunk_by(|a, b| !a.wide && !b.wide && b.id != "spectrum") {
        group.chunks(2).for_each(|some| body.push_str(&row(some)));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <meta name=\"generator\" content=\"fiedler {}\">\n<title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the content</a>\n{}<main id=\"main\">\n{}{body}</main>\n{}\
         <div id=\"tip\" role=\"tooltip\" hidden></div><div class=\"live\" id=\"live\" aria-live=\"polite\"></div>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        escape(&view.found.version),
        escape(&title),
        header(view, &panels),
        summary(view),
        footer(view),
        payload::json(view),
    )
}

/// The name of a file without where it is, which the run card has.
fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(name)
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

fn header(view: &View<'_>, panels: &[Panel]) -> String {
    let data = &view.found.data;
    let size = match data.n_samples {
        0 => plural(data.n_features, "feature"),
        n => format!("{} × {}", plural(n, "sample"), plural(data.n_features, "feature")),
    };
    let titles: Vec<&str> = view.found.rankings.iter().map(|r| r.title.as_str()).collect();
    let method = if titles.is_empty() { String::new() } else { format!(" · {}", titles.join(", ")) };
    let links: String =
        panels.iter().map(|p| format!("<a href=\"#{}\">{}</a>", p.id, escape(&p.title))).collect();
    format!(
        "<header class=\"top\"><h1><span class=\"brand\">fiedler</span> · <bdi>{}</bdi></h1><p>{size}{}</p>\
         <div class=\"tools\"><button type=\"button\" id=\"theme\" hidden>Dark</button>\
         <button type=\"button\" id=\"print\" hidden>Print</button></div>\
         <nav aria-label=\"Panels\">{links}</nav></header>\n",
        escape(file_name(&data.name)),
        escape(&method)
    )
}

fn summary(view: &View<'_>) -> String {
    let sentences: String = sentences::verdict(view).iter().map(|s| format!("<p>{s}</p>")).collect();
    let careful = sentences::careful(view);
    let items: String = careful.iter().map(|w| format!("<li>{w}</li>")).collect();
    let careful = if items.is_empty() {
        String::new()
    } else {
        format!(
            "<section class=\"careful\" aria-labelledby=\"careful-t\"><h2 id=\"careful-t\">Be careful</h2><ul>{items}</ul></section>"
        )
    };
    format!("<section class=\"short\" id=\"short\" aria-label=\"In short\">{sentences}</section>{careful}\n")
}

fn row(panels: &[Panel]) -> String {
    let inside: String = panels.iter().map(section).collect();
    match panels {
        [one] if one.wide => inside,
        [_] => format!("<div class=\"alone\">{inside}</div>\n"),
        _ => format!("<div class=\"pair\">{inside}</div>\n"),
    }
}

fn section(panel: &Panel) -> String {
    let Panel { id, title, says, body, .. } = panel;
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-h\"><h2 id=\"{id}-h\">{}</h2>\
         <p class=\"says\">{says}</p>{body}</section>\n",
        escape(title)
    )
}

fn footer(view: &View<'_>) -> String {
    format!(
        "<footer>Made by fiedler {}. This file is complete: it asks nothing of the network, and nothing in it leaves it.\
         </footer>\n",
        escape(&view.found.version)
    )
}
