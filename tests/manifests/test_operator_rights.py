"""Unit: what the operator's rules say, before an API server reads them."""

from collections.abc import Iterator, Sequence

from manifests.operator_rights import team_rules, watch_rules
from manifests.team_members import PolicyRule

SEES = {"get", "list", "watch"}


def rights(rules: Sequence[PolicyRule]) -> Iterator[tuple[str, str]]:
    for rule in rules:
        for resource in rule["resources"]:
            yield from ((verb, resource) for verb in rule["verbs"])


def test_outside_of_teams_the_operator_changes_no_object_that_is_not_dasks() -> None:
    changes = {(verb, what) for verb, what in rights(watch_rules()) if verb not in SEES}

    assert changes == {("patch", "daskclusters"), ("patch", "daskautoscalers")}


def test_no_rule_says_everything() -> None:
    assert not [each for each in rights((*watch_rules(), *team_rules())) if "*" in each]


def test_nothing_that_lends_a_right_or_holds_a_secret_is_in_a_rule() -> None:
    lends = {"secrets", "configmaps", "serviceaccounts", "roles", "rolebindings", "namespaces"}
    resources = {what.partition("/") for _, what in rights((*watch_rules(), *team_rules()))}

    assert lends.isdisjoint(name for name, _, _ in resources)
    assert {sub for _, _, sub in resources} == {"", "status"}


def test_all_that_kopf_watches_may_be_listed_too() -> None:
    watched = {what for verb, what in rights(watch_rules()) if verb == "watch"}

    assert watched == {what for verb, what in rights(watch_rules()) if verb == "list"}
