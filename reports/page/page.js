(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent), run = data.run, results = run.results || [];
  const word = Object.fromEntries(data.verdicts.map((v) => [v.id, v]));
  const make = (tag, props, ...kids) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(props || {})) k in e && k !== "list" ? e[k] = v : e.setAttribute(k, v);
    e.append(...kids.filter((k) => k !== null && k !== undefined && k !== ""));
    return e;
  };
  const num = (x) => {
    if (x === null || x === undefined) return "–";
    if (x === 0) return "0";
    return String(Number(x.toPrecision(4))).includes("e") ? x.toPrecision(3) : String(Number(x.toPrecision(4)));
  };
  const adapterText = (a) => a ? a.name + ([a.type, a.backend, a.driver].filter(Boolean).length ? " (" + [a.type, a.backend, a.driver].filter(Boolean).join(", ") + ")" : "") : "";
  const adapterOf = (r) => adapterText(r.adapter || run.adapter);
  const verdictClass = (r) => r.flaky && r.verdict === "pass" ? "flaky" : "v-" + r.verdict + " c" + word[r.verdict].class;
  const verdictText = (r) => (r.flaky ? "flaky " : "") + word[r.verdict].title;
  const icon = { pass: "✓", mismatch: "≠", blank: "□", "non-finite": "∞", size: "⤢", "missing-golden": "?", "stale-golden": "↻", "not-run": "–", "render-error": "!", timeout: "◷", crash: "✕", "device-lost": "⚡", "wrong-adapter": "⊘" };

  // Head of the page.
  document.body.classList.add("ready");
  $("top").classList.add(data.exit === 0 ? "v-pass" : data.exit === 1 ? "c1" : "c2");
  const fact = (k, v) => v && $("facts").append(make("div", {}, make("dt", {}, k), make("dd", {}, v)));
  fact("adapter", adapterText(run.adapter));
  fact("commit", run.commit && run.commit.slice(0, 18));
  fact("started", run.started && new Date(run.started).toISOString().slice(0, 16).replace("T", " ") + " UTC");
  fact("took", run.ms >= 1000 ? (run.ms / 1000).toFixed(1) + " s" : Math.round(run.ms) + " ms");
  fact("scenes", String(results.length));
  fact("shard", run.shard);
  fact("exit code", String(data.exit));
  fact("canary", run.canary && (run.canary.ok ? "as recorded" : "differs"));
  const noisy = results.filter((r) => r.noise && r.noise.cause);
  fact("noise floor", results.some((r) => r.noise) && (noisy.length ? `${noisy.length} do not repeat` : "repeats to the byte"));
  if (noisy.length) $("alerts").append(make("p", {}, data.noise));
  if (run.incomplete) $("alerts").append(make("p", {}, "The run is incomplete: " + run.incomplete));
  if (run.canary && !run.canary.ok) $("alerts").append(make("p", {}, "The canary differs: " + (run.canary.text || "") + ". What differs below may come from the driver or adapter, not from the code."));

  const state = { verdicts: new Set(), tag: "", adapter: "", sort: "worst", text: "", shown: [], open: -1 };
  const keyOf = (r) => r.flaky && r.verdict === "pass" ? "flaky" : r.verdict;
  const counts = new Map();
  for (const r of results) counts.set(keyOf(r), (counts.get(keyOf(r)) || 0) + 1);
  const kinds = [...data.verdicts.map((v) => v.id).reverse().flatMap((id) => id === "pass" ? ["flaky", "pass"] : [id])].filter((k) => counts.has(k));
  const classOf = (k) => k === "flaky" ? "flaky" : "v-" + k + " c" + word[k].class;
  for (const k of kinds) {
    const title = k === "flaky" ? "flaky" : word[k].title;
    const seg = make("i", { className: classOf(k), title: counts.get(k) + " " + title });
    seg.style.flex = counts.get(k);
    $("bar").append(seg);
    const b = make("button", { className: classOf(k), onclick: () => toggle(k) }, title, make("b", {}, String(counts.get(k))));
    b.dataset.verdict = k;
    b.setAttribute("aria-pressed", "false");
    $("chips").append(b);
  }
  const toggle = (k) => { state.verdicts.has(k) ? state.verdicts.delete(k) : state.verdicts.add(k); refresh(); };
  const options = (id, all, values) => {
    $(id).append(make("option", { value: "" }, all), ...values.map((v) => make("option", { value: v }, v)));
    $(id).hidden = values.length < 2;
    $(id).onchange = () => { state[id] = $(id).value; refresh(); };
  };
  options("tag", "All tags", [...new Set(results.flatMap((r) => r.tags || []))].sort());
  options("adapter", "All adapters", [...new Set(results.map(adapterOf))].sort());
  $("sort").onchange = () => { state.sort = $("sort").value; refresh(); };
  $("search").oninput = () => { state.text = $("search").value.toLowerCase(); refresh(); };
  $("reset").onclick = () => { state.verdicts.clear(); state.tag = state.adapter = state.text = ""; $("tag").value = $("adapter").value = $("search").value = ""; refresh(); };

  // Cards are made once; a filter only takes them out of the grid and puts them in.
  const lazy = new IntersectionObserver((entries) => {
    for (const e of entries) {
      if (!e.isIntersecting) continue;
      lazy.unobserve(e.target);
      for (const img of e.target.querySelectorAll("img")) pixels.thumb(+img.dataset.thumb).then((src) => { if (src) img.src = src; });
    }
  }, { rootMargin: "400px" });
  const ratio = (r) => r.mad === null || r.mad === undefined ? NaN : r.limit ? r.mad / r.limit : r.mad > 0 ? Infinity : 0;
  const gauge = (r) => {
    const q = ratio(r), e = make("div", { className: "gauge" + (r.limit ? " tick" : "") }, make("i", {}));
    // The limit stands in the middle; from there the scale is logarithmic up to a hundred times the limit.
    e.firstChild.style.width = (isNaN(q) ? 0 : q <= 1 ? 50 * q : Math.min(100, 50 + 25 * Math.log10(Math.min(q, 100)))) + "%";
    return e;
  };
  const cards = results.map((r, i) => {
    const s = data.scenes[i], shot = make("div", { className: "shot" });
    const image = (n, alt) => { const img = make("img", { alt }); img.dataset.thumb = n; return img; };
    if (s.thumb >= 0) shot.append(image(s.thumb, "picture")); else shot.append(make("span", {}, "no picture"));
    if (s.hot >= 0) { shot.append(image(s.hot, "difference")); shot.classList.add("two"); }
    const c = make("button", { className: "card " + verdictClass(r), onclick: () => open(i) }, shot,
      make("div", { className: "info" }, make("b", { title: r.scene }, r.scene),
        make("div", { className: "row" }, make("span", { className: "badge" }, icon[r.verdict] + " " + verdictText(r)), make("span", { className: "grow" }),
          make("span", {}, r.mad === null || r.mad === undefined ? "" : "MAD " + num(r.mad))),
        gauge(r)));
    c.dataset.scene = r.scene;
    if (r.reason) c.title = r.reason;
    lazy.observe(c);
    return c;
  });

  const value = { mad: (r) => r.mad ?? -1, ratio: (r) => isNaN(ratio(r)) ? -1 : ratio(r), ms: (r) => r.ms };
  const refresh = () => {
    for (const b of $("chips").children) b.setAttribute("aria-pressed", state.verdicts.has(b.dataset.verdict));
    state.shown = results.map((_, i) => i).filter((i) => {
      const r = results[i];
      return (!state.verdicts.size || state.verdicts.has(keyOf(r))) && (!state.tag || (r.tags || []).includes(state.tag)) &&
        (!state.adapter || adapterOf(r) === state.adapter) && (!state.text || r.scene.toLowerCase().includes(state.text) || (r.reason || "").toLowerCase().includes(state.text));
    });
    if (state.sort === "name") state.shown.sort((a, b) => results[a].scene < results[b].scene ? -1 : results[a].scene > results[b].scene ? 1 : 0);
    else if (state.sort !== "worst") state.shown.sort((a, b) => value[state.sort](results[b]) - value[state.sort](results[a]));
    $("grid").replaceChildren(...state.shown.map((i) => cards[i]));
    $("none").hidden = state.shown.length > 0;
  };

  // The scene that is looked at.
  let turn = 0;
  const open = async (i) => {
    const r = results[i], s = data.scenes[i], mine = ++turn;
    state.open = i;
    $("detail").hidden = false;
    $("detail").className = verdictClass(r);
    document.body.style.overflow = "hidden";
    $("canvas").focus({ preventScroll: true }); // keys go to the stage
    history.replaceState(null, "", "#" + encodeURIComponent(r.scene));
    $("name").textContent = r.scene;
    $("badge").replaceChildren(make("span", { className: "badge" }, icon[r.verdict] + " " + verdictText(r)));
    const at = state.shown.indexOf(i);
    $("count").textContent = at < 0 ? "" : at + 1 + " of " + state.shown.length;
    panel(r);
    $("message").textContent = "";
    const failed = [];
    // The last scene's pictures must not stand under this one's name for longer than the eye takes.
    const late = setTimeout(() => { if (mine === turn) viewer.set(null, null, null, []); }, 80);
    const get = (ref) => pixels.load(ref).catch((e) => { failed.push(e.message); return null; });
    const [golden, actual, diff] = await Promise.all([get(s.golden), get(s.actual), get(s.diff)]);
    clearTimeout(late);
    if (mine !== turn) return;
    viewer.set(golden, actual, diff, r.regions);
    $("message").textContent = golden || actual || diff ? "" : failed.length ? failed.join("\n") : "There is no picture of this scene.";
    setMode(viewer.s.mode);
  };
  const close = () => {
    const c = cards[state.open];
    turn++; state.open = -1;
    $("detail").hidden = true;
    document.body.style.overflow = "";
    history.replaceState(null, "", location.pathname + location.search);
    viewer.stop();
    if (c) c.focus({ preventScroll: false });
  };
  const step = (d) => {
    if (!state.shown.length) return;
    const at = state.shown.indexOf(state.open);
    open(state.shown[(at + d + state.shown.length) % state.shown.length]);
  };

  const table = (rows) => {
    const kept = rows.filter((r) => r && r[1]);
    return kept.length ? make("table", {}, ...kept.map(([k, v]) => make("tr", {}, make("th", {}, k), make("td", {}, v)))) : null;
  };
  const section = (title, ...kids) => kids.some(Boolean) ? [make("h3", {}, title), ...kids] : [];
  const big = (k, v) => make("div", {}, make("span", {}, k), make("b", { className: "bignum" }, v));
  const percent = (x) => x === null || x === undefined ? "–" : num(100 * x) + "%";
  const gateNames = { mad: "MAD", region_mad: "region MAD", tile_mad: "worst 16×16", over_share: "far-off pixels", max_diff: "largest difference", alpha_max: "alpha", flip: "FLIP" };

  const panel = (r) => {
    const p = $("panel");
    p.scrollTop = 0;
    const kids = [];
    if (r.reason) kids.push(make("p", { className: "reason" }, r.reason));
    if (r.mad !== null && r.mad !== undefined) {
      const more = [["region MAD", r.region_mad], ["FLIP", r.flip], ["SSIM", r.ssim]].filter((x) => x[1] !== null && x[1] !== undefined);
      kids.push(make("div", { className: "numbers" }, big("MAD", num(r.mad)), big("limit", num(r.limit)), big("largest", num(r.max_diff)), ...more.map((x) => big(x[0], num(x[1])))));
    }
    if (r.diagnosis && r.diagnosis.length) kids.push(...section("What would explain it", ...r.diagnosis.map((d) => make("div", { className: "find" }, d.text))));
    if (r.kind && r.kind !== "none") kids.push(...section("Where", make("p", {}, { edges: "On edges only: coverage, sampling position or a shift of less than a pixel.", interior: "Inside of surfaces: shading, a texture, or something that is gone.", mixed: "On edges and inside of surfaces.", everywhere: "Nearly everywhere.", alpha: "In alpha only." }[r.kind] || r.kind)));
    if (r.regions && r.regions.length) kids.push(...section("Regions, worst first", ...r.regions.map((b) => make("button", { className: "region", onclick: () => { viewer.show(b); marks(); } }, `${b.width}×${b.height} at (${b.x}, ${b.y}) · MAD ${num(b.mad)} · ${b.pixels} pixels`))));
    if (r.gates && r.gates.length) kids.push(...section("Gates", make("table", {}, ...r.gates.map((g) => make("tr", { className: g.ok ? "good" : "bad", title: g.text || "" }, make("td", {}, gateNames[g.name] || g.name), make("td", { className: "n" }, g.name === "over_share" ? percent(g.value) : num(g.value)), make("td", { className: "n" }, "≤ " + (g.name === "over_share" ? percent(g.limit) : num(g.limit))))))));
    if (r.within) kids.push(...section("Pixels within", make("table", {}, ...[["0", r.within.exact], ["1", r.within["1"]], ["3", r.within["3"]], ["5", r.within["5"]]].map(([k, v]) => make("tr", {}, make("td", {}, "± " + k), make("td", { className: "n" }, percent(v)))))));
    if (r.non_finite) kids.push(...section("Not finite before tone mapping", table([["NaN", String(r.non_finite.nan)], ["Inf", String(r.non_finite.inf)], ["first", (r.non_finite.first || []).map((t) => `${t.value} in ${t.channel} at (${t.x}, ${t.y})`).join("; ")]])));
    if (r.noise) kids.push(...section("Repeats", make("p", {}, r.noise.text || `${r.noise.draws} draws, warm, cold, after other scenes and on another device: the same pixels.`)));
    if (r.history && r.history.length) kids.push(...section("MAD of earlier runs", chart(r)));
    if (r.attempts && r.attempts.length) kids.push(...section("Earlier attempts", ...r.attempts.map((a) => make("p", {}, (word[a.verdict] || {}).title + ": " + (a.reason || "")))));
    const g = r.golden || {};
    kids.push(...section("Golden", table([["key", g.key], ["source", g.source && { exact: "this adapter and driver", class: "this kind of adapter", reference: "another engine", flat: "flat folder" }[g.source]], ["blessed", g.blessed && g.blessed.slice(0, 10)], ["commit", g.commit], ["driver", g.driver], ["file", r.files && r.files.golden], ["notes", (g.notes || []).join("; ")]])));
    kids.push(...section("Picture", table([["size", r.width ? `${r.width} × ${r.height}` : ""], ["took", num(Math.round(r.ms * 10) / 10) + " ms"], ["adapter", adapterOf(r)], ["shard", r.shard && String(r.shard)], ["source", r.source], ["file", r.files && r.files.actual], ["digest", r.digest && r.digest.slice(0, 16)]])));
    if (r.verdict !== "pass" && r.files && r.files.actual) {
      const text = "parity approve " + r.scene;
      kids.push(...section("Approve", make("div", { className: "copy" }, make("code", {}, text), make("button", { onclick: (e) => { if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => { e.target.textContent = "Copied"; }, () => {}); } }, "Copy"))));
    }
    if (r.log) kids.push(...section("Last words of the worker", make("pre", {}, r.log)));
    if (r.tags && r.tags.length) kids.push(make("div", { className: "tags" }, ...r.tags.map((t) => make("span", {}, t))));
    p.replaceChildren(...kids);
  };

  const chart = (r) => {
    const NS = "http://www.w3.org/2000/svg", W = 330, H = 92;
    const el = (tag, attrs, text) => { const e = document.createElementNS(NS, tag); for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v); if (text) e.textContent = text; return e; };
    const pts = [...r.history, { time: run.started, commit: run.commit, verdict: r.verdict, mad: r.mad }];
    const top = Math.max(...pts.map((p) => p.mad || 0), r.limit || 0, 1e-9) * 1.15;
    const x = (i) => 10 + (W - 20) * (pts.length === 1 ? 1 : i / (pts.length - 1)), y = (v) => H - 10 - (H - 22) * v / top;
    const svg = el("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "img", "aria-label": "MAD over runs" });
    if (r.limit) {
      svg.append(el("line", { x1: 10, x2: W - 10, y1: y(r.limit), y2: y(r.limit), stroke: "var(--differs)", "stroke-dasharray": "4 4", opacity: .7 }));
      svg.append(el("text", { x: W - 12, y: y(r.limit) - 4, "text-anchor": "end", "font-size": 10, fill: "var(--dim)" }, "limit " + num(r.limit)));
    }
    let d = "";
    pts.forEach((p, i) => { if (p.mad !== null && p.mad !== undefined) d += (d ? "L" : "M") + x(i) + " " + y(p.mad); });
    if (d) svg.append(el("path", { d, fill: "none", stroke: "var(--accent)", "stroke-width": 1.5 }));
    pts.forEach((p, i) => {
      const c = el("circle", { cx: x(i), cy: y(p.mad || 0), r: i === pts.length - 1 ? 4 : 2.6, fill: p.verdict === "pass" ? "var(--pass)" : word[p.verdict].class === 1 ? "var(--differs)" : "var(--unjudged)" });
      c.append(el("title", {}, [(p.time || "").slice(0, 10), p.commit, word[p.verdict].title, "MAD " + num(p.mad)].filter(Boolean).join(" · ")));
      svg.append(c);
    });
    return svg;
  };

  // The stage's buttons.
  const slideText = { swipe: "Swipe", onion: "Picture", heat: "Scale", side: "Scale", blink: "" };
  const setMode = (m) => { viewer.setMode(m); marks(); };
  const marks = () => {
    for (const b of $("modes").children) b.setAttribute("aria-pressed", b.dataset.mode === viewer.s.mode);
    $("boxes").setAttribute("aria-pressed", viewer.s.boxes);
    const text = slideText[viewer.s.mode];
    $("slide").hidden = !text;
    $("slide").firstElementChild.textContent = text;
    $("slide").lastElementChild.value = viewer.s.slide[viewer.s.mode === "side" ? "heat" : viewer.s.mode];
  };
  for (const b of $("modes").children) b.onclick = () => setMode(b.dataset.mode);
  $("slide").lastElementChild.oninput = (e) => viewer.setSlide(+e.target.value);
  $("boxes").onclick = () => { viewer.s.boxes = !viewer.s.boxes; marks(); viewer.draw(); };
  $("in").onclick = () => viewer.zoomTo(viewer.s.zoom * 1.5);
  $("out").onclick = () => viewer.zoomTo(viewer.s.zoom / 1.5);
  $("one").onclick = () => viewer.zoomTo(1);
  $("fit").onclick = viewer.fit;
  $("prev").onclick = () => step(-1);
  $("next").onclick = () => step(1);
  $("close").onclick = close;
  viewer.s.colours = data.heat;
  viewer.s.onchange = () => {
    const s = viewer.s, h = s.hover;
    $("zoom").textContent = s.zoom >= 0.995 ? num(Math.round(s.zoom * 100) / 100) + "×" : Math.round(s.zoom * 100) + "%";
    if (document.activeElement !== $("slide").lastElementChild) $("slide").lastElementChild.value = s.slide[s.mode === "side" ? "heat" : s.mode];
    if (!h) { $("readout").replaceChildren(make("span", { className: "dim" }, viewer.size().width > 1 ? "Point at a pixel to read it" : "")); return; }
    const read = (m) => m && m.data && h.x < m.width && h.y < m.height ? [...m.data.slice((h.y * m.width + h.x) * 4, (h.y * m.width + h.x) * 4 + 4)] : null;
    const a = read(s.actual), b = read(s.golden), three = (v) => v.map((n) => String(n).padStart(3)).join(" ");
    const swatch = (v) => { const i = make("i", {}); i.style.background = `rgba(${v[0]},${v[1]},${v[2]},${v[3] / 255})`; return i; };
    const kids = [make("span", {}, `(${h.x}, ${h.y})`)];
    if (b) kids.push(make("span", { id: "ro-golden" }, swatch(b), "golden  " + three(b)));
    if (a) kids.push(make("span", { id: "ro-actual" }, swatch(a), "picture " + three(a)));
    if (a && b) kids.push(make("span", { id: "ro-diff" }, "Δ " + a.map((v, i) => { const d = v - b[i]; return ((d > 0 ? "+" : "") + d).padStart(4); }).join(" ")));
    if (!a && !b) kids.push(make("span", { className: "dim" }, "the browser does not let this page read a picture that is not embedded"));
    $("readout").replaceChildren(...kids);
  };

  // Keys.
  const dialog = (on) => { $("help").hidden = !on; if (on) $("help-close").focus(); };
  $("help-open").onclick = () => dialog(true);
  $("help-close").onclick = () => dialog(false);
  $("help").onclick = (e) => { if (e.target === $("help")) dialog(false); };
  const modes = ["side", "swipe", "onion", "blink", "heat"];
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "range";
    if (e.key === "Escape") {
      if (!$("help").hidden) dialog(false);
      else if (state.open >= 0) close();
      else if (typing) e.target.blur();
      return;
    }
    if (typing) { if (e.key === "Enter" && e.target === $("search") && state.shown.length) open(state.shown[0]); return; }
    if (e.key === "?") return dialog($("help").hidden);
    if (e.key === "/") { e.preventDefault(); if (state.open >= 0) close(); $("search").focus(); return; }
    if (e.key === "f") {
      const bad = kinds.filter((k) => k !== "pass"), on = bad.every((k) => state.verdicts.has(k)) && !state.verdicts.has("pass");
      state.verdicts = new Set(on ? [] : bad);
      return refresh();
    }
    if (state.open < 0) {
      if (e.key === "Enter" && !e.target.closest("button") && state.shown.length) open(state.shown[0]);
      if (e.key === "j" || e.key === "k") { // move the focus over the cards
        const at = state.shown.findIndex((i) => cards[i] === document.activeElement), to = state.shown[Math.max(0, Math.min(state.shown.length - 1, at + (e.key === "j" ? 1 : -1)))];
        if (to !== undefined) cards[to].focus();
      }
      return;
    }
    const onSlider = e.target.type === "range";
    if (e.key === "j" || e.key === "ArrowRight" && !onSlider) return step(1);
    if (e.key === "k" || e.key === "ArrowLeft" && !onSlider) return step(-1);
    if (modes[e.key - 1]) return setMode(modes[e.key - 1]);
    if (e.key === "+" || e.key === "=") return viewer.zoomTo(viewer.s.zoom * 1.5);
    if (e.key === "-") return viewer.zoomTo(viewer.s.zoom / 1.5);
    if (e.key === "0") return viewer.fit();
    if (e.key === "z") return viewer.zoomTo(1);
    if (e.key === "r") return $("boxes").click();
    if (e.key === "[" || e.key === "]") { const k = viewer.s.mode === "side" ? "heat" : viewer.s.mode; return viewer.setSlide(viewer.s.slide[k] + (e.key === "]" ? 5 : -5)); }
    if (e.key === " ") {
      e.preventDefault();
      if (viewer.s.mode === "blink") { if (!e.repeat) viewer.s.blinkOn = !viewer.s.blinkOn; } else { viewer.s.hold = true; viewer.draw(); }
    }
  });
  addEventListener("keyup", (e) => { if (e.key === " " && viewer.s.hold) { viewer.s.hold = false; viewer.draw(); } });

  // Light or dark, as the system has it until told otherwise.
  const light = (on) => { document.documentElement.classList.toggle("light", on); viewer.draw(); };
  light(matchMedia("(prefers-color-scheme: light)").matches);
  $("theme").onclick = () => light(!document.documentElement.classList.contains("light"));

  refresh();
  marks();
  const fromHash = () => {
    const name = decodeURIComponent(location.hash.slice(1)), i = results.findIndex((r) => r.scene === name);
    if (name && i >= 0 && i !== state.open) open(i);
  };
  addEventListener("hashchange", fromHash);
  fromHash();
  performance.mark("usable");
})();
