// One part of the page: a title, a sentence about it, and what it shows.
import { el } from "./dom.js";

export function section(id, title, about, ...content) {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    about ? el("p", { class: "about" }, about) : null,
    content,
  );
}
