"""Benchmarks: ratios within one run, never an assertion. ``nox -s bench`` runs all."""
