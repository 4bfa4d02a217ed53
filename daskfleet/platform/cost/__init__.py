"""What a stack costs, from its file alone: no credentials, no Pulumi, no cloud."""
