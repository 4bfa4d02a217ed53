"""Reports to draw: one that a real `rehearse up` made, and what can be wrong with it."""

from pathlib import Path
from typing import Any

from daskfleet.contract.seen import NodeRow, PodRow, PoolRow
from rehearsal.report.model import Claim, Report

SAMPLE_FILE = Path(__file__).with_name("samples") / "rehearsal.json"
HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>&amp;\'"'
NO_ROOM = "0/5 nodes are available: 5 Insufficient nvidia.com/gpu."

UNMEASURED = Claim(
    text="computes on its GPU",
    holds=False,
    evidence="not measured: no GPU",
    team="climate",
    is_measured=False,
)
FAILED = Claim(
    text="scheduler, workers and client have one version of distributed",
    holds=False,
    evidence="scheduler 2026.8.0, worker climate-1 2026.7.0",
    team="climate",
    next_step="Give all of them one image, then run `pulumi up`.",
)
HOLDS = Claim(text="a sum of 10 chunks is right", holds=True, evidence="45", team="climate")


def sample() -> Report:
    """What `rehearse up --latency scaled:30` saved."""
    return Report.model_validate_json(SAMPLE_FILE.read_bytes())


def changed(report: Report, **parts: Any) -> Report:
    return report.model_copy(update=parts)


def broken() -> Report:
    """The sample with checks of one team, one of them failed, and a pod that finds no place."""
    report = sample()
    of_fleet = [claim for claim in report.claims if not claim.team]
    *others, last = report.pods
    pending = last.model_copy(
        update={
            "node": "",
            "pool": "",
            "accelerator": "",
            "phase": "Pending",
            "is_ready": False,
            "reason": NO_ROOM,
        }
    )
    first, *rest = others
    unready = first.model_copy(update={"is_ready": False, "reason": "containers not ready"})
    return changed(
        report,
        pods=(unready, *rest, pending),
        claims=(*of_fleet, HOLDS, UNMEASURED, FAILED),
    )


def hostile() -> Report:
    """A report in which each text that comes from elsewhere tries to be HTML."""
    report = broken()
    return changed(
        report,
        stack=HOSTILE,
        pods=tuple(
            pod.model_copy(update={"team": HOSTILE, "name": HOSTILE, "reason": HOSTILE})
            for pod in report.pods
        ),
        claims=tuple(
            claim.model_copy(update={"text": HOSTILE, "evidence": f"`{HOSTILE}`", "team": HOSTILE})
            for claim in report.claims
        ),
        nodes=tuple(node.model_copy(update={"name": HOSTILE}) for node in report.nodes[:1]),
        pools=tuple(pool.model_copy(update={"name": HOSTILE}) for pool in report.pools[:1]),
    )


def node(name: str, **changes: Any) -> NodeRow:
    fields = {
        "name": name,
        "pool": "a100",
        "machine_type": "a2-highgpu-2g",
        "accelerator": "nvidia-tesla-a100",
        "gpus": 2,
        "gpu_shares": 2,
        "is_ready": True,
    }
    return NodeRow.model_validate({**fields, **changes})


def pod(name: str, on: str, **changes: Any) -> PodRow:
    fields = {
        "team": "climate",
        "role": "worker",
        "name": name,
        "namespace": "climate",
        "node": on,
        "pool": "a100",
        "accelerator": "nvidia-tesla-a100",
        "phase": "Running",
        "is_ready": True,
        "image": "i",
        "reason": "",
        "gpu_shares": 1,
    }
    return PodRow.model_validate({**fields, **changes})


def pool(name: str, **changes: Any) -> PoolRow:
    fields = {
        "name": name,
        "role": "worker",
        "machine_type": "a2-highgpu-2g",
        "accelerator": "nvidia-tesla-a100",
        "gpus_per_node": 2,
        "min_nodes": 1,
        "max_nodes": 1,
    }
    return PoolRow.model_validate({**fields, **changes})


def fleet_report(
    *pods: PodRow, nodes: tuple[NodeRow, ...], pools: tuple[PoolRow, ...] = ()
) -> Report:
    """A report of nothing but a fleet."""
    return Report(
        stack="s", pods=pods, claims=(), steps=(), stage=(), cost=None, nodes=nodes, pools=pools
    )


def idle() -> Report:
    """The sample after an `up` that had nothing to do, with a pod that has two GPUs."""
    report = sample()
    assert report.timeline is not None
    nothing = report.timeline.model_copy(update={"spans": (), "up_s": 0.0})
    return changed(
        report,
        timeline=nothing,
        nodes=(*report.nodes, node("two-gpus"), node("no-driver", gpu_shares=0)),
        pods=(*report.pods, pod("both", "two-gpus", gpu_shares=2)),
    )
