//! Which of the kept features say the same, those that are alike side by side.

use super::{Panel, figure, table};
use crate::look;
use crate::panels_said::SAME;
use crate::svg::{Chart, data};
use crate::text::{correlation, count, name, plural};
use crate::view::View;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let found = view.portrait().redundancy.as_ref()?;
    let chart = chart(view)?;
    let k = found.features.len();
    let mut pairs: Vec<(usize, usize)> = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b))).collect();
    pairs.sort_by(|x, y| found.at(y.0, y.1).abs().total_cmp(&found.at(x.0, x.1).abs()));
    let same = pairs.iter().filter(|(a, b)| found.at(*a, *b).abs() >= SAME).count();
    let (a, b) = *pairs.first()?;
    let mean = pairs.iter().map(|(a, b)| found.at(*a, *b).abs()).sum::<f64>() / pairs.len() as f64;
    let most =
        format!("{} and {}", name(&view.feature(found.features[a])), name(&view.feature(found.features[b])));
    let says = format!(
        "{} of the {} kept features correlate at {SAME} or more, most strongly {most} (r = {}). The mean of all pairs, whatever the sign, is {}.",
        if same == 0 { "No pair".to_owned() } else { plural(same, "pair") },
        if k < view.kept().count() { format!("first {}", count(k)) } else { count(k) },
        correlation(found.at(a, b)),
        correlation(mean)
    );
    let says = if same < 2 { says.replacen("correlate at", "correlates at", 1) } else { says };
    let rows = pairs.iter().take(200).map(|(a, b)| {
        vec![
            name(&view.feature(found.features[*a])),
            name(&view.feature(found.features[*b])),
            correlation(found.at(*a, *b)),
        ]
    });
    let numbers = table("Correlations of kept features", &["feature", "feature", "#correlation"], rows);
    Some(Panel {
        id: "redundancy",
        title: "Do they say the same?".to_owned(),
        says,
        body: figure(&chart, "chart-redundancy", &numbers),
        wide: false,
    })
}

/// How wide a cell is that has its number in it.
const NUMBER: f64 = 31.0;

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let found = view.portrait().redundancy.as_ref()?;
    let k = found.features.len();
    let left = 130.0;
    let cell = ((480.0 - left) / k as f64).min(40.0);
    let top = 8.0;
    let mut chart = Chart::new(480.0, top + cell * k as f64 + 44.0, "Correlations of the kept features")
        .saying(format!("{k} × {k} correlations, similar features side by side."));
    let every = (13.0 / cell).ceil().max(1.0) as usize;
    for a in 0..k {
        let y = top + a as f64 * cell;
        if a % every == 0 {
            let j = found.features[a];
            chart.label(
                "end tiny",
                (left - 7.0, y + cell / 2.0 + 4.0),
                &view.label(j, left - 9.0),
                &view.mark(j),
            );
        }
        for b in 0..k {
            let r = found.at(a, b);
            let tip = format!(
                "{}\n{}\nr = {}",
                view.short(found.features[a], 50),
                view.short(found.features[b], 50),
                correlation(r)
            );
            let class = format!("cell {}", look::signed_step(r));
            chart.rect(
                &class,
                (left + b as f64 * cell, y),
                (cell, cell),
                &(data("tip", &tip) + &view.mark(found.features[a])),
            );
            if cell >= NUMBER && a != b {
                let class = if look::is_deep(r) { "inv" } else { "" };
                let at = (left + (b as f64 + 0.5) * cell, y + cell / 2.0 + 4.0);
                chart.text(&format!("mid tiny through {class}"), at, &correlation(r));
            }
        }
    }
    let y = top + cell * k as f64 + 14.0;
    for step in 0..7 {
        chart.rect(&format!("d{step}"), (left + step as f64 * 22.0, y), (22.0, 10.0), "");
    }
    chart.text("t tiny", (left, y + 23.0), "−1");
    chart.text("t tiny mid", (left + 77.0, y + 23.0), "0");
    chart.text("t tiny end", (left + 154.0, y + 23.0), "1");
    Some(chart)
}
