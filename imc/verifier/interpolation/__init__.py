"""Interpolants along a path, from several sources, each checked before it is used."""
