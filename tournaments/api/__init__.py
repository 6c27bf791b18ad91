"""The JSON door: the same commands as the pages."""
