"""Provider plugins of the rehearsal: real ones where they can be had, else the stand-ins here."""
