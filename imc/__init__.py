"""imc: an iterative model checker for threaded programs."""

__version__ = "0.1.0"
