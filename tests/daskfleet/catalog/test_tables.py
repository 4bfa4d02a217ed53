"""Rows are what their table says, also after a way through a document."""

from dataclasses import dataclass

import pytest
from pydantic import TypeAdapter

from daskfleet.catalog.tables import OptionalFloat, OptionalStr, Row
from tests.daskfleet.catalog.test_catalog import all_rows


@dataclass(frozen=True, kw_only=True)
class Priced(Row):
    """A row of each kind of cell."""

    usd: OptionalFloat
    note: OptionalStr


ADAPTER = TypeAdapter(Priced)


def test_cells_become_words_numbers_and_nothing() -> None:
    row = ADAPTER.validate_python({"source": "a  b", "usd": "0", "note": ""})
    assert row == Priced(source=("a", "b"), usd=0.0, note=None)
    assert ADAPTER.validate_python({"source": "a", "usd": "", "note": "x"}).usd is None


def test_a_zero_in_a_document_is_no_empty_cell() -> None:
    row = Priced(source=("a",), usd=0.0, note=None)
    assert ADAPTER.validate_json(ADAPTER.dump_json(row)) == row


@pytest.mark.parametrize("type_", sorted({type(row) for row in all_rows()}, key=str))
def test_every_row_comes_back_from_a_document(type_: type[Row]) -> None:
    adapter = TypeAdapter(type_)
    for row in all_rows():
        if type(row) is type_:
            assert adapter.validate_json(adapter.dump_json(row)) == row
