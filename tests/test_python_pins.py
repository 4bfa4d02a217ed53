"""The pins can be installed with every Python that the project says it takes; unit tier."""

import re
import tomllib
from importlib import metadata

import pytest
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.project import PROJECT_DIR

DEBIANS = "3.11.2"
"""The Python of Debian 12, a 3.11 of February 2023. Some packages ask for a later 3.11."""


def pinned() -> dict[str, str]:
    """Give all that is installed with the project, by canonical name."""
    lines = (PROJECT_DIR / "constraints.txt").read_text("utf-8").splitlines()
    pins = (line.partition("==") for line in lines)
    return {canonicalize_name(name): version for name, _, version in pins}


@pytest.mark.parametrize("package", pinned())
def test_a_pinned_package_takes_the_python_of_debian(package: str) -> None:
    asked = metadata.metadata(package).get_all("Requires-Python", [])
    assert SpecifierSet(",".join(asked)).contains(DEBIANS)


def test_the_python_of_debian_is_one_that_the_project_takes() -> None:
    project = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text("utf-8"))["project"]
    assert SpecifierSet(project["requires-python"]).contains(DEBIANS)


def test_what_is_required_is_pinned_as_it_is_constrained() -> None:
    pins = pinned()
    for file in PROJECT_DIR.glob("requirements*.txt"):
        required = re.findall(
            r"^([\w.-]+)(?:\[.*\])?==(\S+)", file.read_text("utf-8"), re.MULTILINE
        )
        assert required
        assert [each for each in required if pins.get(canonicalize_name(each[0])) != each[1]] == []
