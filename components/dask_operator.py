"""The dask-kubernetes operator and its custom resource definitions."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.definitions_chart import definitions_chart
from components.kubernetes_provider import KubernetesProvider
from components.node_pool import NodePool
from components.operator_rights import OperatorRights
from components.team import Team
from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.planning.registry import operators_image
from daskfleet.settings.software import Operator
from daskfleet.settings.stack import Stack
from manifests.operator_program import chart_values, config_map_data, config_map_name, program
from manifests.operator_rights import ACCOUNT

TIMEOUT_S = 600


class DaskOperator(pulumi.ComponentResource):
    """One operator for all teams, in a namespace of its own.

    Owns the namespace, the release of the operator and the release of its definitions, and the
    files that keep the operator from unpickling what schedulers answer. The two releases are apart
    because Helm installs a chart's ``crds/`` once and never upgrades it. Deletion runs
    backwards, operator before definitions: an operator that loses its definitions stops serving,
    and then no finalizer of a DaskCluster is ever released. Owns none of its rights: it comes after
    them, so that it loses the chart's once it has ours.
    """

    TYPE = "daskfleet:dask:DaskOperator"

    def __init__(
        self,
        name: str,
        *,
        stack: Stack,
        system_pool: NodePool,
        rights: OperatorRights,
        teams: Mapping[str, Team],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        super().__init__(self.TYPE, name, None, opts)
        operator = stack.operator

        namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={
                "name": operator.namespace,
                "labels": {"pod-security.kubernetes.io/enforce": "restricted"},
            },
            opts=via.options(parent=self),
        )
        chart = definitions_chart()
        crds = kubernetes.helm.v3.Release(
            f"{name}-crds",
            name="dask-crds",
            namespace=operator.namespace,
            chart=chart,
            version=operator.version,
            timeout=TIMEOUT_S,
            values={"definitions": definitions_digest(chart)},
            opts=via.options(parent=self, depends_on=[namespace]),
        )
        files = program()
        guard = kubernetes.core.v1.ConfigMap(
            config_map_name(files),
            metadata={"name": config_map_name(files), "namespace": operator.namespace},
            data=config_map_data(files),
            opts=via.options(parent=self, depends_on=[namespace]),
        )
        let_in = [team.operator_binding for team in teams.values()]
        release = kubernetes.helm.v3.Release(
            f"{name}-release",
            name=ACCOUNT,  # the chart names its service account after the release
            namespace=operator.namespace,
            chart=operator.chart,
            repository_opts=repository(operator),
            version=operator.version,
            skip_crds=True,
            atomic=True,  # a failed upgrade rolls back instead of blocking the next one
            timeout=TIMEOUT_S,
            values=operator_values(stack, files=files),
            opts=via.options(parent=self, depends_on=[crds, guard, system_pool, rights, *let_in]),
        )
        self.register_outputs({"release": release.name})


def definitions_digest(chart: str) -> str:
    """Return what changes with any byte of a definition.

    No template uses it. The provider compares a chart's version and values and not its files
    (pulumi-kubernetes 4.34, Check of ``helm_release.go``): a definition that is mended without a
    new version would never reach the API server.
    """
    digest = hashlib.sha256()
    for file in sorted((Path(chart) / "templates").iterdir()):
        digest.update(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def repository(operator: Operator) -> kubernetes.helm.v3.RepositoryOptsArgs | None:
    """Where Helm finds the chart; nowhere when it is a directory."""
    if operator.chart.startswith("./"):
        return None
    return kubernetes.helm.v3.RepositoryOptsArgs(repo=operator.repository)


def operator_values(stack: Stack, *, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the operator's chart.

    The chart asks for no resources by default, which would make the operator the first to be
    evicted; and it may run anywhere, which could be a node with eight GPUs.
    """
    image = operators_image(stack)
    # The chart's own name stays unsaid where it is the one that is wanted.
    elsewhere = {"name": image.repository} if stack.registry.mirror else {}
    return {
        **chart_values(files),
        "image": {**elsewhere, "tag": image.pinned_tag},
        "rbac": {"create": False},
        "nodeSelector": {POOL_LABEL: stack.system_pool.name},
        "podSecurityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "resources": {
            "requests": {"cpu": "100m", "memory": "256Mi"},
            "limits": {"memory": "512Mi"},
        },
    }
