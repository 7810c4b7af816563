"""Verification and execution at the same time."""
