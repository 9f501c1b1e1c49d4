"""Licences, oldest versions and the bill of materials."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.supply import licences, lowest, sbom


def test_all_that_comes_along_is_permissive() -> None:
    found = [licences.licence_of(package) for package in licences.needed()]
    assert {each.name.lower() for each in found} >= {
        "numpy",
        "scipy",
        "scikit-learn",
        "duckdb",
        "joblib",
        "pygments",
    }
    assert [each for each in found if not each.is_fine] == []


def test_other_licences_are_named(tmp_path: Path) -> None:
    """What asks for more is found, however it is said."""
    for number, (lines, is_fine) in enumerate([
        ("License-Expression: GPL-3.0-only", False),
        ("License-Expression: MIT AND LGPL-2.1-or-later", False),
        ("License-Expression: GPL-2.0-only OR MIT", True),
        ("License: GNU General Public License v3", False),
        ("Classifier: License :: OSI Approved :: BSD License", True),
        ("Classifier: License :: OSI Approved :: GNU Affero General Public License v3", False),
        ("Summary: says nothing", False),
    ]):  # fmt: skip
        place = tmp_path / str(number) / "some-1.dist-info"
        place.mkdir(parents=True)
        (place / "METADATA").write_text(f"Metadata-Version: 2.4\nName: some\nVersion: 1\n{lines}\n")
        assert licences.licence_of(distribution("pip").at(place)).is_fine == is_fine, lines


def test_every_requirement_has_one_lower_bound() -> None:
    text = lowest.project()
    lines = [line for extra in text["project"]["optional-dependencies"].values() for line in extra]
    found = [*lowest.asked(), *map(Requirement, lines)]
    assert len(found) > 20
    assert [str(each) for each in found if [bound.operator for bound in each.specifier] != [">="]] == []


def test_a_wheel_and_its_bill(tmp_path: Path) -> None:
    wheel = tmp_path / "treewright-9.9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        said = distribution("treewright").metadata.as_string()
        archive.writestr("treewright-9.9.dist-info/METADATA", said)
    command = [sys.executable, "-m", "tests.supply.sbom", str(wheel)]
    done = subprocess.run(command, cwd=lowest.ROOT, capture_output=True, text=True, check=True, timeout=60)
    written = Path(done.stdout.strip()).read_text(encoding="utf-8")
    found = json.loads(written)
    assert (found["bomFormat"], found["metadata"]["component"]["licenses"]) == (
        "CycloneDX",
        [{"expression": "Apache-2.0"}],
    )
    required = {each["name"] for each in found["components"] if each["scope"] == "required"}
    wanted = {Requirement(line).name for line in lowest.project()["project"]["dependencies"]}
    assert required == wanted | {"nanobind", "robin-map"}
    refs = [each["bom-ref"] for each in found["components"]]
    assert len(refs) == len(set(refs))
    assert sorted(refs) == found["dependencies"][0]["dependsOn"]
    assert json.loads(written) == sbom.bill(wheel)  # the same wheel, the same bill
