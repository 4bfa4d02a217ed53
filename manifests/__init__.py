"""Kubernetes objects: charts, YAML files, and pure functions that describe objects of a plan."""
