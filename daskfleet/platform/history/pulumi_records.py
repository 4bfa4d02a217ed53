"""Reading what Pulumi's backend keeps of updates, which is the same for every kind of backend.

``pulumi stack history --json`` takes no lock, decrypts nothing and needs no passphrase. Each record
has the settings with which the update ran. Who ran it and the state that it left are not there:
``pulumi stack export --version`` is Pulumi Cloud's alone ("the current backend does not provide the
ability to export previous deployments", 3.256.0).
"""

import json
from collections.abc import Mapping
from datetime import datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.platform.history.errors import HistoryError

PAGE_SIZE = 50
"""Updates that one call of the CLI is asked for."""

MOST_PAGES = 20


class ConfigValue(BaseModel):
    """A value of the settings."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    value: str | None = None
    """Text; mappings and lists as JSON. None: a secret, which stays where it is."""

    secret: bool = False


class PulumiRecord(BaseModel):
    """One update, as ``pulumi stack history --json`` prints it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: str
    began_at: AwareDatetime = Field(alias="startTime")
    ended_at: AwareDatetime | None = Field(default=None, alias="endTime")
    result: str
    message: str = ""
    environment: Mapping[str, str] = {}
    """What Pulumi notes of where it ran: pulumi/pulumi pkg/backend/updates.go has the keys."""

    config: Mapping[str, ConfigValue] = {}
    resources: Mapping[str, int] = Field(default={}, alias="resourceChanges")


_RECORDS = TypeAdapter(tuple[PulumiRecord, ...])


def read_records(pulumi: Pulumi, *, since: datetime) -> tuple[tuple[PulumiRecord, ...], bool]:
    """Return the updates since then with the last one before, newest first; and if these are all.

    Raises:
        HistoryError: Pulumi cannot tell them.

    """
    found: list[PulumiRecord] = []
    for page in range(1, MOST_PAGES + 1):
        records = _page(pulumi, page)
        found += records
        if len(records) < PAGE_SIZE:
            return tuple(found), True
        if any(record.began_at < since and record.kind == "update" for record in records):
            break
    return tuple(found), False


def _page(pulumi: Pulumi, page: int) -> tuple[PulumiRecord, ...]:
    arguments = ("--json", "--full-dates", "--page-size", str(PAGE_SIZE), "--page", str(page))
    try:
        said = pulumi.run("stack", "history", *arguments)
    except AccessError as error:
        raise HistoryError(str(error)) from error
    try:
        return _RECORDS.validate_python(json.loads(said) if said.strip() else ())
    except (ValueError, RecursionError) as error:
        raise HistoryError(
            f"`pulumi stack history --json` prints what this release does not read: {error}. "
            "Install the Pulumi CLI in the version of requirements.txt."
        ) from error
