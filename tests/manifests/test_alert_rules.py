"""Unit: the expressions of alerts and of the dashboard are PromQL, about metrics that there are.

Which of Dask's metrics there are, the showcase's tests ask of real schedulers and workers; when an
alert fires, ``test_alerts_in_prometheus`` asks of Prometheus.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest

from daskfleet.catalog.gpu_metrics import gpu_metrics
from daskfleet.settings.monitoring import Alerts
from manifests.alert_rules import alert_rules
from manifests.dashboards.__main__ import FILE, main
from manifests.dashboards.dask_team import panels
from manifests.pod_monitoring import KEPT
from tests.components.fleets import alpha
from tests.components.metric_names import metric_names

MADE_BY_PROMETHEUS = {"up"}


def rules(*, workers: int = 2, measures_gpus: bool = True, **alerts: int) -> dict[str, Any]:
    """The alerts of team alpha by name."""
    team = alpha(workers=workers).team
    spec = alert_rules(team, alerts=Alerts(**alerts), measures_gpus=measures_gpus)
    return {each["alert"]: each for each in spec["groups"][0]["rules"]}


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules().values())
    # Grafana replaces its variables before Prometheus sees them.
    yield from (panel.expr.replace("$__rate_interval", "4m") for panel in panels())


@pytest.mark.parametrize("expression", list(expressions()))
def test_every_expression_is_promql_about_metrics_that_are_kept(expression: str) -> None:
    names = metric_names(expression)

    assert names
    for name in names:
        is_of_a_gpu = name in gpu_metrics()
        is_of_dask = re.fullmatch(KEPT, name) is not None
        assert is_of_a_gpu or is_of_dask or name in MADE_BY_PROMETHEUS, name


def test_what_is_no_promql_does_not_pass() -> None:
    with pytest.raises(ValueError, match="unclosed left parenthesis"):
        promql_parser.parse("sum(up")


def test_every_alert_says_what_and_leads_to_a_heading_of_the_page() -> None:
    page = Path("docs/monitoring.md").read_text("utf-8")
    headings = {line.lstrip("# ").lower() for line in page.splitlines() if line.startswith("#")}
    for name, rule in rules().items():
        assert rule["annotations"]["summary"].endswith("."), name
        assert rule["annotations"]["description"].endswith("."), name
        file, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert Path(file).is_file()
        assert anchor in headings
        assert rule["labels"]["team"] == "alpha"


def test_alerts_on_gpus_only_where_gpus_are_measured() -> None:
    assert set(rules()) - set(rules(measures_gpus=False)) == {"DaskGpuIdleForDays"}


def test_a_team_that_declares_no_workers_misses_none() -> None:
    assert "DaskWorkersBelowDeclared" not in rules(workers=0)
    assert "< 2" in rules(workers=2)["DaskWorkersBelowDeclared"]["expr"]


def test_a_team_whose_workers_sleep_misses_some_but_never_all() -> None:
    asleep = {"idle": {"workers_after_min": 30}}

    def below(**changes: Any) -> str | None:
        spec = alert_rules(alpha(**changes).team, alerts=Alerts(), measures_gpus=False)
        found = {each["alert"]: each["expr"] for each in spec["groups"][0]["rules"]}
        return found.get("DaskWorkersBelowDeclared")

    assert "> 0) < 2" in (below(workers=2, **asleep) or "")
    assert below(workers=1, **asleep) is None


def test_workers_of_all_groups_are_counted() -> None:
    group = {"name": "more", "workers": 1}
    team = alpha(workers=1, groups=[group]).team

    assert team.minimum_workers_of_all_groups == 2


def test_of_an_adaptive_team_the_minimum_is_what_must_be_there() -> None:
    assert alpha(adaptive={"minimum": 1, "maximum": 2}).team.minimum_workers_of_all_groups == 1


def test_the_times_are_those_of_the_settings() -> None:
    changed = rules(scheduler_down_min=7, workers_missing_min=8, idle_days=9)

    assert changed["DaskSchedulerDown"]["for"] == "7m"
    assert changed["DaskWorkersBelowDeclared"]["for"] == "8m"
    assert "offset 9d" in changed["DaskIdleForDays"]["expr"]
    assert "[9d]" in changed["DaskGpuIdleForDays"]["expr"]


def test_the_dashboard_in_the_repository_is_the_one_that_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert FILE.is_file()
    assert main(["--check"]) == 0, capsys.readouterr().err
