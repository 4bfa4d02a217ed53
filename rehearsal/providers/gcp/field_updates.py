"""Rows that say which request brings a changed input to a live resource."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from rehearsal.providers.gcp.rest_mapping import Document, Form, Table, get_path, put_path
from rehearsal.providers.protocol import ProviderError


class Gone(Enum):
    """What Google's provider does about a value that was taken away, where it sends none."""

    UNNAMED = auto()  # it sends a request that names nothing, and GKE refuses that
    UNSENT = auto()  # it asks by `GetOk` first, and sends no request


@dataclass(frozen=True, kw_only=True)
class FieldUpdate:
    """One changeable field.

    `inputs` are the dotted Pulumi paths whose change this row sends, `rest` is where their new
    value lies in the resource's document, `request` where it goes in the request's body, and
    `cleared` what is sent when the value was taken away. A `method` is the resource's own for
    this field (`setNetworkPolicy`); without one it is the update of all.
    """

    inputs: Sequence[str]
    rest: str
    request: str
    cleared: Any = field(default_factory=dict)
    method: str = ""

    def covers(self, path: str) -> bool:
        """Tell whether a changed path belongs to this row."""
        return any(path == root or path.startswith(f"{root}.") for root in self.inputs)

    def is_sent(self, document: Document) -> bool:
        """Tell whether the wanted document makes a request of this row."""
        return self.cleared is not Gone.UNSENT or not self._is_gone(document)

    def body(self, document: Document) -> Document:
        """Build the request's body from the resource's wanted document."""
        value = get_path(document, self.rest)
        body: Document = {}
        if self.cleared is Gone.UNNAMED and self._is_gone(document):
            around = self.request.partition(".")[0]
            return {"update": {}} if around == "update" else body
        put_path(body, self.request, self.cleared if value is None else value)
        return body

    def _is_gone(self, document: Document) -> bool:
        return get_path(document, self.rest) in (None, "", [], {})


def rows_for(
    rows: Iterable[FieldUpdate], changed: Iterable[str], document: Document
) -> list[FieldUpdate]:
    """Choose the rows that the changed paths need, in the table's order."""
    paths = list(changed)
    return [
        row for row in rows if any(row.covers(path) for path in paths) and row.is_sent(document)
    ]


def refuse_unserved(
    token: str,
    *,
    changed: Iterable[str],
    served: Iterable[FieldUpdate],
    table: Table,
    lacking: Mapping[str, str],
) -> None:
    """Raise ProviderError for a changed input that no row sends and that is not local.

    `lacking` says why, by the dotted path at or above which the reason holds.
    """
    rows = list(served)
    for path in sorted(changed):
        parts = path.split(".")
        above = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
        why = next((lacking[each] for each in above if each in lacking), "")
        rule = table.get(parts[0])
        is_local = rule is not None and rule.form in (Form.LOCAL, Form.WRITE_ONLY)
        if why or not (is_local or any(row.covers(path) for row in rows)):
            raise ProviderError(
                f"changing {path} of {token} in place is not served by the gcp stand-in"
                f"{f' ({why})' if why else ''}; run the rehearsal with `--providers real`, or "
                "replace the resource"
            )
