"""The bill of materials of a wheel, as CycloneDX JSON: ./dev python -m tests.supply.sbom dist/some.whl

It is made from the wheel's own metadata: the package with its digest, what is compiled into it, and what it
needs, in the ranges that it allows. The same wheel gives the same bytes.
"""

from __future__ import annotations

import email
import hashlib
import json
import re
import sys
import uuid
import zipfile
from email.message import Message
from importlib.metadata import version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


def metadata_of(wheel: Path) -> Message:
    """Return the metadata in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def bill(wheel: Path) -> dict[str, Any]:
    """Return the bill of materials of a wheel."""
    said, digest = metadata_of(wheel), hashlib.sha256(wheel.read_bytes()).hexdigest()
    name, own = str(said["Name"]), f"pkg:pypi/{said['Name']}@{said['Version']}"
    needed = [_needed(Requirement(text)) for text in said.get_all("Requires-Dist") or []]
    inside = [_compiled_in("nanobind", "BSD-3-Clause"), _compiled_in("robin-map", "MIT", "with nanobind")]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{own}#{digest}')}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": name,
                "version": said["Version"],
                "description": said["Summary"],
                "licenses": [{"expression": said["License-Expression"]}],
                "purl": own,
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "properties": [{"name": "wheel", "value": wheel.name}],
            }
        },
        "components": [*inside, *needed],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(each["bom-ref"] for each in (*inside, *needed))},
            *({"ref": each["bom-ref"], "dependsOn": []} for each in (*inside, *needed)),
        ],
    }


def _needed(requirement: Requirement) -> dict[str, Any]:
    """Return what a wheel needs as a component: which version it is, who installs decides."""
    extra = _EXTRA.search(str(requirement.marker or ""))
    purl = f"pkg:pypi/{requirement.name.lower()}"
    return {
        "type": "library",
        "bom-ref": purl + (f"#{extra[1]}" if extra else ""),
        "name": requirement.name,
        "scope": "optional" if extra else "required",
        "purl": purl,
        "properties": [
            {"name": "versions", "value": str(requirement.specifier)},
            *([{"name": "extra", "value": extra[1]}] if extra else []),
        ],
    }


def _compiled_in(name: str, licence: str, remark: str = "") -> dict[str, Any]:
    """Return what is part of the compiled core as a component, at the version that is installed here."""
    found = version(name) if not remark else ""
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}@{found}" if found else f"pkg:generic/{name}",
        "name": name,
        **({"version": found} if found else {}),
        "scope": "required",
        "licenses": [{"expression": licence}],
        "purl": f"pkg:pypi/{name}@{found}" if found else f"pkg:generic/{name}",
        "properties": [{"name": "compiled in", "value": remark or "yes"}],
    }


def main() -> int:
    """Write the bill of each wheel beside it."""
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    for name in sys.argv[1:]:
        wheel = Path(name)
        target = wheel.with_name(f"{wheel.name.removesuffix('.whl')}.cdx.json")
        target.write_text(json.dumps(bill(wheel), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
