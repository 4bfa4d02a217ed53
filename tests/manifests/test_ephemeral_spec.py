"""Unit: a cluster of a member's own is the fixed one but for its name, its size and its end."""

import yaml

from manifests.dask_generation import generation
from manifests.ephemeral_spec import default_name, make_cluster_spec
from tests.components.fleets import alpha


def test_only_name_size_end_and_owner_differ_from_the_fixed_cluster() -> None:
    plan = alpha(workers=2)
    own = make_cluster_spec(plan, name="alpha-grace", workers=1, idle_timeout_s=60)
    text = yaml.safe_dump(own).replace("alpha-grace", "alpha")
    as_fixed = yaml.safe_load(text)

    assert as_fixed["spec"].pop("idleTimeout") == 60
    assert as_fixed["spec"]["worker"].pop("replicas") == 1
    fixed = generation(plan)
    assert fixed["metadata"]["labels"].pop("app.kubernetes.io/part-of") == "daskfleet"
    del fixed["spec"]["idleTimeout"], fixed["spec"]["worker"]["replicas"]
    assert as_fixed == fixed


def test_a_notebook_renames_it_by_replacing_its_name() -> None:
    plan = alpha(labels={"cost-center": "cc-1"})
    text = yaml.safe_dump(make_cluster_spec(plan, name=default_name(plan)))

    assert yaml.safe_load(text.replace(default_name(plan), "alpha-x")) == make_cluster_spec(
        plan, name="alpha-x"
    )
