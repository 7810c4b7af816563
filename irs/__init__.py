"""Run-time that will make a threaded program follow only verified schedules.

It uses nothing but the Python standard library.
"""
