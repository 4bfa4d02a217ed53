"""What each `up` did, from what Pulumi and Kubernetes keep of it anyway."""
