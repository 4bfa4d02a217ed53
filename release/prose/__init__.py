"""The mechanical part of docs/style.md: ``python -m release.prose`` holds pages to it."""
