"""Certificates and everything that judges them; neither an engine nor the compiler is imported."""
