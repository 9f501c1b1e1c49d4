// The form of the page: a field for each column, the answer under it, renewed with every letter typed.
"use strict";

(function () {
  const model = JSON.parse(document.getElementById("model").textContent);
  const answer = scorer(model);
  const form = document.getElementById("form");
  const result = document.getElementById("result");
  const DAY = 86400000;

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const fields = model.columns.map((column, place) => {
    const id = `field${place}`;
    let input;
    if (column.categories) {
      input = element("select", { id });
      input.append(element("option", { value: "gap" }, "(missing)"));
      column.categories.forEach((category, code) => {
        input.append(element("option", { value: String(code) }, category === "" ? "(empty text)" : category));
      });
      if (!column.isClosed) input.append(element("option", { value: "new" }, "(another one)"));
      input.value = column.categories.length ? "0" : "gap";
    } else {
      input = element("input", { id, type: column.kind === "date" ? "date" : "text", inputmode: "decimal", autocomplete: "off" });
      input.value = column.example;
    }
    const label = element("label", { for: id }, column.name);
    const note = element("span", { class: "note", id: `note${place}` }, column.words);
    input.setAttribute("aria-describedby", note.id);
    input.addEventListener("input", show);
    form.append(element("div", { class: "field" }, label, input, note));
    return input;
  });

  function read(place) {
    const column = model.columns[place];
    const text = fields[place].value.trim();
    if (column.categories) {
      if (text === "gap") return null;
      return text === "new" ? "\u0000new" : column.categories[Number(text)];
    }
    if (text === "") return null;
    if (column.kind === "date") return Date.parse(`${text}T00:00:00Z`) / DAY;
    const found = Number(text.replace(",", "."));
    return Number.isNaN(found) ? undefined : found;
  }

  function show() {
    const row = fields.map((_, place) => read(place));
    fields.forEach((field, place) => field.setAttribute("aria-invalid", String(row[place] === undefined)));
    const bad = row.findIndex((cell) => cell === undefined);
    if (bad >= 0) {
      result.replaceChildren(
        element("p", { class: "bad" }, `${model.columns[bad].name} must be a number, such as 12.5, or empty for a missing value.`),
      );
      return;
    }
    const said = answer(row);
    const parts = [];
    if (said.label === null) {
      parts.push(element("p", { class: "answer" }, "no answer: the model refuses such a row"));
    } else {
      const shown = typeof said.label === "number" ? String(Number(said.label.toPrecision(12))) : said.label;
      parts.push(element("p", { class: "answer" }, element("span", { class: "target" }, `${model.target}: `), element("strong", {}, shown)));
      if (said.chances.length) parts.push(bars(said));
      if (said.path.length) parts.push(path(said));
    }
    result.replaceChildren(...parts);
  }

  function bars(said) {
    const rows = said.chances.map((chance, place) => {
      const bar = element("span", { class: "bar" });
      bar.style.width = `${(100 * chance).toFixed(1)}%`;
      return element(
        "tr", {},
        element("th", { scope: "row" }, model.classes[place]),
        element("td", { class: "number" }, `${(100 * chance).toFixed(1)} %`),
        element("td", { class: "track" }, bar),
      );
    });
    return element("table", {}, element("caption", {}, "Probabilities"), element("tbody", {}, ...rows));
  }

  function path(said) {
    const items = said.path.map(([share, branch, asked, depth]) => {
      const part = share < 1 ? ` (${(100 * share).toFixed(1)} % of the row)` : "";
      const item = element("li", {}, branch === "" ? "" : `${branch} → `, element("b", {}, asked), part);
      item.style.marginLeft = `${1.2 * depth}em`;
      return item;
    });
    return element("section", {}, element("h2", {}, "The way"), element("ol", { class: "path" }, ...items));
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
