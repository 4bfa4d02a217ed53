"""Unit: the package has two names, and loads them when they are used."""

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
"""


def test_both_are_loaded_when_they_are_used() -> None:
    subprocess.run([sys.executable, "-c", USED], check=True)


def test_another_name_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'conect'"):
        daskfleet.conect  # noqa: B018
