"""A team's JupyterLabs, and the homes that outlive them."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_random as random
from pulumi import CustomTimeouts, ResourceOptions

from components.granted_role import granted_role
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.plan import JupyterPlan, TeamPlan
from daskfleet.settings.jupyter import Jupyter as JupyterSettings
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from manifests import jupyter_pod as pod
from manifests.jupyter_lab import Lab, labs_of
from manifests.secret_data import secret_data
from manifests.team_members import PolicyRule, subject

TOKEN_LENGTH = 48
"""Letters and digits: 285 bits, and nothing that a URL would have to escape."""

NOT_AWAITED = {"pulumi.com/skipAwait": "true"}
"""A claim is bound when the first pod that uses it has a node; the Deployment waits for the pod."""


class Jupyter(pulumi.ComponentResource):
    """A team's JupyterLab, and one for each person that the team names, at its Dask cluster.

    Owns for each of them Deployment, Service, configuration and token, the right to read the token,
    and the claim of the home's disk. Members of the team read the token of the team's, a person
    alone that of theirs. Of a retired team only the claims are left: they go with the namespace,
    and are protected as that is. Owns no way in: a Service is reached by port-forward alone, since
    no network policy lets anybody to it. The pods have the Dask pods' service account, without
    rights, and reach the scheduler as any pod of the team does.
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
        """Declare it, after the team's namespace; with no plan, of a retired team, the claims."""
        super().__init__(self.TYPE, name, None, opts)
        self._team = team
        self._inside = via.options(parent=self, depends_on=needs)
        self._via = via
        is_kept = stack.long_lived and not team.retire
        for lab in labs_of(team):
            claim = self._home(lab, settings, is_kept=is_kept, needs=needs)
            if plan is None or plan.jupyter is None:
                continue
            token = self._token(lab)
            if lab.token_readers:
                self._let_read(lab, token)
            self._lab(lab, plan, plan.jupyter, stack=stack, waits_for=[*needs, claim, token])
        self.register_outputs({"home": Lab(team=team).home_claim})

    def _home(
        self,
        lab: Lab,
        settings: JupyterSettings,
        *,
        is_kept: bool,
        needs: Sequence[pulumi.Resource],
    ) -> kubernetes.core.v1.PersistentVolumeClaim:
        return kubernetes.core.v1.PersistentVolumeClaim(
            f"{lab.prefix}-jupyter-home",
            metadata={
                "name": lab.home_claim,
                "namespace": self._team.name,
                "annotations": NOT_AWAITED,
            },
            spec={
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": settings.storage_class,
                "resources": {"requests": {"storage": f"{settings.storage_gib}Gi"}},
            },
            opts=self._via.options(parent=self, depends_on=needs, protect=is_kept),
        )

    def _token(self, lab: Lab) -> kubernetes.core.v1.Secret:
        password = random.RandomPassword(
            f"{lab.prefix}-jupyter-token",
            length=TOKEN_LENGTH,
            special=False,
            keepers=lab.token_kept_for,
            opts=ResourceOptions(parent=self),
        )
        return kubernetes.core.v1.Secret(
            f"{lab.prefix}-jupyter-token",
            metadata={"name": lab.token_secret, "namespace": self._team.name},
            data={pod.TOKEN_KEY: password.result.apply(secret_data)},
            opts=self._inside,
        )

    def _let_read(self, lab: Lab, token: pulumi.Resource) -> None:
        rule: PolicyRule = {
            "apiGroups": [""],
            "resources": ["secrets"],
            "resourceNames": [lab.token_secret],
            "verbs": ["get"],
        }
        granted_role(
            f"{lab.prefix}-jupyter-token-role",
            f"{lab.prefix}-jupyter-token-readers",
            name=lab.token_role,
            namespace=self._team.name,
            rules=[rule],
            subjects=[subject(member) for member in lab.token_readers],
            opts=self._inside,
            needs=[token],
        )

    def _lab(
        self,
        lab: Lab,
        plan: TeamPlan,
        jupyter: JupyterPlan,
        *,
        stack: Stack,
        waits_for: Sequence[pulumi.Resource],
    ) -> None:
        config = kubernetes.core.v1.ConfigMap(
            f"{lab.prefix}-jupyter-config",
            metadata={"name": pod.config_name(lab), "namespace": self._team.name},
            data=pod.config_data(self._team.name),
            opts=self._inside,
        )
        timeout = f"{self._team.ready_timeout_s}s"
        kubernetes.apps.v1.Deployment(
            f"{lab.prefix}-jupyter",
            metadata={
                "name": lab.name,
                "namespace": self._team.name,
                "labels": lab.labels,
            },
            spec={
                "replicas": 1,
                # The disk is one pod's at a time.
                "strategy": {"type": "Recreate"},
                "selector": {"matchLabels": lab.selector},
                "progressDeadlineSeconds": self._team.ready_timeout_s,
                "template": {
                    "metadata": _metadata(lab),
                    "spec": pod.pod_spec(plan, jupyter, lab, system_pool=stack.system_pool.name),
                },
            },
            opts=self._via.options(
                parent=self,
                depends_on=[*waits_for, config],
                timeouts=CustomTimeouts(create=timeout, update=timeout),
            ),
        )
        kubernetes.core.v1.Service(
            f"{lab.prefix}-jupyter",
            metadata={"name": lab.name, "namespace": self._team.name, "annotations": NOT_AWAITED},
            spec=pod.service_spec(lab),
            opts=self._inside,
        )


def _metadata(lab: Lab) -> dict[str, dict[str, str]]:
    notes = {"annotations": lab.pod_annotations} if lab.pod_annotations else {}
    return {"labels": lab.labels, **notes}


def team_jupyter(
    team: Team,
    *,
    plan: TeamPlan | None,
    stack: Stack,
    needs: Sequence[pulumi.Resource],
    via: KubernetesProvider,
) -> list[Jupyter]:
    """Declare a team's JupyterLabs, if it wants any; with no plan, what a retired team keeps."""
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
