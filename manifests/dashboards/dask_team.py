"""Pure: the dashboard of one team, in Grafana's JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Dashboard = dict[str, Any]
"""Grafana's model of a dashboard, without what an instance of Grafana adds."""

SCHEMA_VERSION = 39
"""Of Grafana 10.4 and later, which migrate older ones."""

DATA_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
TEAM = 'cluster=~"$cluster", namespace="$team"'
"""Which team: each is a namespace, and names may come again in another cluster."""

SCHEDULER = f'job="dask-scheduler", {TEAM}'
WORKER = f'job="dask-worker", {TEAM}'
GPU = f'pod=~".+-worker-.+", {TEAM}'

WIDTH = 24
PANEL_WIDTH = 8
PANEL_HEIGHT = 8


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One curve for each series of an expression."""

    title: str
    text: str
    """What it tells, for who moves the pointer over the panel's corner."""

    expr: str
    legend: str
    unit: str = "short"
    is_stacked: bool = False


def panels() -> tuple[Panel, ...]:
    """Return the panels, in the order in which people read them."""
    return (
        Panel(
            title="Workers",
            text="By state. Fewer than declared for half an hour is an alert.",
            expr=f"sum by (state) (dask_scheduler_workers{{{SCHEDULER}}})",
            legend="{{state}}",
            is_stacked=True,
        ),
        Panel(
            title="Tasks",
            text="By state. Many in no-worker ask for resources that no worker has.",
            expr=f"sum by (state) (dask_scheduler_tasks{{{SCHEDULER}}})",
            legend="{{state}}",
            is_stacked=True,
        ),
        Panel(
            title="Busy workers",
            text="Seconds of tasks per second, which is the number of workers that compute.",
            expr="sum by (dask_cluster) "
            f"(rate(dask_scheduler_tasks_compute_seconds_total{{{SCHEDULER}}}[$__rate_interval]))",
            legend="{{dask_cluster}}",
        ),
        Panel(
            title="Memory of workers",
            text="Managed is what tasks hold, unmanaged the rest of the processes, spilled is on "
            "disk.",
            expr=f"sum by (type) (dask_worker_memory_bytes{{{WORKER}}})",
            legend="{{type}}",
            unit="bytes",
            is_stacked=True,
        ),
        Panel(
            title="Memory of the scheduler",
            text="It grows with the graphs that clients send.",
            expr=f"process_resident_memory_bytes{{{SCHEDULER}}}",
            legend="{{pod}}",
            unit="bytes",
        ),
        Panel(
            title="Transfer between workers",
            text="Bytes that workers send to each other.",
            expr="sum by (dask_cluster) "
            f"(rate(dask_worker_transfer_outgoing_bytes_total{{{WORKER}}}[$__rate_interval]))",
            legend="{{dask_cluster}}",
            unit="Bps",
        ),
        Panel(
            title="Use of GPUs",
            text="Percent of the time in which a kernel ran. Needs monitoring.dcgm.",
            expr=f"DCGM_FI_DEV_GPU_UTIL{{{GPU}}}",
            legend="{{pod}}",
            unit="percent",
        ),
        Panel(
            title="Memory of GPUs",
            text="A pool that RMM reserves counts as used. Needs monitoring.dcgm.",
            expr=f"DCGM_FI_DEV_FB_USED{{{GPU}}} * 1048576",
            legend="{{pod}}",
            unit="bytes",
        ),
        Panel(
            title="Clients",
            text="Connections to the scheduler.",
            expr=f"sum by (dask_cluster) (dask_scheduler_clients{{{SCHEDULER}}})",
            legend="{{dask_cluster}}",
        ),
    )


def dashboard() -> Dashboard:
    """Return the dashboard."""
    return {
        "title": "Dask team",
        "uid": "daskfleet-team",
        "description": "What one team's Dask cluster does. "
        "Written by `python -m manifests.dashboards`.",
        "tags": ["daskfleet", "dask"],
        "schemaVersion": SCHEMA_VERSION,
        "editable": True,
        "time": {"from": "now-6h", "to": "now"},
        "refresh": "1m",
        "templating": {"list": list(_variables())},
        "panels": list(_placed(panels())),
    }


def _variables() -> Iterator[dict[str, Any]]:
    source = {"name": "datasource", "label": "Data source", "type": "datasource"}
    yield {**source, "query": "prometheus"}
    for name, label, query in (
        ("cluster", "GKE cluster", "label_values(dask_scheduler_clients, cluster)"),
        ("team", "Team", 'label_values(dask_scheduler_clients{cluster=~"$cluster"}, namespace)'),
    ):
        yield {
            "name": name,
            "label": label,
            "type": "query",
            "datasource": DATA_SOURCE,
            "query": {"query": query, "refId": name},
            "refresh": 2,
            "sort": 1,
        }


def _placed(shown: Sequence[Panel]) -> Iterator[dict[str, Any]]:
    for number, panel in enumerate(shown):
        row, column = divmod(number * PANEL_WIDTH, WIDTH)
        place = {"h": PANEL_HEIGHT, "w": PANEL_WIDTH, "x": column, "y": row * PANEL_HEIGHT}
        yield {
            "id": number + 1,
            "type": "timeseries",
            "title": panel.title,
            "description": panel.text,
            "datasource": DATA_SOURCE,
            "gridPos": place,
            "fieldConfig": {"defaults": _defaults(panel), "overrides": []},
            "targets": [
                {
                    "refId": "A",
                    "datasource": DATA_SOURCE,
                    "expr": panel.expr,
                    "legendFormat": panel.legend,
                }
            ],
        }


def _defaults(panel: Panel) -> dict[str, Any]:
    return {
        "unit": panel.unit,
        "min": 0,
        "custom": {
            "fillOpacity": 20 if panel.is_stacked else 0,
            "stacking": {"mode": "normal" if panel.is_stacked else "none"},
        },
    }
