"""Tests of the builders of Kubernetes objects."""
