"""Unit: the page of policies has each of them, as it is."""

from policies.rules import RULES
from release import policies


def test_each_policy_has_its_section_with_every_parameter() -> None:
    sections = dict(each.split("\n", 1) for each in policies.page().split("\n## ")[1:])
    assert list(sections) == [rule.name for rule in RULES]
    for rule in RULES:
        assert rule.description in sections[rule.name]
        assert f"Level: {rule.level}." in sections[rule.name]
        for name, field in rule.parameters.model_fields.items():
            assert f"| `{name}` | " in sections[rule.name]
            assert field.description, name


def test_the_page_is_current() -> None:
    assert policies.main(["--check"]) == 0
