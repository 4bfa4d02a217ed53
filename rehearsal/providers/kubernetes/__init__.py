"""Stand-in for the kubernetes provider, on the real API server and the real Helm.

Serves package `kubernetes` as pulumi-kubernetes 4.34 would be used by this project: any kind by
its token, through discovery; Helm releases through the helm executable. What differs from the
real plugin is said where it differs: `readiness` (kinds not awaited), `settings` (arguments
refused), `kubeconfig` (clusters on this machine only), `release_inputs` (inputs refused).
"""
