// A calculation worked out for one row: the twin of tests/oracle/calculation.py, for the page and for node.
// A cell is a number, a text, or null where it is missing. What has no answer is null.
"use strict";

function scorer(model) {
  const places = model.columns.map((column) => new Map((column.categories || []).map((c, i) => [c, i])));
  const number = (value) => Number(value);

  function cellOf(row, place) {
    const cell = row[place];
    if (cell === null || model.columns[place].categories === undefined) return cell;
    const found = places[place].get(cell);
    return found === undefined ? -2 : found;
  }

  const truths = {
    gap: (row, steps, [place]) => cellOf(row, place) === null,
    among: (row, steps, [place, wanted]) => wanted.includes(cellOf(row, place)),
    other: (row, steps, [place, known]) => {
      const cell = cellOf(row, place);
      return cell !== null && !known.includes(cell);
    },
    all: (row, steps, parts) => parts.every((part) => truth(row, steps, part)),
    either: (row, steps, parts) => parts.some((part) => truth(row, steps, part)),
    compare: (row, steps, [left, sign, right]) => {
      const a = value(row, steps, left);
      const b = value(row, steps, right);
      if (a === null || b === null) return false;
      return sign === "<=" ? a <= b : sign === ">" ? a > b : a >= b;
    },
  };

  const values = {
    number: (row, steps, [given]) => number(given),
    class: (row, steps, [place]) => place,
    nothing: () => null,
    cell: (row, steps, [place]) => cellOf(row, place),
    step: (row, steps, [name]) => steps.get(name),
    case: (row, steps, [whens, otherwise]) => {
      const found = whens.find(([asked]) => truth(row, steps, asked));
      return value(row, steps, found ? found[1] : otherwise);
    },
    lookup: (row, steps, [place, listed]) => {
      const at = value(row, steps, place);
      return at === null ? null : number(listed[at]);
    },
    sum: (row, steps, parts) => folded(row, steps, parts, (a, b) => a + b),
    product: (row, steps, parts) => folded(row, steps, parts, (a, b) => a * b),
    largest: (row, steps, parts) => folded(row, steps, parts, (a, b) => (b > a ? b : a)),
    quotient: (row, steps, parts) => folded(row, steps, parts, (a, b) => a / b),
    power: (row, steps, [exponent]) => {
      const x = value(row, steps, exponent);
      return x === null ? null : Math.exp(x);
    },
  };

  function folded(row, steps, parts, join) {
    let found = value(row, steps, parts[0]);
    for (let i = 1; i < parts.length && found !== null; i++) {
      const next = value(row, steps, parts[i]);
      found = next === null ? null : join(found, next);
    }
    return found;
  }

  function truth(row, steps, [kind, ...parts]) {
    return truths[kind](row, steps, parts);
  }

  function value(row, steps, [kind, ...parts]) {
    return values[kind](row, steps, parts);
  }

  return function answer(row) {
    const steps = new Map();
    for (const [name, step] of model.steps) steps.set(name, value(row, steps, step));
    const said = value(row, steps, model.label);
    return {
      label: said === null ? null : model.classes.length ? model.classes[said] : said,
      chances: model.chances.map((chance) => value(row, steps, chance)),
      leaf: model.leaf === null ? null : value(row, steps, model.leaf),
      path: model.path.filter(([name]) => name === "" || steps.get(name) > 0).map(([name, ...words]) => [name === "" ? 1 : steps.get(name), ...words]),
    };
  };
}
