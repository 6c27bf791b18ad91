"""Commands of the players application."""
