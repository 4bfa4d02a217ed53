"""Who pays: the labels that GKE's cost allocation splits the bill by."""

from collections.abc import Iterator, Sequence

from policies.declared import UNKNOWN, Declared, dask_clusters, of_kind
from policies.rule import Parameters, Rule, Violation


class TeamLabelsParameters(Parameters):
    """Which labels."""

    labels: tuple[str, ...] = ("cost-center",)
    """Keys; their values are the team's own affair."""


def _check(fleet: Sequence[Declared], parameters: TeamLabelsParameters) -> Iterator[Violation]:
    namespaces = {each.object_name: each for each in of_kind(fleet, "Namespace")}
    for cluster in dask_clusters(fleet):
        for key in parameters.labels:
            value = cluster.at("metadata", "labels", key)
            if not value:
                yield Violation(
                    resource=cluster,
                    message=f"Team {cluster.namespace} has no label {key}, so no bill shows its "
                    f"GPUs: add it to the team's labels.",
                )
                continue
            namespace = namespaces.get(cluster.namespace)
            other = namespace.at("metadata", "labels", key) if namespace else value
            if UNKNOWN not in (value, other) and namespace and other != value:
                yield Violation(
                    resource=namespace,
                    message=f"Label {key} is {other} on the namespace and {value} on its Dask "
                    "cluster: the bill would be split between the two.",
                )


RULE = Rule(
    name="team-labels",
    description="Each team's namespace and pods carry the labels that its costs are billed by.",
    level="advisory",
    scope="stack",
    parameters=TeamLabelsParameters,
    check=_check,
)
