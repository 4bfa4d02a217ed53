"""Pure: whose workers are moved, and how many nodes may be taken at once."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The fleet's."""

    namespaces: tuple[str, ...]
    """Of the teams."""

    most_drained_nodes: int
    """Nodes that may be kept from pods at the same time."""


def written(rules: Rules) -> str:
    """Return the rules as a document that ``read`` understands."""
    return json.dumps(asdict(rules), sort_keys=True)


def read(text: str) -> Rules:
    """Return the rules of a document."""
    document = json.loads(text)
    return Rules(
        namespaces=tuple(document["namespaces"]),
        most_drained_nodes=document["most_drained_nodes"],
    )
