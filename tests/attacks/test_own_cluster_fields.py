"""Attack: every field that the operator's schema knows, one by one, in a cluster of a member's own.

A real API server answers, in a dry run. What is accepted is the list below and nothing else; a
field that a later version of the operator brings is tried by itself.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.attacks.changed_fields import ABSENT, Change, changes
from tests.attacks.team_of_members import DEFINITIONS, TeamOfMembers

pytestmark = pytest.mark.rehearsal

CONTAINER = r"spec\.(scheduler|worker)\.spec\.containers\[0\]"
FREE = re.compile(rf"{CONTAINER}\.(image|args(\[\d+\])?|env(\[\d+\]\.(name|value))?)")
VARIABLE = re.compile(rf"{CONTAINER}\.env\[\d+\]")
LESS_CPU = re.compile(rf"{CONTAINER}\.resources\.requests\.cpu")


def may_be(change: Change) -> bool:
    """Say what a member may change; written without a look at the policy."""
    path, value = change.path, change.value
    if path == "spec.idleTimeout":
        return value is not ABSENT and value >= 60
    if path == "spec.worker.replicas":
        return value is ABSENT or 0 <= value <= 2
    if LESS_CPU.fullmatch(path):
        return value == "1" and "worker" in path
    if VARIABLE.fullmatch(path):
        return value is ABSENT or "valueFrom" not in value
    return FREE.fullmatch(path) is not None


def schema_of_the_spec() -> dict[str, Any]:
    text = Path(DEFINITIONS / "daskcluster.yaml").read_text("utf-8")
    (version,) = yaml.safe_load(text)["spec"]["versions"]
    return dict(version["schema"]["openAPIV3Schema"]["properties"]["spec"])


def blames(sentence: str, change: Change) -> bool:
    """Whether a refusal names the field, or an object that it is in."""
    cuts = (change.path[: found.start()] for found in re.finditer(r"[.\[]|$", change.path))
    return any(cut in sentence for cut in cuts if cut.count(".") > 0)


def test_of_all_fields_only_those_on_the_list_may_differ(team: TeamOfMembers) -> None:
    own = team.spec()
    tried = list(changes(schema_of_the_spec(), own["spec"], steps=("spec",)))
    assert len(tried) > 800, "the schema was not read"
    wrong = []
    for change in tried:
        said = team.creates(change.made_in(own))
        refused = said.refused_by_policy and blames(said.sentence, change)
        if (said.accepted, refused) != (may_be(change), not may_be(change)):
            wrong.append(f"{change}: {'accepted' if said.accepted else said.message}")

    assert wrong == []
