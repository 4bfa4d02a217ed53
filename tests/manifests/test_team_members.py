"""Unit: what the members of a team may do, and who they are to Kubernetes."""

import pytest

from manifests.team_members import member_rules, subject


def test_members_are_users_and_groups_as_gke_knows_them() -> None:
    assert [
        (found["kind"], found["name"])
        for found in map(
            subject,
            (
                "user:alice@example.com",
                "serviceAccount:robot@example-project.iam.gserviceaccount.com",
                "group:alpha@example.com",
            ),
        )
    ] == [
        ("User", "alice@example.com"),
        ("User", "robot@example-project.iam.gserviceaccount.com"),
        ("Group", "alpha@example.com"),
    ]


def verbs(resource: str) -> set[str]:
    return {
        verb
        for rule in member_rules(may_scale=True)
        if resource in rule["resources"]
        for verb in rule["verbs"]
    }


@pytest.mark.parametrize(
    "resource",
    ["pods/exec", "pods/attach", "pods/ephemeralcontainers", "secrets", "serviceaccounts/token"],
)
def test_nothing_is_said_of_what_would_lead_into_a_pod_or_to_a_secret(resource: str) -> None:
    assert verbs(resource) == set()


def test_scaling_is_the_only_change_that_a_member_may_make() -> None:
    changing = {"create", "update", "patch", "delete", "deletecollection"}
    changed = {
        resource
        for rule in member_rules(may_scale=True)
        for resource in rule["resources"]
        if changing & set(rule["verbs"])
    }

    assert changed == {"pods/portforward", "daskworkergroups/scale"}


def test_no_right_is_given_by_a_wildcard() -> None:
    assert [
        rule
        for rule in member_rules(may_scale=True)
        if any("*" in part for words in rule.values() for part in words)
    ] == []


def test_of_configmaps_a_member_may_get_the_one_that_is_posted_for_members() -> None:
    found = [rule for rule in member_rules(may_scale=True) if "configmaps" in rule["resources"]]

    assert [(rule["verbs"], rule["resourceNames"]) for rule in found] == [(["get"], ["daskfleet"])]
