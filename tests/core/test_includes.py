"""What `./dev lint` says of includes of C++."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("includes", ROOT / "cpp" / "includes.py")
includes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(includes)


def test_what_is_not_used_is_named(tmp_path):
    file = tmp_path / "some.hpp"
    file.write_text(
        "#include <deque>\n#include <vector>\n#include <iostream>\n"
        '#include "treewright/frontier.hpp"\n#include "treewright/logs.hpp"\n'
        "// std::deque in a comment\nstd::vector<DepthFirst<int>> all;\n"
    )
    assert includes.unused(file) == [
        "<deque> is not used",
        "<iostream> is not in the list of includes.py",
        "treewright/logs.hpp is not used",
    ]


def test_every_header_has_its_row_and_none_looks_down():
    table = includes.rows()
    assert table["column.hpp"] < table["contest.hpp"] < table["grow.hpp"] < table["quick/"]
    assert includes.out_of_order() == []


def test_one_that_looks_down_is_named(monkeypatch):
    table = includes.rows() | {"stats.hpp": 99}
    monkeypatch.setattr(includes, "rows", lambda: table)
    assert (
        "cpp/include/treewright/contest.hpp: includes stats.hpp, which stands below it in cpp/README.md"
        in includes.out_of_order()
    )
