"""A team's JupyterLab, and the home that outlives it."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_random as random
from pulumi import CustomTimeouts, ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.plan import JupyterPlan, TeamPlan
from daskfleet.settings.jupyter import Jupyter as JupyterSettings
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from manifests import jupyter_pod as pod
from manifests.secret_data import secret_data
from manifests.team_members import RBAC, subject

TOKEN_LENGTH = 48
"""Letters and digits: 285 bits, and nothing that a URL would have to escape."""

NOT_AWAITED = {"pulumi.com/skipAwait": "true"}
"""A claim is bound when the first pod that uses it has a node; the Deployment waits for the pod."""

MEMBER_ROLE = "jupyter-token-reader"


class Jupyter(pulumi.ComponentResource):
    """One JupyterLab for all members of a team, connected to the team's Dask cluster.

    Owns its Deployment, Service, configuration and token, the right of the team's members to read
    the token, and the claim of the home's disk. Of a retired team only the claim is left: it goes
    with the namespace, and is protected as that is. Owns no way in: the Service is reached by
    port-forward alone, since no network policy lets anybody to it. Its pod has the Dask pods'
    service account, without rights, and reaches the scheduler as any pod of the team does.
    """

    TYPE = "daskfleet:dask:Jupyter"

    def __init__(
        self,
        name: str,
        *,
        team: Team,
        settings: JupyterSettings,
        plan: TeamPlan | None,
        stack: Stack,
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare it, after the team's namespace; with no plan, of a retired team, the claim."""
        super().__init__(self.TYPE, name, None, opts)
        self._name = name
        self._team = team
        self._inside = via.options(parent=self, depends_on=needs)
        self._via = via
        claim = kubernetes.core.v1.PersistentVolumeClaim(
            f"{name}-jupyter-home",
            metadata={
                "name": pod.HOME_CLAIM,
                "namespace": team.name,
                "annotations": NOT_AWAITED,
            },
            spec={
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": settings.storage_class,
                "resources": {"requests": {"storage": f"{settings.storage_gib}Gi"}},
            },
            opts=via.options(
                parent=self, depends_on=needs, protect=stack.long_lived and not team.retire
            ),
        )
        if plan is not None and plan.jupyter is not None:
            token = self._token()
            if team.members:
                self._let_members_read(token)
            self._lab(plan, plan.jupyter, stack=stack, waits_for=[*needs, claim, token])
        self.register_outputs({"home": pod.HOME_CLAIM})

    def _token(self) -> kubernetes.core.v1.Secret:
        password = random.RandomPassword(
            f"{self._name}-jupyter-token",
            length=TOKEN_LENGTH,
            special=False,
            opts=ResourceOptions(parent=self),
        )
        return kubernetes.core.v1.Secret(
            f"{self._name}-jupyter-token",
            metadata={"name": pod.TOKEN_SECRET, "namespace": self._team.name},
            data={pod.TOKEN_KEY: password.result.apply(secret_data)},
            opts=self._inside,
        )

    def _let_members_read(self, token: pulumi.Resource) -> None:
        role = kubernetes.rbac.v1.Role(
            f"{self._name}-jupyter-token-role",
            metadata={"name": MEMBER_ROLE, "namespace": self._team.name},
            rules=[
                {
                    "apiGroups": [""],
                    "resources": ["secrets"],
                    "resourceNames": [pod.TOKEN_SECRET],
                    "verbs": ["get"],
                }
            ],
            opts=self._inside,
        )
        kubernetes.rbac.v1.RoleBinding(
            f"{self._name}-jupyter-token-readers",
            metadata={"name": MEMBER_ROLE, "namespace": self._team.name},
            role_ref={"apiGroup": RBAC, "kind": "Role", "name": MEMBER_ROLE},
            subjects=[subject(member) for member in self._team.members],
            opts=ResourceOptions.merge(self._inside, ResourceOptions(depends_on=[role, token])),
        )

    def _lab(
        self,
        plan: TeamPlan,
        jupyter: JupyterPlan,
        *,
        stack: Stack,
        waits_for: Sequence[pulumi.Resource],
    ) -> None:
        config = kubernetes.core.v1.ConfigMap(
            f"{self._name}-jupyter-config",
            metadata={"name": pod.config_name(self._team.name), "namespace": self._team.name},
            data=pod.config_data(self._team.name),
            opts=self._inside,
        )
        timeout = f"{self._team.ready_timeout_s}s"
        kubernetes.apps.v1.Deployment(
            f"{self._name}-jupyter",
            metadata={
                "name": pod.NAME,
                "namespace": self._team.name,
                "labels": pod.labels(plan),
            },
            spec={
                "replicas": 1,
                # The disk is one pod's at a time.
                "strategy": {"type": "Recreate"},
                "selector": {"matchLabels": pod.selector()},
                "progressDeadlineSeconds": self._team.ready_timeout_s,
                "template": {
                    "metadata": {"labels": pod.labels(plan)},
                    "spec": pod.pod_spec(plan, jupyter, system_pool=stack.system_pool.name),
                },
            },
            opts=self._via.options(
                parent=self,
                depends_on=[*waits_for, config],
                timeouts=CustomTimeouts(create=timeout, update=timeout),
            ),
        )
        kubernetes.core.v1.Service(
            f"{self._name}-jupyter",
            metadata={"name": pod.NAME, "namespace": self._team.name, "annotations": NOT_AWAITED},
            spec=pod.service_spec(),
            opts=self._inside,
        )


def team_jupyter(
    team: Team,
    *,
    plan: TeamPlan | None,
    stack: Stack,
    needs: Sequence[pulumi.Resource],
    via: KubernetesProvider,
) -> list[Jupyter]:
    """Declare a team's JupyterLab, if it wants one; with no plan, what a retired team keeps."""
    if team.jupyter is None:
        return []
    return [
        Jupyter(
            team.name,
            team=team,
            settings=team.jupyter,
            plan=plan,
            stack=stack,
            needs=needs,
            via=via,
        )
    ]
