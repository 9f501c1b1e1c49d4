"""What travels between a driver and its workers, as bytes: few of them, and the same for the same content.

Cells are most of it. Empty ones are left out, numbers take as few bytes as the largest of them needs, keys
are differences to the key before, and what follows from the figures is not sent.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.sourced.source import NO_CODES, Ask, Cells, Ints, Keys, Move, Stretches

LOW, HIGH = np.uint64(2**64 - 1), np.uint64(0)  # of an empty cell: the least is above the greatest
LEAST, GREATEST = np.int64(2**63 - 1), np.int64(-(2**63))


def pack(value: Any) -> bytes:
    """Return a value as bytes.

    >>> unpack(pack({"count": [1, 2]}))
    {'count': [1, 2]}
    """
    return zlib.compress(pickle.dumps(value, protocol=5), 1)


def unpack(data: bytes) -> Any:
    """Return the value that bytes hold."""
    return pickle.loads(zlib.decompress(data))


# ---- numbers -------------------------------------------------------------------------------------------


def pack_ints(values: NDArray[Any]) -> tuple[Any, ...]:
    r"""Return whole numbers in as few bytes each as the largest of them needs, the like bytes together.

    >>> kind, shape, data = pack_ints(np.array([[1, 300]]))
    >>> kind, shape, data
    ('uint16', (1, 2), b'\x01,\x00\x01')
    >>> unpack_ints((kind, shape, data), np.int64)
    array([[  1, 300]])
    """
    if values.size:
        ends = np.min_scalar_type(values.min()), np.min_scalar_type(values.max())
        kind = np.promote_types(*ends)
        if kind.kind not in "iu":  # int64 and uint64 have no common whole kind; there are none such
            kind = values.dtype
    else:
        kind = np.dtype(np.uint8)
    flat = np.ascontiguousarray(values.astype(kind)).reshape(-1)
    planes = flat.view(np.uint8).reshape(-1, kind.itemsize).T
    return kind.name, values.shape, planes.tobytes()


def unpack_ints(packed: tuple[Any, ...], wanted: Any) -> NDArray[Any]:
    """Return whole numbers as they were before they were packed, in the kind that is wanted."""
    name, shape, data = packed
    kind = np.dtype(name)
    planes = np.frombuffer(data, dtype=np.uint8).reshape(kind.itemsize, -1)
    flat: NDArray[Any] = np.ascontiguousarray(planes.T).reshape(-1).view(kind)
    return flat.astype(wanted).reshape(shape)


# ---- cells ---------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """The cells of several asks one after the other, and how many each ask has."""

    sizes: Ints
    cells: Cells


def block_of(answers: Sequence[Cells], width: int) -> Block:
    """Return the cells of several asks as one block; `width` is that of their figures."""
    sizes = np.array([len(cells.low) for cells in answers], dtype=np.int64)
    if not len(answers):
        none = np.zeros(0, dtype=np.int64)
        keys = np.zeros(0, dtype=np.uint64)
        return Block(sizes, Cells(np.zeros((0, width), dtype=np.int64), keys, keys, none, none))
    return Block(sizes, Cells(*(np.concatenate(parts) for parts in zip(*answers, strict=True))))


def cells_of(block: Block) -> list[Cells]:
    """Return the cells of each ask."""
    ends = np.concatenate([[0], np.cumsum(block.sizes)]).tolist()
    return [block.cells.take(slice(a, b)) for a, b in pairwise(ends)]


def pack_block(block: Block) -> tuple[Any, ...]:
    """Return a block in few bytes."""
    cells = block.cells
    full = cells.figures[:, 0] > 0
    figures, low, high, least, greatest = cells.take(full)
    keys = np.stack([low, high], axis=1).reshape(-1)
    steps = np.diff(keys, prepend=np.uint64(0))  # modulo 2**64
    rows = figures[:, 1:].sum(axis=1)
    by_classes = _ends_of_classes(figures)
    is_plain = np.array_equal(rows, figures[:, 0])  # every row weighs 1
    has_classes = all(map(np.array_equal, by_classes, (least, greatest)))
    return (
        pack_ints(block.sizes),
        np.packbits(full).tobytes(),
        pack_ints(figures[:, int(is_plain) :]),
        is_plain,
        pack_ints(steps),
        None if has_classes else (pack_ints(least), pack_ints(greatest)),
    )


def unpack_block(packed: tuple[Any, ...]) -> Block:
    """Return the block that was packed."""
    counts, bits, packed_figures, is_plain, steps, targets = packed
    sizes = unpack_ints(counts, np.int64)
    n = int(sizes.sum())
    full = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=n).astype(bool)
    figures = unpack_ints(packed_figures, np.int64)
    if is_plain:
        figures = np.concatenate([figures.sum(axis=1, keepdims=True), figures], axis=1)
    keys = np.cumsum(unpack_ints(steps, np.uint64), dtype=np.uint64).reshape(-1, 2)
    ends = (
        _ends_of_classes(figures)
        if targets is None
        else tuple(unpack_ints(part, np.int64) for part in targets)
    )
    cells = Cells(
        np.zeros((n, figures.shape[1]), dtype=np.int64),
        np.full(n, LOW),
        np.full(n, HIGH),
        np.full(n, LEAST),
        np.full(n, GREATEST),
    )
    for whole, part in zip(cells, (figures, keys[:, 0], keys[:, 1], *ends), strict=True):
        whole[full] = part
    return Block(sizes, cells)


def _ends_of_classes(figures: Ints) -> tuple[Ints, Ints]:
    """Return the least and greatest class that has weight in each cell."""
    has = figures[:, 1:] > 0
    least = has.argmax(axis=1).astype(np.int64)
    return least, (has.shape[1] - 1 - has[:, ::-1].argmax(axis=1)).astype(np.int64)


def add_blocks(blocks: Sequence[Block]) -> Block:
    """Return what lies in the same cells of several parts together."""
    cells = [block.cells for block in blocks]
    return Block(
        blocks[0].sizes,
        Cells(
            np.sum([part.figures for part in cells], axis=0, dtype=np.int64),
            np.min([part.low for part in cells], axis=0),
            np.max([part.high for part in cells], axis=0),
            np.min([part.least for part in cells], axis=0),
            np.max([part.greatest for part in cells], axis=0),
        ),
    )


def join_blocks(blocks: Sequence[Block]) -> Block:
    """Return a cell for each value that one of several parts has, ask by ask, ascending."""
    n_asks = len(blocks[0].sizes)
    ask = np.concatenate([np.repeat(np.arange(n_asks), block.sizes) for block in blocks])
    cells = Cells(*(np.concatenate(parts) for parts in zip(*(b.cells for b in blocks), strict=True)))
    if not len(ask):
        return blocks[0]
    order = np.lexsort((cells.low, ask))
    ask, cells = ask[order], cells.take(order)
    is_first = np.concatenate([[True], (ask[1:] != ask[:-1]) | (cells.low[1:] != cells.low[:-1])])
    start = np.flatnonzero(is_first)
    merged = Cells(
        np.add.reduceat(cells.figures, start, axis=0),
        cells.low[start],
        cells.high[start],
        np.minimum.reduceat(cells.least, start),
        np.maximum.reduceat(cells.greatest, start),
    )
    return Block(np.bincount(ask[start], minlength=n_asks).astype(np.int64), merged)


# ---- asks ----------------------------------------------------------------------------------------------


def pack_asks(asks: Sequence[Ask]) -> tuple[Any, ...]:
    """Return asks in few bytes: edges that several nodes share are sent once."""
    place: dict[int, int] = {}
    edges: list[Keys] = []
    which = np.zeros(len(asks), dtype=np.int64)
    for i, ask in enumerate(asks):
        if id(ask.edges) not in place:
            place[id(ask.edges)] = len(edges)
            edges.append(ask.edges)
        which[i] = place[id(ask.edges)]
    nodes = np.array([ask.node for ask in asks], dtype=np.int64)
    columns = np.array([ask.column for ask in asks], dtype=np.int64)
    return pack_ints(nodes), pack_ints(columns), pack_ints(which), _pack_keys(edges), _rest(asks, 3, 4)


def unpack_asks(packed: tuple[Any, ...]) -> list[Ask]:
    """Return the asks that were packed.

    >>> edges = np.array([4, 9], dtype=np.uint64)
    >>> [ask.edges.tolist() for ask in unpack_asks(pack_asks([Ask(0, 1, edges), Ask(7, 1, edges)]))]
    [[4, 9], [4, 9]]
    """
    nodes, columns, which = (unpack_ints(part, np.int64).tolist() for part in packed[:3])
    edges, rest = _unpack_keys(packed[3]), packed[4] or [()] * len(nodes)
    return [
        Ask(node, column, edges[k], *more)
        for node, column, k, more in zip(nodes, columns, which, rest, strict=True)
    ]


def pack_stretches(asks: Sequence[Stretches]) -> tuple[Any, ...]:
    """Return asks to look at stretches in few bytes."""
    nodes = np.array([ask.node for ask in asks], dtype=np.int64)
    columns = np.array([ask.column for ask in asks], dtype=np.int64)
    both = [np.stack([ask.first, ask.last], axis=1).reshape(-1) for ask in asks]
    return pack_ints(nodes), pack_ints(columns), _pack_keys(both), _rest(asks, 4, 5)


def unpack_stretches(packed: tuple[Any, ...]) -> list[Stretches]:
    """Return the asks that were packed."""
    nodes, columns = (unpack_ints(part, np.int64).tolist() for part in packed[:2])
    both = (np.ascontiguousarray(keys.reshape(-1, 2).T) for keys in _unpack_keys(packed[2]))
    rest = packed[3] or [()] * len(nodes)
    return [
        Stretches(node, column, *pair, *more)
        for node, column, pair, more in zip(nodes, columns, both, rest, strict=True)
    ]


def _rest(
    values: Sequence[tuple[Any, ...]], n_known: int, end: int | None = None
) -> list[tuple[Any, ...]] | None:
    """Return the fields of values after those that are packed, to an end; None where they all are empty."""
    rest = [tuple(value)[n_known:end] for value in values]
    return rest if any(part is not None and len(part) for more in rest for part in more) else None


def _pack_keys(lists: Sequence[Keys]) -> tuple[Any, ...]:
    sizes = np.array([len(keys) for keys in lists], dtype=np.int64)
    keys = np.concatenate(lists) if lists else np.zeros(0, dtype=np.uint64)
    return pack_ints(sizes), pack_ints(np.diff(keys, prepend=np.uint64(0)))


def _unpack_keys(packed: tuple[Any, ...]) -> list[Keys]:
    ends = np.concatenate([[0], np.cumsum(unpack_ints(packed[0], np.int64))]).tolist()
    keys = np.cumsum(unpack_ints(packed[1], np.uint64), dtype=np.uint64)
    return [keys[a:b] for a, b in pairwise(ends)]


# ---- moves ---------------------------------------------------------------------------------------------


def pack_moves(moves: Sequence[Move]) -> tuple[Any, ...]:
    """Return moves in few bytes, some two dozen each."""
    small = np.array([[m.node, m.column, m.n_branches, m.missing, m.first] for m in moves], dtype=np.int64)
    cuts = np.array([move.cut for move in moves], dtype=np.float64)
    sizes = np.array([len(move.codes) for move in moves], dtype=np.int64)
    codes = np.concatenate([NO_CODES, *(move.codes for move in moves)])
    branches = np.concatenate([NO_CODES, *(move.branches for move in moves)])
    packed = (pack_ints(part) for part in (small.reshape(-1, 5).T, sizes, codes, branches))
    return (cuts.tobytes(), *packed, _rest(moves, 8))


def unpack_moves(packed: tuple[Any, ...]) -> list[Move]:
    """Return the moves that were packed.

    >>> move = Move(0, 2, 0.5, NO_CODES, NO_CODES, 2, -1, 1)
    >>> unpack_moves(pack_moves([move]))[0][:3]
    (0, 2, 0.5)
    """
    cuts = np.frombuffer(packed[0], dtype=np.float64).tolist()
    small, sizes = (unpack_ints(part, np.int64) for part in packed[1:3])
    codes, branches = (unpack_ints(part, np.int32) for part in packed[3:5])
    ends = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    rest = packed[5] or [()] * len(cuts)
    return [
        Move(node, column, cut, codes[a:b], branches[a:b], n_branches, missing, first, *more)
        for (node, column, n_branches, missing, first), cut, (a, b), more in zip(
            small.T.tolist(), cuts, pairwise(ends), rest, strict=True
        )
    ]
