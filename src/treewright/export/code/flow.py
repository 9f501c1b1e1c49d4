"""Trees as tables of whole numbers: for forests that would be too long as nested if and else.

Every number is known by its rank among the thresholds of its column (how many are less), every category by
its place; -1 is a gap, -2 a category never seen. So all tests are about whole numbers, and a threshold
stands in one place only.

An entry is a test, or an end:

    TEST  16 * column + flags: 1 asks for a set (else: at most ARG), 2 gaps take NO, 4 new categories take NO,
          8 has four jumps of its own in JUMPS, from NO on: yes, no, never seen, gap
          -1: a leaf, -2: the row is refused, -3: the row is divided
    ARG   the rank; or where the set begins in SIDES (by place: 0 yes, 1 no, 2 not known here); of a leaf what
          it answers; of a division where its list begins in JUMPS: how many, then a jump and a share for each
    NO    how far to go on where the answer is no; yes is the next entry
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.export.code.program import Field
from treewright.export.outline import Cut, Node, Outline, Sum, Values, Way
from treewright.forest import compact
from treewright.tree.policy import gap_policy, unseen_policy

Wholes = NDArray[np.int64]
LEAF, REFUSE, DIVIDE = -1, -2, -3
SET, GAP_NO, UNSEEN_NO, JUMPS, FLAGS = 1, 2, 4, 8, 16
UNKNOWN = 2  # of a set: a category that the node does not know


class Flow(NamedTuple):
    """Trees as tables; `roots` are where they begin, `cuts` the thresholds by field, one after the other."""

    test: Wholes
    arg: Wholes
    no: Wholes
    roots: Wholes
    jumps: Wholes
    sides: Wholes
    shares: tuple[float, ...]
    cuts: tuple[tuple[float, ...], ...]  # by field; () of categories
    answers: tuple[tuple[float, ...], ...]

    @property
    def divides(self) -> bool:
        """Whether a row may end in several leaves."""
        return bool((self.test == DIVIDE).any())


class _Sets:
    """Sets of categories, each once: where they begin in one long list."""

    def __init__(self) -> None:
        self.places: dict[bytes, int] = {}
        self.length = 0

    def place(self, sides: NDArray[np.int8]) -> int:
        """Return where a set begins; a new one is put at the end."""
        key = sides.tobytes()
        found = self.places.setdefault(key, self.length)
        if found == self.length:
            self.length += len(sides)
        return found

    def joined(self) -> Wholes:
        """Return the list."""
        parts = [np.frombuffer(key, np.int8) for key in self.places]
        return np.concatenate([np.zeros(0, np.int8), *parts]).astype(np.int64)


# ---- any trees, node by node -------------------------------------------------------------------


def flow_of(
    outlines: Sequence[Outline], fields: Sequence[Field], answer: Callable[[Outline, Node], int]
) -> Flow:
    """Return trees as tables; `answer` gives the place of what a node answers."""
    return _Builder(outlines, fields, answer).flow()


class _Builder:
    """Makes the tables node by node; a node may need several entries, which stand together."""

    def __init__(
        self, outlines: Sequence[Outline], fields: Sequence[Field], answer: Callable[[Outline, Node], int]
    ) -> None:
        self.outlines, self.fields, self.answer = outlines, fields, answer
        self.turn = {field.place: turn for turn, field in enumerate(fields)}
        self.cuts = [field.column.edges or () for field in fields]
        thresholds: dict[int, set[float]] = {}
        for outline in outlines:
            for node in outline.nodes:
                tests = [node.test, *(stand_in.test for stand_in in node.stand_ins)]
                for test in tests:
                    if isinstance(test, Cut):
                        thresholds.setdefault(self.turn[test.column], set()).add(test.threshold)
        for turn, found in thresholds.items():
            self.cuts[turn] = tuple(sorted(found))
        self.rank = [{cut: i for i, cut in enumerate(cuts)} for cuts in self.cuts]
        self.sets, self.jumps, self.shares = _Sets(), list[int](), dict[float, int]()
        self.rows: list[tuple[int, int, int]] = []

    def flow(self) -> Flow:
        roots = []
        for outline in self.outlines:
            roots.append(len(self.rows))
            self.add(outline)
        columns = np.array(self.rows, dtype=np.int64).reshape(-1, 3)
        return Flow(
            columns[:, 0], columns[:, 1], columns[:, 2], np.array(roots),
            np.array(self.jumps, dtype=np.int64),
            self.sets.joined(), tuple(self.shares), tuple(self.cuts), (),
        )  # fmt: skip

    def add(self, outline: Outline) -> None:
        """Add the entries of one tree: first it is found where each node begins."""
        begin, at = [], len(self.rows)
        for node in outline.nodes:
            begin.append(at)
            at += self.n_entries(node)
        for node in outline.nodes:
            self.rows += self.entries(outline, node, begin)

    def n_entries(self, node: Node) -> int:
        if node.is_leaf:
            return 1
        if self.is_plain(node):
            return 1
        n_tests = len(node.children) - 1 if isinstance(node.test, Values) else 1
        return max(1, n_tests) + len(node.stand_ins) + 3  # the node itself as an end, a refusal, a division

    def is_plain(self, node: Node) -> bool:
        return (
            len(node.children) == 2
            and node.gap.kind == "branch"
            and (isinstance(node.test, Cut) or node.unseen.kind == "branch")
        )

    def entries(self, outline: Outline, node: Node, begin: list[int]) -> list[tuple[int, int, int]]:
        at = begin[node.number]
        if node.is_leaf:
            return [(LEAF, self.answer(outline, node), 0)]
        assert node.test is not None
        if isinstance(node.test, Sum):
            raise ValueError("Sums of columns have no place in tables.")
        places = [begin[child] for child in node.children]
        if self.is_plain(node):
            test, arg = self.question(node.test, 0)
            flags = GAP_NO * (node.gap.branch or 0) + UNSEEN_NO * (node.unseen.branch or 0)
            return [(test + flags, arg, places[1] - at)]
        return self.special(outline, node, at, places)

    def question(self, test: Cut | Values, branch: int) -> tuple[int, int]:
        """Return test and argument that ask whether a row takes this branch."""
        turn = self.turn[test.column]
        if isinstance(test, Cut):
            return FLAGS * turn, self.rank[turn][test.threshold]
        sides = np.full(len(self.fields[turn].column.categories), UNKNOWN, np.int8)
        for i, codes in enumerate(test.branches):
            sides[list(codes)] = i != branch
        return FLAGS * turn + SET, self.sets.place(sides)

    def special(self, outline: Outline, node: Node, at: int, places: list[int]) -> list[tuple[int, int, int]]:
        """Return the entries of a node whose rows may do more than take one of two branches."""
        test = node.test
        assert isinstance(test, (Cut, Values))
        n_tests = max(1, len(node.children) - 1) if isinstance(test, Values) else 1
        first_stand_in = at + n_tests
        stop = first_stand_in + len(node.stand_ins)
        ends = {"stop": stop, "refuse": stop + 1, "divide": stop + 2, "surrogate": first_stand_in}

        def place(way: Way) -> int:
            return places[way.branch or 0] if way.kind == "branch" else ends[way.kind]

        rest = stop if node.gap.branch is None else places[node.gap.branch]
        if not node.stand_ins:
            ends["surrogate"] = rest
        found = []
        for branch in range(n_tests):
            here = at + branch
            last = branch == n_tests - 1
            no = (places[branch + 1] if branch + 1 < len(places) else stop) if last else here + 1
            found.append(
                self.jumping(test, branch, here, places[branch], no, place(node.unseen), place(node.gap))
            )
        for turn, stand_in in enumerate(node.stand_ins):
            here = first_stand_in + turn
            silent = here + 1 if turn + 1 < len(node.stand_ins) else rest
            yes, no = (places[1], places[0]) if stand_in.flip else (places[0], places[1])
            found.append(self.jumping(stand_in.test, 0, here, yes, no, silent, silent))
        divided = [
            (child - stop - 2, share) for child, share in zip(places, node.shares, strict=False) if share > 0
        ]
        begin = len(self.jumps)
        self.jumps.append(len(divided))
        for jump, share in divided:
            self.jumps += [jump, self.shares.setdefault(share, len(self.shares))]
        return [*found, (LEAF, self.answer(outline, node), 0), (REFUSE, 0, 0), (DIVIDE, begin, 0)]

    def jumping(
        self, test: Cut | Values, branch: int, here: int, yes: int, no: int, unseen: int, gap: int
    ) -> tuple[int, int, int]:
        word, arg = self.question(test, branch)
        self.jumps += [yes - here, no - here, unseen - here, gap - here]
        return word + JUMPS, arg, len(self.jumps) - 4


# ---- forests whose rows take one of two branches everywhere ------------------------------------------------


def plain_forest(forest: Any, fields: Sequence[Field]) -> Flow | None:
    """Return a forest as tables, from its arrays at once; None where a row may do more than branch."""
    about = forest.about
    unseen = unseen_policy(about).way
    if gap_policy(about).way != "branch" or unseen not in ("branch", "as_missing"):
        return None
    wide = compact.widened(forest.arrays, forest.starts, 0, forest.n_trees)
    if (wide["code_branch"] > 1).any() or (wide["missing"] > 1).any():
        return None
    kind, start = wide["kind"], wide["tree_start"]
    n = len(kind)
    is_leaf = kind == compact.LEAF
    local = np.arange(n) - np.repeat(start[:-1], np.diff(start))
    after = np.append(wide["end"][1:], 0)  # where the first child ends, the second one begins
    turn = np.zeros(len(forest.schema) + 1, np.int64)
    turn[[field.place for field in fields]] = np.arange(len(fields))
    gap = np.where(wide["missing"] < 0, wide["largest"], wide["missing"])
    new = gap if unseen == "as_missing" else wide["largest"]
    test = FLAGS * turn[wide["column"]] + GAP_NO * (gap > 0) + UNSEEN_NO * (new > 0)
    arg = np.zeros(n, np.int64)
    cuts = _ranked(wide, fields, arg)
    sets = _Sets()
    _in_sets(wide, fields, sets, test, arg)
    answers, place = _answered(forest, wide)
    arg[is_leaf] = place
    return Flow(
        np.where(is_leaf, LEAF, test), arg, np.where(is_leaf, 0, after - local), start[:-1].astype(np.int64),
        np.zeros(0, np.int64), sets.joined(), (), cuts, answers,
    )  # fmt: skip


def _ranked(wide: Mapping[str, Any], fields: Sequence[Field], arg: Wholes) -> tuple[tuple[float, ...], ...]:
    """Put the rank of every cut into `arg`, and return the cuts of every field."""
    found: list[tuple[float, ...]] = []
    is_cut = wide["kind"] == compact.CUT
    for field in fields:
        mine = is_cut & (wide["column"] == field.place)
        cut = wide["cut"][mine]
        if not field.column.is_numeric:  # an ordinal column is cut by rank
            arg[mine] = np.clip(np.floor(cut), -1, len(field.column.categories)).astype(np.int64)
            found.append(tuple(field.column.edges or ()))
            continue
        cuts, ranks = np.unique(cut, return_inverse=True)
        arg[mine] = ranks.ravel()
        found.append(tuple(cuts.tolist()))
    return tuple(found)


def _in_sets(
    wide: Mapping[str, Any], fields: Sequence[Field], sets: _Sets, test: Wholes, arg: Wholes
) -> None:
    """Put where the set of each node begins into `arg`."""
    is_set = (wide["kind"] != compact.CUT) & (wide["kind"] != compact.LEAF)
    size = {field.place: len(field.column.categories) for field in fields}
    known: dict[tuple[int, int, bytes, bytes], int] = {}
    code, branch = wide["code"], wide["code_branch"]
    column, start = wide["column"].tolist(), wide["code_start"].tolist()
    for i in np.flatnonzero(is_set).tolist():
        mine = slice(start[i], start[i + 1])
        new = int(test[i]) // UNSEEN_NO % 2  # where categories go that the node does not know
        key = (column[i], new, code[mine].tobytes(), branch[mine].tobytes())
        if key not in known:
            sides = np.full(size[column[i]], new, np.int8)
            sides[code[mine]] = branch[mine]
            known[key] = sets.place(sides)
        arg[i] = known[key]
    test[is_set] += SET


def _answered(forest: Any, wide: Mapping[str, Any]) -> tuple[tuple[tuple[float, ...], ...], Wholes]:
    """Return what leaves say, each once, and the place of what each leaf says."""
    if not forest.is_classifier:
        means, place = np.unique(wide["leaf_weight"].reshape(-1, 3)[:, 1], return_inverse=True)
        return tuple((mean,) for mean in means.tolist()), place.ravel()
    start, n_classes = wide["leaf_start"], len(forest.classes)
    n = len(start) - 1
    counts = np.zeros((n, n_classes))
    owner = np.repeat(np.arange(n), np.diff(start))
    counts[owner, wide["leaf_class"]] = wide["leaf_weight"]
    scale = forest.about.get("class_scale")
    if scale is not None:
        counts *= np.asarray(scale, dtype=np.float64)
    total = counts.sum(axis=1)
    empty = total == 0
    counts[empty, wide["leaf_label"][empty]] = 1
    total[empty] = 1
    shares, place = np.unique(counts / total[:, None], axis=0, return_inverse=True)
    return tuple(map(tuple, shares.tolist())), place.ravel()
