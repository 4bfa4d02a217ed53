"""A machine without a network, in which every try to leave it is written down."""
