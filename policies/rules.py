"""All policies of the pack."""

from typing import Any, TypeAlias

from policies import (
    control_plane_access,
    gpu_taints,
    load_balancer_sources,
    long_lived,
    monthly_budget,
    namespace_limits,
    pinned_charts,
    pinned_images,
    privileged_pods,
    public_principals,
    requests_and_limits,
    required_affinity,
    same_image,
    scheduler_gpu,
    software_fits,
    team_labels,
)
from policies.rule import Rule

AnyRule: TypeAlias = Rule[Any]

RULES: tuple[AnyRule, ...] = (
    same_image.RULE,
    scheduler_gpu.RULE,
    gpu_taints.RULE,
    required_affinity.RULE,
    software_fits.RULE,
    control_plane_access.RULE,
    load_balancer_sources.RULE,
    public_principals.RULE,
    privileged_pods.RULE,
    requests_and_limits.RULE,
    namespace_limits.RULE,
    team_labels.RULE,
    monthly_budget.RULE,
    long_lived.RULE,
    pinned_images.RULE,
    pinned_charts.RULE,
)
