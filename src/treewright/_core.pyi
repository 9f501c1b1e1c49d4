"""The compiled core: columns, growth, routing. Private; use the rooms above it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class Column:
    cost: float
    direction: int
    @staticmethod
    def of_numbers(values: NDArray[np.floating[Any]], rank: int) -> Column: ...
    @staticmethod
    def of_codes(codes: NDArray[np.int32], n_codes: int, form: str, rank: int) -> Column: ...

class Settings:
    """Everything growth may be told: the rows of cpp/include/treewright/settings.hpp."""

    missing: str
    cost_form: str
    search: str
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class Router:
    def __init__(self, tree: dict[str, Any], gap: str, unseen: str) -> None: ...
    def route(
        self,
        columns: list[NDArray[Any]] | NDArray[Any],
        n_rows: int,
        n_threads: int = 1,
        row_by_row: bool = False,
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...

class ClassGrower:
    def __init__(
        self,
        columns: list[Column],
        label: NDArray[np.int32],
        n_classes: int,
        weight: NDArray[np.int64],
        criterion: str,
        settings: Settings,
        outside: Callable[[Any, int], NDArray[np.float64]] | None,
        progress: Callable[[float], object] | None,
    ) -> None: ...
    def grow(self, first: int, n_trees: int, n_draws: int) -> dict[str, Any]: ...

class NumberGrower:
    def __init__(
        self,
        columns: list[Column],
        value: NDArray[np.int64],
        coarse_shift: int,
        weight: NDArray[np.int64],
        criterion: str,
        settings: Settings,
        outside: Callable[[Any, int], NDArray[np.float64]] | None,
        progress: Callable[[float], object] | None,
    ) -> None: ...
    def grow(self, first: int, n_trees: int, n_draws: int) -> dict[str, Any]: ...

class ForestWalker:
    def __init__(
        self, trees: dict[str, Any], gap: str, unseen: str, n_classes: int, is_single: bool = False
    ) -> None: ...
    def vote(
        self,
        columns: list[NDArray[Any]] | NDArray[Any],
        n_rows: int,
        n_threads: int,
        is_majority: bool,
        is_out: NDArray[np.uint8],
        sum: NDArray[np.float64],  # noqa: A002
        n_votes: NDArray[np.int32],
    ) -> tuple[int, int, int]: ...
    def leaves(
        self,
        columns: list[NDArray[Any]] | NDArray[Any],
        n_rows: int,
        n_threads: int,
        node: NDArray[np.int32],
    ) -> tuple[int, int, int]: ...

def bootstrap(seed: int, tree: int, n_rows: int, n_draws: int) -> NDArray[np.int32]: ...
def rank_values(values: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def neighbours(
    columns: list[Column], cuts: list[NDArray[np.float64]]
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]: ...
def grow_classes(
    columns: list[Column],
    label: NDArray[np.int32],
    n_classes: int,
    weight: NDArray[np.int64],
    criterion: str,
    settings: Settings,
    outside: Callable[[Any, int], NDArray[np.float64]] | None,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def grow_numbers(
    columns: list[Column],
    value: NDArray[np.int64],
    coarse_shift: int,
    weight: NDArray[np.int64],
    criterion: str,
    settings: Settings,
    outside: Callable[[Any, int], NDArray[np.float64]] | None,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def surrogate_arrays(of_node: list[list[Surrogate]]) -> dict[str, Any]: ...
def every_surrogate(
    tree: dict[str, Any],
    columns: list[Column],
    weight: NDArray[np.int64],
    settings: Settings,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def needed_surrogates(
    tree: dict[str, Any],
    columns: list[Column],
    weight: NDArray[np.int64],
    settings: Settings,
    visitors: list[Column],
    is_unseen_missing: bool,
    progress: Callable[[float], object] | None,
) -> dict[str, Any] | None: ...
def criteria() -> list[dict[str, Any]]: ...
def draw(seed: int, tree: int, path: int, item: int) -> int: ...
def draws(seed: int, tree: int, path: int, n_items: int) -> NDArray[np.uint64]: ...
def draws_each(seed: int, paths: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.uint64]: ...
def chi_square_tail(x: float, dof: float) -> float: ...
def fisher_p_value(a: float, b: float, c: float, d: float) -> float: ...
def link_prices(end: NDArray[np.int32], risk: NDArray[np.float64]) -> NDArray[np.float64]: ...
def extra_errors(
    n: NDArray[np.float64], errors: NDArray[np.float64], confidence: float, z: float, certain: float
) -> NDArray[np.float64]: ...
def error_based(
    router: Router,
    columns: list[NDArray[Any]],
    label: NDArray[np.int32],
    weight: NDArray[np.float64],
    n_classes: int,
    node_label: NDArray[np.int32],
    confidence: float,
    z: float,
    certain: float,
    slack: float,
    raises: bool,
    class_scale: list[float],
    costs: list[float],
) -> dict[str, Any]: ...

class Offer:
    @property
    def verdict(self) -> int: ...
    @property
    def is_possible(self) -> bool: ...
    @property
    def score(self) -> float: ...
    @property
    def gain(self) -> float: ...
    @property
    def split_info(self) -> float: ...
    @property
    def charge(self) -> float: ...
    @property
    def p_value(self) -> float: ...
    @property
    def value(self) -> float: ...
    @property
    def tie(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def kind(self) -> int: ...
    @property
    def cut(self) -> float: ...
    @property
    def n_branches(self) -> int: ...
    @property
    def missing(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def place(self) -> int: ...
    @property
    def codes(self) -> NDArray[np.int32]: ...
    @property
    def branches(self) -> NDArray[np.int32]: ...
    def with_cut(self, cut: float) -> Offer: ...
    def with_missing(self, missing: int) -> Offer: ...

class Node:
    @property
    def depth(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def weight(self) -> float: ...
    @property
    def rows(self) -> NDArray[np.int32]: ...
    @property
    def weights(self) -> NDArray[np.int64]: ...

class Growth:
    @staticmethod
    def of_classes(
        columns: list[Column],
        label: NDArray[np.int32],
        n_classes: int,
        weight: NDArray[np.int64],
        criterion: str,
        settings: Settings,
        outside: Callable[[Any, int], NDArray[np.float64]] | None,
    ) -> Growth: ...
    @staticmethod
    def of_numbers(
        columns: list[Column],
        value: NDArray[np.int64],
        coarse_shift: int,
        weight: NDArray[np.int64],
        criterion: str,
        settings: Settings,
        outside: Callable[[Any, int], NDArray[np.float64]] | None,
    ) -> Growth: ...
    def open(self, rows: NDArray[np.int32], weight: NDArray[np.int64], depth: int = 0) -> Node: ...
    def open_figures(
        self,
        figures: NDArray[np.int64],
        least: int = 0,
        greatest: int = 0,
        squares: float = 0.0,
        depth: int = 0,
        used: list[int] = ...,
    ) -> Node: ...
    def squares_about(self, figures: NDArray[np.int64], least: int, greatest: int) -> tuple[int, int]: ...
    def is_finished(self, node: Node) -> bool: ...
    def search(self, node: Node, more: list[Column] = ...) -> list[Offer]: ...
    def search_figures(
        self,
        node: Node,
        column: int,
        figures: NDArray[np.int64],
        gaps: NDArray[np.int64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> Offer: ...
    def bounds(
        self,
        node: Node,
        figures: NDArray[np.int64],
        gaps: NDArray[np.int64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        least: NDArray[np.int64],
        greatest: NDArray[np.int64],
    ) -> NDArray[np.float64]: ...
    def search_many(
        self,
        nodes: list[Node],
        node: NDArray[np.int32],
        column: NDArray[np.int32],
        size: NDArray[np.int64],
        figures: NDArray[np.int64],
        gaps: NDArray[np.int64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> list[Offer]: ...
    def bounds_many(
        self,
        nodes: list[Node],
        node: NDArray[np.int32],
        column: NDArray[np.int32],
        size: NDArray[np.int64],
        figures: NDArray[np.int64],
        gaps: NDArray[np.int64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        least: NDArray[np.int64],
        greatest: NDArray[np.int64],
    ) -> NDArray[np.float64]: ...
    def surrogate(
        self,
        column: int,
        figures: NDArray[np.int64],
        gaps: NDArray[np.int64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> Surrogate | None: ...
    def ranked(self, found: list[Surrogate]) -> list[Surrogate]: ...
    def decide(
        self,
        node: Node,
        offers: list[Offer],
        root: Node | None = None,
        more: list[Column] = ...,
        room: int = ...,
    ) -> tuple[list[Offer], int | None]: ...
    def apply(self, node: Node, offer: Offer, more: Column | None = None) -> tuple[list[Node], int, int]: ...
    def judged(
        self, node: Node, column: int, place: int, left: list[int] | None, missing: int, n_branches: int
    ) -> Offer: ...
    @staticmethod
    def instead(offers: list[Offer], taken: Offer) -> list[Offer]: ...
    def placed(self, node: Node, offer: Offer, known: list[int], gaps: int) -> tuple[int, int]: ...
    def used_below(self, node: Node, offer: Offer) -> list[int]: ...
    def add(self, node: Node, parent: int = -1) -> int: ...
    def keep_offers(self, place: int, offers: list[Offer]) -> None: ...
    def split(
        self,
        place: int,
        offer: Offer,
        missing: int,
        largest: int,
        first: int,
        surrogates: list[Surrogate] = ...,
    ) -> None: ...
    def make_leaf(self, place: int) -> None: ...
    def tree(self) -> dict[str, Any]: ...

class Surrogate:
    @property
    def column(self) -> int: ...
    @property
    def cut(self) -> float: ...
    @property
    def is_cut(self) -> bool: ...
    @property
    def place(self) -> int: ...
    @property
    def codes(self) -> NDArray[np.int32]: ...
    @property
    def branches(self) -> NDArray[np.int32]: ...
    @property
    def is_flipped(self) -> bool: ...
    @property
    def agreement(self) -> float: ...
    def with_cut(self, cut: float) -> Surrogate: ...

def midpoint(below: float, above: float) -> float: ...

class Part:
    @staticmethod
    def of_classes(
        columns: list[Column], label: NDArray[np.int32], n_classes: int, weight: NDArray[np.int64]
    ) -> Part: ...
    @staticmethod
    def of_numbers(
        columns: list[Column], value: NDArray[np.int64], coarse_shift: int, weight: NDArray[np.int64]
    ) -> Part: ...
    def start(self, weight: NDArray[np.int64]) -> None: ...
    def pieces(self, node: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def count(self, asks: Sequence[Any]) -> tuple[NDArray[Any], ...]: ...
    def look(self, asks: Sequence[Any]) -> tuple[NDArray[Any], ...]: ...
    def squares(self, node: int, centre: int, shift: int) -> int: ...
    def present(self, node: int, column: int) -> NDArray[np.uint64]: ...
    def largest_at_most(self, column: int, x: float) -> float: ...
    def apply(self, moves: Sequence[Any]) -> None: ...
    def tally(self, moves: Sequence[Any], n_nodes: int) -> NDArray[np.int64]: ...

class SpoolBlock:
    """Some rows from a disk: cpp/include/treewright/spool.hpp."""

    def __init__(self, n_columns: int, target: NDArray[Any]) -> None: ...
    def put(
        self, column: int, values: NDArray[Any] | None, cells: NDArray[np.uint8] | None, is_cut: bool
    ) -> None: ...

class SpoolRows:
    def __init__(
        self, node: NDArray[np.int32], weight: NDArray[np.int64] | None, row: NDArray[np.int32] | None
    ) -> None: ...
    def divide(self, block: SpoolBlock, moves: Sequence[Any], n_columns: int) -> None: ...
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int64] | None, NDArray[np.int32] | None]: ...

class SpoolPass:
    @staticmethod
    def count(asks: Sequence[tuple[Any, bool, bool]], n_classes: int, n_columns: int) -> SpoolPass: ...
    @staticmethod
    def look(asks: Sequence[tuple[Any, NDArray[np.uint8]]], n_classes: int, n_columns: int) -> SpoolPass: ...
    def add(self, block: SpoolBlock, rows: SpoolRows) -> None: ...
    def merge(self, other: SpoolPass) -> None: ...
    def found(self) -> tuple[NDArray[Any], ...]: ...

class SpoolSquares:
    def __init__(self, asks: list[tuple[int, int, int]]) -> None: ...
    def add(self, block: SpoolBlock, rows: SpoolRows) -> None: ...
    def merge(self, other: SpoolSquares) -> None: ...
    def found(self) -> list[int]: ...

def spool_cells(
    values: NDArray[Any],
    edges: NDArray[np.float64],
    cells: NDArray[np.uint8],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None: ...

class OptimalSolver:
    """The best tree of a depth for some rows: cpp/include/treewright/optimal/solver.hpp."""

    def __init__(
        self,
        columns: list[tuple[str, NDArray[np.int32], int, list[list[int]], bool]],
        gaps: str,
        loss: str,
        label: NDArray[np.int32],
        n_classes: int,
        cost: NDArray[np.float64],
        value: NDArray[np.float64],
        weight: NDArray[np.float64],
        leaf_price: float,
        cache_bytes: int,
        most_solved: int,
        keeps_twins: bool,
        min_leaf: int,
        min_split: int,
        mass: NDArray[np.float64],
        mass_step: float,
        least_mass: float,
        split_mass: float,
    ) -> None: ...
    def leaf(self, rows: NDArray[np.int32]) -> float: ...
    def set_leaf_price(self, price: float) -> None: ...
    def best(
        self,
        rows: NDArray[np.int32],
        depth: int,
        leaves: int,
        upper: float,
        watch: Callable[[float, float, int], bool] | None,
    ) -> dict[str, Any]: ...
    def best_by(
        self,
        column: int,
        rows: NDArray[np.int32],
        depth: int,
        leaves: int,
        upper: float,
        watch: Callable[[float, float, int], bool] | None,
    ) -> dict[str, Any]: ...
    def several(
        self,
        rows: NDArray[np.int32],
        depth: int,
        leaves: int,
        limit: float,
        most: int,
        memory: int,
        watch: Callable[[float, float, int], bool] | None,
    ) -> dict[str, Any]: ...
