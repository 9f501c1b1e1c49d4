"""The licences of all that an installed treewright brings with it: ./dev licences

Each package that treewright needs, with what that needs in turn and all that its extras bring, has a licence
of the list here, or is named with a reason. The list is of licences that ask for no more than to be named.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import NamedTuple

from packaging.requirements import Requirement

PERMISSIVE = {
    "0BSD", "Apache-2.0", "BSD-1-Clause", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "HPND", "ISC",
    "MIT", "MIT-CMU", "MIT-0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib", "bzip2-1.0.6", "libpng-2.0",
}  # fmt: skip

# What packages say in words of their own, and classifiers: the expression that is meant.
_MEANT = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license v2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "new bsd": "BSD-3-Clause",
    "psf": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "the mit license (mit)": "MIT",
    "zlib/libpng license": "Zlib",
}

# Asks for more than to be named; why it may come along.
ALLOWED = {
    "certifi": "MPL-2.0: a list of certificates, which is not changed; comes with extras alone",
    "tqdm": "MPL-2.0 and MIT: not changed; comes with extras alone",
}


class Licence(NamedTuple):
    """What one installed package says of its licence."""

    name: str
    version: str
    said: str
    is_fine: bool


def needed(root: str = "treewright") -> list[Distribution]:
    """Return the installed packages that a package needs, its extras and what they need in turn included."""
    found: dict[str, Distribution] = {}
    todo = [(root, True)]
    while todo:
        name, with_extras = todo.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:
            continue  # an extra that is not installed here, or a package of other systems
        todo += [(requirement, False) for requirement in _requirements(found[key], with_extras)]
    found.pop(re.sub(r"[-_.]+", "-", root).lower())
    return [found[name] for name in sorted(found)]


def _requirements(package: Distribution, with_extras: bool) -> Iterator[str]:
    extras = ["", *(package.metadata.get_all("Provides-Extra") or [])] if with_extras else [""]
    for text in package.requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in extras
        ):
            yield requirement.name


def licence_of(package: Distribution) -> Licence:
    """Return what a package says of its licence: an expression, a line of text, or classifiers."""
    name, said = package.metadata["Name"], _said(package)
    parts = [
        _MEANT.get(part.strip().lower(), part.strip()) for part in re.split(r" AND | OR |,|;|/|\(|\)", said)
    ]
    is_fine = bool(said) and all(part.split(" WITH ")[0] in PERMISSIVE for part in parts if part)
    if " OR " in said and "(" not in said:  # we may choose
        is_fine = any(part in PERMISSIVE for part in parts)
    whole = _MEANT.get(said.lower(), said) in PERMISSIVE
    return Licence(name, package.version, said or "nothing", is_fine or whole or name.lower() in ALLOWED)


def _said(package: Distribution) -> str:
    expression = package.metadata.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = package.metadata.get_all("Classifier") or []
    named = [
        c.split(" :: ")[-1]
        for c in classifiers
        if c.startswith("License :: ") and not c.endswith("OSI Approved")
    ]
    text = package.metadata.get("License") or ""
    if named and len({_MEANT.get(each.lower(), each) for each in named}) == 1:
        return str(named[0])
    first = text.strip().splitlines()[0] if text.strip() else ""
    return first if 0 < len(first) < 60 else "; ".join(named)


def main() -> int:
    """Print every package; say whether all may come along."""
    found = [licence_of(package) for package in needed()]
    for each in found:
        print(f"  {'ok  ' if each.is_fine else 'FAIL'}  {each.name} {each.version}: {each.said}")
    refused = [each.name for each in found if not each.is_fine]
    print(
        f"{len(found)} packages; " + (f"look at: {', '.join(refused)}" if refused else "all are permissive")
    )
    return int(bool(refused))


if __name__ == "__main__":
    sys.exit(main())
