"""Which tests a change can affect: `make test-changed`."""
