"""The site of the pages."""
