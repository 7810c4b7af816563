"""Choosing the schedule that is fast: candidates are verified, measured and compared."""
