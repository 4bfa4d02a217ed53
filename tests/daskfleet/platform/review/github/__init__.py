"""Against a local server that behaves like GitHub, over the real client library."""
