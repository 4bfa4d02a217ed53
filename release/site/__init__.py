"""The site of the pages: Sphinx reads them where they are, and `make docs` builds it."""
