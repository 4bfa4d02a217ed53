"""Google's discovery documents: which method a request calls, and the schema of its body.

The documents are those that ``google-api-python-client`` ships; each is parsed when the first
request for its API arrives (compute is 5 MB of JSON, 60 ms).
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import googleapiclient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.document import Document

_PROJECT_VARIABLES = ("projectsId", "project", "projectId", "resource", "v1Id1")
"""How the documents call the variable that holds a project."""

DOCUMENTS = Path(googleapiclient.__file__).parent / "discovery_cache" / "documents"


@dataclass(frozen=True, kw_only=True)
class Method:
    """One REST method of an API."""

    id: str
    http_method: str
    path: re.Pattern[str]
    query_parameters: frozenset[str]
    request_schema: str | None
    response_schema: str | None


@dataclass(frozen=True, kw_only=True)
class Match:
    """A request's method and the variables found in its path."""

    method: Method
    variables: dict[str, str]

    @property
    def project(self) -> str:
        """The project that is named by the path, empty where none is."""
        names = (self.variables.get(name, "") for name in _PROJECT_VARIABLES)
        return next(filter(None, names), "")


@dataclass(frozen=True, kw_only=True)
class Api:
    """One version of one Google API."""

    name: str
    version: str
    methods: tuple[Method, ...]
    schemas: Document
    system_parameters: frozenset[str]

    def match(self, *, http_method: str, path: str) -> Match | None:
        """Return the method that serves ``path`` (as in ``flatPath``), or None."""
        for method in self.methods:
            if method.http_method == http_method and (found := method.path.fullmatch(path)):
                return Match(method=method, variables=found.groupdict())
        return None

    def unknown_parameters(self, method: Method, names: set[str]) -> list[str]:
        """Return the query parameters that neither the method nor the API has."""
        known = method.query_parameters | self.system_parameters
        return sorted(n for n in names if n not in known and n.removeprefix("$") not in known)


def _path_pattern(flat_path: str) -> re.Pattern[str]:
    parts = re.split(r"\{\+?(\w+)\}", flat_path)
    literal = [re.escape(part) for part in parts[::2]]
    variables = [f"(?P<{name}>[^/:]+)" for name in parts[1::2]]
    return re.compile("".join(a + b for a, b in zip(literal, [*variables, ""], strict=True)))


def _methods(resource: Document) -> Iterator[Method]:
    for method in resource.get("methods", {}).values():
        parameters = method.get("parameters", {})
        yield Method(
            id=method["id"],
            http_method=method["httpMethod"],
            path=_path_pattern(method.get("flatPath", method["path"])),
            query_parameters=frozenset(
                name for name, spec in parameters.items() if spec["location"] == "query"
            ),
            request_schema=method.get("request", {}).get("$ref"),
            response_schema=method.get("response", {}).get("$ref"),
        )
    for child in resource.get("resources", {}).values():
        yield from _methods(child)


@functools.cache
def names() -> frozenset[str]:
    """Return the names of Google's APIs, emulated or not."""
    return frozenset(path.name.partition(".")[0] for path in DOCUMENTS.glob("*.json"))


@functools.cache
def load(name: str, version: str) -> Api:
    """Parse the discovery document of one API version.

    Raises FileNotFoundError when google-api-python-client does not ship it.
    """
    document = json.loads((DOCUMENTS / f"{name}.{version}.json").read_text(encoding="utf-8"))
    return Api(
        name=name,
        version=version,
        methods=tuple(_methods(document)),
        schemas=document["schemas"],
        system_parameters=frozenset(document["parameters"]),
    )
