"""Tests of the project around the applications: settings, database backend, the two commands, compose."""
