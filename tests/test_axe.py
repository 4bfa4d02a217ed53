"""Unit: what judges the pages is what was published."""

import pytest

from tests.axe import AxeError, script_of


def test_another_package_is_refused_with_both_digests() -> None:
    with pytest.raises(AxeError, match=r"has sha512-.*, and tests/axe\.py knows sha512-FHfa"):
        script_of(b"something else")
