"use strict";
// Pictures stand as base64 in inert script elements, #p0, #p1 … and the thumbnails, a line each, in #thumbs. They are read when they are needed.
const pixels = (() => {
  const cache = new Map(); // id or path -> Promise of a picture
  const KEEP = 12;         // decoded pictures to hold on to: a 4K one takes 33 MB

  const decode64 = (text) => {
    const s = atob(text.trim());
    const b = new Uint8Array(s.length);
    for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
    return b;
  };

  // The program runs before the parser has come to the pictures.
  const element = async (id) => {
    for (;;) {
      const e = document.getElementById(id);
      // An element is whole once something follows it, or the parser is done.
      if (e && (e.nextElementSibling || document.readyState !== "loading")) return e;
      if (document.readyState !== "loading") return null;
      await new Promise((r) => setTimeout(r, 30));
    }
  };

  // PNG of 8-bit RGB or RGBA, not interlaced, as darkroom writes it, decoded to straight RGBA. A canvas would premultiply, and give back other
  // numbers where alpha is small. Null for every other file.
  const exact = async (b) => {
    const v = new DataView(b.buffer, b.byteOffset, b.byteLength);
    if (b.length < 33 || v.getUint32(0) !== 0x89504e47 || typeof DecompressionStream === "undefined") return null;
    const w = v.getUint32(16), h = v.getUint32(20), colour = b[25];
    if (b[24] !== 8 || (colour !== 2 && colour !== 6) || b[28] !== 0) return null;
    const parts = [];
    for (let i = 8; i + 12 <= b.length;) {
      const n = v.getUint32(i), name = v.getUint32(i + 4);
      if (name === 0x74524e53) return null; // tRNS
      if (name === 0x49444154) parts.push(b.subarray(i + 8, i + 8 + n));
      i += 12 + n;
    }
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
    const raw = new Uint8Array(await new Response(stream).arrayBuffer());
    const bpp = colour === 6 ? 4 : 3, row = w * bpp;
    if (raw.length !== (row + 1) * h) return null;
    const out = new Uint8ClampedArray(w * h * 4);
    for (let y = 0; y < h; y++) {
      const o = y * (row + 1) + 1, up = o - row - 1, f = raw[o - 1];
      for (let i = 0; i < row; i++) {
        const a = i >= bpp ? raw[o + i - bpp] : 0, c = y ? raw[up + i] : 0;
        let p = 0;
        if (f === 1) p = a;
        else if (f === 2) p = c;
        else if (f === 3) p = (a + c) >> 1;
        else if (f === 4) {
          const k = i >= bpp && y ? raw[up + i - bpp] : 0;
          const pa = Math.abs(c - k), pb = Math.abs(a - k), pc = Math.abs(a + c - 2 * k);
          p = pa <= pb && pa <= pc ? a : pb <= pc ? c : k;
        }
        raw[o + i] += p;
      }
      for (let x = 0, i = o, d = y * w * 4; x < w; x++, i += bpp, d += 4) {
        out[d] = raw[i]; out[d + 1] = raw[i + 1]; out[d + 2] = raw[i + 2];
        out[d + 3] = bpp === 4 ? raw[i + 3] : 255;
      }
    }
    return { width: w, height: h, data: out };
  };

  const fromBytes = async (b) => {
    const e = await exact(b).catch(() => null);
    if (e) {
      const bitmap = await createImageBitmap(new ImageData(e.data, e.width, e.height));
      return { width: e.width, height: e.height, data: e.data, image: bitmap };
    }
    const bitmap = await createImageBitmap(new Blob([b], { type: "image/png" }));
    const c = document.createElement("canvas");
    c.width = bitmap.width; c.height = bitmap.height;
    const g = c.getContext("2d", { willReadFrequently: true });
    g.drawImage(bitmap, 0, 0);
    return { width: c.width, height: c.height, data: g.getImageData(0, 0, c.width, c.height).data, image: bitmap };
  };

  // A picture beside the page can be shown; whether its pixels may be read is for the browser to say (not from file://).
  const fromPath = (path) => new Promise((resolve, reject) => {
    const img = new Image();
    img.onload = () => resolve({ width: img.naturalWidth, height: img.naturalHeight, data: null, image: img });
    img.onerror = () => reject(new Error(path + " cannot be loaded"));
    img.src = path.split("/").map(encodeURIComponent).join("/");
  });

  const load = (ref) => {
    if (!ref) return Promise.resolve(null);
    if (ref.error) return Promise.reject(new Error(ref.path + ": " + ref.error));
    const key = ref.id >= 0 ? ref.id : ref.path;
    let p = cache.get(key);
    if (!p) {
      p = ref.id < 0 ? fromPath(ref.path) : element("p" + ref.id).then((e) => {
        if (!e) throw new Error("the picture is not in the page");
        return fromBytes(decode64(e.textContent));
      });
    }
    cache.delete(key);
    cache.set(key, p); // the newest last
    for (const old of [...cache.keys()].slice(0, Math.max(0, cache.size - KEEP))) cache.delete(old);
    return p;
  };

  let lines = null;
  const thumb = async (i) => {
    if (!lines) {
      const e = await element("thumbs");
      lines = lines || (e ? e.textContent.split("\n") : []);
    }
    return lines[i] ? "data:image/" + (lines[i].startsWith("/9j") ? "jpeg" : "png") + ";base64," + lines[i] : "";
  };

  return { load, thumb };
})();
