"""What the operator may do in namespaces of no team."""

SEEN_EVERYWHERE = {
    f"{verb} {what}"
    for verb in ("list", "watch")
    for what in (
        "customresourcedefinitions.apiextensions.k8s.io",
        "daskclusters.kubernetes.dask.org",
        "daskworkergroups.kubernetes.dask.org",
        "daskautoscalers.kubernetes.dask.org",
        "daskjobs.kubernetes.dask.org",
        "pods",
        "services",
    )
}
RELEASED_EVERYWHERE = {
    "patch daskclusters.kubernetes.dask.org",
    "patch daskautoscalers.kubernetes.dask.org",
}
"""Finalizers are released by them."""
