// The stage: one canvas on which golden, picture and difference are drawn with one zoom and one centre.
const viewer = (() => {
  const canvas = document.getElementById("canvas"), g = canvas.getContext("2d");
  const s = {
    golden: null, actual: null, diff: null, heat: null, mode: "side", zoom: 1, x: 0, y: 0, fitted: true,
    slide: { swipe: 50, onion: 50, heat: 0, blink: 50 }, boxes: false, regions: [], hold: false, blinkOn: true, phase: 0, hover: null, colours: [], onchange: () => {},
  };
  const size = () => s.actual || s.golden || s.diff || { width: 1, height: 1 };
  const pair = () => s.golden && s.actual && s.golden.width === s.actual.width && s.golden.height === s.actual.height;

  // Panels of the present mode: what is drawn where.
  const panels = () => {
    const W = canvas.clientWidth, H = canvas.clientHeight, one = (what) => [{ what, x: 0, y: 0, w: W, h: H }];
    if (s.hold && s.golden) return one("golden");
    if (s.mode === "heat") return one(heatOf() ? "heat" : s.actual ? "actual" : "golden");
    if (s.mode === "side" || !pair()) {
      const all = ["golden", "actual", "heat"].filter((k) => k === "heat" ? heatOf() : s[k]);
      if (!all.length) return [];
      // Of a row, a column and two by two, the one that shows the pictures largest.
      const n = all.length, gap = 2, z = size();
      const scale = (cols) => Math.min((W / cols) / z.width, (H / Math.ceil(n / cols)) / z.height);
      const cols = [1, 2, 3].filter((c) => c <= n).reduce((a, b) => scale(b) > scale(a) ? b : a), rows = Math.ceil(n / cols);
      return all.map((what, i) => ({ what, x: (i % cols) * (W + gap) / cols, y: Math.floor(i / cols) * (H + gap) / rows, w: (W + gap) / cols - gap, h: (H + gap) / rows - gap }));
    }
    if (s.mode === "blink") return one(s.phase ? "golden" : "actual");
    return one("both");
  };

  // The difference as a picture: square root scale from 0 to the full difference, which the slider turns from 255 down to 1.
  const heatOf = () => {
    if (s.heat) return s.heat;
    if (!pair() || !s.golden.data || !s.actual.data) return s.diff;
    const { width: w, height: h } = s.actual, a = s.actual.data, b = s.golden.data;
    const full = Math.max(1, Math.round(255 * Math.pow(1 / 255, s.slide.heat / 100)));
    const lut = new Uint8Array(256 * 3);
    for (let d = 0; d < 256; d++) {
      const c = parseInt(s.colours[Math.round(255 * Math.min(1, Math.sqrt(d / full)))], 16);
      lut[d * 3] = c >> 16; lut[d * 3 + 1] = c >> 8 & 255; lut[d * 3 + 2] = c & 255;
    }
    const out = new ImageData(w, h), o = out.data;
    for (let i = 0; i < a.length; i += 4) {
      const d = Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2]), Math.abs(a[i + 3] - b[i + 3])) * 3;
      o[i] = lut[d]; o[i + 1] = lut[d + 1]; o[i + 2] = lut[d + 2]; o[i + 3] = 255;
    }
    const c = document.createElement("canvas");
    c.width = w; c.height = h;
    c.getContext("2d").putImageData(out, 0, 0);
    s.heat = { width: w, height: h, image: c, data: o, full };
    return s.heat;
  };

  const fit = () => {
    const p = panels()[0], z = size();
    if (!p) { s.fitted = true; draw(); return; } // nothing to show: what was shown before must go
    s.zoom = Math.min((p.w - 16) / z.width, (p.h - 16) / z.height);
    if (s.zoom > 1) s.zoom = Math.max(1, Math.floor(s.zoom));
    s.x = z.width / 2; s.y = z.height / 2; s.fitted = true;
    draw();
  };

  let pending = 0;
  const draw = () => { if (!pending) pending = requestAnimationFrame(paint); };

  const paint = () => {
    pending = 0;
    const r = devicePixelRatio || 1, W = canvas.clientWidth, H = canvas.clientHeight;
    if (!W || !H) return;
    if (canvas.width !== Math.round(W * r) || canvas.height !== Math.round(H * r)) {
      canvas.width = Math.round(W * r); canvas.height = Math.round(H * r);
      if (s.fitted) return fit();
    }
    g.setTransform(r, 0, 0, r, 0, 0);
    g.clearRect(0, 0, W, H);
    for (const p of panels()) {
      g.save();
      g.beginPath(); g.rect(p.x, p.y, p.w, p.h); g.clip();
      const z = size(), ox = p.x + p.w / 2 - s.x * s.zoom, oy = p.y + p.h / 2 - s.y * s.zoom;
      // Whole device pixels, so that no seam runs between a pixel of the picture and the next.
      const at = (v) => Math.round(v * r) / r;
      const put = (k, clip) => {
        const m = k === "heat" ? heatOf() : s[k];
        if (!m) return;
        g.save();
        if (clip) { g.beginPath(); g.rect(...clip); g.clip(); }
        g.imageSmoothingEnabled = s.zoom < 1;
        g.imageSmoothingQuality = "high";
        g.drawImage(m.image, at(ox), at(oy), at(ox + m.width * s.zoom) - at(ox), at(oy + m.height * s.zoom) - at(oy));
        g.restore();
      };
      checks(at(ox), at(oy), z.width * s.zoom, z.height * s.zoom, p);
      if (p.what === "both" && s.mode === "swipe") {
        const cut = ox + z.width * s.zoom * s.slide.swipe / 100;
        put("golden", [p.x, p.y, cut - p.x, p.h]);
        put("actual", [cut, p.y, p.x + p.w - cut, p.h]);
        g.fillStyle = "#fff"; g.shadowColor = "#000"; g.shadowBlur = 4;
        g.fillRect(cut - 1, p.y, 2, p.h);
        g.beginPath(); g.arc(cut, p.y + p.h / 2, 9, 0, 7); g.fill();
        g.shadowBlur = 0;
        label(p, "golden", "left"); label(p, "picture", "right");
      } else if (p.what === "both") {
        put("golden");
        g.globalAlpha = s.slide.onion / 100; put("actual"); g.globalAlpha = 1;
        label(p, "golden " + (100 - s.slide.onion) + "% · picture " + s.slide.onion + "%", "left");
      } else {
        put(p.what);
        const h = p.what === "heat" ? heatOf() : null;
        label(p, p.what === "actual" ? "picture" : h ? h.full ? "difference 0…" + h.full : "difference" : p.what, "left");
      }
      if (s.zoom >= 16) lattice(ox, oy, z, p, r);
      if (s.boxes) {
        for (const b of s.regions) {
          g.lineWidth = 2; g.strokeStyle = "#000"; g.strokeRect(ox + b.x * s.zoom - 3, oy + b.y * s.zoom - 3, b.width * s.zoom + 6, b.height * s.zoom + 6);
          g.lineWidth = 1; g.strokeStyle = "#7df"; g.strokeRect(ox + b.x * s.zoom - 3, oy + b.y * s.zoom - 3, b.width * s.zoom + 6, b.height * s.zoom + 6);
        }
      }
      if (s.hover && s.zoom >= 3) {
        g.lineWidth = 1; g.strokeStyle = "#000"; g.strokeRect(ox + s.hover.x * s.zoom - 1, oy + s.hover.y * s.zoom - 1, s.zoom + 2, s.zoom + 2);
        g.strokeStyle = "#fff"; g.strokeRect(ox + s.hover.x * s.zoom, oy + s.hover.y * s.zoom, s.zoom, s.zoom);
      }
      g.restore();
    }
    s.onchange();
  };

  // Checks behind a picture show where it is transparent. They stay where they are while the picture moves.
  let pattern = null, patternOf = "";
  const checks = (x, y, w, h, p) => {
    const style = getComputedStyle(document.documentElement), a = style.getPropertyValue("--check-a"), b = style.getPropertyValue("--check-b");
    if (patternOf !== a + b) {
      const c = document.createElement("canvas");
      c.width = c.height = 16;
      const k = c.getContext("2d");
      k.fillStyle = a; k.fillRect(0, 0, 16, 16);
      k.fillStyle = b; k.fillRect(0, 0, 8, 8); k.fillRect(8, 8, 8, 8);
      pattern = g.createPattern(c, "repeat"); patternOf = a + b;
    }
    g.fillStyle = pattern;
    g.fillRect(Math.max(x, p.x), Math.max(y, p.y), Math.min(x + w, p.x + p.w) - Math.max(x, p.x), Math.min(y + h, p.y + p.h) - Math.max(y, p.y));
  };

  const lattice = (ox, oy, z, p, r) => {
    g.strokeStyle = "#8884"; g.lineWidth = 1 / r; g.beginPath();
    for (let x = Math.max(0, Math.floor((p.x - ox) / s.zoom)); x <= z.width && ox + x * s.zoom < p.x + p.w; x++) { g.moveTo(ox + x * s.zoom, p.y); g.lineTo(ox + x * s.zoom, p.y + p.h); }
    for (let y = Math.max(0, Math.floor((p.y - oy) / s.zoom)); y <= z.height && oy + y * s.zoom < p.y + p.h; y++) { g.moveTo(p.x, oy + y * s.zoom); g.lineTo(p.x + p.w, oy + y * s.zoom); }
    g.stroke();
  };

  const label = (p, text, side) => {
    g.font = "600 11.5px system-ui, sans-serif";
    const w = g.measureText(text).width + 14, x = side === "left" ? p.x + 8 : p.x + p.w - w - 8;
    g.fillStyle = "#000a"; g.beginPath(); g.roundRect(x, p.y + 8, w, 21, 6); g.fill();
    g.fillStyle = "#fff"; g.textBaseline = "middle"; g.fillText(text, x + 7, p.y + 19);
  };

  // The pixel under a point of the canvas, or null.
  const pixelAt = (cx, cy) => {
    for (const p of panels()) {
      if (cx < p.x || cy < p.y || cx >= p.x + p.w || cy >= p.y + p.h) continue;
      const x = Math.floor(s.x + (cx - p.x - p.w / 2) / s.zoom), y = Math.floor(s.y + (cy - p.y - p.h / 2) / s.zoom), z = size();
      return x >= 0 && y >= 0 && x < z.width && y < z.height ? { x, y } : null;
    }
    return null;
  };

  const zoomTo = (zoom, cx, cy) => {
    const p = panels().find((p) => cx >= p.x && cx < p.x + p.w && cy >= p.y && cy < p.y + p.h) || panels()[0];
    if (!p) return;
    zoom = Math.min(64, Math.max(0.02, zoom));
    const dx = (cx ?? p.x + p.w / 2) - p.x - p.w / 2, dy = (cy ?? p.y + p.h / 2) - p.y - p.h / 2;
    s.x += dx / s.zoom - dx / zoom; s.y += dy / s.zoom - dy / zoom;
    s.zoom = zoom; s.fitted = false;
    draw();
  };

  const show = (b) => { // a region, with some ground around it
    const p = panels()[0];
    if (!p) return;
    s.zoom = Math.min(32, Math.max(0.05, Math.min(p.w / (b.width + 24), p.h / (b.height + 24))));
    if (s.zoom > 1) s.zoom = Math.floor(s.zoom);
    s.x = b.x + b.width / 2; s.y = b.y + b.height / 2; s.fitted = false; s.boxes = true;
    draw();
  };

  const points = new Map();
  let dragging = false, swiping = false, spread = 0;
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    points.set(e.pointerId, e);
    const p = panels()[0];
    if (p && s.mode === "swipe" && p.what === "both") {
      const cut = p.x + p.w / 2 - s.x * s.zoom + size().width * s.zoom * s.slide.swipe / 100;
      swiping = Math.abs(e.offsetX - cut) < 14;
    }
    dragging = !swiping;
    if (dragging) canvas.classList.add("grab");
  });
  canvas.addEventListener("pointermove", (e) => {
    s.hover = pixelAt(e.offsetX, e.offsetY);
    const last = points.get(e.pointerId);
    if (last) {
      points.set(e.pointerId, e);
      if (points.size === 2) {
        const [a, b] = [...points.values()], d = Math.hypot(a.offsetX - b.offsetX, a.offsetY - b.offsetY);
        if (spread) zoomTo(s.zoom * d / spread, (a.offsetX + b.offsetX) / 2, (a.offsetY + b.offsetY) / 2);
        spread = d;
      } else if (swiping) {
        const p = panels()[0];
        setSlide(100 * (e.offsetX - (p.x + p.w / 2 - s.x * s.zoom)) / (size().width * s.zoom));
      } else if (dragging) {
        s.x -= (e.offsetX - last.offsetX) / s.zoom; s.y -= (e.offsetY - last.offsetY) / s.zoom; s.fitted = false;
      }
    }
    draw();
  });
  const up = (e) => { points.delete(e.pointerId); spread = 0; if (!points.size) { dragging = swiping = false; canvas.classList.remove("grab"); } };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => { s.hover = null; draw(); });
  canvas.addEventListener("dblclick", fit);
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    zoomTo(s.zoom * Math.pow(1.0018, -e.deltaY * (e.deltaMode ? 30 : 1)), e.offsetX, e.offsetY);
  }, { passive: false });
  new ResizeObserver(() => { if (s.fitted) fit(); else draw(); }).observe(canvas);

  const setSlide = (v) => {
    s.slide[s.mode === "side" ? "heat" : s.mode] = Math.min(100, Math.max(0, Math.round(v)));
    if (s.mode === "heat" || s.mode === "side") s.heat = null;
    draw();
  };
  let timer = 0;
  const setMode = (m) => {
    s.mode = m;
    clearInterval(timer);
    s.phase = 0;
    if (m === "blink") timer = setInterval(() => { if (s.blinkOn) { s.phase ^= 1; draw(); } }, 450);
    if (s.fitted) fit(); else draw();
  };
  const set = (golden, actual, diff, regions) => {
    const was = size();
    Object.assign(s, { golden, actual, diff, heat: null, regions: regions || [], hover: null });
    if (s.fitted || was.width !== size().width || was.height !== size().height) fit(); else draw();
  };
  const stop = () => { clearInterval(timer); set(null, null, null, []); };

  return { s, set, setMode, setSlide, fit, zoomTo, show, draw, stop, heatOf, size };
})();
