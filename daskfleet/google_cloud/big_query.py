"""One question in SQL to BigQuery, with named parameters, and all rows of the answer.

The shapes are those of its discovery document, revision 20261009: ``jobs.query`` and, for what it
leaves open, ``jobs.getQueryResults``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import httpx
from pydantic import Field

from daskfleet.google_cloud.asking import AnswerError, Shape, ask
from daskfleet.google_cloud.bearer import Access
from daskfleet.google_cloud.endpoints import base_url

WAIT_MS = 30_000
"""How long one request waits for the query; the API gives an unfinished answer then."""

MOST_WAITS = 20
PAGE_ROWS = 10_000
MOST_PAGES = 100
"""A month of a fleet is some thousand rows; an answer without an end is none."""


class Cell(Shape):
    """A value. All scalars are texts in this API; what is no scalar is refused."""

    v: str | None = None


class Row(Shape):
    """The values of a row, in the order of the columns."""

    f: tuple[Cell, ...]


class Column(Shape):
    """A column of the answer."""

    name: str


class Columns(Shape):
    """All of them."""

    fields: tuple[Column, ...]


class JobReference(Shape):
    """By which name the rest of an answer is asked for."""

    job_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,1024}$")]
    location: str | None = None


class Answer(Shape):
    """What ``jobs.query`` and ``jobs.getQueryResults`` have in common."""

    job_complete: bool = False
    job_reference: JobReference | None = None
    columns: Annotated[Columns | None, Field(alias="schema")] = None
    rows: tuple[Row, ...] = ()
    page_token: str = ""
    total_rows: Annotated[int, Field(ge=0, lt=2**64)] | None = None
    total_bytes_processed: Annotated[int, Field(ge=0, lt=2**63)] | None = None


@dataclass(frozen=True, kw_only=True)
class Found:
    """All rows of an answer."""

    rows: tuple[dict[str, str | None], ...]
    bytes_read: int | None
    """What Google bills the question by; None: it does not say."""


def ask_big_query(
    http: httpx.Client,
    sql: str,
    *,
    project: str,
    parameters: Mapping[str, str],
    access: Access,
    environment: Mapping[str, str],
) -> Found:
    """Ask, wait for the query, and read all pages. Blocks for seconds, at most ten minutes.

    Args:
        http: the client.
        sql: GoogleSQL; values are in ``parameters`` and named in it as ``@name``.
        project: whose query it is, and who pays for it.
        parameters: texts.
        access: whose token.
        environment: may say where the API is.

    Raises:
        AnswerError: the answer is missing or not whole.
    """
    url = f"{base_url('bigquery', environment)}/projects/{project}/queries"
    first = ask(
        http,
        "POST",
        url,
        Answer,
        access=access,
        body={
            "query": sql,
            "useLegacySql": False,
            "parameterMode": "NAMED",
            "queryParameters": [
                {"name": name, "parameterType": {"type": "STRING"}, "parameterValue": {"value": of}}
                for name, of in parameters.items()
            ],
            "maxResults": PAGE_ROWS,
            "timeoutMs": WAIT_MS,
        },
    )
    first = _finished(http, url, first, access)
    pages = tuple(_pages(http, url, first, access))
    rows = [row for page in pages for row in page.rows]
    if first.total_rows is None or len(rows) != first.total_rows:
        msg = f"BigQuery told of {first.total_rows} rows and gave {len(rows)}"
        raise AnswerError(msg)
    names = [column.name for column in first.columns.fields] if first.columns else []
    if any(len(row.f) != len(names) for row in rows):
        msg = f"BigQuery gave a row that has not the {len(names)} columns of the answer"
        raise AnswerError(msg)
    return Found(
        rows=tuple({name: cell.v for name, cell in zip(names, row.f, strict=True)} for row in rows),
        bytes_read=first.total_bytes_processed,
    )


def _finished(http: httpx.Client, url: str, answer: Answer, access: Access) -> Answer:
    job = answer.job_reference
    for _ in range(MOST_WAITS):
        if answer.job_complete:
            return answer.model_copy(update={"job_reference": job})
        answer = _more(http, url, job, access, {})
    msg = f"the query was not done after {MOST_WAITS * WAIT_MS // 1000} seconds"
    raise AnswerError(msg)


def _pages(http: httpx.Client, url: str, page: Answer, access: Access) -> Iterator[Answer]:
    job = page.job_reference
    for _ in range(MOST_PAGES):
        yield page
        if not page.page_token:
            return
        page = _more(http, url, job, access, {"pageToken": page.page_token})
    msg = f"BigQuery gave {MOST_PAGES} pages and no last one"
    raise AnswerError(msg)


def _more(
    http: httpx.Client,
    url: str,
    job: JobReference | None,
    access: Access,
    parameters: Mapping[str, str],
) -> Answer:
    if job is None:
        msg = "BigQuery gave a part of an answer, and no job to ask for the rest"
        raise AnswerError(msg)
    where = {"location": job.location} if job.location else {}
    sizes = {"maxResults": str(PAGE_ROWS), "timeoutMs": str(WAIT_MS)}
    return ask(
        http,
        "GET",
        f"{url}/{job.job_id}",
        Answer,
        access=access,
        parameters={**sizes, **where, **parameters},
    )
