// The size of the tree: a slider over the weakest-link path, and the errors along it.
import { el, fill } from "./dom.js";
import { chart, KINDS } from "./chart.js";
import { section } from "./section.js";
import { counted, errorWords, figure } from "./words.js";

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
        yLabel: sizes.unit,
        format,
        place: step,
        onpick: onstep,
        width: Math.max(300, Math.min(place.clientWidth || 720, 900)),
        series: [
          { name: "training", values: sizes.training, kind: KINDS.training },
          sizes.test
            ? { name: "test", values: sizes.test.error, spreads: sizes.test.spread, kind: KINDS.test }
            : null,
          sizes.folds
            ? {
                name: "cross-val.",
                values: sizes.folds.error,
                spreads: sizes.folds.spread,
                kind: KINDS.folds,
              }
            : null,
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

function about(sizes) {
  const start = "The weakest branches are cut off first, those that save the fewest errors for each leaf. ";
  if (!sizes.marks)
    return `${start}Only the training error is known here, which always prefers the largest tree.`;
  const caution =
    sizes.marks.by === "test"
      ? " A size chosen by the test rows makes their error look better than it is."
      : "";
  return (
    `${start}1-SE is the smallest tree whose error is within one standard error of the lowest, ` +
    `judged by ${JUDGES[sizes.marks.by]}.${caution}`
  );
}
