// A small picture of all that is unfolded, with a frame around what the window shows.
import { svg } from "./dom.js";
import { drawFar } from "./far.js";

const WIDTH = 168;
const HEIGHT = 92;

export function minimapOf(oncentre) {
  const frame = svg("rect", { class: "frame" });
  const element = svg("svg", {
    class: "minimap",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    "aria-hidden": "true",
    focusable: "false",
  });
  let scale = { x: 1, y: 1 };
  const move = (event) => {
    const box = element.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    oncentre(x / scale.x, y / scale.y);
  };
  let isDown = false;
  element.addEventListener("pointerdown", (event) => {
    isDown = true;
    element.setPointerCapture(event.pointerId);
    move(event);
  });
  element.addEventListener("pointermove", (event) => isDown && move(event));
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => (isDown = false));

  function show(state, room, isAnew) {
    const { picture } = state;
    const isAll =
      state.x >= -2 &&
      state.y >= -30 &&
      state.x + picture.width * state.scale <= room.width + 2 &&
      state.y + picture.height * state.scale <= room.height + 30;
    element.classList.toggle("away", isAll || state.isWhole);
    if (isAll || state.isWhole) return;
    scale = { x: WIDTH / picture.width, y: HEIGHT / picture.height };
    if (isAnew || element.childNodes.length < 2) {
      const small = drawFar({ ...state, scale: scale.x });
      small.setAttribute("transform", `scale(${scale.x} ${scale.y})`);
      element.replaceChildren(small, frame);
    }
    const left = Math.max(0, (-state.x / state.scale) * scale.x);
    const top = Math.max(0, (-state.y / state.scale) * scale.y);
    const right = Math.min(WIDTH, ((room.width - state.x) / state.scale) * scale.x);
    const bottom = Math.min(HEIGHT, ((room.height - state.y) / state.scale) * scale.y);
    const sides = { x: left, y: top, width: Math.max(3, right - left), height: Math.max(3, bottom - top) };
    for (const [name, value] of Object.entries(sides)) frame.setAttribute(name, value.toFixed(1));
  }
  return { element, show };
}
