"""Tests of components/: pure modules directly, components under Pulumi's mocks."""
