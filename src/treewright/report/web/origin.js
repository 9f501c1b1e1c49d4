// How the model was made: the file, the settings, fingerprints, versions.
import { el, heads } from "./dom.js";
import { section } from "./section.js";
import { sentence } from "./words.js";

export function originPart(facts) {
  const { made, fingerprints, reading } = facts;
  const changed = made.settings.filter(([, value, usual]) => JSON.stringify(value) !== JSON.stringify(usual));
  const given = changed.map(([name, value]) => `${name} = ${inWords(value)}`);
  const special = given.length ? `, with ${sentence(given)}` : "";
  const rows = (entries) =>
    el(
      "table",
      { class: "plain" },
      el(
        "tbody",
        {},
        entries.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))),
      ),
    );
  const prints = Object.entries({
    "the tree": fingerprints.tree,
    "training data": fingerprints.training,
    "test data": fingerprints.table,
  }).filter(([, print]) => print);
  return section(
    "origin",
    "How it was made",
    `${made.certificate ? "Search of all trees" : `Recipe ${made.recipe ?? "unknown"}`}${special}.`,
    made.certificate ? el("h3", {}, "Certificate") : null,
    made.certificate ? rows(made.certificate) : null,
    reading ? readingPart(reading) : null,
    el(
      "details",
      {},
      el("summary", {}, "All settings"),
      rows(made.settings.map(([name, value]) => [name, inWords(value)])),
      Object.keys(made.more).length
        ? rows(Object.entries(made.more).map(([name, value]) => [name, inWords(value)]))
        : null,
    ),
    el("h3", {}, "Fingerprints"),
    el("p", { class: "about" }, "SHA-256. The same data or the same tree has the same fingerprint."),
    el(
      "table",
      { class: "plain" },
      el(
        "tbody",
        {},
        prints.map(([name, print]) =>
          el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("code", { class: "print" }, print))),
        ),
      ),
    ),
    el("h3", {}, "Versions"),
    rows(Object.entries(made.versions)),
  );
}

function readingPart({ lines, columns, ...layout }) {
  return el(
    "div",
    { id: "reading" },
    el("h3", {}, "How the file was read"),
    el(
      "ul",
      { class: "lines" },
      lines.map((line) => el("li", {}, line)),
    ),
    el("details", {}, el("summary", {}, "All that was understood"), tree(layout), tree(columns)),
  );
}

// Plain values of any shape: lists of alike objects are tables, objects are rows.
function tree(value) {
  if (
    Array.isArray(value) &&
    value.length &&
    value.every((item) => item && typeof item === "object" && !Array.isArray(item))
  ) {
    const names = [...new Set(value.flatMap((item) => Object.keys(item)))];
    return el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" },
      el(
        "table",
        { class: "plain" },
        heads(names),
        el(
          "tbody",
          {},
          value.map((item) =>
            el(
              "tr",
              {},
              names.map((name) => el("td", {}, inWords(item[name]))),
            ),
          ),
        ),
      ),
    );
  }
  if (value && typeof value === "object" && !Array.isArray(value)) {
    return el(
      "table",
      { class: "plain" },
      el(
        "tbody",
        {},
        Object.entries(value).map(([name, item]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, name),
            el("td", {}, item && typeof item === "object" ? tree(item) : inWords(item)),
          ),
        ),
      ),
    );
  }
  return inWords(value);
}

function inWords(value) {
  if (value === null || value === undefined) return "\u2013";
  if (Array.isArray(value))
    return value.length > 40
      ? `${value.slice(0, 40).map(inWords).join(", ")} and ${value.length - 40} more`
      : value.map(inWords).join(", ") || "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
