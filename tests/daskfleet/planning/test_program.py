"""Unit tests: from Pulumi's configuration to a plan, without the engine."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pulumi
import pytest
from pulumi.runtime import config

from daskfleet.planning.program import plan_current_stack

Configure = Callable[..., None]


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Configure]:
    """Set the stack's configuration as the engine hands it over."""
    monkeypatch.setattr(pulumi, "get_stack", lambda: "test")

    def set_config(settings: dict[str, Any], *, secret: list[str] | None = None) -> None:
        text = {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in settings.items()
        }
        config.set_all_config(text, secret or [])

    yield set_config
    config.set_all_config({}, [])


def test_settings_arrive_as_the_stack_file_has_them(configure: Configure) -> None:
    configure(
        {
            "daskfleet:project": "example-project",
            "daskfleet:teams": [{"name": "alpha", "workers": 1}],
            "gcp:project": "of-somebody-else",
        }
    )
    plan = plan_current_stack()
    assert plan.stack.project == "example-project"
    assert plan.teams[0].team.workers == 1


def test_a_refusal_is_an_error_that_pulumi_prints_without_a_traceback(
    configure: Configure,
) -> None:
    configure({"daskfleet:project": "example-project", "daskfleet:team": [{"name": "alpha"}]})
    with pytest.raises(pulumi.RunError) as caught:
        plan_current_stack()
    assert caught.value.__suppress_context__
    assert "stacks/Pulumi.test.yaml, daskfleet:team: " in str(caught.value)
    assert "write teams if that is what was meant" in str(caught.value)


def test_an_encrypted_value_is_refused_and_never_shown(configure: Configure) -> None:
    configure(
        {
            "daskfleet:project": "hunter2hunter2",
            "daskfleet:teams": [{"name": "alpha"}],
        },
        secret=["daskfleet:project"],
    )
    with pytest.raises(pulumi.RunError) as caught:
        plan_current_stack()
    assert "daskfleet:project: [secret]" in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("is_preview", [True, False])
def test_a_preview_says_what_a_new_generation_of_a_pool_takes(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, *, is_preview: bool
) -> None:
    said: list[str] = []
    monkeypatch.setattr(pulumi.log, "info", said.append)
    monkeypatch.setattr(pulumi.runtime, "is_dry_run", lambda: is_preview)
    configure(
        {
            "daskfleet:project": "example-project",
            "daskfleet:teams": [{"name": "alpha"}],
            "daskfleet:worker_pools": [{"replacement": "surge"}],
        }
    )
    (quota,) = plan_current_stack().surge_quotas
    assert said == ([quota.notice] if is_preview else [])


def test_warnings_go_to_pulumi_s_diagnostics(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", said.append)
    configure({"daskfleet:project": "example-project", "daskfleet:teams": [{"name": "alpha"}]})
    plan = plan_current_stack()
    assert said == list(plan.warnings)
    assert said


@pytest.mark.parametrize(
    ("teams", "said"),
    [
        ("[" * 100_000, "daskfleet:teams"),
        ('[{"name": "alpha", "workers": ' + "9" * 5000 + "}]", "daskfleet:teams"),
        ('[{"name": "alpha", "workers": 9007199254740993}]', "daskfleet:teams[0].workers"),
        ('[{"name": "\\u001b[31m"}]', "daskfleet:teams[0].name: \\x1b[31m"),
        ('[{"name": "\\u202ealpha"}]', "daskfleet:teams[0].name: \\u202ealpha"),
        ('[{"' + "k" * 100_000 + '": 1}]', "100000 characters"),
        ('{"alpha', "daskfleet:teams: {"),
    ],
    ids=["depth", "digits", "number", "escapes", "direction", "key", "no JSON"],
)
def test_what_pulumi_hands_over_has_the_bounds_of_a_file(
    configure: Configure, teams: str, said: str
) -> None:
    configure({"daskfleet:project": "example-project", "daskfleet:teams": teams})
    with pytest.raises(pulumi.RunError) as caught:
        plan_current_stack()
    assert said in str(caught.value)
    assert len(str(caught.value)) < 2000
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


def test_a_secret_that_breaks_a_bound_is_not_shown(configure: Configure) -> None:
    configure(
        {"daskfleet:project": "hunter2\x1b[31m", "daskfleet:teams": [{"name": "alpha"}]},
        secret=["daskfleet:project"],
    )
    with pytest.raises(pulumi.RunError) as caught:
        plan_current_stack()
    assert "daskfleet:project: [secret]" in str(caught.value)
    assert "hunter2" not in str(caught.value)
