// What each column is worth to the tree.
import { el } from "./dom.js";
import { meter } from "./details.js";
import { section } from "./section.js";
import { fine, sentence } from "./words.js";

const MOST = 30; // names of columns that are not used

export function importancePart(facts) {
  const order = facts.importance.map((share, c) => [share, c]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const used = order.filter(([share]) => share > 0);
  const rest = order.filter(([share]) => !(share > 0)).map(([, c]) => facts.columns[c].name);
  const best = used.length ? used[0][0] : 1;
  return section(
    "importance",
    "Importance",
    "How much of the tree's gain (drop in impurity on the training rows) each column brings. " +
      "It says what this tree uses, not what causes the answer.",
    el(
      "table",
      { class: "plain wide" },
      el(
        "thead",
        { class: "unseen" },
        el("tr", {}, el("th", { scope: "col" }, "column"), el("th", { scope: "col" }, "share")),
      ),
      el(
        "tbody",
        {},
        used.map(([share, c]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, facts.columns[c].name),
            el("td", { class: "grow" }, meter(share / best)),
            el("td", { class: "number" }, fine(share)),
          ),
        ),
      ),
    ),
    rest.length
      ? el(
          "p",
          { class: "soft" },
          `Not used: ${sentence(rest.length > MOST ? [...rest.slice(0, MOST), "others"] : rest)}.`,
        )
      : null,
  );
}
