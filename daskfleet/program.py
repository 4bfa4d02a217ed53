"""The fleet as a Pulumi program, for the ``__main__.py`` of any project that has this package."""

from components.fleet import declare_fleet

__all__ = ["declare_fleet"]
