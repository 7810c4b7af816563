"""Run-time that will make a threaded program follow only verified schedules.

It uses nothing but the Python standard library.
"""

from irs.errors import BadSchedule
from irs.format import load
from irs.schedule import Schedule

__all__ = ["BadSchedule", "Schedule", "load"]
