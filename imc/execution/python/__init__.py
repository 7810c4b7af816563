"""Programs run for real, on Python threads: under a schedule, or as they like."""
