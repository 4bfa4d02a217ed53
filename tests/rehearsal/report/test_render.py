"""Unit: the report as it is read, at the width of a usual terminal."""

import io
from pathlib import Path
from xml.etree import ElementTree as ET

from rich.console import Console

from daskfleet.contract.seen import PodRow
from rehearsal.report.model import Claim, Cost, Report, StagePart, StepResult
from rehearsal.report.picture import save_picture
from rehearsal.report.render import render_report

POD = "climate-default-worker-462d629c34-55d7fbdd88-j982p"
NODE = "gke-rapids-gpu-scheduler-pool-08a986a9-7gkc"


def report(*, is_ready: bool = True) -> Report:
    return Report(
        stack="rehearsal",
        pods=(
            PodRow(
                team="climate",
                role="worker",
                name=POD,
                namespace="climate",
                node=NODE if is_ready else "",
                pool="a100-fixed" if is_ready else "",
                accelerator="nvidia-tesla-a100" if is_ready else "",
                phase="Running" if is_ready else "Pending",
                is_ready=is_ready,
                image="i",
                reason="" if is_ready else "Insufficient nvidia.com/gpu",
            ),
        ),
        claims=(Claim(text="workers are ready", holds=is_ready, evidence="1 worker"),),
        steps=(StepResult(name="pulumi up", outcome="", duration_s=40.4),),
        stage=(
            StagePart(part="Helm", is_real=True, what_ran="v3"),
            StagePart(part="GPUs", is_real=False, what_ran="none"),
        ),
        cost=Cost(
            idle_usd_per_hour=1.5,
            idle_usd_per_month=1095,
            full_usd_per_hour=23.01,
            full_usd_per_month=16797.17,
            prices_as_of="2026-07-30",
        ),
    )


def printed(shown: Report) -> str:
    words = io.StringIO()
    render_report(shown, Console(file=words, width=100))
    return words.getvalue()


def test_whole_names_fit_into_100_columns() -> None:
    text = printed(report())
    assert POD in text
    assert NODE in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_good_report_says_so_and_what_it_would_cost() -> None:
    text = printed(report())
    assert "All 1 claims hold." in text
    assert "23.01 USD/hour" in text
    assert "16,797 USD/month" in text


def test_up_alone_all_steps_and_the_toolchain_are_told_apart() -> None:
    seconds = {"toolchain": 804.0, "stage": 7.0, "pulumi preview": 6.0, "pulumi up": 40.4}
    steps = tuple(
        StepResult(name=name, outcome="", duration_s=took) for name, took in seconds.items()
    )
    cold = printed(report().model_copy(update={"steps": steps}))
    warm = printed(report().model_copy(update={"steps": steps[1:]}))

    assert "`pulumi up` took 40 s, all steps 53 s, after 804 s for the toolchain." in cold
    assert "`pulumi up` took 40 s, all steps 53 s." in warm


def test_a_pending_pod_shows_its_reason_and_the_failed_claims_are_counted() -> None:
    text = printed(report(is_ready=False))
    assert "Insufficient nvidia.com/gpu" in text
    assert "1 of 1 claims do not hold." in text


def test_the_json_is_the_same_report() -> None:
    assert Report.model_validate_json(report().model_dump_json()) == report()


def test_the_picture_shows_every_pod_and_loads_nothing(tmp_path: Path) -> None:
    picture = tmp_path / "report.svg"
    save_picture(report(), picture)

    svg = ET.fromstring(picture.read_text())  # noqa: S314 - we have just written it
    text = "".join(svg.itertext())
    for pod in report().pods:
        assert pod.name in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "url(http" not in picture.read_text(encoding="utf-8")


def test_what_could_not_be_measured_neither_holds_nor_fails() -> None:
    gpu = Claim(text="computes on its GPU", holds=False, evidence="no GPU", is_measured=False)
    shown = report().model_copy(update={"claims": (*report().claims, gpu)})
    text = printed(shown)
    assert shown.failed_claims == ()
    assert "All 1 claims hold. 1 more could not be measured here." in text
    assert "? " in text


def test_a_failed_check_says_whose_it_is_and_what_to_do() -> None:
    broken = Claim(
        text="one version everywhere",
        holds=False,
        evidence="two",
        team="climate",
        next_step="Rebuild the image.",
    )
    text = printed(report().model_copy(update={"claims": (broken,)}))
    assert "climate: one version everywhere" in text
    assert "Rebuild the image." in text
