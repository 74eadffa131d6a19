"use strict";
// Tooltips, sorting, search, and a choice of feature that every panel follows. The page is complete without it.
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const data = JSON.parse($("data").textContent);
  const F = data.features;
  F.reason = new Map(F.reason);
  const whole = new Intl.NumberFormat("en-US");
  const say = (text) => { $("live").textContent = text; };

  // Buttons of the head.
  const theme = $("theme");
  const dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const nameTheme = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = $("print").hidden = false;
  nameTheme();
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    nameTheme();
  });
  $("print").addEventListener("click", () => print());
  const copy = $("copy");
  if (copy) {
    copy.hidden = false;
    copy.addEventListener("click", () => {
      const range = document.createRange();
      range.selectNodeContents($("command"));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand("copy");
      say("The command is copied.");
    });
  }

  // Tooltips.
  const tip = $("tip");
  const place = (x, y) => {
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(6, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + 16 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 16) + "px";
  };
  const sampleTip = (circle) => {
    const i = [...circle.parentNode.children].indexOf(circle);
    const S = data.samples;
    const lines = [S.name ? S.name[i] : "sample " + whole.format(S.index[i] + 1)];
    const code = S.codes[i];
    if (S.labels) lines.push(S.labels + ": " + (code === null || code === undefined ? "none" : S.classes[code]));
    return lines.join("\n");
  };
  document.addEventListener("pointermove", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const marked = target && target.closest("[data-tip]");
    const sample = target && target.closest("svg.map .points circle");
    tip.hidden = !(marked || sample);
    if (tip.hidden) return;
    tip.textContent = sample ? sampleTip(sample) : marked.dataset.tip;
    place(event.clientX, event.clientY);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  // The samples.
  const maps = all("svg.map");
  const stops = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [253, 234, 69]];
  const ramp = (share) => {
    const at = Math.min(share, 0.9999) * (stops.length - 1), low = Math.floor(at), part = at - low;
    return "rgb(" + stops[low].map((c, i) => Math.round(c + part * (stops[low + 1][i] - c))).join(",") + ")";
  };
  const valuesOf = (f) => data.values.find((v) => v.index === F.index[f]);
  const paint = (choice) => {
    const values = /^\d+$/.test(choice) ? valuesOf(Number(choice)) : null;
    const steps = values && Uint8Array.from(atob(values.steps), (c) => c.charCodeAt(0));
    for (const map of maps) {
      all(".points circle", map).forEach((circle, i) => { circle.style.fill = steps ? ramp(steps[i] / 255) : ""; });
      const names = map.querySelector(".names");
      if (names) names.style.display = steps ? "none" : "";
    }
    const says = $("color-says");
    if (says) says.textContent = values ? "dark " + values.low + " to bright " + values.high : "";
    const legend = $("map-legend");
    if (legend) legend.style.visibility = steps ? "hidden" : "";
  };
  const controls = $("map-controls");
  if (controls) {
    controls.hidden = false;
    const first = maps[0];
    const move = () => {
      const [x, y] = ["axis-x", "axis-y"].map((id) => data.axes[$(id).value]);
      const span = (v, low, high) => {
        const root = (x) => Math.sign(x) * Math.sqrt(Math.abs(x));
        const least = root(Math.min(...v)), wide = root(Math.max(...v)) - least || 1;
        return (value) => low + (root(value) - least) / wide * (high - low);
      };
      const [across, up] = [span(x, 20, 460), span(y, 322, 18)];
      all(".points circle", first).forEach((circle, i) => {
        circle.setAttribute("cx", across(x[i]).toFixed(1));
        circle.setAttribute("cy", up(y[i]).toFixed(1));
      });
      const names = first.querySelector(".names");
      if (names) names.remove();
      const part = $("axis-x").selectedOptions[0].textContent + ": " + data.parts[$("axis-x").value];
      first.querySelector(".lx").textContent = part.length > 78 ? part.slice(0, 77) + "…" : part;
      say("Samples are drawn by " + $("axis-x").selectedOptions[0].textContent + " and " + $("axis-y").selectedOptions[0].textContent + ".");
    };
    $("axis-x").addEventListener("change", move);
    $("axis-y").addEventListener("change", move);
    $("color").addEventListener("change", () => {
      const choice = $("color").value;
      if (/^\d+$/.test(choice)) pick(Number(choice)); else { paint(choice); mark(null); }
    });
  }

  // The chosen feature, in every panel.
  let chosen = null;
  const mark = (f) => {
    chosen = f;
    all(".on").forEach((element) => element.classList.remove("on"));
    if (f !== null) all('svg.chart [data-f="' + f + '"]').forEach((element) => element.classList.add("on"));
    all("#feature-table tbody tr").forEach((row) => {
      const is = Number(row.dataset.f) === f;
      row.setAttribute("aria-selected", String(is));
      row.querySelector(".pick").setAttribute("aria-pressed", String(is));
    });
  };
  const pick = (f) => {
    mark(f);
    const color = $("color"), known = valuesOf(f);
    if (color) color.value = known ? String(f) : color.value;
    if (known) paint(String(f));
    say(F.name[f] + (known ? " is chosen; the samples show its values." : " is chosen; its values are not in this file."));
  };
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const marked = target && (target.closest("#feature-table tbody tr") || target.closest("svg.chart [data-f]"));
    if (marked && !getSelection().toString()) {
      const f = Number(marked.dataset.f);
      if (chosen === f && marked.tagName === "TR") {
        const color = $("color");
        if (color) color.selectedIndex = 0;
        paint("none");
        mark(null);
        say("No feature is chosen.");
      } else pick(f);
    }
  });

  // The table of features.
  const table = $("feature-table");
  if (!table) return;
  const body = table.tBodies[0];
  const template = all("tr", body);
  let key = "rank", descending = false, limit = data.rows;
  const words = (f) => {
    const best = F.alpha[f].length ? F.alpha[f].indexOf(Math.max(...F.alpha[f])) : -1;
    return best >= 0 && F.alpha[f][best] >= (f < F.kept ? 100 : 250) ? data.parts[best] : null;
  };
  const because = (f) => {
    const kept = f < F.kept, alike = F.alike[f], part = words(f);
    if (F.reason.has(f)) return [(kept ? "kept: " : "dropped: ") + F.reason.get(f)];
    if (kept) return [make("span", { className: "state kept-word", textContent: "kept" }), part ? ": " + part : ""];
    if (alike && Math.abs(alike[1]) >= 0.8) return ["dropped: like ", make("bdi", { className: "name", textContent: F.name[alike[0]] }), " (r = " + alike[1].toFixed(2).replace("-", "−") + ")"];
    return [part ? "dropped, though it " + part : "dropped by its score"];
  };
  const svg = "http://www.w3.org/2000/svg";
  const bars = (f) => {
    if (!F.alpha[f].length) return [];
    const picture = document.createElementNS(svg, "svg");
    picture.setAttribute("class", "alpha");
    picture.setAttribute("viewBox", "0 0 102 14");
    picture.setAttribute("role", "img");
    const best = F.alpha[f].indexOf(Math.max(...F.alpha[f]));
    picture.setAttribute("aria-label", Math.round(F.alpha[f][best] / 10) + " % follows eigenvector " + (best + 2));
    F.alpha[f].forEach((share, a) => {
      for (const [name, high] of [["no", 14], ["", Math.max(share * 0.014, 0.6)]]) {
        const rect = document.createElementNS(svg, "rect");
        if (name) rect.setAttribute("class", name);
        for (const [k, v] of [["x", a * 17], ["y", 14 - high], ["width", 14], ["height", high]]) rect.setAttribute(k, v);
        picture.append(rect);
      }
    });
    return [picture];
  };
  const row = (f) => {
    if (template[f]) return template[f];
    const cells = [
      make("td", { className: "n", textContent: whole.format(f + 1) }),
      make("td", { className: "name-cell" }, make("button", { type: "button", className: "pick" }, make("span", { className: "long" }, make("bdi", { className: "name", textContent: F.name[f] })))),
      make("td", { className: "n", textContent: F.shown[f] === null ? "none" : F.shown[f] }),
    ];
    if (F.frequency) cells.push(make("td", { className: "n hide-small", textContent: Math.round(100 * F.frequency[f]) + " %" }));
    cells.push(make("td", { className: "hide-small" }, ...bars(f)), make("td", { className: "why" }, ...because(f)));
    const line = make("tr", {}, ...cells);
    line.dataset.f = f;
    line.setAttribute("aria-selected", "false");
    line.querySelector(".pick").setAttribute("aria-pressed", "false");
    return (template[f] = line);
  };
  const values = {
    rank: (f) => f,
    name: (f) => F.name[f],
    score: (f) => F.score[f],
    frequency: (f) => F.frequency[f],
    alpha: (f) => F.alpha[f].length ? Math.max(...F.alpha[f]) : null,
  };
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const render = (announce) => {
    const query = $("search").value.trim().toLowerCase();
    const kept = $("only-kept").checked;
    let list = [];
    for (let f = 0; f < F.name.length; f++) {
      if ((!query || F.name[f].toLowerCase().includes(query)) && (!kept || f < F.kept)) list.push(f);
    }
    const value = values[key], sign = descending ? -1 : 1;
    if (key !== "rank" || descending) {
      list.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === null || y === null) return (x === null) - (y === null) || a - b;
        return sign * (typeof x === "string" ? compare(x, y) : x - y) || a - b;
      });
    }
    body.replaceChildren(...list.slice(0, limit).map(row));
    mark(chosen);
    const shown = Math.min(limit, list.length);
    const text = list.length === 0 ? "nothing found" : shown < list.length ? "first " + whole.format(shown) + " of " + whole.format(list.length) : whole.format(list.length) + (list.length === 1 ? " feature" : " features");
    if (announce) $("matches").textContent = text;
    $("more").hidden = shown >= list.length;
    all("th[data-key]", table).forEach((head) => {
      if (head.dataset.key === key) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  all("th[data-key] button", table).forEach((button) => button.addEventListener("click", () => {
    const next = button.parentNode.dataset.key;
    descending = next === key ? !descending : next === "alpha" || next === "frequency";
    key = next;
    render(true);
  }));
  let waiting = 0;
  $("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => { limit = data.rows; render(true); }, 80); });
  $("only-kept").addEventListener("change", () => { limit = data.rows; render(true); });
  $("more").addEventListener("click", () => { limit += 400; render(true); });
  $("more").hidden = F.name.length <= limit;
})();
