"""The stand-in for Pulumi's provider ``random``: passwords, and nothing else of it."""
