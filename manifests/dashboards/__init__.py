"""Dashboards for Grafana, as files to import; ``python -m manifests.dashboards`` writes them."""
