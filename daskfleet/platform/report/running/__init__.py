"""A fleet that runs, read from Google's and Kubernetes' APIs, for the page; it changes nothing."""
