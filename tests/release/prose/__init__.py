"""The mechanical part of the style."""
