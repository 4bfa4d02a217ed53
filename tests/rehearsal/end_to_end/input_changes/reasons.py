"""Why a change is only planned, or why there is none."""

BY_NAME = "Pods and the gate look for it by the old name, so the update would wait in vain."
NO_SUCH = "What the value names does not exist here."
ALL_ANEW = "Carried out once for its class; here only planned."
NO_RIGHTS = "The operator would be without its rights, and the update wait for it."
NO_ROOM = "Which workers the second installer evicts, the scheduler chooses."
NO_LOAD_BALANCER = "No team of this stack has an address in the VPC."
PER_ZONE = "GKE takes bounds of each zone or of all together, and the fleet's are of its one zone."
NOT_EMULATED = "The emulator does not do to nodes what Google does for it."

TYPE_IS_THE_KIND = "The type token is made of it: another value is another resource to the engine."

NOT_HERE = {
    "apiVersion": TYPE_IS_THE_KIND,
    "kind": TYPE_IS_THE_KIND,
    "spec.externalTrafficPolicy": NO_LOAD_BALANCER,
    "spec.loadBalancerSourceRanges": NO_LOAD_BALANCER,
    'metadata.annotations["networking.gke.io/load-balancer-type"]': NO_LOAD_BALANCER,
    "enableConfigMapMutable": "It decides what a change of any ConfigMap does, so it has no round.",
    "kubeconfig": "There is one way to the cluster here, and a preview takes it.",
    "special": "The stand-in of the provider has letters and digits only, and refuses others.",
    "version": "The charts are local, and a local chart has the version in its Chart.yaml.",
}
"""Paths of rows for which there can be no other value, and why."""
