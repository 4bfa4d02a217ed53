"""Unit: rows in FOCUS columns, from files that anybody may have written."""

from pathlib import Path

import pytest

from daskfleet.platform.cost.focus import (
    COLUMNS,
    FocusError,
    FocusRow,
    focus_rows,
    read_focus_file,
    write_focus_file,
)

ROW = {
    "BilledCost": "12.5",
    "EffectiveCost": "12.5",
    "BillingCurrency": "USD",
    "BillingPeriodStart": "2026-10-01T07:00:00Z",
    "ChargePeriodStart": "2026-10-17T07:00:00Z",
    "ChargePeriodEnd": "2026-10-18T07:00:00Z",
    "ServiceName": "Compute Engine",
    "SubAccountId": "example-project",
    "Tags": '{"k8s-namespace": "alpha", "goog-k8s-cluster-name": null}',
    "x_CurrencyConversionRate": "1",
}


def row(**changes: str) -> FocusRow:
    return focus_rows([{**ROW, **changes}])[0]


def test_a_file_that_was_saved_is_read_again_as_it_was(tmp_path: Path) -> None:
    rows = (row(), row(BilledCost="-0.000000001", ServiceName='say "so", Ltd'), row(Tags="{}"))
    write_focus_file(tmp_path / "bill.csv", rows)
    assert read_focus_file(tmp_path / "bill.csv") == rows
    assert (tmp_path / "bill.csv").read_text().splitlines()[0] == ",".join(COLUMNS)


def test_columns_that_others_have_too_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "bill.csv"
    names = [name for name in COLUMNS if name not in {"SubAccountId", "x_CurrencyConversionRate"}]
    tags = '"{""k8s-namespace"": ""alpha""}"'
    values = [tags if name == "Tags" else ROW[name] for name in names]
    text = f"ListCost,{','.join(names)}\n99,{','.join(values)}\n"
    file.write_text("\ufeff" + text, "utf-8")
    (read,) = read_focus_file(file)
    assert (read.tags, read.sub_account_id) == ({"k8s-namespace": "alpha"}, None)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("BilledCost", value) for value in ("", "nan", "-inf", "1e13", "1e999999", "12,5", "$1")),
        ("x_CurrencyConversionRate", "0"),
        ("x_CurrencyConversionRate", "-1"),
        ("x_CurrencyConversionRate", "1e-999999"),
        ("x_CurrencyConversionRate", "nan"),
        ("BillingCurrency", "usd"),
        ("BillingPeriodStart", "2026-10-01T07:00:00"),
        ("ChargePeriodEnd", "yesterday"),
        ("BillingPeriodStart", "0001-01-01T00:00:00Z"),
        ("ChargePeriodStart", "9999-12-31T23:59:59-08:00"),
        ("Tags", "[" * 100_000),
        ("Tags", "[]"),
        ("Tags", '{"k8s-namespace": ["alpha"]}'),
        ("Tags", "alpha"),
        ("ServiceName", "x" * 1001),
    ],
)
def test_what_is_no_value_is_told_with_its_row_and_column(column: str, value: str) -> None:
    with pytest.raises(FocusError) as caught:
        focus_rows([ROW, {**ROW, column: value}])
    assert str(caught.value).startswith(f"row 2, {column}: ")
    assert len(str(caught.value)) < 500


def test_an_escape_of_a_terminal_is_shown_and_not_sent() -> None:
    with pytest.raises(FocusError) as caught:
        row(BilledCost="\x1b]0;owned\x07")
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no column BilledCost, EffectiveCost"),
        (b"BilledCost,Tags\n1,{}\n", "no column EffectiveCost"),
        (b"\xff\xfe\x00", "no CSV file"),
        (",".join(COLUMNS).encode() + b'\n"never closed', "no CSV file"),
        (",".join(COLUMNS).encode() + b"\n1\n", "row 2, EffectiveCost"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "bill.csv"
    file.write_bytes(content)
    with pytest.raises(FocusError, match=words):
        read_focus_file(file)


def test_a_file_beyond_all_measure_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daskfleet.platform.cost.focus.MOST_BYTES", 1_000_000)
    file = tmp_path / "bill.csv"
    file.write_bytes(b"x" * 1_000_001)
    with pytest.raises(FocusError, match="more than 1 MB"):
        read_focus_file(file)
