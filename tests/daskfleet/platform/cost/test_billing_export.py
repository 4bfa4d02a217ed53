"""Unit: BigQuery is asked as its discovery document has it, and half an answer is none."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import httpx
import pytest

from daskfleet.google_cloud.asking import AnswerError
from daskfleet.google_cloud.big_query import MOST_PAGES, Found
from daskfleet.platform.cost.bill_month import Month, month_named
from daskfleet.platform.cost.billing_export import TableNameError, query, read_export
from daskfleet.platform.cost.focus import COLUMNS, focus_rows
from rehearsal.emulator.discovery import load
from rehearsal.emulator.schema import accepted
from tests.daskfleet.platform.cost.big_query import BigQuery, big_query, recorded

TABLE = "acme-billing.export.gcp_billing_export_resource_v1_012345_6789AB_CDEF01"
TOKEN = "a-token-that-nobody-sees"  # noqa: S105 - of nobody
OCTOBER = Month(first=date(2026, 10, 1))


@pytest.fixture
def google() -> Iterator[BigQuery]:
    with big_query() as served:
        yield served


def read(google: BigQuery) -> Found:
    environment = {
        "GOOGLE_BIG_QUERY_CUSTOM_ENDPOINT": google.url,
        "GOOGLE_OAUTH_ACCESS_TOKEN": TOKEN,
    }
    with httpx.Client() as http:
        return read_export(
            http, TABLE, project="example-project", month=OCTOBER, environment=environment
        )


def test_the_answer_made_by_hand_is_one_that_the_api_documents() -> None:
    answer = recorded()
    assert accepted(api=load("bigquery", "v2"), schema="QueryResponse", body=answer)
    assert tuple(field["name"] for field in answer["schema"]["fields"]) == COLUMNS


def test_values_are_parameters_and_the_fleets_project_pays(google: BigQuery) -> None:
    found = read(google)

    (asked,) = google.asked
    assert (asked.method, asked.path) == ("POST", "projects/example-project/queries")
    assert asked.headers["Authorization"] == f"Bearer {TOKEN}"
    assert asked.body["useLegacySql"] is False
    named = {
        each["name"]: each["parameterValue"]["value"] for each in asked.body["queryParameters"]
    }
    assert named == {"month": "202610", "project": "example-project"}
    assert f"FROM `{TABLE}`" in asked.body["query"]
    assert "example-project" not in asked.body["query"]
    assert found.bytes_read == 1840700210
    assert len(focus_rows(found.rows)) == 13


def test_the_query_gives_the_columns_that_are_read() -> None:
    selected = query(TABLE).rpartition("SELECT")[2].partition("FROM lines")[0]
    names = [line.split()[-1].rstrip(",") for line in selected.strip().splitlines()]
    assert tuple(names) == COLUMNS


def test_a_query_that_takes_its_time_is_waited_for_and_read_page_by_page(google: BigQuery) -> None:
    answer = recorded()
    rows = answer["rows"]
    google.answers = [
        (200, {"jobComplete": False, "jobReference": answer["jobReference"]}),
        (200, recorded(rows=rows[:8], pageToken="more/ +&")),
        (200, recorded(rows=rows[8:], jobReference=None)),
    ]
    assert len(read(google).rows) == 13
    _, waited, second = google.asked
    path = "projects/example-project/queries/job_LKwpMqZsBQ3dtX0-7f_yJm1cN"
    assert (waited.method, waited.path) == ("GET", path)
    assert waited.parameters["location"] == ["EU"]
    assert "pageToken" not in waited.parameters
    assert (second.path, second.parameters["pageToken"]) == (path, ["more/ +&"])


def pending() -> dict[str, Any]:
    return {"jobComplete": False, "jobReference": recorded()["jobReference"]}


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (403, {"error": {"message": "Access Denied: Table acme"}}, "403: Access Denied: Table"),
        (404, b"<html>", "404"),
        (200, b"{", "not what the API documents"),
        (200, recorded(totalRows="14"), "told of 14 rows and gave 13"),
        (200, recorded(totalRows=None), "told of None rows"),
        (200, recorded(rows=[{"f": [{"v": "1"}]}], totalRows="1"), "has not the 10 columns"),
        (200, recorded(schema=None), "has not the 0 columns"),
        (200, recorded(rows=[{"f": [{"v": {"f": []}}]}]), "not what the API documents"),
        (200, recorded(pageToken="again"), "no last one"),
        (200, recorded(jobReference={"jobId": "../../datasets"}), "not what the API documents"),
        (200, {"jobComplete": False}, "no job to ask"),
        (200, pending(), "was not done after 600 seconds"),
    ],
)
def test_what_is_no_whole_answer_is_none(
    google: BigQuery, status: int, answer: object, words: str
) -> None:
    google.answers = [(status, answer)]
    with pytest.raises(AnswerError, match=words):
        read(google)
    assert len(google.asked) <= MOST_PAGES + 1


@pytest.mark.parametrize(
    "table",
    [
        "",
        "export.gcp_billing_export_resource_v1_0",
        "acme-billing.export.t` WHERE 1=1 --",
        "acme-billing.export.t`; DROP TABLE `x",
        "acme-billing.export.t\n",
        "acme-billing.ex-port.t",
        "acme-billing.export.\u0442able",
        "acme-billing.export." + "t" * 1025,
        "Acme.export.t",
        "acme-billing.export.{table}",
    ],
)
def test_what_is_no_table_is_refused_and_never_asked(table: str) -> None:
    with pytest.raises(TableNameError, match="is no table of BigQuery"):
        query(table)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gcp_billing_export_v1_012345_6789AB_CDEF01", "the standard export"),
        ("gcp_billing_export_focus_012345_6789AB_CDEF01", "the FOCUS export"),
    ],
)
def test_googles_other_exports_are_told_apart(name: str, words: str) -> None:
    with pytest.raises(TableNameError, match=words):
        query(f"acme-billing.export.{name}")


def test_a_view_over_the_export_has_any_name() -> None:
    assert "`acme-billing.export.our_bill`" in query("acme-billing.export.our_bill")


def test_a_month_is_one_that_has_begun_in_california() -> None:
    now = datetime(2026, 12, 1, 7, 59, tzinfo=UTC)
    assert month_named("2026-11", now=now).end == date(2026, 12, 1)
    for text in ("2026-12", "2026-13", "2026-1", "26-01", "2026-01-01", "\u0662026-01"):
        with pytest.raises(ValueError, match=r"begun|2026-10"):
            month_named(text, now=now)
