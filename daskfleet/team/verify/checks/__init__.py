"""The checks: pure functions of what was declared and what was collected."""
