"""A Python that has imported what the engine's programs need, and forks for each who calls it.

Importing the SDKs of Pulumi, Google and Kubernetes is most of the processor time of an engine run,
in the program and again in each provider stand-in, and the tests run the engine hundreds of times.

The engine, its language host and its way of starting programs stay what they are: they find another
``python3`` on PATH, which hands its call to the one process that is warm.
"""
