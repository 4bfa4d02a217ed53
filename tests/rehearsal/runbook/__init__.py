"""The runbook, followed word by word."""
