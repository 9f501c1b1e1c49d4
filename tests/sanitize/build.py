"""The core, built in a way of its own, in a folder and a virtual environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

from tests.sanitize.kinds import KINDS, ROOT


def folder(kind: str) -> Path:
    """Return where everything of a kind lies."""
    return ROOT / "build" / "sanitize" / kind


def built(kind: str) -> Path:
    """Build the core of a kind, what changed of it, and return the Python that imports this core."""
    place = folder(kind)
    place.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    print(
        f"sanitize: building the core ({kind}); the output is in {_told(place / 'log')}",
        file=sys.stderr,
        flush=True,
    )
    with (place / "log").open("wb") as log:
        for words in (_configure(kind), [_tool("cmake"), "--build", str(place / "cmake")]):
            if subprocess.run(words, stdout=log, stderr=subprocess.STDOUT, check=False).returncode:
                log.flush()
                print(
                    *(place / "log").read_text(errors="replace").splitlines()[-60:], sep="\n", file=sys.stderr
                )
                sys.exit(f"sanitize: the build failed; the whole output is in {_told(place / 'log')}")
    print(f"sanitize: built in {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return _environment(place, _package(place))


def _told(path: Path) -> Path:
    return path.relative_to(ROOT)


def _tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _configure(kind: str) -> list[str]:
    said = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True, check=True
    )
    return [
        _tool("cmake"), "-S", str(ROOT), "-B", str(folder(kind) / "cmake"), "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}", f"-DTREEWRIGHT_SANITIZE={kind}",
        f"-DTREEWRIGHT_QUICK={KINDS[kind].quick}", f"-Dnanobind_DIR={said.stdout.strip()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]  # fmt: skip


def _package(place: Path) -> Path:
    """Return a folder with the package in it: this core, and links to the rest."""
    package = place / "site" / "treewright"
    package.mkdir(parents=True, exist_ok=True)
    (core,) = (place / "cmake").glob("_core.*so")
    wanted = {core.name: core, **{file.name: file for file in (ROOT / "src" / "treewright").iterdir()}}
    for link in package.iterdir():
        link.unlink()
    for name, file in wanted.items():
        (package / name).symlink_to(file)
    return package.parent


def _environment(place: Path, site: Path) -> Path:
    """Return the Python of an environment that sees the packages of this one, and our own package in a site.

    A path file does not run what lies in the folders that it names, so the editable install is not seen; and
    whatever starts this Python again (workers, commands) has the same core.
    """
    made = place / "venv"
    python = made / "bin" / "python"
    if not python.exists():
        venv.create(made, symlinks=True)
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    packages = sysconfig.get_path("purelib")
    (made / "lib" / version / "site-packages" / "treewright.pth").write_text(f"{site}\n{packages}\n")
    for script in ("treewright",):
        link = made / "bin" / script
        link.unlink(missing_ok=True)
        link.write_text(f"#!{python}\nimport sys\nfrom treewright.__main__ import main\nsys.exit(main())\n")
        os.chmod(link, 0o755)
    return python
