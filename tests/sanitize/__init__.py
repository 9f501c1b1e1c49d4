"""Builds of the core that watch themselves: sanitizers, and which lines run (`./dev sanitize`)."""
