"""Measuring what enforcement costs: variants of one program, run in turns."""
