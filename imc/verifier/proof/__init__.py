"""Proofs of all schedules at once: reduction, lanes, invariants, ranking functions."""
