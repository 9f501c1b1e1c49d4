// The head of the page: what the tree is about and how good it is; and what its colours mean.
import { el } from "./dom.js";
import { key } from "./colours.js";
import { count, counted, errorWords, figure, sentence, shortened, unitWords } from "./words.js";

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
  const { size, judged, sizes } = facts;
  return el(
    "header",
    { class: "top" },
    el("p", { class: "over" }, "A decision tree"),
    el("h1", {}, facts.title),
    el("p", { class: "lead" }, lead(facts)),
    facts.sentences.map((words) => el("p", { class: "lead" }, words.replaceAll(" %", "\u00a0%"))),
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
      baselineTile(facts),
      sizes.unit === "error (share of rows)"
        ? tile("Training accuracy", `${(100 * (1 - facts.training_error)).toFixed(1)} %`, "of training rows")
        : tile("Training error", errorWords(facts.training_error, null, sizes.unit), unitWords(sizes.unit)),
      tile("Leaves", count(size.leaves), `${count(size.nodes)} nodes, depth ${size.depth}`),
    ),
    facts.shown < size.nodes ? el("p", { class: "cut" }, cutWords(facts)) : null,
  );
}

const MOST_NAMES = 6;
const brief = (name) => shortened(name, 60); // a name in a sentence

function lead(facts) {
  const { size, made, target, tree } = facts;
  const used = [...tree.column, ...(tree.sum?.column ?? []), ...(tree.model?.column ?? [])];
  const columns = [...new Set(used.filter((c) => c >= 0))];
  columns.sort((a, b) => facts.importance[b] - facts.importance[a] || a - b);
  const listed = (names, noun) =>
    names.length > MOST_NAMES + 1
      ? [...names.slice(0, MOST_NAMES).map(brief), `${count(names.length - MOST_NAMES)} other ${noun}`]
      : names.map(brief);
  const classes = listed(target.classes, "classes").join(" / ");
  const what = target.classes.length ? `${brief(target.name)} (${classes})` : `the number ${brief(target.name)}`;
  const names = listed(
    columns.map((c) => facts.columns[c].name),
    "columns",
  );
  const from = names.length ? ` from ${sentence(names)}` : "";
  const algorithm = made.recipe ? ` with the algorithm (recipe) ${made.recipe}` : "";
  const recipe = made.certificate ? ", and found by a search of all trees" : algorithm;
  return `Predicts ${what}${from}. Grown on ${counted(size.rows, "row")}${recipe}.`;
}

// What it is worth to say always the same: without it no figure beside it means anything.
function baselineTile({ baseline, target }) {
  const rows = baseline.by === "test" ? "test rows" : "training rows";
  if (target.classes.length)
    return tile("Always saying " + brief(baseline.says), `${(100 * baseline.value).toFixed(1)} %`, `right, ${rows}`);
  return tile("Always saying " + figure(baseline.says, 4), figure(baseline.value, 4), `RMSE, ${rows}`);
}

function cutWords({ shown, size }) {
  return (
    `The tree is too large for a page: of its ${count(size.nodes)} nodes the ${count(shown)} that take off ` +
    "most impurity are shown, from the root down. Tree, sizes, rules, what-if and mistakes are of this " +
    "part; the figures above and importance are of all of it."
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
  const others =
    names.length > 8 ? "A bar has the top three classes of a node; grey stands for the others. " : "";
  return el(
    "div",
    { class: "legend" },
    el(
      "ul",
      {},
      names.map((name, c) => el("li", {}, key(c), name)),
    ),
    el("p", {}, `${bars}${others}Lines are as wide as their share of rows.`),
  );
}
