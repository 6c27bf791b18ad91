"""JSON for other programs: the same commands, the same refusals and the same codes as the pages."""
