"""The script `dev`, without building: its texts, and what it does on a machine that lacks something."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ["sh", "dirname", "cat", "env", "id", "mkdir", "rm", "tail", "find"]


def run(*arguments, dev=ROOT / "dev", **kwargs):
    return subprocess.run(["sh", str(dev), *arguments], capture_output=True, text=True, timeout=60, **kwargs)


def test_the_script_is_valid_shell_and_may_be_executed():
    assert subprocess.run(["sh", "-n", str(ROOT / "dev")], check=False).returncode == 0
    assert os.access(ROOT / "dev", os.X_OK)
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"]])
def test_help_names_every_command(arguments, tmp_path):
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 0
    for command in [
        "demo",
        "test",
        "browser",
        "lint",
        "format",
        "bench",
        "docs",
        "sanitize",
        "fuzz",
        "torture",
        "licences",
        "python",
        "clean",
    ]:
        assert f"\n  {command} " in result.stdout


def test_an_unknown_command_is_answered_with_the_known_ones():
    result = run("tset")
    assert result.returncode == 2
    assert "there is no command 'tset'" in result.stderr
    assert "test [--all]" in result.stderr
    assert result.stdout == ""


def test_the_readme_starts_with_the_two_commands_and_ci_runs_the_two_checks():
    readme = (ROOT / "README.md").read_text()
    assert -1 < readme.find("./dev demo") < readme.find("./dev test") < readme.find("import treewright")
    ci = (ROOT / ".ci" / "run").read_text()
    assert "./dev lint" in ci
    assert "./dev test" in ci
    assert "./dev fuzz --minutes 1" in ci
    assert "./dev torture" in ci


class Machine:
    """A folder as PATH, with a few true tools and whatever a test puts there."""

    def __init__(self, folder):
        self.path = folder / "bin"
        self.project = folder / "a project"
        self.path.mkdir()
        self.project.mkdir()
        shutil.copy(ROOT / "dev", self.project)
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool))

    def put(self, name, script):
        (self.path / name).unlink(missing_ok=True)
        (self.path / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.path / name).chmod(0o755)

    def python_without(self, *words):
        checks = "".join(f'case "$*" in *{word}*) exit 1 ;; esac\n' for word in words)
        self.put("python3", f'{checks}exec "{sys.executable}" "$@"')

    def demo(self):
        return run("demo", dev=self.project / "dev", env={"PATH": str(self.path)}, cwd="/")


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_what_is_missing_is_said_in_one_apt_line_when_it_may_not_be_installed(machine):
    machine.python_without("ensurepip", "Python.h")
    machine.put("apt-get", "exit 99")
    machine.put("id", "echo 1000")
    result = machine.demo()
    assert result.returncode == 1
    assert "  sudo apt-get install -y python3-venv python3-dev g++\n" in result.stderr
    assert result.stderr.count("apt-get") == 1


def test_only_what_is_missing_is_named(machine):
    machine.python_without("Python.h")
    machine.put("g++", "exit 0")
    machine.put("apt-get", "exit 99")
    machine.put("id", "echo 1000")
    assert "  sudo apt-get install -y python3-dev\n" in machine.demo().stderr


def test_a_machine_without_python(machine):
    machine.put("apt-get", "exit 99")
    machine.put("id", "echo 1000")
    result = machine.demo()
    assert result.returncode == 1
    assert "  sudo apt-get install -y python3 python3-venv python3-dev g++\n" in result.stderr


def test_root_installs_what_is_missing(machine, tmp_path):
    machine.python_without("Python.h")
    machine.put("g++", "exit 0")
    machine.put("id", "echo 0")
    machine.put("apt-get", f'echo "$@" >>"{tmp_path}/calls"')
    result = machine.demo()
    assert (tmp_path / "calls").read_text() == "update -qq\ninstall -y -qq python3-dev\n"
    assert result.returncode == 1
    assert "still missing after the installation: python3-dev" in result.stderr


def test_a_failed_installation_shows_its_output_and_the_line(machine):
    machine.python_without("Python.h")
    machine.put("g++", "exit 0")
    machine.put("id", "echo 0")
    machine.put("apt-get", "echo no such mirror; exit 100")
    result = machine.demo()
    assert result.returncode == 1
    assert "no such mirror" in result.stderr
    assert "  apt-get install -y python3-dev\n" in result.stderr


def test_a_system_without_apt_is_told_what_is_missing(machine):
    machine.python_without("ensurepip")
    result = machine.demo()
    assert result.returncode == 1
    assert "missing: python3-venv g++" in result.stderr
