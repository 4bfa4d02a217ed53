"""What lets a team's workers go while nobody needs them, and brings them back.

Runs in the cluster, from a ConfigMap, with the operator's image (Python 3.12, and httpx by way of
kr8s). So these modules import nothing else of this repository, and nothing but httpx and Python's
own library. The program, ``drift`` and ``verify`` read its notes and its hours through them.
"""
