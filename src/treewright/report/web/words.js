// Numbers and shares for reading.

export function count(x) {
  const rounded = Math.abs(x - Math.round(x)) < 1e-9 * Math.max(1, Math.abs(x)) ? Math.round(x) : x;
  if (!Number.isInteger(rounded)) return figure(rounded, 4);
  return thousands(String(rounded));
}

// Rows, of which missing values may have made parts: whole ones are shown, and never none.
export function wholeRows(x) {
  return count(x > 0 ? Math.max(1, Math.round(x)) : 0);
}

export function counted(x, one, many = one + "s") {
  return `${count(x)} ${count(x) === "1" ? one : many}`;
}

// A number with some significant digits and without needless zeros.
export function figure(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "\u2013";
  if (!Number.isFinite(x)) return x > 0 ? "\u221e" : "\u2212\u221e";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e15 || size < 1e-4)
    return x
      .toExponential(digits - 1)
      .replace(/\.?0+e/, "e")
      .replace("-", "\u2212");
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return thousands(trimmed(x.toFixed(Math.min(places, 12)))).replace("-", "\u2212");
}

// A mean or a spread with the digits that tell the rows of a tree apart: two of the spread at its root.
export function inDecimals(x, decimals) {
  if (x === null || x === undefined || !Number.isFinite(x) || Math.abs(x) >= 1e15) return figure(x, 4);
  if (x !== 0 && Math.abs(x) < 0.5 * 10 ** -decimals) return figure(x, 2);
  return thousands(x.toFixed(Math.min(decimals, 12))).replace("-", "\u2212");
}

function thousands(text) {
  const [whole, rest] = text.split(".");
  const apart = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return rest === undefined ? apart : `${apart}.${rest}`;
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// As Python rounds: a half to the even number.
function nearest(x) {
  const up = Math.round(x);
  return up - x === 0.5 && up % 2 !== 0 ? up - 1 : up;
}

export function percent(share) {
  const whole = nearest(100 * share);
  if (whole === 100 && share < 1) return ">99 %";
  return whole === 0 && share > 0 ? "<1 %" : `${whole} %`;
}

export function fine(share) {
  return share === null || share === undefined || Number.isNaN(share)
    ? "\u2013"
    : `${(100 * share).toFixed(1)} %`;
}

const SQUARES = "mean squared error";

// An error as it is shown: of squared errors the root, which has the unit of the target.
export function inUnit(value, spread, unit) {
  if (unit !== SQUARES || value === null || value === undefined) return [value, spread];
  const root = Math.sqrt(value);
  return [root, spread === null || spread === undefined || !(root > 0) ? spread : spread / (2 * root)];
}

export function unitWords(unit) {
  return unit === SQUARES ? "root mean squared error" : unit;
}

// An error in its unit: a share of rows is a percentage, all else a number.
export function errorWords(given, givenSpread, unit) {
  if (given === null || given === undefined) return "\u2013";
  const [value, spread] = inUnit(given, givenSpread, unit);
  if (unit !== "error (share of rows)") {
    return figure(value, 4) + (spread === null || spread === undefined ? "" : ` \u00b1 ${figure(spread, 2)}`);
  }
  const more = spread === null || spread === undefined ? "" : ` \u00b1 ${(100 * spread).toFixed(1)}`;
  return `${(100 * value).toFixed(1)}${more} %`;
}

export function shortened(text, most) {
  return text.length <= most ? text : text.slice(0, most - 1) + "\u2026";
}

export function sentence(list) {
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}`;
}
