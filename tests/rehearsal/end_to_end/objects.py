"""Kubernetes objects that tests put beside the fleet, and take away again."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import kr8s
from kr8s.objects import Pod
from kubernetes import config
from kubernetes.client import ApiException
from kubernetes.dynamic import DynamicClient

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.kr8s_client import connect_blocking

PROBE = "policy-probe"
"""Name of a Deployment that the policy refuses in every namespace, those that exist among them."""


def names(api: kr8s.Api, kind: str) -> list[str]:
    """The names of all objects of a kind."""
    found = api.get(kind, namespace=kr8s.ALL)
    return [item.name for item in found if not isinstance(item, dict)]


@contextmanager
def existing(kubeconfig: Path, *documents: dict[str, Any]) -> Iterator[None]:
    """Keep these objects for the length of the block."""
    client = DynamicClient(config.new_client_from_config(str(kubeconfig)))
    with ExitStack() as stack:
        for document in documents:
            kind = client.resources.get(api_version=document["apiVersion"], kind=document["kind"])
            name, namespace = (document["metadata"].get(key) for key in ("name", "namespace"))
            kind.create(body=document, namespace=namespace)
            stack.callback(kind.delete, name=name, namespace=namespace)
        yield


@contextmanager
def gpus_taken(fleet: RunningRehearsal, pool: str, *, count: int) -> Iterator[None]:
    """Let somebody else's pods take GPUs of a pool."""
    api = connect_blocking(fleet.cluster.kubeconfig)
    with ExitStack() as stack:
        for number in range(count):
            pod = Pod(squatter(number, pool), api=api)
            pod.create()
            stack.callback(pod.delete, grace_period=0)
        yield


def squatter(number: int, pool: str) -> dict[str, object]:
    """A pod of somebody else that takes one GPU."""
    amounts = {"nvidia.com/gpu": "1"}
    container = {
        "name": "squatter",
        "image": "example.com/squatter:1",
        "resources": {"requests": amounts, "limits": amounts},
    }
    spec = {
        "nodeSelector": {"cloud.google.com/gke-nodepool": pool},
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
        "containers": [container],
    }
    metadata = {"name": f"squatter-{number}", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def refusing_deployments_in(namespace: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A policy of the cluster that refuses what the operator wants to create, and its binding."""
    rule = {
        "apiGroups": ["apps"],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["deployments"],
    }
    version = "admissionregistration.k8s.io/v1"
    policy = {
        "apiVersion": version,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "no-deployments"},
        "spec": {
            "matchConstraints": {"resourceRules": [rule]},
            "validations": [
                {
                    "expression": f"object.metadata.namespace != '{namespace}' && "
                    f"object.metadata.name != '{PROBE}'"
                }
            ],
        },
    }
    binding = {
        "apiVersion": version,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "no-deployments"},
        "spec": {"policyName": "no-deployments", "validationActions": ["Deny"]},
    }
    return policy, binding


def until_deployments_are_refused(kubeconfig: Path) -> None:
    """Wait for that policy to work: the API server looks for new ones once a second or later."""
    client = DynamicClient(config.new_client_from_config(str(kubeconfig)))
    kind = client.resources.get(api_version="apps/v1", kind="Deployment")
    labels = {"app": "probe"}
    probe = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": PROBE},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "probe", "image": "example.com/probe:1"}]},
            },
        },
    }

    def is_refused() -> bool:
        try:
            kind.create(body=probe, namespace="default", dry_run="All")
        except ApiException as error:
            if "no-deployments" not in str(error.body):
                raise
            return True
        return False

    until(is_refused)
