"""What takes workers off nodes whose GPU is sick."""

from collections.abc import Sequence
from pathlib import Path

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

import in_cluster
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.gpu_health import health_rules
from daskfleet.planning.operator_image import operator_image
from daskfleet.settings.gpu_health import GpuHealth as GpuHealthSettings
from daskfleet.settings.stack import Stack
from in_cluster.gpu_health.rules import written
from manifests.controller_pod import RULES_KEY, deployment_spec, labels
from manifests.gpu_health_rights import (
    POLICY,
    cluster_rules,
    policy,
    policy_binding,
    team_rules,
)
from manifests.program_files import digest_of
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
        metadata = {"name": NAME, "namespace": namespace, "labels": labels(NAME)}
        rules = health_rules(stack, health)
        after = via.options(parent=self, depends_on=needs)

        account = kubernetes.core.v1.ServiceAccount(
            f"{name}-service-account",
            metadata=metadata,
            automount_service_account_token=False,
            opts=after,
        )
        narrowed = self._narrow(name, user=f"system:serviceaccount:{namespace}:{NAME}", via=via)
        behind = via.options(parent=self, depends_on=[*needs, narrowed])
        granted = [
            self._let_see_nodes(name, subject=subject, after=behind),
            *(self._let_in(name, each, subject, after=behind) for each in rules.namespaces),
        ]
        data = program(stack, health)
        digest = digest_of(data)
        # Another program or rule is another ConfigMap: the old one goes after the last pod of it.
        files = kubernetes.core.v1.ConfigMap(
            f"{name}-program-{digest}",
            metadata={**metadata, "name": f"{NAME}-{digest}"},
            data=data,
            opts=after,
        )
        kubernetes.apps.v1.Deployment(
            f"{name}-deployment",
            metadata=metadata,
            spec=deployment_spec(
                NAME,
                module=MODULE,
                image=operator_image(stack.operator).reference,
                pool=stack.system_pool.name,
                config_map=f"{NAME}-{digest}",
                files={**_paths(), RULES_KEY: RULES_KEY},
            ),
            opts=via.options(parent=self, depends_on=[*needs, account, files, *granted]),
        )
        self.register_outputs({"teams": list(rules.namespaces)})

    def _narrow(self, name: str, *, user: str, via: KubernetesProvider) -> pulumi.Resource:
        narrowing = kubernetes.admissionregistration.v1.ValidatingAdmissionPolicy(
            f"{name}-admission",
            metadata={"name": POLICY},
            spec=policy(user=user),
            opts=via.options(parent=self),
        )
        bound: pulumi.Resource = (
            kubernetes.admissionregistration.v1.ValidatingAdmissionPolicyBinding(
                f"{name}-admission-binding",
                metadata={"name": POLICY},
                spec=policy_binding(),
                opts=via.options(parent=self, depends_on=[narrowing]),
            )
        )
        return bound

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

    def _let_in(
        self, name: str, team: str, subject: Subject, *, after: ResourceOptions
    ) -> pulumi.Resource:
        role = kubernetes.rbac.v1.Role(
            f"{name}-{team}-role",
            metadata={"name": NAME, "namespace": team},
            rules=team_rules(),
            opts=after,
        )
        binding: pulumi.Resource = kubernetes.rbac.v1.RoleBinding(
            f"{name}-{team}",
            metadata={"name": NAME, "namespace": team},
            role_ref={"apiGroup": RBAC, "kind": "Role", "name": NAME},
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
