"""Google Cloud as its provider reaches it: whose credentials, at which endpoints."""
