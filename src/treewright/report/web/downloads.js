// Files to keep: they lie packed in the page.
import { el } from "./dom.js";
import { section } from "./section.js";

export function downloadsPart(facts) {
  if (!facts.downloads.length || typeof DecompressionStream === "undefined") return null;
  return section(
    "downloads",
    "Take it with you",
    "The picture as it stands in documents, the rules to read, the same as SQL, and the model for treewright.",
    el(
      "p",
      { class: "buttons" },
      facts.downloads.map((file) => el("button", { type: "button", onclick: () => save(file) }, file.label)),
    ),
  );
}

async function save({ name, form, data }) {
  const packed = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const blob = new Blob([await new Response(stream).arrayBuffer()], { type: form });
  const place = URL.createObjectURL(blob);
  const link = el("a", { href: place, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(place), 1000);
}
