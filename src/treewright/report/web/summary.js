// The head of the page: what the tree is about and how good it is; and what its colours mean.
import { el } from "./dom.js";
import { key } from "./colours.js";
import { count, counted, errorWords, figure } from "./words.js";

const NAMES = {
  accuracy: "Accuracy",
  balanced_accuracy: "Balanced accuracy",
  f1: "F1, mean of classes",
  brier: "Brier score",
  rmse: "Root mean squared error",
  mae: "Mean absolute error",
  poisson_deviance: "Mean Poisson deviance",
  r2: "R\u00b2",
};
const SHARES = new Set(["accuracy", "balanced_accuracy"]);

export function summary(facts) {
  const { size, judged, made, target, sizes } = facts;
  const { tree } = facts;
  const asked = [...tree.column, ...(tree.sum?.column ?? []), ...(tree.model?.column ?? [])];
  const columns = new Set(asked.filter((c) => c >= 0));
  const what = target.classes.length
    ? `${counted(target.classes.length, "class", "classes")} of ${target.name}`
    : `the number ${target.name}`;
  const recipe = made.recipe ? `, grown by the recipe ${made.recipe}` : "";
  return el(
    "header",
    { class: "top" },
    el("p", { class: "over" }, "A decision tree"),
    el("h1", {}, facts.title),
    el(
      "p",
      { class: "lead" },
      `It tells ${what} by ${counted(columns.size, "column")} of ${facts.columns.length}`,
      `${recipe} on ${counted(size.rows, "row")}.`,
    ),
    el(
      "div",
      { class: "tiles" },
      judged
        ? Object.entries(judged.scores).map(([name, [value, spread]], k) =>
            tile(
              NAMES[name] ?? name,
              scoreWords(name, value, spread),
              k === 0 ? `on ${counted(judged.rows, "test row")}` : "test rows",
              k === 0,
            ),
          )
        : null,
      tile(
        "Training error",
        errorWords(facts.training_error, null, sizes.unit),
        sizes.unit === "error (share of rows)" ? "of training rows" : sizes.unit,
      ),
      tile("Leaves", count(size.leaves), `${count(size.nodes)} nodes, depth ${size.depth}`),
    ),
    facts.shown < size.nodes ? el("p", { class: "cut" }, cutWords(facts)) : null,
  );
}

function cutWords({ shown, size }) {
  return (
    `The tree is too large for a page: of its ${count(size.nodes)} nodes the ${count(shown)} that take off ` +
    "most impurity are shown, from the root down. Tree, sizes, rules, what-if and mistakes are of this " +
    "part; the figures above, importance and overfitting are of all of it."
  );
}

function scoreWords(name, value, spread) {
  if (value === null) return "\u2013";
  const isShare = SHARES.has(name);
  const words = (x) => (isShare ? (100 * x).toFixed(1) : Math.abs(value) < 10 ? x.toFixed(3) : figure(x, 4));
  const unit = isShare ? " %" : "";
  return spread === null
    ? words(value) + unit
    : [words(value), el("small", {}, ` \u00b1 ${words(spread)}${unit}`)];
}

function tile(name, value, note, isFirst = false) {
  return el(
    "div",
    { class: isFirst ? "tile first" : "tile" },
    el("span", { class: "name" }, name),
    el("span", { class: "value" }, value),
    el("span", { class: "note" }, note),
  );
}

export function legend(model) {
  const { judged, target } = model.facts;
  const bars = judged ? "In each box: training rows above, test rows below. " : "";
  if (!model.isClassifier)
    return el(
      "p",
      { class: "legend" },
      `${bars}The dot is the mean, the bar one standard deviation to either side. `,
      "Lines are as wide as their share of rows.",
    );
  const names = judged?.classes ?? target.classes;
  return el(
    "div",
    { class: "legend" },
    el(
      "ul",
      {},
      names.map((name, c) => el("li", {}, key(c), name)),
    ),
    el("p", {}, `${bars}Lines are as wide as their share of rows.`),
  );
}
