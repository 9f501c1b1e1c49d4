// The fields of the filter.
import { el, fill } from "./dom.js";
import { leavesAt } from "./model.js";
import { countOf, keptBy, NO_FILTER } from "./filter.js";
import { count } from "./words.js";

export function filterBar(model, onfilter) {
  const { classes } = model.facts.target;
  const choice = el(
    "select",
    { id: "filter-class" },
    el("option", { value: "" }, "all classes"),
    classes.map((name, c) => el("option", { value: c }, name)),
  );
  const rows = number("filter-rows", "0");
  const share = number("filter-share", "0");
  const words = el("span", { class: "soft", role: "status" });
  let step = 0;
  const filterNow = () => ({
    ...NO_FILTER,
    label: choice.value === "" ? null : Number(choice.value),
    rows: Math.max(0, Number(rows.value) || 0),
    share: Math.min(100, Math.max(0, Number(share.value) || 0)) / 100,
  });
  const again = () => {
    const filter = filterNow();
    const kept = keptBy(model, step, filter);
    const all = leavesAt(model, step).length;
    fill(words, kept === null ? "" : `${count(countOf(model, step, kept))} of ${count(all)} leaves`);
    onfilter(kept);
  };
  for (const input of [choice, rows, share]) input.addEventListener("input", again);
  const label = (id, text, field) => el("label", { for: id }, text, field);
  const element = el(
    "details",
    { class: "filter" },
    el("summary", {}, "Filter leaves"),
    el(
      "div",
      { class: "fields" },
      classes.length ? label("filter-class", "class ", choice) : null,
      label("filter-rows", "at least this many rows ", rows),
      classes.length ? label("filter-share", "at least this sure, in % ", share) : null,
      words,
    ),
  );
  return {
    element,
    size: (given) => {
      step = given;
      again();
    },
  };
}

function number(id, placeholder) {
  return el("input", { id, type: "number", min: 0, placeholder, inputmode: "decimal" });
}
