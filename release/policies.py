"""``python -m release.policies``: the page of all policies, from the rules themselves.

With ``--check`` it only compares, and fails when the page is not what the rules say.
"""

import json
import sys
from collections.abc import Iterator

from daskfleet.generated import write_or_check
from daskfleet.settings.base import Settings
from daskfleet.settings.descriptions import describe
from policies.rule import Parameters
from policies.rules import RULES, AnyRule
from release.project import ROOT

PAGE = ROOT / "docs" / "policies.md"
HEAD = """# Every policy

What no fleet may be, whoever declares it. [The policy pack](../policies/README.md) says how to run
them, and how a stack changes levels and parameters.

`python -m release.policies` writes this page from the policies themselves.

| policy | level | what holds |
|---|---|---|
"""
WHEN = {
    "resource": "It judges each resource by itself, before that one is created or changed.",
    "stack": "It judges all resources together, at the end of the preview.",
}


def page() -> str:
    """Draw a table of all policies, and a section of each."""
    describe(Settings)
    rows = [f"| [`{r.name}`](#{r.name}) | {r.level} | {r.description} |\n" for r in RULES]
    return HEAD + "".join(rows) + "".join(_section(rule) for rule in RULES)


def _section(rule: AnyRule) -> str:
    text = f"\n## {rule.name}\n\n{rule.description}\n\nLevel: {rule.level}. {WHEN[rule.scope]}\n"
    rows = "".join(_rows(rule.parameters))
    return text + (f"\n| parameter | default | what it is |\n|---|---|---|\n{rows}" if rows else "")


def _rows(parameters: type[Parameters]) -> Iterator[str]:
    for name, field in parameters.model_fields.items():
        about = " ".join((field.description or "").replace("``", "`").split())
        yield f"| `{name}` | `{json.dumps(field.default)}` | {about} |\n"


def main(arguments: list[str]) -> int:
    """Write the page, or check that it is current; the exit status."""
    return write_or_check({PAGE: page()}, arguments, module="release.policies")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
