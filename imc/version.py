"""The version of imc, for schedules and messages."""

VERSION = "0.1.0"
