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
    repaint();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { nameTheme(); repaint(); });
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
  // The pixel of a picture under the pointer, as the place of its feature in the list.
  const placeOf = new Map(F.index.map((index, f) => [index, f]));
  const pixelAt = (image, event) => {
    const box = image.getBoundingClientRect(), across = Number(image.dataset.across), down = Number(image.dataset.down);
    const cell = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    const index = cell((event.clientY - box.top) / box.height, down) * across + cell((event.clientX - box.left) / box.width, across);
    return { index, f: placeOf.get(index) };
  };
  const pixelTip = (image, event) => {
    const { index, f } = pixelAt(image, event);
    const place = "row " + whole.format(Math.floor(index / image.dataset.across) + 1) + ", column " + whole.format(index % image.dataset.across + 1);
    return f === undefined ? place + ": not listed" : F.name[f] + ", " + place + ": rank " + whole.format(f + 1) + ", score " + (F.shown[f] ?? "none");
  };
  document.addEventListener("pointermove", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const marked = target && target.closest("[data-tip]");
    const sample = target && target.closest("svg.map .points circle");
    const image = target && target.closest("image.pixels");
    tip.hidden = !(marked || sample || image);
    if (tip.hidden) return;
    tip.textContent = sample ? sampleTip(sample) : image ? pixelTip(image, event) : marked.dataset.tip;
    place(event.clientX, event.clientY);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  // The samples.
  const maps = all("svg.map");
  // Low values must stand out from the page: deep blue by day, light blue by night.
  const day = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [240, 214, 40]];
  const night = [[88, 122, 196], [112, 136, 184], [136, 150, 166], [170, 166, 140], [210, 196, 112], [253, 234, 69]];
  const ramp = (share) => {
    const stops = dark() ? night : day;
    const at = Math.min(share, 0.9999) * (stops.length - 1), low = Math.floor(at), part = at - low;
    return "rgb(" + stops[low].map((c, i) => Math.round(c + part * (stops[low + 1][i] - c))).join(",") + ")";
  };
  const valuesOf = (f) => data.values.find((v) => v.index === F.index[f]);
  let painted = "";
  const repaint = () => { if (painted) paint(painted); };
  const paint = (choice) => {
    painted = choice;
    const values = /^\d+$/.test(choice) ? valuesOf(Number(choice)) : null;
    const steps = values && Uint8Array.from(atob(values.steps), (c) => c.charCodeAt(0));
    for (const map of maps) {
      all(".points circle", map).forEach((circle, i) => { circle.style.fill = steps ? ramp(steps[i] / 255) : ""; });
      const names = map.querySelector(".names");
      if (names) names.style.display = steps ? "none" : "";
    }
    const says = $("color-says");
    if (says) says.textContent = values ? "from " + values.low + " (blue) to " + values.high + " (yellow)" : "";
    const legend = $("map-legend");
    if (legend) legend.style.visibility = steps ? "hidden" : "";
  };
  // Dots that share a spot, where many do: turn by turn around it, as in the page.
  const sideBySide = (places) => {
    const spots = new Map();
    places.forEach(([x, y], i) => {
      const key = Math.round(x) + " " + Math.round(y);
      if (!spots.has(key)) spots.set(key, []);
      spots.get(key).push(i);
    });
    for (const [key, of] of spots) {
      if (of.length < Math.max(8, Math.floor(places.length / 20))) continue;
      const root = Math.sqrt(of.length), step = Math.min(40 / root, 3), around = step * root + 4;
      const inside = (v, low, high) => Math.min(Math.max(v, low + around), high - around);
      const [x, y] = key.split(" ").map(Number);
      of.forEach((i, turn) => {
        const out = step * Math.sqrt(turn), angle = turn * 2.399963;
        places[i] = [inside(x, 12, 468) + out * Math.cos(angle), inside(y, 26, 330) + out * Math.sin(angle)];
      });
    }
    return places;
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
      const [across, up] = [span(x, 20, 460), span(y, 322, 34)];
      const places = sideBySide(x.map((_, i) => [across(x[i]), up(y[i])]));
      all(".points circle", first).forEach((circle, i) => {
        circle.setAttribute("cx", places[i][0].toFixed(1));
        circle.setAttribute("cy", places[i][1].toFixed(1));
      });
      const names = first.querySelector(".names");
      if (names) names.remove();
      for (const [id, way, label] of [["axis-x", "across", ".lx"], ["axis-y", "up", ".ly"]]) {
        const part = way + ": " + $(id).selectedOptions[0].textContent + " " + data.parts[$(id).value];
        first.querySelector(label).textContent = part.length > 60 ? part.slice(0, 59) + "…" : part;
      }
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
  // On a picture of pixels a frame is drawn about the one that is chosen.
  const frame = (f) => {
    all(".chosen-pixel").forEach((old) => old.remove());
    const image = document.querySelector("image.pixels");
    if (!image || f === null) return;
    const { across, down } = image.dataset, at = (name) => Number(image.getAttribute(name));
    const [wide, high] = [at("width") / across, at("height") / down], size = Math.max(wide, 5);
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    rect.setAttribute("class", "box on chosen-pixel");
    const [x, y] = [at("x") + (F.index[f] % across + 0.5) * wide, at("y") + (Math.floor(F.index[f] / across) + 0.5) * high];
    for (const [k, v] of [["x", x - size / 2], ["y", y - size / 2], ["width", size], ["height", size]]) rect.setAttribute(k, v.toFixed(1));
    image.parentNode.append(rect);
  };
  const mark = (f) => {
    chosen = f;
    all(".on").forEach((element) => element.classList.remove("on"));
    if (f !== null) all('main [data-f="' + f + '"]:not(tr)').forEach((element) => element.classList.add("on"));
    frame(f);
    all("#feature-table tbody tr").forEach((row) => {
      const is = Number(row.dataset.f) === f;
      row.setAttribute("aria-selected", String(is));
      row.querySelector(".pick").setAttribute("aria-pressed", String(is));
    });
  };
  const pick = (f) => {
    mark(f);
    const color = $("color"), known = valuesOf(f);
    if (color && known) color.value = String(f); else if (color) color.selectedIndex = 0;
    paint(known ? String(f) : "none");
    if (color && !known) $("color-says").textContent = "the values of " + F.name[f].slice(0, 60) + " are not in this file: those of the best " + data.values.length + " are";
    say(F.name[f] + (known ? " is chosen; the samples show its values." : " is chosen; its values are not in this file."));
  };
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const image = target && target.closest("image.pixels");
    const marked = target && (image || target.closest("#feature-table tbody tr") || target.closest("main [data-f]"));
    if (marked && !getSelection().toString()) {
      const f = image ? pixelAt(image, event).f : Number(marked.dataset.f);
      if (f === undefined) return;
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
  const below = (n) => [...String(n)].map((c) => String.fromCodePoint(0x2080 + Number(c))).join("");
  const percent = (thousandths) => (thousandths > 0 && thousandths < 10 || thousandths > 990 && thousandths < 1000 ? (thousandths / 10).toFixed(1) : Math.round(thousandths / 10)) + " %";
  const words = (f) => {
    const best = F.alpha[f].length ? F.alpha[f].indexOf(Math.max(...F.alpha[f])) : -1;
    if (best < 0 || F.alpha[f][best] < (f < F.kept ? 100 : 250)) return null;
    return "follows ξ" + below(data.pairs[best]) + " (" + percent(F.alpha[f][best]) + ")" + data.which[best];
  };
  // The same words as those of the rows that are there without the script.
  const because = (f) => {
    const kept = f < F.kept, alike = F.alike[f], part = words(f);
    const state = kept ? make("span", { className: "state kept-word", textContent: "kept" }) : "dropped";
    if (F.reason.has(f)) return [state, ": " + F.reason.get(f)];
    const by = data.together ? (kept ? ": chosen with the others" : ": not chosen") : kept ? " by its score" : ": below the first " + whole.format(F.kept);
    if (kept) return [state, by + (part ? "; " + part : F.alpha[f].length ? "; follows no leading eigenvector" : "")];
    if (alike && Math.abs(alike[1]) >= 0.8) {
      const other = make("bdi", { className: "name", textContent: F.name[alike[0]] });
      return [state, data.together ? ": like " : by + "; like ", other, " (r = " + alike[1].toFixed(2).replace("-", "−") + ")"];
    }
    return [state, by + (part ? ", though it " + part : "")];
  };
  const svg = "http://www.w3.org/2000/svg";
  const bars = (f) => {
    if (!F.alpha[f].length) return [];
    const picture = document.createElementNS(svg, "svg");
    picture.setAttribute("class", "alpha");
    picture.setAttribute("viewBox", "0 0 128 20");
    picture.dataset.tip = "α²: " + F.alpha[f].map((share, a) => "ξ" + below(data.pairs[a]) + " " + percent(share)).join(", ");
    picture.setAttribute("role", "img");
    const best = F.alpha[f].indexOf(Math.max(...F.alpha[f]));
    picture.setAttribute("aria-label", percent(F.alpha[f][best]) + " follows eigenvector " + data.pairs[best]);
    F.alpha[f].forEach((share, a) => {
      for (const [name, high] of [["no", 20], ["", Math.max(share * 0.02, 0.8)]]) {
        const rect = document.createElementNS(svg, "rect");
        if (name) rect.setAttribute("class", name);
        for (const [k, v] of [["x", a * 22], ["y", 20 - high], ["width", 18], ["height", high]]) rect.setAttribute(k, v);
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
