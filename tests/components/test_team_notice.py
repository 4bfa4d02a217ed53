"""Unit: what the program posts in each team's namespace, and for whom."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from components.outputs.notice import notice, notice_text, release
from daskfleet.contract.notice import Notice
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from tests.components.fleets import fleet
from tests.recorded_program import Recording, record

CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
SHOWCASE = Path("stacks") / "Pulumi.showcase.yaml"


def showcase() -> dict[str, Any]:
    settings = yaml.safe_load(SHOWCASE.read_text("utf-8"))["config"]
    return {key.removeprefix("daskfleet:"): value for key, value in settings.items()}


@pytest.fixture(scope="module")
def recording() -> Recording:
    """The showcase, which has one of everything that a team can have."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        return record(showcase(), monkeypatch)


def notices(recording: Recording) -> dict[str, str]:
    """The documents by namespace."""
    return {
        each.inputs["metadata"]["namespace"]: each.inputs["data"]["notice.json"]
        for each in recording.of_type(CONFIG_MAP)
        if each.inputs["metadata"]["name"] == "daskfleet"
    }


def told(**team: Any) -> Notice:
    plan = fleet(teams=[{"name": "alpha", **team}])
    return notice(
        plan.teams[0],
        stack=plan.stack,
        pools=gpu_pool_specs(plan.stack),
        stack_name="prod",
    )


def test_every_team_has_one_and_what_is_written_is_what_is_read(recording: Recording) -> None:
    documents = notices(recording)

    assert documents.keys() == {"atmosphere", "biology", "chemistry", "oceanography"}
    for team, text in documents.items():
        read = Notice.model_validate_json(text)
        assert read.teams.keys() == {team}
        assert (read.stack, read.release) == ("test", release())
        assert notice_text(read) == text


def test_it_says_all_that_a_member_must_know(recording: Recording) -> None:
    documents = {team: json.loads(text) for team, text in notices(recording).items()}
    atmosphere = documents["atmosphere"]["teams"]["atmosphere"]

    assert atmosphere["address"] == "tls://dask.atmosphere.svc.cluster.local:8786"
    assert atmosphere["dashboard"].endswith(":8787/status")
    assert atmosphere["tls_client_secret"].startswith("dask-tls-")
    assert atmosphere["jupyter"]["token_secret"]
    assert atmosphere["packages"].keys() == {"dask", "distributed"}
    assert atmosphere["worker_pod"]["gpus"] == 1
    assert atmosphere["groups"]["memory"]["worker_resources"] == {"MEMORY": 70}
    assert atmosphere["groups"]["memory"]["worker_pod"] == {"cpu": 2, "memory_gib": 4, "gpus": 0}
    assert [pool["name"] for pool in documents["atmosphere"]["pools"]] == [
        "scheduler-pool",
        "a100",
        "l4",
        "cpu",
    ]
    biology = documents["biology"]["teams"]["biology"]
    assert (biology["workers"], biology["most_workers"]) == (1, 2)
    assert biology["own_clusters"] == {
        "max_workers": 1,
        "max_clusters": 1,
        "spec_config_map": "dask-cluster-spec",
        "spec_key": "cluster.yaml",
        "spec_name": "biology-own",
    }
    assert documents["chemistry"]["teams"]["chemistry"]["sleep"] == {"idle_after_min": 30}
    assert documents["chemistry"]["monitoring"] == {"prometheus": "managed"}


def test_a_teams_hours_are_told_as_the_stack_file_has_them() -> None:
    hours = "Mon-Fri 07:00-20:00 Europe/Amsterdam"
    sleep = told(hours=hours).teams["alpha"].sleep

    assert sleep is not None
    assert (sleep.hours, sleep.idle_after_min) == (hours, None)


def test_no_secret_of_the_plan_and_nothing_of_another_team_is_in_it(recording: Recording) -> None:
    documents = notices(recording)
    secrets = [
        text
        for each in recording.of_type("kubernetes:core/v1:Secret")
        for text in texts(each.inputs["data"])
    ]

    assert len(secrets) >= 4
    for team, text in documents.items():
        others = documents.keys() - {team}
        assert [each for each in (*secrets, *others, "KEY OF", "PASSWORD OF") if each in text] == []


def texts(value: Any) -> list[str]:
    """Every text inside of a value."""
    match value:
        case dict():
            return [text for inner in value.values() for text in texts(inner)]
        case list():
            return [text for inner in value for text in texts(inner)]
        case str():
            return [value]
        case _:
            return []


def test_it_comes_after_the_cluster_that_it_tells_of(recording: Recording) -> None:
    (cluster,) = (each for each in recording.registrations if each.name == "chemistry-dask-cluster")
    (posted,) = (each for each in recording.registrations if each.name == "chemistry-notice")

    assert any(urn.endswith(f"::{cluster.name}") for urn in posted.dependencies)


def test_a_retired_team_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = showcase()
    settings["teams"][2]["retire"] = True

    assert "chemistry" not in notices(record(settings, monkeypatch))


def test_a_changed_word_is_an_update_and_no_replacement(recording: Recording) -> None:
    (provider,) = recording.of_type("pulumi:providers:kubernetes")

    assert provider.inputs["enableConfigMapMutable"] in (True, "true")
    (posted,) = (each for each in recording.registrations if each.name == "chemistry-notice")
    assert posted.replace_on_changes == ()
