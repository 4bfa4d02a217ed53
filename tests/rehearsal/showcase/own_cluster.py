"""What a member runs in a notebook: a Dask cluster of their own, by dask_kubernetes.

Run as a program, with the member's kubeconfig in KUBECONFIG and the spec's path as its argument.
"""

import json
import sys

import kr8s
from dask_kubernetes.operator import KubeCluster

TRIES = 3


def own_cluster(spec: str, namespace: str) -> KubeCluster:
    """Make it, and ask again where the operator never said that it is there.

    A race of its own leaves the phase of some clusters at Pending for ever, with every pod up
    (dask/dask-kubernetes#968): KubeCluster deletes such a cluster, and another one is not it.
    """
    for left in reversed(range(TRIES)):
        try:
            return KubeCluster(
                custom_cluster_spec=spec, namespace=namespace, resource_timeout=120, quiet=True
            )
        except TimeoutError as error:
            if left == 0 or "resource not actioned" not in str(error):
                raise
            print(f"once more, after: {error}", file=sys.stderr)  # noqa: T201 - what a test shows
    raise AssertionError("unreachable: the last try returns or raises")


def main(spec: str, namespace: str) -> None:
    """Make it, compute, look where its pods are, let it go."""
    with own_cluster(spec, namespace) as cluster:
        client = cluster.get_client()
        client.wait_for_workers(1, timeout=120)
        total = client.submit(sum, range(10)).result(timeout=60)
        labels = {"dask.org/cluster-name": cluster.name}
        pods = kr8s.get("pods", namespace=namespace, label_selector=labels)
        nodes = {
            pod.labels["dask.org/component"]: pod.spec.nodeName
            for pod in pods
            if isinstance(pod, kr8s.objects.Pod)
        }
        client.close()
    print(json.dumps({"total": total, "nodes": nodes}))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main(*sys.argv[1:])
