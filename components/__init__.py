"""What exists once ``pulumi up`` is through: one component resource per file.

``teams`` and ``gpu_pools`` declare several of them in order. What they are given, ``manifests``
describes and ``daskfleet.planning`` has decided; ``gates`` is what an ``up`` waits for, ``outputs``
what it tells.
"""
