"""Inputs of the program's Google resources, as they arrive on the wire."""

from typing import Final

from rehearsal.providers.protocol import Properties, State
from tests.rehearsal.providers.gcp.conftest import PROJECT, StandIn

NETWORK: Final = "gcp:compute/network:Network"
SUBNETWORK: Final = "gcp:compute/subnetwork:Subnetwork"
ROUTER: Final = "gcp:compute/router:Router"
NAT: Final = "gcp:compute/routerNat:RouterNat"
ACCOUNT: Final = "gcp:serviceaccount/account:Account"
MEMBER: Final = "gcp:projects/iAMMember:IAMMember"
BUCKET: Final = "gcp:storage/bucketIAMMember:BucketIAMMember"
CLUSTER: Final = "gcp:container/cluster:Cluster"
POOL: Final = "gcp:container/nodePool:NodePool"

NETWORK_ID: Final = f"projects/{PROJECT}/global/networks/rapids"
CLUSTER_ID: Final = f"projects/{PROJECT}/locations/us-central1-c/clusters/rapids-gpu"

FLEET: Final[dict[str, Properties]] = {
    NETWORK: {"name": "rapids", "autoCreateSubnetworks": False},
    SUBNETWORK: {
        "name": "rapids-nodes",
        "network": NETWORK_ID,
        "region": "us-central1",
        "ipCidrRange": "10.0.0.0/20",
        "privateIpGoogleAccess": True,
        "secondaryIpRanges": [
            {"rangeName": "pods", "ipCidrRange": "10.4.0.0/14"},
            {"rangeName": "services", "ipCidrRange": "10.8.0.0/20"},
        ],
    },
    ROUTER: {"name": "rapids-router", "network": NETWORK_ID, "region": "us-central1"},
    NAT: {
        "name": "rapids-nat",
        "router": "rapids-router",
        "region": "us-central1",
        "natIpAllocateOption": "AUTO_ONLY",
        "sourceSubnetworkIpRangesToNat": "ALL_SUBNETWORKS_ALL_IP_RANGES",
    },
    ACCOUNT: {"accountId": "rapids-nodes", "displayName": "Nodes"},
    MEMBER: {
        "project": PROJECT,
        "role": "roles/container.defaultNodeServiceAccount",
        "member": f"serviceAccount:rapids-nodes@{PROJECT}.iam.gserviceaccount.com",
    },
    CLUSTER: {
        "name": "rapids-gpu",
        "location": "us-central1-c",
        "network": NETWORK_ID,
        "subnetwork": f"projects/{PROJECT}/regions/us-central1/subnetworks/rapids-nodes",
        "ipAllocationPolicy": {
            "clusterSecondaryRangeName": "pods",
            "servicesSecondaryRangeName": "services",
        },
        "privateClusterConfig": {"enablePrivateNodes": True},
        "controlPlaneEndpointsConfig": {
            "dnsEndpointConfig": {"allowExternalTraffic": False},
            "ipEndpointsConfig": {"enabled": True},
        },
        "masterAuthorizedNetworksConfig": {
            "cidrBlocks": [{"cidrBlock": "192.0.2.0/24", "displayName": "office"}]
        },
        "datapathProvider": "ADVANCED_DATAPATH",
        "removeDefaultNodePool": True,
        "initialNodeCount": 1,
        "releaseChannel": {"channel": "STABLE"},
        "maintenancePolicy": {
            "recurringWindow": {
                "startTime": "2026-01-03T06:00:00Z",
                "endTime": "2026-01-03T12:00:00Z",
                "recurrence": "FREQ=WEEKLY;BYDAY=SA",
            }
        },
        "workloadIdentityConfig": {"workloadPool": f"{PROJECT}.svc.id.goog"},
        "enableShieldedNodes": True,
        "costManagementConfig": {"enabled": True},
        "resourceLabels": {"environment": "dev"},
        "deletionProtection": False,
    },
    BUCKET: {
        "bucket": "team-data",
        "role": "roles/storage.objectUser",
        "member": "principal://iam.googleapis.com/projects/123456789012/locations/global/"
        f"workloadIdentityPools/{PROJECT}.svc.id.goog/subject/ns/climate/sa/dask",
    },
    POOL: {
        "name": "a100",
        "cluster": "rapids-gpu",
        "location": "us-central1-c",
        "nodeCount": 2,
        "nodeConfig": {
            "machineType": "a2-highgpu-2g",
            "diskSizeGb": 200,
            "diskType": "pd-balanced",
            "imageType": "COS_CONTAINERD",
            "spot": False,
            "labels": {"pool": "a"},
            "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
            "guestAccelerators": [
                {
                    "type": "nvidia-tesla-a100",
                    "count": 2,
                    "gpuDriverInstallationConfig": {"gpuDriverVersion": "INSTALLATION_DISABLED"},
                }
            ],
            "serviceAccount": f"rapids-nodes@{PROJECT}.iam.gserviceaccount.com",
            "oauthScopes": ["https://www.googleapis.com/auth/cloud-platform"],
            "workloadMetadataConfig": {"mode": "GKE_METADATA"},
        },
        "upgradeSettings": {"strategy": "SURGE", "maxSurge": 0, "maxUnavailable": 1},
    },
}
"""One of each type, in an order in which they can be created."""


def create_fleet(stand_in: StandIn, *, until: str = POOL) -> dict[str, State]:
    """Create the fleet's resources in order, the last one being of type `until`."""
    states: dict[str, State] = {}
    for token, inputs in FLEET.items():
        states[token] = stand_in.create(token, inputs)
        if token == until:
            break
    return states


def pool(**changes: object) -> Properties:
    """Change top-level inputs of the pool."""
    return {**FLEET[POOL], **changes}


def pool_config(**changes: object) -> Properties:
    """Change inputs of the pool's nodes."""
    return pool(nodeConfig={**FLEET[POOL]["nodeConfig"], **changes})


def cluster(**changes: object) -> Properties:
    """Change top-level inputs of the cluster."""
    return {**FLEET[CLUSTER], **changes}
