"""Drawing: a Tree in; one picture out, as SVG, PNG, PDF, on matplotlib axes or in a terminal."""
