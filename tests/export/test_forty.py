"""Forty models in every format that can be run here: the same answers as the model, or a reason why not."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.export.forty import feature_table, samples
from treewright.export import databases
from treewright.export.cells import hard_cells
from treewright.export.format import MissingToolError
from treewright.export.proof import Case, Verified, verify_cases

# What is run: a format and its options, and how many rows in the slow test.
RUNS: dict[str, tuple[str, dict[str, Any], int]] = {
    "duckdb": ("sql", {"dialect": "duckdb"}, 2000),
    "sqlite": ("sql", {"dialect": "sqlite"}, 2000),
    "onnx": ("onnx", {}, 2000),
    "treelite": ("treelite", {}, 2000),
    "sklearn": ("sklearn", {}, 2000),
    "html": ("html", {}, 2000),
}
# Those that start a program of their own, for minutes.
SLOW: dict[str, tuple[str, dict[str, Any], int]] = {
    "pmml": ("pmml", {}, 2000),
    "excel": ("excel", {}, 2000),
    "xlsx": ("xlsx", {}, 200),
    "clickhouse": ("sql", {"dialect": "clickhouse"}, 2000),
    "spark": ("sql", {"dialect": "spark"}, 500),
}
# Those with a server that the test starts, and those that are translated and then run by DuckDB.
SERVED = {name: ("sql", {"dialect": name}, 2000) for name in ("postgres", "mysql", "bigquery", "snowflake")}
SMALL = 60


def proofs(run: str, n_rows: int, names: list[str] | None = None) -> dict[str, Verified]:
    form, options, _ = {**RUNS, **SLOW, **SERVED}[run]
    chosen = {name: samples()[name] for name in names or samples()}
    cases = [Case(s.model, hard_cells(s.model, s.rows, n_rows), dict(options)) for s in chosen.values()]
    try:
        return dict(zip(chosen, verify_cases(form, cases), strict=True))
    except MissingToolError as reason:
        pytest.skip(str(reason))


def assert_the_same(found: dict[str, Verified], n_rows: int) -> None:
    assert {name: str(proof) for name, proof in found.items() if proof.different} == {}
    assert all(proof.rows == n_rows for proof in found.values() if proof.refused is None)
    assert all(proof.refused.endswith(".") for proof in found.values() if proof.refused is not None)
    assert any(proof.refused is None for proof in found.values())


@pytest.mark.parametrize("run", RUNS)
def test_some_rows(run: str) -> None:
    every_third = list(samples())[list(RUNS).index(run) % 3 :: 3]
    assert_the_same(proofs(run, SMALL, every_third), SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("run", [*RUNS, *SLOW])
def test_many_rows(run: str) -> None:
    n_rows = {**RUNS, **SLOW}[run][2]
    assert_the_same(proofs(run, n_rows), n_rows)


# ---- PostgreSQL, started for this --------------------------------------------------------------------


def _programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, which Debian keeps out of the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


def _as(user: str, what: str) -> list[str]:
    """Return the words before a command that a server's own user runs: servers refuse to run as root."""
    if os.geteuid() != 0:
        return []
    if shutil.which("runuser") is None:
        pytest.skip(f"{what} does not run as root, and there is no runuser.")
    return ["runuser", "-u", user, "--"]


@pytest.fixture
def postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server of its own that only a socket in a new folder reaches; it is gone afterwards."""
    programs = _programs()
    if programs is None:
        pytest.skip("There is no PostgreSQL (Debian: apt-get install postgresql).")
    as_user = _as("postgres", "PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="tw-pg-", ignore_cleanup_errors=True) as folder:
        if as_user:
            shutil.chown(folder, "postgres")
        data, socket, log = (
            f"{folder}/data",
            f"-c listen_addresses= -c unix_socket_directories={folder}",
            f"{folder}/log",
        )
        control = [*as_user, str(programs / "pg_ctl"), "-D", data, "-w", "-l", log]
        initdb = [*as_user, str(programs / "initdb"), "-D", data, "-U", "tw", "-A", "trust", "-E", "UTF8"]
        _quietly(initdb)
        _quietly([*control, "-o", f"{socket} -c fsync=off", "start"])
        for name, value in {"PGHOST": folder, "PGUSER": "tw", "PGDATABASE": "postgres"}.items():
            monkeypatch.setenv(name, value)
        try:
            yield
        finally:
            _quietly([*control, "-m", "immediate", "stop"])


def _quietly(command: list[str]) -> None:
    # No pipes: the server keeps those of the program that starts it.
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")


@pytest.mark.slow
def test_postgres(postgres: None) -> None:
    assert_the_same(proofs("postgres", 2000), 2000)


# ---- MySQL, by MariaDB started for this ----------------------------------------------------------------


@pytest.fixture
def mysql(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A MariaDB of its own that only a socket in a new folder reaches."""
    pytest.importorskip("pymysql", reason="PyMySQL is needed to ask a MySQL.")
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    server, prepare = (shutil.which(name, path=path) for name in ("mariadbd", "mariadb-install-db"))
    if server is None or prepare is None:
        pytest.skip("There is no MariaDB (Debian: apt-get install mariadb-server).")
    as_user = _as("mysql", "MariaDB")
    with tempfile.TemporaryDirectory(prefix="tw-my-", ignore_cleanup_errors=True) as folder:
        if as_user:
            shutil.chown(folder, "mysql")
        data, socket = f"--datadir={folder}/data", f"{folder}/socket"
        _quietly([*as_user, prepare, "--no-defaults", data, "--auth-root-authentication-method=normal"])
        options = ["--skip-networking", f"--socket={socket}", f"--pid-file={folder}/pid"]
        options += ["--max-allowed-packet=1G", "--innodb-flush-log-at-trx-commit=0"]
        command = [*as_user, server, "--no-defaults", data, *options]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        try:
            for _ in range(600):
                if Path(socket).exists():
                    break
                time.sleep(0.1)
            for name, value in {"MYSQL_UNIX_PORT": socket, "USER": "root"}.items():
                monkeypatch.setenv(name, value)
            yield
        finally:
            os.kill(int(Path(f"{folder}/pid").read_text()), signal.SIGTERM)
            running.wait(60)


@pytest.mark.slow
def test_mysql(mysql: None) -> None:
    assert_the_same(proofs("mysql", 2000), 2000)


# ---- warehouses that nobody can start: what is written is translated, and run by DuckDB ------------------


@pytest.fixture
def warehouse(monkeypatch: pytest.MonkeyPatch) -> None:
    """BigQuery's and Snowflake's SQL, read in their dialects by sqlglot and run by DuckDB."""
    sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is needed to read the dialect.")

    def run(dialect: str) -> Any:
        def work_on(work: Any) -> Any:
            def through(execute: Any) -> Any:
                read = {"read": dialect, "write": "duckdb"}
                return work(lambda sql: execute(sqlglot.transpile(sql, **read)[0]))

            return databases._RUNNING["duckdb"](through)

        return work_on

    for dialect in ("bigquery", "snowflake"):
        monkeypatch.setitem(databases._RUNNING, dialect, run(dialect))


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake"])
def test_some_rows_of_warehouses(warehouse: None, dialect: str) -> None:
    names = [
        "gaps surrogate",
        "unseen divide",
        "dates",
        "forest, numbers only",
        "logistic of two",
        "intervals",
    ]
    chosen = [name for name in samples() if name in names]
    assert_the_same(proofs(dialect, SMALL, chosen), SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["bigquery", "snowflake"])
def test_warehouses(warehouse: None, dialect: str) -> None:
    assert_the_same(proofs(dialect, 2000), 2000)


@pytest.mark.slow
def test_the_page_has_the_table_of_features() -> None:
    page = (Path(__file__).parents[2] / "docs/export.md").read_text(encoding="utf-8")
    assert feature_table() in page
