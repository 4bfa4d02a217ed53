"""What exists once ``pulumi up`` is through: one component resource per file.

Beside them, pure modules that work out what the components declare (``node_pool_spec``,
``dask_manifest`` with ``dask_pod``, ``dask_scheduler_pod`` and ``dask_worker_pod``, ``placement``,
``network_policy``, ``kubeconfig``, ``readiness``, ``pod_status``,
``outputs``, ``team_members``, ``team_quotas``); ``dask_contract`` holds the names on which several
of them agree, and ``planning.node_contract`` those on which the policies agree with them.
``readiness_gate`` is what ``up`` waits in, ``dask_cluster_api`` its view of the cluster.
"""
