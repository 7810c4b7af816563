"""Programs in a compact form of ints, and the machine that runs it."""
