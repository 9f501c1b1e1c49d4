// Elements from names, attributes and children. Texts are text nodes: nothing is ever parsed as HTML.

const SVG = "http:" + "//www.w3.org/2000/svg"; // a name, not an address

export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  put(element, children);
  return element;
}

export function put(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "object" ? child : document.createTextNode(String(child)));
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

// The names above the columns of a table; those of numbers stand on the right.
export function heads(names, isNumber = () => false) {
  const cell = (name, k) => el("th", { scope: "col", class: isNumber(k) ? "number" : null }, name);
  return el("thead", {}, el("tr", {}, names.map(cell)));
}
