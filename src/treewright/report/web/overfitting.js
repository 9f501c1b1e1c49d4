// Training and test error as the tree grows.
import { el, fill } from "./dom.js";
import { chart, KINDS } from "./chart.js";
import { section } from "./section.js";
import { counted, errorWords, figure } from "./words.js";

export function overfittingPart(facts) {
  const { overfitting, sizes } = facts;
  const place = el("div", {});
  const format = (v) => (sizes.unit === "error (share of rows)" ? `${figure(100 * v, 3)} %` : figure(v, 3));
  const draw = () =>
    fill(
      place,
      chart({
        x: overfitting.leaves,
        xLabel: "leaves, opened in the order of what they gain",
        yLabel: sizes.unit,
        format,
        width: Math.max(300, Math.min(place.clientWidth || 720, 900)),
        series: [
          { name: "training", values: overfitting.training, kind: KINDS.training },
          { name: "test", values: overfitting.test, spreads: overfitting.spread, kind: KINDS.test },
        ],
        marks: [
          {
            place: overfitting.lowest,
            text: `lowest test error: ${counted(overfitting.leaves[overfitting.lowest], "leaf", "leaves")}`,
          },
        ],
      }),
    );
  const last = overfitting.leaves.length - 1;
  const [training, test] = [
    errorWords(overfitting.training[last], null, sizes.unit),
    errorWords(overfitting.test[last], overfitting.spread[last], sizes.unit),
  ];
  const words =
    `With ${counted(overfitting.leaves[last], "leaf", "leaves")} the training error is ${training} ` +
    `and the test error ${test}. Where the lines part, the tree learns its training rows by heart.`;
  return { element: section("overfitting", "Overfitting", words, place), draw };
}
