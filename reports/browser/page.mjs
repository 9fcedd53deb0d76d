// Opens the HTML report in headless Chromium and uses it as a person would.
//
//   node page.mjs REPORT.html [SCREENSHOT-FOLDER]
//
// Prints one line of JSON with what was measured; any failed expectation is an error and exit code 1. CHROMIUM names the browser where it is not
// /usr/bin/chromium.
import { strict as assert } from "node:assert";
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, shots] = process.argv.slice(2);
const mode = process.env.REPORT_MODE || "full"; // full, or speed: only how fast the page opens
if (shots) mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--force-color-profile=srgb"] });
const out = {};
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
  const problems = [], requests = [];
  page.on("pageerror", (e) => problems.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") problems.push(m.text()); });
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  const shot = async (name) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png` }); };
  const text = (sel) => page.locator(sel).innerText();
  const url = pathToFileURL(file).href;

  const t0 = performance.now();
  const loaded = page.goto(url, { waitUntil: "load" });
  await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0 && [...document.querySelectorAll(".shot img")].some((i) => i.complete && i.naturalWidth > 0));
  out.usable_ms = Math.round(performance.now() - t0); // cards are there and the first thumbnail is painted
  await loaded;
  out.load_ms = Math.round(performance.now() - t0);
  out.cards = await page.locator(".card").count();
  assert.ok(out.cards > 0, "there are no cards");
  assert.deepEqual(requests, [url], "the page asked for something beside itself");

  if (mode === "speed") {
    // Scrolling to the end paints the thumbnails there.
    const t1 = performance.now();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => { const all = [...document.querySelectorAll(".card img")]; return all.at(-1).naturalWidth > 0; });
    out.scroll_to_end_ms = Math.round(performance.now() - t1);
    const t2 = performance.now();
    await page.fill("#search", "glass");
    out.found = await page.locator(".card").count();
    out.search_ms = Math.round(performance.now() - t2);
    out.thumbnails_decoded = await page.evaluate(() => [...document.querySelectorAll(".card img")].filter((i) => i.src).length);
    await page.fill("#search", "");
    const t3 = performance.now();
    await page.locator(".card").first().click();
    await page.waitForFunction(() => viewer.s.actual || viewer.s.golden || document.querySelector("#message").textContent);
    out.open_scene_ms = Math.round(performance.now() - t3);
    await shot("thousand");
    assert.deepEqual(problems, []);
  } else {
    // Overview: the worst first, filters, search.
    await page.waitForTimeout(300);
    await shot("1-overview");
    const total = out.cards;
    assert.equal(await page.locator(".card").first().getAttribute("data-scene"), "scene6-sphere", "the crash is not first");
    await page.locator("#chips button[data-verdict=mismatch]").click();
    assert.equal(await page.locator(".card").count(), 5, "filter by verdict");
    await page.selectOption("#tag", "pbr");
    assert.equal(await page.locator(".card").count(), 2, "filter by verdict and tag");
    await page.fill("#search", "no such scene");
    assert.ok(await page.locator("#none").isVisible(), "nothing found is not said");
    await page.locator("#reset").click();
    assert.equal(await page.locator(".card").count(), total, "reset");
    await page.locator("body").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("f");
    assert.equal(await page.locator(".card").count(), 12, "key f: what does not pass");
    await page.keyboard.press("f");
    await page.selectOption("#sort", "name");
    assert.equal(await page.locator(".card").first().getAttribute("data-scene"), "scene0-sphere", "order by name");
    await page.keyboard.press("/");
    await page.keyboard.type("scene0-");
    await page.keyboard.press("Enter");

    // A scene: the picture, its numbers, the pixel read-out.
    const ready = () => page.waitForFunction(() => viewer.s.actual && viewer.s.golden);
    await ready();
    assert.equal(await text("#name"), "scene0-sphere");
    assert.ok((await text("#panel")).includes("MAD"), "no numbers");
    assert.equal(await page.evaluate(() => location.hash), "#scene0-sphere", "no deep link");
    await page.waitForTimeout(150);
    await shot("2-side");
    const at = async (fx, fy) => { // moves to a fraction of the first panel's picture
      const p = await page.evaluate(([fx, fy]) => {
        const c = document.querySelector("#canvas").getBoundingClientRect(), s = viewer.s, n = s.mode === "side" ? 3 : 1, z = viewer.size();
        const w = (c.width + 2) / n - (n > 1 ? 2 : 0);
        return { x: c.x + w / 2 + (fx * z.width - s.x) * s.zoom, y: c.y + c.height / 2 + (fy * z.height - s.y) * s.zoom, px: Math.floor(fx * z.width), py: Math.floor(fy * z.height) };
      }, [fx, fy]);
      await page.mouse.move(p.x, p.y);
      await page.waitForTimeout(80);
      return p;
    };
    await page.keyboard.press("2");
    let p = await at(0.5, 0.4); // in the hole of scene0: the picture has the background colour there
    const readout = await text("#readout");
    const want = await page.evaluate(([x, y]) => { const i = (y * viewer.s.golden.width + x) * 4; return [[...viewer.s.golden.data.slice(i, i + 4)], [...viewer.s.actual.data.slice(i, i + 4)]]; }, [p.px, p.py]);
    const numbers = (s) => s.match(/-?\d+/g).map(Number);
    assert.deepEqual(numbers(await text("#ro-golden")), want[0], "read-out of the golden: " + readout);
    assert.deepEqual(numbers(await text("#ro-actual")), want[1], "read-out of the picture");
    assert.deepEqual(want[1], [51, 51, 77, 255], "the pixel is not the one that was written");
    await shot("3-swipe");

    // Every mode draws something else.
    const grab = () => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(document.querySelector("#canvas").toDataURL())))));
    await page.mouse.move(5, 5);
    const seen = new Map();
    for (const [key, name] of [["1", "side"], ["2", "swipe"], ["3", "onion"], ["5", "heat"]]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(60);
      const now = await grab();
      for (const [other, was] of seen) assert.ok(now !== was, `${name} looks like ${other}`);
      seen.set(name, now);
      await shot("4-" + name);
    }
    await page.keyboard.press("4");
    const blink = new Set();
    for (let i = 0; i < 8; i++) { blink.add(await grab()); await page.waitForTimeout(180); }
    assert.equal(blink.size, 2, "blink shows two pictures in turn");

    // Heat map: its scale, zoom to a region, the regions' boxes.
    await page.keyboard.press("5");
    const heat = await grab();
    for (let i = 0; i < 12; i++) await page.keyboard.press("]");
    assert.ok(await grab() !== heat, "the scale of the heat map does not turn");
    await page.locator(".region").first().click();
    const zoomed = await page.evaluate(() => viewer.s.zoom);
    assert.ok(zoomed > 1, "a click on a region does not zoom: " + zoomed);
    await shot("5-region");
    await page.keyboard.press("0");
    const c = await page.locator("#canvas").boundingBox();
    await page.mouse.move(c.x + c.width / 2, c.y + c.height / 2);
    for (let i = 0; i < 14; i++) await page.mouse.wheel(0, -240);
    await page.waitForTimeout(80);
    assert.ok(await page.evaluate(() => viewer.s.zoom) > 16, "the wheel does not zoom");
    await page.keyboard.press("1");
    await shot("6-pixels");

    // Alpha is read as it is in the file, however small: a canvas would have multiplied and divided it.
    await page.keyboard.press("Escape");
    await page.evaluate(() => { location.hash = "#scene4-bloom"; });
    await page.waitForFunction(() => document.querySelector("#name").textContent === "scene4-bloom" && viewer.s.actual && viewer.s.golden);
    const alpha = await page.evaluate(() => { const d = viewer.s.actual.data, g = viewer.s.golden.data; let rgb = 0, low = 255; for (let i = 0; i < d.length; i += 4) { rgb += Math.abs(d[i] - g[i]) + Math.abs(d[i + 1] - g[i + 1]) + Math.abs(d[i + 2] - g[i + 2]); low = Math.min(low, d[i + 3]); } return { rgb, low }; });
    assert.deepEqual(alpha, { rgb: 0, low: 55 }, "colour under small alpha is not exact");
    await page.keyboard.press("0");
    await page.waitForTimeout(100);
    await shot("7-alpha");

    // Next and previous, a scene without pictures, a crash with its last words.
    const name0 = await text("#name");
    await page.keyboard.press("Escape");
    await page.locator("#chips button[data-verdict=mismatch]").click(); // still searching for scene0-: one card
    await page.fill("#search", "");
    await page.locator(".card").first().click();
    const names = [];
    for (let i = 0; i < 5; i++) { names.push(await text("#name")); await page.keyboard.press("j"); }
    assert.equal(new Set(names).size, 5, "j goes through the five that are shown: " + names);
    assert.ok(names.includes(name0));
    await page.keyboard.press("k");
    assert.equal(await text("#name"), names[4], "k goes back");
    await page.evaluate(() => { location.hash = "#scene6-sphere"; });
    await page.waitForFunction(() => document.querySelector("#name").textContent === "scene6-sphere");
    await page.waitForTimeout(100);
    assert.ok((await text("#message")).includes("no picture"), "a scene without pictures does not say so");
    const left = await page.evaluate(() => { const c = document.querySelector("#canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; });
    assert.equal(left, 0, "the pictures of the scene before are still there");
    assert.ok((await text("#panel")).includes("vkQueueSubmit"), "the last words of the worker are not there");
    await shot("8-crash");

    // Help, light theme, a small window.
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible(), "no help");
    await shot("9-help");
    await page.keyboard.press("Escape");
    await page.locator("#chips button[data-verdict=mismatch]").click();
    await page.locator("#theme").click();
    await page.waitForTimeout(150);
    await shot("10-light");
    await page.evaluate(() => { location.hash = "#scene2-shadow"; });
    await page.waitForFunction(() => document.querySelector("#name").textContent === "scene2-shadow" && viewer.s.actual);
    await page.waitForTimeout(150);
    await shot("11-light-scene");
    await page.setViewportSize({ width: 420, height: 860 });
    await page.waitForTimeout(200);
    await shot("12-narrow");
    await page.keyboard.press("Escape");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
    assert.ok(!wide, "a narrow window scrolls sideways");
    await shot("13-narrow-overview");
    assert.deepEqual(problems, [], "the page complains");
  }
  console.log(JSON.stringify(out));
} finally {
  await browser.close();
}
