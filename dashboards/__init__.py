"""Dashboards for Grafana, as files that are imported; ``python -m dashboards`` writes them."""
