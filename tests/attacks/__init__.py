"""What somebody who turns hostile gains: nothing that was not theirs."""
