"""Measurements run by hand: `python -m bench.NAME`, one JSON line each."""
