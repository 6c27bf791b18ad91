"""Proofs on real servers: a small size in the suite with the guard switched off once, a full one by `bin/prove`."""
