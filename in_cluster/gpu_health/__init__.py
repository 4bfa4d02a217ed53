"""What takes workers off nodes whose GPU is sick, and keeps new ones away.

Runs in the cluster, from a ConfigMap, with the operator's image (Python 3.12, httpx and aiohttp).
It asks schedulers by the operator's own questions (``in_cluster.operator_http``), and imports
nothing else of this repository.
"""
