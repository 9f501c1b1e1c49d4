"""Check what the C++ files include: upward only, spelled one way, and nothing that is not used.

`./dev lint` runs it. The order of the headers is that of the table in cpp/README.md.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CPP = Path(__file__).parent
ROOT = CPP.parent
HEADERS = CPP / "include" / "treewright"
INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)

# What each standard header is included for: names of std, as regular expressions. Others are not used here.
NAMES = r"""
algorithm: all_of any_of clamp copy copy_n count count_if equal fill fill_n find find_if generate
    is_sorted lower_bound max max_element min min_element minmax\w* nth_element none_of partition\w*
    remove_if reverse rotate sort stable_sort stable_partition transform unique upper_bound inplace_merge
    merge replace lexicographical_compare adjacent_find swap_ranges for_each equal_range binary_search
    push_heap pop_heap make_heap includes set_\w+ iter_swap ranges::\w+ copy_if copy_backward
    move_backward
array: array
atomic: atomic memory_order\w*
bit: bit_cast bit_width bit_ceil bit_floor countl?r?_(zero|one) popcount has_single_bit endian rotl rotr
chrono: chrono
cmath: abs ceil erfc? exp2? floor fma fmod frexp isfinite isinf isnan ldexp lgamma llrint llround log
    log1p log2 log10 lround modf nan nextafter pow rint round signbit scalbn sqrt trunc nearbyint fabs
    expm1 ilogb copysign fmax fmin hypot cbrt HUGE_VAL
compare: strong_ordering
concepts: same_as integral floating_point convertible_to invocable derived_from
condition_variable: condition_variable
cstddef: size_t ptrdiff_t byte nullptr_t max_align_t
cstdint: u?int(_fast|_least)?(8|16|32|64|ptr|max)_t
cstdio: printf
cstdlib: abs free malloc aligned_alloc getenv abort exit
cstring: mem\w+ str\w+
deque: deque
exception: exception exception_ptr current_exception rethrow_exception terminate
functional: function greater less hash plus ref cref invoke bind equal_to multiplies minus
iterator: back_inserter distance next prev iterator\w* begin end advance size ssize make_move_iterator
limits: numeric_limits
map: map multimap
memory: unique_ptr shared_ptr make_unique make_shared weak_ptr allocator\w* addressof destroy\w*
    uninitialized\w* construct_at assume_aligned
mutex: mutex lock_guard unique_lock scoped_lock once_flag call_once
new: align_val_t bad_alloc hardware_\w+ launder nothrow
numeric: accumulate iota gcd lcm reduce partial_sum inner_product midpoint exclusive_scan inclusive_scan
optional: optional nullopt
queue: queue priority_queue
ranges: views ranges
set: set multiset
span: span as_bytes
sstream: \w*stringstream
stdexcept: runtime_error invalid_argument out_of_range logic_error length_error domain_error
    overflow_error
string: string to_string stoi stod getline
string_view: string_view
system_error: system_error error_code errc
thread: thread jthread this_thread
tuple: tuple\w* tie make_tuple forward_as_tuple apply ignore get
type_traits: is_\w+ conditional\w* enable_if\w* decay\w* remove_\w+ true_type false_type integral_constant
    bool_constant void_t invoke_result\w* make_signed\w* make_unsigned\w* type_identity\w* common_type\w*
    underlying_type\w*
typeinfo: type_info bad_cast bad_typeid
unordered_map: unordered_map unordered_multimap
unordered_set: unordered_set unordered_multiset
utility: pair move swap exchange forward make_pair declval as_const in_place\w* index_sequence\w*
    make_index_sequence integer_sequence make_integer_sequence index_sequence_for piecewise_construct
    unreachable to_underlying cmp_\w+ get
variant: variant\w* visit monostate holds_alternative get_if in_place_\w+ get
vector: vector erase erase_if
"""
STANDARD = {
    header: re.compile(rf"\bstd::({'|'.join(names.split())})\b")
    for header, names in re.findall(r"^(\w+): ((?:.*\n(?=    ))*.*)", NAMES, re.MULTILINE)
}
BUILTIN = {"immintrin.h", "sys/mman.h"}

# A name that a header brings into the world: types, functions, constants, macros.
DEFINED = re.compile(
    r"^\s*#define (\w+)"
    r"|\b(?:struct|class|enum class|concept|namespace) (\w+)"
    r"|\busing (\w+) ="
    r"|\bconstexpr [\w:<>]+ (\w+)\b"
    r"|(?:^|[\s*&>])(\w+)\((?=[^;]*\)[^;{]*[;{])"
    r"|^\s+(\w+),?(?:  //.*)?$",
    re.MULTILINE,
)
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "operator", "static_assert"}
COMMON = KEYWORDS | {"treewright", "of", "add", "name"}


def code_of(path: Path) -> str:
    """Return a file without its comments."""
    return re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))


def includes(path: Path) -> list[str]:
    """Return what a file includes, as it is spelled."""
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def own_header(path: Path, name: str) -> Path | None:
    """Return the header of ours that an include means; None if it is none."""
    for folder in (path.parent, HEADERS.parent, ROOT / "bindings"):
        found = (folder / name).resolve()
        if found.is_file():
            return found
    return None


def defined(header: Path) -> set[str]:
    """Return the names that a header brings."""
    found = {name for match in DEFINED.findall(code_of(header)) for name in match if name}
    return {name for name in found - COMMON if len(name) > 1}


def unused(path: Path) -> list[str]:
    """Return what is wrong with the includes of a file: spelling, and what is not used."""
    text = code_of(path)
    body = INCLUDE.sub("", text)
    words = set(re.findall(r"\w+", body))
    problems = []
    for name in includes(path):
        own = own_header(path, name)
        if own is not None:
            if path.suffix == ".hpp" and path.is_relative_to(HEADERS) and name.startswith("treewright/"):
                problems.append(f"{name}: headers name each other by their path from here")
            is_own_part = path.suffix == ".cpp" and own.stem == path.stem
            if not is_own_part and not defined(own) & words and not is_table(own):
                problems.append(f"{name} is not used")
        elif name in STANDARD:
            if not STANDARD[name].search(body):
                problems.append(f"<{name}> is not used")
        elif name not in BUILTIN and not name.startswith("nanobind/"):
            problems.append(f"<{name}> is not in the list of {Path(__file__).name}")
    return problems


def is_table(header: Path) -> bool:
    """Does the header do nothing but include the rows of a table?"""
    return not defined(header)


def rows() -> dict[str, int]:
    """Return the row of the table in README.md that a header stands in; a folder counts for all in it."""
    page = (CPP / "README.md").read_text(encoding="utf-8")
    table = page[page.index("| file | what it is |") :].split("\n\n")[0].splitlines()[2:]
    found: dict[str, int] = {}
    for i, line in enumerate(table):
        for name in re.findall(r"`([\w/]+(?:\.hpp|/))`", line.split("|")[1]):
            found.setdefault(name, i)
    return found


def row_of(header: Path, table: dict[str, int]) -> int | None:
    """Return the row of a header, its own or its folder's."""
    name = header.relative_to(HEADERS).as_posix()
    return table.get(name, table.get(name.rsplit("/", 1)[0] + "/"))


def out_of_order() -> list[str]:
    """Return which headers include one that stands below them."""
    table = rows()
    problems = []
    for path in sorted(HEADERS.rglob("*.hpp")):
        own = row_of(path, table)
        if own is None:
            problems.append(f"{path.relative_to(ROOT)}: not in the table of cpp/README.md")
            continue
        for name in includes(path):
            header = own_header(path, name)
            if header is None or not header.is_relative_to(HEADERS):
                continue
            theirs = row_of(header, table)
            if theirs is not None and theirs > own:
                problems.append(
                    f"{path.relative_to(ROOT)}: includes {name}, which stands below it in cpp/README.md"
                )
    return problems


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    problems = out_of_order()
    for folder in (CPP, ROOT / "bindings"):
        for path in sorted([*folder.rglob("*.hpp"), *folder.rglob("*.cpp")]):
            problems += [f"{path.relative_to(ROOT)}: {problem}" for problem in unused(path)]
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
