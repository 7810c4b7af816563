"""Symbolic verification: terms, solver, interpolants, the abstract reachability tree, iteration."""
