"""The native run-time: its C sources, and schedules as the tables that it reads."""
