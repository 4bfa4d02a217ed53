"""What programs that never import each other agree on: names, labels, ports, API versions."""
