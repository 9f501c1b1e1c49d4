// What stands beside the tree: the chosen node, and a row to try.
import { el } from "./dom.js";

export function panelOf(whatIf) {
  const node = el("div", {
    class: "node-panel",
    role: "tabpanel",
    id: "node",
    "aria-labelledby": "tab-node",
  });
  const row = el(
    "div",
    { role: "tabpanel", id: "whatif", "aria-labelledby": "tab-whatif", hidden: true },
    whatIf,
  );
  const tab = (name, text, isFirst) =>
    el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": name,
        "aria-selected": String(isFirst),
        tabindex: isFirst ? 0 : -1,
        onclick: () => show(name),
      },
      text,
    );
  const tabs = { node: tab("node", "Chosen node", true), whatif: tab("whatif", "What if", false) };
  function show(name) {
    node.hidden = name !== "node";
    row.hidden = name !== "whatif";
    for (const [key, button] of Object.entries(tabs)) {
      button.setAttribute("aria-selected", String(key === name));
      button.setAttribute("tabindex", key === name ? 0 : -1);
    }
  }
  const list = el(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Beside the tree" },
    tabs.node,
    tabs.whatif,
  );
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const name = tabs.node.getAttribute("aria-selected") === "true" ? "whatif" : "node";
    show(name);
    tabs[name].focus();
  });
  const element = el(
    "aside",
    { class: "panel", "aria-label": "The chosen node and a row to try", tabindex: -1 },
    whatIf ? list : null,
    node,
    whatIf ? row : null,
  );
  return { element, node, show };
}
