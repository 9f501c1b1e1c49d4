// The tree as a list of rules.
import { el, fill } from "./dom.js";
import { meanWords, rowsOf } from "./model.js";
import { rulesAt } from "./rules.js";
import { key } from "./colours.js";
import { section } from "./section.js";
import { count, counted, percent } from "./words.js";

const FIRST_RULES = 25;

export function rulesPart(model, onselect) {
  const list = el("ol", { class: "rules" });
  const line = el("p", { class: "soft", role: "status" });
  const more = el("button", { type: "button" }, "");
  const { classes } = model.facts.target;
  const choice = el(
    "select",
    { id: "rule-class" },
    el("option", { value: "" }, "all classes"),
    classes.map((name, c) => el("option", { value: c }, name)),
  );
  let step = 0;
  let kept = null; // by the filter beside the tree
  let most = FIRST_RULES;
  const draw = () => {
    const wanted = choice.value;
    const isWanted = ({ said }) => wanted === "" || said.model || String(said.label) === wanted;
    const all = rulesAt(model, step).filter((rule) => isWanted(rule) && (!kept || kept.has(rule.node)));
    all.sort((a, b) => b.weight - a.weight || a.node - b.node);
    fill(
      list,
      all.slice(0, most).map((rule) => ruleItem(model, rule, onselect)),
    );
    fill(
      line,
      all.length > most
        ? `The ${most} with most rows, of ${count(all.length)}.`
        : `${counted(all.length, "rule")}, those with most rows first.`,
    );
    fill(more, `Show all ${count(all.length)}`);
    more.hidden = all.length <= most;
  };
  choice.addEventListener("change", () => {
    most = FIRST_RULES;
    draw();
  });
  more.addEventListener("click", () => {
    most = Infinity;
    draw();
  });
  const element = section(
    "rules",
    "Rules",
    about(model),
    classes.length
      ? el("p", { class: "tools" }, el("label", { for: "rule-class" }, "Rules for "), choice)
      : null,
    line,
    list,
    more,
  );
  return {
    element,
    keep: (nodes) => {
      kept = nodes;
      draw();
    },
    size: (given) => {
      step = given;
      draw();
    },
  };
}

function about(model) {
  const { gap, unseen } = model.facts.ways;
  const start = "The same tree read as rules, one for each leaf. Exactly one of them holds for a row";
  if (gap !== "divide" && unseen !== "divide") return `${start}.`;
  return `${start}; one whose value is missing is divided among several, by the shares in brackets.`;
}

function ruleItem(model, rule, onselect) {
  const tests = rule.conditions.length
    ? rule.conditions.map((text, k) => [k ? el("span", { class: "soft" }, " and ") : null, text])
    : "always";
  const said = rule.said.model
    ? rule.said.model
    : rule.said.text === null
      ? meanWords(model, rule.said.mean, rule.said.spread)
      : rule.said.text;
  const facts = [rowsOf(model, rule.weight)];
  if (rule.confidence !== null) facts.push(`confidence ${percent(rule.confidence)}`);
  if (rule.lift !== null) facts.push(`lift ${rule.lift.toFixed(2)}`);
  return el(
    "li",
    {},
    el("p", {}, el("span", { class: "soft" }, "If "), tests),
    el(
      "p",
      {},
      el("span", { class: "soft" }, "then "),
      rule.said.text === null || rule.said.model ? null : key(rule.said.label),
      el("b", {}, said),
      el("span", { class: "soft" }, ` \u00b7 ${facts.join(" \u00b7 ")}`),
      el(
        "span",
        { class: "show" },
        " \u00b7 ",
        el("button", { type: "button", class: "link", onclick: () => onselect(rule.node) }, "show"),
      ),
    ),
  );
}
