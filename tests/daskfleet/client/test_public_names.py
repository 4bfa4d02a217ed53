"""Unit: the package has three names, and loads each when it is used."""

import subprocess
import sys

import pytest

import daskfleet

USED = """
import daskfleet, sys
assert "daskfleet.errors" not in sys.modules
assert issubclass(daskfleet.errors.NotAMemberError, daskfleet.errors.AccessError)
assert callable(daskfleet.connect)
assert "distributed" not in sys.modules
assert daskfleet.Cluster.__name__ == "Cluster"
"""


def test_each_is_loaded_when_it_is_used() -> None:
    subprocess.run([sys.executable, "-c", USED], check=True)


def test_another_name_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'conect'"):
        daskfleet.conect  # noqa: B018
