"""Reads for pages, paper and rankings: frozen values, a fixed number of queries."""
