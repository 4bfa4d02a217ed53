"""The strings of a stack file that have rules, each named after what imposes the rule."""

from typing import Annotated

from pydantic import StringConstraints

ProjectId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{4,28}[a-z0-9]$")]
"""A Google Cloud project ID: 6 to 30 characters (cloud.google.com/resource-manager)."""

Location = Annotated[str, StringConstraints(pattern=r"^[a-z]+-[a-z]+[0-9]+(-[a-z])?$")]
"""A Google Cloud zone (``us-central1-c``) or region (``us-central1``)."""

Zone = Annotated[str, StringConstraints(pattern=r"^[a-z]+-[a-z]+[0-9]+-[a-z]$")]
"""A Google Cloud zone, for example ``us-central1-c``."""

ClusterName = Annotated[str, StringConstraints(pattern=r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$")]
"""A GKE cluster name: at most 40 characters (container.v1 ``Cluster.name``)."""

PoolName = Annotated[str, StringConstraints(pattern=r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$")]
"""A GKE node pool name: at most 40 characters (container.v1 ``NodePool.name``)."""

TEAM_NAME_MAX_LENGTH = 63 - len("-scheduler")
"""A team's name is its DaskCluster's name. The operator appends ``-scheduler`` for the Service, whose
name is a DNS label of at most 63 characters; it refuses longer cluster names itself, but only after
the object exists (dask-kubernetes 2026.3.0, ``constants.py``). Pod names derived from it may be
longer than a label: Kubernetes truncates them itself."""

TeamName = Annotated[
    str,
    StringConstraints(
        pattern=r"^[a-z]([a-z0-9-]*[a-z0-9])?$", min_length=1, max_length=TEAM_NAME_MAX_LENGTH
    ),
]
"""A team's name; also its namespace and its DaskCluster, hence DNS-1035."""

LabelKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,62}$")]
"""A label key that is legal both on Google Cloud resources and in Kubernetes."""

LabelValue = Annotated[str, StringConstraints(pattern=r"^([a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)?$")]
"""A label value that is legal both on Google Cloud resources and in Kubernetes."""

Labels = dict[LabelKey, LabelValue]
