"""A preview's event stream becomes one comment on the pull request, and a gate."""
