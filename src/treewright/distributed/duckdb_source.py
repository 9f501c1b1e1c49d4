"""A table inside DuckDB as a source: what growth asks is answered by SQL, and no row leaves the database.

The rows are kept once as a temporary table of the connection: numbers as doubles, categories as codes, the
target and the weight as whole numbers of their unit, and the node that a row is in. Sums are of HUGEINT, so
they are exact. DuckDB is the reference dialect; docs/cluster.md says what another one must have.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask as words
from treewright.base.advice import refusal
from treewright.growth.amounts import Amounts, exact_sum, question_from
from treewright.growth.fixed import TARGET_BITS
from treewright.growth.settings import Settings
from treewright.growth.sourced import Ask, Cells, Gathered, Move, Stretches
from treewright.growth.sourced.source import Draw, Ints, Keys, key_of, keys_of, numbers_of
from treewright.table import NO_TERMS, ClassTerms, Column, Kind, Schema, Table
from treewright.table.sql import quoted
from treewright.tree.policy import GAPS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_PARTS = 64  # of a statement
MOST_EDGES = 300  # that a CASE halves; more are joined
SERVED = ("learned", "own_branch", "drop")  # what happens where a value is missing
SERVED_WHOLE = ("fractional", "error")  # and where none is
GAP, NEVER = np.uint64(2**64 - 1), (np.uint64(2**64 - 1), np.uint64(0))
LEAST, GREATEST = np.int64(2**63 - 1), np.int64(-(2**63))
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_REALS = ("FLOAT", "DOUBLE")
_LARGE = ("HUGEINT", "UHUGEINT", "DECIMAL")
_WORDS = ("VARCHAR", "ENUM", "UUID")


@dataclass(frozen=True)
class _Field:
    """A column of the query: what it is to growth, and the SQL of its value there."""

    column: Column
    value: str


class DuckDBSource:
    """The rows of a table or query of DuckDB; `question` is what growth is asked about them.

    >>> import duckdb, treewright as tw
    >>> from treewright.growth.sourced import grow_from
    >>> settings = tw.growth.Settings.of("plain")
    >>> with duckdb.connect() as connection:
    ...     _ = connection.execute("create table t as select x, x > 3 as big from range(8) as numbers(x)")
    ...     source = DuckDBSource(connection, "t", "big", settings)
    ...     tree = grow_from(source, source.question, settings)
    >>> float(tree.cut[0]), tree.n_leaves
    (3.5, 2)
    """

    def __init__(
        self,
        connection: DuckDBPyConnection,
        query: str,
        target: str,
        settings: Settings,
        *,
        weights: str | None = None,
        terms: ClassTerms = NO_TERMS,
    ) -> None:
        if terms.class_weight is not None:
            raise ValueError(
                "class_weight does not go with a table inside DuckDB: make it a column of the query, and "
                "name that as weights=..."
            )
        self.connection, self.settings = connection, settings
        self.name = f"treewright_{uuid.uuid4().hex}"
        self.rows = self.name
        self._dictionaries: list[str] = []
        is_query = bool(query.strip()) and " " in query.strip()
        self._given = f"({query})" if is_query else quoted(query, "duckdb")
        fields = self._fields(target, weights)
        goal = fields.pop(target)
        weigh = fields.pop(weights) if weights is not None else None
        if not fields:
            raise ValueError(f"The query has no column but the target {target!r}; add some to predict from.")
        schema = Schema(tuple(field.column for field in fields.values()))
        self.is_cut = [column.is_numeric for column in schema.columns]
        amounts, has_gaps = self._load(list(fields.values()), goal, weigh)
        self.n_rows = amounts.n_rows
        _check_policy(settings, goal.column, any(has_gaps))
        self.question = question_from(schema, goal.column, amounts, has_gaps, settings, terms)
        self.n_classes = len(goal.column.categories) if self.question.is_classifier else 0
        self.width = 1 + self.n_classes if self.n_classes else 6

    def close(self) -> None:
        """Drop the temporary tables."""
        for table in (self.rows, *self._dictionaries):
            self._run(f"drop table if exists {table}")

    # ---- what the table holds ----------------------------------------------------------------------

    def _run(self, statement: str, *told: Any) -> DuckDBPyConnection:
        return self.connection.execute(statement, list(told))

    def _fields(self, target: str, weights: str | None) -> dict[str, _Field]:
        """Return the columns of the query by name; those of words with the dictionary of their codes."""
        described = self._run(f"describe select * from {self._given}").fetchall()
        types = {str(name): str(kind).partition("(")[0] for name, kind, *_ in described}
        for name in filter(None, (target, weights)):
            if name not in types:
                raise ValueError(f"The query has no column {name!r}; it has {', '.join(map(repr, types))}.")
        return {name: self._field(name, kind) for name, kind in types.items()}

    def _field(self, name: str, kind: str) -> _Field:
        value = quoted(name, "duckdb")
        if kind in _REALS:
            real = f"{value}::double"
            return _Field(Column(name, Kind.numeric), f"case when isnan({real}) then null else {real} end")
        if kind in _NUMBERS or kind in _LARGE:
            self._check_whole(name, value, kind)
            return _Field(Column(name, Kind.numeric), f"{value}::double")
        if kind == "BOOLEAN":
            column = Table.from_dict({name: [True, False]}).column(name)[0]
            return _Field(column, f"{value}::integer")
        if kind in _WORDS:
            return self._words(name, value)
        raise ValueError(
            f"Column {name!r} is {kind}, which SQL does not grow on; leave it out of the query, or make it "
            "a number there (epoch(...) of a moment)."
        )

    def _check_whole(self, name: str, value: str, kind: str) -> None:
        """Refuse whole numbers that a double would change."""
        if kind in ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"):
            query = f"select {value} from {self._given} where {value} <> {value}::double::{kind} limit 1"
            if (found := self._run(query).fetchone()) is not None:
                raise ValueError(
                    f"Column {name!r} holds {found[0]}, which is not exact as a number of 64 bits; "
                    "cast it to VARCHAR in the query if it is a name."
                )

    def _words(self, name: str, value: str) -> _Field:
        found = self._run(f"select distinct {value}::varchar from {self._given}").fetchall()
        words = [word for (word,) in found if word is not None]
        column, codes = Table.from_dict({name: [*words, None]}, kinds={name: Kind.nominal}).column(name)
        listed = f"{self.name}_{len(self._dictionaries)}"
        self._dictionaries.append(listed)
        self._run(
            f"create temp table {listed} as "
            "select unnest(?::varchar[]) as word, unnest(?::integer[]) as code",
            words,
            [int(code) for code in codes[:-1]],
        )
        code = f"(select code from {listed} where word = {value}::varchar and code >= 0)"
        return _Field(column, code)

    def _load(
        self, fields: Sequence[_Field], goal: _Field, weigh: _Field | None
    ) -> tuple[Amounts, list[bool]]:
        """Keep the rows as growth wants them; return what they come to, and which columns have gaps."""
        shown = ", ".join(f"{field.value} as x{i}" for i, field in enumerate(fields))
        weight = "1::double" if weigh is None else weigh.value
        gaps = " and ".join(f"x{i} is not null" for i in range(len(fields))) or "true"
        kept = gaps if GAPS[self.settings.missing].drops_rows else "true"
        all_of = f"select {shown}, {goal.value} as y, {weight} as w from {self._given}"
        read = f"select * from ({all_of}) where {kept}"
        amounts = self._amounts(read, goal.column, weigh is not None)
        bits = amounts.bits(self.settings)
        units = f"greatest(1::bigint, round_even(w * {_power(bits)}, 0)::bigint)"
        if goal.column.is_numeric:
            total = self._run(f"select sum({units}) from ({read}) where w > 0").fetchone()
            assert total is not None
            amounts = replace(amounts, units=int(total[0]))
            worst = max(abs(amounts.least), abs(amounts.greatest))
            y = f"round_even(y * {_power(TARGET_BITS - math.frexp(worst)[1])}, 0)::bigint"
        else:
            y = "y::integer"
        columns = ", ".join(f"x{i}" for i in range(len(fields)))
        self._run(
            f"create temp table {self.rows} as select {columns}, {y} as y, {units} as w, 0::integer as node "
            f"from ({read}) where w > 0"
        )
        found = self._run(
            "select "
            + ", ".join(f"count(x{i}) < count(*)" for i in range(len(fields)))
            + f" from {self.rows}"
        ).fetchone()
        return amounts, [bool(has) for has in found or ()]

    def _amounts(self, read: str, target: Column, is_weighted: bool) -> Amounts:
        """Return what the rows come to: of weights, each distinct one leaves the database with its number."""
        bad = self._run(
            f"select w from ({read}) where w is null or not isfinite(w) or w < 0 limit 1"
        ).fetchone()
        if bad is not None:
            raise ValueError(f"A weight is {bad[0]}; weights must be finite and at least 0.")
        ends = "min(y), max(y)" if target.is_numeric else "null, null"
        place = "0" if target.is_numeric else "y"
        found = self._run(
            f"select y is null, {place}, w, count(*), {ends} from ({read}) group by all"
        ).fetchall()
        known = [row for row in found if not row[0] and row[2] > 0]
        totals = [0] * (1 if target.is_numeric else len(target.categories))
        for _, where, w, n, *_ in known:
            totals[where] += n * exact_sum(np.array([w])) if is_weighted else n
        weights = np.array([row[2] for row in known], dtype=np.float64)
        is_number = target.is_numeric
        return Amounts(
            sum(row[3] for row in known),
            tuple(totals),
            is_weighted,
            bool(np.array_equal(weights, np.rint(weights))),
            float(weights.max(initial=0.0)) if is_weighted else 0.0,
            float(weights.min(initial=np.inf)) if is_weighted else np.inf,
            min((row[4] for row in known), default=np.inf) if is_number else np.inf,
            max((row[5] for row in known), default=-np.inf) if is_number else -np.inf,
            sum(row[3] for row in found if row[0]),
        )

    # ---- what is asked -----------------------------------------------------------------------------

    def start(self, lot: Draw | None = None) -> None:
        """Bring all rows back to the root."""
        if lot is not None:
            raise ValueError("Rows of a table have no numbers to draw them by; grow forests from files.")
        self._run(f"update {self.rows} set node = 0 where node <> 0")

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask.

        Asks about one column by the same edges are one SELECT over all their nodes.
        """
        found = [_empty(len(ask.edges) + 2, self.width) for ask in asks]
        together: dict[tuple[int, int], list[int]] = {}
        for i, ask in enumerate(asks):
            together.setdefault((ask.column, id(ask.edges)), []).append(i)
        place: dict[tuple[int, int], int] = {}
        parts = []
        for number, ((column, _), some) in enumerate(together.items()):
            edges = asks[some[0]].edges
            nodes = ", ".join(str(asks[i].node) for i in some)
            parts.append(self._select(number, column, edges, f"node in ({nodes})"))
            place |= {(number, asks[i].node): i for i in some}
        for rows in self._answers(parts):
            for (number, node), own in _by(rows, ("part", "node")):
                self._fill(found[place[number, node]], own["cell"], own, asks[place[number, node]].column)
        return found

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        found = [_empty(0, self.width) for _ in asks]
        stretches: dict[int, list[str]] = {}
        for number, ask in enumerate(asks):
            ends = zip(self._values(ask.column, ask.first), self._values(ask.column, ask.last), strict=True)
            listed = stretches.setdefault(ask.column, [])
            listed += [f"({number}, {ask.node}, {low}, {high})" for low, high in ends]
        parts = [self._select_inside(column, some) for column, some in stretches.items() if some]
        for rows in self._answers(parts):
            for (number,), own in _by(rows, ("part",)):
                column = asks[number].column
                every = self._keys(column, own["low"])
                keys = np.unique(every)
                cell = np.searchsorted(keys, every)
                found[number] = _empty(len(keys), self.width)
                self._fill(found[number], cell, own, column)
        return found

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the sum of squares of each ask; what is divided by 2**shift is made positive before."""
        told = []
        for node, centre, shift in asks:
            back = (1 << 62 >> shift) + 1
            half = 0 if shift == 0 else 1 << (shift - 1)
            told.append(
                f"({node}, {half - centre + (back << shift)}::hugeint, "
                f"{1 << shift}::hugeint, {back}::hugeint)"
            )
        sums: dict[int, int] = {}
        for some in _few(told):
            query = (
                f"select node, sum(w::hugeint * d * d) from (select r.node, w, "
                f"(y::hugeint + more) // step - back as d from {self.rows} r join "
                f"(values {', '.join(some)}) as asked(node, more, step, back) on r.node = asked.node) "
                "group by node"
            )
            sums |= {node: int(total) for node, total in self._run(query).fetchall()}
        return [sums.get(node, 0) for node, _, _ in asks]

    def present(self, node: int, column: int) -> Keys:
        """Return the keys of a column in a node, ascending, each once."""
        x = f"x{column}"
        query = f"select distinct {x} as x from {self.rows} where node = {node} and {x} is not null"
        return np.unique(self._keys(column, self._run(query).fetchnumpy()["x"]))

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of a column among all rows that is not above x; else -inf."""
        query = f"select max(x{column}) from {self.rows} where x{column} <= {_number(x)}"
        found = self._run(query).fetchone()
        return -math.inf if found is None or found[0] is None else float(found[0])

    def apply(self, moves: Sequence[Move]) -> None:
        """Divide nodes among their children: one UPDATE for cuts, one for categories."""
        cuts = [move for move in moves if self.is_cut[move.column]]
        for some in _few(cuts):
            listed = ", ".join(
                f"({m.node}, {m.column}, {_number(m.cut)}, {_child(m, m.missing)}, {m.first})" for m in some
            )
            x = self._chosen("asked.col", {move.column for move in some})
            self._run(
                f"update {self.rows} set node = case when {x} is null then asked.gap "
                f"when {x} <= asked.cut then asked.first else asked.first + 1 end "
                f"from (values {listed}) as asked(node, col, cut, gap, first) "
                f"where {self.rows}.node = asked.node"
            )
        for move in moves:
            if not self.is_cut[move.column]:
                known = zip(move.codes.tolist(), move.branches.tolist(), strict=True)
                cases = " ".join(f"when {code} then {_child(move, branch)}" for code, branch in known)
                branch = f"case x{move.column} {cases} else {_child(move, move.missing)} end"
                self._run(f"update {self.rows} set node = {branch} where node = {move.node}")

    def gather(self, nodes: Sequence[int]) -> list[Gathered]:
        """Return the rows of each node themselves."""
        listed = ", ".join(map(str, nodes))
        arrays = self._run(f"select * from {self.rows} where node in ({listed})").fetchnumpy()
        values = [self._plain(arrays[f"x{i}"], is_cut) for i, is_cut in enumerate(self.is_cut)]
        target = np.ma.getdata(arrays["y"]).astype(np.int32 if self.n_classes else np.int64)
        weight, node = (np.ma.getdata(arrays[name]) for name in ("w", "node"))
        own = [np.flatnonzero(node == one) for one in nodes]
        return [Gathered(tuple(v[rows] for v in values), target[rows], weight[rows]) for rows in own]

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width), all rows going down it from the root."""
        found = np.zeros((n_nodes, self.width), dtype=np.int64)
        kept, self.rows = self.rows, f"treewright_{uuid.uuid4().hex}"
        self._run(f"create temp table {self.rows} as select * replace (0::integer as node) from {kept}")
        try:
            waiting = {move.node: move for move in moves}
            level = [0]
            while level:
                whole = self.count([Ask(node, 0, np.zeros(0, dtype=np.uint64)) for node in level])
                for node, cells in zip(level, whole, strict=True):
                    found[node] = cells.figures.sum(axis=0)
                inner = [waiting[node] for node in level if node in waiting]
                self.apply(inner)
                level = [move.first + b for move in inner for b in range(move.n_branches)]
        finally:
            self._run(f"drop table {self.rows}")
            self.rows = kept
        return found

    # ---- how it is put and read --------------------------------------------------------------------

    def _select(self, number: int, column: int, edges: Keys, where: str) -> str:
        """Return the SELECT of one part: a row for each node, cell and class."""
        if len(edges) <= MOST_EDGES or not self.is_cut[column]:
            cell = f"coalesce({self._cell(column, edges)}, {len(edges) + 1})"
            return self._grouped(f"{number}", "node", cell, column, f"{self.rows} where {where}")
        n_below = int(np.searchsorted(edges, np.uint64(key_of(-math.inf)), side="right"))
        n_inside = int(np.searchsorted(edges, np.uint64(key_of(math.inf)), side="right"))
        listed = ", ".join(map(repr, numbers_of(edges[n_below:n_inside]).tolist()))
        cell = f"case when x{column} is null then {len(edges) + 1} else {n_below} + coalesce(e.place, 0) end"
        places = f"unnest(range(1, {n_inside - n_below + 1})) as place"
        rows = (
            f"(select * from {self.rows} where {where}) as r asof left join "
            f"(select unnest('[{listed}]'::double[]) as edge, {places}) as e on r.x{column} >= e.edge"
        )
        return self._grouped(f"{number}", "node", cell, column, rows)

    def _select_inside(self, column: int, stretches: Sequence[str]) -> str:
        """Return the SELECT of the values in stretches, each a row of (part, node, first, last)."""
        inside = f"(values {', '.join(stretches)}) as s(asked, place, low_end, high_end)"
        joined = f"{self.rows} join {inside} on node = place and x{column} between low_end and high_end"
        return self._grouped("asked", "node", f"x{column}", column, joined)

    def _grouped(self, part: str, node: str, cell: str, column: int, rows: str) -> str:
        if self.n_classes:
            figures, group = "y, count(*) as n, sum(w)::bigint as w, null, null, null", ", y"
        else:
            figures, group = (
                "null as y, count(*) as n, sum(w)::bigint as w, sum(w::hugeint * y), min(y), max(y)",
                "",
            )
        ends = f"min(x{column})::double as low, max(x{column})::double as high"
        return (
            f"select {part} as part, {node} as node, {cell} as cell, {figures}, {ends} "
            f"from {rows} group by part, node, cell{group}"
        )

    def _answers(self, parts: Sequence[str]) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the rows of the parts, some at a time, column by column."""
        names = ("part", "node", "cell", "y", "n", "w", "sum", "least", "greatest", "low", "high")
        for some in _few(parts):
            rows = self._run(" union all ".join(some)).fetchall()
            if rows:
                columns = zip(names, zip(*rows, strict=True), strict=True)
                yield {name: np.array(values, dtype=_TYPES.get(name, object)) for name, values in columns}

    def _fill(self, cells: Cells, cell: Any, rows: dict[str, NDArray[Any]], column: int) -> None:
        """Put rows into the cells that they are about."""
        at = np.asarray(cell, dtype=np.int64)
        np.add.at(cells.figures[:, 0], at, rows["n"])
        if self.n_classes:
            np.add.at(cells.figures, (at, 1 + rows["y"].astype(np.int64)), rows["w"])
            least = greatest = rows["y"].astype(np.int64)
        else:
            np.add.at(cells.figures[:, 1], at, rows["w"])
            np.add.at(cells.figures[:, 2:], at, [_limbs(int(total)) for total in rows["sum"]])
            least, greatest = rows["least"].astype(np.int64), rows["greatest"].astype(np.int64)
        np.minimum.at(cells.least, at, least)
        np.maximum.at(cells.greatest, at, greatest)
        np.minimum.at(cells.low, at, self._keys(column, rows["low"]))
        np.maximum.at(cells.high, at, self._keys(column, rows["high"]))

    def _cell(self, column: int, edges: Keys) -> str:
        """Return the number of the cell of a value: a CASE that halves the edges; NULL for a gap."""
        x = f"x{column}"
        below = self._below(column, edges)

        def between(a: int, b: int) -> str:  # the cells a to b, both included
            if a == b:
                return str(a)
            middle = (a + b + 1) // 2
            left, right = between(a, middle - 1), between(middle, b)
            return f"case when {below[middle - 1]} then {left} else {right} end"

        return f"case when {x} is not null then {between(0, len(edges))} end"

    def _below(self, column: int, edges: Keys) -> list[str]:
        """Return what says that a value is below an edge; beyond the infinite ones there is none."""
        if not self.is_cut[column]:
            return [f"x{column} < {edge}" for edge in edges.tolist()]
        beyond = {edge: "true" for edge in edges.tolist() if edge > key_of(math.inf)}
        beyond |= {edge: "false" for edge in edges.tolist() if edge <= key_of(-math.inf)}
        numbers = zip(edges.tolist(), numbers_of(edges).tolist(), strict=True)
        return [beyond.get(edge, f"x{column} < {_number(x)}") for edge, x in numbers]

    def _values(self, column: int, keys: Keys) -> list[str]:
        """Return keys as the values that SQL compares with."""
        if not self.is_cut[column]:
            return [str(key) for key in keys.tolist()]
        return [_number(x) for x in numbers_of(keys).tolist()]

    def _keys(self, column: int, values: Any) -> Keys:
        """Return values, with NaN or masked for gaps, as keys."""
        found = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
        is_gap = np.isnan(found)
        plain = np.where(is_gap, 0.0, found)
        keys = keys_of(plain) if self.is_cut[column] else plain.astype(np.uint64)
        return np.where(is_gap, GAP, keys)

    def _plain(self, values: Any, is_cut: bool) -> NDArray[Any]:
        """Return a column as growth in memory has it."""
        found = np.ma.asarray(values)
        return (
            np.ma.filled(found.astype(np.float64), np.nan)
            if is_cut
            else np.ma.filled(found.astype(np.int32), -1)
        )

    def _chosen(self, name: str, columns: set[int]) -> str:
        """Return the value of the column whose number stands in `name`."""
        cases = " ".join(f"when {column} then x{column}" for column in sorted(columns))
        return f"(case {name} {cases} end)"


def _check_policy(settings: Settings, target: Column, has_gaps: bool) -> None:
    """Refuse what asks more of rows than sums."""
    served = SERVED if has_gaps or target.is_numeric else (*SERVED, *SERVED_WHOLE)
    if settings.missing not in served:
        raise refusal(
            words("missing", settings.missing),
            " does not go with a table inside DuckDB: it asks more of rows than sums. Use ",
            words("missing", *SERVED),
            ", or grow in memory with tw.grow.",
        )


_TYPES = {
    "part": np.int64,
    "node": np.int64,
    "n": np.int64,
    "w": np.int64,
    "low": np.float64,
    "high": np.float64,
}


def _empty(n: int, width: int) -> Cells:
    return Cells(
        np.zeros((n, width), dtype=np.int64),
        np.full(n, NEVER[0]),
        np.full(n, NEVER[1]),
        np.full(n, LEAST),
        np.full(n, GREATEST),
    )


def _by(
    rows: dict[str, NDArray[Any]], names: tuple[str, ...]
) -> Iterator[tuple[tuple[int, ...], dict[str, NDArray[Any]]]]:
    """Yield the rows of each combination of values."""
    order = np.lexsort([rows[name] for name in reversed(names)])
    keys = list(zip(*(rows[name][order].tolist() for name in names), strict=True))
    for key, some in groupby(range(len(keys)), key=keys.__getitem__):
        which = order[list(some)]
        yield key, {name: values[which] for name, values in rows.items()}


def _few(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield as many at a time as one statement can hold."""
    yield from (values[i : i + MOST_PARTS] for i in range(0, len(values), MOST_PARTS))


def _number(x: float) -> str:
    """Return a number as SQL has it, to the last bit.

    >>> _number(0.1), _number(float("inf"))
    ("'0.1'::double", "'inf'::double")
    """
    return f"'{x!r}'::double"


def _power(exponent: int) -> str:
    return _number(math.ldexp(1.0, exponent))


def _child(move: Move, branch: int) -> int:
    """Return the node of a branch; -1: the rows go nowhere."""
    return -1 if branch < 0 else move.first + branch


def _limbs(total: int) -> list[int]:
    return [(total >> 32 * i) & 0xFFFFFFFF for i in range(3)] + [total >> 96]
