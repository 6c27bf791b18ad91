"""Writes: one atomic function a deed, the only roads into the tables."""
