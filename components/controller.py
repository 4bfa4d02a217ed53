"""The Deployment of a small controller of this project's, and the program that it runs."""

from collections.abc import Mapping, Sequence

import pulumi
import pulumi_kubernetes as kubernetes

from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.registry import operators_image
from daskfleet.settings.stack import Stack
from manifests.controller_pod import deployment_spec, labels
from manifests.program_files import digest_of


def run_controller(
    resource: str,
    *,
    name: str,
    module: str,
    program: Mapping[str, str],
    paths: Mapping[str, str],
    stack: Stack,
    needs: Sequence[pulumi.Resource],
    behind: Sequence[pulumi.Resource],
    via: KubernetesProvider,
    parent: pulumi.Resource,
) -> None:
    """Declare ConfigMap and Deployment in the operator's namespace.

    Args:
        resource: begins their names in Pulumi's state.
        name: the controller's, and its service account's.
        module: what Python runs.
        program: its files, by key.
        paths: where each of them lies in the pod.
        stack: whose operator's image it runs, on the system pool.
        needs: what both come after.
        behind: what the Deployment comes after besides: account and rights.
        via: the provider.
        parent: whose they are.

    """
    metadata = controllers_metadata(name, stack)
    digest = digest_of(program)
    # Another program or rule is another ConfigMap: the old one goes after the last pod of it.
    files = kubernetes.core.v1.ConfigMap(
        f"{resource}-program-{digest}",
        metadata={**metadata, "name": f"{name}-{digest}"},
        data=program,
        opts=via.options(parent=parent, depends_on=needs),
    )
    kubernetes.apps.v1.Deployment(
        f"{resource}-deployment",
        metadata=metadata,
        spec=deployment_spec(
            name,
            module=module,
            image=operators_image(stack).reference,
            pool=stack.system_pool.name,
            config_map=f"{name}-{digest}",
            files=paths,
        ),
        opts=via.options(parent=parent, depends_on=[*needs, files, *behind]),
    )


def controllers_account(
    resource: str,
    *,
    name: str,
    stack: Stack,
    needs: Sequence[pulumi.Resource],
    via: KubernetesProvider,
    parent: pulumi.Resource,
) -> pulumi.Resource:
    """Declare the controller's service account; its pod mounts a token of its own."""
    account: pulumi.Resource = kubernetes.core.v1.ServiceAccount(
        f"{resource}-service-account",
        metadata=controllers_metadata(name, stack),
        automount_service_account_token=False,
        opts=via.options(parent=parent, depends_on=needs),
    )
    return account


def controllers_metadata(name: str, stack: Stack) -> dict[str, object]:
    """Return what all objects of a controller have for ``metadata``."""
    return {"name": name, "namespace": stack.operator.namespace, "labels": labels(name)}
