"""Unit: what the table of change classes says of Google's resources is what the provider says."""

import pytest

from daskfleet.catalog.changes import ChangeRow, change_rows
from rehearsal.providers.gcp.provider import RESOURCE_TYPES
from rehearsal.providers.gcp.provider_fields import provider_fields

ROWS = [
    row
    for type_token, rows in change_rows().items()
    if type_token in RESOURCE_TYPES
    for row in rows
    if row.path and row.operation != "same"
]
"""Rows of inputs that the program does not ignore."""

BY_VALUE = {("gcp:compute/subnetwork:Subnetwork", "ipCidrRange")}
"""Grows in place and is replaced otherwise: the provider decides in ``CustomizeDiff``."""


def test_every_google_resource_of_the_table_is_one_that_the_schema_is_kept_of() -> None:
    of_google = {each for each in change_rows() if each.startswith("gcp:")}

    assert of_google == set(RESOURCE_TYPES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.type}-{row.path}-{row.operation}")
def test_an_input_replaces_exactly_where_the_provider_forces_a_new_resource(row: ChangeRow) -> None:
    fields = provider_fields(row.type)
    covered = {
        path: field
        for path, field in fields.items()
        if path == row.path or path.startswith(f"{row.path}.")
    }
    assert row.path in covered, f"{row.type} has no input {row.path}"

    forced = {field.force_new for field in covered.values()}
    by_value = (row.type, row.path) in BY_VALUE

    assert by_value or forced == {row.operation == "replace"}
