"""A check of schedules that shares nothing with the search: run everything that one permits.

The concrete interpreter goes through all executions of a schedule, for all listed inputs. Each
concrete state is paired with the schedule's node that it must belong to; every mismatch is told.
"""

from game.check import TooLarge, check_schedule

__all__ = ["TooLarge", "check_schedule"]
