"""As many resources as the fleet has, bare: no settings, no checks, no components.

What its preview takes is what the engine, the language host, the SDKs and the providers take.
``FLOOR_KUBERNETES`` says how many ConfigMaps stand for the fleet's Kubernetes resources. On the
Google side there are two floors, chosen by ``FLOOR_GOOGLE``: a number asks for that many service
accounts, the plainest kind of resource; ``gke`` for a GKE cluster as one would write it by hand,
with as many resources as the fleet's. The second needs ``pulumi_gcp.compute``, whose import by
program and provider outweighs everything else in a small preview.
"""

import json
import os

import pulumi_gcp as gcp
from pulumi import Output, ResourceOptions
from pulumi_kubernetes import Provider as Kubernetes
from pulumi_kubernetes.core.v1 import ConfigMap

ZONE = "us-central1-c"
NAME = "floor"

on_google = ResourceOptions(provider=gcp.Provider("google", project="floor-project"))


def accounts(count: int) -> Output[str]:
    """Declare service accounts; return something that is unknown before they exist."""
    names = [f"account-{number:04}" for number in range(count)]
    made = [gcp.serviceaccount.Account(name, account_id=name, opts=on_google) for name in names]
    return Output.from_input(made[0].email)


def gke() -> Output[str]:
    """Declare a private GKE cluster with three pools; return its endpoint."""
    network = gcp.compute.Network(NAME, auto_create_subnetworks=False, opts=on_google)
    subnetwork = gcp.compute.Subnetwork(
        NAME,
        network=network.id,
        region="us-central1",
        ip_cidr_range="10.0.0.0/20",
        opts=on_google,
    )
    router = gcp.compute.Router(NAME, network=network.id, region="us-central1", opts=on_google)
    gcp.compute.RouterNat(
        NAME,
        router=router.name,
        region="us-central1",
        nat_ip_allocate_option="AUTO_ONLY",
        source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
        opts=on_google,
    )
    account = gcp.serviceaccount.Account(NAME, account_id="floor-nodes", opts=on_google)
    for role in ("roles/container.defaultNodeServiceAccount", "roles/artifactregistry.reader"):
        member = account.email.apply("serviceAccount:{}".format)
        gcp.projects.IAMMember(
            role, project="floor-project", role=role, member=member, opts=on_google
        )
    cluster = gcp.container.Cluster(
        NAME,
        location=ZONE,
        network=network.id,
        subnetwork=subnetwork.id,
        initial_node_count=1,
        remove_default_node_pool=True,
        opts=on_google,
    )
    for pool in ("system", "schedulers", "workers"):
        config = {"machine_type": "e2-standard-4", "service_account": account.email}
        gcp.container.NodePool(
            pool,
            cluster=cluster.name,
            location=ZONE,
            node_count=1,
            node_config=config,
            opts=on_google,
        )
    return Output.from_input(cluster.endpoint)


def _kubeconfig(unknown_at_preview: str) -> str:
    clusters = [{"name": NAME, "cluster": {"server": f"https://{unknown_at_preview}"}}]
    return json.dumps({"apiVersion": "v1", "kind": "Config", "clusters": clusters})


google = os.environ["FLOOR_GOOGLE"]
# Unknown until Google has answered, as the fleet's is: so neither preview asks a control plane.
kubeconfig = (gke() if google == "gke" else accounts(int(google))).apply(_kubeconfig)
in_cluster = ResourceOptions(provider=Kubernetes("kubernetes", kubeconfig=kubeconfig))
for name in (f"config-map-{number:04}" for number in range(int(os.environ["FLOOR_KUBERNETES"]))):
    ConfigMap(
        name,
        metadata={"name": name, "namespace": "default"},
        data={"key": "value"},
        opts=in_cluster,
    )
