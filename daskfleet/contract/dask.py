"""What the Dask operator, its pods, and this program's policies and Services agree on."""

import re

DASK_API = "kubernetes.dask.org/v1"
"""The API group and version of the operator's kinds."""

CLUSTER_LABEL = "dask.org/cluster-name"
COMPONENT_LABEL = "dask.org/component"
"""The operator puts both on everything that it makes; the component is scheduler or worker."""

GROUP_LABEL = "dask.org/workergroup-name"
"""The operator puts it on workers; its value is the name of their DaskWorkerGroup."""

DASK_DEPLOYMENT = re.compile("-(scheduler|worker-[0-9a-f]{10})$")
"""How the operator's Deployments end, after the name of a cluster or worker group
(dask_kubernetes 2026.3.0, ``build_*_deployment_spec``)."""

PART_OF_LABEL = "app.kubernetes.io/part-of"
PART_OF = "daskfleet"
"""On what this program makes in a team's namespace: a DaskCluster of the team's own lacks it."""

KUBERNETES_COMPONENT_LABEL = "app.kubernetes.io/component"
"""Which part of daskfleet it is. Of Dask's own pods ``COMPONENT_LABEL`` says that."""

NO_SCHEDULER_GPU = "daskfleet/scheduler-without-gpu"
"""Annotation of a DaskCluster whose scheduler asks for no GPU; its value is the reason."""

COMM_PORT = 8786
DASHBOARD_PORT = 8787
"""Where the scheduler listens; the operator assumes the first and looks the second up."""

SERVICE_NAME = "dask"
"""Name of the stable Service. The operator's own is called after the cluster and goes with it."""

INTERNAL_SERVICE_NAME = "dask-internal"
"""Name of the Service with an address in the VPC, for teams that have one."""

INSIDE_A_POD = "KUBERNETES_SERVICE_HOST"
"""Kubernetes sets it in every container; there, cluster DNS answers."""

SERVICE_ACCOUNT = "dask"
"""The Kubernetes service account of scheduler and workers; it has no rights and no token."""
