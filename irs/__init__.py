"""Run-time that makes a threaded program follow only verified schedules.

It uses nothing but the Python standard library.
"""

from irs.enforcement import enforce, event, point
from irs.errors import BadRecord, BadSchedule, Deviation, Stalled, Stopped, ThreadDied
from irs.format import load
from irs.order import order, prefix
from irs.primitives import Condition, Lock, Queue
from irs.record import check_record, read_record
from irs.relaxation import Relaxation
from irs.schedule import Schedule

__all__ = [
    "BadRecord",
    "BadSchedule",
    "Condition",
    "Deviation",
    "Lock",
    "Queue",
    "Relaxation",
    "Schedule",
    "Stalled",
    "Stopped",
    "ThreadDied",
    "check_record",
    "enforce",
    "event",
    "load",
    "order",
    "point",
    "prefix",
    "read_record",
]
