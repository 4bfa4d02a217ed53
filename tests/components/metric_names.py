"""The metrics that a PromQL expression asks for."""

from typing import Any

import promql_parser


def metric_names(expression: str) -> set[str]:
    """Parse an expression, and return the names of all of its metrics."""
    found: set[str] = set()

    def visit(node: Any) -> bool:
        if isinstance(node, promql_parser.VectorSelector) and node.name:
            found.add(node.name)
        return True

    promql_parser.walk(promql_parser.parse(expression), visit)
    return found
