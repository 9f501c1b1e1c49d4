"""The service on a port: it starts, answers, hangs up on who is too slow, and stops when it is told to."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import treewright as tw
from tests.cli.running import refused
from tests.serve.asking import over_port
from treewright.serve import Limits, serve


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("served") / "tennis.treewright"
    tw.grow(tw.example("tennis"), "PlayTennis", "id3").save(place)
    return place


def test_a_service_imports_no_scikit_learn_and_no_pandas(model: Path) -> None:
    code = (
        "import sys, treewright as tw; from treewright.serve import application\n"
        f"application(tw.load({str(model)!r}))\n"
        "print(*{'sklearn', 'pandas', 'pyarrow', 'scipy'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def started(*words: object, **environment: str) -> tuple[subprocess.Popen[str], int]:
    program = subprocess.Popen(
        [sys.executable, "-m", "treewright", "serve", *map(str, words), "--port", "0", "--json"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = [program.stdout.readline() for _ in range(4)]
    return program, int(json.loads("".join(lines))["address"].rpartition(":")[2])


def post(row: object, *more: str) -> bytes:
    body = json.dumps(row).encode()
    head = [
        "POST /predict HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*head, "Connection: close", *more, "", ""]).encode() + body


ROW = {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}


def test_from_the_first_line_to_the_last(model: Path) -> None:
    program, port = started(model)
    try:
        assert b'{"prediction": "No", ' in over_port(port, post(ROW))
        assert b"421" in over_port(port, post(ROW).replace(b"localhost", b"elsewhere")).splitlines()[0]
        assert b"400" in over_port(port, b"nonsense\r\n\r\n").splitlines()[0]
    finally:
        program.send_signal(signal.SIGTERM)
        said = program.communicate(timeout=30)[1]
    assert program.returncode == 0, said
    assert "Stopped after 2 requests." in said
    assert "Traceback" not in said


def test_ctrl_c_waits_for_who_is_being_answered(model: Path) -> None:
    program, port = started(model)
    whole = post(ROW)
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
            line.sendall(whole[:-10])
            time.sleep(0.2)
            program.send_signal(signal.SIGINT)
            time.sleep(0.2)
            line.sendall(whole[-10:])
            assert line.recv(65536).startswith(b"HTTP/1.1 200")
    finally:
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=30)[1]
    assert program.returncode == 0, said
    assert "Stopped after 1 requests." in said


def test_another_host_needs_a_token(model: Path, tmp_path: Path) -> None:
    assert "a token is needed" in refused("serve", model, "--host", "0.0.0.0")
    (tmp_path / "token").write_text("short\n")
    assert "16 or more" in refused("serve", model, "--token-file", tmp_path / "token")
    (tmp_path / "token").write_text("\n")
    assert "first line is empty" in refused("serve", model, "--token-file", tmp_path / "token")
    assert "No such file" in refused("serve", model, "--token-file", tmp_path / "none")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "Choose another port" in refused("serve", model, "--port", taken.getsockname()[1])
    assert "99999" in refused("serve", model, "--port", "99999")
    program, port = started(model, TREEWRIGHT_TOKEN="0123456789abcdef")
    try:
        assert b"401" in over_port(port, post(ROW)).splitlines()[0]
        assert b"200" in over_port(port, post(ROW, "Authorization: Bearer 0123456789abcdef")).splitlines()[0]
    finally:
        program.terminate()
        program.communicate(timeout=30)


def test_slow_clients_and_those_that_go_away_do_not_keep_it(model: Path) -> None:
    """In a thread of this process, with little patience."""
    place: list[str] = []
    limits = Limits(seconds=0.3, n_connections=20)
    listening = threading.Event()

    def ready(address: str) -> None:
        place.append(address)
        listening.set()

    thread = threading.Thread(
        target=serve,
        args=(tw.load(model), "127.0.0.1", 0),
        kwargs={"limits": limits, "ready": ready},
        daemon=True,
    )
    thread.start()
    assert listening.wait(30)
    port = int(place[0].rpartition(":")[2])
    assert over_port(port, b"") == b""  # says nothing: the line is cut
    assert over_port(port, b"POST /predict HTT") == b""  # half a head
    whole = post(ROW)
    assert b" 408 " in over_port(port, whole[:-5]).splitlines()[0]  # half a body
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(whole[:-5])  # and gone
    assert (
        b" 413 "
        in over_port(port, post(ROW).replace(b"Content-Length: ", b"Content-Length: 9999999")).splitlines()[0]
    )
    crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(25)]
    assert b" 503 " in over_port(port, whole).splitlines()[0]
    for line in crowd:
        line.close()
    end = time.monotonic() + 20
    while b" 200 " not in (said := over_port(port, whole).splitlines()[0]):
        assert time.monotonic() < end, said
