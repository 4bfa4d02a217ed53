"""Where the inputs of nodes lie in REST: for pools, for a cluster, and for its defaults.

REST names: discovery document of container.v1beta1. `pulumi-gcp` spells some lists in the plural.
"""

from typing import Final

from rehearsal.providers.gcp.rest_mapping import Form, Rule, Table

_INT64: Final = (
    "advancedMachineFeatures.threadsPerCore",
    "bootDisk.provisionedIops",
    "bootDisk.provisionedThroughput",
    "bootDisk.sizeGb",
    "guestAccelerators.gpuSharingConfig.maxSharedClientsPerGpu",
    "hostMaintenancePolicy.opportunisticMaintenanceStrategy.minNodesPerPool",
    "kubeletConfig.podPidsLimit",
    "linuxNodeConfig.customNodeInit.initScript.gcsGeneration",
    "linuxNodeConfig.swapConfig.bootDiskProfile.swapSizeGib",
    "linuxNodeConfig.swapConfig.dedicatedLocalSsdProfile.diskCount",
    "linuxNodeConfig.swapConfig.ephemeralLocalSsdProfile.swapSizeGib",
)


def node_config(at: str, rest: str) -> Table:
    """Build the rules of a NodeConfig that is the input `at` and lies at `rest`."""
    return {
        at: Rule(rest),
        f"{at}.effectiveTaints": Rule(form=Form.LOCAL),
        f"{at}.guestAccelerators": Rule(f"{rest}.accelerators"),
        f"{at}.guestAccelerators.type": Rule("acceleratorType"),
        f"{at}.guestAccelerators.count": Rule("acceleratorCount", Form.INT64),
        **{f"{at}.{name}": Rule(form=Form.INT64) for name in _INT64},
        f"{at}.taints": Rule(form=Form.DECLARED_ONLY, key_field="key"),
        f"{at}.resourceLabels": Rule(form=Form.DECLARED_ONLY),
        f"{at}.resourceManagerTags": Rule(f"{rest}.resourceManagerTags.tags"),
        f"{at}.loggingVariant": Rule(f"{rest}.loggingConfig.variantConfig.variant"),
        f"{at}.gpudirectStrategy": Rule(f"{rest}.gpuDirectConfig.gpuDirectStrategy"),
        f"{at}.nodeImageConfigs": Rule(f"{rest}.nodeImageConfig", Form.ONLY_ITEM),
        f"{at}.windowsNodeConfig.osversion": Rule(f"{rest}.windowsNodeConfig.osVersion"),
        f"{at}.linuxNodeConfig.hugepagesConfig": Rule(f"{rest}.linuxNodeConfig.hugepages"),
        **kubelet_config(f"{at}.kubeletConfig"),
        **containerd_config(f"{at}.containerdConfig", f"{rest}.containerdConfig"),
    }


def kubelet_config(at: str) -> Table:
    """Build the rules of a kubelet's configuration."""
    return {f"{at}.insecureKubeletReadonlyPortEnabled": Rule(form=Form.SPELLED)}


def containerd_config(at: str, rest: str) -> Table:
    """Build the rules of containerd's configuration."""
    registries, hosts = f"{at}.privateRegistryAccessConfig", f"{at}.registryHosts.hosts"
    return {
        f"{registries}.certificateAuthorityDomainConfigs": Rule(
            f"{rest}.privateRegistryAccessConfig.certificateAuthorityDomainConfig"
        ),
        f"{hosts}.cas": Rule("ca"),
        f"{hosts}.clients": Rule("client"),
        f"{hosts}.headers": Rule("header"),
        f"{hosts}.headers.values": Rule("value"),
    }
