// What if: a row typed by the reader, its path down the tree, the answer, and the least change to another.
import { el, fill } from "./dom.js";
import { answer, leafAt, pathTo, question, saidBy } from "./model.js";
import { answerOf, route } from "./route.js";
import { asked, codedRow, inside, leadingTo } from "./row.js";
import { leastChange } from "./change.js";
import { colourOf, key } from "./colours.js";
import { meter } from "./details.js";
import { counted, figure, fine } from "./words.js";

const OTHER = "other"; // the value of the option for what training never had
const FIRST = 12;

export function whatIfPart(model, { onfollow, onselect }) {
  const columns = asked(model);
  const fields = new Map(columns.map((c) => [c, field(model.facts.columns[c], c)]));
  const result = el("div", { class: "result", role: "status" });
  let step = 0;
  const answerNow = (isFollowed) => {
    const texts = {};
    for (const [c, { read }] of fields) texts[c] = read();
    const row = codedRow(model, texts);
    const bad = columns.filter((c) => row[c] === null);
    for (const [c, { input }] of fields) input.setAttribute("aria-invalid", String(row[c] === null));
    if (bad.length) {
      fill(
        result,
        el(
          "p",
          { class: "bad" },
          `${model.facts.columns[bad[0]].name} must be a number, such as 12.5, or empty for a missing value.`,
        ),
      );
      return;
    }
    const routed = route(model, row, leafAt(model, step));
    const change = leastChange(model, row, step, leafAt(model, step));
    const take = () => {
      for (const { column, ...moved } of change.changes)
        fields.get(column)?.write(textOf(model, column, moved));
      answerNow(true);
    };
    fill(result, told(model, routed, row, onselect), changed(model, change, take));
    if (isFollowed) onfollow(routed);
  };
  const set = (texts) => {
    for (const [c, { write }] of fields) write(texts[c] ?? null);
  };
  const heaviest = heaviestLeaf(model);
  set(leadingTo(model, heaviest));
  for (const { input } of fields.values()) input.addEventListener("input", () => answerNow(true));
  const form = el(
    "form",
    { class: "row", onsubmit: (event) => event.preventDefault() },
    ...formOf(fields, columns),
  );
  const clear = el(
    "button",
    {
      type: "button",
      onclick: () => {
        set({});
        answerNow(true);
      },
    },
    "All missing",
  );
  const forget = el("button", { type: "button", onclick: () => onfollow(null) }, "Hide the path");
  const element = el(
    "div",
    { class: "whatif" },
    el("p", { class: "soft" }, "Type a row and see its path. An empty field is a missing value."),
    form,
    el("p", { class: "buttons" }, clear, forget),
    result,
  );
  return {
    element,
    size: (given) => {
      step = given;
      answerNow(false);
    },
    lead: (node) => {
      set(leadingTo(model, node));
      answerNow(true);
    },
    follow: () => answerNow(true),
  };
}

function heaviestLeaf(model) {
  let best = 0;
  for (let i = 0; i < model.n; i++) {
    const isLeaf = model.tree.end[i] === i + 1;
    if (isLeaf && (model.tree.end[best] !== best + 1 || model.tree.weight[i] > model.tree.weight[best]))
      best = i;
  }
  return best;
}

function formOf(fields, columns) {
  const cells = columns.map((c) => fields.get(c).element);
  if (cells.length <= FIRST + 3) return cells;
  return [
    ...cells.slice(0, FIRST),
    el(
      "details",
      { class: "more" },
      el("summary", {}, `${cells.length - FIRST} more columns`),
      el("div", { class: "row" }, cells.slice(FIRST)),
    ),
  ];
}

// A field, and how a text (null: missing) is read from it and written to it.
function field(column, place) {
  const id = `what-${place}`;
  const label = el("label", { for: id }, column.name);
  const isNumber = column.kind === "numeric" || Boolean(column.edges);
  const found = isNumber ? numberField(id) : categoryField(id, column.categories);
  return { ...found, element: el("div", { class: "field" }, label, found.input) };
}

function numberField(id) {
  const more = { inputmode: "decimal", autocomplete: "off", placeholder: "missing", spellcheck: "false" };
  const input = el("input", { id, type: "text", ...more });
  return { input, read: () => input.value, write: (text) => (input.value = text ?? "") };
}

// Options are known by their place: a category may be an empty text.
function categoryField(id, categories) {
  const options = categories.map((name, code) =>
    el("option", { value: code }, name === "" ? "(empty text)" : name),
  );
  const missing = el("option", { value: "" }, "(missing)");
  const input = el("select", { id }, missing, options, el("option", { value: OTHER }, "(another value)"));
  const never = categories.join("") + OTHER; // longer than every category
  const read = () =>
    input.value === "" ? null : input.value === OTHER ? never : categories[Number(input.value)];
  const write = (text) => (input.value = text === null ? "" : String(categories.indexOf(text)));
  return { input, read, write };
}

function told(model, routed, row, onselect) {
  if (routed.refused !== null) {
    return el(
      "p",
      { class: "bad" },
      `The tree gives no answer: ${question(model, routed.refused)} is missing or unknown here, `,
      "and the tree was grown to refuse such rows.",
    );
  }
  const said = answerOf(model, routed, row);
  return [
    verdict(model, said),
    byModel(model, routed, said),
    routed.parts.length > 1 ? divided(routed) : null,
    way(model, routed, onselect),
  ];
}

function verdict(model, said) {
  const { classes, name } = model.facts.target;
  if (!model.isClassifier)
    return el(
      "p",
      { class: "said" },
      el("span", { class: "soft" }, `${name} is about `),
      el("b", {}, figure(said.value, 6)),
    );
  const order = [...said.shares.keys()]
    .sort((a, b) => said.shares[b] - said.shares[a] || a - b)
    .filter((c) => said.shares[c] > 0)
    .slice(0, 5);
  return [
    el(
      "p",
      { class: "said" },
      el("span", { class: "soft" }, `${name} is `),
      el("b", {}, key(said.label), classes[said.label]),
    ),
    el(
      "table",
      { class: "plain wide" },
      el(
        "tbody",
        {},
        order.map((c) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, key(c), classes[c]),
            el("td", { class: "grow" }, meter(said.shares[c], colourOf(c))),
            el("td", { class: "number" }, fine(said.shares[c])),
          ),
        ),
      ),
    ),
  ];
}

function byModel(model, routed, said) {
  const words = saidBy(model, routed.node).model;
  if (!words) return null;
  const lead = said.isModelled ? "By its model: " : "Not by its model, for a column of it is missing: ";
  return el("p", {}, el("span", { class: "soft" }, lead), words);
}

function divided(routed) {
  return el(
    "p",
    { class: "soft" },
    `A missing value divides the row among ${counted(routed.parts.length, "leaf", "leaves")}; `,
    "the heaviest part is followed here.",
  );
}

function way(model, routed, onselect) {
  const nodes = pathTo(model, routed.node);
  return el(
    "ol",
    { class: "steps" },
    nodes
      .slice(1)
      .map((node) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "link", onclick: () => onselect(node) },
            `${question(model, model.parent[node])} ${answer(model, node)}`,
          ),
        ),
      ),
  );
}

// The least change that gives another class, and a button that makes it.
function changed(model, change, ontake) {
  if (!change) return null;
  const { classes } = model.facts.target;
  return el(
    "div",
    { class: "change" },
    el("h4", {}, change.isLeast ? "The least change to another answer" : "A small change to another answer"),
    el(
      "ul",
      { class: "branches" },
      change.changes.map((one) => el("li", {}, changeWords(model, one))),
    ),
    el(
      "p",
      {},
      el("span", { class: "soft" }, "gives "),
      key(change.label),
      el("b", {}, classes[change.label]),
    ),
    el("p", { class: "buttons" }, el("button", { type: "button", onclick: ontake }, "Make this change")),
  );
}

function changeWords(model, { column, before, after, low, high, codes }) {
  const about = model.facts.columns[column];
  if (codes) {
    const names = codes.map((code) => about.categories[code]);
    const from = before < 0 ? "missing" : about.categories[before];
    const to = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} others`] : names;
    return [el("b", {}, about.name), ` from ${from} to ${to.join(" or ")}`];
  }
  const isUp = before === null || after > before;
  const [floor, ceiling] = [figure(below(low), 6), figure(high, 6)];
  const to = Number.isInteger(after)
    ? figure(after, 6)
    : isUp && Number.isFinite(low)
      ? `more than ${floor}`
      : `${ceiling} or less`;
  return [el("b", {}, about.name), ` from ${before === null ? "missing" : figure(before, 6)} to ${to}`];
}

function below(low) {
  return Number(low.toPrecision(15));
}

// The value that a field gets: a category, or a short number inside the region.
function textOf(model, column, { after, low, high, codes }) {
  if (codes) return model.facts.columns[column].categories[after];
  if (Number.isInteger(after)) return String(after);
  const far = Math.max(Math.abs(after) * 0.02, 1e-6);
  return after === low ? inside(low, Math.min(high, low + far)) : inside(Math.max(low, high - far), high);
}
