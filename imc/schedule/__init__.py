"""Schedules as things: from verified trees to sections with vector clocks."""
