"""A program with one object of each sort that the project uses, and a definition of its own."""

from collections.abc import Callable
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as k8s

from rehearsal.providers.kubernetes.kinds import Kind

NAMESPACE = "engine-test"
PAINTER = Kind("paint.example.com", "v1", "Painter")

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: painters.paint.example.com}
spec:
  group: paint.example.com
  scope: Namespaced
  names: {kind: Painter, plural: painters}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {brushes: {type: integer}, image: {type: string}}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
"""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the program under test asks for."""

    kubeconfig: str
    chart: str
    brushes: int = 1
    image: str = "paint:1"
    label: str = "a"


def program(wishes: Wishes) -> Callable[[], None]:
    """One object of each sort that the project uses."""

    def run() -> None:
        provider = k8s.Provider(
            "cluster", kubeconfig=wishes.kubeconfig, cluster_identifier="project/zone/cluster"
        )
        options = pulumi.ResourceOptions(provider=provider)
        namespace = k8s.core.v1.Namespace(NAMESPACE, metadata={"name": NAMESPACE}, opts=options)
        inside = {"namespace": namespace.metadata.name, "labels": {"team": wishes.label}}
        k8s.core.v1.ServiceAccount("account", metadata={"name": "a", **inside}, opts=options)
        k8s.core.v1.ConfigMap("unnamed", metadata=inside, data={"a": "1"}, opts=options)
        labels = {"app": "driver"}
        pod = {"containers": [{"name": "c", "image": "driver:1"}], "node_selector": {"gpu": "yes"}}
        k8s.apps.v1.DaemonSet(
            "driver",
            metadata={"name": "driver", **inside},
            spec={
                "selector": {"match_labels": labels},
                "template": {"metadata": {"labels": labels}, "spec": pod},
            },
            opts=options,
        )
        k8s.core.v1.Service(
            "service",
            metadata={"name": "painter", **inside},
            spec={"selector": {"app": "painter"}, "ports": [{"name": "tcp", "port": 8786}]},
            opts=options,
        )
        k8s.networking.v1.NetworkPolicy(
            "deny",
            metadata={"name": "deny", **inside},
            spec={"pod_selector": {}, "policy_types": ["Ingress"]},
            opts=options,
        )
        definitions = k8s.helm.v3.Release(
            "crds", name="crds", chart=wishes.chart, namespace=namespace.metadata.name, opts=options
        )
        painter = k8s.apiextensions.CustomResource(
            "painter",
            api_version=PAINTER.api_version,
            kind=PAINTER.name,
            metadata={"name": "painter", **inside},
            spec={"brushes": wishes.brushes, "image": wishes.image},
            opts=pulumi.ResourceOptions(
                provider=provider,
                depends_on=[definitions],
                replace_on_changes=["spec.image"],
                delete_before_replace=True,
            ),
        )
        pulumi.export("painter", painter.metadata.apply(lambda metadata: metadata.get("uid")))

    return run
