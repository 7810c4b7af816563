"""The search for schedules, and the strategies that lead it."""
