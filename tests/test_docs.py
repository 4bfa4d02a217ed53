"""What the documents say is true; unit tier."""

import json
import re
from pathlib import Path
from statistics import median

import pytest
import yaml

from bench.bring_up import BringUpResult
from bench.record import Record
from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.fleet import plan_draft, plan_fleet
from daskfleet.planning.images import is_pinned, read_image
from daskfleet.planning.plan import FleetPlan
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack import Stack
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.team import Team
from daskfleet.stack_text.project_file import NAMESPACE
from daskfleet.verbs import VERBS
from tests.project import PROJECT_DIR

DOCS = PROJECT_DIR / "docs"
README = (PROJECT_DIR / "README.md").read_text()
FIRST_ENVIRONMENT = (DOCS / "first-environment.md").read_text()
COST = (DOCS / "cost.md").read_text()
EVIDENCE = (DOCS / "evidence.md").read_text()
FOR_TEAMS = (DOCS / "README.md").read_text()
DOCUMENTS = sorted(
    path
    for path in PROJECT_DIR.rglob("*.md")
    if not {".venv", ".rehearsal"} & set(path.relative_to(PROJECT_DIR).parts)
)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def minimal_stack(page: str) -> Stack:
    """Read the one stack file that the page shows."""
    blocks = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)
    (config,) = (yaml.safe_load(each)["config"] for each in blocks if "config:" in each)
    return Stack.model_validate(
        {key.removeprefix(f"{NAMESPACE}:"): value for key, value in config.items()}
    )


def settings_in_tables(page: str) -> list[dict[str, object]]:
    """The settings that a page shows in its tables."""
    rows = [line.strip() for line in page.splitlines() if line.lstrip().startswith("| ")]
    spans = [span for row in rows for span in re.findall(r"`([a-z_]+: [^`]+)`", row)]
    return [yaml.safe_load(span) for span in spans]


def cost_row(plan: FleetPlan) -> tuple[str, str]:
    idle, full = (
        f"{hourly:.2f} USD/h, {hourly * HOURS_PER_MONTH:,.0f} USD/month"
        for hourly in (plan.cost.idle_usd_per_hour, plan.cost.full_usd_per_hour)
    )
    return idle, full


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT_DIR)))
def test_every_link_between_documents_leads_somewhere(document: Path) -> None:
    broken = [
        target
        for target in LINK.findall(document.read_text())
        if not (document.parent / target).exists()
    ]
    assert broken == []


def test_pages_show_one_minimal_stack_file_and_it_is_accepted() -> None:
    stack = minimal_stack(README)
    assert stack == minimal_stack(FIRST_ENVIRONMENT)
    assert plan_fleet(stack).teams


def test_the_pools_that_the_page_shows_for_twenty_teams_hold_them_and_no_more() -> None:
    (pools,) = (
        yaml.safe_load(each)
        for each in re.findall(r"```yaml\n(.*?)```", FIRST_ENVIRONMENT, flags=re.DOTALL)
        if "worker_pools" in each
    )
    settings = {key.removeprefix(f"{NAMESPACE}:"): value for key, value in pools.items()}

    def fleet(teams: int) -> FleetPlan:
        named = [{"name": f"team-{number}", "workers": 2} for number in range(1, teams + 1)]
        return plan_fleet(
            Stack.model_validate({"project": "example-project", **settings, "teams": named})
        )

    assert len(fleet(20).teams) == 20
    with pytest.raises(StackRefusedError, match="find no place"):
        fleet(21)


def test_the_settings_of_the_page_for_teams_are_accepted() -> None:
    shown = settings_in_tables(FOR_TEAMS)
    assert len(shown) > 4
    for settings in shown:
        assert Team.model_validate({"name": "fraud", **settings}).model_fields_set > {"name"}


def test_the_settings_for_those_who_come_from_elsewhere_are_accepted() -> None:
    member = {"name": "fraud", "members": ["user:alice@example.com"]}
    least = {"project": "example-project", "teams": [{**member, "workers": 1}]}
    shown = settings_in_tables((DOCS / "which-dask.md").read_text("utf-8"))
    assert len(shown) > 6
    for settings in shown:
        if settings.keys() <= Team.model_fields.keys():
            assert Team.model_validate({**member, **settings})
        else:
            assert plan_fleet(Stack.model_validate({**least, **settings})).teams


def test_the_command_of_workers_on_the_page_of_questions_is_accepted_with_its_preload() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", (DOCS / "faq.md").read_text(), flags=re.DOTALL)
    stack = Stack.model_validate({"project": "example-project", "teams": yaml.safe_load(block)})
    (team,) = plan_fleet(stack).teams
    assert team.first_group.command[-2:] == ("--preload", "fraud.on_workers")


def test_the_settings_of_the_page_about_images_are_accepted_and_pinned() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (DOCS / "image.md").read_text(), flags=re.DOTALL)
    (by_tag,), by_digest = (yaml.safe_load(block) for block in blocks)
    for settings in (by_tag, {"name": "fraud", **by_digest}):
        image = Team.model_validate(settings).image
        assert image is not None
        contents = read_image(image)
        assert contents is not None
        assert contents.image.rapids == "26.10"
        assert is_pinned(contents.image.ref)


def test_the_commands_of_the_page_for_teams_exist() -> None:
    shown = set(re.findall(r"`daskfleet ([a-z-]+)", FOR_TEAMS))
    assert {"connect", "verify", "cost"} <= shown <= set(VERBS)


@pytest.mark.parametrize("stack", ["dev", "prod"])
def test_the_page_tells_what_the_example_stacks_cost(stack: str) -> None:
    row = next(line for line in COST.splitlines() if line.startswith(f"| [{stack}]"))
    plan = plan_draft(read_stack_file(PROJECT_DIR / "stacks" / f"Pulumi.{stack}.yaml"))
    idle, full = cost_row(plan)
    assert row.endswith(f"| {idle} | {full} |")


def test_the_page_tells_what_a_minimal_stack_costs() -> None:
    idle, full = cost_row(plan_fleet(minimal_stack(README)))
    assert idle == full
    assert f"| {idle} | the same: all pools are fixed |" in COST


def test_the_page_tells_how_the_fault_catalogue_ended() -> None:
    report = json.loads((PROJECT_DIR / "bench" / "results" / "faults.json").read_text())
    endings = report["endings"]
    assert report["cases"] == sum(endings.values())
    told = (
        f"Of {report['cases']} cases {endings['went through']} went through,",
        f"and {endings['again']} needed the same command again.",
        f"{endings['recovered']} needed `recover` and then the command,",
        f"{endings['replaced']} a replacement of something unusable,",
        f"and {endings.get('failed', 0)} failed.",
    )
    assert " ".join(told) in EVIDENCE


def test_the_page_tells_how_much_longer_an_up_takes_than_it_has_to() -> None:
    rows = {row.way: row for row in Record[BringUpResult].read("bring_up").result.rows}
    ours, one_at_a_time = rows["daskfleet"], rows["one at a time"]
    ratio = median(run.whole_s for run in ours.runs) / ours.necessary_s
    slower = median(run.whole_s for run in one_at_a_time.runs) / ours.necessary_s
    told = (
        f"{ratio:.2f} times as long as the steps that no order avoids, one at a time {slower:.2f}"
    )
    assert told in EVIDENCE


def test_the_page_tells_what_the_change_classes_foretold() -> None:
    report = json.loads((PROJECT_DIR / "bench" / "results" / "change_classes.json").read_text())
    planned = report["changes_planned_as_foretold"]
    carried_out = report["changes_carried_out_as_foretold"]
    told = (
        f"{planned} of {planned} changes were planned as predicted, "
        f"and {carried_out} of {carried_out} carried out"
    )
    assert told in EVIDENCE
    assert len(report["only_planned"]) == planned - carried_out


def test_every_make_target_that_documents_name_exists() -> None:
    targets = set(
        re.findall(r"^([a-z-]+):", (PROJECT_DIR / "Makefile").read_text(), flags=re.MULTILINE)
    )
    named = {
        target
        for document in DOCUMENTS
        for target in re.findall(r"`make ([a-z-]+)`", document.read_text())
    }
    assert named
    assert named <= targets
