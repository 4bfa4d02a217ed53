"""What is said to differ, and to cost while both are there."""

from dataclasses import replace

from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.drafting.compared import Part, compared
from daskfleet.platform.drafting.draft import draft_stack
from daskfleet.platform.drafting.found import Found
from daskfleet.settings.loading import parse
from tests.daskfleet.platform.drafting.found_clusters import (
    A100S,
    CPUS,
    T4,
    dask,
    dask_cluster,
    found,
    pool_answer,
)

UNLIKE_A_FLEETS = found(
    of_dask=dask(dask_cluster()),
    networkConfig={},
)


def parts(there: Found, *, is_fleet: bool = True) -> dict[str, Part]:
    """Each part by the last words of its name."""
    draft = draft_stack(there)
    plan = plan_draft(parse(draft.settings, file="draft")) if is_fleet else None
    return {
        each.name.partition(",")[0].rpartition(" ")[2]: each
        for each in compared(there, draft, plan)
    }


def test_what_cannot_change_is_told_of_the_cluster_and_of_each_pool() -> None:
    told = parts(UNLIKE_A_FLEETS)

    assert [each.field for each in told["rapids"].differs] == ["datapathProvider"]
    assert "nodeConfig.serviceAccount" in {each.field for each in told["a100"].differs}


def test_both_are_paid_for_and_need_quota_while_they_are_there() -> None:
    told = parts(UNLIKE_A_FLEETS)

    assert told["rapids"].together == "0.10 USD per hour"
    usd, _, quota = told["a100"].together.partition(" USD per hour; ")
    assert 14 < float(usd) < 16  # two a2-highgpu-2g at 7.35, with their disks
    assert quota == "GPU quota for 4 more nvidia-tesla-a100"
    assert told["system"].together.endswith("USD per hour")


def test_a_price_that_nobody_knows_is_not_counted_as_nothing() -> None:
    draft = draft_stack(UNLIKE_A_FLEETS)
    plan = plan_draft(parse(draft.settings, file="draft"))
    lines = tuple(replace(line, usd_per_hour_each=None) for line in plan.cost.lines)

    told = [*compared(UNLIKE_A_FLEETS, draft, replace(plan, cost=replace(plan.cost, lines=lines)))]

    assert len(told) == 5
    assert all("price that is not known" in each.together for each in told[:4])


def test_a_dask_cluster_is_named_with_what_its_team_has_to_do() -> None:
    assert "saves first" in parts(UNLIKE_A_FLEETS)["default/fraud"].note


def test_a_pool_that_the_draft_leaves_out_is_named() -> None:
    batch = pool_answer("batch", "n2-standard-8")

    told = parts(found(CPUS, batch, T4, A100S, of_dask=dask(dask_cluster())))

    assert told["batch"].note == "the draft leaves it out"


def test_without_a_fleet_to_compare_with_nothing_is_said_of_pools_and_costs() -> None:
    told = parts(found(), is_fleet=False)

    assert "not compared" in told["a100"].note
    assert not told["a100"].differs
    assert not told["rapids"].together
