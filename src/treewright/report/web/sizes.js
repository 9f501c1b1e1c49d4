// The size of the tree: a slider over the weakest-link path, and the errors along it.
import { el, fill } from "./dom.js";
import { chart, KINDS } from "./chart.js";
import { section } from "./section.js";
import { counted, errorWords, figure, inUnit, unitWords } from "./words.js";

const JUDGES = { test: "the test rows", folds: "cross-validation" };

export function slider(facts, onstep) {
  const { sizes } = facts;
  const last = sizes.leaves.length - 1;
  const input = el("input", { type: "range", id: "size", min: 0, max: last, step: 1, value: last });
  const words = el("output", { for: "size", class: "size-words" });
  const set = (step) => {
    input.value = String(last - step); // larger trees to the right
    const text = sizeWords(sizes, step);
    input.setAttribute("aria-valuetext", text);
    fill(words, text);
  };
  input.addEventListener("input", () => onstep(last - Number(input.value)));
  const element =
    last < 1 ? null : el("div", { class: "slider" }, el("label", { for: "size" }, "Size"), input, words);
  return { element, set };
}

export function sizeWords(sizes, step) {
  const parts = [counted(sizes.leaves[step], "leaf", "leaves")];
  if (sizes.test)
    parts.push(`test error ${errorWords(sizes.test.error[step], sizes.test.spread[step], sizes.unit)}`);
  else parts.push(`training error ${errorWords(sizes.training[step], null, sizes.unit)}`);
  if (step === 0) parts.push("as it stands");
  return parts.join(" \u00b7 ");
}

export function sizesPart(facts, onstep) {
  const { sizes } = facts;
  const { marks } = sizes;
  const place = el("div", {});
  const choices = el(
    "p",
    { class: "buttons" },
    el(
      "button",
      { type: "button", onclick: () => onstep(0) },
      `As it stands (${counted(sizes.leaves[0], "leaf", "leaves")})`,
    ),
    marks
      ? el(
          "button",
          { type: "button", onclick: () => onstep(marks.lowest) },
          `Lowest error (${sizes.leaves[marks.lowest]})`,
        )
      : null,
    marks
      ? el(
          "button",
          { type: "button", onclick: () => onstep(marks.one_se) },
          `1-SE (${sizes.leaves[marks.one_se]})`,
        )
      : null,
  );
  const format = (v) => (sizes.unit === "error (share of rows)" ? `${figure(100 * v, 3)} %` : figure(v, 3));
  const draw = (step) =>
    fill(
      place,
      chart({
        x: sizes.leaves,
        xLabel: "leaves",
        yLabel: unitWords(sizes.unit),
        format,
        place: step,
        onpick: onstep,
        width: Math.max(300, Math.min(place.clientWidth || 720, 900)),
        series: [
          line("training", { error: sizes.training, spread: null }, KINDS.training, sizes.unit),
          line("test", sizes.test, KINDS.test, sizes.unit),
          line("cross-val.", sizes.folds, KINDS.folds, sizes.unit),
        ].filter(Boolean),
        marks: marks
          ? [
              { place: marks.one_se, text: "1-SE" },
              ...(marks.lowest === marks.one_se ? [] : [{ place: marks.lowest, text: "lowest" }]),
            ]
          : [],
      }),
    );
  const element = section(
    "sizes",
    "Size and error",
    about(sizes),
    choices,
    place,
    el(
      "p",
      { class: "soft" },
      "A click on the chart, or the slider above the tree, cuts the tree back to that size.",
    ),
  );
  return { element, size: draw };
}

function line(name, found, kind, unit) {
  if (!found) return null;
  const pairs = found.error.map((value, k) => inUnit(value, found.spread?.[k] ?? null, unit));
  return {
    name,
    values: pairs.map(([value]) => value),
    spreads: found.spread && pairs.map(([, s]) => s),
    kind,
  };
}

// One sentence: how large it is, how good, and which size would do as well.
function about(sizes) {
  const leaves = (step) => counted(sizes.leaves[step], "leaf", "leaves");
  const training = errorWords(sizes.training[0], null, sizes.unit);
  const name = sizes.unit === "error (share of rows)" ? "error" : unitWords(sizes.unit);
  const start = `With ${leaves(0)} the training ${name} is ${training}`;
  if (!sizes.marks) return `${start}; only rows it was not grown on can say which size is best.`;
  const { by, one_se: step } = sizes.marks;
  const judge = sizes[by];
  const known =
    judge.error[0] === null
      ? ""
      : ` and by ${JUDGES[by]} ${errorWords(judge.error[0], judge.spread[0], sizes.unit)}`;
  const small =
    sizes.leaves[step] < sizes.leaves[0]
      ? `${leaves(step)} would do as well, within one standard error of the lowest (1-SE)`
      : "no smaller tree is within one standard error of the lowest (1-SE)";
  const caution = by === "test" ? "; a size chosen by the test rows looks better on them than it is" : "";
  return `${start}${known}; ${small}${caution}.`;
}
