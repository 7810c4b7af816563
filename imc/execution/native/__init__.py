"""Programs with their schedule as native executables: the verified IR, with gates in it."""
