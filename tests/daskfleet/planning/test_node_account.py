"""Unit: account IDs that fit Google's limit."""

import re

import pytest

from daskfleet.planning.node_account import account_id

LEGAL = re.compile(r"^[a-z]([-a-z0-9]{4,28}[a-z0-9])$")


@pytest.mark.parametrize("length", [1, 24, 25, 40])
def test_every_cluster_name_has_a_legal_account_id(length: int) -> None:
    assert LEGAL.match(account_id("c" * length))


def test_long_names_that_begin_alike_have_different_accounts() -> None:
    assert account_id("c" * 39 + "a") != account_id("c" * 39 + "b")
