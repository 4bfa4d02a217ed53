"""The review as a comment in GitHub-flavoured Markdown."""
