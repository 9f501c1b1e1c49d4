// Where the tree is wrong: the confusion matrix and the scores of each class.
import { el, fill, heads } from "./dom.js";
import { confusionAt, leavesAt } from "./model.js";
import { section } from "./section.js";
import { count, counted, percent } from "./words.js";

export function mistakesPart(model) {
  const { judged } = model.facts;
  const place = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" });
  const line = el("p", { class: "soft", role: "status" });
  const draw = (step) => {
    const matrix = confusionAt(model, step);
    fill(
      line,
      matrix === null
        ? (model.tree.model
            ? "Models answer each test row by itself, and this page holds no rows"
            : "Test rows with gaps are divided among leaves") +
            ", so the matrix is shown for the tree as it stands only."
        : step > 0
          ? `Of the tree cut back to ${counted(leavesAt(model, step).length, "leaf", "leaves")}.`
          : "Of the tree as it stands.",
    );
    if (matrix !== null) fill(place, matrixTable(judged.classes, matrix));
  };
  const element = section(
    "mistakes",
    "Mistakes",
    "Each row is a true class, each column a class the tree gave. The stronger a cell is coloured, the " +
      "larger its share of the row. Right answers are framed.",
    line,
    place,
    byClass(judged),
  );
  return { element, size: draw };
}

function matrixTable(classes, matrix) {
  const isWide = classes.length > 6;
  return el(
    "table",
    { class: isWide ? "matrix many" : "matrix" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "true \u2193  given \u2192"),
        classes.map((name) => el("th", { scope: "col" }, el("span", {}, name))),
        el("th", { scope: "col" }, el("span", {}, "rows")),
      ),
    ),
    el(
      "tbody",
      {},
      matrix.map((row, r) => {
        const total = row.reduce((a, b) => a + b, 0);
        return el(
          "tr",
          {},
          el("th", { scope: "row" }, classes[r]),
          row.map((weight, c) => cell(weight, total, r === c, isWide)),
          el("td", { class: "soft" }, count(total)),
        );
      }),
    ),
  );
}

function cell(weight, total, isRight, isWide) {
  const share = total > 0 ? weight / total : 0;
  const made = el(
    "td",
    { class: isRight ? "right" : null },
    weight > 0 ? count(weight) : el("span", { class: "zero" }, "\u00b7"),
    !isWide && total > 0 ? el("small", {}, percent(share)) : null,
  );
  made.style.setProperty("--share", share.toFixed(3));
  return made;
}

function byClass(judged) {
  const pair = ([value, spread]) =>
    value === null ? "\u2013" : `${value.toFixed(3)}${spread === null ? "" : ` \u00b1 ${spread.toFixed(3)}`}`;
  return el(
    "details",
    { open: judged.classes.length <= 6 },
    el("summary", {}, "Precision and recall by class, of the tree as it stands"),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores by class" },
      el(
        "table",
        { class: "plain" },
        heads(["class", "precision", "recall", "F1", "rows"], (k) => k > 0),
        el(
          "tbody",
          {},
          judged.by_class.map(([precision, recall, f1, support], c) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, judged.classes[c]),
              [precision, recall, f1].map((score) => el("td", { class: "number" }, pair(score))),
              el("td", { class: "number" }, count(support)),
            ),
          ),
        ),
      ),
    ),
  );
}
