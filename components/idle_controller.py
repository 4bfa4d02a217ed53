"""What lets the workers of teams go while nobody needs them, and ends processes that are old."""

from collections.abc import Sequence
from pathlib import Path

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

import in_cluster.idle_controller
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.operator_image import operator_image
from daskfleet.planning.recycle import controlled, controller_rules, recyclers
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from in_cluster.idle_controller.rules import written
from manifests.controller_pod import RULES_KEY, deployment_spec, labels
from manifests.program_files import digest_of
from manifests.recycle_admission import RECYCLE_POLICY, recycle_policy
from manifests.team_members import RBAC, PolicyRule

NAME = "idle-controller"
PROGRAM = Path(in_cluster.idle_controller.__file__).parent


class IdleController(pulumi.ComponentResource):
    """One small controller for all teams that have ``idle``, ``hours`` or ``recycle``.

    Owns its Deployment in the operator's namespace, which every scheduler lets in, its identity,
    and its right in each such team's namespace to change the size of worker groups; no right in
    another namespace, none to Secrets. Where a team has ``recycle``, it may also list pods and
    delete the scheduler's, and owns the policy by which it deletes no other. Owns no Dask object:
    the number of a worker group is no part of what Pulumi declares, so its changes are no drift.
    """

    TYPE = "daskfleet:dask:IdleController"

    def __init__(
        self,
        name: str,
        *,
        stack: Stack,
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare it, after the operator and the namespaces of the teams, which it ``needs``."""
        super().__init__(self.TYPE, name, None, opts)
        namespace = stack.operator.namespace
        metadata = {"name": NAME, "namespace": namespace, "labels": labels(NAME)}
        after = via.options(parent=self, depends_on=needs)

        account = kubernetes.core.v1.ServiceAccount(
            f"{name}-service-account",
            metadata=metadata,
            automount_service_account_token=False,
            opts=after,
        )
        bound = (
            [self._bound(name, operator_namespace=namespace, after=after)]
            if recyclers(stack)
            else []
        )
        # Whose right the policy narrows comes after it.
        behind = via.options(parent=self, depends_on=[*needs, *bound])
        granted = [
            self._let_in(name, team=team, operator_namespace=namespace, after=behind)
            for team in controlled(stack)
        ]
        data = program(stack)
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
                module=PROGRAM.name,
                image=operator_image(stack.operator).reference,
                pool=stack.system_pool.name,
                config_map=f"{NAME}-{digest}",
                files={key: _path_of(key) for key in sorted(data)},
            ),
            opts=via.options(parent=self, depends_on=[*needs, account, files, *granted]),
        )
        self.register_outputs({"teams": [team.name for team in controlled(stack)]})

    def _let_in(
        self, name: str, *, team: Team, operator_namespace: str, after: ResourceOptions
    ) -> pulumi.Resource:
        metadata = {"name": NAME, "namespace": team.name}
        role = kubernetes.rbac.v1.Role(
            f"{name}-{team.name}-role",
            metadata=metadata,
            rules=rules(recycles=team.recycle is not None),
            opts=after,
        )
        binding: pulumi.Resource = kubernetes.rbac.v1.RoleBinding(
            f"{name}-{team.name}",
            metadata=metadata,
            role_ref={"apiGroup": RBAC, "kind": "Role", "name": NAME},
            subjects=[{"kind": "ServiceAccount", "name": NAME, "namespace": operator_namespace}],
            opts=ResourceOptions.merge(after, ResourceOptions(depends_on=[role])),
        )
        return binding

    def _bound(
        self, name: str, *, operator_namespace: str, after: ResourceOptions
    ) -> pulumi.Resource:
        policy = kubernetes.admissionregistration.v1.ValidatingAdmissionPolicy(
            f"{name}-admission",
            metadata={"name": RECYCLE_POLICY},
            spec=recycle_policy(namespace=operator_namespace, account=NAME),
            opts=after,
        )
        binding: pulumi.Resource = (
            kubernetes.admissionregistration.v1.ValidatingAdmissionPolicyBinding(
                f"{name}-admission-binding",
                metadata={"name": RECYCLE_POLICY},
                spec={"policyName": RECYCLE_POLICY, "validationActions": ["Deny"]},
                opts=ResourceOptions.merge(after, ResourceOptions(depends_on=[policy])),
            )
        )
        return binding


def idle_controllers(
    stack: Stack, *, needs: Sequence[pulumi.Resource], via: KubernetesProvider
) -> list[pulumi.Resource]:
    """Declare the controller of a fleet, where a team wants it."""
    return [IdleController(NAME, stack=stack, needs=needs, via=via)] if controlled(stack) else []


def rules(*, recycles: bool) -> list[PolicyRule]:
    """What the controller may do in a team's namespace.

    Number and note are written in one request, so it may patch a whole worker group. That it leaves
    the pods as they are, which could mount any Secret of the namespace, the policy of all teams'
    namespaces says (``manifests/team_admission.py``).
    """
    group = ["kubernetes.dask.org"]
    pods: PolicyRule = {"apiGroups": [""], "resources": ["pods"], "verbs": ["list", "delete"]}
    return [
        {"apiGroups": group, "resources": ["daskclusters"], "verbs": ["list"]},
        {"apiGroups": group, "resources": ["daskworkergroups"], "verbs": ["get", "patch"]},
        *([pods] if recycles else []),
    ]


def program(stack: Stack) -> dict[str, str]:
    """Return the controller's files: its modules, and the rules of the fleet's teams."""
    modules = {file.name: file.read_text(encoding="utf-8") for file in PROGRAM.glob("*.py")}
    return {**dict(sorted(modules.items())), RULES_KEY: written(controller_rules(stack))}


def _path_of(key: str) -> str:
    return f"{PROGRAM.name}/{key}" if key.endswith(".py") else key
