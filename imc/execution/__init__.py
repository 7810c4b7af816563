"""Programs under their schedules: on Python threads, natively, and while they are verified."""
