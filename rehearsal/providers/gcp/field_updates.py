"""Rows that say which request brings a changed input to a live resource."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rehearsal.providers.gcp.rest_mapping import Document, Form, Table, get_path, put_path
from rehearsal.providers.protocol import ProviderError


@dataclass(frozen=True, kw_only=True)
class FieldUpdate:
    """One changeable field.

    `inputs` are the dotted Pulumi paths whose change this row sends, `rest` is where their new
    value lies in the resource's document, `request` where it goes in the request's body, and
    `cleared` what is sent when the value was taken away. What is `only_with_a_value` is not named
    at all when it is empty: the provider asks for it by `GetOk`.
    """

    inputs: Sequence[str]
    rest: str
    request: str
    cleared: Any = field(default_factory=dict)
    only_with_a_value: bool = False

    def covers(self, path: str) -> bool:
        """Tell whether a changed path belongs to this row."""
        return any(path == root or path.startswith(f"{root}.") for root in self.inputs)

    def body(self, document: Document) -> Document:
        """Build the request's body from the resource's wanted document."""
        value = get_path(document, self.rest)
        if self.only_with_a_value and not value:
            return {}
        body: Document = {}
        put_path(body, self.request, self.cleared if value is None else value)
        return body


def rows_for(rows: Iterable[FieldUpdate], changed: Iterable[str]) -> list[FieldUpdate]:
    """Choose the rows that the changed paths need, in the table's order."""
    paths = list(changed)
    return [row for row in rows if any(row.covers(path) for path in paths)]


def refuse_unserved(
    token: str, *, changed: Iterable[str], served: Iterable[FieldUpdate], table: Table
) -> None:
    """Raise ProviderError for a changed input that no row sends and that is not local."""
    rows = list(served)
    for path in sorted(changed):
        rule = table.get(path.partition(".")[0])
        is_local = rule is not None and rule.form in (Form.LOCAL, Form.WRITE_ONLY)
        if not is_local and not any(row.covers(path) for row in rows):
            raise ProviderError(
                f"changing {path} of {token} in place is not served by the gcp stand-in; run "
                "the rehearsal with `--providers real`, or replace the resource"
            )
