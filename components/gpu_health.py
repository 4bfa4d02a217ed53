"""What takes workers off nodes whose GPU is sick."""

from collections.abc import Sequence
from pathlib import Path

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

import in_cluster
from components.controller import controllers_account, run_controller
from components.enforced_policy import enforced_policy
from components.granted_role import granted_role
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.gpu_health import health_rules
from daskfleet.settings.gpu_health import GpuHealth as GpuHealthSettings
from daskfleet.settings.stack import Stack
from in_cluster.gpu_health.rules import written
from manifests.controller_pod import RULES_KEY
from manifests.gpu_health_rights import (
    POLICY,
    cluster_rules,
    policy,
    team_rules,
)
from manifests.team_members import RBAC, Subject

NAME = "gpu-health"
HERE = Path(in_cluster.__file__).parent
MODULE = "in_cluster.gpu_health"


class GpuHealth(pulumi.ComponentResource):
    """One small controller for all nodes with GPUs for workers.

    Owns its Deployment in the operator's namespace, which every scheduler lets in, its identity and
    its rights: to cordon nodes, and to end pods of workers in the namespace of each team. The
    policy that narrows both comes before them. Owns no detector: GKE's device plugin is one, and is
    on every node with a GPU. Owns no node and no Dask object; it gives no right to Google's API.
    """

    TYPE = "daskfleet:dask:GpuHealth"

    def __init__(
        self,
        name: str,
        *,
        stack: Stack,
        health: GpuHealthSettings,
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare it, after the operator and the namespaces of the teams, which it ``needs``."""
        super().__init__(self.TYPE, name, None, opts)
        namespace = stack.operator.namespace
        subject = {"kind": "ServiceAccount", "name": NAME, "namespace": namespace}
        rules = health_rules(stack, health)

        account = controllers_account(
            name, name=NAME, stack=stack, needs=needs, via=via, parent=self
        )
        narrowed = enforced_policy(
            f"{name}-admission",
            name=POLICY,
            spec=policy(user=f"system:serviceaccount:{namespace}:{NAME}"),
            opts=via.options(parent=self),
        )
        behind = via.options(parent=self, depends_on=[*needs, narrowed])
        granted = [
            self._let_see_nodes(name, subject=subject, after=behind),
            *(
                granted_role(
                    f"{name}-{team}-role",
                    f"{name}-{team}",
                    name=NAME,
                    namespace=team,
                    rules=team_rules(),
                    subjects=[subject],
                    opts=behind,
                )
                for team in rules.namespaces
            ),
        ]
        run_controller(
            name,
            name=NAME,
            module=MODULE,
            program=program(stack, health),
            paths={**_paths(), RULES_KEY: RULES_KEY},
            stack=stack,
            needs=needs,
            behind=[account, *granted],
            via=via,
            parent=self,
        )
        self.register_outputs({"teams": list(rules.namespaces)})

    def _let_see_nodes(
        self, name: str, *, subject: Subject, after: ResourceOptions
    ) -> pulumi.Resource:
        role = kubernetes.rbac.v1.ClusterRole(
            f"{name}-nodes-role",
            metadata={"name": f"daskfleet-{NAME}"},
            rules=cluster_rules(),
            opts=after,
        )
        binding: pulumi.Resource = kubernetes.rbac.v1.ClusterRoleBinding(
            f"{name}-nodes",
            metadata={"name": f"daskfleet-{NAME}"},
            role_ref={"apiGroup": RBAC, "kind": "ClusterRole", "name": f"daskfleet-{NAME}"},
            subjects=[subject],
            opts=ResourceOptions.merge(after, ResourceOptions(depends_on=[role])),
        )
        return binding


def gpu_health(
    stack: Stack, *, needs: Sequence[pulumi.Resource], via: KubernetesProvider
) -> list[pulumi.Resource]:
    """Declare the controller of a fleet, where its stack wants it."""
    if stack.gpu_health is None:
        return []
    return [GpuHealth(NAME, stack=stack, health=stack.gpu_health, needs=needs, via=via)]


def program(stack: Stack, health: GpuHealthSettings) -> dict[str, str]:
    """Return the controller's files by key: its modules, and the rules of the fleet."""
    modules = {
        key: (HERE.parent / path).read_text(encoding="utf-8") for key, path in _paths().items()
    }
    return {**modules, RULES_KEY: written(health_rules(stack, health))}


def _paths() -> dict[str, str]:
    """Where the modules lie, by key, in which no slash may be."""
    files = (
        HERE / "__init__.py",
        *sorted(HERE.glob("gpu_health/*.py")),
        # How the operator asks a scheduler; its image has what they import.
        *(HERE / "operator_http" / name for name in ("__init__.py", "answers.py", "asking.py")),
    )
    paths = [f"{file.relative_to(HERE.parent)}" for file in files]
    return {path.replace("/", "."): path for path in paths}
