"""Unit: the policy's frame. What it refuses, a real API server says (tests/attacks)."""

import json
import re
from typing import Any

from manifests.ephemeral_admission import AdmissionPolicySpec, admission_policy
from manifests.ephemeral_rules import ephemeral_rules
from manifests.team_members import member_rules
from tests.components.fleets import alpha

CHANGING = {"create", "update", "patch", "delete"}


def policy(**changes: Any) -> AdmissionPolicySpec:
    members = {"members": ["user:grace@example.com"], "ephemeral": {"max_workers": 2}}
    return admission_policy(
        alpha(**members, **changes), max_workers=2, operator_namespace="dask-operator"
    )


def test_what_cannot_be_judged_is_refused() -> None:
    assert policy()["failurePolicy"] == "Fail"


def test_everything_that_a_member_may_change_is_looked_at() -> None:
    (rule,) = policy()["matchConstraints"]["resourceRules"]
    changed = {
        resource
        for rule in (*member_rules(may_scale=True), *ephemeral_rules())
        if "kubernetes.dask.org" in rule["apiGroups"] and CHANGING & set(rule["verbs"])
        for resource in rule["resources"]
    }

    assert changed <= set(rule["resources"])
    assert rule["operations"] == ["CREATE", "UPDATE", "DELETE"]


def test_each_refusal_is_a_sentence_for_people() -> None:
    """The API server takes no line breaks, and shows no message of more than 5,120 bytes."""
    for validation in policy()["validations"]:
        assert re.fullmatch(r"[^\n]{30,600}", validation["message"])


def test_a_policy_is_small_and_the_same_for_the_same_team() -> None:
    assert policy() == policy()
    assert len(json.dumps(policy(tls=True, labels={f"l{n}": "x" * 60 for n in range(20)}))) < 2**15


def test_another_template_is_another_policy() -> None:
    assert policy() != policy(worker={"shm_gib": 4}), "volumes are the team's"
    assert policy() == policy(worker={"environment": {"X": "1"}}), "variables are a member's"
