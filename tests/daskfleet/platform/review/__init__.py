"""The review of a preview, and its publication."""
