"""What lets the workers of teams go while nobody needs them, and ends processes that are old."""

from collections.abc import Sequence
from pathlib import Path

import pulumi
from pulumi import ResourceOptions

import in_cluster.idle_controller
from components.controller import controllers_account, run_controller
from components.enforced_policy import enforced_policy
from components.granted_role import granted_role
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.recycle import controlled, controller_rules, recyclers
from daskfleet.settings.stack import Stack
from in_cluster.idle_controller.rules import written
from manifests.controller_pod import RULES_KEY
from manifests.recycle_admission import RECYCLE_POLICY, recycle_policy
from manifests.team_members import PolicyRule

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
        subject = {"kind": "ServiceAccount", "name": NAME, "namespace": namespace}

        account = controllers_account(
            name, name=NAME, stack=stack, needs=needs, via=via, parent=self
        )
        bound = []
        if recyclers(stack):
            bound = [
                enforced_policy(
                    f"{name}-admission",
                    name=RECYCLE_POLICY,
                    spec=recycle_policy(namespace=namespace, account=NAME),
                    opts=via.options(parent=self, depends_on=needs),
                )
            ]
        # Whose right the policy narrows comes after it.
        behind = via.options(parent=self, depends_on=[*needs, *bound])
        granted = [
            granted_role(
                f"{name}-{team.name}-role",
                f"{name}-{team.name}",
                name=NAME,
                namespace=team.name,
                rules=rules(recycles=team.recycle is not None),
                subjects=[subject],
                opts=behind,
            )
            for team in controlled(stack)
        ]
        data = program(stack)
        run_controller(
            name,
            name=NAME,
            module=PROGRAM.name,
            program=data,
            paths={key: _path_of(key) for key in sorted(data)},
            stack=stack,
            needs=needs,
            behind=[account, *granted],
            via=via,
            parent=self,
        )
        self.register_outputs({"teams": [team.name for team in controlled(stack)]})


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
